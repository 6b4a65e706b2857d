#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check.h"

/* Rows of the catalogue of causes (0 = unknown). */
enum { UNKNOWN, RECEIVE_WINDOW, ABORTED_BY_CLIENT = 36, CAPTURE_UNFIT = 61, HEALTHY, TOO_SHORT };

#define ANY 0

static void any_cause(void **state)
{
    const int window[] = {HEALTHY, RECEIVE_WINDOW};
    const int healthy[] = {HEALTHY, TOO_SHORT};

    (void)state;
    assert_int_equal(check_causes(window, 2, ANY), EXIT_LIMITED);
    assert_int_equal(check_causes(healthy, 2, ANY), EXIT_DONE);
}

static void one_cause(void **state)
{
    const int causes[] = {TOO_SHORT, ABORTED_BY_CLIENT, HEALTHY};

    (void)state;
    assert_int_equal(check_causes(causes, 3, ABORTED_BY_CLIENT), EXIT_LIMITED);
    assert_int_equal(check_causes(causes, 3, RECEIVE_WINDOW), EXIT_DONE);
    assert_int_equal(check_causes(causes, 3, HEALTHY), EXIT_LIMITED);
    assert_int_equal(check_causes(causes, 3, TOO_SHORT), EXIT_LIMITED);
}

static void not_enough_evidence(void **state)
{
    const int causes[] = {TOO_SHORT, CAPTURE_UNFIT, UNKNOWN};

    (void)state;
    assert_int_equal(check_causes(causes, 3, ANY), EXIT_NO_EVIDENCE);
    assert_int_equal(check_causes(causes, 3, RECEIVE_WINDOW), EXIT_NO_EVIDENCE);
    assert_int_equal(check_causes(causes, 0, ANY), EXIT_NO_EVIDENCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_cause),
        cmocka_unit_test(one_cause),
        cmocka_unit_test(not_enough_evidence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
