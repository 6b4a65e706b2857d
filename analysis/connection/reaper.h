/* Flows that have ended stay open for a moment, for stragglers: a FIN sent again, copies, data
 * that shows a reset to have been forged.  Bounded: the oldest goes when a new one needs room. */
#ifndef TCPWHY_ANALYSIS_REAPER_H
#define TCPWHY_ANALYSIS_REAPER_H

#include <stdbool.h>
#include <stdint.h>

struct flow;

#define REAPER_MAX 512u
/* The shortest retransmission time-out is 200 ms, the standard's 1 s (RFC 6298). */
#define REAPER_GRACE_NS ((int64_t)1000000000)

struct reaper_entry {
    struct flow *flow;
    uint64_t id; /* the record may have been given to another flow since */
    int64_t due_ns;
};

struct reaper {
    struct reaper_entry ring[REAPER_MAX];
    uint32_t head, count;
};

/* Put a flow in.  Returns the flow that had to make room for it, NULL = none. */
struct flow *reaper_add(struct reaper *reaper, struct flow *flow, int64_t now_ns);
/* The next flow whose time has come, NULL = none. */
struct flow *reaper_due(struct reaper *reaper, int64_t now_ns);

#endif
