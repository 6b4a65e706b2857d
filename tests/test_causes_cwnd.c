/* Causes that the congestion window explains, each with its look-alikes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases.h"

enum {
    UNKNOWN = 0,
    CWND_GROWTH = 6,
    SLOW_START_SHORT = 25,
    IDLE_RESTART = 26,
    CWND_RESET = 27,
    PACED_SENDER = 50,
    SATELLITE_PATH = 53
};

/* A put of 5 MB in 30 s over rtt_ms: the window grew by 24 segments in 24 round trips and never met
 * the receiver's. */
static struct given given_growth(int64_t rtt_ms)
{
    struct given g = given_transfer(5000000, 30000, rtt_ms);
    struct direction_result *d = given_data(&g);

    d->cwnd = cwnd_facts_none();
    d->cwnd.known = d->cwnd.exact = true;
    d->cwnd.growth_from_bytes = 24 * 1460;
    d->cwnd.growth_to_bytes = 48 * 1460;
    d->cwnd.growth_rounds = 24;
    d->cwnd.growth_ns = 24 * rtt_ms * MS;
    d->cwnd.growth_from_frame = 300;
    d->cwnd.growth_to_frame = 1200;
    given_share(&g, LIMIT_CWND, 85);
    return g;
}

/* Domain facts, 6b: 24 segments at 280 ms each take 6.7 s. */
static void growth_tells_its_arithmetic(void **state)
{
    struct given g = given_growth(280);
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, CWND_GROWTH);
    assert_non_null(strstr(v->text,
                           "from 24 to 48 segments at 1.00 segments a round trip of 280 ms: "
                           "6.72 s"));
    assert_int_equal(v->evidence[0].frame, 300);
    assert_int_equal(v->evidence[1].frame, 1200);
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
}

static void growth_looks_like_a_full_receive_window(void **state)
{
    struct given g = given_growth(280);

    (void)state;
    given_data(&g)->rounds_window_full = given_data(&g)->rounds;
    assert_int_equal(given_cause(&g), UNKNOWN);
}

/* Without both SYNs full rounds are not counted: the window must be above all that was out at the
 * least scale that the flight proves. */
static void growth_needs_room_below_a_window_of_unknown_scale(void **state)
{
    struct given g = given_growth(280);
    struct direction_result *d = given_data(&g);

    (void)state;
    d->syn_seen = false;
    d->window_scale_source = SCALE_AT_LEAST;
    assert_int_equal(given_cause(&g), CWND_GROWTH);
    assert_non_null(strstr(g.verdict.text, "no loss is in the capture before"));
    d->rwnd_mean_bytes = d->flight_max_bytes + 1000;
    assert_int_equal(given_cause(&g), UNKNOWN);
    d->rwnd_mean_bytes = 1 << 20;
    d->window_scale_source = SCALE_UNKNOWN;
    assert_int_equal(given_cause(&g), UNKNOWN);
}

/* A SYN whose options were cut is as good as none: the scale may have been there. */
static void cut_options_of_a_syn_lower_the_confidence(void **state)
{
    struct given g = given_growth(280);

    (void)state;
    g.flow.dir[S2C].syn_cut = true;
    assert_int_equal(given_judge(&g)->confidence, CONFIDENCE_MEDIUM);
}

/* A window that stands still is a buffer's; one that a loss made small is the loss's. */
static void growth_looks_like_a_buffer_or_a_loss(void **state)
{
    struct given flat = given_growth(280), lossy = given_growth(280);
    struct direction_result *d = given_data(&lossy);

    (void)state;
    given_data(&flat)->cwnd.growth_to_bytes = 24 * 1460;
    assert_int_equal(given_cause(&flat), UNKNOWN);
    d->cwnd.decreases[CWND_FALL_LOSS] = 3;
    d->cwnd.avoidance_ns[CWND_FALL_LOSS] = d->limit_ns[LIMIT_CWND];
    assert_int_not_equal(given_cause(&lossy), CWND_GROWTH);
}

/* A standing queue says that the path was full. */
static void growth_into_a_queue_is_not_it(void **state)
{
    struct given g = given_growth(280);

    (void)state;
    given_data(&g)->rtt.p50_ns = given_data(&g)->rtt.min_ns * 2;
    assert_int_not_equal(given_cause(&g), CWND_GROWTH);
}

/* GEO both ways takes at least 477 ms; 280 ms is a path on the ground. */
static void satellite_needs_its_round_trip(void **state)
{
    struct given g = given_growth(560);

    (void)state;
    assert_int_equal(given_cause(&g), SATELLITE_PATH);
    assert_non_null(strstr(g.verdict.headline, "560 ms"));
    g = given_growth(280); /* the same when a queue makes it look long */
    given_data(&g)->rtt.p50_ns = given_data(&g)->rtt.p95_ns = 560 * MS;
    assert_int_not_equal(given_cause(&g), SATELLITE_PATH);
}

/* One loss on the way up: 55 % slow start, 13 % repair, 21 % growth after it, and each of them is a
 * matter of round trips.  On a path on the ground nobody is named; with most of the time lost to one
 * kind of loss, that is the name. */
static void satellite_is_where_growth_and_repair_take_turns(void **state)
{
    struct given g = given_transfer(15360000, 62000, 560);
    struct direction_result *d = given_data(&g);

    (void)state;
    d->cwnd = cwnd_facts_none();
    d->cwnd.known = true;
    d->cwnd.decreases[CWND_FALL_LOSS] = 1;
    d->cwnd.min_bytes = 14480;
    d->cwnd.max_bytes = 448880;
    given_share(&g, LIMIT_SLOW_START, 45);
    given_share(&g, LIMIT_RECOVERY, 20);
    given_share(&g, LIMIT_CWND, 25);
    assert_int_equal(given_cause(&g), SATELLITE_PATH);
    assert_non_null(strstr(g.verdict.text, "between 14,480 and 448,880 bytes"));
    d->rtt.min_ns = d->rtt.p50_ns = 280 * MS;
    assert_int_equal(given_cause(&g), UNKNOWN);
}

/* Three bursts with pauses of 5 s between: 60 % of the time grows the window back. */
static struct given given_idle(void)
{
    struct given g = given_transfer(1280000, 20000, 280);
    struct direction_result *d = given_data(&g);

    d->cwnd = cwnd_facts_none();
    d->cwnd.known = d->cwnd.exact = true;
    d->cwnd.decreases[CWND_FALL_IDLE] = 3;
    d->cwnd.idle_from_bytes = 160 * 1460;
    d->cwnd.idle_to_bytes = 10 * 1460;
    d->cwnd.slow_start_ns[CWND_FALL_IDLE] = 12000 * MS;
    d->cwnd.idle_frame = 700;
    given_share(&g, LIMIT_SLOW_START, 60);
    given_share(&g, LIMIT_APP, 40);
    return g;
}

static void idle_restart_tells_its_arithmetic(void **state)
{
    struct given g = given_idle();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, IDLE_RESTART);
    assert_non_null(strstr(v->text, "14,600 bytes instead of 233,600: 4.00 round trips"));
    assert_int_equal(v->evidence[0].frame, 700);
}

/* Pauses take 63 % and growing back 35 %: of the time with data to send that is 95 %.  Where
 * growing back is less than a quarter of both, the pauses are what it waited for. */
static void idle_restart_is_measured_by_the_time_with_data(void **state)
{
    struct given g = given_idle();
    struct direction_result *d = given_data(&g);

    (void)state;
    given_share(&g, LIMIT_APP, 63 - 40);
    given_share(&g, LIMIT_SLOW_START, 35 - 60);
    d->cwnd.slow_start_ns[CWND_FALL_IDLE] = d->elapsed_ns * 35 / 100;
    assert_int_equal(given_cause(&g), IDLE_RESTART);
    assert_true(g.verdict.share_pct > 34.9 && g.verdict.share_pct < 35.1);
    assert_string_equal(g.verdict.second_cause, "sender_slow");
    given_share(&g, LIMIT_APP, 85 - 63);
    given_share(&g, LIMIT_SLOW_START, 15 - 35);
    d->cwnd.slow_start_ns[CWND_FALL_IDLE] = d->elapsed_ns * 15 / 100;
    assert_string_equal(given_judge(&g)->cause, "sender_slow");
}

/* The same slow start at the beginning of a transfer is a short one's; after a pause that left the
 * window alone it is nothing. */
static void idle_restart_needs_the_drop(void **state)
{
    struct given g = given_idle();

    (void)state;
    given_data(&g)->cwnd.decreases[CWND_FALL_IDLE] = 0;
    given_data(&g)->cwnd.slow_start_ns[CWND_FALL_IDLE] = 0;
    assert_int_not_equal(given_cause(&g), IDLE_RESTART);
}

static void resets_by_timeout_are_told_from_idle_restarts(void **state)
{
    struct given g = given_idle();
    struct direction_result *d = given_data(&g);

    (void)state;
    d->cwnd.decreases[CWND_FALL_IDLE] = 0;
    d->cwnd.decreases[CWND_FALL_TIMEOUT] = 4;
    d->cwnd.slow_start_ns[CWND_FALL_TIMEOUT] = d->cwnd.slow_start_ns[CWND_FALL_IDLE];
    d->cwnd.slow_start_ns[CWND_FALL_IDLE] = 0;
    d->cwnd.max_bytes = 32 * 1460;
    d->cwnd.timeout_turns = 4;
    d->cwnd.timeout_frame = 800;
    assert_int_equal(given_cause(&g), CWND_RESET);
    assert_non_null(strstr(g.verdict.text, "5.00 round trips"));
    d->cwnd.timeout_turns = 1; /* all in one transaction: an outage */
    assert_int_not_equal(given_cause(&g), CWND_RESET);
}

/* 250 kB/s in every second, 20 segments in flight where 1 MiB is allowed. */
static struct given given_paced(void)
{
    struct given g = given_transfer(10000000, 40000, 117);
    struct direction_result *d = given_data(&g);

    d->cwnd = cwnd_facts_none();
    d->cwnd.known = d->cwnd.paced = true;
    d->cwnd.pacing_bytes_per_s = 250000;
    d->flight_max_bytes = 20 * 1460;
    given_share(&g, LIMIT_APP, 95);
    return g;
}

static void paced_sender_is_named_by_its_rate(void **state)
{
    struct given g = given_paced();

    (void)state;
    assert_int_equal(given_cause(&g), PACED_SENDER);
    assert_non_null(strstr(g.verdict.headline, "250 kB/s"));
}

/* Uneven departures are a program's; losses a policer's; BBR paces by the path. */
static void paced_sender_look_alikes(void **state)
{
    struct given uneven = given_paced(), lossy = given_paced(), bbr = given_paced();

    (void)state;
    given_data(&uneven)->cwnd.paced = false;
    assert_int_not_equal(given_cause(&uneven), PACED_SENDER);
    given_data(&lossy)->loss_events = 3;
    assert_int_not_equal(given_cause(&lossy), PACED_SENDER);
    given_data(&bbr)->cwnd.family = CWND_BBR;
    assert_int_not_equal(given_cause(&bbr), PACED_SENDER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_tells_its_arithmetic),
        cmocka_unit_test(growth_looks_like_a_full_receive_window),
        cmocka_unit_test(growth_needs_room_below_a_window_of_unknown_scale),
        cmocka_unit_test(cut_options_of_a_syn_lower_the_confidence),
        cmocka_unit_test(growth_looks_like_a_buffer_or_a_loss),
        cmocka_unit_test(growth_into_a_queue_is_not_it),
        cmocka_unit_test(satellite_needs_its_round_trip),
        cmocka_unit_test(satellite_is_where_growth_and_repair_take_turns),
        cmocka_unit_test(idle_restart_tells_its_arithmetic),
        cmocka_unit_test(idle_restart_is_measured_by_the_time_with_data),
        cmocka_unit_test(idle_restart_needs_the_drop),
        cmocka_unit_test(resets_by_timeout_are_told_from_idle_restarts),
        cmocka_unit_test(paced_sender_is_named_by_its_rate),
        cmocka_unit_test(paced_sender_look_alikes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
