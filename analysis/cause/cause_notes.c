/* What a verdict says besides its cause: what is ruled out, and what the capture cannot tell. */
#include "analysis/cause/bounds.h"
#include "analysis/cause/case_window.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/verdict.h"

#define LOSS_NEGLIGIBLE_PCT 2
#define SHARE_NEGLIGIBLE_PCT 5
#define SHARE_MATTERS_PCT 25
#define LINK_NOT_REACHED 0.8

static double share(const struct case_file *c, enum limit a, enum limit b)
{
    return c->share_pct[a] + c->share_pct[b];
}

/* A loss also costs what the congestion window then lacks, after the recovery is over: with losses
 * and a congestion window that matters, a short recovery clears nothing. */
static bool loss_ruled_out(const struct case_file *c)
{
    return share(c, LIMIT_RECOVERY, LIMIT_RTO) < LOSS_NEGLIGIBLE_PCT &&
           (c->data->retransmitted_segments == 0 ||
            share(c, LIMIT_CWND, LIMIT_SLOW_START) < SHARE_MATTERS_PCT);
}

/* A window of which only a lower bound is known may be where it seems far away. */
static bool window_is_measured(const struct case_file *c)
{
    return case_window_bytes(c) > 0 && c->data->window_scale_source != SCALE_AT_LEAST;
}

static bool receive_window_ruled_out(const struct case_file *c)
{
    return window_is_measured(c) &&
           share(c, LIMIT_RWND, LIMIT_ZERO_WINDOW) < SHARE_NEGLIGIBLE_PCT;
}

static bool sender_ruled_out(const struct case_file *c)
{
    return share(c, LIMIT_APP, LIMIT_SEND_BUFFER) < SHARE_NEGLIGIBLE_PCT;
}

/* A receiver that reads too slowly closes its window, or keeps it well below its largest: it did
 * not, nor sank below two segments. */
static bool receiver_application_ruled_out(const struct case_file *c)
{
    return window_is_measured(c) && !case_window_is_unread(c) && c->data->zero_window_episodes == 0 &&
           c->data->rwnd_min_bytes != BYTES_UNKNOWN &&
           c->data->rwnd_min_bytes / 2 >= c->data->smss;
}

static bool congestion_window_ruled_out(const struct case_file *c)
{
    return share(c, LIMIT_CWND, LIMIT_SLOW_START) < SHARE_NEGLIGIBLE_PCT;
}

static bool link_ruled_out(const struct case_file *c)
{
    const double link = case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);
    const double goodput = case_goodput_bytes_per_s(c);

    return link > 0 && goodput >= 0 && goodput < LINK_NOT_REACHED * link;
}

/* No rate that was given with --ceiling is that of the transfer, to within -10 and +5 %. */
static bool ceilings_ruled_out(const struct case_file *c)
{
    const double goodput = case_goodput_bytes_per_s(c);

    for (int i = 0; i < c->options->ceiling_count && i < CEILINGS_MAX; i++)
        if (goodput >= CEILING_LEAST * c->options->ceilings[i].bytes_per_s &&
            goodput <= CEILING_MOST * c->options->ceilings[i].bytes_per_s)
            return false;
    return c->options->ceiling_count > 0 && goodput > 0;
}

static bool always(const struct case_file *c)
{
    (void)c;
    return true;
}

static bool rtt_unknown(const struct case_file *c)
{
    return !bound_is_known(case_rtt_min_s(c));
}

static bool window_scale_unknown(const struct case_file *c)
{
    return c->data->window_scale_source == SCALE_UNKNOWN ||
           c->data->window_scale_source == SCALE_AT_LEAST;
}

static bool receiver_unclear(const struct case_file *c)
{
    return share(c, LIMIT_RWND, LIMIT_ZERO_WINDOW) >= SHARE_MATTERS_PCT &&
           !receiver_application_ruled_out(c);
}

static bool sender_buffer_unclear(const struct case_file *c)
{
    return share(c, LIMIT_CWND, LIMIT_APP) >= SHARE_MATTERS_PCT;
}

static bool competition_unclear(const struct case_file *c)
{
    return share(c, LIMIT_CWND, LIMIT_LINK) + share(c, LIMIT_RECOVERY, LIMIT_RTO) >=
           SHARE_MATTERS_PCT;
}

static bool loss_place_unclear(const struct case_file *c)
{
    return c->data->loss_events > 0 && c->flow->position == TAP_UNKNOWN;
}

static bool link_rate_unknown(const struct case_file *c)
{
    return !(c->options->link_bytes_per_s > 0);
}

struct note {
    const char *code;
    bool (*holds)(const struct case_file *c);
};

static const struct note ruled_out[] = {
    {NOTE_LOSS, loss_ruled_out},
    {NOTE_RECEIVE_WINDOW, receive_window_ruled_out},
    {NOTE_SENDER, sender_ruled_out},
    {NOTE_RECEIVER_APPLICATION, receiver_application_ruled_out},
    {NOTE_CONGESTION_WINDOW, congestion_window_ruled_out},
    {NOTE_LINK, link_ruled_out},
    {NOTE_STORAGE_CEILINGS, ceilings_ruled_out},
};

static const struct note unknown[] = {
    {NOTE_ROUND_TRIP_TIME, rtt_unknown},
    {NOTE_WINDOW_SCALE, window_scale_unknown},
    {NOTE_WINDOW_EXCEEDED, case_window_is_exceeded},
    {NOTE_RECEIVER_CPU_OR_DISK, receiver_unclear},
    {NOTE_SENDER_BUFFER, sender_buffer_unclear},
    {NOTE_COMPETING_TRAFFIC, competition_unclear},
    {NOTE_SENDER_SIDE_LOSS, loss_place_unclear},
    {NOTE_LINK_RATE, link_rate_unknown},
    {NOTE_ONE_WAY_DELAY, always},
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Shares below 5 % rule something out only where the time was divided at all. */
static bool shares_are_measured(const struct case_file *c)
{
    return c->data->limits_followed && c->data->elapsed_ns > 0 &&
           c->share_pct[LIMIT_UNKNOWN] < SHARE_MATTERS_PCT;
}

void cause_notes_fill(const struct case_file *c, struct verdict *v)
{
    if (v->cause_id != cause_id("too_short") && v->cause_id != cause_id("capture_unfit") &&
        shares_are_measured(c))
        for (size_t i = 0; i < COUNT_OF(ruled_out); i++)
            if (ruled_out[i].holds(c))
                verdict_rule_out(v, ruled_out[i].code);
    for (size_t i = 0; i < COUNT_OF(unknown); i++)
        if (unknown[i].holds(c))
            verdict_leave_open(v, unknown[i].code);
}
