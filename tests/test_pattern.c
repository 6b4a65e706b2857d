/* needs: tests/trace.c tests/trace_host.c tests/trace_check.c tests/trace_writes.c */
/* What programs write, how it is cut into segments, and how acknowledgments come: the same at each
 * tap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/facts/pattern.h"
#include "tests/trace_writes.h"

static const double taps[] = {0, 0.4, 1};
#define TAPS (sizeof taps / sizeof taps[0])

static void run_at(struct trace_options *o, double tap, const struct trace_writes_options *w,
                   struct trace_writes_result *truth, struct flow_result *flow)
{
    o->tap = tap;
    struct trace *t = trace_new(o);

    trace_handshake(t);
    trace_writes(t, w, truth);
    trace_result(t, flow);
}

static const struct pattern_facts *facts_of(const struct flow_result *flow)
{
    assert_true(flow->dir[C2S].pattern.known);
    return &flow->dir[C2S].pattern;
}

/* Writes of 8192 with TCP_NODELAY and MSS 1460: 5 x 1460 + 892 each, so 892 is the size that
 * repeats, 8192 what explains all. */
static void write_size_by_remainder(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 100, .write_bytes = 8192, .nodelay = true,
                                     .write_ns = 2 * MS_NS};

    (void)state;
    o.timestamps = false;
    o.rtt_ns = 4 * MS_NS; /* the window of the SYN holds what is written in a round trip */
    for (size_t i = 0; i < TAPS; i++) {
        struct flow_result flow;
        run_at(&o, taps[i], &w, NULL, &flow);
        const struct pattern_facts *p = facts_of(&flow);
        assert_int_equal(p->partial_size_bytes, 892);
        assert_true(p->partial_size_count >= 96);
        assert_int_equal(p->write_bytes, 8192);
        assert_true(p->write_explains_bytes >= p->message_bytes * 95 / 100);
        assert_int_equal(p->message_to_frame > p->message_from_frame, 1);
        assert_int_equal(p->payload_median_bytes, 1460);
    }
}

/* Writes of 10,000 are no power of two: the size itself is found. */
static void write_size_of_no_power(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 60, .write_bytes = 10000, .nodelay = true,
                                     .write_ns = 2 * MS_NS};
    struct flow_result flow;

    (void)state;
    run_at(&o, 0, &w, NULL, &flow);
    assert_int_equal(facts_of(&flow)->write_bytes, 10000);
}

/* Sizes that have nothing in common make no pattern. */
static void writes_of_all_sizes(void **state)
{
    static const uint32_t sizes[] = {3001, 7777, 2310, 9999, 1501, 4321, 5555, 6789, 8012, 3456,
                                     2787, 1999};
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 120, .sizes = sizes, .size_count = 12,
                                     .nodelay = true, .write_ns = 2 * MS_NS};
    struct flow_result flow;

    (void)state;
    run_at(&o, 0, &w, NULL, &flow);
    assert_int_equal(facts_of(&flow)->write_bytes, 0);
}

/* A stream of full segments has one message at most: its end. */
static void bulk_has_no_messages(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 50, .write_bytes = 14480, .flight_bytes = 60000};
    struct flow_result flow;

    (void)state;
    run_at(&o, 0.4, &w, NULL, &flow);
    const struct pattern_facts *p = facts_of(&flow);
    assert_int_equal(p->messages, 0);
    assert_int_equal(p->partial_segments, 0);
    assert_int_equal(p->lock_step.gaps, 0);
    assert_int_equal(p->payload_median_bytes, 1448);
    assert_true(p->acks.covered_p50_bytes > 2600 && p->acks.covered_p50_bytes < 3000);
}

/* A send buffer of 8192 with MSS 4312 (FDDI): one full segment leaves, 3880 wait by Nagle for its
 * acknowledgment, which waits 200 ms for a second segment. */
static void lock_step_of_a_delayed_ack(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 120, .write_bytes = 4096, .send_buffer_bytes = 8192,
                                     .ack_delay_ns = 200 * MS_NS, .spacing_ns = 350 * US_NS};

    (void)state;
    o.mss = 4312;
    o.timestamps = false;
    o.rtt_ns = 1 * MS_NS;
    for (size_t i = 0; i < TAPS; i++) {
        struct flow_result flow;
        struct trace_writes_result truth;
        run_at(&o, taps[i], &w, &truth, &flow);
        const struct lock_step_facts *l = &facts_of(&flow)->lock_step;
        assert_true(truth.delayed_acks > 20);
        assert_true(l->gaps + 12 >= truth.delayed_acks && l->gaps <= truth.delayed_acks);
        assert_int_equal(l->held[ACK_TIMER_200], l->gaps);
        assert_int_equal(l->held[ACK_TIMER_40] + l->held[ACK_TIMER_100], 0);
        assert_true(l->gap_p50_ns > 195 * MS_NS && l->gap_p50_ns < 206 * MS_NS);
        assert_true(l->worst_to_frame > l->worst_from_frame && l->worst_from_frame > 0);
    }
}

/* The same silences of a program that is slow: no acknowledgment ends them. */
static void slow_program_is_no_lock_step(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 60, .write_bytes = 8192, .nodelay = true,
                                     .write_ns = 200 * MS_NS};

    (void)state;
    for (size_t i = 0; i < TAPS; i++) {
        struct flow_result flow;
        run_at(&o, taps[i], &w, NULL, &flow);
        assert_true(facts_of(&flow)->lock_step.gaps <= 2);
        assert_true(facts_of(&flow)->bursts >= 50);
        assert_int_equal(facts_of(&flow)->burst_median_bytes, 8192);
    }
}

/* Small writes with TCP_NODELAY: each a segment of its own. */
static void tinygrams_have_a_small_median(void **state)
{
    static const uint32_t sizes[] = {200, 180, 220};
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 900, .sizes = sizes, .size_count = 3,
                                     .nodelay = true, .write_ns = 100 * US_NS};
    struct flow_result flow;

    (void)state;
    o.rtt_ns = 2 * MS_NS;
    run_at(&o, 0, &w, NULL, &flow);
    const struct pattern_facts *p = facts_of(&flow);
    assert_true(p->payload_median_bytes >= 180 && p->payload_median_bytes <= 220);
    assert_int_equal(p->mss_allowed, 1448);
    assert_true(p->small_segments >= 880);
}

/* One size below half of the MSS: it looks like a full segment, the handshake says otherwise. */
static void tinygrams_of_one_size(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 400, .write_bytes = 512, .nodelay = true,
                                     .write_ns = 100 * US_NS};
    struct flow_result flow;

    (void)state;
    o.rtt_ns = 2 * MS_NS;
    run_at(&o, 1, &w, NULL, &flow);
    const struct pattern_facts *p = facts_of(&flow);
    assert_int_equal(p->payload_median_bytes, 512);
    assert_int_equal(p->small_segments, p->segments);
}

/* An ACK for ten segments. */
static void stretch_acks_are_counted(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 100, .write_bytes = 14480, .flight_bytes = 57920,
                                     .ack_segments = 10};

    (void)state;
    for (size_t i = 0; i < TAPS; i++) {
        struct flow_result flow;
        run_at(&o, taps[i], &w, NULL, &flow);
        const struct ack_pattern_facts *a = &facts_of(&flow)->acks;
        assert_true(a->covered_p50_bytes > 13000 && a->covered_p50_bytes < 15500);
        assert_true(a->stretch * 10 > a->acks * 9);
    }
}

/* ACKs queue 80 ms on their way.  (A tap beside the receiver cannot tell a queue behind it from a
 * program that is slow to send: nothing is said there.) */
static void queue_of_acks(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 300, .write_bytes = 14480, .flight_bytes = 43440,
                                     .send_buffer_bytes = 86880};

    (void)state;
    w.ack_queue_ns[0] = 80 * MS_NS;
    for (size_t i = 0; i < 2; i++) {
        struct flow_result flow;
        run_at(&o, taps[i], &w, NULL, &flow);
        const struct ack_pattern_facts *a = &facts_of(&flow)->acks;
        assert_true(a->queue_p50_ns > 76 * MS_NS && a->queue_p50_ns < 84 * MS_NS);
        assert_int_equal(a->queue_tick_ns, MS_NS);
    }
}

/* The same queue met by data is not one of ACKs, however long it stands: 31 s, when the clocks take
 * it for the way. */
static void queue_of_data(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 1200, .write_bytes = 14480, .flight_bytes = 43440,
                                     .send_buffer_bytes = 86880};

    (void)state;
    for (size_t i = 0; i < TAPS; i++) {
        struct flow_result flow;
        w.data_queue_ns[0] = i == 0 ? 0 : 80 * MS_NS;
        w.data_queue_ns[1] = i == 0 ? 80 * MS_NS : 0;
        run_at(&o, taps[i], &w, NULL, &flow);
        const struct ack_pattern_facts *a = &facts_of(&flow)->acks;
        assert_true(a->queue_p50_ns != NS_UNKNOWN && a->queue_p50_ns < 4 * MS_NS);
    }
}

/* Segments a second are constant while their size is not. */
static void pace_by_segments(void **state)
{
    static const uint32_t sizes[] = {300, 300, 300, 1400, 1400, 1400};
    struct trace_options o = trace_defaults();
    uint32_t turns[1200];
    struct trace_writes_options w = {.writes = 1200, .sizes = turns, .size_count = 1200,
                                     .nodelay = true, .write_ns = 2 * MS_NS};
    struct flow_result flow;

    (void)state;
    for (uint32_t i = 0; i < 1200; i++)
        turns[i] = sizes[i / 200];
    run_at(&o, 0, &w, NULL, &flow);
    const struct pace_facts *pace = &facts_of(&flow)->pace;
    assert_true(pace->slices >= 15);
    assert_true(pace->segments_per_s_mean > 480 && pace->segments_per_s_mean < 520);
    assert_true(pace->segments_per_s_cv < 0.05);
    assert_true(pace->segment_bytes_cv > 0.4 && pace->bytes_per_s_cv > 0.4);
}

/* RFC 8446 section 5.1 and RFC 4253 section 4.2. */
static void first_bytes_of_protocols(void **state)
{
    static const uint8_t tls[] = {0x16, 3, 1, 0, 0xc8, 1}, data[] = {0x17, 3, 3, 0, 0xc8, 1};

    (void)state;
    assert_int_equal(pattern_first_bytes(tls, sizeof tls), FIRST_BYTES_TLS);
    assert_int_equal(pattern_first_bytes(tls, 4), FIRST_BYTES_UNKNOWN);
    assert_int_equal(pattern_first_bytes(data, sizeof data), FIRST_BYTES_UNKNOWN);
    assert_int_equal(pattern_first_bytes((const uint8_t *)"SSH-2.0-x", 9), FIRST_BYTES_SSH);
    assert_int_equal(pattern_first_bytes((const uint8_t *)"SSH", 3), FIRST_BYTES_UNKNOWN);
    assert_int_equal(pattern_first_bytes(NULL, 0), FIRST_BYTES_UNKNOWN);
}

static void short_flows_have_no_pattern(void **state)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 5, .write_bytes = 1000, .nodelay = true};
    struct flow_result flow;

    (void)state;
    run_at(&o, 0, &w, NULL, &flow);
    assert_false(flow.dir[C2S].pattern.known);
    assert_true(flow.dir[C2S].pattern.lock_step.gap_p50_ns == NS_UNKNOWN);
    assert_true(flow.dir[C2S].pattern.acks.covered_p50_bytes == BYTES_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_size_by_remainder),
        cmocka_unit_test(write_size_of_no_power),
        cmocka_unit_test(writes_of_all_sizes),
        cmocka_unit_test(bulk_has_no_messages),
        cmocka_unit_test(lock_step_of_a_delayed_ack),
        cmocka_unit_test(slow_program_is_no_lock_step),
        cmocka_unit_test(tinygrams_have_a_small_median),
        cmocka_unit_test(tinygrams_of_one_size),
        cmocka_unit_test(stretch_acks_are_counted),
        cmocka_unit_test(queue_of_acks),
        cmocka_unit_test(queue_of_data),
        cmocka_unit_test(pace_by_segments),
        cmocka_unit_test(first_bytes_of_protocols),
        cmocka_unit_test(short_flows_have_no_pattern),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
