/* Whose time it was: gives each instant of a replay to exactly one limit. */
#ifndef TCPWHY_ANALYSIS_ATTRIBUTION_H
#define TCPWHY_ANALYSIS_ATTRIBUTION_H

#include "analysis/replay.h"

/* Let the replay's clock run to time_ns (never back) in its present state. */
void attribution_advance(struct replay *r, int64_t time_ns);
/* True while the receiver's window has less than a segment of room. */
bool attribution_window_blocks(const struct replay *r);
/* Data of the peer has reached the sender: idle time so far was spent waiting for it. */
void attribution_peer_spoke(struct replay *r);
/* Recovery is over: what is pending belongs to it. */
void attribution_end_recovery(struct replay *r);
/* A segment departs: what was pending since the last one is decided. */
void attribution_resolve(struct replay *r, const struct departure *d,
                         const struct replay_path *path);
/* The last acknowledgment has come: decide what is pending, close the open span. */
void attribution_finish(struct replay *r);

#endif
