#include "analysis/flow_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "analysis/siphash.h"
#include "xmalloc.h"

#define CHUNK_FLOWS 1024u /* records a chunk of the arena */
#define FIRST_SLOTS 1024u
#define EVICT_SAMPLE 16u

/* tag: high half of the hash; index: record number + 1, 0 = empty, SLOT_GONE = deleted. */
struct slot {
    uint32_t tag, index;
};
#define SLOT_GONE UINT32_MAX

struct flow_table {
    uint64_t key[2];
    struct slot *slots;
    uint64_t mask;
    uint64_t used;     /* slots not empty, deleted ones included */
    struct flow **chunks;
    uint32_t chunk_count;
    uint32_t records;  /* ever handed out */
    uint64_t count;    /* in use */
    uint64_t max_flows;
    uint64_t next_id;
    uint32_t hand;     /* of the eviction clock */
    uint64_t evictions;
    struct flow **by_id; /* records in order of id, once sorted */
    flow_evicted *evicted;
    void *context;
};

struct flow_table *flow_table_new(uint64_t max_flows, flow_evicted *evicted, void *context)
{
    struct flow_table *table = xcalloc(1, sizeof *table);

    if (getrandom(table->key, sizeof table->key, GRND_NONBLOCK) != (ssize_t)sizeof table->key)
        table->key[0] = (uint64_t)(uintptr_t)table; /* still not the attacker's to know */
    table->slots = xcalloc(FIRST_SLOTS, sizeof *table->slots);
    table->mask = FIRST_SLOTS - 1;
    table->max_flows = max_flows < SLOT_GONE - 1 ? max_flows : SLOT_GONE - 2;
    table->next_id = 1;
    table->evicted = evicted;
    table->context = context;
    return table;
}

void flow_table_free(struct flow_table *table)
{
    if (table == NULL)
        return;
    for (uint32_t i = 0; i < table->chunk_count; i++)
        free(table->chunks[i]);
    free(table->chunks);
    free(table->by_id);
    free(table->slots);
    free(table);
}

static inline struct flow *record(const struct flow_table *table, uint32_t index)
{
    return &table->chunks[(index - 1) / CHUNK_FLOWS][(index - 1) % CHUNK_FLOWS];
}

static void key_hash(const struct flow_table *table, struct flow_key *key)
{
    uint64_t words[6];

    memcpy(words, key->addr, 32);
    words[4] = (uint64_t)key->port[0] | (uint64_t)key->port[1] << 16 |
               (uint64_t)key->tunnel_id << 32;
    words[5] = key->vlan_split;
    if (ip_addr_is_v4(&key->addr[0]) && ip_addr_is_v4(&key->addr[1])) { /* the prefix is fixed */
        words[0] = words[1] >> 32 | (words[3] & 0xffffffff00000000u);
        words[1] = words[4];
        key->hash = siphash_words(table->key, words, key->vlan_split != 0 ? 6 : 2);
        return;
    }
    key->hash = siphash_words(table->key, words, 6);
}

void flow_key_of(const struct flow_table *table, const struct segment *seg, struct flow_key *key)
{
    int order = memcmp(&seg->src, &seg->dst, sizeof seg->src);
    bool swapped = order > 0 || (order == 0 && seg->src_port > seg->dst_port);

    key->addr[swapped] = seg->src;
    key->addr[!swapped] = seg->dst;
    key->port[swapped] = seg->src_port;
    key->port[!swapped] = seg->dst_port;
    key->tunnel_id = seg->tunnel_id;
    key->vlan_split = 0;
    key->swapped = swapped;
    key_hash(table, key);
}

void flow_key_split(const struct flow_table *table, uint16_t vlan, struct flow_key *key)
{
    key->vlan_split = (uint16_t)(vlan + 1);
    key_hash(table, key);
}

void flow_table_prefetch_slot(const struct flow_table *table, const struct flow_key *key)
{
    __builtin_prefetch(&table->slots[key->hash & table->mask]);
}

const struct flow *flow_table_prefetch_record(const struct flow_table *table,
                                              const struct flow_key *key)
{
    uint32_t tag = (uint32_t)(key->hash >> 32);

    for (uint64_t i = key->hash & table->mask;; i = (i + 1) & table->mask) {
        const struct slot *slot = &table->slots[i];
        if (slot->index == 0)
            return NULL;
        if (slot->tag == tag && slot->index != SLOT_GONE) {
            const struct flow *flow = record(table, slot->index);
            __builtin_prefetch(flow);
            __builtin_prefetch(&flow->half[C2S]);
            __builtin_prefetch(&flow->half[S2C]);
            return flow;
        }
    }
}

static bool same_key(const struct flow *flow, const struct flow_key *key)
{
    return memcmp(flow->addr, key->addr, sizeof key->addr) == 0 && flow->port[0] == key->port[0] &&
           flow->port[1] == key->port[1] && flow->tunnel_id == key->tunnel_id &&
           flow->vlan_split == key->vlan_split;
}

/* Slot that holds the key, or NULL. */
static struct slot *find_slot(const struct flow_table *table, const struct flow_key *key)
{
    uint32_t tag = (uint32_t)(key->hash >> 32);

    for (uint64_t i = key->hash & table->mask;; i = (i + 1) & table->mask) {
        struct slot *slot = &table->slots[i];
        if (slot->index == 0)
            return NULL;
        if (slot->tag == tag && slot->index != SLOT_GONE &&
            same_key(record(table, slot->index), key))
            return slot;
    }
}

struct flow *flow_table_find(const struct flow_table *table, const struct flow_key *key)
{
    const struct slot *slot = find_slot(table, key);

    return slot == NULL ? NULL : record(table, slot->index);
}

static void place(struct flow_table *table, uint64_t hash, uint32_t index)
{
    uint64_t i = hash & table->mask;

    while (table->slots[i].index != 0 && table->slots[i].index != SLOT_GONE)
        i = (i + 1) & table->mask;
    table->used += table->slots[i].index == 0;
    table->slots[i].tag = (uint32_t)(hash >> 32);
    table->slots[i].index = index;
}

static void record_key(const struct flow_table *table, const struct flow *flow,
                       struct flow_key *key)
{
    memcpy(key->addr, flow->addr, sizeof key->addr);
    memcpy(key->port, flow->port, sizeof key->port);
    key->tunnel_id = flow->tunnel_id;
    key->vlan_split = flow->vlan_split;
    key_hash(table, key);
}

/* Rebuild the index when more than half of it is used; deleted slots go. */
static void grow(struct flow_table *table)
{
    struct slot *old = table->slots;
    uint64_t old_mask = table->mask, live = 0;

    for (uint64_t i = 0; i <= old_mask; i++)
        live += old[i].index != 0 && old[i].index != SLOT_GONE;
    uint64_t size = FIRST_SLOTS;
    while (size < live * 2 + 2)
        size *= 2;
    table->slots = xcalloc(size, sizeof *table->slots);
    table->mask = size - 1;
    table->used = 0;
    for (uint64_t i = 0; i <= old_mask; i++) {
        if (old[i].index == 0 || old[i].index == SLOT_GONE)
            continue;
        struct flow_key key;
        record_key(table, record(table, old[i].index), &key);
        place(table, key.hash, old[i].index);
    }
    free(old);
}

/* How little would be lost with a flow, then how long it has been idle: higher goes first. */
static bool evict_before(const struct flow *a, const struct flow *b)
{
    bool a_data = a->half[C2S].data_segments + a->half[S2C].data_segments > 0;
    bool b_data = b->half[C2S].data_segments + b->half[S2C].data_segments > 0;

    if (a_data != b_data)
        return !a_data;
    return a->last_ns < b->last_ns;
}

/* Free the record of the least valuable of the next few flows under the clock hand. */
static uint32_t evict(struct flow_table *table)
{
    uint32_t victim = 0;

    for (uint32_t i = 0; i < EVICT_SAMPLE; i++) {
        table->hand = table->hand % table->records + 1;
        if (victim == 0 || evict_before(record(table, table->hand), record(table, victim)))
            victim = table->hand;
    }
    struct flow *flow = record(table, victim);
    table->evicted(table->context, flow);
    struct flow_key key;
    record_key(table, flow, &key);
    struct slot *slot = find_slot(table, &key);
    if (slot != NULL && slot->index == victim)
        slot->index = SLOT_GONE;
    table->evictions++;
    table->count--;
    return victim;
}

static uint32_t new_record(struct flow_table *table)
{
    if (table->count >= table->max_flows)
        return evict(table);
    if (table->records == table->chunk_count * CHUNK_FLOWS) {
        table->chunks =
            xreallocarray(table->chunks, table->chunk_count + 1, sizeof *table->chunks);
        void *chunk = NULL;
        if (posix_memalign(&chunk, 64, CHUNK_FLOWS * sizeof(struct flow)) != 0)
            chunk = xcalloc(CHUNK_FLOWS, sizeof(struct flow));
        table->chunks[table->chunk_count++] = chunk;
    }
    return ++table->records;
}

struct flow *flow_table_insert(struct flow_table *table, const struct flow_key *key)
{
    struct slot *slot = find_slot(table, key);
    uint32_t index = new_record(table);
    struct flow *flow = record(table, index);

    memset(flow, 0, sizeof *flow);
    memcpy(flow->addr, key->addr, sizeof flow->addr);
    memcpy(flow->port, key->port, sizeof flow->port);
    flow->tunnel_id = key->tunnel_id;
    flow->vlan_split = key->vlan_split;
    flow->id = (uint32_t)table->next_id++;
    flow->half[C2S].leg_ns = flow->half[S2C].leg_ns = NS_UNKNOWN;
    table->count++;
    if (slot != NULL && slot->index != SLOT_GONE) {
        slot->index = index;
        return flow;
    }
    if ((table->used + 1) * 2 > table->mask + 1)
        grow(table);
    place(table, key->hash, index);
    return flow;
}

uint64_t flow_table_last_id(const struct flow_table *table)
{
    return table->next_id - 1;
}

static int compare_ids(const void *a, const void *b)
{
    const struct flow *const *x = a, *const *y = b;

    return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

/* Records are filled in order of id until the first eviction; after that they must be sorted to
 * be found by id. */
void flow_table_sort(struct flow_table *table)
{
    if (table->evictions == 0)
        return;
    free(table->by_id);
    table->by_id = xcalloc(table->records, sizeof *table->by_id);
    for (uint32_t i = 0; i < table->records; i++)
        table->by_id[i] = record(table, i + 1);
    qsort(table->by_id, table->records, sizeof *table->by_id, compare_ids);
}

struct flow *flow_table_by_id(const struct flow_table *table, uint64_t id)
{
    if (table->evictions == 0)
        return id == 0 || id >= table->next_id ? NULL : record(table, (uint32_t)id);
    uint32_t low = 0, high = table->by_id == NULL ? 0 : table->records;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->by_id[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->records && table->by_id != NULL && table->by_id[low]->id == id
               ? table->by_id[low]
               : NULL;
}

uint64_t flow_table_evictions(const struct flow_table *table)
{
    return table->evictions;
}

uint64_t flow_table_count(const struct flow_table *table)
{
    return table->count;
}
