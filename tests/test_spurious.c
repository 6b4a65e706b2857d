/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Resends that nothing required, and bytes that only the capture missed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

/* The ACK of three segments is lost on its way, the sender times out and repeats the first; the
 * receiver says with a D-SACK (RFC 2883) that it had it. */
static void test_spurious_by_dsack(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i];
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_data(t, C2S, 3 * 1448);
        trace_wait_path(t);
        /* lost before a tap near the client, after a tap near the server */
        trace_fate(t, taps[i] < 0.5 ? FATE_LOST_UPSTREAM : FATE_LOST_DOWNSTREAM, 1);
        trace_ack(t, S2C);
        trace_wait_ms(t, 300);
        trace_resend(t, C2S, 0, 1448);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_result(t, &flow);
        assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
        assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_RTO], 1);
        assert_int_equal(flow.dir[C2S].spurious_retransmissions, 1);
        assert_int_equal(flow.dir[C2S].dsack_acks, 1);
        assert_int_equal(flow.dir[C2S].lost_downstream_segments, 0);
        assert_int_equal(flow.dir[C2S].bytes, 3 * 1448);
    }
}

/* No SACK.  The path holds a segment for 280 ms; the sender times out at 300 ms, and the ACK
 * that then comes echoes the TSval of the original (Eifel, RFC 3522): the resend was needless. */
static void test_spurious_by_eifel(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.sack = false;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_delay(t, 0, 280 * MS_NS);
    trace_data(t, C2S, 1448);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 0, 1448); /* 300 ms after the original, which arrives at 305 ms */
    trace_wait_ms(t, 6);
    trace_ack(t, S2C);
    trace_wait_ms(t, 20);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_data(t, C2S, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 1);
    assert_int_equal(flow.dir[C2S].lost_downstream_segments, 0);
}

/* The same picture with the original really lost: the ACK echoes the resend's TSval. */
static void test_needed_by_eifel(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.sack = false;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_data(t, C2S, 1448);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 0, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
    assert_int_equal(flow.dir[C2S].lost_downstream_segments, 1);
}

/* Bulk of 400 segments; the capture misses five of them.  They were delivered and acknowledged:
 * a gap of the capture, no loss, no resend, and the analysis goes on behind it. */
static void test_capture_gap(void **state)
{
    static const struct trace_loss missed[] = {
        {50, FATE_NOT_CAPTURED},  {120, FATE_NOT_CAPTURED}, {121, FATE_NOT_CAPTURED},
        {250, FATE_NOT_CAPTURED}, {330, FATE_NOT_CAPTURED},
    };
    static const double taps[] = {0, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct trace_options options = trace_defaults();
        struct trace_bulk_options bulk = {
            .from = C2S, .segments = 400, .cwnd_segments = 30, .losses = missed, .loss_count = 5};

        options.tap = taps[i];
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_bulk(t, &bulk, NULL);
        trace_result(t, &flow);
        assert_int_equal(flow.dir[C2S].gap_bytes, 5 * 1448);
        assert_int_equal(flow.dir[C2S].bytes, 395 * 1448);
        assert_int_equal(flow.dir[C2S].stream_bytes, 400 * 1448);
        assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
        assert_int_equal(flow.dir[C2S].lost_upstream_segments, 0);
        assert_int_equal(flow.dir[C2S].lost_downstream_segments, 0);
        assert_int_equal(flow.dir[C2S].loss_events, 0);
        assert_int_equal(flow.dir[C2S].data_segments, 395);
    }
}

/* The capture hands out one segment 80 ms late, after the ACK that covers it: late, not a gap. */
static void test_gap_filled_later(void **state)
{
    struct trace *t = trace_new(NULL);
    struct trace_bulk_options bulk = {.from = C2S, .segments = 100, .cwnd_segments = 10};
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_data(t, C2S, 1448);
    t->packets[t->count - 1].tap_ns += 80 * MS_NS;
    trace_data(t, C2S, 3 * 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_wait_ms(t, 100);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
    assert_int_equal(flow.dir[C2S].bytes, 204 * 1448);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].reordered_segments, 1);
}

/* ACKs that the capture missed leave no mark on the data. */
static void test_missed_acks(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int i = 0; i < 20; i++) {
        trace_data(t, C2S, 4 * 1448);
        trace_wait_path(t);
        if (i % 3 == 0)
            trace_fate(t, FATE_NOT_CAPTURED, 1);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, 80 * 1448);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
    assert_in_range(flow.dir[C2S].rtt.min_ns, 50 * MS_NS, 50300 * US_NS);
    assert_true(flow.dir[C2S].rtt.max_ns < 51 * MS_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spurious_by_dsack),
        cmocka_unit_test(test_spurious_by_eifel),
        cmocka_unit_test(test_needed_by_eifel),
        cmocka_unit_test(test_capture_gap),
        cmocka_unit_test(test_gap_filled_later),
        cmocka_unit_test(test_missed_acks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
