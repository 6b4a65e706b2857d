/* Who looks at the round trips of a direction as they close (analysis/replay/rounds.h). */
#ifndef TCPWHY_ANALYSIS_OBSERVE_H
#define TCPWHY_ANALYSIS_OBSERVE_H

#include "analysis/connection/detail.h"

/* Show the rounds closed since the last call to everyone who judges by them, in order.  At most
 * ROUNDS_KEPT are there: more close at once only in silence, without departures. */
void observe_rounds(struct flow *flow, enum direction dir);

/* The same where a round may have closed. */
static inline void observe_new_rounds(struct flow *flow, enum direction dir)
{
    const struct side *side = &flow->detail->side[dir];

    if (side->rounds_observed != side->replay.rounds)
        observe_rounds(flow, dir);
}

#endif
