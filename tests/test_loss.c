/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* What losses looked like: events, queues, time-outs, token bucket, order, notices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

static const double taps[] = {0, 0.5, 1};
#define TAPS (sizeof taps / sizeof taps[0])

/* Bulk of 400 segments with 40 in flight at one tap; what is lost passes the tap only at the
 * sender's. */
static void run_bulk(double tap, const uint32_t *lost, size_t count, struct flow_result *flow)
{
    struct trace_options options = trace_defaults();
    struct trace_loss losses[16];
    struct trace_bulk_options bulk = {.from = C2S, .segments = 400, .cwnd_segments = 40,
                                      .losses = losses, .loss_count = count};

    for (size_t i = 0; i < count; i++)
        losses[i] = (struct trace_loss){lost[i],
                                        tap > 0 ? FATE_LOST_UPSTREAM : FATE_LOST_DOWNSTREAM};
    options.tap = tap;
    struct trace *t = trace_new(&options);
    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_result(t, flow);
}

/* No queue on the path of a trace: three losses windows apart are three events of one segment,
 * each at the round trip of an idle path. */
static void test_single_losses(void **state)
{
    static const uint32_t lost[] = {100, 200, 300};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < TAPS; i++) {
        run_bulk(taps[i], lost, 3, &flow);
        const struct loss_facts *loss = &flow.dir[C2S].loss;
        assert_int_equal(loss->events, 3);
        assert_int_equal(loss->segments, 3);
        assert_int_equal(loss->single, 3);
        assert_int_equal(loss->burst_most_segments, 1);
        assert_int_equal(loss->with_queue, 0);
        assert_int_equal(loss->without_queue, 3);
        assert_in_range(loss->rtt_before_most_ns, 49 * MS_NS, 56 * MS_NS);
        assert_int_equal(loss->cost[LOSS_REPAIRED].events, 3);
        assert_int_equal(loss->timeouts, 0);
        assert_int_equal(loss->healed, 0);
        assert_int_not_equal(loss->first.frame, 0);
        assert_true(loss->first.time_ns <= loss->worst.time_ns);
        assert_true(loss->passed_most_bytes >= 1448);
        assert_int_equal(loss->steady_bytes_per_s, BYTES_UNKNOWN); /* of 3 segments */
        assert_int_equal(flow.dir[S2C].loss.events, 0);
        assert_int_equal(flow.dir[S2C].loss.first.time_ns, NS_UNKNOWN);
    }
}

/* Five in a row are one event. */
static void test_burst(void **state)
{
    static const uint32_t lost[] = {200, 201, 202, 203, 204};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < TAPS; i++) {
        run_bulk(taps[i], lost, 5, &flow);
        assert_int_equal(flow.dir[C2S].loss.events, 1);
        assert_int_equal(flow.dir[C2S].loss.segments, 5);
        assert_int_equal(flow.dir[C2S].loss.burst_most_segments, 5);
        assert_int_equal(flow.dir[C2S].loss.single, 0);
    }
}

/* A full queue drops the last ones: the first lost of a flight and the last one that left before its
 * resend are one event, also where neither passed and nothing after them yet. */
static void test_last_of_the_flight(void **state)
{
    uint32_t lost[] = {200, 201};
    struct flow_result flow;

    (void)state;
    do {
        lost[1]++;
        run_bulk(0, lost, 2, &flow);
    } while (flow.dir[C2S].loss.events == 1);
    assert_in_range(lost[1], 239, 246); /* the flight of 40, and a few for duplicate ACKs */
    lost[1]--;
    for (size_t i = 0; i < TAPS; i++) {
        run_bulk(taps[i], lost, 2, &flow);
        assert_int_equal(flow.dir[C2S].loss.events, 1);
        assert_int_equal(flow.dir[C2S].loss.segments, 2);
    }
}

/* The last but two: two segments SACKed above it are too few for a fast retransmission (RFC 6675),
 * so that the time-out of 300 ms repairs it. */
static void test_timeout(void **state)
{
    static const uint32_t lost[] = {397};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < TAPS; i++) {
        run_bulk(taps[i], lost, 1, &flow);
        const struct loss_facts *loss = &flow.dir[C2S].loss;
        assert_int_equal(loss->events, 1);
        assert_int_equal(loss->timeouts, 1);
        assert_int_equal(loss->backoffs_most, 1);
        assert_in_range(loss->silence_longest_ns, 200 * MS_NS, 310 * MS_NS);
        assert_int_not_equal(loss->silence_frame, 0);
        assert_int_equal(loss->cost[LOSS_TIMEOUT].events, 1);
        assert_int_equal(loss->cost[LOSS_REPAIRED].events, 0);
        const int64_t *limit_ns = flow.dir[C2S].limit_ns;
        assert_int_equal(loss->cost[LOSS_TIMEOUT].repair_ns,
                         limit_ns[LIMIT_RTO] + limit_ns[LIMIT_RECOVERY]);
    }
}

/* Rounds of ten segments through a queue that grows by 10 ms a round, then a loss. */
static void test_loss_behind_a_queue(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;
    int64_t lost = 0;

    (void)state;
    trace_handshake(t);
    for (int64_t round = 0; round < 10; round++) {
        for (int i = 0; i < 10; i++) {
            if (round == 9 && i == 5) {
                lost = trace_offset(t, C2S);
                trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
            }
            trace_delay(t, 0, round * 10 * MS_NS);
            trace_data(t, C2S, 1448);
        }
        trace_wait_ms(t, 25 + round * 10);
        for (int i = 0; i < (round == 9 ? 4 : 1); i++)
            trace_ack(t, S2C);
        trace_wait_ms(t, 26);
    }
    trace_resend(t, C2S, lost, 1448);
    trace_wait_ms(t, 120);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].loss.events, 1);
    assert_int_equal(flow.dir[C2S].loss.with_queue, 1);
    assert_int_equal(flow.dir[C2S].loss.without_queue, 0);
    assert_true(flow.dir[C2S].loss.rtt_before_mean_ns > 75 * MS_NS);
}

/* Every 20th segment comes 5 ms late: 4 and more others (12 us apart) have overtaken it, and the
 * receiver's holes close by themselves, two of a flight of 40 together. */
static void test_late_segments(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 400, .cwnd_segments = 40,
                                      .reorder_every = 20, .reorder_ns = 5 * MS_NS,
                                      .ignore_holes = true};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < TAPS; i++) {
        options.tap = taps[i];
        bulk.reorder_after_tap = taps[i] < 1;
        struct trace *t = trace_new(&options);
        trace_handshake(t);
        trace_bulk(t, &bulk, NULL);
        trace_result(t, &flow);
        const struct loss_facts *loss = &flow.dir[C2S].loss;
        assert_int_equal(loss->events, 0);
        assert_in_range(loss->healed, 10, 20);
        if (taps[i] == 1) {
            assert_in_range(loss->late_three, 15, 20);
            assert_in_range(loss->late_most_ns, 4 * MS_NS, 5 * MS_NS);
            assert_int_not_equal(loss->late_frame, 0);
        }
    }
}

/* A router's notice about this flow's data, and one about a flow that there is not. */
static void test_too_big(void **state)
{
    struct trace *t = trace_new(NULL);
    struct analyzer *a = analyzer_new(NULL);
    struct flow_result flow;
    struct notice notice = {.kind = NOTICE_FRAGMENTATION_NEEDED, .frame = 77, .mtu_bytes = 1400};

    (void)state;
    trace_handshake(t);
    trace_data(t, C2S, 1448);
    notice.quoted_src = t->packets[0].seg.src;
    notice.quoted_dst = t->packets[0].seg.dst;
    notice.quoted_src_port = t->packets[0].seg.src_port;
    notice.quoted_dst_port = t->packets[0].seg.dst_port;
    trace_feed(&t, 1, a);
    analyzer_notice(a, &notice);
    notice.quoted_src_port++;
    analyzer_notice(a, &notice);
    analyzer_finish(a);
    assert_true(analyzer_flow(a, 1, &flow));
    assert_int_equal(flow.dir[C2S].loss.too_big_notices, 1);
    assert_int_equal(flow.dir[C2S].loss.too_big_frame, 77);
    assert_int_equal(flow.dir[C2S].loss.too_big_mtu_bytes, 1400);
    assert_int_equal(flow.dir[S2C].loss.too_big_notices, 0);
    assert_int_equal(analyzer_counts(a)->icmp_fragmentation_needed, 2);
    analyzer_free(a);
    trace_free(t);
}

/* Without SACK, three losses of a window: duplicate ACKs call for the first, each partial ACK for the
 * next (RFC 6582), so that two of them wait a round trip for the one before. */
static void test_one_a_round_trip(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.sack = false;
    for (size_t tap = 0; tap < TAPS; tap++) {
        int64_t lost[3];
        size_t n = 0;
        options.tap = taps[tap];
        struct trace *t = trace_new(&options);
        trace_handshake(t);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 10; i++) {
                if (round == 2 && i % 3 == 0 && n < 3) {
                    lost[n++] = trace_offset(t, C2S);
                    trace_fate(t, taps[tap] > 0 ? FATE_LOST_UPSTREAM : FATE_LOST_DOWNSTREAM, 1);
                }
                trace_data(t, C2S, 1448);
            }
            trace_wait_path(t);
            for (int i = 0; i < (round == 2 ? 4 : 1); i++)
                trace_ack(t, S2C);
            trace_wait_path(t);
        }
        for (size_t i = 0; i < 3; i++) {
            trace_resend(t, C2S, lost[i], 1448);
            trace_wait_path(t);
            trace_ack(t, S2C);
            trace_wait_path(t);
        }
        trace_data(t, C2S, 1448);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_result(t, &flow);
        assert_int_equal(flow.dir[C2S].loss.events, 1);
        assert_int_equal(flow.dir[C2S].loss.segments, 3);
        assert_int_equal(flow.dir[C2S].loss.one_a_round_trip_segments, 2);
    }
}

/* A sender that says by CWR that it cut its window (RFC 3168 section 6.1.2): no loss, but a cut. */
static void test_mark(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int round = 0; round < 4; round++) {
        trace_frame(t, C2S, 1448)->flags |= round == 2 ? TCP_CWR : 0;
        trace_data(t, C2S, 9 * 1448);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].loss.ecn_cuts, 1);
    assert_int_equal(flow.dir[C2S].loss.ecn_frame, 26); /* 3 of the handshake, 2 x 11, the next */
    assert_int_equal(flow.dir[C2S].loss.events, 0);
    assert_true(flow.dir[C2S].loss.ecn_regrowth_ns >= 0);
    assert_int_equal(flow.dir[S2C].loss.ecn_cuts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_losses),  cmocka_unit_test(test_burst),
        cmocka_unit_test(test_last_of_the_flight),
        cmocka_unit_test(test_timeout),        cmocka_unit_test(test_loss_behind_a_queue),
        cmocka_unit_test(test_late_segments),  cmocka_unit_test(test_too_big),
        cmocka_unit_test(test_one_a_round_trip), cmocka_unit_test(test_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
