/* The flows of the last segments, found without a keyed hash or a probe of the index: packets of a
 * transfer come in runs.  Only a hint: what is found is compared, and the flow table decides
 * whatever is not plain. */
#ifndef TCPWHY_ANALYSIS_RECENT_H
#define TCPWHY_ANALYSIS_RECENT_H

#include "analysis/flow.h"

#define RECENT_BITS 9
#define RECENT_FLOWS (1u << RECENT_BITS)

struct recent_entry {
    struct flow *flow;
    uint32_t tag;  /* of the segments that it serves */
    bool swapped;  /* their source is addr[1] of the flow */
};

struct recent {
    struct recent_entry entries[RECENT_FLOWS];
};

/* The five-tuple of a segment in its own order, mixed: place in the high bits, tag below. */
static inline uint64_t recent_mix(const struct segment *seg)
{
    uint64_t src[2], dst[2], ports;

    memcpy(src, &seg->src, sizeof src);
    memcpy(dst, &seg->dst, sizeof dst);
    ports = (uint64_t)seg->src_port | (uint64_t)seg->dst_port << 16 |
            (uint64_t)seg->tunnel_id << 32;
    uint64_t mixed = (src[0] + src[1]) * 0x9e3779b97f4a7c15ULL ^
                     (dst[0] + dst[1]) * 0xc2b2ae3d27d4eb4fULL ^ ports * 0x9fb21c651e98df25ULL;
    return mixed ^ mixed >> 29;
}

static inline struct recent_entry *recent_entry(struct recent *recent, uint64_t mixed)
{
    return &recent->entries[mixed >> (64 - RECENT_BITS)];
}

static inline void recent_put(struct recent *recent, uint64_t mixed, struct flow *flow,
                              bool swapped)
{
    *recent_entry(recent, mixed) = (struct recent_entry){flow, (uint32_t)mixed, swapped};
}

/* Whether a flow is what the flow table would find for a segment: a plain one, and the record has
 * not been given away since. */
static inline bool recent_matches(const struct flow *flow, bool swapped, const struct segment *seg)
{
    return ip_addr_equal(&flow->addr[swapped], &seg->src) &&
           ip_addr_equal(&flow->addr[!swapped], &seg->dst) &&
           flow->port[swapped] == seg->src_port && flow->port[!swapped] == seg->dst_port &&
           flow->tunnel_id == seg->tunnel_id && seg->vlan == 0 && (seg->flags & TCP_SYN) == 0 &&
           flow->vlan_split == 0 &&
           (flow->marks & (FLOW_REPLACED | FLOW_TAGGED)) == 0 && flow->id != 0;
}

#endif
