/* The short way for the segments that make up nearly all of a bulk transfer. */
#ifndef TCPWHY_ANALYSIS_STEADY_H
#define TCPWHY_ANALYSIS_STEADY_H

#include "analysis/connection/tracker.h"

/* Take a segment of a followed flow in a steady state: data in order, or an acknowledgment of data
 * that is outstanding, with nothing about it that calls for a judgement.  Does exactly what
 * connection_segment() would.  Returns false, and has changed nothing, when that one must. */
bool steady_segment(struct tracker *t, struct flow *flow, enum direction dir,
                    const struct segment *seg);

#endif
