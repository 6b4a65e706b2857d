/* One direction replayed at its sender's time: each instant has one limit, wherever the tap is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/replay_check.h"

/* ---- events given one by one, at the sender's own tap: RTT 50 ms, window open ---- */

static const struct replay_path at_sender = {.min_rtt_ns = RTT, .rto_ns = 250 * MS};

/* Time is in milliseconds since the first data. */
static void begin(struct replay *r, uint64_t window)
{
    memset(r, 0, sizeof *r);
    replay_start(r, EPOCH_NS, 0, BASE, BASE + window);
}

static void send_kind(struct replay *r, int64_t at_ms, uint64_t left, uint32_t bytes,
                      enum departure_kind kind)
{
    int64_t before_ns = r->now_ns;
    struct departure d = {
        .tap_ns = EPOCH_NS + at_ms * MS,
        .sent_ns = EPOCH_NS + at_ms * MS,
        .left = BASE + left,
        .right = BASE + left + bytes,
        .frame = (uint64_t)at_ms + 1,
        .smss = MSS,
        .full = bytes >= MSS,
        .kind = kind,
    };

    replay_departure(r, &d, &at_sender);
    assert_true(r->now_ns >= before_ns);
    check_sum(r);
}

static void send_segments(struct replay *r, int64_t at_ms, uint64_t left, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        send_kind(r, at_ms, left + (uint64_t)i * MSS, MSS, DEPARTURE_NEW);
}

static void acknowledge(struct replay *r, int64_t at_ms, uint64_t ack, uint64_t window,
                        bool carries_data)
{
    struct ack_event event = {
        .time_ns = EPOCH_NS + at_ms * MS,
        .ack = BASE + ack,
        .edge = BASE + ack + window,
        .zero_window = window == 0,
        .carries_data = carries_data,
    };

    replay_ack(r, &event, &at_sender);
}

#define OPEN_WINDOW 10000000u

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
    assert_true(share_pct(&r, LIMIT_APP) > 99.9);
    replay_free(&r);
}

/* Requests of 100 bytes, each sent when the answer to the one before has come: the time is spent
 * waiting for one's turn. */
static void test_turn_limited(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t turn = 0; turn < 50; turn++) {
        send_kind(&r, 60 * turn, 100 * turn, 100, DEPARTURE_NEW);
        acknowledge(&r, 60 * turn + 60, 100 * (turn + 1), OPEN_WINDOW, true);
    }
    finish(&r, &at_sender);
    /* all but the wait for the last answer, after which nothing was sent */
    assert_true(share_pct(&r, LIMIT_TURN) > 97.9);
    replay_free(&r);
}

/* The look-alike: the ACK comes after 50 ms, the answer 40 ms later still (the peer thinks); idle
 * time before the answer is a turn's as well. */
static void test_turn_with_early_ack(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t turn = 0; turn < 50; turn++) {
        send_kind(&r, 90 * turn, 100 * turn, 100, DEPARTURE_NEW);
        acknowledge(&r, 90 * turn + 50, 100 * (turn + 1), OPEN_WINDOW, false);
        acknowledge(&r, 90 * turn + 90, 100 * (turn + 1), OPEN_WINDOW, true);
    }
    finish(&r, &at_sender);
    assert_true(share_pct(&r, LIMIT_TURN) > 97.0);
    assert_true(share_pct(&r, LIMIT_TURN) + share_pct(&r, LIMIT_APP) > 99.9);
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
    assert_int_equal(r.limit_ns[LIMIT_SLOW_START], 50 * MS);
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
    assert_int_equal(r.limit_ns[LIMIT_SLOW_START], 50 * MS);
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

/* Clocks step back by an hour: no time is taken back, none is negative. */
static void test_time_never_backwards(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 10 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 60, 10 * MSS, 1);
    send_segments(&r, -3600000, 11 * MSS, 1);
    assert_true(r.now_ns == EPOCH_NS + 60 * MS);
    acknowledge(&r, -3600000, 12 * MSS, OPEN_WINDOW, false);
    finish(&r, &at_sender);
    assert_true(r.now_ns == EPOCH_NS + 60 * MS);
    replay_free(&r);
}

/* A departure without echo, left..right, at at_us on a path with a near leg of 64 ms; returns what
 * the sender had then been told to be acknowledged.  One ACK of 10 segments with a window of 20
 * has passed at 0. */
static uint64_t una_after(struct replay *r, int64_t at_us, uint64_t window, uint64_t right)
{
    const struct replay_path far = {.near_ns = 64 * MS, .min_rtt_ns = 70 * MS, .rto_ns = 270 * MS};
    struct ack_event event = {.time_ns = EPOCH_NS, .ack = BASE + 10 * MSS, .edge = BASE + 30 * MSS};
    struct departure d = {.tap_ns = EPOCH_NS + at_us * US,
                          .sent_ns = EPOCH_NS + at_us * US,
                          .left = BASE + right - MSS,
                          .right = BASE + right,
                          .smss = MSS,
                          .full = true};

    begin(r, window);
    send_segments(r, 0, 0, 10);
    replay_ack(r, &event, &far);
    replay_departure(r, &d, &far);
    check_sum(r);
    return r->una - BASE;
}

/* Without an echo an ACK is acted upon when it has had the time: 64 ms to the sender and back,
 * less 1/64 and 50 us of room: 62.95 ms. */
static void test_acted_upon_by_time(void **state)
{
    struct replay r;

    (void)state;
    assert_int_equal(una_after(&r, 62949, OPEN_WINDOW, 11 * MSS), 0);
    replay_free(&r);
    assert_int_equal(una_after(&r, 62950, OPEN_WINDOW, 11 * MSS), 10 * MSS);
    assert_true(r.now_ns == EPOCH_NS + 62950 * US);
    replay_free(&r);
    assert_int_equal(una_after(&r, 70000, OPEN_WINDOW, 11 * MSS), 10 * MSS);
    assert_true(r.released_ns == NS_UNKNOWN); /* of this departure: used up */
    replay_free(&r);
}

/* Data beyond the window of before proves that the ACK was there, however short the time: acted
 * upon at the departure at the latest. */
static void test_acted_upon_by_window(void **state)
{
    struct replay r;

    (void)state;
    assert_int_equal(una_after(&r, 40000, 10 * MSS, 10 * MSS), 0); /* within it: no proof */
    replay_free(&r);
    assert_int_equal(una_after(&r, 40000, 10 * MSS, 11 * MSS), 10 * MSS);
    assert_true(r.now_ns == EPOCH_NS + 40000 * US);
    assert_int_equal(r.limit_ns[LIMIT_RWND], 40 * MS);
    replay_free(&r);
}

/* More acknowledgments than are kept between tap and sender (near leg 10 s): the oldest are acted
 * upon, memory stays bounded. */
static void test_events_are_bounded(void **state)
{
    const struct replay_path far = {
        .near_ns = 10 * SECOND, .min_rtt_ns = 11 * SECOND, .rto_ns = 12 * SECOND};
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 100);
    for (uint32_t i = 1; i <= 3 * REPLAY_EVENTS_MAX; i++) {
        struct ack_event event = {
            .time_ns = EPOCH_NS + i * US, .ack = BASE + i, .edge = BASE + i + OPEN_WINDOW};
        replay_ack(&r, &event, &far);
        assert_true(r.count <= REPLAY_EVENTS_MAX && r.capacity <= REPLAY_EVENTS_MAX);
        if (i % 1000 == 0)
            check_sum(&r);
    }
    assert_true(r.una == BASE + 2 * REPLAY_EVENTS_MAX);
    finish(&r, &far);
    assert_true(r.una == BASE + 3 * REPLAY_EVENTS_MAX);
    replay_free(&r);
}

/* A sample of the near leg: from the event whose TSval is echoed to now; none when it is gone or
 * not there yet. */
static void test_near_sample(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t i = 0; i < 5; i++) {
        struct ack_event event = {.time_ns = EPOCH_NS + i * 10 * MS,
                                  .ack = BASE + i,
                                  .ts_val = 0xfffffffe + i,
                                  .has_ts = true};
        replay_ack(&r, &event, &at_sender);
    }
    assert_int_equal(replay_near_sample_ns(&r, 0, EPOCH_NS + 70 * MS), 50 * MS); /* wrapped */
    assert_int_equal(replay_near_sample_ns(&r, 0xfffffffe, EPOCH_NS + 70 * MS), 70 * MS);
    assert_true(replay_near_sample_ns(&r, 3, EPOCH_NS) == NS_UNKNOWN);
    assert_true(replay_near_sample_ns(&r, 0xfffffffd, EPOCH_NS) == NS_UNKNOWN);
    finish(&r, &at_sender);
    replay_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_earlier_time),
        cmocka_unit_test(test_app_limited),
        cmocka_unit_test(test_turn_limited),
        cmocka_unit_test(test_turn_with_early_ack),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_timeout_against_the_window),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_zero_window),
        cmocka_unit_test(test_idle_restart),
        cmocka_unit_test(test_initial_window),
        cmocka_unit_test(test_old_acknowledgment),
        cmocka_unit_test(test_time_never_backwards),
        cmocka_unit_test(test_acted_upon_by_time),
        cmocka_unit_test(test_acted_upon_by_window),
        cmocka_unit_test(test_events_are_bounded),
        cmocka_unit_test(test_near_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
