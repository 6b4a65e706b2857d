/* What makes a capture good, degraded or unfit: each threshold from both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/health.h"

struct given {
    struct analysis_counts counts;
    struct health_input in;
};

/* A faultless capture of 10 connections and 1,000,000 bytes. */
static void open_good(struct given *g)
{
    memset(g, 0, sizeof *g);
    g->counts.flows = 10;
    g->counts.data_bytes = 1000000;
    g->in.counts = &g->counts;
}

static enum health_verdict judge(const struct given *g)
{
    return health_judge(&g->in).verdict;
}

/* The count of a problem, 0 when it is not listed. */
static uint64_t problem_count(const struct given *g, const char *id)
{
    const struct health_result result = health_judge(&g->in);

    for (int i = 0; i < result.problem_count; i++)
        if (strcmp(result.problems[i].id, id) == 0)
            return result.problems[i].count;
    return 0;
}

static void a_faultless_capture_is_good(void **state)
{
    struct given g;

    (void)state;
    open_good(&g);
    assert_int_equal(judge(&g), HEALTH_GOOD);
    assert_int_equal(health_judge(&g.in).problem_count, 0);
    assert_string_equal(health_verdict_name(HEALTH_GOOD), "good");
    assert_string_equal(health_verdict_name(HEALTH_DEGRADED), "degraded");
    assert_string_equal(health_verdict_name(HEALTH_UNFIT), "unfit");
}

static void an_empty_capture_is_good(void **state)
{
    struct given g;

    (void)state;
    open_good(&g);
    g.counts = (struct analysis_counts){.flows = 0};
    assert_int_equal(judge(&g), HEALTH_GOOD);
}

static void each_capture_fault_degrades(void **state)
{
    struct given g;
    uint64_t *const faults[] = {&g.in.dropped, &g.in.clock_backward_steps, &g.in.cut_headers,
                                &g.in.truncated_files, &g.in.without_time};

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        open_good(&g);
        *faults[i] = 1;
        assert_int_equal(judge(&g), HEALTH_DEGRADED);
        assert_int_equal(health_judge(&g.in).problem_count, 1);
        assert_int_equal(health_judge(&g.in).problems[0].count, 1);
    }
}

/* Shares of all data, seen and unseen: 0.1 % of 1,001,001 is 1,001; 5 % of 1,052,631 is 52,631. */
static void gaps_weigh_by_their_share(void **state)
{
    struct given g;

    (void)state;
    open_good(&g);
    g.counts.gap_bytes = 1000;
    assert_int_equal(judge(&g), HEALTH_GOOD);
    assert_int_equal(problem_count(&g, "gaps"), 1000);
    g.counts.gap_bytes = 1002;
    assert_int_equal(judge(&g), HEALTH_DEGRADED);
    g.counts.gap_bytes = 52631;
    assert_int_equal(judge(&g), HEALTH_DEGRADED);
    g.counts.gap_bytes = 52632;
    assert_int_equal(judge(&g), HEALTH_UNFIT);
}

static void missing_syns_weigh_when_most_lack_them(void **state)
{
    struct given g;

    (void)state;
    open_good(&g);
    g.counts.syn_missing_flows = 5;
    assert_int_equal(judge(&g), HEALTH_GOOD);
    assert_int_equal(problem_count(&g, "syn_missing"), 5);
    g.counts.syn_missing_flows = 6;
    assert_int_equal(judge(&g), HEALTH_DEGRADED);
}

static void one_direction_everywhere_is_unfit(void **state)
{
    struct given g;

    (void)state;
    open_good(&g);
    g.counts.one_way_flows = 9;
    assert_int_equal(judge(&g), HEALTH_GOOD);
    g.counts.one_way_flows = 10;
    assert_int_equal(judge(&g), HEALTH_UNFIT);
    g.counts.data_bytes = 0; /* nothing but SYNs that nobody answered */
    assert_int_equal(judge(&g), HEALTH_GOOD);
    g.counts.unseen_data_flows = 1; /* acknowledgments of data that passed elsewhere */
    assert_int_equal(judge(&g), HEALTH_UNFIT);
    assert_int_equal(problem_count(&g, "only_one_direction"), 10);
}

static void copies_and_offload_are_notes(void **state)
{
    struct given g;

    (void)state;
    open_good(&g);
    g.counts.duplicate_frames = 500;
    g.counts.super_segments = 400;
    g.counts.evicted_flows = 3;
    assert_int_equal(judge(&g), HEALTH_GOOD);
    assert_int_equal(problem_count(&g, "duplicates"), 500);
    assert_int_equal(problem_count(&g, "super_segments"), 400);
    assert_int_equal(problem_count(&g, "evicted_flows"), 3);
}

static void the_worst_problem_decides(void **state)
{
    struct given g;

    (void)state;
    open_good(&g);
    g.counts.one_way_flows = 10;
    g.counts.duplicate_frames = 1;
    g.in.dropped = 312;
    assert_int_equal(judge(&g), HEALTH_UNFIT);
    assert_int_equal(health_judge(&g.in).problem_count, 3);
    assert_int_equal(problem_count(&g, "dropped"), 312);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_faultless_capture_is_good),
        cmocka_unit_test(an_empty_capture_is_good),
        cmocka_unit_test(each_capture_fault_degrades),
        cmocka_unit_test(gaps_weigh_by_their_share),
        cmocka_unit_test(missing_syns_weigh_when_most_lack_them),
        cmocka_unit_test(one_direction_everywhere_is_unfit),
        cmocka_unit_test(copies_and_offload_are_notes),
        cmocka_unit_test(the_worst_problem_decides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
