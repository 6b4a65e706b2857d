/* The one change of rate that splits a transfer in two, from round trips of known content. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/facts/knee.h"

#define MS INT64_C(1000000)
#define START (INT64_C(1790000000) * 1000 * MS)

/* Rounds of 20 ms: count of them, each delivering bytes and held by limit all of its time. */
static void run_rounds(struct knee *knee, int64_t *time_ns, int count, uint64_t bytes,
                       enum limit limit)
{
    for (int i = 0; i < count; i++) {
        struct round round = {
            .start_ns = *time_ns, .end_ns = *time_ns + 20 * MS, .una_start = 1 << 20,
            .una_end = (1 << 20) + bytes, .first_frame = (uint64_t)((*time_ns - START) / MS) + 1,
        };

        round.limit_ns[limit] = 20 * MS;
        knee_round(knee, &round);
        *time_ns += 20 * MS;
    }
}

/* 3 s at 10 MB/s, then 9 s at 2 MB/s with the window shut: bins are 0.64 s wide. */
static void test_cache_then_disk(void **state)
{
    struct knee knee = {0};
    struct moves_knee found = {0};
    int64_t time_ns = START;

    (void)state;
    run_rounds(&knee, &time_ns, 150, 200000, LIMIT_CWND);
    run_rounds(&knee, &time_ns, 450, 40000, LIMIT_RWND);
    knee_find(&knee, &found);
    assert_in_range(found.at_ns, 2600 * MS, 3400 * MS);
    assert_in_range(found.before_bytes, 26000000, 31000000);
    assert_true(found.before_bytes_per_s > 8.5e6 && found.before_bytes_per_s < 10.1e6);
    assert_true(found.after_bytes_per_s > 1.9e6 && found.after_bytes_per_s < 2.5e6);
    assert_true(found.before_closed < 0.1 && found.after_closed > 0.9);
    assert_true(found.before_spread < 0.2);
    assert_in_range(found.frame, 2600, 3400);
}

/* At one rate all along there is a best split too, but nothing changes at it. */
static void test_level_course(void **state)
{
    struct knee knee = {0};
    struct moves_knee found = {0};
    int64_t time_ns = START;

    (void)state;
    run_rounds(&knee, &time_ns, 500, 100000, LIMIT_APP);
    knee_find(&knee, &found);
    assert_true(found.after_bytes_per_s > 0.99 * found.before_bytes_per_s);
    assert_true(found.after_bytes_per_s < 1.01 * found.before_bytes_per_s);
    assert_true(found.before_app > 0.99 && found.after_app > 0.99);
}

static void test_short_course(void **state)
{
    struct knee knee = {0};
    struct moves_knee found = {0};
    int64_t time_ns = START;

    (void)state;
    knee_find(&knee, &found);
    assert_int_equal(found.at_ns, 0);
    run_rounds(&knee, &time_ns, 3, 100000, LIMIT_APP);
    knee_find(&knee, &found);
    assert_int_equal(found.at_ns, 0); /* six bins */
}

/* One round trip of an hour, and one that ends before it begins. */
static void test_extreme_rounds(void **state)
{
    struct knee knee = {0};
    struct moves_knee found = {0};
    struct round hour = {.start_ns = START, .end_ns = START + 3600 * 1000 * MS, .una_end = 1000};
    struct round backward = {.start_ns = START, .end_ns = START - MS, .una_end = 1000};

    (void)state;
    knee_round(&knee, &backward); /* takes no part, not even as the first */
    knee_find(&knee, &found);
    assert_int_equal(found.at_ns, 0);
    knee_round(&knee, &hour);
    knee_round(&knee, &backward);
    knee_find(&knee, &found);
    assert_true(found.before_bytes <= 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache_then_disk),
        cmocka_unit_test(test_level_course),
        cmocka_unit_test(test_short_course),
        cmocka_unit_test(test_extreme_rounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
