/* One direction replayed at its sender's time: each instant has one limit, wherever the tap is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/replay_steps.h"

/* Without an event there is no time, and nothing breaks. */
static void test_empty(void **state)
{
    struct replay r = {.released_ns = NS_UNKNOWN};

    (void)state;
    replay_finish(&r, &at_sender); /* never started */
    assert_int_equal(sum_of_limits(&r), 0);
    replay_free(&r);
    begin(&r, OPEN_WINDOW);
    finish(&r, &at_sender);
    assert_true(r.now_ns == r.first_ns);
    replay_free(&r);
}

/* Data that passed before the direction was followed: its time is unknown, not lost. */
static void test_earlier_time(void **state)
{
    struct replay r = {0};

    (void)state;
    replay_start(&r, EPOCH_NS, 300 * MS, BASE, 0);
    send_segments(&r, 0, 0, 1);
    acknowledge(&r, 50, MSS, OPEN_WINDOW, false);
    finish(&r, &at_sender);
    assert_int_equal(r.limit_ns[LIMIT_UNKNOWN], 300 * MS);
    assert_int_equal(sum_of_limits(&r), 350 * MS);
    replay_free(&r);
}

/* 400 ms of bursts of ten segments every 200 ms: nothing let them go but the program. */
static void test_app_limited(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t burst = 0; burst < 20; burst++) {
        send_segments(&r, 200 * burst, 10 * MSS * burst, 10);
        acknowledge(&r, 200 * burst + 50, 10 * MSS * (burst + 1), OPEN_WINDOW, false);
    }
    finish(&r, &at_sender);
    assert_int_equal(r.now_ns - r.first_ns, 3850 * MS); /* 19 x 200 and the last round trip */
    assert_int_equal(r.limit_ns[LIMIT_APP], 3800 * MS);
    assert_int_equal(r.limit_ns[LIMIT_TURN], 50 * MS);
    replay_free(&r);
}

/* A queue of 16 ms stood between tap and sender (2 ms) when the window held it; the window is wide
 * since, and data passes 3 ms after the acknowledgment that let it go.  What the edge showed then
 * says nothing now: the program was not idle.  The look-alike keeps to the edge, and its queue. */
static void test_near_queue_of_the_moment(void **state)
{
    const struct replay_path path = {.near_ns = 2 * MS, .min_rtt_ns = RTT, .rto_ns = 250 * MS};
    const uint32_t burst = 4 * MSS;

    (void)state;
    for (int stays = 0; stays < 2; stays++) {
        struct replay r;
        int64_t at_ms = 0, lag_ms = 18;

        begin(&r, burst);
        for (uint32_t i = 0; i < 80; i++) {
            for (uint32_t k = 0; k < 4; k++)
                send_along(&r, at_ms, i * burst + k * MSS, MSS, DEPARTURE_NEW, &path);
            acknowledge(&r, at_ms + 47, (i + 1) * burst, stays ? burst : OPEN_WINDOW, false);
            at_ms += 47 + lag_ms;
            lag_ms = stays ? 18 : 3;
        }
        finish(&r, &path);
        assert_true(share_pct(&r, LIMIT_APP) < 20); /* eight round trips of 80, and the edges */
        assert_true(!stays || share_pct(&r, LIMIT_RWND) > 90);
        replay_free(&r);
    }
}

/* Requests of 100 bytes, each sent when the answer to the one before has come, 2 ms after a round
 * trip: the time is spent waiting for one's turn. */
static void test_turn_limited(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t turn = 0; turn < 50; turn++) {
        send_kind(&r, 52 * turn, 100 * turn, 100, DEPARTURE_NEW);
        acknowledge(&r, 52 * turn + 52, 100 * (turn + 1), OPEN_WINDOW, true);
    }
    finish(&r, &at_sender);
    assert_true(share_pct(&r, LIMIT_TURN) > 99.9);
    assert_int_equal(r.waits.turns, 49);
    assert_int_equal(r.waits.turn_ns, 50 * 52 * MS);
    assert_int_equal(r.waits.think_ns, 0);
    assert_int_equal(r.waits.answer_ns, 0);
    replay_free(&r);
}

/* Ten turns of 100 bytes, then thirty segments in one message: that is the most without an answer
 * to the peer; among the turns alone it is the 100 bytes of one. */
static void test_longest_message(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t turn = 0; turn < 10; turn++) {
        send_kind(&r, 52 * turn, 100 * turn, 100, DEPARTURE_NEW);
        acknowledge(&r, 52 * turn + 52, 100 * (turn + 1), OPEN_WINDOW, true);
    }
    assert_int_equal(r.waits.message_most_bytes, 100);
    send_segments(&r, 520, 1000, 10);
    acknowledge(&r, 570, 1000 + 10 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 570, 1000 + 10 * MSS, 20);
    acknowledge(&r, 620, 1000 + 30 * MSS, OPEN_WINDOW, false);
    finish(&r, &at_sender);
    assert_int_equal(r.waits.turns, 10);
    assert_int_equal(r.waits.message_most_bytes, 30 * MSS);
    replay_free(&r);
}

/* The look-alike: the ACK comes after 50 ms, the answer 40 ms later still: the round trip is the
 * turn's, what is beyond was spent thinking.  The next request takes 10 ms: this sender's own. */
static void test_turn_with_early_ack(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t turn = 0; turn < 50; turn++) {
        send_kind(&r, 100 * turn, 100 * turn, 100, DEPARTURE_NEW);
        acknowledge(&r, 100 * turn + 50, 100 * (turn + 1), OPEN_WINDOW, false);
        acknowledge(&r, 100 * turn + 90, 100 * (turn + 1), OPEN_WINDOW, true);
    }
    finish(&r, &at_sender);
    assert_int_equal(r.limit_ns[LIMIT_TURN], 50 * 50 * MS); /* with the last one's way */
    assert_int_equal(r.limit_ns[LIMIT_THINK], 49 * 40 * MS);
    assert_int_equal(r.waits.answer_ns, 49 * 10 * MS);
    replay_free(&r);
}

/* Ten segments, nothing for 300 ms, then the first again by the timer: 300 ms of RTO.  Its
 * followers until all is acknowledged at 400 ms are recovery; after it things are as before. */
static void test_timeout(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    send_kind(&r, 300, 0, MSS, DEPARTURE_TIMEOUT);
    assert_int_equal(r.limit_ns[LIMIT_RTO], 300 * MS);
    assert_true(r.slow_start);
    assert_true(r.after_timeout);
    acknowledge(&r, 350, MSS, OPEN_WINDOW, false);
    send_kind(&r, 350, MSS, MSS, DEPARTURE_TIMEOUT_RESEND);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 50 * MS);
    acknowledge(&r, 400, 10 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 400, 10 * MSS, 4);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 100 * MS);
    assert_int_equal(r.recover, 0);
    assert_false(r.after_timeout);
    acknowledge(&r, 450, 14 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 450, 14 * MSS, 4);
    assert_int_equal(r.limit_ns[LIMIT_RTO], 300 * MS);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 100 * MS);
    assert_int_equal(r.limit_ns[LIMIT_SLOW_START] + r.held.open_ns, 50 * MS);
    assert_int_equal(r.longest_silence_ns, 300 * MS);
    assert_int_equal(r.longest_silence_frame, 301);
    assert_int_equal(r.worst[LIMIT_RTO].duration_ns, 300 * MS);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* The timer owns its silence whatever the window; a tail loss probe (RFC 8985) as well. */
static void test_timeout_against_the_window(void **state)
{
    static const enum departure_kind kinds[] = {DEPARTURE_TIMEOUT, DEPARTURE_TAIL_PROBE};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct replay r;
        begin(&r, 10 * MSS);
        send_segments(&r, 0, 0, 10);
        send_kind(&r, 300, 9 * MSS, MSS, kinds[i]);
        assert_int_equal(r.limit_ns[LIMIT_RTO], 300 * MS);
        assert_int_equal(r.limit_ns[LIMIT_RWND], 0);
        finish(&r, &at_sender);
        replay_free(&r);
    }
}

/* A fast retransmission at 60 ms; recovery lasts until what was out then is acknowledged
 * (RFC 6582), at 120 ms; slow start is over. */
static void test_recovery(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 20);
    acknowledge(&r, 50, MSS, OPEN_WINDOW, false);
    send_segments(&r, 50, 20 * MSS, 2);
    assert_int_equal(r.limit_ns[LIMIT_SLOW_START] + r.held.open_ns, 50 * MS);
    send_kind(&r, 60, MSS, MSS, DEPARTURE_RESEND);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 10 * MS);
    assert_true(r.recover == BASE + 22 * MSS);
    acknowledge(&r, 110, 15 * MSS, OPEN_WINDOW, false); /* partial: still in recovery */
    send_kind(&r, 110, 15 * MSS, MSS, DEPARTURE_RESEND);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 60 * MS);
    acknowledge(&r, 120, 22 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 120, 22 * MSS, 5);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 70 * MS);
    assert_int_equal(r.recover, 0);
    assert_false(r.slow_start);
    acknowledge(&r, 170, 27 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 170, 27 * MSS, 5);
    assert_int_equal(r.limit_ns[LIMIT_CWND], 50 * MS);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* The window closes with the ACK at 50 ms and opens at 550 ms: 500 ms, probes in between change
 * nothing; the first 50 ms were the window's too (ten segments filled it). */
static void test_zero_window(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, 10 * MSS);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 10 * MSS, 0, false);
    send_kind(&r, 300, 10 * MSS - 1, 1, DEPARTURE_PROBE);
    acknowledge(&r, 350, 10 * MSS, 0, false);
    acknowledge(&r, 550, 10 * MSS, 10 * MSS, false);
    send_segments(&r, 550, 10 * MSS, 10);
    assert_int_equal(r.limit_ns[LIMIT_ZERO_WINDOW], 500 * MS);
    assert_int_equal(r.limit_ns[LIMIT_RWND], 50 * MS);
    assert_int_equal(r.window_full_ns, 550 * MS);
    assert_int_equal(r.limit_ns[LIMIT_APP], 0);
    acknowledge(&r, 600, 20 * MSS, 10 * MSS, false);
    finish(&r, &at_sender);
    assert_int_equal(r.worst[LIMIT_ZERO_WINDOW].duration_ns, 500 * MS);
    replay_free(&r);
}

/* RFC 5681 section 4.1: idle for 950 ms, more than the RTO of 250 ms: slow start again.  Idle for
 * 150 ms is none. */
static void test_idle_restart(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 10 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 200, 10 * MSS, 10);
    assert_int_equal(r.idle_restarts, 0);
    r.slow_start = false;
    acknowledge(&r, 250, 20 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 1200, 20 * MSS, 10);
    assert_int_equal(r.idle_restarts, 1);
    assert_true(r.slow_start);
    assert_int_equal(r.limit_ns[LIMIT_APP], 1200 * MS);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* Initial window (RFC 6928): what left before the first acknowledgment came. */
static void test_initial_window(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 2 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 50, 10 * MSS, 4);
    assert_int_equal(r.initial_window, 10 * MSS);
    assert_int_equal(r.flight_max, 12 * MSS); /* 14 sent, 2 acknowledged */
    finish(&r, &at_sender);
    assert_int_equal(r.initial_window, 10 * MSS);
    replay_free(&r);
}

/* An acknowledgment that was overtaken has an older window: the edge stays where it is
 * (RFC 9293 section 3.10.7.4). */
static void test_old_acknowledgment(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, 20 * MSS);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 4 * MSS, 20 * MSS, false);
    acknowledge(&r, 51, 2 * MSS, 0, false);
    send_segments(&r, 52, 10 * MSS, 1);
    assert_true(r.edge == BASE + 24 * MSS);
    assert_true(r.una == BASE + 4 * MSS);
    assert_false(r.zero_window);
    finish(&r, &at_sender);
    replay_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_earlier_time),
        cmocka_unit_test(test_app_limited),
        cmocka_unit_test(test_near_queue_of_the_moment),
        cmocka_unit_test(test_turn_limited),
        cmocka_unit_test(test_longest_message),
        cmocka_unit_test(test_turn_with_early_ack),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_timeout_against_the_window),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_zero_window),
        cmocka_unit_test(test_idle_restart),
        cmocka_unit_test(test_initial_window),
        cmocka_unit_test(test_old_acknowledgment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
