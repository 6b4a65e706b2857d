/* Causes 6, 50 and 53: the congestion window grew too slowly for the path, a sender that keeps to a
 * rate, and both long round trip and slow growth: a satellite. */
#include <math.h>

#include "analysis/cause/case_window.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define NS_PER_S 1e9
#define SHARE_SECOND_PCT 25
#define SHARE_LEAD_PCT 50
#define SHARE_OVERWHELMING_PCT 80
/* Growth that was watched: fewer round trips show no rate. */
#define GROWTH_ROUNDS_LEAST 5
/* Catalogue row 6: about a segment a round trip; CUBIC's concave part is above. */
#define GROWTH_SEGMENTS_MOST 2.0
/* A standing queue is another cause: half of the data met half a round trip of it. */
#define QUEUE_MOST 1.5
/* Catalogue row 53; up and down a geostationary satellite, both ways, takes 477 ms. */
#define SATELLITE_RTT_S 0.45

static double seconds(int64_t ns)
{
    return (double)ns / NS_PER_S;
}

/* Percent of the time in which the window held the sender, and no loss had made it small. */
static double unspoilt_share_pct(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    int64_t ns = d->limit_ns[LIMIT_CWND];

    for (int i = 0; i < CWND_FALLS; i++)
        if (i != CWND_FALL_IDLE)
            ns -= d->cwnd.avoidance_ns[i];
    return d->elapsed_ns > 0 && ns > 0 ? 100 * (double)ns / (double)d->elapsed_ns : 0;
}

/* Segments that the watched growth added in a round trip; < 0 unknown. */
static double growth_segments(const struct case_file *c)
{
    const struct cwnd_facts *w = &c->data->cwnd;

    if (w->growth_rounds < GROWTH_ROUNDS_LEAST || c->data->smss == 0 ||
        w->growth_to_bytes <= w->growth_from_bytes)
        return -1;
    return (double)(w->growth_to_bytes - w->growth_from_bytes) / c->data->smss /
           (double)w->growth_rounds;
}

static bool path_has_queue(const struct case_file *c)
{
    const struct sample_summary *rtt = &c->data->rtt;

    return rtt->samples > 0 && (double)rtt->p50_ns > QUEUE_MOST * (double)rtt->min_ns;
}

/* True when the window grew all the time and never met the receiver's. */
static bool grows_alone(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    const double growth = growth_segments(c);

    return d->cwnd.known && growth > 0 && growth <= GROWTH_SEGMENTS_MOST && !path_has_queue(c) &&
           d->cwnd.family != CWND_BBR && d->rounds_window_full * 10 < d->rounds &&
           case_window_leaves_room(c);
}

static bool is_satellite(const struct case_file *c)
{
    return case_rtt_min_s(c) >= SATELLITE_RTT_S;
}

static struct finding find_growth(const struct case_file *c, bool satellite)
{
    struct finding f = {.share_pct = unspoilt_share_pct(c)};

    if (f.share_pct < SHARE_SECOND_PCT || !grows_alone(c) || is_satellite(c) != satellite)
        return f;
    f.found = true;
    f.may_lead = f.share_pct >= SHARE_LEAD_PCT;
    f.confidence = case_confidence(
        c, 1 + c->data->cwnd.exact + (f.share_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    return f;
}

struct finding cause_cwnd_growth_find(const struct case_file *c)
{
    return find_growth(c, false);
}

/* Percent of the time that is counted in round trips: growth, repair, and growth again. */
static double round_trips_pct(const struct case_file *c)
{
    return fmin(100, c->share_pct[LIMIT_SLOW_START] + c->share_pct[LIMIT_CWND] +
                         c->share_pct[LIMIT_RECOVERY] + c->share_pct[LIMIT_RTO]);
}

/* Whether one of what falls and growth can be due to has most of the time by itself. */
static bool growth_has_an_owner(const struct case_file *c)
{
    return (case_loss_cause(c) != 0 && case_loss_pct(c) >= SHARE_LEAD_PCT) ||
           cause_idle_restart_find(c).may_lead || cause_cwnd_reset_find(c).may_lead ||
           cause_slow_start_short_find(c).may_lead;
}

/* Catalogue row 53: a window that rises and falls, whose growth, losses and pauses (rows 6, 7, 26)
 * each cost what a shorter path would hardly feel, and none has most of the time alone. */
static struct finding find_oscillation(const struct case_file *c)
{
    const struct cwnd_facts *w = &c->data->cwnd;
    struct finding f = {.share_pct = round_trips_pct(c)};
    bool falls = false;

    for (int i = 0; i < CWND_FALLS; i++)
        falls = falls || w->decreases[i] > 0;
    if (!is_satellite(c) || !w->known || !falls || f.share_pct < SHARE_LEAD_PCT ||
        path_has_queue(c) || growth_has_an_owner(c))
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c, 1 + (f.share_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    return f;
}

struct finding cause_satellite_path_find(const struct case_file *c)
{
    const struct finding growth = find_growth(c, true);

    return growth.found && growth.may_lead ? growth : find_oscillation(c);
}

/* "From 24 to 48 segments at 1 segment a round trip of 280 ms: 6.7 s" */
static void explain_growth(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct cwnd_facts *w = &d->cwnd;

    verdict_append_text(
        v,
        "It grew from %s to %s segments at %s segments a round trip of %s: %s. The receiver's "
        "window, %s bytes, was not met, and %s.",
        phrase_count(w->growth_from_bytes / d->smss).text,
        phrase_count(w->growth_to_bytes / d->smss).text, phrase_decimal(growth_segments(c)).text,
        phrase_seconds(seconds(w->growth_ns) / (double)w->growth_rounds).text,
        phrase_span(w->growth_ns).text, phrase_count(case_window_bytes(c)).text,
        d->syn_seen ? "no loss came before"
                    : "no loss is in the capture before (its beginning is not)");
    verdict_add_evidence(v, w->growth_from_frame, NS_UNKNOWN, FACT_WINDOW_GROWTH,
                         "congestion window about %s bytes here",
                         phrase_count(w->growth_from_bytes).text);
    verdict_add_evidence(v, w->growth_to_frame, NS_UNKNOWN, FACT_WINDOW_GROWTH,
                         "about %s bytes %s later", phrase_count(w->growth_to_bytes).text,
                         phrase_span(w->growth_ns).text);
    verdict_add_advice(v, ACTOR_CLIENT, ADVICE_PARALLEL_STREAMS, BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_CONGESTION_CONTROL, BYTES_UNKNOWN, -1, -1);
}

void cause_cwnd_growth_explain(const struct case_file *c, struct verdict *v)
{
    verdict_set_headline(v, "the congestion window grows too slowly for this path");
    explain_growth(c, v);
}

/* Each of what holds such a sender by turns. */
static void explain_oscillation(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct cwnd_facts *w = &d->cwnd;

    verdict_append_text(
        v,
        "Each round trip of growth and of repair costs %s: slow start took %s, growth beyond it "
        "%s, repair of losses %s of %s. The window went between %s and %s bytes.",
        phrase_seconds(case_rtt_effective_s(c)).text,
        phrase_span(d->limit_ns[LIMIT_SLOW_START]).text, phrase_span(d->limit_ns[LIMIT_CWND]).text,
        phrase_span(d->limit_ns[LIMIT_RECOVERY] + d->limit_ns[LIMIT_RTO]).text,
        phrase_span(d->elapsed_ns).text, phrase_count(w->min_bytes).text,
        phrase_count(w->max_bytes).text);
    if (d->loss.events > 0)
        cause_loss_add_evidence(c, v);
    verdict_add_advice(v, ACTOR_CLIENT, ADVICE_PARALLEL_STREAMS, BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_CONGESTION_CONTROL, BYTES_UNKNOWN, -1, -1);
}

void cause_satellite_path_explain(const struct case_file *c, struct verdict *v)
{
    verdict_set_headline(v,
                         "a very long path (round trip %s) and a window that grows by round trips",
                         phrase_seconds(case_rtt_min_s(c)).text);
    if (find_growth(c, true).may_lead)
        explain_growth(c, v);
    else
        explain_oscillation(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_ACCELERATOR, BYTES_UNKNOWN, -1, -1);
}

struct finding cause_paced_sender_find(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    struct finding f = {.share_pct = c->share_pct[LIMIT_APP]};

    /* BBR's pacing follows the path; a rate limit does not, and meets no loss */
    if (!d->cwnd.paced || d->cwnd.family == CWND_BBR || f.share_pct < SHARE_SECOND_PCT ||
        d->loss_events > 0 || d->rounds_window_full > 0)
        return f;
    f.found = true;
    f.may_lead = f.share_pct >= SHARE_LEAD_PCT;
    f.confidence = case_confidence(c, 2 + (f.share_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    return f;
}

void cause_paced_sender_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct limit_span *worst = &d->worst[LIMIT_APP];

    verdict_set_headline(v, "the %s keeps to a rate of %s", case_actor_word(case_sender(c)),
                         phrase_rate((double)d->cwnd.pacing_bytes_per_s).text);
    verdict_append_text(
        v,
        "Its segments leave evenly, whatever is acknowledged: %s within 4 %% in every second. At "
        "most %s bytes were in flight where the receiver's window let %s; nothing was lost.",
        phrase_rate((double)d->cwnd.pacing_bytes_per_s).text,
        phrase_count(d->flight_max_bytes).text, phrase_count(case_window_bytes(c)).text);
    verdict_add_evidence(v, worst->to_frame, NS_UNKNOWN, FACT_EVEN_DEPARTURES,
                         "%s of even departures end here", phrase_span(worst->duration_ns).text);
    verdict_add_advice(v, case_sender(c), ADVICE_RATE_LIMIT, BYTES_UNKNOWN, -1, -1);
}
