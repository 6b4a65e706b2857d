/* Causes 1 and 2: the receiver's window is smaller than the path needs, and why it cannot be
 * larger.  Both rest on the same arithmetic: W bytes in flight each round trip R is W/R at most. */
#include <math.h>

#include "analysis/bounds.h"
#include "analysis/cause.h"
#include "analysis/note_codes.h"
#include "analysis/phrase.h"
#include "analysis/verdict.h"

#define UNSCALED_WINDOW_MAX 65535      /* RFC 9293 section 3.1: a 16-bit field */
#define SCALED_WINDOW_MAX 1073725440.0 /* 65,535 << 14, RFC 7323 section 2.3 */
#define SHARE_SECOND_PCT 25
#define SHARE_OVERWHELMING_PCT 80
#define ZERO_WINDOW_SMALL_PCT 5
#define RATE_TOLERANCE 0.15
/* F/G above 1.5 R: the rest is a queue or the receiver's delay, and more window only adds to it
 * (Little's law makes G = W/R hold then too, so the rate alone proves nothing). */
#define RTT_INFLATION_MAX 1.5
#define MEAN_WINDOW_STEADY 0.7
#define LINK_REACHED 0.9
#define ROUNDS_ENOUGH 20
#define GROWTH_WITHOUT_LINK 10.0

static double smaller_window_bytes(const struct case_file *c)
{
    return (double)bounds_whole_segments_bytes(case_window_bytes(c), c->data->smss);
}

static bool within_tolerance(double measured, double model)
{
    return fabs(measured - model) <= RATE_TOLERANCE * model;
}

/* True when the rate is that of a full window each round trip, counted in bytes or in whole
 * segments. */
static bool rate_agrees(const struct case_file *c)
{
    const double rate = case_goodput_bytes_per_s(c), rtt_s = case_rtt_effective_s(c);

    return within_tolerance(rate, (double)case_window_bytes(c) / rtt_s) ||
           within_tolerance(rate, smaller_window_bytes(c) / rtt_s);
}

/* True when the rate fits a window that was full for its share of the time: at least that share
 * of W/R, and never more than W/R. */
static bool rate_is_consistent(const struct case_file *c)
{
    const double rate = case_goodput_bytes_per_s(c);
    const double share = c->share_pct[LIMIT_RWND] / 100;

    return rate >= (1 - RATE_TOLERANCE) * share * smaller_window_bytes(c) /
                       case_rtt_effective_s(c) &&
           rate <= (1 + RATE_TOLERANCE) * (double)case_window_bytes(c) / case_rtt_min_s(c);
}

/* A window that moves far below its maximum tells of a slow reader, or of autotuning. */
static bool window_is_steady(const struct case_file *c)
{
    return c->data->rwnd_mean_bytes != BYTES_UNKNOWN &&
           (double)c->data->rwnd_mean_bytes >=
               MEAN_WINDOW_STEADY * (double)case_window_bytes(c);
}

static bool link_is_reached(const struct case_file *c)
{
    const double link = case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);

    return bound_is_known(link) && case_goodput_bytes_per_s(c) >= LINK_REACHED * link;
}

static bool figures_are_known(const struct case_file *c)
{
    return case_window_bytes(c) > 0 && case_rtt_min_s(c) > 0 && case_goodput_bytes_per_s(c) > 0;
}

static struct finding window_find(const struct case_file *c)
{
    const double share_pct = c->share_pct[LIMIT_RWND];
    const bool overwhelming = share_pct >= SHARE_OVERWHELMING_PCT;
    struct finding f = {.share_pct = share_pct};
    bool agrees;
    int signs;

    if (share_pct < SHARE_SECOND_PCT || !figures_are_known(c) ||
        c->share_pct[LIMIT_ZERO_WINDOW] > ZERO_WINDOW_SMALL_PCT ||
        case_rtt_effective_s(c) > RTT_INFLATION_MAX * case_rtt_min_s(c) ||
        !rate_is_consistent(c) || link_is_reached(c))
        return f;
    agrees = rate_agrees(c);
    signs = overwhelming + (agrees && c->data->window_scale_source != SCALE_AT_LEAST) +
            case_both_syns_seen(c) + (c->data->rounds >= ROUNDS_ENOUGH);
    f.found = true;
    f.may_lead = agrees || (overwhelming && window_is_steady(c));
    f.confidence = case_confidence(c, signs, FAULT_ANY);
    return f;
}

/* True when the options of both SYNs were captured and one of them lacks window scaling. */
static bool scaling_is_refused(const struct case_file *c)
{
    return case_both_syns_seen(c) && c->data->window_scale_source == SCALE_OPTION &&
           !(c->flow->dir[C2S].syn_has_wind_shift && c->flow->dir[S2C].syn_has_wind_shift);
}

/* True when the window stands at the 16-bit limit, to within a segment.  A smaller one is a small
 * buffer, whatever the SYNs say. */
static bool window_is_at_16_bits(const struct case_file *c)
{
    const uint64_t window = case_window_bytes(c);

    return window <= UNSCALED_WINDOW_MAX && window + c->data->smss > UNSCALED_WINDOW_MAX;
}

struct finding cause_receive_window_find(const struct case_file *c)
{
    if (scaling_is_refused(c) && window_is_at_16_bits(c))
        return (struct finding){.share_pct = -1};
    return window_find(c);
}

struct finding cause_no_window_scaling_find(const struct case_file *c)
{
    if (!scaling_is_refused(c) || !window_is_at_16_bits(c))
        return (struct finding){.share_pct = -1};
    return window_find(c);
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

static void explain_arithmetic(const struct case_file *c, struct verdict *v)
{
    const double min_s = case_rtt_min_s(c), effective_s = case_rtt_effective_s(c);
    const double window = (double)case_window_bytes(c), whole = smaller_window_bytes(c);

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

static void add_syns_evidence(const struct case_file *c, struct verdict *v)
{
    add_syn_evidence(c, C2S, v);
    add_syn_evidence(c, S2C, v);
}

static void add_window_evidence(const struct case_file *c, struct verdict *v)
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

/* The window to ask for: what fills the link of --link; without one, a power of two that is ten
 * times this window or more, for the path's rate is not known.  BYTES_UNKNOWN when the link does
 * not ask for more than there is. */
static uint64_t wanted_window_bytes(const struct case_file *c)
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

    if (!scaling_is_refused(c))
        return;
    verdict_add_advice(v, case_end(c, client_offers ? S2C : C2S), ADVICE_WINDOW_SCALING,
                       wanted, f->bytes_per_s, f->seconds);
}

static void advise_window(const struct case_file *c, bool scaling_first, struct verdict *v)
{
    const uint64_t wanted = wanted_window_bytes(c);
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

void cause_receive_window_explain(const struct case_file *c, struct verdict *v)
{
    verdict_set_headline(v, "the %s's receive window", case_actor_word(case_receiver(c)));
    explain_arithmetic(c, v);
    add_window_evidence(c, v);
    add_syns_evidence(c, v);
    advise_window(c, false, v);
}

void cause_no_window_scaling_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *dir = c->flow->dir;
    const bool client_lacks = !dir[C2S].syn_has_wind_shift;
    const bool server_lacks = !dir[S2C].syn_has_wind_shift;
    const char *receiver = case_actor_word(case_receiver(c));

    if (client_lacks && server_lacks)
        verdict_set_headline(v, "the %s's receive window, held to 64 KB: neither end offers window "
                                "scaling", receiver);
    else
        verdict_set_headline(v, "the %s's receive window, held to 64 KB: the %s does not offer "
                                "window scaling", receiver,
                             case_actor_word(case_end(c, client_lacks ? C2S : S2C)));
    explain_arithmetic(c, v);
    verdict_append_text(v, " Above 65,535 bytes a window needs the scale option in both SYNs.");
    if (client_lacks && server_lacks)
        verdict_append_text(v, " The server may offer it only when the client's SYN does.");
    add_syns_evidence(c, v);
    add_window_evidence(c, v);
    advise_window(c, true, v);
}
