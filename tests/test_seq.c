/* Sequence numbers as stream offsets, and serial comparison. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/flow/seq.h"
#include "tests/random.h"

#define EPOCH ((uint64_t)1 << 32)

static void test_first_offset(void **state)
{
    (void)state;
    assert_int_equal(seq_first_offset(0), EPOCH);
    assert_int_equal(seq_first_offset(1), EPOCH + 1);
    assert_int_equal(seq_first_offset(UINT32_MAX), 2 * EPOCH - 1);
}

/* RFC 9293 section 3.4: arithmetic modulo 2^32; the nearest offset to the reference is meant. */
static void test_unwrap_nearest(void **state)
{
    static const struct {
        uint32_t seq;
        uint64_t reference, offset;
    } rows[] = {
        {1000, EPOCH + 1000, EPOCH + 1000},
        {2448, EPOCH + 1000, EPOCH + 2448},
        {0, EPOCH + 1000, EPOCH},
        {0xffffffff, EPOCH + 1000, EPOCH - 1},       /* before the first segment seen */
        {5, 2 * EPOCH - 10, 2 * EPOCH + 5},          /* forward over the wrap */
        {0xfffffff6, 2 * EPOCH + 5, 2 * EPOCH - 10}, /* and back */
        {0x7fffffff, EPOCH, EPOCH + 0x7fffffff},     /* furthest ahead */
        {0x80000000, EPOCH, EPOCH - 0x80000000},     /* half way round counts as behind */
        {0x80000001, EPOCH, EPOCH - 0x7fffffff},
        {7, 7 * EPOCH + 3, 7 * EPOCH + 7}, /* 25 GB on: epoch 7 */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(seq_unwrap(rows[i].seq, rows[i].reference), rows[i].offset);
}

/* A stream of 40 GB in steps of up to 1 GB, some back, keeps its offsets through nine wraps. */
static void test_unwrap_follows_a_long_stream(void **state)
{
    uint64_t seed = 1, offset = seq_first_offset(0xfffff000), highest = offset;

    (void)state;
    while (highest < 10 * EPOCH) {
        uint64_t step = random_below(&seed, (uint64_t)1 << 30);
        offset = random_below(&seed, 4) == 0 ? highest - step / 2 : highest + step;
        assert_int_equal(seq_unwrap((uint32_t)offset, highest), offset);
        if (offset > highest)
            highest = offset;
    }
}

/* RFC 7323 section 5.2: s < t if 0 < (t - s) < 2^31. */
static void test_serial_after(void **state)
{
    (void)state;
    assert_true(serial_after(2, 1));
    assert_false(serial_after(1, 2));
    assert_false(serial_after(1, 1));
    assert_true(serial_after(0, UINT32_MAX));
    assert_false(serial_after(UINT32_MAX, 0));
    assert_true(serial_after(0x7fffffff, 0));
    assert_false(serial_after(0x80000000, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_offset),
        cmocka_unit_test(test_unwrap_nearest),
        cmocka_unit_test(test_unwrap_follows_a_long_stream),
        cmocka_unit_test(test_serial_after),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
