/* Percentiles: exact up to 32 samples, then within half a cell of the sorted list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/segment/quantiles.h"
#include "tests/random.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)
#define SAMPLES 20000u

static int compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Smallest value with at least share_pct of the samples at or below it (nearest rank). */
static int64_t exact(const int64_t *sorted, size_t count, unsigned share_pct)
{
    size_t rank = (count * share_pct + 99) / 100;

    return sorted[rank == 0 ? 0 : rank - 1];
}

/* Half a cell of 16 an octave is 1/32 = 3.125 %; samples are cut to whole microseconds, which
 * weighs more than that below 32 us. */
static void check_near(int64_t value, int64_t right)
{
    int64_t off = value > right ? value - right : right - value;
    int64_t allowed = right / 1000 * 32 > US ? right / 1000 * 32 : US;

    if (off > allowed)
        fail_msg("%lld ns, right is %lld ns", (long long)value, (long long)right);
}

static void check_samples(int64_t *samples, size_t count)
{
    struct quantiles q = {0};
    struct sample_summary out;

    for (size_t i = 0; i < count; i++)
        quantiles_add(&q, samples[i]);
    quantiles_summary(&q, &out);
    qsort(samples, count, sizeof *samples, compare);
    assert_int_equal(out.samples, count);
    assert_true(out.min_ns == samples[0]);
    assert_true(out.max_ns == samples[count - 1]);
    check_near(out.p50_ns, exact(samples, count, 50));
    check_near(out.p95_ns, exact(samples, count, 95));
    assert_true(out.min_ns <= out.p50_ns && out.p50_ns <= out.p95_ns && out.p95_ns <= out.max_ns);
    quantiles_free(&q);
}

static void test_none(void **state)
{
    struct quantiles q = {0};
    struct sample_summary out;

    (void)state;
    quantiles_summary(&q, &out);
    assert_int_equal(out.samples, 0);
    assert_true(out.min_ns == NS_UNKNOWN && out.p50_ns == NS_UNKNOWN);
    assert_true(out.p95_ns == NS_UNKNOWN && out.max_ns == NS_UNKNOWN);
    quantiles_free(&q);
}

static void test_one(void **state)
{
    int64_t sample[] = {50123456};

    (void)state;
    check_samples(sample, 1);
}

/* Of 20 values 1..20 ms: the 10th is the median, the 19th has 95 % at or below it. */
static void test_few_are_exact(void **state)
{
    struct quantiles q = {0};
    struct sample_summary out;

    (void)state;
    for (int64_t i = 0; i < 20; i++)
        quantiles_add(&q, (1 + i * 7 % 20) * 1000 * US); /* 1..20 in some order */
    quantiles_summary(&q, &out);
    assert_int_equal(out.min_ns, 1000 * US);
    assert_int_equal(out.p50_ns, 10 * 1000 * US);
    assert_int_equal(out.p95_ns, 19 * 1000 * US);
    assert_int_equal(out.max_ns, 20 * 1000 * US);
    assert_null(q.cells);
    quantiles_free(&q);
}

/* 32 samples are kept one by one, the 33rd makes the histogram; nothing is lost on the way. */
static void test_change_over(void **state)
{
    int64_t samples[34];

    (void)state;
    for (size_t count = 31; count <= 34; count++) {
        for (size_t i = 0; i < count; i++)
            samples[i] = (int64_t)(i + 1) * 977 * US;
        check_samples(samples, count);
    }
}

/* A sample below 0 (clocks of two taps) counts as 0. */
static void test_negative(void **state)
{
    struct quantiles q = {0};
    struct sample_summary out;

    (void)state;
    quantiles_add(&q, -5 * US);
    quantiles_add(&q, INT64_MIN);
    quantiles_summary(&q, &out);
    assert_int_equal(out.min_ns, 0);
    assert_int_equal(out.max_ns, 0);
    assert_int_equal(out.p95_ns, 0);
    quantiles_free(&q);
}

/* Distributions as round trips have them: flat, skewed over six decades, two humps (an idle and a
 * filled queue), all but equal, small. */
static void test_distributions(void **state)
{
    int64_t *samples = calloc(SAMPLES, sizeof *samples);
    uint64_t seed = 3;

    (void)state;
    assert_non_null(samples);
    for (int kind = 0; kind < 6; kind++) {
        for (size_t i = 0; i < SAMPLES; i++) {
            uint64_t r = random_next(&seed);
            int64_t flat = (int64_t)(r % 100000) * US;
            switch (kind) {
            case 0: samples[i] = 20000 * US + flat; break;
            case 1: samples[i] = (int64_t)(r >> 40 << (r % 20)) & INT64_MAX; break;
            case 2: samples[i] = r >> 60 < 9 ? 10000 * US + flat / 100 : 200000 * US + flat; break;
            case 3: samples[i] = 50000 * US + flat / 10000; break;
            case 4: samples[i] = flat / 1000; break; /* 0..100 us */
            default: samples[i] = (int64_t)(r % 40) * US; break;
            }
        }
        check_samples(samples, SAMPLES);
    }
    free(samples);
}

/* Every value from 0 to 200,000 us alone, 40 times over: the error is that of its cell. */
static void test_every_cell(void **state)
{
    struct sample_summary out;

    (void)state;
    for (int64_t us = 0; us < 200000; us += us < 2000 ? 1 : 101) {
        struct quantiles q = {0};
        quantiles_add(&q, 0); /* extremes that do not clamp the answer */
        quantiles_add(&q, 400000 * US);
        for (int i = 0; i < 60; i++)
            quantiles_add(&q, us * US);
        quantiles_summary(&q, &out);
        check_near(out.p50_ns, us * US);
        check_near(out.p95_ns, us * US);
        quantiles_free(&q);
    }
}

/* Above 2^32 us (71 minutes) the histogram saturates; the extremes stay exact. */
static void test_extremes(void **state)
{
    struct quantiles q = {0};
    struct sample_summary out;

    (void)state;
    for (int i = 0; i < 50; i++) {
        quantiles_add(&q, 0);
        quantiles_add(&q, INT64_MAX);
    }
    quantiles_summary(&q, &out);
    assert_int_equal(out.min_ns, 0);
    check_near(out.p50_ns, 0);
    assert_true(out.max_ns == INT64_MAX);
    assert_true(out.p95_ns >= ((int64_t)1 << 31) * US); /* in the last octave at least */
    quantiles_free(&q);
}

/* A queue of 2 ms above a path of 500 ms: half a cell is 3.1 % of the 2 ms, not of the path.  Then the
 * path grows shorter by half, and later samples count as before. */
static void test_queue_above_a_long_path(void **state)
{
    struct quantiles q = {0};
    struct sample_summary out;

    (void)state;
    for (int i = 0; i < 1000; i++)
        quantiles_add(&q, 500 * MS + (i % 4 == 0 ? 0 : 2 * MS));
    quantiles_summary(&q, &out);
    assert_in_range(out.p50_ns - out.min_ns, 2 * MS - 63 * US, 2 * MS + 63 * US);
    for (int i = 0; i < 9000; i++)
        quantiles_add(&q, 250 * MS + (i % 4 == 0 ? 0 : 2 * MS));
    quantiles_summary(&q, &out);
    assert_int_equal(out.samples, 10000);
    assert_true(out.min_ns == 250 * MS);
    check_near(out.p50_ns, 252 * MS);
    check_near(out.p95_ns, 502 * MS);
    quantiles_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),          cmocka_unit_test(test_one),
        cmocka_unit_test(test_few_are_exact), cmocka_unit_test(test_change_over),
        cmocka_unit_test(test_negative),      cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_every_cell),    cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_queue_above_a_long_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
