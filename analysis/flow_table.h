/* From a five-tuple to its struct flow: 8-byte slots of an open-addressing index under a keyed
 * hash, pointing into an arena of records that never move (so that pointers and prefetches stay
 * good while the index grows).  Bounded: past max_flows the idlest of a sample is evicted. */
#ifndef TCPWHY_ANALYSIS_FLOW_TABLE_H
#define TCPWHY_ANALYSIS_FLOW_TABLE_H

#include <stdbool.h>

#include "analysis/flow.h"

struct flow_table;

/* Key of a segment in canonical order, with its hash. */
struct flow_key {
    struct ip_addr addr[2];
    uint16_t port[2];
    uint32_t tunnel_id;
    uint16_t vlan_split;
    bool swapped; /* the segment's source is addr[1] */
    uint64_t hash;
};

/* Called for a flow about to be evicted, so that its results can be counted. */
typedef void flow_evicted(void *context, struct flow *flow);

struct flow_table *flow_table_new(uint64_t max_flows, flow_evicted *evicted, void *context);
void flow_table_free(struct flow_table *table);

/* Fill *key from a segment. */
void flow_key_of(const struct flow_table *table, const struct segment *seg, struct flow_key *key);
/* The same key on a VLAN of its own. */
void flow_key_split(const struct flow_table *table, uint16_t vlan, struct flow_key *key);

/* Bring the slot of a hash towards the cache; then, once it is there, the record that it most
 * likely is (the key is not compared), NULL = none. */
void flow_table_prefetch_slot(const struct flow_table *table, const struct flow_key *key);
struct flow *flow_table_prefetch_record(const struct flow_table *table,
                                        const struct flow_key *key);

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
uint64_t flow_table_evictions(const struct flow_table *table);
uint64_t flow_table_count(const struct flow_table *table);

#endif
