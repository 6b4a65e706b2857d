/* Falls of the window and what follows: recovery, slow start after a time-out, idle periods. */
#include "analysis/replay/cwnd_steps.h"

#include <math.h>

#include "analysis/replay/cwnd_rows.h"

/* Duplicate acknowledgments, or SACKed segments, that start fast recovery (RFC 5681, RFC 6675); for
 * each but the last one more segment was let go (RFC 3042) that is no part of the window. */
#define DUP_THRESHOLD 3
/* A queue at the fall: the round trip is this much above its minimum, in percent (anchors: the
 * usual bound between an empty and a loaded path). */
#define RTT_GREW_PCT 120

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
    double peak = c->model[cwnd_law_of(c)].ssthresh;

    cwnd_settle_fall(r, false);
    c->decreases[CWND_FALL_LOSS]++;
    sawtooth_fall(&c->sawtooth, r->now_ns, r->nxt, rtt_has_grown(r));
    c->peak_bytes = (uint64_t)(peak * cwnd_smss(r));
    c->fall_clean = false;
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_fall(&c->model[law], (enum cwnd_law)law, peak);
    c->until = r->recover = r->nxt;
    cwnd_set(r, cwnd_smss(r), c->model[cwnd_law_of(c)].ssthresh * cwnd_smss(r),
             (double)c->peak_bytes);
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
    c->settling_marked = recovered && c->last_fall == CWND_FALL_ECN;
    c->valley_bytes = 0;
    c->modelled_una = r->una;
    c->limited = true;
    cwnd_end_growth(c);
    if (!recovered)
        return;
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_set(&c->model[law], c->model[law].ssthresh);
    cwnd_set(r, cwnd_least(r), c->model[cwnd_law_of(c)].window * cwnd_smss(r),
             (double)c->peak_bytes);
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
    double segment = cwnd_smss(r);

    c->phase = CWND_PHASE_OPEN;
    c->modelled_una = r->una;
    c->limited = true;
    if (c->proven_bytes + r->smss >= c->peak_bytes) /* as much as before */
        c->gate_bytes = c->proven_bytes =
            c->peak_bytes > c->proven_bytes ? c->peak_bytes : c->proven_bytes;
    else if (r->last_was_partial) /* there was no more to send: what a restart leaves, or more */
        c->gate_bytes = c->proven_bytes =
            c->restart_bytes > c->proven_bytes ? c->restart_bytes : c->proven_bytes;
    else
        note_idle_fall(c);
    /* it had more and waited: the burst is the window, wherever the capture was taken */
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_set(&c->model[law], (double)c->proven_bytes / segment);
}

void cwnd_first_ack(struct replay *r)
{
    struct cwnd *c = &r->cwnd;

    c->burst_bytes = r->nxt > c->burst_left ? r->nxt - c->burst_left : 0;
    c->burst_full = !r->last_was_partial && c->burst_bytes > 0;
    /* nothing lets a window grow while nothing is acknowledged: it was that large all the time */
    if (c->phase == CWND_PHASE_OPEN && c->proven_bytes == c->burst_bytes && c->rows != NULL)
        cwnd_rows_raise(c->rows, c->burst_ns, (double)c->burst_bytes, cwnd_smss(r));
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
    case CWND_PHASE_IDLE: judge_idle(r); return;
    case CWND_PHASE_LOSS:
        for (int law = 0; law < CWND_LAWS; law++)
            cwnd_model_grow(&c->model[law], (enum cwnd_law)law, (double)acked / cwnd_smss(r),
                            r->now_ns, 0);
        cwnd_set(r, cwnd_least(r), c->model[cwnd_law_of(c)].window * cwnd_smss(r), cwnd_most(r));
        break;
    case CWND_PHASE_RECOVERY: break;
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

    cwnd_grow_models(r, INFINITY);
    if (c->model[LAW_RENO].ssthresh <= 0 && peak > 0) {
        double most = (double)peak + cwnd_smss(r);
        if (c->model[LAW_RENO].window * cwnd_smss(r) >
            most * (1 + CWND_WIDTH_AT_FIRST)) /* it had ended */
            for (int law = 0; law < CWND_LAWS; law++)
                c->model[law].ssthresh = (double)peak / cwnd_smss(r);
        if (c->rows != NULL)
            cwnd_rows_cut(c->rows, most);
    } else if (peak > 0) {
        for (int law = 0; law < CWND_LAWS; law++)
            c->misses[law] += fabs(c->model[law].window * cwnd_smss(r) / (double)peak - 1);
        c->predictions++;
        if (c->limited)
            sawtooth_predicted(&c->sawtooth, c->model[LAW_RENO].window, c->model[LAW_CUBIC].window,
                               (double)peak / cwnd_smss(r));
    }
}

/* A fall from the open window: peak, ssthresh, and its place in the sawtooth. */
static void fall_from(struct replay *r, enum cwnd_decrease reason, const struct departure *d)
{
    struct cwnd *c = &r->cwnd;
    uint64_t flight = r->nxt - r->una - c->sacked_bytes;
    /* Marks that go on: the second fall begins where the first one ends, and with nothing lost what
     * is out is the window then (RFC 6937: proportional reduction reaches ssthresh). */
    bool marked_again = c->exact && c->settling && c->settling_marked && reason == CWND_FALL_ECN;
    if (marked_again && d->left >= r->nxt) /* the mark came with the acknowledgment that let it go */
        flight += d->right - d->left;
    if (marked_again && c->valley_bytes == 0)
        c->valley_bytes = flight;
    bool seen = !c->settling || c->valley_bytes > 0;
    uint64_t peak = marked_again ? flight : flight_at_fall(r, reason, d);

    if (c->settling)
        cwnd_settle_fall(r, marked_again);
    if (!c->exact)
        check_models(r, peak);
    c->peak_bytes = peak;
    c->fall_clean =
        seen && reason != CWND_FALL_TIMEOUT && c->limited && flight + 2 * r->smss >= peak;
    cwnd_slow_start_at_fall(r);
    if (c->model[LAW_RENO].ssthresh > 0) /* the fall that ends the first slow start is none of it */
        sawtooth_fall(&c->sawtooth, r->now_ns, r->nxt, rtt_has_grown(r));
    for (int law = 0; law < CWND_LAWS; law++)
        cwnd_model_fall(&c->model[law], (enum cwnd_law)law, floor((double)peak / cwnd_smss(r)));
    cwnd_end_growth(c);
}

void cwnd_fall(struct replay *r, enum cwnd_decrease reason, const struct departure *d,
               const struct replay_path *path)
{
    struct cwnd *c = &r->cwnd;
    bool again = c->phase == CWND_PHASE_LOSS && reason == CWND_FALL_TIMEOUT;

    cwnd_note_path(c, d, path);
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
        c->timeout_turns +=
            !again && (c->timeout_turns == 0 || r->limit_ns[LIMIT_TURN] > c->turn_ns);
        c->turn_ns = r->limit_ns[LIMIT_TURN];
        c->phase = CWND_PHASE_LOSS;
        for (int law = 0; law < CWND_LAWS; law++)
            cwnd_model_set(&c->model[law], 1);
        cwnd_set(r, cwnd_smss(r), cwnd_smss(r), cwnd_smss(r));
    } else {
        c->phase = CWND_PHASE_RECOVERY;
        double to =
            cwnd_model_ssthresh(cwnd_law_of(c), floor((double)c->peak_bytes / cwnd_smss(r)));
        cwnd_set(r, cwnd_smss(r), to * cwnd_smss(r), (double)c->peak_bytes);
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
        c->model[law].ssthresh =
            cwnd_model_ssthresh((enum cwnd_law)law, floor((double)c->peak_bytes / cwnd_smss(r)));
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
        cwnd_model_set(&c->model[law], (double)c->peak_bytes / cwnd_smss(r));
    cwnd_set(r, (double)(r->nxt - r->una), (double)c->peak_bytes,
             (double)c->peak_bytes + cwnd_smss(r));
}

void cwnd_idle(struct replay *r, const struct departure *d, const struct replay_path *path)
{
    struct cwnd *c = &r->cwnd;
    double prior = c->estimate, window = prior;
    double least = c->initial_bytes - 1 < BYTES_UNKNOWN - 1 ? (double)c->initial_bytes
                                                            : 10 * cwnd_smss(r); /* RFC 6928 */

    if (prior <= 0 || c->phase != CWND_PHASE_OPEN)
        return;
    cwnd_note_path(c, d, path);
    /* Linux: half for each time-out of idle time, not below the initial window (RFC 5681: that) */
    for (int64_t idle_ns = d->sent_ns - r->last_departure_ns;
         idle_ns > path->rto_ns && window > least; idle_ns -= path->rto_ns)
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
    for (int law = 0; law < CWND_LAWS; law++)
        c->model[law].window = fmin(c->model[law].window, window / cwnd_smss(r));
    cwnd_end_growth(c);
    cwnd_set(r, fmin(window, least), window, prior);
}

void cwnd_finish(struct replay *r)
{
    if (r->cwnd.settling)
        cwnd_settle_fall(r, false);
    if (r->cwnd.estimate > 0)
        cwnd_settle_time(r);
}
