/* Which flow a segment belongs to: five-tuple and tunnel, VLANs that keep two connections apart,
 * ports used again. */
#ifndef TCPWHY_ANALYSIS_ROUTING_H
#define TCPWHY_ANALYSIS_ROUTING_H

#include "analysis/connection/tracker.h"

/* The flow of a segment, made if there is none; *dir receives the segment's direction.  The key
 * may be changed.  *replaced receives a flow whose five-tuple a new connection took, else NULL. */
struct flow *routing_flow(struct tracker *t, struct flow_key *key, const struct segment *seg,
                          enum direction *dir, struct flow **replaced);

/* Note what the first segment of a direction tells of its way. */
static inline void routing_note_first(struct flow *flow, enum direction dir,
                                      const struct segment *seg)
{
    struct half *half = &flow->half[dir];

    if (half->packets > 0)
        return;
    half->vlan = seg->vlan;
    half->ttl = seg->ttl;
    flow->marks |= seg->vlan != 0 ? FLOW_TAGGED : 0;
}

#endif
