/* Causes 25 and 63: slow start is most of a short transfer, and a transfer too short to judge. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define NS_PER_S 1e9
#define SEGMENTS_LEAST 50
#define ROUND_TRIPS_LEAST 5
#define SHARE_SECOND_PCT 25
#define SHARE_LEAD_PCT 50
#define SHARE_OVERWHELMING_PCT 80
#define SHORT_IN_BDPS 10
#define MODEL_TOLERANCE 0.25
#define SHARE_SHOWN_PCT 5

/* Percent of the time in the first slow start: what pauses and time-outs began anew has causes of
 * its own. */
static double first_share_pct(const struct case_file *c)
{
    const struct cwnd_facts *w = &c->data->cwnd;
    double anew_ns = (double)w->slow_start_ns[CWND_FALL_IDLE] + (double)w->slow_start_ns[CWND_FALL_TIMEOUT];

    if (!w->known || c->data->elapsed_ns <= 0)
        return c->share_pct[LIMIT_SLOW_START];
    return fmax(0, c->share_pct[LIMIT_SLOW_START] - 100 * anew_ns / (double)c->data->elapsed_ns);
}

/* Round trips of slow start that the growth from the first to the largest flight takes at growth
 * g; unknown when the flight is. */
static double model_rounds(const struct case_file *c, double growth)
{
    if (c->data->flight_max_bytes == BYTES_UNKNOWN)
        return BOUND_UNKNOWN;
    return bounds_slow_start_rounds((double)c->data->flight_max_bytes,
                                    (double)case_initial_window_bytes(c), growth);
}

/* Measured round trips of slow start; < 0 unknown. */
static double measured_rounds(const struct case_file *c)
{
    const double rtt_s = case_rtt_effective_s(c);

    if (rtt_s <= 0 || c->data->limit_ns[LIMIT_SLOW_START] < 0)
        return BOUND_UNKNOWN;
    return (double)c->data->limit_ns[LIMIT_SLOW_START] / NS_PER_S / rtt_s;
}

/* True when the time lies between growth by 2 and by 1.5 a round trip (an ACK a segment, an ACK
 * every second), give or take a quarter. */
static bool growth_agrees(const struct case_file *c)
{
    const double rounds = measured_rounds(c);
    const double fast = model_rounds(c, SLOW_START_GROWTH);
    const double slow = model_rounds(c, SLOW_START_GROWTH_DELAYED_ACK);

    return fast > 0 && slow > 0 && rounds >= (1 - MODEL_TOLERANCE) * fast &&
           rounds <= (1 + MODEL_TOLERANCE) * slow;
}

/* The bandwidth-delay product is peak rate x empty round trip; the largest flight is that rate x the
 * round trip of its time, so what stood in a queue is taken off by the ratio of the two. */
static bool is_short_for_path(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    double bdp = d->flight_max_bytes == BYTES_UNKNOWN ? 0 : (double)d->flight_max_bytes;

    /* Half of the data met a queue of half a round trip: the path was full, whatever the phase. */
    if (d->rtt.samples > 0 && (double)d->rtt.p50_ns > 1.5 * (double)d->rtt.min_ns)
        return false;
    if (d->rtt.samples > 0 && d->rtt.p95_ns > 0 && d->rtt.min_ns >= 0)
        bdp *= (double)d->rtt.min_ns / (double)d->rtt.p95_ns;
    return (double)d->bytes < SHORT_IN_BDPS * bdp;
}

struct finding cause_slow_start_short_find(const struct case_file *c)
{
    const double share_pct = first_share_pct(c);
    struct finding f = {.share_pct = share_pct};
    int signs;

    if (share_pct < SHARE_SECOND_PCT || c->data->loss_events > 0 || !is_short_for_path(c) ||
        !bound_is_known(measured_rounds(c)))
        return f;
    signs = (share_pct >= SHARE_OVERWHELMING_PCT) + growth_agrees(c) + case_both_syns_seen(c) +
            (c->data->initial_window_bytes > 0);
    f.found = true;
    f.may_lead = share_pct > SHARE_LEAD_PCT;
    /* Few round trips are what this cause is about, so they are no fault here. */
    f.confidence = case_confidence(c, signs, FAULT_ANY & ~(unsigned int)FAULT_FEW_ROUNDS);
    return f;
}

/* Time with another first flight: the round trips of growth that it saves. */
static struct forecast forecast_initial_window(const struct case_file *c, uint64_t initial_bytes)
{
    const double flight = (double)c->data->flight_max_bytes;
    const double elapsed_s = (double)c->data->elapsed_ns / NS_PER_S;
    const double saved_rounds =
        bounds_slow_start_rounds(flight, (double)case_initial_window_bytes(c), SLOW_START_GROWTH) -
        bounds_slow_start_rounds(flight, (double)initial_bytes, SLOW_START_GROWTH);
    const double seconds = elapsed_s - saved_rounds * case_rtt_min_s(c);

    if (!(saved_rounds > 0) || !(seconds > 0))
        return (struct forecast){BOUND_UNKNOWN, BOUND_UNKNOWN};
    return (struct forecast){(double)c->data->bytes / seconds, seconds};
}

/* Time on a connection whose window has grown already: all at the rate of the largest flight,
 * with the largest usual round trip, so that a queue at the end does not flatter it. */
static struct forecast forecast_grown(const struct case_file *c)
{
    const int64_t p95_ns = c->data->rtt.samples > 0 ? c->data->rtt.p95_ns : NS_UNKNOWN;
    const double rtt_s = p95_ns > 0 ? (double)p95_ns / NS_PER_S : case_rtt_effective_s(c);
    double rate = bounds_window_bytes_per_s((double)c->data->flight_max_bytes, rtt_s);
    const double link = case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);

    if (bound_is_known(link) && link < rate)
        rate = link;
    if (!(rate > case_goodput_bytes_per_s(c)))
        return (struct forecast){BOUND_UNKNOWN, BOUND_UNKNOWN};
    return (struct forecast){rate, (double)c->data->bytes / rate};
}

static void advise_slow_start(const struct case_file *c, struct verdict *v)
{
    const uint64_t ten_segments = bounds_initial_window_bytes(c->data->smss);
    struct forecast f = forecast_grown(c);

    verdict_add_advice(v, ACTOR_CLIENT, ADVICE_REUSE_CONNECTION, BYTES_UNKNOWN, f.bytes_per_s,
                       f.seconds);
    if (case_initial_window_bytes(c) >= ten_segments)
        return;
    f = forecast_initial_window(c, ten_segments);
    verdict_add_advice(v, case_sender(c), ADVICE_INITIAL_WINDOW, ten_segments, f.bytes_per_s,
                       f.seconds);
}

void cause_slow_start_short_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct limit_span *worst = &d->worst[LIMIT_SLOW_START];
    const uint64_t initial = case_initial_window_bytes(c);

    verdict_set_headline(v, "slow start: the transfer is over before the window has grown");
    verdict_append_text(
        v, "From %s bytes (%s)%s to %s in flight took %s, that is %s round trips of %s;",
        phrase_count(initial).text, phrase_window(initial, d->smss).text,
        d->initial_window_bytes > 0 ? "" : ", if it began as usual,",
        phrase_count(d->flight_max_bytes).text, phrase_span(d->limit_ns[LIMIT_SLOW_START]).text,
        phrase_decimal(measured_rounds(c)).text,
        phrase_seconds(case_rtt_effective_s(c)).text);
    verdict_append_text(v, " the whole took %s. All %s bytes are only %s times the largest flight.",
                        phrase_span(d->elapsed_ns).text, phrase_count(d->bytes).text,
                        phrase_decimal((double)d->bytes / (double)d->flight_max_bytes).text);
    verdict_add_evidence(v, d->first_data_frame, d->first_data_ns, FACT_FIRST_DATA,
                         "first data; %s bytes sent before the first acknowledgment",
                         d->initial_window_bytes > 0 ? phrase_count(initial).text : "unknown");
    verdict_add_evidence(v, worst->to_frame, NS_UNKNOWN, FACT_SLOW_START,
                         "slow start went on for %s, up to here",
                         phrase_span(worst->duration_ns).text);
    advise_slow_start(c, v);
}

static bool has_few_segments(const struct case_file *c)
{
    return c->data->bytes == 0 || case_full_segments(c) < SEGMENTS_LEAST;
}

/* An unknown round trip does not make a transfer short. */
static bool has_few_round_trips(const struct case_file *c)
{
    const double round_trips = case_round_trips(c);

    return bound_is_known(round_trips) && round_trips < ROUND_TRIPS_LEAST;
}

struct finding cause_too_short_find(const struct case_file *c)
{
    struct finding f = {.share_pct = -1};

    if (!case_has_flow(c) || (!has_few_segments(c) && !has_few_round_trips(c)))
        return f;
    f.found = true;
    /* That it is short is plain; only packets that are not there could make it longer. */
    f.confidence = case_confidence(c, 3, FAULT_HIDING);
    return f;
}

void cause_too_short_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const double rtt_s = case_rtt_min_s(c);
    char shares[VERDICT_TEXT_MAX / 2];

    verdict_set_headline(v, "too short to say: %s bytes%s%s", phrase_count(d->bytes).text,
                         d->elapsed_ns > 0 ? " in " : "",
                         d->elapsed_ns > 0 ? phrase_span(d->elapsed_ns).text : "");
    if (d->bytes == 0 || d->smss == 0)
        verdict_append_text(v, "There is no data to judge.");
    else if (has_few_segments(c))
        verdict_append_text(v, "%s full segment%s of %s bytes, fewer than %d.",
                            phrase_count(d->bytes / d->smss).text, d->bytes / d->smss == 1 ? "" : "s",
                            phrase_count(d->smss).text, SEGMENTS_LEAST);
    else
        verdict_append_text(v, "%.1f round trips are fewer than %d.",
                            floor(case_round_trips(c) * 10) / 10, ROUND_TRIPS_LEAST);
    if (rtt_s > 0)
        verdict_append_text(v, " Round trip %s.", phrase_seconds(rtt_s).text);
    phrase_shares(c->share_pct, SHARE_SHOWN_PCT, shares, sizeof shares);
    if (shares[0] != '\0' && c->share_pct[LIMIT_UNKNOWN] < SHARE_LEAD_PCT)
        verdict_append_text(v, " It waited for: %s.", shares);
    verdict_add_evidence(v, d->first_data_frame, d->first_data_ns, FACT_FIRST_DATA, "first data");
    verdict_add_evidence(v, d->last_data_frame, d->last_data_ns, FACT_LAST_DATA, "last data");
}
