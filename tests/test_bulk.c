/* Which bulk flows are listed: all, or the largest BULK_LISTED_MAX. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/session/bulk.h"

static void test_none(void **state)
{
    struct bulk_list list = {0};

    (void)state;
    assert_int_equal(bulk_choose(&list), 0);
    assert_int_equal(list.left_out, 0);
    bulk_free(&list);
}

/* Up to the bound all are taken, in order of id whatever their size or order of arrival. */
static void test_all(void **state)
{
    struct bulk_list list = {0};

    (void)state;
    for (uint64_t id = BULK_LISTED_MAX; id >= 1; id--)
        bulk_add(&list, id, id % 7);
    assert_int_equal(bulk_choose(&list), BULK_LISTED_MAX);
    for (uint64_t i = 0; i < BULK_LISTED_MAX; i++)
        assert_int_equal(list.ids[i], i + 1);
    assert_int_equal(list.left_out, 0);
    bulk_free(&list);
}

/* 12,000 flows, of which every third carries a gigabyte: those 4,000 and, of the equal others,
 * the 1,000 that started first; 7,000 are left out and counted. */
static void test_largest(void **state)
{
    struct bulk_list list = {0};
    uint64_t large = 0, previous = 0;

    (void)state;
    for (uint64_t id = 1; id <= 12000; id++)
        bulk_add(&list, id, id % 3 == 0 ? 1000000000 : 5000);
    assert_int_equal(bulk_choose(&list), BULK_LISTED_MAX);
    assert_int_equal(list.left_out, 12000 - BULK_LISTED_MAX);
    for (uint64_t i = 0; i < BULK_LISTED_MAX; i++) {
        assert_true(list.ids[i] > previous);
        previous = list.ids[i];
        large += list.ids[i] % 3 == 0;
        assert_true(list.ids[i] % 3 == 0 || list.ids[i] <= 1500);
    }
    assert_int_equal(large, 4000);
    bulk_free(&list);
}

/* Sizes above 2^32 are compared whole. */
static void test_huge_sizes(void **state)
{
    struct bulk_list list = {0};

    (void)state;
    for (uint64_t id = 1; id <= BULK_LISTED_MAX; id++)
        bulk_add(&list, id, (uint64_t)1 << 32);
    bulk_add(&list, 9000, UINT64_MAX);
    bulk_add(&list, 9001, 1);
    assert_int_equal(bulk_choose(&list), BULK_LISTED_MAX);
    assert_int_equal(list.ids[BULK_LISTED_MAX - 1], 9000);
    assert_int_equal(list.ids[BULK_LISTED_MAX - 2], BULK_LISTED_MAX - 1);
    bulk_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_huge_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
