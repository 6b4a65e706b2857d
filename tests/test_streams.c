/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* The two byte streams of a connection: wrap, forged segments, the end and what comes after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

static void exchange(struct trace *t, enum direction from, uint32_t bytes)
{
    trace_data(t, from, bytes);
    trace_wait_path(t);
    trace_ack(t, from == C2S ? S2C : C2S);
    trace_wait_path(t);
}

/* The sequence number passes 2^32 in the middle of a burst. */
static void test_sequence_wrap(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 200, .cwnd_segments = 20};
    struct flow_result flow;

    (void)state;
    options.isn[C2S] = 0xffffff00u;
    options.isn[S2C] = 0xffffffffu;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, 200 * 1448);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
}

/* More than 2^32 bytes: 75,000 frames of 60,000 bytes, 4.5 GB. */
static void test_past_4_gib(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.mss = 60012;
    options.rtt_ns = MS_NS;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    for (int i = 0; i < 75000 / 15; i++)
        exchange(t, C2S, 15 * 60000);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, UINT64_C(4500000000));
    assert_int_equal(flow.dir[C2S].stream_bytes, UINT64_C(4500000000));
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].data_segments, 75000);
}

/* The client closes, the server goes on sending and is acknowledged. */
static void test_half_close(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    exchange(t, C2S, 100);
    trace_fin(t, C2S);
    trace_wait_path(t);
    trace_ack(t, S2C);
    for (int i = 0; i < 10; i++)
        exchange(t, S2C, 4 * 1448);
    trace_fin(t, S2C);
    trace_wait_path(t);
    trace_ack(t, C2S);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, 100);
    assert_int_equal(flow.dir[S2C].bytes, 40 * 1448);
    assert_int_equal(flow.dir[S2C].late_segments, 0);
    assert_int_equal(flow.state, FLOW_CLOSED);
}

/* A second SYN-ACK with an ISN 10^9 away; the client acknowledges the first one's. */
static void test_second_syn_ack(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    for (int forged_first = 0; forged_first < 2; forged_first++) {
        struct trace *t = trace_new(&options);

        trace_syn(t, C2S);
        trace_wait_path(t);
        for (int i = 0; i < 2; i++) {
            bool forged = (i == 0) == (forged_first != 0);

            trace_fate(t, forged ? FATE_LOST_DOWNSTREAM : FATE_DELIVERED, 1);
            trace_syn_ack(t);
            if (forged)
                t->packets[t->count - 1].seg.seq += 1000000000;
            trace_wait_us(t, 50);
        }
        trace_wait_path(t);
        trace_ack(t, C2S);
        exchange(t, C2S, 3000);
        exchange(t, S2C, 5000);
        trace_result(t, &flow);
        assert_int_equal(flow.dir[S2C].bytes, 5000);
        assert_int_equal(flow.dir[S2C].stream_bytes, 5000);
        assert_int_equal(flow.dir[S2C].gap_bytes, 0);
        assert_int_equal(flow.dir[C2S].bytes, 3000);
    }
}

/* A forged reset far outside the window changes nothing and is counted. */
static void test_reset_outside_window(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    exchange(t, C2S, 3000);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_rst(t, S2C)->seq += 1000000000;
    for (int i = 0; i < 5; i++)
        exchange(t, C2S, 3000);
    trace_fin(t, C2S);
    trace_wait_path(t);
    trace_fin(t, S2C);
    trace_wait_path(t);
    trace_ack(t, C2S);
    trace_result(t, &flow);
    assert_int_equal(flow.rst_ignored, 1);
    assert_int_equal(flow.state, FLOW_CLOSED);
    assert_int_equal(flow.dir[C2S].bytes, 18000);
    assert_int_equal(flow.dir[C2S].late_segments, 0);
    assert_int_equal(flow.dir[S2C].bytes, 0);
    assert_int_equal(flow.dir[S2C].gap_bytes, 0);
}

/* A forged data segment far outside the window: counted, no byte of the stream. */
static void test_implausible_data(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    exchange(t, C2S, 3000);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_send(t, C2S, TCP_ACK | TCP_PSH, 1500000000, 1000);
    for (int i = 0; i < 5; i++)
        exchange(t, C2S, 3000);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].implausible_segments, 1);
    assert_int_equal(flow.dir[C2S].bytes, 18000);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
}

/* The client resets; what the server had on the way arrives later and is not believed. */
static void test_late_data_after_reset(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    exchange(t, S2C, 4 * 1448);
    trace_rst(t, C2S);
    trace_wait_us(t, 100);
    trace_data(t, S2C, 3 * 1448);
    trace_result(t, &flow);
    assert_int_equal(flow.state, FLOW_RESET);
    assert_true(flow.dir[C2S].rst);
    assert_int_equal(flow.dir[S2C].late_segments, 3);
    assert_int_equal(flow.dir[S2C].bytes, 4 * 1448);
}

/* Data behind its own FIN: 1,000 bytes that the stream does not have. */
static void test_late_data_after_fin(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    exchange(t, C2S, 3000);
    trace_fin(t, C2S);
    trace_wait_path(t);
    trace_fin(t, S2C);
    trace_wait_path(t);
    trace_ack(t, C2S);
    trace_wait_ms(t, 10);
    trace_send(t, C2S, TCP_ACK | TCP_PSH, 3001, 1000);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].late_segments + flow.dir[C2S].implausible_segments, 1);
    assert_int_equal(flow.dir[C2S].bytes, 3000);
    assert_int_equal(flow.state, FLOW_CLOSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence_wrap),
        cmocka_unit_test(test_past_4_gib),
        cmocka_unit_test(test_half_close),
        cmocka_unit_test(test_second_syn_ack),
        cmocka_unit_test(test_reset_outside_window),
        cmocka_unit_test(test_implausible_data),
        cmocka_unit_test(test_late_data_after_reset),
        cmocka_unit_test(test_late_data_after_fin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
