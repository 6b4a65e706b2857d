/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Retransmissions: what was sent twice, why, and whether it was needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

/* Bulk of 400 segments, one of them lost once; SACK and fast retransmit repair it. */
static void run_one_loss(double tap, enum trace_fate fate, enum ip_id_mode ip_id,
                         struct flow_result *flow)
{
    struct trace_options options = trace_defaults();
    struct trace_loss loss = {200, fate};
    struct trace_bulk_options bulk = {
        .from = C2S, .segments = 400, .cwnd_segments = 40, .losses = &loss, .loss_count = 1};
    struct trace_bulk_result sent;

    options.tap = tap;
    options.ip_id[C2S] = ip_id;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, &sent);
    assert_int_equal(sent.retransmitted, 1);
    assert_int_equal(sent.timeouts, 0);
    trace_result(t, flow);
    assert_int_equal(flow->dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow->dir[C2S].retransmissions[REXMIT_FAST], 1);
    assert_int_equal(flow->dir[C2S].spurious_retransmissions, 0);
    assert_int_equal(flow->dir[C2S].reordered_segments, 0);
    assert_int_equal(flow->dir[C2S].loss_events, 1);
    assert_int_equal(flow->dir[C2S].retransmitted_bytes, 1448);
    assert_int_equal(flow->dir[C2S].bytes, 400 * 1448);
}

/* The original passed the tap and was lost after it: the same verdict wherever the tap is.  At
 * the receiver the resend comes a whole RTT after the ACKs that called for it. */
static void test_fast_original_seen(void **state)
{
    static const double taps[] = {0, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        run_one_loss(taps[i], FATE_LOST_DOWNSTREAM, IP_ID_COUNTER, &flow);
        assert_int_equal(flow.dir[C2S].lost_downstream_segments, 1);
        assert_int_equal(flow.dir[C2S].lost_upstream_segments, 0);
    }
}

/* The original never reached the tap: what fills the hole an RTT later is the resend. */
static void test_fast_original_lost_before_tap(void **state)
{
    static const double taps[] = {0.1, 0.5, 1};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
        run_one_loss(taps[i], FATE_LOST_UPSTREAM, IP_ID_COUNTER, &flow);
        assert_int_equal(flow.dir[C2S].lost_upstream_segments, 1);
        assert_int_equal(flow.dir[C2S].lost_downstream_segments, 0);
    }
}

/* The same when the IP ID says nothing. */
static void test_fast_without_ip_id(void **state)
{
    struct flow_result flow;

    (void)state;
    run_one_loss(1, FATE_LOST_UPSTREAM, IP_ID_ZERO, &flow);
    assert_int_equal(flow.dir[C2S].lost_upstream_segments, 1);
    run_one_loss(1, FATE_LOST_UPSTREAM, IP_ID_RANDOM, &flow);
    assert_int_equal(flow.dir[C2S].lost_upstream_segments, 1);
}

/* 60 segments, the next one lost before the tap at the receiver, silence of 300 ms, the resend,
 * more data.  When not lost, the program just wrote nothing for so long. */
static void run_tail(enum ip_id_mode ip_id, bool lost, struct flow_result *flow)
{
    struct trace_options options = trace_defaults();
    struct trace_bulk_options bulk = {.from = C2S, .segments = 60, .cwnd_segments = 20};

    options.tap = 1;
    options.sack = false; /* so the resend can be no tail probe, which RFC 8985 ties to SACK */
    options.ip_id[C2S] = ip_id;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    if (lost) {
        trace_fate(t, FATE_LOST_UPSTREAM, 1);
        trace_data(t, C2S, 1448);
    }
    trace_wait_ms(t, 300);
    if (lost)
        trace_resend(t, C2S, 60 * 1448, 1448);
    else
        trace_data(t, C2S, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
    bulk.segments = 20;
    trace_bulk(t, &bulk, NULL);
    trace_result(t, flow);
    assert_int_equal(flow->dir[C2S].bytes, 81 * 1448);
    assert_int_equal(flow->dir[C2S].reordered_segments, 0);
}

/* Only the silence and the one IP ID that never came show the loss. */
static void test_tail_loss_before_tap(void **state)
{
    struct flow_result flow;

    (void)state;
    run_tail(IP_ID_COUNTER, true, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_RTO], 1);
    assert_int_equal(flow.dir[C2S].lost_upstream_segments, 1);
    assert_int_equal(flow.dir[C2S].loss_events, 1);
}

/* A silence as long without a missing IP ID, or with IDs that prove nothing, is no time-out. */
static void test_silence_alone_proves_nothing(void **state)
{
    struct flow_result flow;

    (void)state;
    run_tail(IP_ID_COUNTER, false, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.dir[C2S].lost_upstream_segments, 0);
    run_tail(IP_ID_ZERO, false, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    run_tail(IP_ID_RANDOM, false, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
}

/* No SACK, a whole burst lost: one time-out, then everything again, ACK by ACK (go-back-N).
 * All of it belongs to that time-out, and it is one loss event. */
static void test_go_back_n_inherits_rto(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;

    (void)state;
    options.sack = false;
    struct trace *t = trace_new(&options);

    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 6);
    trace_data(t, C2S, 6 * 1448);
    trace_wait_ms(t, 300);
    for (int i = 0; i < 6; i++) {
        trace_resend(t, C2S, i * 1448, 1448);
        if (i % 2 == 1)
            continue;
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
    }
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 6);
    assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_RTO], 6);
    assert_int_equal(flow.dir[C2S].loss_events, 1);
    assert_int_equal(flow.dir[C2S].lost_downstream_segments, 6);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
}

/* The last two of five are lost.  100 ms (2 SRTT, RFC 8985 section 7.2) after the ACK of the other
 * three, too soon for a time-out, whose floor is 200 ms, the highest segment goes again alone; its
 * SACK then shows the other one missing. */
static void test_tail_probe(void **state)
{
    struct trace *t = trace_new(NULL);
    struct trace_bulk_options bulk = {.from = C2S, .segments = 60, .cwnd_segments = 20};
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_bulk(t, &bulk, NULL);
    trace_data(t, C2S, 3 * 1448);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 2);
    trace_data(t, C2S, 2 * 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_wait_ms(t, 100);
    trace_resend(t, C2S, 64 * 1448, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_wait_path(t);
    trace_resend(t, C2S, 63 * 1448, 1448);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 2);
    assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_TAIL_PROBE], 1);
    assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_FAST], 1);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
    assert_int_equal(flow.dir[C2S].lost_downstream_segments, 2);
}

/* SYN lost twice: 1 s and 3 s later again (RFC 6298 section 5). */
static void test_syn_retransmissions(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_fate(t, FATE_LOST_DOWNSTREAM, 2);
    trace_syn(t, C2S);
    trace_wait_ms(t, 1000);
    trace_syn(t, C2S);
    trace_wait_ms(t, 2000);
    trace_handshake(t);
    trace_data(t, C2S, 3000);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.syn_retransmissions, 2);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 2);
    assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_SYN], 2);
    assert_int_equal(flow.dir[C2S].bytes, 3000);
    assert_int_equal(flow.dir[C2S].retransmitted_bytes, 0);
}

/* Two lost segments of 1,000 bytes go again as 1,448 and 552 bytes: two retransmissions of
 * 2,000 bytes, and every byte counted once. */
static void test_repacketised_resend(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 2);
    trace_frame(t, C2S, 1000);
    trace_wait_us(t, 12);
    trace_frame(t, C2S, 1000);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 0, 1448);
    trace_wait_us(t, 12);
    trace_resend(t, C2S, 1448, 552);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 2);
    assert_int_equal(flow.dir[C2S].retransmitted_bytes, 2000);
    assert_int_equal(flow.dir[C2S].bytes, 2000);
    assert_int_equal(flow.dir[C2S].spurious_retransmissions, 0);
}

/* A resend that also carries new bytes: 500 of its 1,448 bytes were sent before. */
static void test_resend_with_new_bytes(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 1);
    trace_frame(t, C2S, 500);
    trace_wait_ms(t, 300);
    trace_resend(t, C2S, 0, 1448);
    t->host[C2S].snd_nxt += 948;
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 1);
    assert_int_equal(flow.dir[C2S].retransmitted_bytes, 500);
    assert_int_equal(flow.dir[C2S].bytes, 1448);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast_original_seen),
        cmocka_unit_test(test_fast_original_lost_before_tap),
        cmocka_unit_test(test_fast_without_ip_id),
        cmocka_unit_test(test_tail_loss_before_tap),
        cmocka_unit_test(test_silence_alone_proves_nothing),
        cmocka_unit_test(test_go_back_n_inherits_rto),
        cmocka_unit_test(test_tail_probe),
        cmocka_unit_test(test_syn_retransmissions),
        cmocka_unit_test(test_repacketised_resend),
        cmocka_unit_test(test_resend_with_new_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
