/* The data side of a direction: each segment becomes new data, a retransmission, reordering, a
 * probe or a hole, and a departure in the replay. */
#ifndef TCPWHY_ANALYSIS_SENDER_H
#define TCPWHY_ANALYSIS_SENDER_H

#include "analysis/connection/tracker.h"

/* Take the payload and FIN of a segment whose first byte has this stream offset. */
void sender_data(struct tracker *t, struct flow *flow, enum direction dir,
                 const struct segment *seg, uint64_t offset);

/* A copy that came too late to be remembered as one: data seen before, with the IP ID of that
 * time.  Changes nothing. */
enum copy_kind sender_late_copy(const struct flow *flow, enum direction dir,
                                const struct segment *seg);

/* True when a segment without new data is a keep-alive or window probe; counts it. */
bool sender_is_probe(struct flow *flow, enum direction dir, const struct segment *seg,
                     uint64_t offset);

/* What is known of the path when something of this direction is judged at now_ns. */
struct rexmit_facts sender_facts(const struct flow *flow, enum direction dir, int64_t now_ns);

#endif
