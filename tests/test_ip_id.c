/* What IP identification numbers tell: order, and packets that never passed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/ip_id.h"
#include "tests/random.h"

/* count packets numbered one by one from `from`; a jump before them goes with a loss. */
static void add_run(struct ip_ids *ids, uint16_t from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ip_ids_add(ids, (uint16_t)(from + i), 1, true);
}

/* A first number and eight steps: enough to learn from, one step less is not. */
static void test_learning(void **state)
{
    struct ip_ids ids = {0};

    (void)state;
    assert_int_equal(ip_ids_mode(&ids), IP_ID_LEARNING);
    add_run(&ids, 100, 8);
    assert_int_equal(ip_ids_mode(&ids), IP_ID_LEARNING);
    assert_int_equal(ip_ids_jump(&ids, 110), 0);
    assert_int_equal(ip_ids_order(&ids, 5, 4), 0);
    assert_int_equal(ip_ids_missing(&ids), 0);
    add_run(&ids, 108, 1);
    assert_int_equal(ip_ids_mode(&ids), IP_ID_PER_FLOW);
}

/* Linux counts each connection's packets: after 100..119 the next is 120; 123 says three are
 * missing, and then they are. */
static void test_per_flow(void **state)
{
    struct ip_ids ids = {0};

    (void)state;
    add_run(&ids, 100, 20);
    assert_int_equal(ip_ids_jump(&ids, 120), 0);
    assert_int_equal(ip_ids_jump(&ids, 123), 3);
    assert_int_equal(ip_ids_jump(&ids, 119), 0);
    assert_int_equal(ip_ids_missing(&ids), 0);
    add_run(&ids, 123, 20);
    assert_int_equal(ip_ids_missing(&ids), 3);
    add_run(&ids, 121, 1); /* one of them was late, not lost */
    assert_int_equal(ip_ids_missing(&ids), 2);
    assert_int_equal(ip_ids_jump(&ids, 143), 0);
}

/* A jump that no loss accounts for: other connections take numbers of the same counter, so that
 * numbers count nothing; their order still holds. */
static void test_unexplained_jump(void **state)
{
    struct ip_ids ids = {0};

    (void)state;
    add_run(&ids, 100, 20);
    ip_ids_add(&ids, 123, 1, false);
    add_run(&ids, 124, 20);
    assert_int_equal(ip_ids_mode(&ids), IP_ID_PER_FLOW);
    assert_int_equal(ip_ids_missing(&ids), 0);
    assert_int_equal(ip_ids_jump(&ids, 150), 0);
    assert_int_equal(ip_ids_order(&ids, 150, 140), 1);
}

/* Highest seen is 119: it and those below were sent before; what comes next was not, nor was a
 * number so far off that it is another counter's.  While learning only numbers seen count. */
static void test_is_old(void **state)
{
    struct ip_ids ids = {0};

    (void)state;
    add_run(&ids, 100, 5);
    assert_true(ip_ids_is_old(&ids, 100));
    assert_false(ip_ids_is_old(&ids, 99));
    add_run(&ids, 105, 15);
    assert_true(ip_ids_is_old(&ids, 118));
    assert_true(ip_ids_is_old(&ids, 119));
    assert_false(ip_ids_is_old(&ids, 120));
    assert_false(ip_ids_is_old(&ids, (uint16_t)(120 - 1024)));
    assert_true(ip_ids_is_old(&ids, (uint16_t)(120 - 1023)));
}

/* The counter has 16 bits: 70,000 packets wrap it, number 0 included, and none is missing. */
static void test_wrap(void **state)
{
    struct ip_ids ids = {0};

    (void)state;
    add_run(&ids, 65000, 70000);
    assert_int_equal(ip_ids_mode(&ids), IP_ID_PER_FLOW);
    assert_int_equal(ip_ids_missing(&ids), 0);
    add_run(&ids, (uint16_t)(65000 + 70000 + 5), 1);
    assert_int_equal(ip_ids_missing(&ids), 5);
    assert_int_equal(ip_ids_order(&ids, 3, 65530), 1);
    assert_int_equal(ip_ids_order(&ids, 65530, 3), -1);
    assert_int_equal(ip_ids_order(&ids, 3, 3), 0);
}

/* A captured super-segment of ten stands for ten numbers on the wire. */
static void test_super_segments(void **state)
{
    struct ip_ids ids = {0};

    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        ip_ids_add(&ids, (uint16_t)(1000 + 10 * i), 10, false);
    assert_int_equal(ip_ids_mode(&ids), IP_ID_PER_FLOW);
    assert_int_equal(ip_ids_missing(&ids), 0);
    assert_int_equal(ip_ids_jump(&ids, 1200), 0);
    assert_int_equal(ip_ids_jump(&ids, 1201), 1);
}

/* A counter shared by all flows of a host (Windows) rises in jumps: order, no count. */
static void test_shared_counter(void **state)
{
    struct ip_ids ids = {0};

    (void)state;
    for (uint32_t i = 0; i < 50; i++)
        ip_ids_add(&ids, (uint16_t)(60000 + 7 * i), 1, false);
    assert_int_equal(ip_ids_mode(&ids), IP_ID_RISING);
    assert_int_equal(ip_ids_order(&ids, 20, 10), 1);
    assert_int_equal(ip_ids_order(&ids, 10, 20), -1);
    assert_int_equal(ip_ids_jump(&ids, (uint16_t)(60000 + 7 * 55)), 0);
    assert_int_equal(ip_ids_missing(&ids), 0);
}

/* Jumps of 1024 and more are other counters', not losses: of no use when they are the rule. */
static void test_far_jumps(void **state)
{
    struct ip_ids near = {0}, far = {0};

    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        ip_ids_add(&near, (uint16_t)(100 + 1000 * i), 1, true);
        ip_ids_add(&far, (uint16_t)(100 + 1500 * i), 1, true);
    }
    assert_int_equal(ip_ids_mode(&near), IP_ID_RISING);
    assert_int_equal(ip_ids_mode(&far), IP_ID_USELESS);
}

/* Zero (RFC 6864 lets atomic datagrams carry anything) and random numbers carry no weight. */
static void test_useless(void **state)
{
    struct ip_ids zero = {0}, random = {0};
    uint64_t seed = 9;

    (void)state;
    for (int i = 0; i < 200; i++) {
        ip_ids_add(&zero, 0, 1, false);
        ip_ids_add(&random, (uint16_t)random_next(&seed), 1, false);
    }
    assert_int_equal(ip_ids_mode(&zero), IP_ID_USELESS);
    assert_int_equal(ip_ids_mode(&random), IP_ID_USELESS);
    assert_int_equal(ip_ids_order(&random, 20, 10), 0);
    assert_int_equal(ip_ids_missing(&zero), 0);
    assert_int_equal(ip_ids_missing(&random), 0);
}

/* 5 % loss upstream of the tap in runs of 1 to 3: still per flow, and every one is counted. */
static void test_losses_are_counted(void **state)
{
    struct ip_ids ids = {0};
    uint64_t seed = 4;
    uint32_t lost = 0, id = 500;

    (void)state;
    add_run(&ids, (uint16_t)id++, 1);
    for (int i = 0; i < 20000; i++) {
        if (random_below(&seed, 40) == 0) {
            uint32_t run = 1 + (uint32_t)random_below(&seed, 3);
            lost += run;
            id += run;
        }
        assert_true(i < 100 || ip_ids_jump(&ids, (uint16_t)id) < 4);
        add_run(&ids, (uint16_t)id++, 1);
    }
    assert_int_equal(ip_ids_mode(&ids), IP_ID_PER_FLOW);
    assert_int_equal(ip_ids_missing(&ids), lost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learning),
        cmocka_unit_test(test_per_flow),
        cmocka_unit_test(test_unexplained_jump),
        cmocka_unit_test(test_is_old),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_super_segments),
        cmocka_unit_test(test_shared_counter),
        cmocka_unit_test(test_far_jumps),
        cmocka_unit_test(test_useless),
        cmocka_unit_test(test_losses_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
