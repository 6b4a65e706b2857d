/* The window while it is open: growth of the flight, and what each round trip shows. */
#include "analysis/replay/cwnd_steps.h"

#include <math.h>

/* Whether the flight at departures is exact. */
void cwnd_note_path(struct cwnd *c, const struct departure *d, const struct replay_path *path)
{
    c->exact =
        d->has_echo || (path->min_rtt_ns != NS_UNKNOWN && path->near_ns * 20 <= path->min_rtt_ns);
    c->min_rtt_ns = path->min_rtt_ns;
}

void cwnd_start(struct cwnd *c, uint64_t una, int64_t now_ns)
{
    c->modelled_una = c->burst_left = c->slow_una = una;
    c->burst_ns = now_ns;
    c->since_ns = c->min_rtt_ns = c->round_ns = NS_UNKNOWN;
    c->limited = c->was_exact = true;
    pacing_start(&c->pacing);
    for (int law = 0; law < CWND_LAWS; law++)
        c->model[law].epoch_ns = NS_UNKNOWN;
}

/* A growth of the flight: in slow start it is all of what was acknowledged since the last one that
 * was, in avoidance a small part of it, with CUBIC half at most. */
static void note_slow_start(struct cwnd *c, uint64_t una, uint64_t flight, double segment)
{
    uint64_t acked = una - c->slow_una,
             grown = flight > c->slow_flight ? flight - c->slow_flight : 0;

    if (grown * 4 < acked * 3)
        return;
    c->slow_una = una;
    c->slow_top = c->slow_flight = flight;
    double ssthresh = c->model[LAW_RENO].ssthresh * segment;
    if (c->peak_bytes == 0 && ssthresh > 0 && (double)flight > ssthresh * 5 / 4)
        for (int law = 0; law < CWND_LAWS; law++)
            c->model[law].ssthresh = 0; /* it goes on after all */
}

/* Slow start ended without a loss (HyStart, a remembered ssthresh) where less than a quarter of
 * what was acknowledged was added: the bound of the replay's rounds. */
static void note_slow_start_end(struct replay *r, uint64_t acked, uint64_t grown)
{
    struct cwnd *c = &r->cwnd;

    if (c->model[LAW_RENO].ssthresh > 0 || !c->exact || !c->limited || r->rounds < 2 ||
        grown * 4 >= acked)
        return;
    bool seen = c->slow_top * 4 >= c->proven_bytes * 3;
    for (int law = 0; law < CWND_LAWS; law++)
        c->model[law].ssthresh =
            floor((double)(seen ? c->slow_top : c->proven_bytes) / cwnd_smss(r));
}

/* The same when a round trip is over: judged by all of it. */
static void slow_start_in_round(struct replay *r, const struct round *round)
{
    struct cwnd *c = &r->cwnd;
    uint64_t acked = r->una - round->una_start;

    if (!c->limited || round->window_full) {
        c->slow_una = r->una;
        c->slow_flight = c->proven_bytes;
    } else if (acked * 2 >= c->proven_bytes && c->proven_bytes >= c->previous_top &&
               !r->last_was_partial) { /* else the data may have ended */
        note_slow_start_end(r, acked, c->proven_bytes - c->previous_top);
    }
}

/* And at a fall: by what was acknowledged since the flight grew as in slow start. */
void cwnd_slow_start_at_fall(struct replay *r)
{
    struct cwnd *c = &r->cwnd;
    uint64_t acked = r->una - c->slow_una;

    if (acked * 8 >= c->proven_bytes && acked >= 8 * (uint64_t)r->smss &&
        c->proven_bytes >= c->slow_flight)
        note_slow_start_end(r, acked, c->proven_bytes - c->slow_flight);
}

void cwnd_grew(struct replay *r, const struct departure *d, const struct replay_path *path,
               uint64_t flight)
{
    struct cwnd *c = &r->cwnd;

    cwnd_note_path(c, d, path);
    note_slow_start(c, r->una, flight, cwnd_smss(r));
    c->gate_bytes = c->proven_bytes = flight;
    for (int law = 0; law < CWND_LAWS; law++)
        c->model[law].window = fmax(c->model[law].window, (double)flight / cwnd_smss(r));
    cwnd_set_open(r);
}

/* Let the models take in what was acknowledged since the last time. */
void cwnd_grow_models(struct replay *r, double most_segments)
{
    struct cwnd *c = &r->cwnd;
    double acked = r->una > c->modelled_una ? (double)(r->una - c->modelled_una) / cwnd_smss(r) : 0;
    int64_t rtt_ns = c->min_rtt_ns != NS_UNKNOWN ? c->min_rtt_ns : 0;

    c->modelled_una = r->una;
    for (int law = 0; law < CWND_LAWS; law++) {
        struct cwnd_model *m = &c->model[law];
        if (m->window >= most_segments)
            continue;
        cwnd_model_grow(m, (enum cwnd_law)law, acked, r->now_ns, rtt_ns);
        m->window = fmin(m->window, most_segments);
    }
}

/* Where a fall ended, in segments: the flight as the first acknowledgment after recovery came; when
 * the sender had not yet made use of its window then, that of the round. */
static double valley_seen(const struct replay *r, double peak)
{
    const struct cwnd *c = &r->cwnd;
    double first = round((double)c->valley_bytes / cwnd_smss(r));

    for (int law = 0; law < CWND_LAWS; law++)
        if (fabs(first - cwnd_model_ssthresh((enum cwnd_law)law, peak)) <= 1)
            return first;
    return round((double)c->proven_bytes / cwnd_smss(r));
}

/* The first round after recovery is over: it has shown how far the window fell. */
void cwnd_settle_fall(struct replay *r, bool complete)
{
    struct cwnd *c = &r->cwnd;
    double segment = cwnd_smss(r), peak = floor((double)c->peak_bytes / segment);
    bool clean = complete && c->exact && c->limited && c->fall_clean &&
                 (c->valley_bytes > 0 || c->proven_bytes > 0);
    double valley = clean ? valley_seen(r, peak) : 0;

    c->settling = false;
    if (c->sawtooth.falls > c->sawtooth.valleys)
        sawtooth_settle(&c->sawtooth, peak, valley, segment, clean);
    for (int law = 0; clean && law < CWND_LAWS; law++)
        if (fabs(valley - c->model[law].ssthresh) > 1)
            c->model[law].ssthresh = valley;
}

void cwnd_end_growth(struct cwnd *c)
{
    c->growth_start_ns = NS_UNKNOWN;
    c->growth_rounds = 0;
}

/* A stretch of avoidance in which the window was the limit: the longest is kept. */
static void note_growth(struct replay *r, const struct round *round)
{
    struct cwnd *c = &r->cwnd;

    if (!c->limited || r->slow_start) {
        cwnd_end_growth(c);
        return;
    }
    if (c->growth_rounds == 0) {
        c->growth_start_ns = round->start_ns;
        c->growth_from = (uint64_t)c->estimate;
        c->growth_from_frame = round->first_frame;
    } else {
        sawtooth_round(&c->sawtooth, (c->estimate - (double)c->previous_top) / cwnd_smss(r),
                       round->end_ns - round->start_ns);
    }
    c->growth_rounds++;
    int64_t ns = round->end_ns - c->growth_start_ns;
    if (ns <= c->growth.ns)
        return;
    c->growth.ns = ns;
    c->growth.from = c->growth_from;
    c->growth.to = (uint64_t)c->estimate;
    c->growth.rounds = c->growth_rounds;
    c->growth.from_frame = c->growth_from_frame;
    c->growth.to_frame = round->last_frame;
}

/* Whether, of what may hold a sender back, the window did most in a round.  What is pending at its
 * end is not counted, nor what repairs took. */
static bool round_limited(const struct round *round)
{
    static const enum limit others[] = {LIMIT_APP,   LIMIT_RWND, LIMIT_ZERO_WINDOW,
                                        LIMIT_NAGLE, LIMIT_TURN, LIMIT_THINK};
    int64_t held = round->held_ns;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        held -= round->limit_ns[others[i]];
    return round->departures > 0 && held >= 0;
}

void cwnd_round(struct replay *r, const struct round *round)
{
    struct cwnd *c = &r->cwnd;

    c->round_ns = round->end_ns - round->start_ns;
    pacing_round(&c->pacing, round, r->smss);
    if (c->fell) {
        int64_t *spent = round->slow_start ? c->slow_start_ns : c->avoidance_ns;
        spent[c->last_fall] += round->held_ns;
    }
    c->window_full = round->window_full;
    if (c->phase != CWND_PHASE_OPEN)
        return;
    if (r->rounds > 0) /* the first round ends with the first acknowledgment */
        c->limited = round_limited(round);
    /* a first flight that was held back, before which the window had no reason to grow */
    if (c->limited && c->initial_bytes == 0 && r->rounds > 0 && c->burst_full)
        c->initial_bytes = c->before_burst * 2 <= c->burst_bytes ? c->burst_bytes : BYTES_UNKNOWN;
    slow_start_in_round(r, round);
    if (c->limited)
        cwnd_grow_models(r, INFINITY);
    else /* validated to twice the flight, in avoidance to the flight (RFC 7661, Linux) */
        cwnd_grow_models(
            r, (double)round->flight_max_bytes * (r->slow_start ? 2 : 1) / cwnd_smss(r) + 1);
    if (c->exact && c->limited)
        for (int law = 0; law < CWND_LAWS; law++)
            c->model[law].window = (double)c->proven_bytes / cwnd_smss(r);
    if (c->settling)
        cwnd_settle_fall(r, true);
    if (c->exact && pacing_probes(&c->pacing)) /* the window is not what holds it back */
        cwnd_set(r, 0, (double)round->flight_max_bytes, (double)c->proven_bytes + cwnd_smss(r));
    else
        cwnd_set_open(r);
    note_growth(r, round);
    c->previous_top = (uint64_t)c->estimate;
}
