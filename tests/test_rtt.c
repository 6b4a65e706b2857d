/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Round trips: how many samples, of what, and their value at any tap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

static const double taps[] = {0, 0.2, 0.5, 1};
#define TAPS (sizeof taps / sizeof *taps)

/* The whole path at every tap, with and without timestamps: 50 ms within 1 %. */
static void test_whole_path_at_every_tap(void **state)
{
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < 2 * TAPS; i++) {
        struct trace_options options = trace_defaults();
        struct trace_bulk_options bulk = {.from = C2S, .segments = 600, .cwnd_segments = 20};

        options.tap = taps[i / 2];
        options.timestamps = i % 2 == 0;
        struct trace *t = trace_new(&options);

        trace_handshake(t);
        trace_bulk(t, &bulk, NULL);
        trace_result(t, &flow);
        assert_true(flow.dir[C2S].rtt.samples > 0);
        assert_in_range(flow.dir[C2S].rtt.min_ns, 49500 * US_NS, 50500 * US_NS);
        assert_in_range(flow.dir[C2S].rtt.p50_ns, 49 * MS_NS, 52 * MS_NS);
        assert_in_range(flow.handshake_rtt_ns, 49500 * US_NS, 50500 * US_NS);
    }
}

/* Ten segments of 1,448 bytes in one captured frame; the wire carried segments, and the receiver
 * sent one ACK for two of them: 1,500 ACKs, each one sample. */
static void test_super_segments(void **state)
{
    struct trace *t = trace_new(NULL);
    struct trace_bulk_options bulk = {
        .from = C2S, .segments = 3000, .cwnd_segments = 40, .per_frame = 10};
    struct trace_bulk_result sent;
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_bulk(t, &bulk, &sent);
    assert_int_equal(sent.acks, 1500);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].super_segments, 300);
    assert_int_equal(flow.dir[C2S].smss, 1448);
    assert_int_equal(flow.dir[C2S].max_payload_bytes, 14480);
    assert_in_range(flow.dir[C2S].rtt.samples, 1498, 1504);
    assert_in_range(flow.dir[C2S].rtt.min_ns, 50 * MS_NS, 50500 * US_NS);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].bytes, 3000 * 1448);
}

/* Karn: a range sent twice gives no sample.  Without timestamps there is none at all here. */
static void test_karn(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.timestamps = false;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_data(t, C2S, 1460);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 0, 1460);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_true(flow.dir[C2S].rtt.samples == 0 || flow.dir[C2S].rtt.max_ns < 51 * MS_NS);
}

/* With timestamps the echo says which transmission is answered: 50 ms, never 350. */
static void test_timestamps_after_loss(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int i = 0; i < 5; i++) {
        trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
        trace_data(t, C2S, 1448);
        trace_wait_ms(t, 300);
        trace_resend(t, C2S, i * 1448, 1448);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 5);
    if (flow.dir[C2S].rtt.samples > 0)
        assert_true(flow.dir[C2S].rtt.max_ns < 52 * MS_NS);
}

/* Behind a hole nothing is acknowledged, but each segment that arrives is reported by SACK: its round
 * trip is as good.  20 in flight and one lost give as many samples as none lost, but for it. */
static void test_sacked_data_gives_samples(void **state)
{
    struct trace_loss lost = {100, FATE_LOST_DOWNSTREAM};
    struct trace_bulk_options bulk = {.from = C2S, .segments = 200, .cwnd_segments = 20};
    struct flow_result flow[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct trace *t = trace_new(NULL);
        bulk.losses = &lost;
        bulk.loss_count = i;
        trace_handshake(t);
        trace_bulk(t, &bulk, NULL);
        trace_result(t, &flow[i]);
        assert_true(flow[i].dir[C2S].rtt.p95_ns < 52 * MS_NS);
    }
    assert_int_equal(flow[1].dir[C2S].retransmitted_segments, 1);
    assert_true(flow[1].dir[C2S].rtt.samples + 2 >= flow[0].dir[C2S].rtt.samples);
}

/* One ACK for 20 segments is one sample, from its newest byte. */
static void test_one_sample_per_ack(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int i = 0; i < 10; i++) {
        trace_data(t, C2S, 20 * 1448);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, &flow);
    /* the handshake may give one more */
    assert_in_range(flow.dir[C2S].rtt.samples, 10, 11);
    /* newest byte to ACK: 50 ms; oldest to ACK would be 20 x 12 us more */
    assert_in_range(flow.dir[C2S].rtt.min_ns, 50 * MS_NS, 50100 * US_NS);
    assert_true(flow.dir[C2S].rtt.max_ns <= 50100 * US_NS);
}

/* Median and 95th percentile: 80 exchanges at 50 ms, 20 at 90 ms (the path holds the data). */
static void test_percentiles(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int i = 0; i < 100; i++) {
        int64_t held_ms = i % 5 == 4 ? 40 : 0;

        trace_delay(t, 0, held_ms * MS_NS);
        trace_data(t, C2S, 1448);
        trace_wait_ms(t, held_ms);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, &flow);
    assert_in_range(flow.dir[C2S].rtt.samples, 100, 101);
    assert_in_range(flow.dir[C2S].rtt.min_ns, 50 * MS_NS, 50300 * US_NS);
    assert_in_range(flow.dir[C2S].rtt.p50_ns, 48500 * US_NS, 51500 * US_NS); /* sketch: 3 % */
    assert_in_range(flow.dir[C2S].rtt.p95_ns, 87 * MS_NS, 93 * MS_NS);
    assert_in_range(flow.dir[C2S].rtt.max_ns, 90 * MS_NS, 90300 * US_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_path_at_every_tap),
        cmocka_unit_test(test_super_segments),
        cmocka_unit_test(test_karn),
        cmocka_unit_test(test_timestamps_after_loss),
        cmocka_unit_test(test_sacked_data_gives_samples),
        cmocka_unit_test(test_one_sample_per_ack),
        cmocka_unit_test(test_percentiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
