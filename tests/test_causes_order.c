/* Causes 45 and 46, 41, 54 and 56: needless resends, and what losses and delays say of the path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/cause/note_codes.h"
#include "tests/cases.h"

/* 40 episodes, none of them needed, took 15 of 20 s; 300 holes closed by themselves. */
static struct given given_reordering(void)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    loss->events = loss->without_queue = loss->segments = 0;
    loss->cost[LOSS_REPAIRED] = (struct loss_cost){0, 0, 0};
    loss->cost[LOSS_SPURIOUS] = (struct loss_cost){40, 1000 * MS, 14000 * MS};
    loss->healed = 300;
    loss->late_most_ns = 15 * MS;
    loss->late_most_bytes = 29200;
    loss->late_frame = 700;
    loss->spurious_frame = 650;
    given_data(&g)->spurious_retransmissions = 52;
    return g;
}

static void test_reordering(void **state)
{
    struct given g = given_reordering();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "reordering");
    assert_float_equal(v->share_pct, 75, 0.01);
    assert_non_null(strstr(v->text, "15.0 ms late"));
    assert_string_equal(v->advice[0].change, ADVICE_KEEP_ORDER);
}

/* The order was kept: the timer was too short. */
static void test_spurious(void **state)
{
    struct given g = given_reordering();

    (void)state;
    given_data(&g)->loss.healed = 1;
    assert_string_equal(given_judge(&g)->cause, "spurious_retransmits");
    assert_string_equal(g.verdict.advice[0].change, ADVICE_RTO_LEAST);
}

/* Packets late all the time, and the sender does not mind. */
static void test_harmless_disorder(void **state)
{
    struct given g = given_reordering();

    (void)state;
    given_data(&g)->loss.cost[LOSS_SPURIOUS] = (struct loss_cost){1, 100 * MS, 100 * MS};
    assert_int_equal(given_cause(&g), 0);
    assert_int_equal(g.verdict.second_cause_id, 0);
    g = given_reordering(); /* needed resends are losses, whatever the order */
    given_data(&g)->loss.events = given_data(&g)->loss.without_queue = 30;
    given_data(&g)->loss.cost[LOSS_REPAIRED] = (struct loss_cost){30, 1800 * MS, 13000 * MS};
    given_data(&g)->loss.cost[LOSS_SPURIOUS] = (struct loss_cost){2, 100 * MS, 200 * MS};
    assert_string_equal(given_judge(&g)->cause, "random_loss");
}

/* 2 ms, both directions full, 9 MB/s at best, every loss while the other end sent. */
static struct given given_duplex(void)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    given_data(&g)->rtt = (struct sample_summary){2 * MS, 2 * MS, 3 * MS, 9 * MS, 500};
    loss->while_peer_sent = 30;
    loss->peak_bytes_per_s = 9000000;
    g.flow.dir[S2C].data_segments = given_data(&g)->data_segments;
    return g;
}

static void test_duplex(void **state)
{
    struct given g = given_duplex();

    (void)state;
    assert_string_equal(given_judge(&g)->cause, "duplex_mismatch");
    assert_int_equal(g.verdict.confidence, CONFIDENCE_LOW);
    given_data(&g)->loss.while_peer_sent = 15; /* half of them when only one end sent */
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    g = given_duplex(); /* a path across the country is no Ethernet */
    given_data(&g)->rtt.min_ns = given_data(&g)->rtt.p50_ns = 50 * MS;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    g = given_duplex(); /* no half-duplex Ethernet is that fast */
    given_data(&g)->loss.peak_bytes_per_s = 60000000;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
}

/* A radio link: second at most, beside what leads. */
static void test_link_layer(void **state)
{
    struct given g = given_transfer(10000000, 20000, 20);
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    given_share(&g, LIMIT_CWND, 95);
    loss->rounds_timed = 400;
    loss->rounds_jittery = 300;
    assert_int_equal(given_cause(&g), 0);
    g = given_small_window();
    given_data(&g)->loss.rounds_timed = 1000;
    given_data(&g)->loss.rounds_jittery = 900;
    given_share(&g, LIMIT_CWND, 1);
    assert_string_equal(given_judge(&g)->cause, "receive_window");
    assert_int_equal(g.verdict.second_cause_id, 0);
}

/* Losses at the time at which the smallest round trip moved stand beside that. */
static void test_path_change(void **state)
{
    struct given g = given_random_loss();
    struct path_facts *path = &given_data(&g)->path;

    (void)state;
    path->step_count = 1;
    path->steps[0] = (struct path_step){9500 * MS, 50 * MS, 80 * MS};
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    assert_string_equal(g.verdict.second_cause, "path_change");
    path->steps[0].time_ns = 15000 * MS; /* no loss there */
    given_judge(&g);
    assert_int_equal(g.verdict.second_cause_id, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reordering), cmocka_unit_test(test_spurious),
        cmocka_unit_test(test_harmless_disorder), cmocka_unit_test(test_duplex),
        cmocka_unit_test(test_link_layer), cmocka_unit_test(test_path_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
