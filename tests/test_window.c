/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* The receiver's window: its scale, with and without the SYN, and the time spent against it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

/* No SYN; window field 2000, scale 5, 40 segments of 1,448 bytes in flight: 57,920 bytes went out
 * against a window of 64,000, so any scale below 5 (32,000 bytes) is impossible. */
static void test_scale_from_flight(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        struct trace_options options = trace_defaults();
        struct trace_bulk_options bulk = {.from = C2S, .segments = 3000, .cwnd_segments = 40};

        options.tap = taps[i];
        options.wind_shift[S2C] = 5;
        options.window_bytes[S2C] = 64000;
        struct trace *t = trace_new(&options);

        trace_begin_established(t, 1000, 0);
        trace_bulk(t, &bulk, NULL);
        trace_result(t, &flow);
        assert_true(flow.dir[C2S].window_scale_source == SCALE_AT_LEAST ||
                    flow.dir[C2S].window_scale_source == SCALE_EXACT);
        assert_int_equal(flow.dir[C2S].window_scale, 5);
        assert_int_equal(flow.dir[C2S].rwnd_max_bytes, 64000);
        assert_false(flow.dir[C2S].syn_seen);
    }
}

/* No SYN, nothing that bounds the scale: unknown, and no number of bytes is given. */
static void test_scale_unknown(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_begin_established(t, 1000, 0);
    trace_data(t, C2S, 100);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    if (flow.dir[C2S].window_scale_source == SCALE_UNKNOWN) {
        assert_int_equal(flow.dir[C2S].window_scale, -1);
        assert_true(flow.dir[C2S].rwnd_max_bytes == BYTES_UNKNOWN);
    } else {
        assert_int_equal(flow.dir[C2S].window_scale_source, SCALE_AT_LEAST);
        assert_int_equal(flow.dir[C2S].window_scale, 0);
    }
}

/* No SYN; 45 segments of 1,448 bytes stand in flight against a steady window of 65,536: only scale 7
 * makes its field of 512 that.  With 20 in flight nothing fits so well. */
static void test_scale_from_full_windows(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace_options options = trace_defaults();
        struct trace_bulk_options bulk = {.from = C2S, .segments = 3000,
                                          .cwnd_segments = i < 3 ? 0 : 20};

        options.tap = taps[i % 3];
        options.window_bytes[S2C] = 65536;
        struct trace *t = trace_new(&options);

        trace_begin_established(t, 1000, 0);
        trace_bulk(t, &bulk, NULL);
        trace_result(t, &flow);
        if (i < 3) {
            assert_int_equal(flow.dir[C2S].window_scale_source, SCALE_EXACT);
            assert_int_equal(flow.dir[C2S].window_scale, 7);
            assert_true(flow.dir[C2S].limit_ns[LIMIT_RWND] * 2 > flow.dir[C2S].elapsed_ns);
        } else {
            assert_int_not_equal(flow.dir[C2S].window_scale_source, SCALE_EXACT);
        }
    }
}

/* No SYN; the program does not read, so the window falls by what is acknowledged: 2,896 bytes an
 * ACK are 181 units of a field with scale 4, twenty times. */
static void test_scale_exact(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.wind_shift[S2C] = 4;
    options.window_bytes[S2C] = 208512; /* 13,032 << 4 */
    struct trace *t = trace_new(&options);

    trace_begin_established(t, 1000, 0);
    for (int i = 0; i < 20; i++) {
        trace_data(t, C2S, 2 * 1448);
        trace_wait_path(t);
        trace_window(t, S2C, 208512 - 2896 * (uint32_t)(i + 1));
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].window_scale_source, SCALE_EXACT);
    assert_int_equal(flow.dir[C2S].window_scale, 4);
    assert_int_equal(flow.dir[C2S].rwnd_max_bytes, 208512 - 2896);
    assert_int_equal(flow.dir[C2S].rwnd_min_bytes, 208512 - 20 * 2896);
}

static void run_window(int client_shift, int server_shift, uint32_t window,
                       struct flow_result *flow)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 100, .cwnd_segments = 10};

    options.wind_shift[C2S] = client_shift;
    options.wind_shift[S2C] = server_shift;
    options.window_bytes[S2C] = window;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, flow);
    assert_int_equal(flow->dir[C2S].window_scale_source, SCALE_OPTION);
}

/* RFC 7323 section 2.2: the window of a SYN is never scaled.  30,000 bytes are 30000 in the
 * SYN-ACK and 234 << 7 = 29,952 afterwards. */
static void test_syn_window_unscaled(void **state)
{
    struct flow_result flow;

    (void)state;
    run_window(7, 7, 30000, &flow);
    assert_int_equal(flow.dir[C2S].window_scale, 7);
    assert_int_equal(flow.dir[C2S].rwnd_syn_bytes, 30000);
    assert_int_equal(flow.dir[C2S].rwnd_max_bytes, 29952);
    assert_int_equal(flow.dir[C2S].rwnd_min_bytes, 29952);
}

/* One SYN without the option: no scaling either way, whatever the other offers. */
static void test_option_on_one_side_only(void **state)
{
    struct flow_result flow;

    (void)state;
    run_window(TRACE_NO_SCALE, 7, 40000, &flow);
    assert_int_equal(flow.dir[C2S].window_scale, 0);
    assert_int_equal(flow.dir[C2S].rwnd_max_bytes, 40000);
    assert_true(flow.dir[S2C].syn_has_wind_shift);
    assert_false(flow.dir[C2S].syn_has_wind_shift);
    run_window(7, TRACE_NO_SCALE, 40000, &flow);
    assert_int_equal(flow.dir[C2S].window_scale, 0);
    assert_int_equal(flow.dir[C2S].rwnd_max_bytes, 40000);
}

/* RFC 7323 section 2.3: a shift above 14 means 14; 64 << 14 is 1 MiB. */
static void test_scale_255(void **state)
{
    struct flow_result flow;

    (void)state;
    run_window(7, 255, 1 << 20, &flow);
    assert_int_equal(flow.dir[C2S].window_scale, 14);
    assert_int_equal(flow.dir[C2S].rwnd_max_bytes, 1 << 20);
}

/* A window of 25,000 bytes holds 17 segments of 1,448 bytes (24,616): the sender is limited by
 * it though it never meets the edge to the byte. */
static void test_full_within_one_segment(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 1200};
    struct flow_result flow;

    (void)state;
    options.wind_shift[S2C] = 0;
    options.window_bytes[S2C] = 25000;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, &flow);
    assert_true(flow.dir[C2S].window_full_ns >= flow.dir[C2S].elapsed_ns / 100 * 85);
    assert_true(flow.dir[C2S].rounds_window_full * 100 >= flow.dir[C2S].rounds * 90);
    assert_in_range(flow.dir[C2S].flight_max_bytes, 24616, 25000);
}

/* A reader that stops: the window is 0 from one ACK to the update exactly 2 s later. */
static void test_zero_window_time(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i];
        options.window_bytes[S2C] = 8 * 1448;
        options.wind_shift[S2C] = 0;
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        for (int episode = 0; episode < 3; episode++) {
            trace_data(t, C2S, 8 * 1448);
            trace_wait_path(t);
            trace_window(t, S2C, 0);
            trace_ack(t, S2C);
            trace_wait_ms(t, 2000);
            trace_window(t, S2C, 8 * 1448);
            trace_ack(t, S2C);
            trace_wait_path(t);
        }
        trace_data(t, C2S, 8 * 1448);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_result(t, &flow);
        assert_int_equal(flow.dir[C2S].zero_window_episodes, 3);
        assert_int_equal(flow.dir[C2S].zero_window_ns, 3 * 2000 * MS_NS);
        assert_int_equal(flow.dir[C2S].rwnd_min_bytes, 0);
        assert_int_equal(flow.dir[C2S].dup_acks, 0); /* an update is no duplicate ACK */
        assert_true(flow.dir[C2S].limit_ns[LIMIT_ZERO_WINDOW] >= 5800 * MS_NS);
        assert_true(flow.dir[C2S].limit_ns[LIMIT_ZERO_WINDOW] <= 6200 * MS_NS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale_from_flight),
        cmocka_unit_test(test_scale_unknown),
        cmocka_unit_test(test_scale_from_full_windows),
        cmocka_unit_test(test_scale_exact),
        cmocka_unit_test(test_syn_window_unscaled),
        cmocka_unit_test(test_option_on_one_side_only),
        cmocka_unit_test(test_scale_255),
        cmocka_unit_test(test_full_within_one_segment),
        cmocka_unit_test(test_zero_window_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
