#include "analysis/attribution.h"

#include <string.h>

#include "analysis/cwnd_track.h"

void attribution_peer_spoke(struct replay *r)
{
    r->peer_spoke = true;
    r->pending_ns[PENDING_TURN] += r->pending_ns[PENDING_IDLE];
    r->pending_ns[PENDING_IDLE] = 0;
    if (r->last_was_partial) { /* a message had ended: its ACK and the answer come together */
        r->pending_ns[PENDING_TURN] += r->pending_ns[PENDING_OPEN];
        r->pending_ns[PENDING_OPEN] = 0;
    }
}

static void close_run(struct replay *r)
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
        close_run(r);
        r->run_open = true;
        r->run_limit = limit;
        r->run.start_ns = r->now_ns - gap_ns;
        r->run.duration_ns = 0;
        r->run.from_frame = r->last_frame != 0 ? r->last_frame : frame;
    }
    r->run.duration_ns += part_ns;
    r->run.to_frame = frame;
}

/* Time within which data counts as let go by the acknowledgment before it: well below a round
 * trip, above the resolution of the clocks involved. */
static int64_t release_slack_ns(const struct replay_path *path)
{
    int64_t slack = path->min_rtt_ns == NS_UNKNOWN ? 1000000 : path->min_rtt_ns / 8;

    if (slack > 20000000)
        slack = 20000000;
    if (path->near_ns > 1000000 && path->tick_ns == 0 && path->min_rtt_ns != NS_UNKNOWN)
        slack = path->min_rtt_ns / 4; /* far from the sender, queues move what was sent together */
    if (slack < 2 * path->tick_ns)
        slack = 2 * path->tick_ns;
    return slack < 100000 ? 100000 : slack;
}

/* Limit of the time in which window and data were there (as far as can be seen) but nothing left. */
static enum limit open_limit(const struct replay *r, const struct departure *d,
                             const struct replay_path *path, int64_t gap_ns)
{
    int64_t slack = release_slack_ns(path);
    bool released = r->released_ns != NS_UNKNOWN && d->sent_ns - r->released_ns <= slack;

    if (!released && gap_ns > slack)
        return LIMIT_APP;
    if (r->window_blocked) /* let go by a window update: the rest is the way to the tap */
        return LIMIT_RWND;
    return r->slow_start ? LIMIT_SLOW_START : LIMIT_CWND;
}

/* Give pending time to limits by kind. */
static void give(struct replay *r, const enum limit owner[PENDING_KINDS], uint64_t frame)
{
    int64_t gap_ns = 0, share[LIMIT_COUNT] = {0};
    enum limit largest = LIMIT_UNKNOWN;

    for (int kind = 0; kind < PENDING_KINDS; kind++) {
        r->limit_ns[owner[kind]] += r->pending_ns[kind];
        share[owner[kind]] += r->pending_ns[kind];
        gap_ns += r->pending_ns[kind];
        if (share[owner[kind]] > share[largest])
            largest = owner[kind];
        r->pending_ns[kind] = 0;
    }
    if (gap_ns > 0)
        extend_run(r, largest, share[largest], gap_ns, frame);
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
        [PENDING_TURN] = LIMIT_TURN,     [PENDING_RWND] = LIMIT_RECOVERY,
        [PENDING_ZERO] = LIMIT_ZERO_WINDOW,
    };

    give(r, owner, r->last_frame);
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
    r->pending_ns[PENDING_OPEN] = r->pending_ns[PENDING_RWND] = 0;
    r->limit_ns[limit] += gap_ns;
    if (gap_ns > 0)
        extend_run(r, limit, gap_ns, gap_ns, d->frame);
    return true;
}

static void resolve_fully(struct replay *r, const struct departure *d,
                          const struct replay_path *path, int64_t gap_ns)
{
    enum limit owner[PENDING_KINDS] = {
        [PENDING_OPEN] = open_limit(r, d, path, gap_ns), [PENDING_IDLE] = LIMIT_APP,
        [PENDING_TURN] = LIMIT_TURN,                     [PENDING_RWND] = LIMIT_RWND,
        [PENDING_ZERO] = LIMIT_ZERO_WINDOW,
    };
    if (d->kind == DEPARTURE_TIMEOUT || d->kind == DEPARTURE_TAIL_PROBE)
        owner[PENDING_OPEN] = owner[PENDING_IDLE] = owner[PENDING_RWND] = LIMIT_RTO;
    else if (d->kind == DEPARTURE_RESEND || d->kind == DEPARTURE_TIMEOUT_RESEND || r->recover != 0)
        owner[PENDING_OPEN] = owner[PENDING_RWND] = LIMIT_RECOVERY;
    else if (owner[PENDING_OPEN] == LIMIT_APP && r->peer_spoke && r->last_was_partial)
        owner[PENDING_OPEN] = LIMIT_TURN;
    give(r, owner, d->frame);
}

void attribution_resolve(struct replay *r, const struct departure *d,
                         const struct replay_path *path)
{
    int64_t gap_ns = 0;

    for (int kind = 0; kind < PENDING_KINDS; kind++)
        gap_ns += r->pending_ns[kind];
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

void attribution_finish(struct replay *r)
{
    /* After the last departure the sender had no more to send; what remains is the way back. */
    enum limit owner[PENDING_KINDS] = {
        [PENDING_OPEN] = r->recover != 0 ? LIMIT_RECOVERY : LIMIT_APP,
        [PENDING_IDLE] = LIMIT_APP,
        [PENDING_TURN] = LIMIT_TURN,
        [PENDING_RWND] = r->recover != 0 ? LIMIT_RECOVERY : LIMIT_APP,
        [PENDING_ZERO] = LIMIT_ZERO_WINDOW,
    };
    give(r, owner, r->last_frame);
    close_run(r);
}
