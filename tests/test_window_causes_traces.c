/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Causes of the window named from packets, at every tap, with timestamps and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/trace.h"

enum { RECEIVE_WINDOW = 1, SCALING_STRIPPED = 3, RECEIVER_SLOW = 13, FEW_SEGMENTS = 21,
       AUTOTUNING_SHUT_OFF = 49 };

static const double taps[] = {0, 0.5, 1};

static int cause_of(struct trace *t)
{
    struct analyzer_options options = {0};
    struct analyzer *analyzer = analyzer_new(&options);
    int cause;

    trace_feed(&t, 1, analyzer);
    analyzer_finish(analyzer);
    assert_int_equal(analyzer_transfer_count(analyzer), 1);
    cause = analyzer_transfer(analyzer, 0)->verdict.cause_id;
    analyzer_free(analyzer);
    trace_free(t);
    return cause;
}

static void advertise(struct trace *t, uint32_t window_bytes)
{
    trace_window(t, S2C, window_bytes);
    trace_ack(t, S2C);
}

static void deliver(struct trace *t, uint32_t bytes, uint32_t window_bytes)
{
    trace_data(t, C2S, bytes);
    trace_wait_ms(t, 1);
    trace_wait_path(t);
    advertise(t, window_bytes);
}

/* A program that takes 32 KiB out of a full buffer of 64 KiB every 250 ms. */
static void test_slow_reader(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i % 3];
        options.timestamps = i < 3;
        options.window_bytes[S2C] = 65536;
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_wait_path(t);
        deliver(t, 4 * 1448, 65536);
        trace_wait_path(t);
        deliver(t, 65536, 0);
        for (int read = 0; read < 20; read++) {
            trace_wait_ms(t, 250 - 51);
            advertise(t, 32768);
            trace_wait_path(t);
            deliver(t, 32768, 0);
        }
        assert_int_equal(cause_of(t), RECEIVER_SLOW);
    }
}

/* A steady window of 25,000 bytes and a reader that keeps up. */
static void test_small_window(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace_options options = trace_defaults();
        struct trace_bulk_options bulk = {.from = C2S, .segments = 1200};

        options.tap = taps[i % 3];
        options.timestamps = i < 3;
        options.wind_shift[S2C] = 0;
        options.window_bytes[S2C] = 25000;
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_bulk(t, &bulk, NULL);
        assert_int_equal(cause_of(t), RECEIVE_WINDOW);
    }
}

/* The option of the SYN-ACK is taken out on its way: 65,160 in it, then 509 in every window. */
static void test_stripped_option(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i % 3];
        options.timestamps = i < 3;
        options.wind_shift[S2C] = TRACE_NO_SCALE;
        options.window_bytes[S2C] = 65160;
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_wait_path(t);
        deliver(t, 1448, 509);
        for (int round = 0; round < 200; round++) {
            trace_wait_path(t);
            deliver(t, 509, 509);
        }
        assert_int_equal(cause_of(t), SCALING_STRIPPED);
    }
}

/* Two segments of 32,720 bytes in a window of 65,535; the odd one waits 200 ms for its ACK. */
static void test_two_large_segments(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i];
        options.timestamps = false;
        options.rtt_ns = 2 * MS_NS;
        options.mss = 32720;
        options.wind_shift[S2C] = 0;
        options.window_bytes[S2C] = 65535;
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_wait_path(t);
        for (int round = 0; round < 80; round++) {
            trace_data(t, C2S, 2 * 32720);
            trace_wait_ms(t, 1);
            trace_wait_path(t);
            trace_ack(t, S2C);
            trace_wait_path(t);
        }
        assert_int_equal(cause_of(t), FEW_SEGMENTS);
    }
}

/* 1 MiB, closed for 100 ms, then 64 KiB for good. */
static void test_window_small_for_good(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace_options options = trace_defaults();

        options.tap = taps[i % 3];
        options.timestamps = i < 3;
        options.window_bytes[S2C] = 1 << 20;
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_wait_path(t);
        deliver(t, 4 * 1448, 1 << 20);
        trace_wait_path(t);
        deliver(t, 1 << 20, 0);
        trace_wait_ms(t, 100);
        advertise(t, 65536);
        trace_wait_path(t);
        for (int round = 0; round < 60; round++) {
            deliver(t, 65536, 65536);
            trace_wait_path(t);
        }
        assert_int_equal(cause_of(t), AUTOTUNING_SHUT_OFF);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_reader),        cmocka_unit_test(test_small_window),
        cmocka_unit_test(test_stripped_option),    cmocka_unit_test(test_two_large_segments),
        cmocka_unit_test(test_window_small_for_good),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
