/* From a five-tuple to its struct flow: 8-byte slots of an open-addressing index under a keyed
 * hash, pointing into an arena of records that never move (so that pointers and prefetches stay
 * good while the index grows).  Bounded: past max_flows the idlest of a sample is evicted. */
#ifndef TCPWHY_ANALYSIS_FLOW_TABLE_H
#define TCPWHY_ANALYSIS_FLOW_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/flow/flow.h"

struct flow_table;

/* Key of a segment in canonical order, with its hash. */
struct flow_key {
    struct ip_addr addr[2];
    uint16_t port[2];
    uint32_t tunnel_id;
    uint16_t vlan_split;
    bool swapped; /* the segment's source is addr[1] */
    uint32_t hash;
};

/* The flow of a segment as far as its hash tells: a hint, to be compared. */
struct flow_hint {
    struct flow *flow; /* NULL = none */
    uint32_t hash;     /* of the key; not set where the flow was found without it */
    bool swapped; /* the segment's source is addr[1] */
};

/* Called for a flow about to be evicted, so that its results can be counted. */
typedef void flow_evicted(void *context, struct flow *flow);

struct flow_table *flow_table_new(uint64_t max_flows, flow_evicted *evicted, void *context);
void flow_table_free(struct flow_table *table);

/* Fill *key from a segment. */
void flow_key_of(const struct flow_table *table, const struct segment *seg, struct flow_key *key);
/* The same key on a VLAN of its own. */
void flow_key_split(const struct flow_table *table, uint16_t vlan, struct flow_key *key);

/* Hints for a batch of segments; index slots and records are on their way to the cache together. */
void flow_table_seek(struct flow_table *table, const struct segment *segments, size_t count,
                     struct flow_hint *hints);
/* Whether a record is the flow of a segment of which `swapped` is known, with no VLAN to split. */
static inline bool flow_is_of(const struct flow *flow, bool swapped, const struct segment *seg)
{
    return ip_addr_equal(&flow->addr[swapped], &seg->src) &&
           ip_addr_equal(&flow->addr[!swapped], &seg->dst) &&
           flow->port[swapped] == seg->src_port && flow->port[!swapped] == seg->dst_port &&
           flow->tunnel_id == seg->tunnel_id && flow->vlan_split == 0;
}

/* The flow of a key, NULL = none. */
struct flow *flow_table_find(const struct flow_table *table, const struct flow_key *key);
/* A new zeroed flow with the next id under this key; a flow that is already there under it is
 * taken out of the index but keeps its record. */
struct flow *flow_table_insert(struct flow_table *table, const struct flow_key *key);

/* The highest id given; make flows findable by id (once, when no more are inserted); the flow of
 * an id, NULL when it was evicted. */
uint64_t flow_table_last_id(const struct flow_table *table);
void flow_table_sort(struct flow_table *table);
struct flow *flow_table_by_id(const struct flow_table *table, uint64_t id);
/* Bring the flow of an id towards the cache where that costs no search: the next one of a list. */
void flow_table_prefetch(const struct flow_table *table, uint64_t id);
uint64_t flow_table_evictions(const struct flow_table *table);
uint64_t flow_table_count(const struct flow_table *table);

#endif
