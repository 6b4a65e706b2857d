/* Ended flows wait a second for stragglers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/flow/flow.h"
#include "analysis/connection/reaper.h"

#define SECOND ((int64_t)1000000000)

static void close_flow(struct flow *flow, uint32_t id)
{
    *flow = (struct flow){.id = id, .marks = FLOW_CLOSING};
}

static void test_empty(void **state)
{
    struct reaper reaper = {0};

    (void)state;
    assert_null(reaper_due(&reaper, INT64_MAX));
}

/* In at 5 s and 5.5 s: due at 6 s and 6.5 s, in that order, once. */
static void test_due(void **state)
{
    struct reaper reaper = {0};
    struct flow flows[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        close_flow(&flows[i], i + 1);
        assert_null(reaper_add(&reaper, &flows[i], 5 * SECOND + (int64_t)i * SECOND / 2));
    }
    assert_null(reaper_due(&reaper, 6 * SECOND - 1));
    assert_ptr_equal(reaper_due(&reaper, 6 * SECOND), &flows[0]);
    assert_null(reaper_due(&reaper, 6 * SECOND));
    assert_ptr_equal(reaper_due(&reaper, 60 * SECOND), &flows[1]);
    assert_null(reaper_due(&reaper, INT64_MAX));
}

/* A flow that came back to life, and one whose record another flow has since, are passed over. */
static void test_no_longer_closing(void **state)
{
    struct reaper reaper = {0};
    struct flow flows[3];

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        close_flow(&flows[i], i + 1);
        reaper_add(&reaper, &flows[i], 0);
    }
    flows[0].marks &= (uint16_t)~FLOW_CLOSING;
    close_flow(&flows[1], 99);
    assert_ptr_equal(reaper_due(&reaper, SECOND), &flows[2]);
    assert_null(reaper_due(&reaper, SECOND));
    assert_int_equal(reaper.count, 0);
}

/* REAPER_MAX flows within a second fill it; each further one puts the oldest out at once. */
static void test_bound(void **state)
{
    static struct flow flows[3 * REAPER_MAX];
    struct reaper reaper = {0};

    (void)state;
    for (uint32_t i = 0; i < 3 * REAPER_MAX; i++) {
        close_flow(&flows[i], i + 1);
        const struct flow *out = reaper_add(&reaper, &flows[i], i);
        assert_ptr_equal(out, i < REAPER_MAX ? NULL : &flows[i - REAPER_MAX]);
        assert_in_range(reaper.count, 1, REAPER_MAX);
    }
    for (uint32_t i = 2 * REAPER_MAX; i < 3 * REAPER_MAX; i++)
        assert_ptr_equal(reaper_due(&reaper, 2 * SECOND), &flows[i]);
    assert_null(reaper_due(&reaper, INT64_MAX));
}

/* The oldest of a full reaper came back to life: it makes room, but is not to be closed. */
static void test_bound_with_a_live_flow(void **state)
{
    static struct flow flows[REAPER_MAX + 1];
    struct reaper reaper = {0};

    (void)state;
    for (uint32_t i = 0; i <= REAPER_MAX; i++)
        close_flow(&flows[i], i + 1);
    for (uint32_t i = 0; i < REAPER_MAX; i++)
        assert_null(reaper_add(&reaper, &flows[i], 0));
    flows[0].marks = 0;
    assert_null(reaper_add(&reaper, &flows[REAPER_MAX], 0));
    assert_int_equal(reaper.count, REAPER_MAX);
    assert_ptr_equal(reaper_due(&reaper, SECOND), &flows[1]);
}

/* The clock of the capture steps back: nothing is due early, nothing is forgotten. */
static void test_clock_steps_back(void **state)
{
    struct reaper reaper = {0};
    struct flow flows[2];

    (void)state;
    close_flow(&flows[0], 1);
    close_flow(&flows[1], 2);
    reaper_add(&reaper, &flows[0], 100 * SECOND);
    reaper_add(&reaper, &flows[1], 50 * SECOND);
    assert_null(reaper_due(&reaper, 60 * SECOND));
    assert_ptr_equal(reaper_due(&reaper, 101 * SECOND), &flows[0]);
    assert_ptr_equal(reaper_due(&reaper, 101 * SECOND), &flows[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_due),
        cmocka_unit_test(test_no_longer_closing),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_bound_with_a_live_flow),
        cmocka_unit_test(test_clock_steps_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
