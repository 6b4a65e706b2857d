/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Packets out of order, acknowledgments before their data: no loss, no retransmission. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

#define SEGMENTS 3000

/* 3,000 x 1,448 bytes, RTT 50 ms, loss-free; every 100th segment comes 10 ms late to the tap. */
static struct trace *make_reordered(struct trace_options *options, bool handshake)
{
    struct trace_bulk_options bulk = {
        .from = C2S,
        .segments = SEGMENTS,
        .cwnd_segments = 40,
        .reorder_every = 100,
        .reorder_ns = 10 * MS_NS,
        .ignore_holes = true,
    };
    struct trace *t = trace_new(options);

    if (handshake)
        trace_handshake(t);
    else
        trace_begin_established(t, 500000, 300);
    trace_bulk(t, &bulk, NULL);
    return t;
}

static void check_thirty(const struct flow_result *flow)
{
    const struct direction_result *dir = &flow->dir[C2S];

    assert_int_equal(dir->reordered_segments, 30);
    assert_int_equal(dir->retransmitted_segments, 0);
    assert_int_equal(dir->spurious_retransmissions, 0);
    assert_int_equal(dir->loss_events, 0);
    assert_int_equal(dir->gap_bytes, 0);
    assert_int_equal(dir->bytes, UINT64_C(1448) * SEGMENTS);
}

static void test_with_and_without_syn(void **state)
{
    struct flow_result flow;

    (void)state;
    for (int handshake = 1; handshake >= 0; handshake--) {
        struct trace_options options = trace_defaults();

        trace_result(make_reordered(&options, handshake), &flow);
        check_thirty(&flow);
    }
}

/* The tap's place does not matter. */
static void test_at_every_tap(void **state)
{
    static const double taps[] = {0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i];
        trace_result(make_reordered(&options, true), &flow);
        check_thirty(&flow);
    }
}

/* No IP ID, no timestamps: physics alone.  A hole filled 10 ms after it was seen, with an RTT of
 * 50 ms, cannot have been filled by a resend that it caused. */
static void test_by_physics_alone(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.timestamps = false;
    options.mss = 1448;
    options.ip_id[C2S] = options.ip_id[S2C] = IP_ID_ZERO;
    trace_result(make_reordered(&options, true), &flow);
    check_thirty(&flow);
}

/* Reordered beyond the tap: the tap sees good order and only the receiver's SACKs tell. */
static void test_reordered_after_the_tap(void **state)
{
    struct trace_bulk_options bulk = {
        .from = C2S,
        .segments = 1000,
        .cwnd_segments = 40,
        .reorder_every = 100,
        .reorder_ns = 10 * MS_NS,
        .reorder_after_tap = true,
        .ignore_holes = true,
    };
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].reordered_segments, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].lost_downstream_segments, 0);
    assert_true(flow.dir[C2S].sack_acks >= 10);
}

/* The two directions were captured with clocks 51 ms apart and an RTT of 50 ms: every ACK stands
 * before the data that it acknowledges.  Nothing was lost or sent twice. */
static void test_ack_clock_early(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = SEGMENTS, .cwnd_segments = 40};
    struct flow_result flow;

    (void)state;
    options.skew_ns[S2C] = -51 * MS_NS;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
    assert_int_equal(flow.dir[C2S].reordered_segments, 0);
    assert_int_equal(flow.dir[C2S].bytes, UINT64_C(1448) * SEGMENTS);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
}

/* A mirror port hands out the ACK 100 us before the data at the receiver's side. */
static void test_mirror_order(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 600, .cwnd_segments = 20};
    struct flow_result flow;

    (void)state;
    options.tap = 1;
    options.skew_ns[S2C] = -100 * US_NS;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, 600 * 1448);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].reordered_segments, 0);
}

/* Reordering deep enough for a fast retransmit: three segments SACKed above the late one.  The
 * resend was needless, the original was reordered: one spurious, none lost. */
static void test_reordering_causes_spurious_resend(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_delay(t, 0, 30 * MS_NS);
    trace_data(t, C2S, 5 * 1448);
    trace_wait_path(t);
    for (int i = 0; i < 4; i++) {
        trace_ack(t, S2C);
        trace_wait_us(t, 12);
    }
    trace_wait_path(t);
    trace_resend(t, C2S, 0, 1448);
    trace_wait_ms(t, 6); /* the late original arrives and everything is acknowledged */
    trace_ack(t, S2C);
    trace_wait_ms(t, 20); /* the resend arrives: D-SACK */
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_data(t, C2S, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 1);
    assert_int_equal(flow.dir[C2S].dsack_acks, 1);
    assert_int_equal(flow.dir[C2S].lost_downstream_segments, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_and_without_syn),
        cmocka_unit_test(test_at_every_tap),
        cmocka_unit_test(test_by_physics_alone),
        cmocka_unit_test(test_reordered_after_the_tap),
        cmocka_unit_test(test_ack_clock_early),
        cmocka_unit_test(test_mirror_order),
        cmocka_unit_test(test_reordering_causes_spurious_resend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
