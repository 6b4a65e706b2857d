/* Held time: link, send buffer, application's rhythm, slow start and congestion window told apart
 * by round trips of 100 ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/replay/held.h"

#define MS ((int64_t)1000000)
#define SMSS 1448u
#define RTT (100 * MS)

struct path_model {
    struct held held;
    int64_t now_ns, total_ns;
    uint64_t una;
    int64_t limit_ns[LIMIT_COUNT];
};

static void start(struct path_model *m)
{
    memset(m, 0, sizeof *m);
    held_init(&m->held);
}

static void take(struct path_model *m, const struct held_decision *made, int count)
{
    assert_in_range(count, 0, HELD_STRETCHES + 1);
    for (int i = 0; i < count; i++) {
        assert_true(made[i].part_ns > 0);
        m->limit_ns[made[i].limit] += made[i].part_ns;
    }
}

/* A round trip of rtt_ns with `segments` in flight, all of it spent waiting for ACKs of every
 * second segment; in a loaded one even the quickest sample is long. */
static struct round round_of(const struct path_model *m, uint32_t segments, int64_t rtt_ns)
{
    return (struct round){
        .start_ns = m->now_ns,
        .end_ns = m->now_ns + rtt_ns,
        .una_start = m->una,
        .una_end = m->una + (uint64_t)segments * SMSS,
        .flight_min_bytes = (uint64_t)segments * SMSS,
        .flight_max_bytes = (uint64_t)segments * SMSS,
        .room_min_bytes = 100 * SMSS,
        .first_frame = 1,
        .last_frame = 2,
        .rtt_min_ns = rtt_ns - MS,
        .rtt_max_ns = rtt_ns,
        .departures = segments,
        .acks = segments / 2,
        .held_ns = rtt_ns,
    };
}

static void give(struct path_model *m, const struct round *round)
{
    struct held_decision made[HELD_STRETCHES + 1];

    m->held.open_ns += round->held_ns;
    m->total_ns += round->held_ns;
    m->now_ns = round->end_ns;
    m->una = round->una_end;
    take(m, made, held_round(&m->held, round, RTT, SMSS, made));
}

static void give_plain(struct path_model *m, uint32_t segments, int64_t rtt_ns)
{
    const struct round round = round_of(m, segments, rtt_ns);

    give(m, &round);
}

static void finish(struct path_model *m)
{
    struct held_decision made[HELD_STRETCHES + 1];
    int64_t sum = 0;

    take(m, made, held_finish(&m->held, made));
    for (int i = 0; i < LIMIT_COUNT; i++)
        sum += m->limit_ns[i];
    assert_int_equal(sum, m->total_ns);
    assert_int_equal(m->held.open_ns, 0);
}

static int64_t pct(const struct path_model *m, enum limit limit)
{
    return 100 * m->limit_ns[limit] / m->total_ns;
}

/* Fifteen segments in flight for thirty round trips, no loss: no window of RFC 5681 or RFC 9438
 * stands still for so long.  The whole of it, its beginning too, is the buffer's. */
static void test_send_buffer(void **state)
{
    struct path_model m;

    (void)state;
    start(&m);
    for (uint32_t i = 0; i < 30; i++)
        give_plain(&m, 15 - i % 2, RTT);
    finish(&m);
    assert_int_equal(pct(&m, LIMIT_SEND_BUFFER), 100);
}

/* The look-alike: a window that grows by one segment every second round trip, the least that Reno
 * with delayed ACKs does. */
static void test_slow_growth_is_cwnd(void **state)
{
    struct path_model m;

    (void)state;
    start(&m);
    for (uint32_t i = 0; i < 60; i++)
        give_plain(&m, 40 + i / 2, RTT);
    finish(&m);
    assert_int_equal(pct(&m, LIMIT_CWND), 100);
}

/* The look-alike: CUBIC's plateau after a loss moves by less than a segment for 2.7 s (twice the
 * cube root of 1 / 0.4); 25 round trips of 100 ms are less.  Fifty are no plateau. */
static void test_plateau_is_cwnd(void **state)
{
    for (uint32_t rounds = 25; rounds <= 50; rounds += 25) {
        struct path_model m;
        struct round lossy;

        (void)state;
        start(&m);
        lossy = round_of(&m, 60, RTT);
        lossy.recovery = true;
        give(&m, &lossy);
        for (uint32_t i = 0; i < rounds; i++)
            give_plain(&m, 50, RTT);
        finish(&m);
        assert_true(rounds < 40 ? pct(&m, LIMIT_CWND) == 100 : pct(&m, LIMIT_SEND_BUFFER) >= 95);
    }
}

/* The look-alike: data comes in a rhythm of its own, on average half way between ACKs. */
static void test_rhythm_is_app(void **state)
{
    struct path_model m;

    (void)state;
    start(&m);
    for (uint32_t i = 0; i < 30; i++) {
        struct round round = round_of(&m, 15, RTT);
        round.unprompted_ns = RTT / 2;
        give(&m, &round);
    }
    finish(&m);
    assert_int_equal(pct(&m, LIMIT_APP), 100);
}

/* Another: each acknowledgment lets data go, but the data passes the tap late: its lag is long and
 * never much shorter, which no rhythm of its own could keep up. */
static void test_steady_lag_is_no_rhythm(void **state)
{
    for (int spread = 0; spread < 2; spread++) {
        struct path_model m;

        (void)state;
        start(&m);
        for (uint32_t i = 0; i < 30; i++) {
            struct round round = round_of(&m, 15, RTT);
            round.unprompted_ns = RTT / 2;
            round.lags = 10;
            round.lag_sum_ns = RTT / 2;
            round.lag_min_ns = spread ? RTT / 100 : RTT / 25; /* mean: RTT / 20 */
            give(&m, &round);
        }
        finish(&m);
        assert_int_equal(pct(&m, LIMIT_APP), spread ? 100 : 0);
        assert_int_equal(pct(&m, LIMIT_SEND_BUFFER), 0);
    }
}

/* Another: small writes that leave with the acknowledgments of those before.  A full buffer would have
 * left more than a small segment. */
static void test_small_writes_are_app(void **state)
{
    struct path_model m;

    (void)state;
    start(&m);
    for (uint32_t i = 0; i < 30; i++) {
        struct round round = round_of(&m, 15, RTT);
        round.partial = round.departures;
        give(&m, &round);
    }
    finish(&m);
    assert_int_equal(pct(&m, LIMIT_APP), 100);
}

/* A flat flight whose window is not known, or that was seen far from its sender without
 * timestamps, says nothing of a buffer. */
static void test_unknown_is_not_send_buffer(void **state)
{
    for (int kind = 0; kind < 3; kind++) {
        struct path_model m;

        (void)state;
        start(&m);
        for (uint32_t i = 0; i < 30; i++) {
            struct round round = round_of(&m, 15, RTT);
            round.unplaced = kind == 0;
            if (kind == 1)
                round.room_min_bytes = BYTES_UNKNOWN;
            if (kind == 2)
                round.room_min_bytes = SMSS;
            give(&m, &round);
        }
        finish(&m);
        assert_int_equal(pct(&m, LIMIT_SEND_BUFFER), 0);
    }
}

/* A link of 100 segments a round trip: from there on the round trip grows with the flight and the
 * rate stays.  Held time at that rate is the link's, before it is not. */
static void test_link(void **state)
{
    struct path_model m;

    (void)state;
    start(&m);
    for (uint32_t segments = 50; segments <= 100; segments += 5)
        give_plain(&m, segments, RTT);
    const int64_t before_ns = m.total_ns;
    for (uint32_t segments = 126; segments < 200; segments += 2)
        give_plain(&m, segments, segments * MS);
    finish(&m);
    assert_int_equal(m.limit_ns[LIMIT_LINK], m.total_ns - before_ns);
    assert_int_equal(m.limit_ns[LIMIT_CWND], before_ns);
    /* 1,448 bytes a millisecond */
    assert_in_range((int)bottleneck_bytes_per_s(&m.held.bottleneck), 1448000 - 100, 1448000 + 100);
}

/* The look-alike: others fill the queue.  The round trip is long whatever this flow does, and its
 * rate grows with its flight. */
static void test_queue_of_others_is_cwnd(void **state)
{
    struct path_model m;

    (void)state;
    start(&m);
    give_plain(&m, 40, RTT);
    for (uint32_t segments = 42; segments < 120; segments++)
        give_plain(&m, segments, 150 * MS);
    finish(&m);
    assert_int_equal(m.limit_ns[LIMIT_LINK], 0);
    assert_true(bottleneck_bytes_per_s(&m.held.bottleneck) < 0);
}

/* Slow start goes by the replay's word. */
static void test_slow_start(void **state)
{
    struct path_model m;

    (void)state;
    start(&m);
    for (uint32_t segments = 10; segments < 640; segments *= 2) {
        struct round round = round_of(&m, segments, RTT);
        round.slow_start = true;
        give(&m, &round);
    }
    finish(&m);
    assert_int_equal(pct(&m, LIMIT_SLOW_START), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_send_buffer),
        cmocka_unit_test(test_slow_growth_is_cwnd),
        cmocka_unit_test(test_plateau_is_cwnd),
        cmocka_unit_test(test_rhythm_is_app),
        cmocka_unit_test(test_steady_lag_is_no_rhythm),
        cmocka_unit_test(test_small_writes_are_app),
        cmocka_unit_test(test_unknown_is_not_send_buffer),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_queue_of_others_is_cwnd),
        cmocka_unit_test(test_slow_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
