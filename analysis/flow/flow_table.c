#include "analysis/flow/flow_table.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "analysis/flow/flow_hash.h"
#include "xmalloc.h"

/* Records a chunk of the arena: untouched memory costs nothing. */
#define CHUNK_FLOWS 32768u
/* A huge page where the system has them: with many flows the walk to a page costs as much as the
 * line.  The first one is left to small pages, so that few flows stay small. */
#define HUGE_PAGE ((size_t)2 << 20)
#define FIRST_SLOTS 1024u
#define EVICT_SAMPLE 8u

/* hash: place and check in one, so that the index grows without a look at the records; index:
 * record number + 1, 0 = empty, SLOT_GONE = deleted. */
struct slot {
    uint32_t hash, index;
};
#define SLOT_GONE UINT32_MAX

/* While a table has at most so many flows, where their last segments led to is looked up first. */
#define RECENT_FLOWS 64u
#define RECENT 1024u

/* A direction seen before: check tells it from others, as far as a hint must. */
struct recent {
    uint32_t check;
    bool swapped;
    struct flow *flow;
};

struct flow_table {
    struct slot *slots;
    void *slots_allocated; /* what slots was aligned from */
    uint64_t mask;
    uint64_t used;     /* slots not empty, deleted ones included */
    struct flow **chunks;
    void **allocated;  /* what chunks[] was aligned from */
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
    struct flow_hash hash;
    uint64_t recent_until; /* next_id that recent[] holds for */
    struct recent recent[RECENT];
};

/* Zeroed memory on huge pages where the system has them, from `small` bytes on; *allocated receives
 * what is to be freed. */
static void *zeroed(size_t bytes, size_t small, void **allocated)
{
    if (bytes < HUGE_PAGE)
        return *allocated = xcalloc(1, bytes);
    char *start = *allocated = xcalloc(1, bytes + HUGE_PAGE);
    start += HUGE_PAGE - (uintptr_t)start % HUGE_PAGE;
    madvise(start + small, bytes - small, MADV_HUGEPAGE); /* only advice */
    return start;
}

/* Steele, Lea and Flood 2014. */
static uint64_t splitmix(uint64_t *state)
{
    uint64_t word = *state += 0x9e3779b97f4a7c15ULL;

    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ word >> 27) * 0x94d049bb133111ebULL;
    return word ^ word >> 31;
}

/* Random multipliers.  Where the system has no random bytes yet they come of the seed, an address:
 * still not the attacker's to know. */
static void draw_multipliers(struct flow_hash *hash, uint64_t seed)
{
    uint64_t words[sizeof *hash / sizeof(uint64_t)];

    if (getrandom(words, sizeof words, GRND_NONBLOCK) != (ssize_t)sizeof words)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            words[i] = splitmix(&seed);
    memcpy(hash, words, sizeof words);
}

struct flow_table *flow_table_new(uint64_t max_flows, flow_evicted *evicted, void *context)
{
    struct flow_table *table = xcalloc(1, sizeof *table);

    draw_multipliers(&table->hash, (uint64_t)(uintptr_t)table);
    table->slots = zeroed(FIRST_SLOTS * sizeof *table->slots, 0, &table->slots_allocated);
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
        free(table->allocated[i]);
    free(table->allocated);
    free(table->chunks);
    free(table->by_id);
    free(table->slots_allocated);
    free(table);
}

static inline struct flow *record(const struct flow_table *table, uint32_t index)
{
    return &table->chunks[(index - 1) / CHUNK_FLOWS][(index - 1) % CHUNK_FLOWS];
}

static void key_hash(const struct flow_table *table, struct flow_key *key)
{
    const struct ip_addr *low = &key->addr[0], *high = &key->addr[1];
    struct flow_hash_rest rest = {(uint32_t)key->port[0] | (uint32_t)key->port[1] << 16,
                                  key->tunnel_id, key->vlan_split};

    key->hash = ip_addr_is_v4(low) && ip_addr_is_v4(high)
                    ? flow_hash_v4(&table->hash, low, high, rest)
                    : flow_hash_v6(&table->hash, low, high, rest);
}

static inline uint64_t load_order(const uint8_t *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return be64toh(word);
}

/* Whether a segment's source is the higher endpoint: by address, then by port. */
static inline bool endpoint_after(const struct segment *seg)
{
    for (int i = 0; i < 16; i += 8) {
        uint64_t src = load_order(seg->src.bytes + i), dst = load_order(seg->dst.bytes + i);
        if (src != dst)
            return src > dst;
    }
    return seg->src_port > seg->dst_port;
}

void flow_key_of(const struct flow_table *table, const struct segment *seg, struct flow_key *key)
{
    bool swapped = endpoint_after(seg);

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

/* Hash of a segment's key, and whether its source is the higher endpoint. */
static inline uint32_t segment_hash(const struct flow_table *table, const struct segment *seg,
                                    bool *swapped)
{
    struct flow_key key;
    uint32_t src, dst;

    if (seg->ip_version != 4) {
        flow_key_of(table, seg, &key);
        *swapped = key.swapped;
        return key.hash;
    }
    memcpy(&src, seg->src.bytes + 12, sizeof src);
    memcpy(&dst, seg->dst.bytes + 12, sizeof dst);
    bool after = src != dst ? be32toh(src) > be32toh(dst) : seg->src_port > seg->dst_port;
    uint32_t ports = after ? (uint32_t)seg->dst_port | (uint32_t)seg->src_port << 16
                           : (uint32_t)seg->src_port | (uint32_t)seg->dst_port << 16;
    *swapped = after;
    return flow_hash_v4(&table->hash, after ? &seg->dst : &seg->src, after ? &seg->src : &seg->dst,
                        (struct flow_hash_rest){ports, seg->tunnel_id, 0});
}

/* The record that a hash most likely is. */
static inline struct flow *likely_record(const struct flow_table *table, uint32_t hash)
{
    for (uint64_t i = hash & table->mask;; i = (i + 1) & table->mask) {
        const struct slot *slot = &table->slots[i];
        if (slot->index == 0)
            return NULL;
        if (slot->hash == hash && slot->index != SLOT_GONE)
            return record(table, slot->index);
    }
}

static void seek(const struct flow_table *table, const struct segment *seg,
                        struct flow_hint *hint)
{
    hint->hash = segment_hash(table, seg, &hint->swapped);
    hint->flow = likely_record(table, hint->hash);
}

/* Whether the last four bytes of the addresses and the ports are the whole key. */
static inline bool is_simple(const struct segment *seg)
{
    return seg->ip_version == 4 && seg->tunnel_id == 0;
}

/* Hints while few flows are in use: what a direction led to last time, by a product of its own.  A
 * new flow may have taken the place of another, so that all begins anew then. */
static void seek_recent(struct flow_table *table, const struct segment *segments, size_t count,
                        struct flow_hint *hints)
{
    const uint64_t *m = table->hash.v4;

    if (table->recent_until != table->next_id) {
        memset(table->recent, 0, sizeof table->recent);
        table->recent_until = table->next_id;
    }
    for (size_t i = 0; i < count; i++) {
        const struct segment *seg = &segments[i];
        const uint32_t ports = (uint32_t)seg->src_port << 16 | seg->dst_port;
        const uint64_t product = m[0] * flow_hash_character(seg->src.bytes + 12) +
                                 m[1] * flow_hash_character(seg->dst.bytes + 12) + m[2] * ports;
        const uint32_t check = (uint32_t)(product >> 32);
        struct recent *recent = &table->recent[(product >> 24) % RECENT];

        if (recent->check == check && recent->flow != NULL && is_simple(seg)) {
            hints[i].flow = recent->flow;
            hints[i].swapped = recent->swapped;
            continue;
        }
        seek(table, seg, &hints[i]);
        if (is_simple(seg))
            *recent = (struct recent){check, hints[i].swapped, hints[i].flow};
    }
}

void flow_table_seek(struct flow_table *table, const struct segment *segments, size_t count,
                     struct flow_hint *hints)
{
    if (table->count <= RECENT_FLOWS) {
        seek_recent(table, segments, count, hints);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        hints[i].hash = segment_hash(table, &segments[i], &hints[i].swapped);
        __builtin_prefetch(&table->slots[hints[i].hash & table->mask]);
    }
    for (size_t i = 0; i < count; i++) {
        struct flow *flow = hints[i].flow = likely_record(table, hints[i].hash);

        if (flow == NULL)
            continue;
        __builtin_prefetch(flow);
        __builtin_prefetch(&flow->half[C2S]);
        __builtin_prefetch(&flow->half[S2C]);
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
    for (uint64_t i = key->hash & table->mask;; i = (i + 1) & table->mask) {
        struct slot *slot = &table->slots[i];
        if (slot->index == 0)
            return NULL;
        if (slot->hash == key->hash && slot->index != SLOT_GONE &&
            same_key(record(table, slot->index), key))
            return slot;
    }
}

struct flow *flow_table_find(const struct flow_table *table, const struct flow_key *key)
{
    const struct slot *slot = find_slot(table, key);

    return slot == NULL ? NULL : record(table, slot->index);
}

static void place(struct flow_table *table, uint32_t hash, uint32_t index)
{
    uint64_t i = hash & table->mask;

    while (table->slots[i].index != 0 && table->slots[i].index != SLOT_GONE)
        i = (i + 1) & table->mask;
    table->used += table->slots[i].index == 0;
    table->slots[i].hash = hash;
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
    void *old_allocated = table->slots_allocated;
    uint64_t old_mask = table->mask, live = 0;

    for (uint64_t i = 0; i <= old_mask; i++)
        live += old[i].index != 0 && old[i].index != SLOT_GONE;
    uint64_t size = FIRST_SLOTS;
    while (size < live * 2 + 2)
        size *= 2;
    table->slots = zeroed(size * sizeof *table->slots, 0, &table->slots_allocated);
    table->mask = size - 1;
    table->used = 0;
    for (uint64_t i = 0; i <= old_mask; i++) {
        if (old[i].index == 0 || old[i].index == SLOT_GONE)
            continue;
        place(table, old[i].hash, old[i].index);
    }
    free(old_allocated);
}

/* How little would be lost with a flow, then how long it has been idle: higher goes first. */
static bool evict_before(const struct flow *a, const struct flow *b)
{
    /* only the first line of each record is touched: a flood evicts at every packet */
    int a_data = a->marks & FLOW_HAS_DATA, b_data = b->marks & FLOW_HAS_DATA;

    if (a_data != b_data)
        return a_data == 0;
    return a->last_ns < b->last_ns;
}

/* Free the record of the least valuable of the next few flows under the clock hand. */
static uint32_t evict(struct flow_table *table)
{
    uint32_t victim = 0;

    for (uint32_t i = 0; i < EVICT_SAMPLE; i++) {
        table->hand = table->hand % table->records + 1;
        /* the record that the next eviction will look at */
        __builtin_prefetch(record(table, (table->hand + EVICT_SAMPLE) % table->records + 1));
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

/* Add a chunk of zeroed records. */
static void add_chunk(struct flow_table *table)
{
    const size_t bytes = CHUNK_FLOWS * sizeof(struct flow);
    uint32_t n = table->chunk_count++;

    table->chunks = xreallocarray(table->chunks, n + 1, sizeof *table->chunks);
    table->allocated = xreallocarray(table->allocated, n + 1, sizeof *table->allocated);
    table->chunks[n] = zeroed(bytes, n == 0 ? HUGE_PAGE : 0, &table->allocated[n]);
}

/* Number of a record that is all zero. */
static uint32_t new_record(struct flow_table *table)
{
    if (table->count >= table->max_flows) {
        uint32_t index = evict(table);
        memset(record(table, index), 0, sizeof(struct flow));
        return index;
    }
    if (table->records == table->chunk_count * CHUNK_FLOWS)
        add_chunk(table);
    return ++table->records;
}

struct flow *flow_table_insert(struct flow_table *table, const struct flow_key *key)
{
    struct slot *slot = find_slot(table, key);
    uint32_t index = new_record(table);
    struct flow *flow = record(table, index);

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

void flow_table_prefetch(const struct flow_table *table, uint64_t id)
{
    if (table->evictions > 0 || id >= table->next_id)
        return;
    const char *start = (const char *)record(table, (uint32_t)id);
    for (size_t at = 0; at < sizeof(struct flow); at += 64)
        __builtin_prefetch(start + at);
}

uint64_t flow_table_evictions(const struct flow_table *table)
{
    return table->evictions;
}

uint64_t flow_table_count(const struct flow_table *table)
{
    return table->count;
}
