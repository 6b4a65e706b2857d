/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Where the time went: each trace is made so that one owner has most of it.  That the owners'
 * times sum to the elapsed time is asserted for every flow of every trace (trace_check.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

static double share(const struct direction_result *dir, enum limit limit)
{
    return 100.0 * (double)dir->limit_ns[limit] / (double)dir->elapsed_ns;
}

static void assert_close(double a, double b, double part)
{
    double difference = a > b ? a - b : b - a;

    assert_true(difference <= part * (a > b ? a : b));
}

/* 1,200 segments at RTT 280 ms against a window of 24,820 bytes, with timestamps or without. */
static void run_window_limited(double tap, bool timestamps, struct flow_result *flow)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = S2C, .segments = 1200};

    options.rtt_ns = 280 * MS_NS;
    options.tap = tap;
    options.timestamps = timestamps;
    options.wind_shift[C2S] = 0;
    options.window_bytes[C2S] = 24820;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, flow);
}

/* The receiver's window is the limit, and all numbers are the same at any tap. */
static void test_window_limited_at_every_tap(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result first, flow;

    (void)state;
    for (int with = 1; with >= 0; with--) {
        run_window_limited(0, with, &first);
        for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
            run_window_limited(taps[i], with, &flow);
            const struct direction_result *dir = &flow.dir[S2C], *one = &first.dir[S2C];

            assert_true(share(dir, LIMIT_RWND) >= 90);
            assert_close(share(dir, LIMIT_RWND), share(one, LIMIT_RWND), 0.02);
            assert_close((double)dir->elapsed_ns, (double)one->elapsed_ns, 0.02);
            assert_close((double)dir->rtt.min_ns, (double)one->rtt.min_ns, 0.02);
            assert_close((double)dir->rtt.p50_ns, (double)one->rtt.p50_ns, 0.02);
            assert_close((double)dir->flight_max_bytes, (double)one->flight_max_bytes, 0.02);
            assert_close((double)dir->window_full_ns, (double)one->window_full_ns, 0.02);
            assert_int_equal(dir->rwnd_max_bytes, 24820);
            assert_int_equal(dir->bytes, one->bytes);
        }
    }
}

/* First data to last acknowledgment at the sender: 10 rounds of one segment, 50 ms each, and
 * nothing else. */
static void test_elapsed_at_every_tap(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i];
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        for (int round = 0; round < 10; round++) {
            trace_data(t, C2S, 1448);
            trace_wait_path(t);
            trace_ack(t, S2C);
            trace_wait_path(t);
        }
        trace_result(t, &flow);
        assert_in_range(flow.dir[C2S].elapsed_ns, 499 * MS_NS, 502 * MS_NS);
    }
}

/* 12,000 bytes every 80 ms: the program is the limit. */
static void test_application_limited(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int i = 0; i < 100; i++) {
        trace_data(t, C2S, 12000);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_ms(t, 55);
    }
    trace_result(t, &flow);
    assert_true(share(&flow.dir[C2S], LIMIT_APP) >= 90);
    assert_true(share(&flow.dir[C2S], LIMIT_RWND) == 0);
}

/* A large window and 3 MB at RTT 280 ms: the doubling from 10 segments is all there is. */
static void test_slow_start(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 2000};
    struct flow_result flow;

    (void)state;
    options.rtt_ns = 280 * MS_NS;
    options.window_bytes[S2C] = 4 << 20;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_true(share(&flow.dir[C2S], LIMIT_SLOW_START) >= 75);
    assert_in_range(flow.dir[C2S].initial_window_bytes, 10 * 1448, 10 * 1448);
}

/* Two time-outs of 1 s and 2 s in a transfer of under 4 s. */
static void test_time_outs(void **state)
{
    struct trace *t = trace_new(NULL);
    struct trace_bulk_options bulk = {.from = C2S, .segments = 100, .cwnd_segments = 10};
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 3);
    trace_data(t, C2S, 2 * 1448);
    trace_wait_ms(t, 1000);
    trace_resend(t, C2S, 100 * 1448, 1448);
    trace_wait_ms(t, 2000);
    trace_resend(t, C2S, 100 * 1448, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_resend(t, C2S, 101 * 1448, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_RTO], 3);
    assert_true(flow.dir[C2S].limit_ns[LIMIT_RTO] >= 2900 * MS_NS);
    assert_true(flow.dir[C2S].limit_ns[LIMIT_RTO] <= 3200 * MS_NS);
}

/* 40 requests of 100 bytes, each answered with 8,192 bytes 20 ms after it came: the answers wait
 * for requests and for the program, not for the network's limits. */
static void test_request_response(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.tap = 1;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    for (int i = 0; i < 40; i++) {
        trace_data(t, C2S, 100);
        trace_wait_path(t);
        trace_wait_ms(t, 20);
        trace_data(t, S2C, 8192);
        trace_wait_path(t);
        trace_ack(t, C2S);
    }
    trace_result(t, &flow);
    assert_true(share(&flow.dir[S2C], LIMIT_TURN) + share(&flow.dir[S2C], LIMIT_THINK) +
                    share(&flow.dir[S2C], LIMIT_APP) >= 90);
    assert_true(share(&flow.dir[S2C], LIMIT_TURN) >= 40);
    assert_true(share(&flow.dir[S2C], LIMIT_RWND) == 0);
}

/* A flow without data has no time to divide. */
static void test_no_data(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_fin(t, C2S);
    trace_wait_path(t);
    trace_fin(t, S2C);
    trace_wait_path(t);
    trace_ack(t, C2S);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].elapsed_ns, 0);
    assert_int_equal(flow.dir[S2C].elapsed_ns, 0);
    assert_true(flow.dir[C2S].first_data_ns == NS_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window_limited_at_every_tap),
        cmocka_unit_test(test_elapsed_at_every_tap),
        cmocka_unit_test(test_application_limited),
        cmocka_unit_test(test_slow_start),
        cmocka_unit_test(test_time_outs),
        cmocka_unit_test(test_request_response),
        cmocka_unit_test(test_no_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
