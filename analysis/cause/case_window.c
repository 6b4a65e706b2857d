/* Arithmetic, signs and words that the causes of the receiver's window share. */
#include "analysis/cause/case_window.h"

#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SCALED_WINDOW_MAX 1073725440.0 /* 65,535 << 14, RFC 7323 section 2.3 */
#define RATE_TOLERANCE 0.15
/* F/G above 1.5 R: the rest is a queue or the receiver's delay, and more window only adds to it
 * (Little's law makes G = W/R hold then too, so the rate alone proves nothing). */
#define RTT_INFLATION_MAX 1.5
#define LINK_REACHED 0.9
#define GROWTH_WITHOUT_LINK 10.0
#define SUNK_OF_HELD 0.75
#define CLOSED_OFTEN 3
#define CLOSED_LONG_PCT 25

double case_window_held_pct(const struct case_file *c)
{
    return fmin(100, c->share_pct[LIMIT_RWND] + c->share_pct[LIMIT_ZERO_WINDOW]);
}

double case_window_sunk_pct(const struct case_file *c)
{
    const int64_t sunk_ns = c->data->moves.sink.sunk_ns;

    return c->data->elapsed_ns > 0 ? fmin(100, 100 * (double)sunk_ns / (double)c->data->elapsed_ns)
                                   : 0;
}

bool case_window_is_unread(const struct case_file *c)
{
    const double held_pct = case_window_held_pct(c), sunk_pct = case_window_sunk_pct(c);
    const bool closes = c->share_pct[LIMIT_ZERO_WINDOW] >= CLOSED_LONG_PCT &&
                        c->data->zero_window_episodes >= CLOSED_OFTEN;

    return closes || (sunk_pct > 0 && held_pct > 0 && sunk_pct >= SUNK_OF_HELD * held_pct);
}

bool case_window_is_exceeded(const struct case_file *c)
{
    const struct moves_over *over = &c->data->moves.over;

    return over->rounds >= CLOSED_OFTEN && over->rounds * 4 >= c->data->rounds;
}

double case_window_whole_bytes(const struct case_file *c)
{
    return (double)bounds_whole_segments_bytes(case_window_bytes(c), c->data->smss);
}

static bool within_tolerance(double measured, double model)
{
    return fabs(measured - model) <= RATE_TOLERANCE * model;
}

bool case_window_rate_agrees(const struct case_file *c)
{
    const double rate = case_goodput_bytes_per_s(c), rtt_s = case_rtt_effective_s(c);

    return within_tolerance(rate, (double)case_window_bytes(c) / rtt_s) ||
           within_tolerance(rate, case_window_whole_bytes(c) / rtt_s);
}

/* The link that the user gave, or what the path was seen to pass with a queue before it. */
static bool link_is_reached(const struct case_file *c)
{
    const double link = case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);
    const double rate = case_goodput_bytes_per_s(c), seen = c->data->path.capacity_bytes_per_s;

    return (bound_is_known(link) && rate >= LINK_REACHED * link) ||
           (seen > 0 && rate >= LINK_REACHED * seen);
}

bool case_window_may_bind(const struct case_file *c)
{
    const double rate = case_goodput_bytes_per_s(c), rtt_s = case_rtt_min_s(c);

    return case_window_bytes(c) > 0 && rtt_s > 0 && rate > 0 &&
           rate <= (1 + RATE_TOLERANCE) * (double)case_window_bytes(c) / rtt_s &&
           case_rtt_effective_s(c) <= RTT_INFLATION_MAX * rtt_s && !link_is_reached(c);
}

bool case_window_arithmetic_holds(const struct case_file *c)
{
    const double share = c->share_pct[LIMIT_RWND] / 100;

    return case_window_may_bind(c) &&
           case_goodput_bytes_per_s(c) >= (1 - RATE_TOLERANCE) * share *
                                              case_window_whole_bytes(c) / case_rtt_effective_s(c);
}

/* RFC 7323 section 2.2: the scale is in the SYNs alone. */
bool case_window_leaves_room(const struct case_file *c)
{
    const struct direction_result *d = c->data;

    if (d->window_scale_source == SCALE_OPTION || d->window_scale_source == SCALE_EXACT)
        return true;
    return d->window_scale_source == SCALE_AT_LEAST &&
           d->rwnd_min_bytes >= 2 * (uint64_t)d->smss &&
           d->rwnd_mean_bytes >= d->flight_max_bytes + d->smss;
}

bool case_window_scaling_is_refused(const struct case_file *c)
{
    return case_both_syns_seen(c) && c->data->window_scale_source == SCALE_OPTION &&
           !(c->flow->dir[C2S].syn_has_wind_shift && c->flow->dir[S2C].syn_has_wind_shift);
}

bool case_window_is_at_16_bits(const struct case_file *c)
{
    const uint64_t window = case_window_bytes(c);

    return window <= UNSCALED_WINDOW_MAX && window + c->data->smss > UNSCALED_WINDOW_MAX;
}

/* "(17 x MSS 1460, a buffer of 24,576 in whole segments)": where the window may come from. */
static void append_window_text(const struct case_file *c, struct verdict *v)
{
    const uint64_t window = case_window_bytes(c);
    const uint64_t buffer = bounds_buffer_guess_bytes(window, c->data->smss);

    verdict_append_text(v, "It allows %s%s bytes (%s",
                        c->data->window_scale_source == SCALE_AT_LEAST ? "at least " : "",
                        phrase_count(window).text, phrase_window(window, c->data->smss).text);
    if (buffer != 0 && buffer != window)
        verdict_append_text(v, ", a buffer of %s in whole segments", phrase_count(buffer).text);
    verdict_append_text(v, ") in flight; ");
}

void case_window_append_arithmetic(const struct case_file *c, struct verdict *v)
{
    const double min_s = case_rtt_min_s(c), effective_s = case_rtt_effective_s(c);
    const double window = (double)case_window_bytes(c), whole = case_window_whole_bytes(c);

    append_window_text(c, v);
    verdict_append_text(v, "with %s round trip", phrase_seconds(min_s).text);
    if (effective_s > 1.05 * min_s)
        verdict_append_text(v, " (median %s)", phrase_seconds(effective_s).text);
    verdict_append_text(v, " that is %s at most", phrase_rate(window / min_s).text);
    if (whole < window)
        verdict_append_text(v, " (%s in whole segments)", phrase_rate(whole / min_s).text);
    verdict_append_text(v, ". Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
}

/* The SYN of one end and what it says of scaling. */
static void add_syn_evidence(const struct case_file *c, enum direction sender, struct verdict *v)
{
    const struct direction_result *d = &c->flow->dir[sender];
    const char *name = sender == C2S ? "SYN" : "SYN-ACK";

    if (!d->syn_seen || c->data->window_scale_source != SCALE_OPTION)
        return;
    verdict_add_evidence(v, d->syn_frame, NS_UNKNOWN,
                         d->syn_has_wind_shift ? FACT_WINDOW_SCALE : FACT_NO_WINDOW_SCALE,
                         "the %s has %s window scale option", name,
                         d->syn_has_wind_shift ? "the" : "no");
}

void case_window_add_syns(const struct case_file *c, struct verdict *v)
{
    add_syn_evidence(c, C2S, v);
    add_syn_evidence(c, S2C, v);
}

void case_window_add_evidence(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct limit_span *worst = &d->worst[LIMIT_RWND];

    verdict_add_evidence(v, d->rwnd_max_frame, NS_UNKNOWN, FACT_LARGEST_WINDOW,
                         "the largest window: %s bytes", phrase_count(case_window_bytes(c)).text);
    if (d->rounds_window_full > 0 && d->rounds_window_full <= d->rounds)
        verdict_add_evidence(v, worst->from_frame, worst->start_ns, FACT_WINDOW_FULL,
                             "window full in %s of %s rounds",
                             phrase_count(d->rounds_window_full).text,
                             phrase_count(d->rounds).text);
    verdict_add_evidence(v, worst->to_frame, NS_UNKNOWN, FACT_WINDOW_FULL,
                         "longest stretch at the window's edge: %s, up to here",
                         phrase_span(worst->duration_ns).text);
}

uint64_t case_window_wanted_bytes(const struct case_file *c)
{
    const double window = (double)case_window_bytes(c);
    const double needed =
        bounds_needed_window_bytes(c->options->link_bytes_per_s, case_rtt_min_s(c));
    double wanted = needed;

    if (!bound_is_known(needed))
        wanted = exp2(ceil(log2(GROWTH_WITHOUT_LINK * window)));
    wanted = fmin(wanted, SCALED_WINDOW_MAX);
    return wanted > window ? (uint64_t)wanted : BYTES_UNKNOWN;
}

/* Scaling must be offered by both ends (RFC 7323 section 2.2): advise each that is seen not to.
 * The server may offer it only in answer, so its silence counts only when the client offered. */
static void advise_scaling(const struct case_file *c, uint64_t wanted, const struct forecast *f,
                           struct verdict *v)
{
    const bool client_offers = c->flow->dir[C2S].syn_has_wind_shift;

    if (!case_window_scaling_is_refused(c))
        return;
    verdict_add_advice(v, case_end(c, client_offers ? S2C : C2S), ADVICE_WINDOW_SCALING,
                       wanted, f->bytes_per_s, f->seconds);
}

void case_window_advise(const struct case_file *c, bool scaling_first, struct verdict *v)
{
    const uint64_t wanted = case_window_wanted_bytes(c);
    struct forecast f = {BOUND_UNKNOWN, BOUND_UNKNOWN};

    if (wanted != BYTES_UNKNOWN)
        f = case_forecast(c, wanted);
    if (scaling_first)
        advise_scaling(c, wanted, &f, v);
    verdict_add_advice(v, case_receiver(c), ADVICE_RECEIVE_BUFFER, wanted, f.bytes_per_s,
                       f.seconds);
    if (!scaling_first && wanted != BYTES_UNKNOWN && wanted > UNSCALED_WINDOW_MAX)
        advise_scaling(c, wanted, &f, v);
}

