/* The kind of a frame captured twice, segment by segment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/copies.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)
#define START ((int64_t)1700000000 * 1000000000)

/* A data segment of 1,448 bytes as one interface saw it. */
static struct segment data_segment(void)
{
    struct segment seg = {
        .time_ns = START,
        .src_port = 40000,
        .dst_port = 20,
        .seq = 1000,
        .ack = 500,
        .payload_bytes = 1448,
        .flags = TCP_ACK,
        .wnd = 500,
        .checksum = 0x1234,
        .ip_id = 77,
        .interface = 1,
        .ip_version = 4,
        .ttl = 64,
        .link_hash = 0xabc,
        .opt = {.present = TCP_OPT_TIMESTAMPS, .ts_val = 9000, .ts_ecr = 8000},
    };

    return seg;
}

static enum copy_kind second_of(const struct segment *first, const struct segment *second,
                                int64_t min_rtt_ns)
{
    struct copies copies = {0};

    assert_int_equal(copies_check(&copies, first, min_rtt_ns), COPY_NONE);
    return copies_check(&copies, second, min_rtt_ns);
}

/* Every field that a resend or another packet would change makes it no copy: among them the IP ID
 * and TSval of a retransmission with the same sequence number. */
static void test_other_packets(void **state)
{
    (void)state;
    for (int field = 0; field < 10; field++) {
        struct segment first = data_segment(), other = first;
        other.time_ns += 10 * US;
        switch (field) {
        case 0: other.seq++; break;
        case 1: other.ack++; break;
        case 2: other.payload_bytes--; break;
        case 3: other.flags |= TCP_PSH; break;
        case 4: other.wnd++; break;
        case 5: other.ip_id++; break;
        case 6: other.opt.ts_val++; break;
        case 7: other.opt.ts_ecr++; break;
        case 8: other.src.bytes[15]++; break;
        default: other.src_port++; break;
        }
        assert_int_equal(second_of(&first, &other, NS_UNKNOWN), COPY_NONE);
    }
}

/* A checksum may be damaged or left to the adapter on one of two ways: it counts only where there
 * is no IP ID to tell packets apart. */
static void test_checksum(void **state)
{
    struct segment first = data_segment(), second = first;

    (void)state;
    second.checksum++;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_MIRROR);
    first.ip_id = second.ip_id = 0;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_NONE);
    second.checksum--;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_MIRROR);
}

/* On one link a copy comes within min(2 ms, RTT/8), 500 us while the RTT is not known; later the
 * same IP ID says that the network made two of it. */
static void test_mirror_times(void **state)
{
    static const struct {
        int64_t lag_ns, min_rtt_ns;
        enum copy_kind kind;
    } rows[] = {
        {0, NS_UNKNOWN, COPY_MIRROR},
        {500 * US, NS_UNKNOWN, COPY_MIRROR},
        {501 * US, NS_UNKNOWN, COPY_NETWORK},
        {2 * MS, 50 * MS, COPY_MIRROR},
        {2 * MS + 1, 50 * MS, COPY_NETWORK},
        {100 * US, 800 * US, COPY_MIRROR},
        {101 * US, 800 * US, COPY_NETWORK},
        {-400 * US, NS_UNKNOWN, COPY_MIRROR}, /* two taps' clocks: the copy is stamped earlier */
        {-501 * US, NS_UNKNOWN, COPY_NETWORK},
        {1250 * US, 10 * MS, COPY_MIRROR},
        {1251 * US, 10 * MS, COPY_NETWORK},
        {1000 * MS, 50 * MS, COPY_NETWORK},
        {1000 * MS + 1, 50 * MS, COPY_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct segment first = data_segment(), second = first;
        second.time_ns += rows[i].lag_ns;
        assert_int_equal(second_of(&first, &second, rows[i].min_rtt_ns), rows[i].kind);
    }
}

/* Without an IP ID (IPv6) a late twin may be a resend within one tick: no copy. */
static void test_late_twin_without_ip_id(void **state)
{
    struct segment first = data_segment(), second;

    (void)state;
    first.ip_id = 0;
    first.ip_version = 6;
    second = first;
    second.time_ns += 3 * MS;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_NONE);
    second.time_ns = first.time_ns + 1 * MS;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_MIRROR);
}

/* What differs says how it came to be captured twice; 900 ms of delay do not matter then. */
static void test_kinds(void **state)
{
    struct segment first = data_segment(), second = first;

    (void)state;
    second.time_ns += 900 * MS;
    second.ttl = 63;
    second.link_hash = 0xdef;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_ROUTED);
    second.ttl = 64; /* a bridge or a proxy ARP: other MAC, same TTL */
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_ROUTED);
    second.interface = 2;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_INTERFACE);
    second.interface = 1;
    second.source = 1;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_INTERFACE);
    second.vlan = 100;
    second.vlan_depth = 1;
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_VLAN);
    second.time_ns = first.time_ns + 1001 * MS; /* a sequence space come round, not a copy */
    assert_int_equal(second_of(&first, &second, 50 * MS), COPY_NONE);
}

/* Three captures of one packet: both later ones are copies of the first. */
static void test_third_copy(void **state)
{
    struct copies copies = {0};
    struct segment seg = data_segment();

    (void)state;
    assert_int_equal(copies_check(&copies, &seg, 50 * MS), COPY_NONE);
    seg.time_ns += 100 * US;
    assert_int_equal(copies_check(&copies, &seg, 50 * MS), COPY_MIRROR);
    seg.ttl = 63;
    assert_int_equal(copies_check(&copies, &seg, 50 * MS), COPY_ROUTED);
    assert_int_equal(copies.next, 1);
    assert_int_equal(copies.data_frames, 3);
    assert_int_equal(copies.data_copies, 2);
}

/* Duplicate ACKs without IP ID are alike bit for bit: they are copies only where a quarter of the
 * data is copied as well. */
static void test_duplicate_acks_are_no_copies(void **state)
{
    struct copies copies = {0};
    struct segment ack = data_segment();

    (void)state;
    ack.payload_bytes = 0;
    ack.ip_id = 0;
    for (int i = 0; i < 5; i++) {
        struct segment data = data_segment();
        data.seq += 1448 * (uint32_t)i;
        assert_int_equal(copies_check(&copies, &data, 50 * MS), COPY_NONE);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(copies_check(&copies, &ack, 50 * MS), COPY_NONE);
    for (int i = 0; i < 2; i++) { /* 2 of 7 data frames are copies: 29 % */
        struct segment data = data_segment();
        data.seq += 1448 * (uint32_t)i;
        assert_int_equal(copies_check(&copies, &data, 50 * MS), COPY_MIRROR);
    }
    assert_int_equal(copies_check(&copies, &ack, 50 * MS), COPY_MIRROR);
}

/* The memory is COPIES_MEMORY segments: the copy of the 32nd last is known, the 33rd is not. */
static void test_memory(void **state)
{
    struct copies copies = {0};
    struct segment seg = data_segment();

    (void)state;
    for (uint32_t i = 0; i <= COPIES_MEMORY; i++) {
        seg.seq = 1000 + 1448 * i;
        assert_int_equal(copies_check(&copies, &seg, 50 * MS), COPY_NONE);
    }
    seg.seq = 1000 + 1448;
    assert_int_equal(copies_check(&copies, &seg, 50 * MS), COPY_MIRROR);
    seg.seq = 1000;
    assert_int_equal(copies_check(&copies, &seg, 50 * MS), COPY_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_packets),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_mirror_times),
        cmocka_unit_test(test_late_twin_without_ip_id),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_third_copy),
        cmocka_unit_test(test_duplicate_acks_are_no_copies),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
