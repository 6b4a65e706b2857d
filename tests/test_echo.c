/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* A sender whose TSecr stays that of the handshake (RFC 1323 section 3.4 to the letter): what it has
 * seen must be told by the window and by time, the same as without timestamps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

/* Rounds of ten segments through a window of `window` bytes, each acknowledged as a whole. */
static void run(double tap, uint32_t window, bool stuck, struct flow_result *flow)
{
    struct trace_options options = trace_defaults();
    uint32_t echo = 0;

    options.tap = tap;
    options.window_bytes[S2C] = window;
    struct trace *t = trace_new(&options);
    trace_handshake(t);
    for (int round = 0; round < 120; round++) {
        for (int i = 0; i < 10; i++) {
            struct segment *seg = trace_frame(t, C2S, 1448);
            echo = round == 0 && i == 0 ? seg->opt.ts_ecr : echo;
            if (stuck)
                seg->opt.ts_ecr = echo;
        }
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, flow);
}

/* Ten segments in flight, never more than the window of 20. */
static void test_window_tells(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        run(taps[i], 20 * 1448, false, &flow);
        assert_int_equal(flow.dir[C2S].flight_max_bytes, 10 * 1448);
        run(taps[i], 20 * 1448, true, &flow);
        assert_true(flow.dir[C2S].flight_max_bytes <= 21 * 1448);
        assert_true(flow.dir[C2S].flight_mean_bytes <= 10 * 1448);
        assert_int_equal(flow.dir[C2S].loss_events, 0);
    }
}

/* A window that is never met: after a second and two time-outs of RTT 50 ms (1.5 s, 30 rounds) time
 * tells. */
static void test_time_tells(void **state)
{
    struct flow_result flow;

    (void)state;
    run(0, 1 << 20, true, &flow);
    assert_true(flow.dir[C2S].flight_max_bytes <= 45 * 10 * 1448);
    assert_true(flow.dir[C2S].rounds > 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_window_tells),
                                       cmocka_unit_test(test_time_tells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
