/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Segments that ask rather than carry: keep-alives and window probes, and what looks like them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

static void exchange(struct trace *t, uint32_t bytes)
{
    trace_data(t, C2S, bytes);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
}

/* Idle connection; every 75 s one segment at SND.NXT-1, empty (RFC 9293 section 3.8.4) or with one
 * garbage byte, answered by an ACK. */
static void test_keep_alives(void **state)
{
    struct flow_result flow;

    (void)state;
    for (uint32_t garbage = 0; garbage < 2; garbage++) {
        struct trace *t = trace_new(NULL);

        trace_handshake(t);
        exchange(t, 4000);
        for (int i = 0; i < 3; i++) {
            trace_wait_ms(t, 75000);
            trace_send(t, C2S, TCP_ACK, 3999, garbage);
            trace_wait_path(t);
            trace_ack(t, S2C);
            trace_wait_path(t);
        }
        exchange(t, 1000);
        trace_result(t, &flow);
        assert_int_equal(flow.dir[C2S].keep_alives, 3);
        assert_int_equal(flow.dir[C2S].window_probes, 0);
        assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
        assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
        assert_int_equal(flow.dir[C2S].dup_acks, 0);
        assert_int_equal(flow.dir[C2S].bytes, 5000);
    }
}

/* One byte not acknowledged and sent again 300 ms later: data is outstanding, no keep-alive. */
static void test_one_byte_retransmission(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    exchange(t, 4000);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_data(t, C2S, 1);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 4000, 1);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].keep_alives, 0);
    assert_int_equal(flow.dir[C2S].window_probes, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].bytes, 4001);
}

/* The ACK of one byte passed the tap and was lost after it; the sender repeats the byte 300 ms
 * later.  It stands at A-1 like a keep-alive, but so soon it is a needless resend. */
static void test_one_byte_after_lost_ack(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.tap = 1;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    exchange(t, 4000);
    trace_data(t, C2S, 1);
    trace_wait_path(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_ack(t, S2C);
    trace_wait_ms(t, 275);
    trace_resend(t, C2S, 4000, 1);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].keep_alives, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 1);
}

/* Typing: one byte every 100 ms, each acknowledged. */
static void test_one_byte_writes(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int i = 0; i < 30; i++) {
        exchange(t, 1);
        trace_wait_ms(t, 50);
    }
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, 30);
    assert_int_equal(flow.dir[C2S].data_segments, 30);
    assert_int_equal(flow.dir[C2S].keep_alives, 0);
    assert_int_equal(flow.dir[C2S].window_probes, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
}

static struct trace *make_closed_window(void)
{
    struct trace_options options = trace_defaults();

    options.wind_shift[S2C] = 0;
    options.window_bytes[S2C] = 8 * 1448;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_data(t, C2S, 8 * 1448);
    trace_wait_path(t);
    trace_window(t, S2C, 0);
    trace_ack(t, S2C);
    trace_wait_path(t);
    return t;
}

static void open_and_finish(struct trace *t)
{
    trace_window(t, S2C, 8 * 1448);
    trace_ack(t, S2C);
    trace_wait_path(t);
}

/* Linux: an empty segment at SND.UNA-1 after 200, 400, 800 and 1,600 ms.  No keep-alive: the
 * peer's window is 0. */
static void test_probes_below_the_edge(void **state)
{
    struct trace *t = make_closed_window();
    struct flow_result flow;

    (void)state;
    for (int64_t backoff_ms = 200; backoff_ms <= 1600; backoff_ms *= 2) {
        trace_wait_ms(t, backoff_ms);
        trace_send(t, C2S, TCP_ACK, 8 * 1448 - 1, 0);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    open_and_finish(t);
    exchange(t, 8 * 1448);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].window_probes, 4);
    assert_int_equal(flow.dir[C2S].keep_alives, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].zero_window_episodes, 1);
    assert_int_equal(flow.dir[C2S].bytes, 16 * 1448);
}

/* BSD and Solaris: the next byte is offered beyond the window (RFC 9293 section 3.8.6.1); the
 * receiver refuses it until it has room.  Persistence repeats the byte: probes, not resends; nor is
 * the full segment one that begins with this byte once the window is open. */
static void test_probes_beyond_the_edge(void **state)
{
    struct trace *t = make_closed_window();
    struct flow_result flow;

    (void)state;
    for (int64_t backoff_ms = 500; backoff_ms <= 4000; backoff_ms *= 2) {
        trace_wait_ms(t, backoff_ms);
        trace_fate(t, FATE_LOST_DOWNSTREAM, 1); /* arrives and is not taken */
        trace_send(t, C2S, TCP_ACK, 8 * 1448, 1);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    open_and_finish(t);
    exchange(t, 8 * 1448);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].window_probes, 4);
    assert_int_equal(flow.dir[C2S].keep_alives, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
    assert_int_equal(flow.dir[C2S].loss_events, 0);
    assert_int_equal(flow.dir[C2S].bytes, 16 * 1448);
}

/* The probe's byte is taken at last and acknowledged: it is stream data, once. */
static void test_probe_accepted(void **state)
{
    struct trace *t = make_closed_window();
    struct flow_result flow;

    (void)state;
    trace_wait_ms(t, 500);
    trace_frame(t, C2S, 1);
    trace_wait_path(t);
    trace_window(t, S2C, 8 * 1448);
    trace_ack(t, S2C);
    trace_wait_path(t);
    exchange(t, 8 * 1448);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].window_probes, 1);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].bytes, 16 * 1448 + 1);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keep_alives),
        cmocka_unit_test(test_one_byte_retransmission),
        cmocka_unit_test(test_one_byte_after_lost_ack),
        cmocka_unit_test(test_one_byte_writes),
        cmocka_unit_test(test_probes_below_the_edge),
        cmocka_unit_test(test_probes_beyond_the_edge),
        cmocka_unit_test(test_probe_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
