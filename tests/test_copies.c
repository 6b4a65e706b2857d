/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Frames captured twice: counted by kind, and nothing else changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

#define SEGMENTS 3000

/* 3,000 x 1,448 bytes, RTT 50 ms, loss-free, every frame captured twice; the simulated receiver
 * sends one ACK for two segments. */
static void run_copied(enum trace_copy copy, int64_t delay_ns, struct trace_findings *found)
{
    struct trace *t = trace_new(NULL);
    struct trace_bulk_options bulk = {.from = C2S, .segments = SEGMENTS, .cwnd_segments = 40};

    trace_copy_all(t, copy, delay_ns);
    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_analyze(&t, 1, found);
    trace_free(t);
    assert_int_equal(found->flow_count, 1);
}

/* What must be so whatever the kind of copy: the flow is the one without copies. */
static void check_copied(const struct trace_findings *found)
{
    const struct direction_result *dir = &found->flows[0].dir[C2S];

    assert_int_equal(dir->data_segments, SEGMENTS);
    assert_int_equal(dir->bytes, SEGMENTS * 1448);
    assert_int_equal(dir->retransmitted_segments, 0);
    assert_int_equal(dir->spurious_retransmissions, 0);
    assert_int_equal(dir->reordered_segments, 0);
    assert_int_equal(dir->network_duplicates, 0);
    assert_int_equal(dir->dup_acks, 0);
    assert_int_equal(dir->loss_events, 0);
    /* 1,500 ACKs for data; SYN and handshake may add two */
    assert_in_range(dir->rtt.samples, 1498, 1504);
    assert_in_range(dir->rtt.min_ns, 50 * MS_NS, 50300 * US_NS);
    /* SYN, ACK and data of the client; SYN-ACK and ACKs of the server */
    assert_int_equal(dir->duplicate_frames, SEGMENTS + 2);
    assert_int_equal(found->flows[0].dir[S2C].duplicate_frames, 1501);
    assert_int_equal(found->counts.duplicate_frames, SEGMENTS + 2 + 1501);
}

static void test_mirrored_both_ways(void **state)
{
    struct trace_findings found;

    (void)state;
    run_copied(COPY_MIRROR, 50 * US_NS, &found);
    check_copied(&found);
    assert_int_equal(found.counts.duplicate_mirror, found.counts.duplicate_frames);
}

/* A router that the capture sees on both sides: TTL one less, other MAC addresses, 200 us later;
 * or 3 ms later, when a whole burst of 40 segments stands between a packet and its copy. */
static void test_routed_copies(void **state)
{
    struct trace_findings found;

    (void)state;
    run_copied(COPY_ROUTED, 200 * US_NS, &found);
    check_copied(&found);
    assert_int_equal(found.counts.duplicate_routed, found.counts.duplicate_frames);
}

static void test_routed_copies_behind_a_burst(void **state)
{
    struct trace_findings found;

    (void)state;
    run_copied(COPY_ROUTED, 3 * MS_NS, &found);
    check_copied(&found);
    assert_int_equal(found.counts.duplicate_routed, found.counts.duplicate_frames);
}

static void test_vlan_copies(void **state)
{
    struct trace_findings found;

    (void)state;
    run_copied(COPY_VLAN, 20 * US_NS, &found);
    check_copied(&found);
    assert_int_equal(found.counts.duplicate_vlan, found.counts.duplicate_frames);
}

/* Capturing on all interfaces shows a forwarded frame on each. */
static void test_interface_copies(void **state)
{
    struct trace_findings found;

    (void)state;
    run_copied(COPY_INTERFACE, 30 * US_NS, &found);
    check_copied(&found);
    assert_int_equal(found.counts.duplicate_interface, found.counts.duplicate_frames);
}

/* Without IP IDs (0, as IPv6) the checksum, TSval and length still tell mirror copies. */
static void test_mirrored_without_ip_id(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 400, .cwnd_segments = 40};
    struct flow_result flow;

    (void)state;
    options.ip_id[C2S] = options.ip_id[S2C] = IP_ID_ZERO;
    struct trace *t = trace_new(&options);

    trace_copy_all(t, COPY_MIRROR, 50 * US_NS);
    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].dup_acks, 0);
    assert_int_equal(flow.dir[C2S].duplicate_frames, 402);
}

/* A resend after a time-out repeats the bytes; its IP ID is the next one: no copy. */
static void test_resend_is_no_copy(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_data(t, C2S, 1448);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 0, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].duplicate_frames, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].retransmitted_bytes, 1448);
    assert_int_equal(flow.dir[C2S].bytes, 1448);
}

/* The same when a host sends IP ID 0 throughout and no timestamps: the two frames are equal to
 * the last bit, and only the 300 ms between them say that it is not the mirror. */
static void test_equal_resend_is_no_copy(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.timestamps = false;
    options.ip_id[C2S] = IP_ID_ZERO;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_frame(t, C2S, 1460);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 0, 1460);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].duplicate_frames, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
}

/* The network delivers one packet twice, 20 ms apart: same IP ID and TSval, too late for a
 * mirror, sooner than any resend, and the receiver reports it with a D-SACK. */
static void test_network_duplicate(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.tap = 1;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_data(t, C2S, 4 * 1448);
    trace_duplicate_last(t, 20 * MS_NS);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_ms(t, 20);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_data(t, C2S, 4 * 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].network_duplicates, 1);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
    assert_int_equal(flow.dir[C2S].duplicate_frames, 0);
    assert_int_equal(flow.dir[C2S].dsack_acks, 1);
}

/* Three equal ACKs of a receiver are duplicate ACKs, not copies: each has its own IP ID. */
static void test_dup_acks_are_no_copies(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.sack = false;
    options.timestamps = false;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_data(t, C2S, 1460);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_data(t, C2S, 4 * 1460);
    trace_wait_path(t);
    for (int i = 0; i < 3; i++) {
        trace_ack(t, S2C);
        trace_wait_us(t, 12);
    }
    trace_wait_path(t);
    trace_resend(t, C2S, 1460, 1460);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].dup_acks, 3);
    assert_int_equal(flow.dir[S2C].duplicate_frames, 0);
    assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_FAST], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirrored_both_ways),
        cmocka_unit_test(test_routed_copies),
        cmocka_unit_test(test_routed_copies_behind_a_burst),
        cmocka_unit_test(test_vlan_copies),
        cmocka_unit_test(test_interface_copies),
        cmocka_unit_test(test_mirrored_without_ip_id),
        cmocka_unit_test(test_resend_is_no_copy),
        cmocka_unit_test(test_equal_resend_is_no_copy),
        cmocka_unit_test(test_network_duplicate),
        cmocka_unit_test(test_dup_acks_are_no_copies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
