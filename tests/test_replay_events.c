/* What a replay takes for acted upon, and its bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/replay_steps.h"

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

/* A side that only listens: of 10,000 segments without news the first 128 and the latest are kept;
 * what it then sends was waited for since the peer spoke first, until the peer spoke last. */
static void test_listener_keeps_begin_and_end(void **state)
{
    struct replay r;
    int64_t last_ms = 0;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 1);
    acknowledge(&r, 10, 1 * MSS, OPEN_WINDOW, false);
    for (int i = 0; i < 10000; i++) {
        last_ms = 20 + i;
        *replay_next_event(&r, 0, false) = (struct ack_event){
            .time_ns = EPOCH_NS + last_ms * MS,
            .ack = BASE + 1 * MSS,
            .edge = BASE + OPEN_WINDOW,
            .carries_data = true,
        };
    }
    assert_true(r.count <= REPLAY_QUIET_MAX + 1);
    assert_true(replay_event_at(&r, r.count - 1)->time_ns == EPOCH_NS + last_ms * MS);
    send_segments(&r, last_ms + 5, 1 * MSS, 1);
    assert_int_equal(r.count, 0);
    assert_true(r.limit_ns[LIMIT_APP] == 15 * MS); /* 10 to the acknowledgment, 5 to answer */
    check_sum(&r);
    replay_free(&r);
}

/* Data far from its sender, without an echo and with no sample of the way there: whatever the gaps,
 * what it waited for is not known, nor how much it had out. */
static void test_unplaced_time_is_unknown(void **state)
{
    const struct replay_path path = {.min_rtt_ns = NS_UNKNOWN, .rto_ns = NS_UNKNOWN, .unplaced = true};
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (int i = 0; i < 20; i++) {
        struct ack_event event = {.time_ns = EPOCH_NS + (i * 100 + 1) * MS,
                                  .ack = BASE + (uint64_t)(i + 1) * MSS};
        struct departure d = {.tap_ns = EPOCH_NS + i * 100 * MS,
                              .sent_ns = EPOCH_NS + i * 100 * MS,
                              .left = BASE + (uint64_t)i * MSS,
                              .right = BASE + (uint64_t)(i + 1) * MSS,
                              .frame = (uint64_t)i + 1,
                              .smss = MSS,
                              .full = true};

        replay_departure(&r, &d, &path);
        replay_ack(&r, &event, &path);
    }
    assert_true(r.limit_ns[LIMIT_UNKNOWN] == 1900 * MS);
    assert_true(r.limit_ns[LIMIT_APP] == 0);
    assert_int_equal(r.flight_count, 0);
    replay_free(&r);
}

/* A window of unknown scale that closes at 10 ms and opens again at 210 ms: closed it is known. */
static void test_closed_window_of_unknown_scale(void **state)
{
    struct replay r;
    struct ack_event closed = {.time_ns = EPOCH_NS + 10 * MS, .ack = BASE + 2 * MSS,
                               .edge = BASE + 2 * MSS, .zero_window = true};
    struct ack_event opened = {.time_ns = EPOCH_NS + 210 * MS, .ack = BASE + 2 * MSS};

    (void)state;
    begin(&r, OPEN_WINDOW);
    r.edge = 0;
    send_segments(&r, 0, 0, 2);
    replay_ack(&r, &closed, &at_sender);
    replay_ack(&r, &opened, &at_sender);
    send_segments(&r, 210, 2 * MSS, 2);
    assert_true(r.limit_ns[LIMIT_ZERO_WINDOW] == 200 * MS);
    assert_true(r.edge == 0);
    check_sum(&r);
    replay_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listener_keeps_begin_and_end),
        cmocka_unit_test(test_unplaced_time_is_unknown),
        cmocka_unit_test(test_closed_window_of_unknown_scale),
        cmocka_unit_test(test_time_never_backwards),
        cmocka_unit_test(test_acted_upon_by_time),
        cmocka_unit_test(test_acted_upon_by_window),
        cmocka_unit_test(test_events_are_bounded),
        cmocka_unit_test(test_near_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
