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
