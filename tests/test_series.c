/* Time series: buckets, merging when they are full, sums that survive it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/replay/series.h"

#define MS ((int64_t)1000000)
#define SECOND ((int64_t)1000000000)
#define START (1700000000 * SECOND)

static uint64_t sum_of_bytes(const struct series_result *result)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < result->count; i++)
        bytes += result->buckets[i].bytes;
    return bytes;
}

static uint64_t sum_of_limit_us(const struct series_result *result, enum limit limit)
{
    uint64_t sum_us = 0;

    for (uint32_t i = 0; i < result->count; i++)
        sum_us += result->buckets[i].limit_us[limit];
    return sum_us;
}

/* A NULL series takes samples and has none. */
static void test_null(void **state)
{
    struct replay replay = {0};
    struct series_result result;

    (void)state;
    series_departure(NULL, START, &replay, 1, 1);
    series_rtt(NULL, START, 1);
    series_retransmission(NULL, START, 1);
    series_get(NULL, &result);
    assert_int_equal(result.count, 0);
    assert_null(result.buckets);
    series_free(NULL);
}

static void test_empty(void **state)
{
    struct series *series = series_new(START);
    struct series_result result;

    (void)state;
    series_get(series, &result);
    assert_int_equal(result.count, 0);
    assert_int_equal(result.start_ns, START);
    assert_int_equal(result.bucket_ns, 10 * MS);
    series_free(series);
}

/* Samples of one bucket: sums, extremes, and named values where there is no sample. */
static void test_one_bucket(void **state)
{
    struct series *series = series_new(START);
    struct replay replay = {.una = 1000, .edge = 51000};
    struct series_result result;

    (void)state;
    series_departure(series, START, &replay, 1448, 3000);
    replay.una = 21000;
    series_departure(series, START + 9 * MS, &replay, 1448, 9000);
    series_rtt(series, START + 5 * MS, 40 * MS);
    series_rtt(series, START + 6 * MS, 30 * MS);
    series_retransmission(series, START + 7 * MS, 2);
    series_retransmission(series, START + 25 * MS, 1);
    series_get(series, &result);
    assert_int_equal(result.count, 3);
    assert_int_equal(result.buckets[0].bytes, 2896);
    assert_int_equal(result.buckets[0].flight_min_bytes, 3000);
    assert_int_equal(result.buckets[0].flight_max_bytes, 9000);
    assert_int_equal(result.buckets[0].rwnd_min_bytes, 30000);
    assert_int_equal(result.buckets[0].rtt_min_us, 30000);
    assert_int_equal(result.buckets[0].rtt_max_us, 40000);
    assert_int_equal(result.buckets[0].retransmitted_segments, 2);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(result.buckets[i].bytes, 0);
        assert_true(result.buckets[i].flight_min_bytes == UINT32_MAX);
        assert_true(result.buckets[i].rwnd_min_bytes == UINT32_MAX);
        assert_true(result.buckets[i].rtt_min_us == UINT32_MAX);
    }
    assert_int_equal(result.buckets[2].retransmitted_segments, 1);
    series_free(series);
}

/* The window: unknown without an edge, 0 when acknowledgments have passed it. */
static void test_window(void **state)
{
    struct series *series = series_new(START);
    struct replay unknown = {.una = 1000}, full = {.una = 1000, .edge = 1000};
    struct series_result result;

    (void)state;
    series_departure(series, START, &unknown, 1, 1);
    series_departure(series, START + 10 * MS, &full, 1, 1);
    series_get(series, &result);
    assert_true(result.buckets[0].rwnd_min_bytes == UINT32_MAX);
    assert_int_equal(result.buckets[1].rwnd_min_bytes, 0);
    series_free(series);
}

/* Times before the start (frames out of order) fall into the first bucket. */
static void test_before_start(void **state)
{
    struct series *series = series_new(START);
    struct replay replay = {0};
    struct series_result result;

    (void)state;
    series_departure(series, START - SECOND, &replay, 7, 7);
    series_rtt(series, INT64_MIN / 2, -5);
    series_get(series, &result);
    assert_int_equal(result.count, 1);
    assert_int_equal(result.buckets[0].bytes, 7);
    assert_int_equal(result.buckets[0].rtt_min_us, 0);
    series_free(series);
}

/* 512 buckets of 10 ms hold 5.12 s.  The 513th makes 256 of 20 ms and one more; a minute needs
 * 160 ms (81.92 s).  Bytes and retransmissions keep their sums, extremes stay extreme. */
static void test_merging(void **state)
{
    struct series *series = series_new(START);
    struct replay replay = {0};
    struct series_result result;

    (void)state;
    for (int i = 0; i < 512; i++)
        series_departure(series, START + i * 10 * MS, &replay, 1 + (uint64_t)i % 2,
                         1000 + (uint64_t)i);
    series_get(series, &result);
    assert_int_equal(result.count, SERIES_BUCKETS);
    assert_int_equal(result.bucket_ns, 10 * MS);
    series_departure(series, START + 5120 * MS, &replay, 5, 5);
    series_get(series, &result);
    assert_int_equal(result.count, 257);
    assert_int_equal(result.bucket_ns, 20 * MS);
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(result.buckets[i].bytes, 3);
        assert_int_equal(result.buckets[i].flight_min_bytes, 1000 + 2 * i);
        assert_int_equal(result.buckets[i].flight_max_bytes, 1001 + 2 * i);
    }
    assert_int_equal(result.buckets[256].bytes, 5);
    series_retransmission(series, START + 60 * SECOND, 4);
    series_get(series, &result);
    assert_int_equal(result.bucket_ns, 160 * MS);
    assert_int_equal(result.count, 60000 / 160 + 1);
    assert_int_equal(sum_of_bytes(&result), 256 * 3 + 5);
    assert_int_equal(result.buckets[375].retransmitted_segments, 4);
    series_free(series);
}

/* A series of any length stays within its buckets: one sample a year later, one in 200 years. */
static void test_any_length(void **state)
{
    struct series *series = series_new(0);
    struct replay replay = {0};
    struct series_result result;

    (void)state;
    series_departure(series, 0, &replay, 1, 1);
    series_departure(series, 365 * 86400 * SECOND, &replay, 2, 2);
    series_get(series, &result);
    assert_in_range(result.count, 256, SERIES_BUCKETS);
    assert_int_equal(result.buckets[result.count - 1].bytes, 2);
    series_departure(series, (int64_t)200 * 365 * 86400 * SECOND, &replay, 4, 4);
    series_get(series, &result);
    assert_in_range(result.count, 256, SERIES_BUCKETS);
    assert_int_equal(sum_of_bytes(&result), 7);
    series_free(series);
}

/* Time of limits adds up to what the replay counted, also when departures are 700 ns apart (a
 * segment of 1,448 bytes at 17 Gbit/s): 100,000 of them are 70 ms. */
static void test_limits_add_up(void **state)
{
    struct series *series = series_new(START);
    struct replay replay = {0};
    struct series_result result;

    (void)state;
    for (int64_t i = 1; i <= 100000; i++) {
        replay.limit_ns[LIMIT_CWND] += 700;
        series_departure(series, START + i * 700, &replay, 1448, 1448);
        series_limits(series, &replay, START + i * 700);
    }
    series_get(series, &result);
    assert_int_equal(sum_of_limit_us(&result, LIMIT_CWND), 70000);
    assert_int_equal(sum_of_limit_us(&result, LIMIT_APP), 0);
    series_free(series);
}

/* What is decided later goes to the buckets whose time it was, and is not counted again with the
 * next departure: 80 ms of the first 80 ms decided at 200 ms, buckets of 10 ms. */
static void test_late_decisions(void **state)
{
    struct series *series = series_new(START);
    struct replay replay = {0};
    struct series_result result;

    (void)state;
    replay.limit_ns[LIMIT_SEND_BUFFER] = 80 * MS;
    replay.limit_ns[LIMIT_RWND] = 120 * MS;
    replay.decisions[0] = (struct held_decision){
        .limit = LIMIT_SEND_BUFFER,
        .start_ns = START,
        .end_ns = START + 80 * MS,
        .part_ns = 80 * MS,
    };
    replay.decision_count = 1;
    series_limits(series, &replay, START + 200 * MS);
    series_limits(series, &replay, START + 200 * MS);
    series_get(series, &result);
    assert_int_equal(sum_of_limit_us(&result, LIMIT_SEND_BUFFER), 80000);
    assert_int_equal(sum_of_limit_us(&result, LIMIT_RWND), 120000);
    for (int i = 0; i < 8; i++)
        assert_int_equal(result.buckets[i].limit_us[LIMIT_SEND_BUFFER], 10000);
    assert_int_equal(result.buckets[20].limit_us[LIMIT_RWND], 120000);
    series_free(series);
}

/* Two hours of silence are more microseconds than 32 bits hold: the bucket saturates. */
static void test_limit_of_two_hours(void **state)
{
    struct series *series = series_new(START);
    struct replay replay = {.limit_ns = {[LIMIT_APP] = 7200 * SECOND}};
    struct series_result result;

    (void)state;
    series_limits(series, &replay, START + 7200 * SECOND);
    replay.limit_ns[LIMIT_APP] *= 2;
    series_limits(series, &replay, START + 7200 * SECOND);
    series_get(series, &result);
    assert_true(result.buckets[result.count - 1].limit_us[LIMIT_APP] >= UINT32_MAX - 1);
    series_free(series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_one_bucket),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_before_start),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_any_length),
        cmocka_unit_test(test_limits_add_up),
        cmocka_unit_test(test_late_decisions),
        cmocka_unit_test(test_limit_of_two_hours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
