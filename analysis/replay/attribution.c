#include "analysis/replay/attribution.h"

#include <string.h>

#include "analysis/replay/cwnd_track.h"

/* Stands for a limit: time whose limit is decided round by round (analysis/replay/held.h). */
#define HELD LIMIT_COUNT

/* Time within which data counts as let go by the acknowledgment before it: well below a round
 * trip, above the resolution of the clocks involved. */
static int64_t release_slack_ns(const struct replay_path *path)
{
    int64_t slack = path->min_rtt_ns == NS_UNKNOWN ? 1000000 : path->min_rtt_ns / 8;

    if (slack > 20000000)
        slack = 20000000;
    if (path->near_ns > 1000000 && path->tick_ns == 0 && path->min_rtt_ns != NS_UNKNOWN)
        slack = path->min_rtt_ns / 4; /* far from the sender, queues move what was sent together */
    if (slack < 3 * path->tick_ns) /* of the segment, of the clock's base, of the acknowledgment */
        slack = 3 * path->tick_ns;
    return slack < 100000 ? 100000 : slack;
}

/* The first data of the peer since the last departure: of the wait for it a round trip is the
 * path's, what is clearly beyond was spent by the peer's application. */
static void split_wait(struct replay *r, int64_t waited_ns)
{
    const struct replay_path path = {.min_rtt_ns = r->min_rtt_ns};
    int64_t think_ns = r->min_rtt_ns == NS_UNKNOWN ? 0 : waited_ns - r->min_rtt_ns;

    if (think_ns <= release_slack_ns(&path))
        think_ns = 0;
    r->pending_ns[PENDING_THINK] += think_ns;
    r->pending_ns[PENDING_TURN] += waited_ns - think_ns;
    r->waits.think_ns += think_ns;
}

void attribution_peer_spoke(struct replay *r)
{
    int64_t waited_ns = r->pending_ns[PENDING_IDLE];

    r->pending_ns[PENDING_IDLE] = 0;
    if (r->last_was_partial) { /* a message had ended: its ACK and the answer come together */
        waited_ns += r->pending_ns[PENDING_OPEN];
        r->pending_ns[PENDING_OPEN] = 0;
    }
    r->waits.turn_ns += waited_ns;
    if (r->peer_spoke)
        r->pending_ns[PENDING_TURN] += waited_ns;
    else
        split_wait(r, waited_ns);
    r->peer_spoke = true;
}

void attribution_close_run(struct replay *r)
{
    struct limit_span *worst = &r->worst[r->run_limit];

    if (r->run_open && r->run.duration_ns > worst->duration_ns)
        *worst = r->run;
    r->run_open = false;
}

/* Extend the span of the limit that owns most of a gap by its part of it, or begin a new one. */
static void extend_run(struct replay *r, enum limit limit, int64_t part_ns, int64_t gap_ns,
                       uint64_t frame)
{
    if (!r->run_open || r->run_limit != limit) {
        attribution_close_run(r);
        r->run_open = true;
        r->run_limit = limit;
        r->run.start_ns = r->now_ns - gap_ns;
        r->run.duration_ns = 0;
        r->run.from_frame = r->last_frame != 0 ? r->last_frame : frame;
    }
    r->run.duration_ns += part_ns;
    r->run.to_frame = frame;
}

/* True when only a partial segment was left to send and the acknowledgment of everything let it go
 * (RFC 896), while the congestion window had room for it: the initial window is two segments at
 * least (RFC 2581 section 3.1), and what was in flight before is no more than what may be. */
static bool waited_for_nagle(const struct replay *r, const struct departure *d, int64_t slack_ns)
{
    const uint64_t wanted = r->last_flight + (d->right - d->left);
    const uint64_t allowed = r->flight_max > 2 * (uint64_t)d->smss ? r->flight_max
                                                                   : 2 * (uint64_t)d->smss;

    return !d->full && d->right - d->left < d->smss && d->kind == DEPARTURE_NEW && !r->peer_spoke &&
           r->recover == 0 && r->last_flight > 0 && r->nxt <= r->una && wanted <= allowed &&
           d->sent_ns - r->released_ns <= slack_ns / 4;
}

/* Limit of the time in which window and data were there (as far as can be seen) but nothing left. */
static enum limit open_limit(const struct replay *r, const struct departure *d,
                             const struct replay_path *path, int64_t gap_ns)
{
    if (replay_is_unplaced(d, path))
        return LIMIT_UNKNOWN;
    int64_t slack = release_slack_ns(path);
    bool released = r->released_ns != NS_UNKNOWN && d->sent_ns - r->released_ns <= slack;

    if (!released && gap_ns > slack)
        return LIMIT_APP;
    if (r->window_blocked) /* let go by a window update: the rest is the way to the tap */
        return LIMIT_RWND;
    if (released && gap_ns > slack && waited_for_nagle(r, d, slack))
        return LIMIT_NAGLE;
    return HELD;
}

/* Time whose limit shows only later.  Data that comes later after the last acknowledgment than
 * clocks and hosts explain was not let go by it. */
static void hold(struct replay *r, const struct departure *d, const struct replay_path *path,
                 int64_t part_ns)
{
    int64_t prompt_ns = 2 * path->tick_ns > 200000 ? 2 * path->tick_ns : 200000;
    int64_t lag_ns = r->released_ns == NS_UNKNOWN ? part_ns : d->sent_ns - r->released_ns;

    if (r->released_ns != NS_UNKNOWN) {
        if (r->round.lags++ == 0 || lag_ns < r->round.lag_min_ns)
            r->round.lag_min_ns = lag_ns;
        r->round.lag_sum_ns += lag_ns;
    }
    if (lag_ns > part_ns)
        lag_ns = part_ns;
    r->round.held_ns += part_ns;
    r->held.open_ns += part_ns;
    if (lag_ns > prompt_ns)
        r->round.unprompted_ns += lag_ns;
}

/* Keep a silence if it is one of the longest. */
static void note_stall(struct replay *r, enum limit limit, int64_t gap_ns, uint64_t frame)
{
    struct wait_facts *waits = &r->waits;
    uint32_t i = waits->stall_count < STALLS_MAX ? waits->stall_count++ : STALLS_MAX - 1;

    waits->stalls_seen++;
    for (; i > 0 && waits->stalls[i - 1].duration_ns < gap_ns; i--)
        waits->stalls[i] = waits->stalls[i - 1];
    waits->stalls[i] = (struct stall){
        .start_ns = r->now_ns - gap_ns,
        .duration_ns = gap_ns,
        .from_frame = r->last_frame,
        .to_frame = frame,
        .limit = limit == HELD ? (r->slow_start ? LIMIT_SLOW_START : LIMIT_CWND) : limit,
    };
}

static inline void check_stall(struct replay *r, enum limit limit, int64_t gap_ns, uint64_t frame)
{
    const struct wait_facts *waits = &r->waits;
    int64_t least_ns = r->min_rtt_ns <= 0 ? 200000000 : 2 * r->min_rtt_ns; /* 0: below the clock */

    if (gap_ns <= least_ns)
        return;
    if (waits->stall_count < STALLS_MAX || gap_ns > waits->stalls[STALLS_MAX - 1].duration_ns)
        note_stall(r, limit, gap_ns, frame);
    else
        r->waits.stalls_seen++;
}

/* Give pending time to limits by kind; d and path are needed where some is held.  Returns the limit
 * that had most of it. */
static enum limit give(struct replay *r, const enum limit owner[PENDING_KINDS],
                       const struct departure *d, const struct replay_path *path, uint64_t frame)
{
    int64_t gap_ns = 0, share[LIMIT_COUNT + 1] = {0};
    enum limit largest = LIMIT_UNKNOWN;

    for (int kind = 0; kind < PENDING_KINDS; kind++) {
        const int64_t part_ns = r->pending_ns[kind];

        if (part_ns == 0)
            continue;
        share[owner[kind]] += part_ns;
        gap_ns += part_ns;
        if (owner[kind] != HELD)
            r->limit_ns[owner[kind]] += part_ns;
        if (share[owner[kind]] > share[largest])
            largest = owner[kind];
        r->pending_ns[kind] = 0;
    }
    r->given_ns = r->now_ns;
    if (share[HELD] > 0 && d != NULL && path != NULL) /* without them nothing is held */
        hold(r, d, path, share[HELD]);
    if (gap_ns > 0 && largest == HELD)
        attribution_close_run(r);
    else if (gap_ns > 0)
        extend_run(r, largest, share[largest], gap_ns, frame);
    return largest;
}

/* Time-outs and idle periods put the sender back into slow start (RFC 5681 sections 3.1, 4.1). */
static void restart_slow_start(struct replay *r)
{
    r->slow_start = true;
    r->slow_rounds = 0;
    r->previous_flight_max = 0;
    r->round.flight_max_bytes = 0;
    r->round_end = r->nxt;
}

static void note_episode(struct replay *r, const struct departure *d,
                         const struct replay_path *path)
{
    if (d->kind == DEPARTURE_TIMEOUT) {
        cwnd_fall(r, CWND_FALL_TIMEOUT, d, path);
        r->recover = r->nxt;
        r->after_timeout = true;
        restart_slow_start(r);
    } else if (d->kind == DEPARTURE_RESEND && r->recover == 0) {
        cwnd_fall(r, CWND_FALL_LOSS, d, path);
        r->recover = r->nxt;
        r->slow_start = false;
    } else if (d->kind == DEPARTURE_RESEND) {
        cwnd_resent(r, d);
    } else if (d->reduced && r->recover == 0) {
        cwnd_fall(r, CWND_FALL_ECN, d, path);
        r->slow_start = false;
    }
}

static bool idle_restart(const struct replay *r, const struct departure *d,
                         const struct replay_path *path)
{
    return d->kind == DEPARTURE_NEW && r->nxt <= r->una && r->flight_count > 0 &&
           path->rto_ns != NS_UNKNOWN && d->sent_ns - r->last_departure_ns > path->rto_ns;
}

void attribution_end_recovery(struct replay *r)
{
    static const enum limit owner[PENDING_KINDS] = {
        [PENDING_OPEN] = LIMIT_RECOVERY, [PENDING_IDLE] = LIMIT_RECOVERY,
        [PENDING_TURN] = LIMIT_TURN,     [PENDING_THINK] = LIMIT_THINK,
        [PENDING_RWND] = LIMIT_RECOVERY, [PENDING_ZERO] = LIMIT_ZERO_WINDOW,
    };

    give(r, owner, NULL, NULL, r->last_frame);
}

/* The usual gap: new data in a sound state, all of the time waited in one way. */
static bool resolve_simply(struct replay *r, const struct departure *d,
                           const struct replay_path *path, int64_t gap_ns)
{
    enum limit limit;

    if (d->kind != DEPARTURE_NEW || r->recover != 0 || r->peer_spoke)
        return false;
    if (gap_ns == r->pending_ns[PENDING_OPEN])
        limit = open_limit(r, d, path, gap_ns);
    else if (gap_ns == r->pending_ns[PENDING_RWND])
        limit = LIMIT_RWND;
    else
        return false;
    if (limit == LIMIT_NAGLE)
        return false;
    r->pending_ns[PENDING_OPEN] = r->pending_ns[PENDING_RWND] = 0;
    r->given_ns = r->now_ns;
    if (gap_ns == 0)
        return true;
    if (limit == HELD) {
        hold(r, d, path, gap_ns);
        attribution_close_run(r);
    } else {
        r->limit_ns[limit] += gap_ns;
        extend_run(r, limit, gap_ns, gap_ns, d->frame);
    }
    check_stall(r, limit, gap_ns, d->frame);
    return true;
}

/* A partial segment has waited for the acknowledgment of all before it. */
static void count_nagle(struct replay *r, const struct departure *d, int64_t gap_ns)
{
    struct wait_facts *waits = &r->waits;

    waits->nagle_waits++;
    /* delayed ACKs of stacks in use take 40 to 200 ms (RFC 1122 section 4.2.3.2: 500 at most) */
    waits->nagle_delayed += r->min_rtt_ns != NS_UNKNOWN && gap_ns - r->min_rtt_ns >= 35000000;
    if (gap_ns > waits->nagle_longest_ns) {
        waits->nagle_longest_ns = gap_ns;
        waits->nagle_frame = d->frame;
    }
}

/* What began at message_left ends: the sender answers the peer there, or there is no more. */
static void end_message(struct replay *r, uint64_t right)
{
    const uint64_t bytes = right > r->message_left ? right - r->message_left : 0;

    if (bytes > r->waits.message_most_bytes)
        r->waits.message_most_bytes = bytes;
    r->message_left = right;
}

static void resolve_fully(struct replay *r, const struct departure *d,
                          const struct replay_path *path, int64_t gap_ns)
{
    const enum limit idle = replay_is_unplaced(d, path) ? LIMIT_UNKNOWN : LIMIT_APP;
    enum limit owner[PENDING_KINDS] = {
        [PENDING_OPEN] = open_limit(r, d, path, gap_ns), [PENDING_IDLE] = idle,
        [PENDING_TURN] = LIMIT_TURN,                     [PENDING_THINK] = LIMIT_THINK,
        [PENDING_RWND] = LIMIT_RWND,                     [PENDING_ZERO] = LIMIT_ZERO_WINDOW,
    };
    const int64_t own_ns = r->pending_ns[PENDING_IDLE] + r->pending_ns[PENDING_OPEN];

    if (d->kind == DEPARTURE_TIMEOUT || d->kind == DEPARTURE_TAIL_PROBE)
        owner[PENDING_OPEN] = owner[PENDING_IDLE] = owner[PENDING_RWND] = LIMIT_RTO;
    else if (d->kind == DEPARTURE_RESEND || d->kind == DEPARTURE_TIMEOUT_RESEND || r->recover != 0)
        owner[PENDING_OPEN] = owner[PENDING_RWND] = LIMIT_RECOVERY;
    else if (owner[PENDING_OPEN] == LIMIT_APP && r->peer_spoke && r->last_was_partial)
        owner[PENDING_OPEN] = LIMIT_TURN;
    else if (owner[PENDING_OPEN] == LIMIT_NAGLE)
        count_nagle(r, d, gap_ns);
    if (r->peer_spoke && d->kind == DEPARTURE_NEW) {
        end_message(r, d->left);
        r->waits.turns++;
        r->waits.answer_ns += own_ns;
    }
    check_stall(r, give(r, owner, d, path, d->frame), gap_ns, d->frame);
}

void attribution_resolve(struct replay *r, const struct departure *d,
                         const struct replay_path *path)
{
    const int64_t gap_ns = r->now_ns - r->given_ns;

    if (gap_ns > r->longest_silence_ns) {
        r->longest_silence_ns = gap_ns;
        r->longest_silence_frame = d->frame;
    }
    if (!resolve_simply(r, d, path, gap_ns))
        resolve_fully(r, d, path, gap_ns);
    if (d->kind == DEPARTURE_PROBE)
        return;
    if (idle_restart(r, d, path)) {
        r->idle_restarts++;
        cwnd_idle(r, d, path);
        restart_slow_start(r);
    }
    note_episode(r, d, path);
    r->previous_departure_ns = r->last_departure_ns;
    r->previous_frame = r->last_frame;
    r->last_departure_ns = d->sent_ns > r->last_departure_ns ? d->sent_ns : r->last_departure_ns;
    r->last_was_partial = !d->full;
    r->released_ns = NS_UNKNOWN;
    r->peer_spoke = false;
    r->last_frame = d->frame;
}

/* The stretch of a limit of held time goes on, or another one begins. */
static void extend_held_run(struct replay *r, const struct held_decision *decision)
{
    struct limit_span *run = &r->held_run, *worst = &r->worst[decision->limit];
    const bool mostly = decision->part_ns * 2 >= decision->end_ns - decision->start_ns;

    if (r->held_run_limit != decision->limit || !mostly || run->from_frame == 0) {
        r->held_run_limit = decision->limit;
        *run = (struct limit_span){.start_ns = decision->start_ns,
                                   .from_frame = decision->first_frame};
    }
    run->duration_ns += decision->part_ns;
    run->to_frame = decision->last_frame != 0 ? decision->last_frame : run->to_frame;
    if (run->duration_ns > worst->duration_ns && run->to_frame != 0)
        *worst = *run;
}

static void take_decisions(struct replay *r, const struct held_decision *made, int count)
{
    for (int i = 0; i < count; i++) {
        r->limit_ns[made[i].limit] += made[i].part_ns;
        extend_held_run(r, &made[i]);
        if (r->decision_count < REPLAY_DECISIONS)
            r->decisions[r->decision_count++] = made[i];
    }
}

void attribution_judge_round(struct replay *r)
{
    struct held_decision made[HELD_STRETCHES + 1];

    const int count = held_round(&r->held, &r->round, r->min_rtt_ns, r->smss, made);
    take_decisions(r, made, count);
    r->round.held_limit = r->held.last.limit;
}

void attribution_finish(struct replay *r)
{
    /* After the last departure the sender had no more to send and waited for the other side's last
     * acknowledgment: a round trip that no window, buffer or link would have saved. */
    const enum limit way = r->recover != 0 ? LIMIT_RECOVERY : LIMIT_TURN;
    const enum limit owner[PENDING_KINDS] = {
        [PENDING_OPEN] = way,        [PENDING_IDLE] = LIMIT_APP,
        [PENDING_TURN] = LIMIT_TURN, [PENDING_THINK] = LIMIT_THINK,
        [PENDING_RWND] = way,        [PENDING_ZERO] = LIMIT_ZERO_WINDOW,
    };
    struct held_decision made[HELD_STRETCHES + 1];

    end_message(r, r->nxt);
    give(r, owner, NULL, NULL, r->last_frame);
    attribution_close_run(r);
    r->round.end_ns = r->now_ns;
    r->round.una_end = r->una;
    r->round.slow_start = r->slow_start;
    attribution_judge_round(r);
    const int count = held_finish(&r->held, made);
    take_decisions(r, made, count);
}
