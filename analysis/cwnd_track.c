#include "analysis/cwnd_track.h"

#include <math.h>

#include "analysis/cwnd_rows.h"

/* Duplicate acknowledgments, or SACKed segments, that start fast recovery (RFC 5681, RFC 6675); for
 * each but the last one more segment was let go (RFC 3042) that is no part of the window. */
#define DUP_THRESHOLD 3
/* A queue at the fall: the round trip is this much above its minimum, in percent (anchors: the
 * usual bound between an empty and a loaded path). */
#define RTT_GREW_PCT 120
/* Width of the interval around a prediction: before any was checked, and at least. */
#define WIDTH_AT_FIRST 0.15
#define WIDTH_LEAST 0.05

static double smss_of(const struct replay *r)
{
    return r->smss > 0 ? (double)r->smss : 1.0;
}

/* The law that has been right so far. */
static enum cwnd_law law_of(const struct cwnd *c)
{
    const uint32_t *votes = c->sawtooth.votes;

    if (votes[LAW_RENO] != votes[LAW_CUBIC])
        return votes[LAW_RENO] > votes[LAW_CUBIC] ? LAW_RENO : LAW_CUBIC;
    return c->predictions > 0 && c->misses[LAW_RENO] < c->misses[LAW_CUBIC] ? LAW_RENO : LAW_CUBIC;
}

static enum cwnd_state state_of(const struct replay *r)
{
    const struct cwnd *c = &r->cwnd;

    switch (c->phase) {
    case CWND_PHASE_RECOVERY:
        return CWND_RECOVERY;
    case CWND_PHASE_LOSS:
        return CWND_LOSS;
    case CWND_PHASE_IDLE:
        return CWND_IDLE_RESTART;
    case CWND_PHASE_OPEN:
        break;
    }
    if (!c->limited)
        return CWND_APP_LIMITED;
    return r->slow_start ? CWND_SLOW_START : CWND_AVOIDANCE;
}

static uint64_t ssthresh_bytes(const struct replay *r)
{
    double ssthresh = r->cwnd.model[law_of(&r->cwnd)].ssthresh;

    return ssthresh > 0 ? (uint64_t)(ssthresh * smss_of(r)) : BYTES_UNKNOWN;
}

/* The estimate has held up to now. */
static void settle_time(struct replay *r)
{
    struct cwnd *c = &r->cwnd;

    if (c->since_ns != NS_UNKNOWN && r->now_ns > c->since_ns && c->estimate > 0) {
        double span = (double)(r->now_ns - c->since_ns);
        c->time_sum += span;
        c->estimate_sum += span * c->estimate;
        c->error_sum += span * fmax(c->high - c->estimate, c->estimate - c->low);
    }
    c->since_ns = r->now_ns;
}

/* The window has these bounds since at_ns, which is now or shortly before. */
static void set_estimate_at(struct replay *r, int64_t at_ns, double low, double estimate,
                            double high)
{
    struct cwnd *c = &r->cwnd;

    settle_time(r);
    c->low = fmax(0, fmin(low, estimate));
    c->estimate = estimate;
    c->high = fmax(high, estimate);
    if (c->most == 0 || estimate < c->least)
        c->least = estimate;
    c->most = fmax(c->most, estimate);
    c->was_exact &= c->exact;
    if (c->rows == NULL)
        return;
    struct cwnd_row row = {
        .t_ns = at_ns,
        .low_bytes = (uint64_t)c->low,
        .estimate_bytes = (uint64_t)c->estimate,
        .high_bytes = (uint64_t)c->high,
        .ssthresh_bytes = ssthresh_bytes(r),
        .state = state_of(r),
    };
    cwnd_rows_add(c->rows, &row, smss_of(r));
}

static void set_estimate(struct replay *r, double low, double estimate, double high)
{
    set_estimate_at(r, r->now_ns, low, estimate, high);
}

/* The larger and the smaller window of the two laws, bytes. */
static double model_most(const struct replay *r)
{
    const struct cwnd_model *m = r->cwnd.model;

    return fmax(m[LAW_RENO].window, m[LAW_CUBIC].window) * smss_of(r);
}

static double model_least(const struct replay *r)
{
    const struct cwnd_model *m = r->cwnd.model;

    return fmin(m[LAW_RENO].window, m[LAW_CUBIC].window) * smss_of(r);
}

/* What is said while the window is open: by the flight, or by the models.  A window grows as an
 * acknowledgment comes, the data that shows it may leave later: the last one's time is that. */
static void estimate_open(struct replay *r)
{
    int64_t at_ns = r->covered_ns;

    struct cwnd *c = &r->cwnd;
    double proven = (double)c->proven_bytes, segment = smss_of(r);

    if (c->exact) {
        /* which acknowledgment a departure answers is known to the segment, when it came to a tick */
        double high = proven + segment, low = fmin(proven, c->estimate) - segment;
        set_estimate_at(r, at_ns, fmax(low, 0), proven, c->limited ? high : fmax(high, model_most(r) + segment));
        return;
    }
    double width = WIDTH_AT_FIRST;
    enum cwnd_law law = law_of(c);
    if (c->predictions >= 3)
        width = fmax(WIDTH_LEAST, 2 * c->misses[law] / c->predictions);
    double estimate = fmax(proven, c->model[law].window * segment);
    if (c->window_full) /* the receiver's window held it: no more than that was needed */
        estimate = proven;
    double low = model_least(r) * (1 - width), high = model_most(r) * (1 + width);
    if (c->predictions >= 3) {
        low = estimate * (1 - width);
        high = estimate * (1 + width);
    }
    if (c->model[law].ssthresh <= 0) /* slow start may have ended unseen */
        low = proven;
    /* windows are whole segments, and which acknowledgment comes next is known to one */
    set_estimate_at(r, at_ns, fmax(low, proven) - segment, estimate, fmax(high, estimate) + segment);
}

/* Whether the flight at departures is exact. */
static void note_path(struct cwnd *c, const struct departure *d, const struct replay_path *path)
{
    c->exact = d->has_echo || (path->min_rtt_ns != NS_UNKNOWN && path->near_ns * 20 <= path->min_rtt_ns);
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
    uint64_t acked = una - c->slow_una, grown = flight > c->slow_flight ? flight - c->slow_flight : 0;

    if (grown * 4 < acked * 3)
        return;
    c->slow_una = una;
    c->slow_top = c->slow_flight = flight;
    double ssthresh = c->model[LAW_RENO].ssthresh * segment;
    if (c->peak_bytes == 0 && ssthresh > 0 && (double)flight > ssthresh * 5 / 4)
        for (int law = 0; law < CWND_LAWS; law++)
            c->model[law].ssthresh = 0; /* it goes on after all */
}

/* Slow start ended without a loss (HyStart, a remembered ssthresh) where less than a quarter of what
 * was acknowledged was added: the bound of the replay's rounds. */
static void note_slow_start_end(struct replay *r, uint64_t acked, uint64_t grown)
{
    struct cwnd *c = &r->cwnd;

    if (c->model[LAW_RENO].ssthresh > 0 || !c->exact || !c->limited || r->rounds < 2 ||
        grown * 4 >= acked)
        return;
    bool seen = c->slow_top * 4 >= c->proven_bytes * 3;
    for (int law = 0; law < CWND_LAWS; law++)
        c->model[law].ssthresh = floor((double)(seen ? c->slow_top : c->proven_bytes) / smss_of(r));
}

/* The same when a round trip is over: judged by all of it. */
static void slow_start_in_round(struct replay *r, const struct round *round)
{
    struct cwnd *c = &r->cwnd;
    uint64_t acked = r->una - round->una_start;

    if (!c->limited) {
        c->slow_una = r->una;
        c->slow_flight = c->proven_bytes;
    } else if (acked * 2 >= c->proven_bytes && c->proven_bytes >= c->previous_top) {
        note_slow_start_end(r, acked, c->proven_bytes - c->previous_top);
    }
}

/* And at a fall: by what was acknowledged since the flight grew as in slow start. */
static void slow_start_at_fall(struct replay *r)
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

    note_path(c, d, path);
    note_slow_start(c, r->una, flight, smss_of(r));
    c->gate_bytes = c->proven_bytes = flight;
    for (int law = 0; law < CWND_LAWS; law++)
        c->model[law].window = fmax(c->model[law].window, (double)flight / smss_of(r));
    estimate_open(r);
}

/* Let the models take in what was acknowledged since the last time. */
static void grow_models(struct replay *r, double most_segments)
{
    struct cwnd *c = &r->cwnd;
    double acked = r->una > c->modelled_una ? (double)(r->una - c->modelled_una) / smss_of(r) : 0;
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
    double first = round((double)c->valley_bytes / smss_of(r));

    for (int law = 0; law < CWND_LAWS; law++)
        if (fabs(first - cwnd_model_ssthresh((enum cwnd_law)law, peak)) <= 1)
            return first;
    return round((double)c->proven_bytes / smss_of(r));
}

/* The first round after recovery is over: it has shown how far the window fell. */
static void settle_fall(struct replay *r, bool complete)
{
    struct cwnd *c = &r->cwnd;
    double segment = smss_of(r), peak = floor((double)c->peak_bytes / segment);
    bool clean = complete && c->exact && c->limited && c->fall_clean;
    double valley = clean ? valley_seen(r, peak) : 0;

    c->settling = false;
    if (c->sawtooth.falls > c->sawtooth.valleys)
        sawtooth_settle(&c->sawtooth, peak, valley, segment, clean);
    for (int law = 0; clean && law < CWND_LAWS; law++)
        if (fabs(valley - c->model[law].ssthresh) > 1)
            c->model[law].ssthresh = valley;
}

static void end_growth(struct cwnd *c)
{
    c->growth_start_ns = NS_UNKNOWN;
    c->growth_rounds = 0;
}

/* A stretch of avoidance in which the window was the limit: the longest is kept. */
static void note_growth(struct replay *r, const struct round *round)
{
    struct cwnd *c = &r->cwnd;

    if (!c->limited || r->slow_start) {
        end_growth(c);
        return;
    }
    if (c->growth_rounds == 0) {
        c->growth_start_ns = round->start_ns;
        c->growth_from = (uint64_t)c->estimate;
        c->growth_from_frame = round->first_frame;
    } else {
        sawtooth_round(&c->sawtooth, (c->estimate - (double)c->previous_top) / smss_of(r),
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
    static const enum limit others[] = {LIMIT_APP, LIMIT_RWND, LIMIT_ZERO_WINDOW, LIMIT_NAGLE,
                                        LIMIT_TURN, LIMIT_THINK};
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
        c->slow_start_ns[c->last_fall] += round->limit_ns[LIMIT_SLOW_START];
        c->avoidance_ns[c->last_fall] += round->limit_ns[LIMIT_CWND];
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
        grow_models(r, INFINITY);
    else /* not validated beyond twice the flight, in avoidance beyond the flight (RFC 7661, Linux) */
        grow_models(r, (double)round->flight_max_bytes * (r->slow_start ? 2 : 1) / smss_of(r) + 1);
    if (c->exact && c->limited)
        for (int law = 0; law < CWND_LAWS; law++)
            c->model[law].window = (double)c->proven_bytes / smss_of(r);
    if (c->settling)
        settle_fall(r, true);
    if (c->exact && pacing_probes(&c->pacing)) /* the window is not what holds it back */
        set_estimate(r, 0, (double)round->flight_max_bytes, (double)c->proven_bytes + smss_of(r));
    else
        estimate_open(r);
    note_growth(r, round);
    c->previous_top = (uint64_t)c->estimate;
}

static bool rtt_has_grown(const struct replay *r)
{
    const struct round *last = &r->closed[(r->rounds - 1) % ROUNDS_KEPT];
    int64_t rtt_ns = r->round.rtt_max_ns;

    if (r->rounds > 0 && last->rtt_max_ns > rtt_ns)
        rtt_ns = last->rtt_max_ns;
    return rtt_ns != NS_UNKNOWN && r->cwnd.min_rtt_ns > 0 &&
           rtt_ns / RTT_GREW_PCT * 100 >= r->cwnd.min_rtt_ns;
}

/* Recovery is over, but what was lost after it began has been sent again and is not acknowledged:
 * the next recovery begins at once (RFC 6675 section 5). */
static void fall_again(struct replay *r)
{
    struct cwnd *c = &r->cwnd;
    double peak = c->model[law_of(c)].ssthresh;

    settle_fall(r, false);
    c->decreases[CWND_FALL_LOSS]++;
    sawtooth_fall(&c->sawtooth, r->now_ns, r->nxt, rtt_has_grown(r));
    c->peak_bytes = (uint64_t)(peak * smss_of(r));
    c->fall_clean = false;
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_fall(&c->model[law], (enum cwnd_law)law, peak);
    c->until = r->recover = r->nxt;
    set_estimate(r, smss_of(r), c->model[law_of(c)].ssthresh * smss_of(r), (double)c->peak_bytes);
}

/* The phase after a fall is over: the window stands at ssthresh, growth goes on. */
static void reopen(struct replay *r)
{
    struct cwnd *c = &r->cwnd;
    bool recovered = c->phase == CWND_PHASE_RECOVERY;

    if (recovered && c->resent_right > r->una) {
        fall_again(r);
        return;
    }
    c->phase = CWND_PHASE_OPEN;
    c->gate_bytes = c->proven_bytes = 0;
    c->settling = recovered;
    c->valley_bytes = 0;
    c->modelled_una = r->una;
    c->limited = true;
    end_growth(c);
    if (!recovered)
        return;
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_set(&c->model[law], c->model[law].ssthresh);
    set_estimate(r, model_least(r), c->model[law_of(c)].window * smss_of(r), (double)c->peak_bytes);
}

static void note_decrease(struct cwnd *c, enum cwnd_decrease reason)
{
    c->fell = true;
    c->last_fall = reason;
}

static void note_idle_fall(struct cwnd *c)
{
    c->decreases[CWND_FALL_IDLE]++;
    note_decrease(c, CWND_FALL_IDLE);
    c->idle_from = c->peak_bytes;
    c->idle_to = c->proven_bytes;
}

/* The first acknowledgment after an idle period: did the sender hold back what it had? */
static void judge_idle(struct replay *r)
{
    struct cwnd *c = &r->cwnd;
    double segment = smss_of(r);

    c->phase = CWND_PHASE_OPEN;
    c->modelled_una = r->una;
    c->limited = true;
    if (c->proven_bytes + r->smss >= c->peak_bytes) /* as much as before */
        c->gate_bytes = c->proven_bytes = c->peak_bytes > c->proven_bytes ? c->peak_bytes : c->proven_bytes;
    else if (r->last_was_partial) /* there was no more to send: what a restart leaves, or more */
        c->gate_bytes = c->proven_bytes = c->restart_bytes > c->proven_bytes ? c->restart_bytes : c->proven_bytes;
    else
        note_idle_fall(c);
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_set(&c->model[law], fmax(c->estimate, (double)c->proven_bytes) / segment);
}

void cwnd_first_ack(struct replay *r)
{
    struct cwnd *c = &r->cwnd;

    c->burst_bytes = r->nxt > c->burst_left ? r->nxt - c->burst_left : 0;
    c->burst_full = !r->last_was_partial && c->burst_bytes > 0;
    /* nothing lets a window grow while nothing is acknowledged: it was that large all the time */
    if (c->phase == CWND_PHASE_OPEN && c->proven_bytes == c->burst_bytes && c->rows != NULL)
        cwnd_rows_raise(c->rows, c->burst_ns, (double)c->burst_bytes, smss_of(r));
}

void cwnd_drained(struct replay *r)
{
    struct cwnd *c = &r->cwnd;

    c->burst_left = r->una;
    c->burst_ns = r->now_ns;
    c->before_burst = c->proven_bytes;
}

void cwnd_acked(struct replay *r, uint64_t acked)
{
    struct cwnd *c = &r->cwnd;

    switch (c->phase) {
    case CWND_PHASE_OPEN: /* settling */
        if (c->valley_bytes == 0)
            c->valley_bytes = c->proven_bytes;
        return;
    case CWND_PHASE_IDLE:
        judge_idle(r);
        return;
    case CWND_PHASE_LOSS:
        for (int law = 0; law < CWND_LAWS; law++)
            cwnd_model_grow(&c->model[law], (enum cwnd_law)law, (double)acked / smss_of(r),
                            r->now_ns, 0);
        set_estimate(r, model_least(r), c->model[law_of(c)].window * smss_of(r), model_most(r));
        break;
    case CWND_PHASE_RECOVERY:
        break;
    }
    if (r->una >= c->until)
        reopen(r);
}

/* What was in flight as the sender took to recovery. */
static uint64_t flight_at_fall(const struct replay *r, enum cwnd_decrease reason,
                               const struct departure *d)
{
    const struct cwnd *c = &r->cwnd;
    uint64_t flight = r->nxt - r->una > c->sacked_bytes ? r->nxt - r->una - c->sacked_bytes : 0;

    if (c->exact && c->settling && c->valley_bytes == 0) /* none of the new window was seen yet */
        return flight > (uint64_t)c->estimate ? flight : (uint64_t)c->estimate;
    if (c->exact)
        return c->proven_bytes;
    if (reason != CWND_FALL_LOSS)
        return (uint64_t)c->estimate;
    /* all data seen before the resend had left before it, what it acknowledges had been */
    uint64_t out = r->nxt > d->left ? r->nxt - d->left : 0;
    uint64_t beyond = (uint64_t)(DUP_THRESHOLD - 1) * r->smss;
    return out > 2 * beyond ? out - beyond : out;
}

/* Compare the models with what the resend told, and correct the course since the last fall. */
static void check_models(struct replay *r, uint64_t peak)
{
    struct cwnd *c = &r->cwnd;

    grow_models(r, INFINITY);
    if (c->model[LAW_RENO].ssthresh <= 0 && peak > 0) {
        double most = (double)peak + smss_of(r);
        if (c->model[LAW_RENO].window * smss_of(r) > most * (1 + WIDTH_AT_FIRST)) /* it had ended */
            for (int law = 0; law < CWND_LAWS; law++)
                c->model[law].ssthresh = (double)peak / smss_of(r);
        if (c->rows != NULL)
            cwnd_rows_cut(c->rows, most);
    } else if (peak > 0) {
        for (int law = 0; law < CWND_LAWS; law++)
            c->misses[law] += fabs(c->model[law].window * smss_of(r) / (double)peak - 1);
        c->predictions++;
        if (c->limited)
            sawtooth_predicted(&c->sawtooth, c->model[LAW_RENO].window, c->model[LAW_CUBIC].window,
                               (double)peak / smss_of(r));
    }
}

/* A fall from the open window: peak, ssthresh, and its place in the sawtooth. */
static void fall_from(struct replay *r, enum cwnd_decrease reason, const struct departure *d)
{
    struct cwnd *c = &r->cwnd;
    uint64_t flight = r->nxt - r->una - c->sacked_bytes;
    bool seen = !c->settling || c->valley_bytes > 0;
    uint64_t peak = flight_at_fall(r, reason, d);

    if (c->settling)
        settle_fall(r, false);
    if (!c->exact)
        check_models(r, peak);
    c->peak_bytes = peak;
    c->fall_clean = seen && reason != CWND_FALL_TIMEOUT && c->limited && flight + 2 * r->smss >= peak;
    slow_start_at_fall(r);
    if (c->model[LAW_RENO].ssthresh > 0) /* the fall that ends the first slow start is none of it */
        sawtooth_fall(&c->sawtooth, r->now_ns, r->nxt, rtt_has_grown(r));
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_fall(&c->model[law], (enum cwnd_law)law, floor((double)peak / smss_of(r)));
    end_growth(c);
}

void cwnd_fall(struct replay *r, enum cwnd_decrease reason, const struct departure *d,
               const struct replay_path *path)
{
    struct cwnd *c = &r->cwnd;
    bool again = c->phase == CWND_PHASE_LOSS && reason == CWND_FALL_TIMEOUT;

    note_path(c, d, path);
    if (c->estimate <= 0)
        return;
    c->decreases[reason] += !again;
    note_decrease(c, reason);
    pacing_fall(&c->pacing);
    if (c->phase == CWND_PHASE_OPEN || c->phase == CWND_PHASE_IDLE)
        fall_from(r, reason, d);
    c->gate_bytes = UINT64_MAX;
    c->settling = false;
    c->until = r->nxt;
    if (reason == CWND_FALL_TIMEOUT) {
        c->timeout_frame = d->frame;
        c->timeout_at_ns = d->tap_ns;
        c->timeout_turns += !again && (c->timeout_turns == 0 || r->limit_ns[LIMIT_TURN] > c->turn_ns);
        c->turn_ns = r->limit_ns[LIMIT_TURN];
        c->phase = CWND_PHASE_LOSS;
        for (int law = 0; law < CWND_LAWS; law++)
            cwnd_model_set(&c->model[law], 1);
        set_estimate(r, smss_of(r), smss_of(r), smss_of(r));
    } else {
        c->phase = CWND_PHASE_RECOVERY;
        double to = cwnd_model_ssthresh(law_of(c), floor((double)c->peak_bytes / smss_of(r)));
        set_estimate(r, smss_of(r), to * smss_of(r), (double)c->peak_bytes);
    }
}

void cwnd_resent(struct replay *r, const struct departure *d)
{
    struct cwnd *c = &r->cwnd;

    if (c->phase == CWND_PHASE_RECOVERY && d->left >= c->until && d->right > c->resent_right)
        c->resent_right = d->right;
}

void cwnd_gap(struct replay *r, uint64_t left)
{
    struct cwnd *c = &r->cwnd;

    /* lost just where the data seen before the first resend ended: from then on the sender was
     * slow, so it had left before that, and was in flight */
    if (c->phase != CWND_PHASE_RECOVERY || r->nxt != c->until || r->recover != c->until)
        return;
    c->peak_bytes += left - r->nxt;
    c->until = r->recover = left;
    for (int law = 0; law < CWND_LAWS; law++)
        c->model[law].ssthresh = cwnd_model_ssthresh((enum cwnd_law)law,
                                                     floor((double)c->peak_bytes / smss_of(r)));
}

void cwnd_undo(struct replay *r)
{
    struct cwnd *c = &r->cwnd;

    if (c->peak_bytes == 0)
        return;
    c->undone++;
    c->phase = CWND_PHASE_OPEN;
    c->settling = false;
    c->gate_bytes = c->proven_bytes = c->peak_bytes;
    c->modelled_una = r->una;
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_set(&c->model[law], (double)c->peak_bytes / smss_of(r));
    set_estimate(r, (double)(r->nxt - r->una), (double)c->peak_bytes, (double)c->peak_bytes + smss_of(r));
}

void cwnd_idle(struct replay *r, const struct departure *d, const struct replay_path *path)
{
    struct cwnd *c = &r->cwnd;
    double prior = c->estimate, window = prior;
    double least = c->initial_bytes - 1 < BYTES_UNKNOWN - 1 ? (double)c->initial_bytes
                                                            : 10 * smss_of(r); /* RFC 6928 */

    if (prior <= 0 || c->phase != CWND_PHASE_OPEN)
        return;
    note_path(c, d, path);
    /* Linux: half for each time-out of idle time, not below the initial window (RFC 5681: that) */
    for (int64_t idle_ns = d->sent_ns - r->last_departure_ns; idle_ns > path->rto_ns && window > least;
         idle_ns -= path->rto_ns)
        window /= 2;
    window = fmin(prior, fmax(window, least));
    c->idle_frame = d->frame;
    c->idle_at_ns = d->tap_ns;
    if (window >= prior)
        return;
    c->phase = CWND_PHASE_IDLE;
    c->burst_ns = r->now_ns;
    c->peak_bytes = (uint64_t)prior;
    c->restart_bytes = (uint64_t)window;
    c->gate_bytes = c->proven_bytes = 0;
    end_growth(c);
    set_estimate(r, fmin(window, least), window, prior);
}

void cwnd_finish(struct replay *r)
{
    if (r->cwnd.settling)
        settle_fall(r, false);
    if (r->cwnd.estimate > 0)
        settle_time(r);
}

void cwnd_fill(const struct replay *r, struct cwnd_facts *facts)
{
    const struct cwnd *c = &r->cwnd;

    if (c->most <= 0 || c->time_sum <= 0)
        return;
    *facts = cwnd_facts_none();
    facts->known = true;
    facts->exact = c->was_exact;
    if (c->initial_bytes > 0)
        facts->initial_bytes = c->initial_bytes; /* or BYTES_UNKNOWN */
    facts->min_bytes = (uint64_t)c->least;
    facts->mean_bytes = (uint64_t)(c->estimate_sum / c->time_sum);
    facts->max_bytes = (uint64_t)c->most;
    facts->last_bytes = (uint64_t)c->estimate;
    facts->ssthresh_bytes = ssthresh_bytes(r);
    facts->error_bytes = (uint64_t)(c->error_sum / c->time_sum);
    for (int i = 0; i < CWND_FALLS; i++)
        facts->decreases[i] = c->decreases[i];
    facts->undone = c->undone;
    bool law_seen = c->predictions > 0 || c->sawtooth.votes[LAW_RENO] != c->sawtooth.votes[LAW_CUBIC];
    sawtooth_facts(&c->sawtooth, law_seen ? law_of(c) : CWND_LAWS, smss_of(r), &facts->oscillation);
    facts->family = sawtooth_family(&c->sawtooth);
    facts->family_confidence = CONFIDENCE_MEDIUM;
    if (facts->family == CWND_RENO || facts->family == CWND_CUBIC)
        facts->family_confidence = sawtooth_confidence(&c->sawtooth);
    pacing_facts(&c->pacing, facts);
    if (facts->family == CWND_BBR)
        facts->ssthresh_bytes = BYTES_UNKNOWN; /* no loss or round sets one */
    facts->growth_ns = c->growth.ns;
    facts->growth_from_bytes = c->growth.from;
    facts->growth_to_bytes = c->growth.to;
    facts->growth_rounds = c->growth.rounds;
    facts->growth_from_frame = c->growth.from_frame;
    facts->growth_to_frame = c->growth.to_frame;
    for (int i = 0; i < CWND_FALLS; i++) {
        facts->slow_start_ns[i] = c->slow_start_ns[i];
        facts->avoidance_ns[i] = c->avoidance_ns[i];
    }
    facts->timeout_turns = c->timeout_turns;
    facts->idle_from_bytes = c->idle_from;
    facts->idle_to_bytes = c->idle_to;
    facts->idle_frame = c->idle_frame;
    facts->idle_at_ns = c->idle_at_ns;
    facts->timeout_at_ns = c->timeout_at_ns;
    facts->timeout_frame = c->timeout_frame;
}
