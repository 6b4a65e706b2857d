/* What the connection code shares within one analysis. */
#ifndef TCPWHY_ANALYSIS_TRACKER_H
#define TCPWHY_ANALYSIS_TRACKER_H

#include "analysis/analyzer.h"
#include "analysis/connection/detail.h"
#include "analysis/event_log.h"
#include "analysis/flow/flow_table.h"
#include "analysis/session/sessions.h"

struct tracker {
    struct flow_table *flows;
    struct detail_pool *details;
    struct sessions *sessions;
    struct event_log *events; /* NULL unless asked for */
    bool series;
    struct analysis_counts counts;
};

/* Direction of a segment within its flow. */
static inline enum direction flow_direction(const struct flow *flow, bool swapped)
{
    return swapped == ((flow->marks & FLOW_CLIENT_HIGH) != 0) ? C2S : S2C;
}

static inline enum direction direction_other(enum direction dir)
{
    return dir == C2S ? S2C : C2S;
}

static inline struct endpoint flow_endpoint(const struct flow *flow, enum direction dir)
{
    bool high = (flow->marks & FLOW_CLIENT_HIGH) != 0;
    int index = dir == C2S ? high : !high;
    struct endpoint end = {flow->addr[index], flow->port[index]};

    return end;
}

/* Smallest whole-path round trip known, NS_UNKNOWN when a leg is not known. */
static inline int64_t flow_min_rtt_ns(const struct flow *flow)
{
    if (flow->half[C2S].leg_ns == NS_UNKNOWN || flow->half[S2C].leg_ns == NS_UNKNOWN)
        return NS_UNKNOWN;
    return flow->half[C2S].leg_ns + flow->half[S2C].leg_ns;
}

/* True when no router has counted a sender's packets down from where stacks begin (64, 128, 255):
 * it is at the tap, as far as can be told without a sample of the leg. */
static inline bool flow_sender_is_here(const struct half *half)
{
    return half->ttl == 64 || half->ttl == 128 || half->ttl == 255;
}

/* Take a sample of the leg between the tap and the sender of dir. */
static inline void flow_leg_sample(struct flow *flow, enum direction dir, int64_t sample_ns)
{
    if (sample_ns >= 0 && (flow->half[dir].leg_ns == NS_UNKNOWN || sample_ns < flow->half[dir].leg_ns))
        flow->half[dir].leg_ns = sample_ns;
}

/* Leg between the tap and the sender of dir, 0 when not known. */
static inline int64_t flow_near_ns(const struct flow *flow, enum direction dir)
{
    return flow->half[dir].leg_ns == NS_UNKNOWN ? 0 : flow->half[dir].leg_ns;
}

/* Whether the sender of dir is so near to the tap that no queue between them counts: a leg of at
 * most 5 % of the whole (domain, 6b). */
static inline bool flow_tap_is_near(const struct flow *flow, enum direction dir)
{
    int64_t rtt_ns = flow_min_rtt_ns(flow);

    return rtt_ns != NS_UNKNOWN && flow_near_ns(flow, dir) <= rtt_ns / 20;
}

/* Record an event if events are kept. */
static inline void tracker_event(struct tracker *t, enum event_kind kind, const struct flow *flow,
                                 enum direction dir, const struct segment *seg, uint64_t value)
{
    if (t->events != NULL)
        event_log_add(t->events, &(struct event_result){seg->time_ns, seg->frame, flow->id, kind,
                                                        dir, value});
}

#endif
