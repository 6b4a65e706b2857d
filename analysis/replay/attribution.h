/* Whose time it was: gives each instant of a replay to exactly one limit. */
#ifndef TCPWHY_ANALYSIS_ATTRIBUTION_H
#define TCPWHY_ANALYSIS_ATTRIBUTION_H

#include "analysis/replay/replay.h"

/* What the sender waits for, in the replay's present state. */
static inline enum pending_kind attribution_state(const struct replay *r)
{
    if (r->edge != 0 && r->edge < r->nxt + r->smss) {
        if (r->zero_window && r->edge <= r->nxt)
            return PENDING_ZERO;
        return PENDING_RWND;
    }
    return r->nxt <= r->una ? PENDING_IDLE : PENDING_OPEN;
}

/* Let the replay's clock run to time_ns (never back) in its present state. */
static inline void attribution_advance(struct replay *r, int64_t time_ns)
{
    if (time_ns <= r->now_ns)
        return;
    enum pending_kind state = attribution_state(r);
    r->pending_ns[state] += time_ns - r->now_ns;
    if (state == PENDING_RWND || state == PENDING_ZERO)
        r->window_full_ns += time_ns - r->now_ns;
    r->now_ns = time_ns;
}

/* True while the receiver's window has less than a segment of room. */
static inline bool attribution_window_blocks(const struct replay *r)
{
    return r->edge != 0 && r->edge < r->nxt + r->smss;
}

/* The span that is open ends. */
void attribution_close_run(struct replay *r);

/* Data that leaves so soon after the data before it was let go with it: the least slack that
 * attribution.c allows, and beyond it what it calls prompt. */
#define ATTRIBUTION_SLACK_MIN_NS 100000
#define ATTRIBUTION_PROMPT_NS 200000

/* New data that leaves at once after the data before it, nothing having come in between, with room
 * in the window: the wait is held time (analysis/replay/held.h) that no acknowledgment was to end.
 * Does what attribution_advance() and attribution_resolve() would; false, and changes nothing, where
 * there is more to it. */
static inline bool attribution_follows_on(struct replay *r, const struct departure *d,
                                          const struct replay_path *path)
{
    const int64_t gap_ns = d->sent_ns - r->last_departure_ns;

    if (r->now_ns != r->last_departure_ns || r->released_ns != NS_UNKNOWN || gap_ns <= 0 ||
        gap_ns > ATTRIBUTION_PROMPT_NS || d->kind != DEPARTURE_NEW || d->reduced ||
        r->recover != 0 || r->peer_spoke || r->window_blocked || r->nxt <= r->una ||
        attribution_window_blocks(r) || replay_is_unplaced(d, path) || path->min_rtt_ns < gap_ns ||
        (gap_ns > ATTRIBUTION_SLACK_MIN_NS && gap_ns > path->min_rtt_ns / 8))
        return false;
    if (gap_ns > r->longest_silence_ns) {
        r->longest_silence_ns = gap_ns;
        r->longest_silence_frame = d->frame;
    }
    if (r->run_open)
        attribution_close_run(r);
    r->round.held_ns += gap_ns;
    r->held.open_ns += gap_ns;
    r->previous_departure_ns = r->last_departure_ns;
    r->previous_frame = r->last_frame;
    r->now_ns = r->given_ns = r->last_departure_ns = d->sent_ns;
    r->last_was_partial = !d->full;
    r->last_frame = d->frame;
    return true;
}

/* Data of the peer has reached the sender: idle time so far was spent waiting for it. */
void attribution_peer_spoke(struct replay *r);
/* Recovery is over: what is pending belongs to it. */
void attribution_end_recovery(struct replay *r);
/* A segment departs: what was pending since the last one is decided. */
void attribution_resolve(struct replay *r, const struct departure *d,
                         const struct replay_path *path);
/* The open round is complete (its end is set): judge what held the sender in it and before. */
void attribution_judge_round(struct replay *r);
/* The last acknowledgment has come: decide what is pending, close the open spans. */
void attribution_finish(struct replay *r);

#endif
