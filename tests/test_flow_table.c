/* The flow table: keys, identity, eviction, and its bounds under a flood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/flow/flow_table.h"

/* The flood is smaller where every access is checked. */
#ifdef __SANITIZE_ADDRESS__
#define FLOOD_KEYS 500000u
#else
#define FLOOD_KEYS 3000000u
#endif

struct evictions {
    uint64_t count, last_id, with_data;
};

static void note_eviction(void *context, struct flow *flow)
{
    struct evictions *seen = context;

    seen->count++;
    seen->last_id = flow->id;
    seen->with_data += (flow->marks & FLOW_HAS_DATA) != 0;
}

/* A segment 10.a.b.c:port -> 192.0.2.1:21, a.b.c being the low 24 bits of host. */
static struct segment segment_of(uint32_t host, uint16_t port)
{
    uint8_t from[4] = {10, (uint8_t)(host >> 16), (uint8_t)(host >> 8), (uint8_t)host};
    uint8_t to[4] = {192, 0, 2, 1};
    struct segment seg = {.ip_version = 4, .src_port = port, .dst_port = 21};

    seg.src = ip_addr_from_v4(from);
    seg.dst = ip_addr_from_v4(to);
    return seg;
}

static struct flow_key key_of(const struct flow_table *table, uint32_t host, uint16_t port)
{
    struct segment seg = segment_of(host, port);
    struct flow_key key;

    flow_key_of(table, &seg, &key);
    return key;
}

static struct flow *insert(struct flow_table *table, uint32_t host, int64_t last_ns)
{
    struct flow_key key = key_of(table, host, 1024);
    struct flow *flow = flow_table_insert(table, &key);

    flow->last_ns = last_ns;
    return flow;
}

static struct flow *find(const struct flow_table *table, uint32_t host)
{
    struct flow_key key = key_of(table, host, 1024);

    return flow_table_find(table, &key);
}

/* Both directions of a connection have one key; swapped tells them apart. */
static void test_key_is_canonical(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct segment seg = segment_of(7, 40000), back = seg;
    struct flow_key key, reverse;

    (void)state;
    back.src = seg.dst;
    back.dst = seg.src;
    back.src_port = seg.dst_port;
    back.dst_port = seg.src_port;
    flow_key_of(table, &seg, &key);
    flow_key_of(table, &back, &reverse);
    assert_memory_equal(key.addr, reverse.addr, sizeof key.addr);
    assert_int_equal(key.port[0], 40000); /* 10.0.0.7 is below 192.0.2.1 */
    assert_int_equal(key.port[1], 21);
    assert_int_equal(reverse.port[0], 40000);
    assert_true(key.hash == reverse.hash);
    assert_false(key.swapped);
    assert_true(reverse.swapped);
    flow_table_free(table);
}

/* A host that talks to itself: the ports give the order. */
static void test_key_of_one_address(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct segment seg = segment_of(7, 40000);
    struct flow_key key;

    (void)state;
    seg.dst = seg.src;
    flow_key_of(table, &seg, &key);
    assert_true(key.swapped);
    assert_int_equal(key.port[0], 21);
    assert_int_equal(key.port[1], 40000);
    flow_table_free(table);
}

/* Every part of a key tells flows apart: address, ports, tunnel, VLAN when split. */
static void test_key_parts(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct segment seg[5];
    struct flow_key key;
    struct flow *flows[5];

    (void)state;
    for (int i = 0; i < 5; i++)
        seg[i] = segment_of(7, 40000);
    seg[1] = segment_of(8, 40000);
    seg[2].src_port = 40001;
    seg[3].dst_port = 22;
    seg[4].tunnel_id = 1;
    for (int i = 0; i < 5; i++) {
        flow_key_of(table, &seg[i], &key);
        assert_null(flow_table_find(table, &key));
        flows[i] = flow_table_insert(table, &key);
        assert_int_equal(flows[i]->id, i + 1);
    }
    for (int i = 0; i < 5; i++) {
        flow_key_of(table, &seg[i], &key);
        assert_ptr_equal(flow_table_find(table, &key), flows[i]);
    }
    assert_int_equal(flow_table_count(table), 5);
    flow_table_free(table);
}

/* One five-tuple on two VLANs: a split key is another flow; VLAN 0 split is not the plain key. */
static void test_key_split(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct flow_key plain = key_of(table, 7, 40000), split = plain, split_zero = plain;

    (void)state;
    struct flow *flow = flow_table_insert(table, &plain);
    flow_key_split(table, 100, &split);
    flow_key_split(table, 0, &split_zero);
    assert_int_equal(split.vlan_split, 101);
    assert_null(flow_table_find(table, &split));
    assert_null(flow_table_find(table, &split_zero));
    struct flow *sibling = flow_table_insert(table, &split);
    assert_ptr_equal(flow_table_find(table, &split), sibling);
    assert_ptr_equal(flow_table_find(table, &plain), flow);
    assert_int_equal(sibling->vlan_split, 101);
    assert_int_equal(flow->vlan_split, 0);
    flow_table_free(table);
}

/* Each table draws its own key, so that nobody can prepare flows of one slot. */
static void test_hash_differs_by_table(void **state)
{
    struct flow_table *one = flow_table_new(100, note_eviction, NULL);
    struct flow_table *two = flow_table_new(100, note_eviction, NULL);
    int same = 0;

    (void)state;
    for (uint32_t host = 0; host < 100; host++)
        same += key_of(one, host, 1024).hash == key_of(two, host, 1024).hash;
    assert_int_equal(same, 0);
    flow_table_free(one);
    flow_table_free(two);
}

/* IPv6 addresses of ::/64 look like mapped IPv4 in their first eight bytes only: bytes 8 to 11
 * count as well, else anyone could send flows of one hash. */
static void test_hash_of_low_ipv6(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct segment seg = {.ip_version = 6, .src_port = 40000, .dst_port = 21};
    uint64_t hash = 0;

    (void)state;
    seg.dst.bytes[15] = 1;
    for (uint8_t i = 0; i < 100; i++) {
        struct flow_key key;
        seg.src.bytes[9] = i;
        seg.src.bytes[15] = 2;
        flow_key_of(table, &seg, &key);
        assert_true(i == 0 || key.hash != hash);
        hash = key.hash;
    }
    flow_table_free(table);
}

/* A new record is all zero but for its key, its id and the unknown legs. */
static void test_insert_gives_a_fresh_record(void **state)
{
    struct evictions seen = {0};
    struct flow_table *table = flow_table_new(1, note_eviction, &seen);
    struct flow *flow = insert(table, 1, 5);

    (void)state;
    flow->marks = FLOW_ENDED;
    flow->half[S2C].data_segments = 9;
    flow->half[S2C].snd_nxt = 77;
    flow = insert(table, 2, 6); /* the only record is used again */
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last_id, 1);
    assert_int_equal(flow->id, 2);
    assert_int_equal(flow->marks, 0);
    assert_int_equal(flow->half[S2C].data_segments, 0);
    assert_int_equal(flow->half[S2C].snd_nxt, 0);
    assert_true(flow->half[C2S].leg_ns == NS_UNKNOWN && flow->half[S2C].leg_ns == NS_UNKNOWN);
    assert_null(flow->detail);
    assert_null(find(table, 1));
    assert_ptr_equal(find(table, 2), flow);
    flow_table_free(table);
}

/* A new connection on a five-tuple in use: the key finds the new one, the old keeps its record. */
static void test_insert_replaces(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct flow *old = insert(table, 1, 5), *fresh = insert(table, 1, 6);

    (void)state;
    assert_ptr_not_equal(old, fresh);
    assert_ptr_equal(find(table, 1), fresh);
    assert_ptr_equal(flow_table_by_id(table, 1), old);
    assert_ptr_equal(flow_table_by_id(table, 2), fresh);
    assert_int_equal(old->last_ns, 5);
    assert_int_equal(flow_table_count(table), 2);
    flow_table_free(table);
}

/* Evicting a flow that was replaced leaves its successor in the index. */
static void test_evict_a_replaced_flow(void **state)
{
    struct evictions seen = {0};
    struct flow_table *table = flow_table_new(2, note_eviction, &seen);

    (void)state;
    insert(table, 1, 5);
    struct flow *fresh = insert(table, 1, 6);
    insert(table, 2, 7);
    assert_int_equal(seen.last_id, 1);
    assert_ptr_equal(find(table, 1), fresh);
    assert_non_null(find(table, 2));
    flow_table_free(table);
}

/* 8 flows fill the sample: those without data go first, the idlest of them before others. */
static void test_evict_order(void **state)
{
    struct evictions seen = {0};
    struct flow_table *table = flow_table_new(8, note_eviction, &seen);
    struct flow *flows[8];

    (void)state;
    for (uint32_t i = 0; i < 8; i++)
        flows[i] = insert(table, i, 1000 - i); /* the later, the idler */
    for (uint32_t i = 4; i < 8; i++)
        flows[i]->marks |= FLOW_HAS_DATA;
    for (uint64_t id = 4; id >= 1; id--) { /* without data: 4 is idlest, 1 the liveliest */
        struct flow *flow = insert(table, 100 + (uint32_t)id, 5000);
        flow->marks |= FLOW_HAS_DATA;
        assert_int_equal(seen.last_id, id);
    }
    for (uint64_t id = 8; id >= 5; id--) { /* then those with data, idlest first */
        struct flow *flow = insert(table, 200 + (uint32_t)id, 5000);
        flow->marks |= FLOW_HAS_DATA;
        assert_int_equal(seen.last_id, id);
    }
    assert_int_equal(seen.count, 8);
    assert_int_equal(seen.with_data, 4);
    assert_int_equal(flow_table_evictions(table), 8);
    assert_int_equal(flow_table_count(table), 8);
    flow_table_free(table);
}

/* Ids before any eviction, and after it once sorted; those evicted, 0 and too high are none. */
static void test_by_id(void **state)
{
    struct evictions seen = {0};
    struct flow_table *table = flow_table_new(3000, note_eviction, &seen);

    (void)state;
    assert_int_equal(flow_table_last_id(table), 0);
    assert_null(flow_table_by_id(table, 1));
    for (uint32_t i = 1; i <= 3000; i++)
        insert(table, i, i);
    flow_table_sort(table);
    for (uint64_t id = 1; id <= 3000; id++)
        assert_int_equal(flow_table_by_id(table, id)->id, id);
    assert_null(flow_table_by_id(table, 0));
    assert_null(flow_table_by_id(table, 3001));
    for (uint32_t i = 3001; i <= 8000; i++)
        insert(table, i, i);
    flow_table_sort(table);
    assert_int_equal(flow_table_last_id(table), 8000);
    uint64_t found = 0;
    for (uint64_t id = 1; id <= 8000; id++) {
        const struct flow *flow = flow_table_by_id(table, id);
        assert_true(flow == NULL || flow->id == id);
        assert_ptr_equal(find(table, (uint32_t)id), flow); /* host = id */
        found += flow != NULL;
    }
    assert_int_equal(found, 3000);
    assert_int_equal(seen.count, 5000);
    assert_null(flow_table_by_id(table, 0));
    assert_null(flow_table_by_id(table, 8001));
    flow_table_free(table);
}

/* Records stay where they are while the index grows through many sizes. */
static void test_records_do_not_move(void **state)
{
    enum { FLOWS = 50000 };
    struct flow_table *table = flow_table_new(FLOWS, note_eviction, NULL);
    struct flow **flows = calloc(FLOWS, sizeof *flows);

    (void)state;
    assert_non_null(flows);
    for (uint32_t i = 0; i < FLOWS; i++)
        flows[i] = insert(table, i, i);
    for (uint32_t i = 0; i < FLOWS; i++) {
        struct segment seg = segment_of(i, 1024);
        struct flow_hint hint;
        flow_table_seek(table, &seg, 1, &hint);
        assert_non_null(hint.flow);
        assert_ptr_equal(find(table, i), flows[i]);
        assert_int_equal(flows[i]->id, i + 1);
    }
    assert_null(find(table, FLOWS));
    assert_int_equal(flow_table_evictions(table), 0);
    free(flows);
    flow_table_free(table);
}

/* A hint has the hash of the key, whichever family and direction. */
static void test_hints_are_of_keys(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct segment segments[4] = {segment_of(7, 40000), segment_of(7, 21)};

    (void)state;
    segments[1].dst = segments[1].src; /* nothing tells the two ends apart */
    segments[2] = segments[0];
    segments[2].src = segments[0].dst;
    segments[2].dst = segments[0].src;
    segments[3] = segments[0];
    segments[3].ip_version = 6;
    segments[3].src.bytes[0] = 0x20;
    for (int i = 0; i < 4; i++) {
        struct flow_key key;
        struct flow_hint hint;
        flow_key_of(table, &segments[i], &key);
        struct flow *flow = flow_table_find(table, &key);
        flow = flow != NULL ? flow : flow_table_insert(table, &key);
        flow_table_seek(table, &segments[i], 1, &hint);
        assert_int_equal(hint.hash, key.hash);
        assert_int_equal(hint.swapped, key.swapped);
        assert_ptr_equal(hint.flow, flow);
        assert_true(flow_is_of(flow, hint.swapped, &segments[i]));
    }
    flow_table_free(table);
}

/* A hint is the flow that has the key now, of the tunnel that the segment is in. */
static void test_hints_follow_the_key(void **state)
{
    struct flow_table *table = flow_table_new(100, note_eviction, NULL);
    struct segment seg = segment_of(7, 40000), tunnelled = seg;
    struct flow_key key;
    struct flow_hint hint;

    (void)state;
    seg.ip_version = tunnelled.ip_version = 4;
    tunnelled.tunnel_id = 5;
    flow_table_seek(table, &seg, 1, &hint);
    assert_null(hint.flow);
    for (int i = 0; i < 2; i++) { /* the second takes the key from the first */
        flow_key_of(table, &seg, &key);
        struct flow *flow = flow_table_insert(table, &key);
        for (int again = 0; again < 3; again++) {
            flow_table_seek(table, &seg, 1, &hint);
            assert_ptr_equal(hint.flow, flow);
            assert_int_equal(hint.swapped, key.swapped);
        }
    }
    flow_key_of(table, &tunnelled, &key);
    struct flow *inner = flow_table_insert(table, &key);
    for (int again = 0; again < 3; again++) {
        flow_table_seek(table, &tunnelled, 1, &hint);
        assert_ptr_equal(hint.flow, inner);
        flow_table_seek(table, &seg, 1, &hint);
        assert_true(hint.flow != NULL && hint.flow != inner);
    }
    flow_table_free(table);
}

/* A SYN flood of 3 million keys against 10,000 flows: never more than 10,000; 100 transfers among
 * them, one in 90 flows, survive: in each sample of 8 there is a flow without data. */
static void test_syn_flood(void **state)
{
    enum { KEYS = FLOOD_KEYS, FLOWS = 10000, KEPT = 100, APART = 90 };
    struct evictions seen = {0};
    struct flow_table *table = flow_table_new(FLOWS, note_eviction, &seen);

    (void)state;
    for (uint32_t i = 0; i < KEYS; i++) {
        struct flow *flow = insert(table, i, i);
        if (i < KEPT * APART && i % APART == 0)
            flow->marks |= FLOW_HAS_DATA;
        if (i % 100000 == 0)
            assert_true(flow_table_count(table) <= FLOWS);
    }
    assert_int_equal(flow_table_count(table), FLOWS);
    assert_int_equal(flow_table_last_id(table), KEYS);
    assert_int_equal(seen.count, KEYS - FLOWS);
    assert_int_equal(flow_table_evictions(table), KEYS - FLOWS);
    assert_int_equal(seen.with_data, 0);
    for (uint32_t i = 0; i < KEPT; i++)
        assert_int_equal(find(table, i * APART)->id, i * APART + 1);
    assert_non_null(find(table, KEYS - 1));
    flow_table_sort(table);
    assert_int_equal(flow_table_by_id(table, 1)->id, 1);
    assert_int_equal(flow_table_by_id(table, KEYS)->id, KEYS);
    flow_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_is_canonical),
        cmocka_unit_test(test_key_of_one_address),
        cmocka_unit_test(test_key_parts),
        cmocka_unit_test(test_key_split),
        cmocka_unit_test(test_hash_differs_by_table),
        cmocka_unit_test(test_hash_of_low_ipv6),
        cmocka_unit_test(test_insert_gives_a_fresh_record),
        cmocka_unit_test(test_insert_replaces),
        cmocka_unit_test(test_evict_a_replaced_flow),
        cmocka_unit_test(test_evict_order),
        cmocka_unit_test(test_by_id),
        cmocka_unit_test(test_records_do_not_move),
        cmocka_unit_test(test_hints_are_of_keys),
        cmocka_unit_test(test_hints_follow_the_key),
        cmocka_unit_test(test_syn_flood),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
