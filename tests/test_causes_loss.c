/* Causes of losses: none without a queue, a queue that overflows or marks, a policer, time-outs,
 * no SACK; each against the one it is most easily confused with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/cause/note_codes.h"
#include "tests/cases.h"

static bool has_advice(const struct verdict *v, const char *change)
{
    for (int i = 0; i < v->advice_count; i++)
        if (strcmp(v->advice[i].change, change) == 0)
            return true;
    return false;
}

static bool has_fact(const struct verdict *v, const char *fact)
{
    for (int i = 0; i < v->evidence_count; i++)
        if (strcmp(v->evidence[i].fact, fact) == 0)
            return true;
    return false;
}

/* 18 of 20 s.  Mathis with 30 events in 6,849 segments, p = 0.44 %: 1.22 x 1460 / (0.05 x 0.0662) =
 * 538 kB/s, and 500 was measured. */
static void test_random(void **state)
{
    struct given g = given_random_loss();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "random_loss");
    assert_float_equal(v->share_pct, 90, 0.01);
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_non_null(strstr(v->text, "30 loss events"));
    assert_non_null(strstr(v->text, "538 kB/s"));
    assert_non_null(strstr(v->text, "12 round trips, 600 ms"));
    assert_true(has_fact(v, FACT_FIRST_LOSS) && has_fact(v, FACT_WORST_LOSS));
    assert_true(has_advice(v, ADVICE_FIND_LOSS));
    assert_true(v->advice[0].predicted_bytes_per_s > 500000);
}

/* Below ten events the text has a count and no rate of a model. */
static void test_few_losses_give_no_model(void **state)
{
    struct given g = given_random_loss();

    (void)state;
    given_data(&g)->loss.events = given_data(&g)->loss.without_queue = 9;
    given_data(&g)->loss_events = 9;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    assert_null(strstr(g.verdict.text, "Mathis"));
}

/* Eight gaps that vary by a tenth, with no queue to be seen: a short queue; with peaks of twice the
 * rate between, a policer.  Gaps that vary by half are one run of random losses in 30. */
static void test_regular_losses_are_not_random(void **state)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    loss->gaps = 8;
    loss->gap_variation = 0.5;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    loss->gap_variation = 0.1;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    assert_non_null(strstr(g.verdict.text, "at even distances"));
    loss->steady_bytes_per_s = 500000;
    loss->peak_bytes_per_s = 640000; /* a sawtooth's 4/3 at most */
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    loss->peak_bytes_per_s = 1000000;
    assert_string_equal(given_judge(&g)->cause, "policer");
}

static void test_congestion(void **state)
{
    struct given g = given_congestion_loss();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "congestion_loss");
    assert_float_equal(v->share_pct, 90, 0.01);
    assert_non_null(strstr(v->text, "98.0 ms"));
    assert_true(has_advice(v, ADVICE_QUEUE_MANAGEMENT));
}

/* What came more often decides; where as many, what it cost. */
static void test_queue_or_not(void **state)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    loss->with_queue = 14;
    loss->without_queue = 16;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    assert_int_equal(g.verdict.confidence, CONFIDENCE_LOW);
    loss->with_queue = loss->without_queue = 15;
    loss->with_queue_ns = 10000 * MS;
    loss->without_queue_ns = 8000 * MS;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    loss->with_queue = loss->without_queue = 0; /* no round trip was measured */
    loss->with_queue_ns = loss->without_queue_ns = 0;
    assert_int_equal(given_cause(&g), 0);
}

/* One event behind a queue is no pattern, unless it is the overshoot of slow start. */
static void test_one_event(void **state)
{
    struct given g = given_congestion_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    loss->events = loss->with_queue = 1;
    assert_int_equal(given_cause(&g), 0);
    loss->in_slow_start = 1;
    loss->segments = loss->burst_most_segments = 159;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    assert_non_null(strstr(g.verdict.text, "overshot"));
}

/* A lost packet in a long transfer that costs little is no cause. */
static void test_single_loss_is_none(void **state)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    loss->events = loss->without_queue = loss->segments = 1;
    loss->cost[LOSS_REPAIRED] = (struct loss_cost){1, 60 * MS, 900 * MS};
    assert_int_equal(given_cause(&g), 0);
    assert_int_equal(g.verdict.second_cause_id, 0);
}

static void test_marks(void **state)
{
    struct given g = given_transfer(10000000, 20000, 50);
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    given_share(&g, LIMIT_CWND, 95);
    loss->ecn_cuts = 12;
    loss->ecn_frame = 400;
    loss->ecn_regrowth_ns = 18000 * MS;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    assert_float_equal(g.verdict.share_pct, 90, 0.01);
    assert_true(has_fact(&g.verdict, FACT_CONGESTION_MARK));
    assert_true(has_advice(&g.verdict, ADVICE_CAPACITY));
    assert_null(strstr(g.verdict.text, "loss event"));
}

static void test_policer(void **state)
{
    struct given g = given_policer();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "policer");
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_non_null(strstr(v->headline, "500 kB/s"));
    assert_true(has_advice(v, ADVICE_SHAPE));
    assert_int_equal(v->advice[1].value_bytes, 475000);
}

/* What is not a policer though a bucket would fit: a full link with a queue; one whose queue is
 * kept short, which never lets more pass; losses that a fifth or more of the time find tokens;
 * three events, which any line fits. */
static void test_not_a_policer(void **state)
{
    struct given g = given_policer();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    loss->with_queue = 30;
    loss->without_queue = 0;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    g = given_policer();
    loss->peak_bytes_per_s = 520000;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    g = given_policer();
    loss->bucket_empty = 20;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    g = given_policer();
    loss->bucket_events = loss->bucket_empty = 1;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
}

static void test_timeouts(void **state)
{
    struct given g = given_timeouts();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "rto_stalls");
    assert_float_equal(v->share_pct, 75, 0.01);
    assert_non_null(strstr(v->text, "12 time-outs"));
    assert_true(has_fact(v, FACT_TIMEOUT));
    assert_true(has_advice(v, ADVICE_TAIL_LOSS));
    /* most of what losses cost came without a time-out */
    given_data(&g)->loss.cost[LOSS_REPAIRED] = (struct loss_cost){20, 500 * MS, 8000 * MS};
    given_data(&g)->loss.cost[LOSS_TIMEOUT] = (struct loss_cost){2, 2000 * MS, 2000 * MS};
    assert_string_equal(given_judge(&g)->cause, "random_loss");
}

/* Windows of ten losses each repaired one a round trip: 270 of them waited, 13.5 of 18 s. */
static void test_no_sack(void **state)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    given_data(&g)->sack_permitted = false;
    given_data(&g)->syn_has_sack = true; /* the client offers it, the server does not answer */
    loss->segments = 300;
    loss->one_a_round_trip_segments = 270;
    assert_string_equal(given_judge(&g)->cause, "no_sack");
    assert_non_null(strstr(g.verdict.headline, "server"));
    assert_non_null(strstr(g.verdict.text, "13.5 s"));
    assert_true(has_fact(&g.verdict, FACT_NO_SACK));
    assert_int_equal(g.verdict.advice[0].who, ACTOR_SERVER);
    /* in force, or single losses: SACK would not help */
    given_data(&g)->sack_permitted = true;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    given_data(&g)->sack_permitted = false;
    loss->one_a_round_trip_segments = 0;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    loss->one_a_round_trip_segments = 270; /* without the SYNs nobody knows who offers it */
    g.flow.dir[S2C].syn_seen = false;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
}

/* The cost is bounded by the time that the limits were given: a window held by the receiver is not
 * the losses' doing. */
static void test_receiver_holds(void **state)
{
    struct given g = given_random_loss();
    struct direction_result *d = given_data(&g);

    (void)state;
    d->limit_ns[LIMIT_RWND] = d->limit_ns[LIMIT_CWND];
    d->limit_ns[LIMIT_CWND] = 0;
    given_judge(&g);
    assert_int_not_equal(g.verdict.cause_id, 7);
    assert_int_equal(g.verdict.second_cause_id, 0);
}

/* Twice as much in flight as the receiver's window allows: times that cannot be right. */
static void test_impossible_flight(void **state)
{
    struct given g = given_random_loss();

    (void)state;
    given_data(&g)->flight_max_bytes = 3 << 20; /* of a window of 1 MiB */
    assert_int_equal(given_cause(&g), 0);
}

/* As much out at each of five losses as path and queue take, to 2 %: the queue was full each time.  A
 * window that something else holds is as large each time, too, and of a few segments nothing can be
 * told; what lies between chance and proof has no name. */
static void test_equal_windows_are_not_random(void **state)
{
    struct given g = given_random_loss();
    struct direction_result *d = given_data(&g);

    (void)state;
    d->loss.fills = 5;
    d->loss.fill_variation = 0.42; /* of random losses, a fall to 0.7 each */
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    d->loss.fill_variation = 0.02;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    d->loss.fill_variation = 0.05;
    assert_string_equal(given_judge(&g)->cause, "unknown");
    d->loss.fill_variation = 0.02;
    d->rounds_window_full = d->rounds;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    d->rounds_window_full = 0;
    d->loss.flight_before_mean_bytes = 6 * 1460;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
}

/* Slow start brings a bottleneck twice its rate: a third of the flight lost at once is a queue's
 * overflow, nine tenths are a bucket's, and a few segments anyone's. */
static void test_overshoot_tells_queue_from_bucket(void **state)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    loss->events = loss->without_queue = 2;
    loss->in_slow_start = 1;
    loss->overshoot_part = 0.35;
    assert_string_equal(given_judge(&g)->cause, "congestion_loss");
    loss->overshoot_part = 0.05;
    assert_string_equal(given_judge(&g)->cause, "random_loss");
    loss->events = loss->without_queue = 5;
    loss->overshoot_part = 0.95;
    loss->steady_bytes_per_s = 500000;
    loss->peak_bytes_per_s = 1000000;
    assert_string_equal(given_judge(&g)->cause, "policer");
    loss->peak_bytes_per_s = 600000; /* never faster than it is on the whole */
    assert_string_not_equal(given_judge(&g)->cause, "policer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_regular_losses_are_not_random),
        cmocka_unit_test(test_few_losses_give_no_model),
        cmocka_unit_test(test_congestion),
        cmocka_unit_test(test_queue_or_not),
        cmocka_unit_test(test_one_event),
        cmocka_unit_test(test_single_loss_is_none),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_policer),
        cmocka_unit_test(test_not_a_policer),
        cmocka_unit_test(test_equal_windows_are_not_random),
        cmocka_unit_test(test_overshoot_tells_queue_from_bucket),
        cmocka_unit_test(test_timeouts),
        cmocka_unit_test(test_no_sack),
        cmocka_unit_test(test_receiver_holds),
        cmocka_unit_test(test_impossible_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
