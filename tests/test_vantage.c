/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Where on the path the capture stands, and the two legs from there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

struct place {
    double tap;
    enum tap_position position;
};

/* RTT 50 ms: legs of 0 and 50, 10 and 40, 25 and 25, 50 and 0 ms. */
static const struct place places[] = {
    {0, TAP_CLIENT}, {0.2, TAP_MIDDLE}, {0.5, TAP_MIDDLE}, {1, TAP_SERVER}};
#define PLACES (sizeof places / sizeof *places)

static void run_place(const struct place *place, bool handshake, bool timestamps,
                      enum direction from, struct flow_result *flow)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = from, .segments = 600, .cwnd_segments = 20};

    options.tap = place->tap;
    options.timestamps = timestamps;
    struct trace *t = trace_new(&options);

    if (handshake)
        trace_handshake(t);
    else
        trace_begin_established(t, 1000, 2000);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, flow);
}

static void check_legs(const struct flow_result *flow, double tap)
{
    int64_t client_ns = (int64_t)(tap * 50e6), server_ns = 50 * MS_NS - client_ns;

    assert_true(flow->client_leg_ns != NS_UNKNOWN && flow->server_leg_ns != NS_UNKNOWN);
    assert_true(flow->client_leg_ns >= client_ns - 1500 * US_NS);
    assert_true(flow->client_leg_ns <= client_ns + 1500 * US_NS);
    assert_true(flow->server_leg_ns >= server_ns - 1500 * US_NS);
    assert_true(flow->server_leg_ns <= server_ns + 1500 * US_NS);
}

/* The handshake's halves are the legs. */
static void test_with_handshake(void **state)
{
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        run_place(&places[i], true, i % 2 == 0, C2S, &flow);
        assert_int_equal(flow.position, places[i].position);
        check_legs(&flow, places[i].tap);
    }
}

/* Without it the far leg is data to ACK, the near leg ACK to the data that echoes it. */
static void test_without_handshake(void **state)
{
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        run_place(&places[i], false, true, C2S, &flow);
        assert_int_equal(flow.position, places[i].position);
        check_legs(&flow, places[i].tap);
        assert_true(flow.handshake_rtt_ns == NS_UNKNOWN);
    }
}

/* A bridged path counts no TTL down, so each host looks as if it were beside the tap: what passed before
 * the near leg was measured gives no round trip.  Nor is a flight of the middle an initial window. */
static void test_bridged_path_without_handshake(void **state)
{
    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        struct trace_options options = trace_defaults();
        struct trace_bulk_options bulk = {.from = C2S, .segments = 600, .cwnd_segments = 20};
        struct flow_result flow;

        options.tap = places[i].tap;
        options.hops = 0;
        struct trace *t = trace_new(&options);
        trace_begin_established(t, 1000, 2000);
        trace_bulk(t, &bulk, NULL);
        trace_result(t, &flow);
        assert_true(flow.dir[C2S].rtt.samples > 100);
        assert_in_range(flow.dir[C2S].rtt.min_ns, 49 * MS_NS, 51 * MS_NS);
        assert_int_equal(flow.dir[C2S].initial_window_bytes, 0);
        assert_true(flow.dir[C2S].cwnd.initial_bytes == BYTES_UNKNOWN);
    }
}

/* Data from the server changes nothing about where the tap is. */
static void test_server_sends(void **state)
{
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < PLACES; i++) {
        run_place(&places[i], i % 2 == 0, true, S2C, &flow);
        assert_int_equal(flow.position, places[i].position);
        check_legs(&flow, places[i].tap);
    }
}

/* Legs of a direction are named by its sender: near is tap to sender. */
static void test_near_and_far(void **state)
{
    struct flow_result flow;

    (void)state;
    run_place(&places[1], true, true, C2S, &flow);
    assert_in_range(flow.dir[C2S].near_min_ns, 9 * MS_NS, 11 * MS_NS);
    assert_in_range(flow.dir[C2S].far_min_ns, 39 * MS_NS, 41 * MS_NS);
}

/* One direction only and no handshake: nothing tells. */
static void test_undecidable(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.tap = 0.5;
    options.timestamps = false;
    struct trace *t = trace_new(&options);

    trace_begin_established(t, 0, 0);
    for (int i = 0; i < 20; i++) {
        trace_data(t, C2S, 4 * 1460);
        trace_wait_path(t);
        trace_fate(t, FATE_NOT_CAPTURED, 1);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, &flow);
    assert_int_equal(flow.position, TAP_UNKNOWN);
    assert_true(flow.client_leg_ns == NS_UNKNOWN);
    assert_true(flow.server_leg_ns == NS_UNKNOWN);
    assert_int_equal(flow.dir[C2S].rtt.samples, 0);
}

/* The sender's flight is the same at every tap: 20 segments. */
static void test_flight_at_every_tap(void **state)
{
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < PLACES; i++)
        for (int with = 0; with < 2; with++) {
            run_place(&places[i], with, true, C2S, &flow);
            assert_in_range(flow.dir[C2S].flight_max_bytes, 19 * 1448, 21 * 1448);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_handshake),
        cmocka_unit_test(test_without_handshake),
        cmocka_unit_test(test_bridged_path_without_handshake),
        cmocka_unit_test(test_server_sends),
        cmocka_unit_test(test_near_and_far),
        cmocka_unit_test(test_undecidable),
        cmocka_unit_test(test_flight_at_every_tap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
