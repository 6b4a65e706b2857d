/* Which congestion control the falls of a window speak for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/replay/sawtooth.h"

#define SMSS 1448.0

/* A clean fall from one window to another, in segments. */
static void fall(struct sawtooth *s, double peak, double valley)
{
    sawtooth_fall(s, (int64_t)s->falls * 1000000000, s->falls * UINT64_C(1000000), false);
    sawtooth_settle(s, peak, valley, SMSS, true);
}

/* RFC 5681: half; RFC 9438: 0.7.  Three falls from 40 say it. */
static void test_three_clean_falls(void **state)
{
    struct sawtooth reno = {0}, cubic = {0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_not_equal(sawtooth_family(&reno), CWND_RENO);
        fall(&reno, 40, 20);
        fall(&cubic, 40, 28);
    }
    assert_int_equal(sawtooth_family(&reno), CWND_RENO);
    assert_int_equal(sawtooth_family(&cubic), CWND_CUBIC);
}

/* From 10 to 5 or to 7: one segment of doubt either way, so one fall tells nothing.  Twenty do. */
static void test_small_windows_together(void **state)
{
    struct sawtooth reno = {0}, cubic = {0}, tiny = {0};

    (void)state;
    for (int i = 0; i < 20; i++) {
        fall(&reno, 10, i % 3 ? 5 : 4);
        fall(&cubic, 10, i % 3 ? 7 : 8);
        fall(&tiny, 4, 2);
        if (i == 5)
            assert_int_equal(sawtooth_family(&reno), CWND_LOSS_BASED);
    }
    assert_int_equal(sawtooth_family(&reno), CWND_RENO);
    assert_int_equal(sawtooth_family(&cubic), CWND_CUBIC);
    assert_int_equal(sawtooth_family(&tiny), CWND_LOSS_BASED); /* 2 of Reno, 2.8 of CUBIC */
}

/* The look-alike: a window that falls to between the two each time is neither's. */
static void test_between_is_neither(void **state)
{
    struct sawtooth s = {0}, large = {0};

    (void)state;
    for (int i = 0; i < 20; i++) {
        fall(&s, 10, 6);
        fall(&large, 100, 60);
    }
    assert_int_equal(sawtooth_family(&s), CWND_LOSS_BASED);
    assert_int_equal(sawtooth_family(&large), CWND_LOSS_BASED);
}

/* Predictions from afar go wrong at times: two thirds for one law and none for the other are enough;
 * a single one for the other is not. */
static void test_two_thirds_and_none_against(void **state)
{
    struct sawtooth s = {0};

    (void)state;
    fall(&s, 5, 0);
    for (int i = 0; i < 4; i++)
        sawtooth_predicted(&s, 30, 40, 40);
    for (int i = 0; i < 2; i++)
        sawtooth_predicted(&s, 30, 40, 55);
    assert_int_equal(sawtooth_family(&s), CWND_CUBIC);
    sawtooth_predicted(&s, 30, 40, 30);
    assert_int_equal(sawtooth_family(&s), CWND_LOSS_BASED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_clean_falls),
        cmocka_unit_test(test_small_windows_together),
        cmocka_unit_test(test_between_is_neither),
        cmocka_unit_test(test_two_thirds_and_none_against),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
