/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* How the window moved, from traces whose receiver reads, shrinks, reneges and closes as each test
 * says.  Server's windows for the client's data, scale 7, MSS 1448 with timestamps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

enum { READS = 20, READ = 32768, PERIOD_MS = 250, SEGMENT = 1448, BUFFER = 65536 };

static struct trace *begin(double tap, bool timestamps, uint32_t window_bytes)
{
    struct trace_options options = trace_defaults();

    options.tap = tap;
    options.timestamps = timestamps;
    options.window_bytes[S2C] = window_bytes;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_wait_path(t);
    return t;
}

static void advertise(struct trace *t, uint32_t window_bytes)
{
    trace_window(t, S2C, window_bytes);
    trace_ack(t, S2C);
}

/* The client sends; when all has arrived the server acknowledges with this window. */
static void deliver(struct trace *t, uint32_t bytes, uint32_t window_bytes)
{
    trace_data(t, C2S, bytes);
    trace_wait_ms(t, 1);
    trace_wait_path(t);
    advertise(t, window_bytes);
}

static struct moves_facts moves_of(struct trace *t, struct flow_result *flow)
{
    trace_result(t, flow);
    assert_int_equal(flow->dir[C2S].moves.followed, 1);
    return flow->dir[C2S].moves;
}

/* A program that takes 32 KiB out of a full buffer of 64 KiB every 250 ms; RTT 50 ms. */
static void test_slow_reader_at_every_tap(void **state)
{
    static const double taps[] = {0, 0.5, 1};

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace *t = begin(taps[i % 3], i < 3, BUFFER);
        struct flow_result flow;

        deliver(t, 4 * SEGMENT, BUFFER);
        trace_wait_path(t);
        deliver(t, BUFFER, 0);
        for (int read = 0; read < READS; read++) {
            trace_wait_ms(t, PERIOD_MS - 51);
            advertise(t, READ);
            trace_wait_path(t);
            deliver(t, READ, 0);
        }
        const struct moves_facts m = moves_of(t, &flow);

        assert_int_equal(m.growth.from_bytes, BUFFER);
        assert_int_equal(m.growth.rounds, 0);
        assert_int_equal(m.sink.episodes, READS + 1);
        assert_int_equal(m.sink.late_openings, READS); /* the last never opened */
        assert_int_equal(m.steps.count, READS);
        assert_true(m.steps.even_count >= READS - 2);
        assert_int_equal(m.steps.even_bytes, m.steps.even_count * READ);
        assert_in_range(m.steps.even_span_ns, (int64_t)m.steps.even_count * (PERIOD_MS - 1) * MS_NS,
                        (int64_t)m.steps.even_count * (PERIOD_MS + 1) * MS_NS);
        assert_true(m.sink.sunk_ns * 10 >= flow.dir[C2S].elapsed_ns * 9);
        assert_int_equal(m.shrink.count, 0);
        assert_int_equal(m.silly.increments, 0);
        assert_int_equal(m.collapse.frame, 0); /* it came back to half of what it had been */
    }
}

/* The window falls by what arrived and stands at its largest again at once: a fast reader. */
static void test_fast_reader_is_not_sunk(void **state)
{
    struct trace *t = begin(0, true, BUFFER);
    struct trace_bulk_options bulk = {.from = C2S, .segments = 1500};
    struct flow_result flow;

    (void)state;
    trace_bulk(t, &bulk, NULL);
    const struct moves_facts m = moves_of(t, &flow);

    assert_int_equal(m.sink.sunk_ns, 0);
    assert_int_equal(m.steps.count, 0);
    assert_true(m.growth.full_rounds_after * 10 >= m.growth.rounds_after * 8);
    assert_int_equal(m.over.rounds, 0);
}

/* The window doubles each round trip while all of it is in use, then stands at 16 times. */
static void test_growth_in_steps(void **state)
{
    struct trace *t = begin(1, true, BUFFER);
    struct flow_result flow;
    uint32_t window = BUFFER;

    (void)state;
    for (int round = 0; round < 12; round++) {
        uint32_t sent = window;

        window = round < 4 ? window * 2 : window;
        deliver(t, sent, window);
        trace_wait_path(t);
    }
    const struct moves_facts m = moves_of(t, &flow);

    assert_int_equal(m.growth.from_bytes, 2 * BUFFER); /* of the first acknowledgment */
    assert_int_equal(m.growth.to_bytes, 16 * BUFFER);
    assert_int_equal(m.growth.rounds, 3);
    assert_true(m.growth.rounds_after >= 6);
    assert_int_equal(m.growth.full_rounds_after, m.growth.rounds_after);
}

/* The edge goes back by 32 KiB without data: RFC 9293 section 3.8.6.  Falling by what was
 * acknowledged is not that. */
static void test_shrink(void **state)
{
    struct trace *t = begin(0, true, BUFFER);
    struct flow_result flow;

    (void)state;
    deliver(t, 4 * SEGMENT, BUFFER);
    trace_wait_path(t);
    deliver(t, 8192, BUFFER - 8192);
    trace_wait_path(t);
    for (int i = 0; i < 3; i++) {
        advertise(t, 16384);
        trace_wait_ms(t, 10);
        advertise(t, 16384); /* said again: not another */
        trace_wait_path(t);
        deliver(t, 4 * SEGMENT, BUFFER);
        trace_wait_path(t);
    }
    const struct moves_facts m = moves_of(t, &flow);

    assert_int_equal(m.shrink.count, 3);
    assert_int_equal(m.shrink.largest_bytes, BUFFER - 16384);
    assert_true(m.shrink.frame > 0);
}

/* Segments above a hole are reported; the acknowledgment that closes the hole stops below them. */
static void run_hole(bool thrown_away, struct moves_facts *m)
{
    struct trace *t = begin(0, true, BUFFER);
    struct flow_result flow;

    deliver(t, 4 * SEGMENT, BUFFER);
    trace_wait_path(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_data(t, C2S, 8 * SEGMENT);
    trace_wait_ms(t, 1);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_resend(t, C2S, 4 * SEGMENT, SEGMENT);
    trace_wait_path(t);
    struct segment *ack = trace_ack(t, S2C);
    if (thrown_away)
        ack->ack -= 7 * SEGMENT;
    trace_wait_path(t);
    deliver(t, 4 * SEGMENT, BUFFER);
    *m = moves_of(t, &flow);
}

static void test_renege(void **state)
{
    struct moves_facts m;

    (void)state;
    run_hole(true, &m);
    assert_int_equal(m.renege.count, 1);
    assert_true(m.renege.frame > 0);
    run_hole(false, &m);
    assert_int_equal(m.renege.count, 0);
}

/* A window of 1 MiB closes and is 64 KiB from then on, all in use. */
static void test_collapse(void **state)
{
    struct trace *t = begin(0.5, false, 1 << 20);
    struct flow_result flow;

    (void)state;
    deliver(t, 4 * SEGMENT, 1 << 20);
    trace_wait_path(t);
    deliver(t, 1 << 20, 0);
    trace_wait_ms(t, 100);
    advertise(t, BUFFER);
    trace_wait_path(t);
    for (int round = 0; round < 15; round++) {
        deliver(t, BUFFER, BUFFER);
        trace_wait_path(t);
    }
    const struct moves_facts m = moves_of(t, &flow);

    assert_int_equal(m.collapse.from_bytes, 1 << 20);
    assert_int_equal(m.collapse.to_bytes, BUFFER);
    assert_true(m.collapse.rounds >= 13);
    assert_true(m.collapse.full_rounds + 2 >= m.collapse.rounds);
}

/* Advances of 256 bytes to a sender that waits for room: each is filled by a small segment. */
static void test_silly_window(void **state)
{
    struct trace *t = begin(0, true, BUFFER);
    struct flow_result flow;

    (void)state;
    deliver(t, 4 * SEGMENT, BUFFER);
    trace_wait_path(t);
    deliver(t, BUFFER, 0);
    for (int i = 0; i < 20; i++) {
        trace_wait_path(t);
        advertise(t, 256);
        trace_wait_path(t);
        deliver(t, 256, 0);
    }
    const struct moves_facts m = moves_of(t, &flow);

    assert_int_equal(m.silly.increments, 20);
}

/* More in flight than the window field says: its scale is not the one that is used. */
static void test_flight_over_window(void **state)
{
    struct trace *t = begin(0, true, 8192);
    struct flow_result flow;

    (void)state;
    for (int round = 0; round < 8; round++) {
        deliver(t, BUFFER, 8192);
        trace_wait_path(t);
    }
    const struct moves_facts m = moves_of(t, &flow);

    assert_true(m.over.rounds >= 6);
    assert_true(m.over.flight_bytes >= BUFFER - SEGMENT && m.over.flight_bytes <= BUFFER + 8192);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_reader_at_every_tap), cmocka_unit_test(test_fast_reader_is_not_sunk),
        cmocka_unit_test(test_growth_in_steps),          cmocka_unit_test(test_shrink),
        cmocka_unit_test(test_renege),                   cmocka_unit_test(test_collapse),
        cmocka_unit_test(test_silly_window),             cmocka_unit_test(test_flight_over_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
