/* One segment of one connection: copies first, then begin and end, then data and acknowledgment. */
#ifndef TCPWHY_ANALYSIS_CONNECTION_H
#define TCPWHY_ANALYSIS_CONNECTION_H

#include "analysis/connection/tracker.h"

enum connection_news {
    CONNECTION_GOES_ON,
    CONNECTION_CLOSING, /* both FINs acknowledged, or reset: only stragglers are expected */
};

enum connection_news connection_segment(struct tracker *t, struct flow *flow, enum direction dir,
                                        const struct segment *seg);

/* True when a segment's numbers fit what the flow has seen: within any window. */
bool connection_fits(const struct flow *flow, enum direction dir, const struct segment *seg);

/* End of a flow: what its detail knows becomes its summary.  Idempotent. */
void connection_finish(struct tracker *t, struct flow *flow);

#endif
