/* The facts of a path, from rounds given one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/facts/path.h"

#define MS ((int64_t)1000000)
#define SECOND (1000 * MS)
#define EPOCH_NS (1700000000 * SECOND)

static struct round round_at(int64_t at_ns, int64_t rtt_ns, uint64_t flight)
{
    return (struct round){
        .start_ns = EPOCH_NS + at_ns,
        .end_ns = EPOCH_NS + at_ns + rtt_ns,
        .una_end = flight,
        .flight_min_bytes = flight,
        .flight_max_bytes = flight,
        .rtt_min_ns = rtt_ns,
        .rtt_max_ns = rtt_ns,
        .departures = 10,
    };
}

/* Rounds of rtt_ns and flight for thirty seconds, from the span's number on. */
static void take_span(struct path *path, int span, int64_t rtt_ns, uint64_t flight)
{
    for (int64_t at_ns = 0; at_ns < 30 * SECOND; at_ns += 100 * MS) {
        const struct round round = round_at(span * 30 * SECOND + at_ns, rtt_ns, flight);
        path_take_round(path, &round, MS, false);
    }
}

static void fill(const struct path *path, struct path_facts *facts)
{
    const struct replay replay = {.held = {.bottleneck = {.rate_max = -1}}};
    const struct sample_summary rtt = {40 * MS, 60 * MS, 90 * MS, 95 * MS, 100};

    path_fill(path, &replay, &rtt, NS_UNKNOWN, facts);
}

/* The route changes to one that is 15 ms longer, and later to one that is 30 ms shorter. */
static void test_steps(void **state)
{
    struct path path = {0};
    struct path_facts facts;

    (void)state;
    take_span(&path, 0, 60 * MS, 50000);
    take_span(&path, 1, 75 * MS, 50000);
    take_span(&path, 2, 45 * MS, 50000);
    take_span(&path, 3, 45 * MS, 50000);
    fill(&path, &facts);
    assert_int_equal(facts.step_count, 2);
    assert_int_equal(facts.steps[0].from_ns, 60 * MS);
    assert_int_equal(facts.steps[0].to_ns, 75 * MS);
    assert_int_equal(facts.steps[1].from_ns, 75 * MS);
    assert_int_equal(facts.steps[1].to_ns, 45 * MS);
}

/* The look-alike: the round trip is longer because more is in flight, and shorter again with less,
 * but never below that of the empty path. */
static void test_queue_is_no_step(void **state)
{
    struct path path = {0};
    struct path_facts facts;

    (void)state;
    take_span(&path, 0, 60 * MS, 50000);
    take_span(&path, 1, 100 * MS, 90000);
    take_span(&path, 2, 80 * MS, 70000);
    take_span(&path, 3, 90 * MS, 80000);
    fill(&path, &facts);
    assert_int_equal(facts.step_count, 0);
}

/* Slow start fills an empty queue: 40 ms rising to 80 is (80 - 40) / 80 = 0.5.  A path that was
 * full before stands at 80 ms. */
static void test_signature(void **state)
{
    struct path own = {0}, others = {0}, empty = {0};
    struct path_facts facts;

    (void)state;
    for (int64_t i = 0; i <= 20; i++) {
        path_take_start(&own, (40 + 2 * i) * MS);
        path_take_start(&others, (80 + i % 2) * MS);
        path_take_start(&empty, (40 + i % 2) * MS);
    }
    fill(&own, &facts);
    assert_int_equal(facts.signature, CONGESTION_SELF_INDUCED);
    assert_true(facts.norm_diff == 0.5);
    fill(&others, &facts);
    assert_int_equal(facts.signature, CONGESTION_EXTERNAL);
    fill(&empty, &facts);
    assert_int_equal(facts.signature, CONGESTION_UNKNOWN);
}

/* Queue: 60 and 90 ms against 40.  Far from the sender without timestamps it is not in the samples. */
static void test_queue(void **state)
{
    struct path path = {0};
    struct path_facts facts;
    struct round round = round_at(0, 40 * MS, 10000);

    (void)state;
    path_take_round(&path, &round, MS, false);
    fill(&path, &facts);
    assert_int_equal(facts.queue_p50_ns, 20 * MS);
    assert_int_equal(facts.queue_p95_ns, 50 * MS);
    assert_int_equal(facts.idle_rtt_ns, 40 * MS);
    assert_int_equal(facts.jitter_ns, MS);
    round.unplaced = true;
    path_take_round(&path, &round, MS, false);
    path_take_round(&path, &round, MS, false);
    fill(&path, &facts);
    assert_true(facts.queue_p50_ns == NS_UNKNOWN);
    assert_int_equal(facts.min_rtt_ns, 40 * MS);
}

static void test_ttl(void **state)
{
    struct path path = {0};
    struct path_facts facts;

    (void)state;
    path_take_ttl(&path, 57);
    path_take_ttl(&path, 57);
    path_take_ttl(&path, 55);
    fill(&path, &facts);
    assert_int_equal(facts.ttl_changes, 1);
    assert_int_equal(facts.ttl_first, 57);
    assert_int_equal(facts.ttl_last, 55);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_queue_is_no_step),
        cmocka_unit_test(test_signature),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_ttl),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
