/* What a verdict says besides its cause: second cause, notes, confidence, bounds, evidence; and
 * that no input, however extreme, makes it say something impossible. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static bool is_ruled_out(const struct verdict *v, const char *note)
{
    for (int i = 0; i < v->ruled_out_count; i++)
        if (strcmp(v->ruled_out[i], note) == 0)
            return true;
    return false;
}

static bool is_unknown(const struct verdict *v, const char *note)
{
    for (int i = 0; i < v->unknown_count; i++)
        if (strcmp(v->unknown[i], note) == 0)
            return true;
    return false;
}

/* Rate of a bound, -1 when the verdict has none of that name. */
static double bound_of(const struct verdict *v, const char *name)
{
    for (int i = 0; i < v->bound_count; i++)
        if (strcmp(v->bounds[i].name, name) == 0)
            return v->bounds[i].bytes_per_s;
    return -1;
}

/* 30 % of the time at the window's edge beside 60 % of slow start, and the other way round. */
static void second_cause_from_a_quarter_on(void **state)
{
    struct given g = given_slow_start(), less = given_slow_start();

    (void)state;
    given_share(&g, LIMIT_SLOW_START, -26);
    given_share(&g, LIMIT_RWND, 30);
    given_data(&g)->rwnd_max_bytes = given_data(&g)->rwnd_mean_bytes = 730000;
    given_judge(&g);
    assert_int_equal(g.verdict.cause_id, 25);
    assert_int_equal(g.verdict.second_cause_id, 1);
    assert_string_equal(g.verdict.second_cause, "receive_window");
    assert_true(fabs(g.verdict.second_share_pct - 30) < 0.1);

    given_share(&less, LIMIT_SLOW_START, -26);
    given_share(&less, LIMIT_RWND, 24);
    given_data(&less)->rwnd_max_bytes = given_data(&less)->rwnd_mean_bytes = 730000;
    given_judge(&less);
    assert_int_equal(less.verdict.cause_id, 25);
    assert_int_equal(less.verdict.second_cause_id, 0);
    assert_null(less.verdict.second_cause);
}

/* An aborted transfer also had its speed; a capture that is unfit has no second cause. */
static void second_cause_beside_an_event(void **state)
{
    struct given g = given_small_window(), unfit = given_small_window();

    (void)state;
    g.transfer.complete = unfit.transfer.complete = false;
    g.transfer.ended_by = unfit.transfer.ended_by = ENDED_BY_SERVER;
    g.transfer.expected_bytes = unfit.transfer.expected_bytes = BYTES_UNKNOWN;
    given_judge(&g);
    assert_int_equal(g.verdict.cause_id, 37);
    assert_int_equal(g.verdict.second_cause_id, 1);
    unfit.flow.one_way = true;
    given_judge(&unfit);
    assert_int_equal(unfit.verdict.cause_id, 37);
    assert_int_equal(unfit.verdict.second_cause_id, 0);
}

static void shares_rule_out_other_causes(void **state)
{
    struct given g = given_small_window(), lossy = given_small_window();

    (void)state;
    g.options.link_bytes_per_s = 250e3;
    given_judge(&g);
    assert_true(is_ruled_out(&g.verdict, "loss"));
    assert_true(is_ruled_out(&g.verdict, "sender"));
    assert_true(is_ruled_out(&g.verdict, "receiver_application"));
    assert_true(is_ruled_out(&g.verdict, "congestion_window"));
    assert_true(is_ruled_out(&g.verdict, "link"));
    assert_false(is_ruled_out(&g.verdict, "receive_window"));
    assert_false(is_unknown(&g.verdict, "link_rate"));

    given_share(&lossy, LIMIT_RWND, -20);
    given_share(&lossy, LIMIT_RECOVERY, 10);
    given_share(&lossy, LIMIT_APP, 10);
    given_data(&lossy)->retransmitted_segments = 100;
    given_data(&lossy)->zero_window_episodes = 1;
    given_judge(&lossy);
    assert_false(is_ruled_out(&lossy.verdict, "loss"));
    assert_false(is_ruled_out(&lossy.verdict, "sender"));
    assert_false(is_ruled_out(&lossy.verdict, "receiver_application"));
    assert_false(is_ruled_out(&lossy.verdict, "link")); /* no --link, no word on it */
    assert_true(is_unknown(&lossy.verdict, "receiver_cpu_or_disk"));
}

/* Few retransmissions, and a congestion window that they may have made small: not ruled out. */
static void loss_behind_a_small_congestion_window(void **state)
{
    struct given g = given_transfer(26214400, 298900, 280);

    (void)state;
    given_share(&g, LIMIT_CWND, 98);
    given_share(&g, LIMIT_RECOVERY, 1);
    given_judge(&g);
    assert_true(is_ruled_out(&g.verdict, "loss"));
    given_data(&g)->retransmitted_segments = 20;
    given_judge(&g);
    assert_false(is_ruled_out(&g.verdict, "loss"));
}

static void unknowns_are_said(void **state)
{
    struct given g = given_small_window();

    (void)state;
    given_data(&g)->window_scale_source = SCALE_AT_LEAST;
    given_data(&g)->loss_events = 3;
    g.flow.position = TAP_UNKNOWN;
    given_share(&g, LIMIT_RWND, -40);
    given_share(&g, LIMIT_CWND, 40);
    given_judge(&g);
    assert_true(is_unknown(&g.verdict, "one_way_delay"));
    assert_true(is_unknown(&g.verdict, "window_scale"));
    assert_true(is_unknown(&g.verdict, "link_rate"));
    assert_true(is_unknown(&g.verdict, "sender_buffer"));
    assert_true(is_unknown(&g.verdict, "competing_traffic"));
    assert_true(is_unknown(&g.verdict, "sender_side_loss"));
    assert_false(is_unknown(&g.verdict, "round_trip_time"));
}

/* High, then one step down for each fault, and never below low. */
static void each_capture_fault_lowers_confidence(void **state)
{
    struct given good = given_small_window(), g;

    (void)state;
    given_judge(&good);
    assert_int_equal(good.verdict.confidence, CONFIDENCE_HIGH);

    g = good;
    given_data(&g)->gap_bytes = 100000;
    given_judge(&g);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_MEDIUM);

    g = good;
    g.options.capture_drops = 1;
    given_judge(&g);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_MEDIUM);

    g = good;
    g.flow.position = TAP_UNKNOWN;
    given_judge(&g);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_MEDIUM);

    g = good;
    g.flow.dir[S2C].syn_seen = false;
    given_data(&g)->window_scale_source = SCALE_EXACT;
    given_judge(&g);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_MEDIUM);

    /* few rounds are a sign less as well as a fault: share, rate and SYN remain three signs */
    g = good;
    given_data(&g)->rounds = 9;
    given_judge(&g);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_MEDIUM);

    g = good;
    g.options.capture_drops = 1;
    g.flow.position = TAP_UNKNOWN;
    given_data(&g)->gap_bytes = 100000;
    given_judge(&g);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_LOW);
}

/* Without faults too: a share below 80 % and few rounds leave the rate and the SYN. */
static void confidence_needs_three_signs(void **state)
{
    struct given g = given_small_window();

    (void)state;
    given_data(&g)->rounds = 15;
    given_share(&g, LIMIT_RWND, -20);
    given_judge(&g);
    assert_int_equal(g.verdict.cause_id, 1);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_MEDIUM);
}

/* Name of the bound that held, "" when none did. */
static const char *holding_bound(const struct verdict *v)
{
    for (int i = 0; i < v->bound_count; i++)
        if (v->bounds[i].holds)
            return v->bounds[i].name;
    return "";
}

/* 88.6 kB/s are possible; a rate of 60 kB/s is held by something else, and of two bounds that are
 * near the smaller one held. */
static void the_bound_that_held_is_marked(void **state)
{
    struct given g = given_small_window();

    (void)state;
    given_judge(&g);
    assert_string_equal(holding_bound(&g.verdict), "window_over_rtt");
    g.options.ceiling_count = 1;
    g.options.ceilings[0] = (struct ceiling){"disk", 88500};
    given_judge(&g);
    assert_string_equal(holding_bound(&g.verdict), "ceiling:disk");
    g.options.ceiling_count = 0;
    g.transfer.goodput_bytes_per_s = 60000;
    given_judge(&g);
    assert_string_equal(holding_bound(&g.verdict), "");
}

static void bounds_list_the_models(void **state)
{
    struct given g = given_small_window();

    (void)state;
    given_judge(&g);
    assert_true(fabs(bound_of(&g.verdict, "window_over_rtt") - 88643) < 1);
    assert_true(bound_of(&g.verdict, "slow_start") > 0);
    assert_true(bound_of(&g.verdict, "link") < 0);
    assert_true(bound_of(&g.verdict, "loss_model") < 0);

    /* 18 losses in 17,955 segments, p = 0.001: 201 kB/s; nine losses are no probability */
    g.options.link_bytes_per_s = 250e3;
    g.options.ceiling_count = 2;
    g.options.ceilings[0] = (struct ceiling){"eckd-minidisk/write", 11796480};
    memset(g.options.ceilings[1].label, 'x', sizeof g.options.ceilings[1].label - 1);
    g.options.ceilings[1].bytes_per_s = 1;
    given_data(&g)->loss_events = 18;
    given_judge(&g);
    assert_true(fabs(bound_of(&g.verdict, "loss_model") / 1e3 - 201) < 1);
    assert_true(fabs(bound_of(&g.verdict, "link") - 237321) < 1);
    assert_true(bound_of(&g.verdict, "ceiling:eckd-minidisk/write") > 11796479);
    assert_true(fabs(bound_of(&g.verdict, "cubic_model") / 1e3 - 376) < 2);
    assert_int_equal(strlen(g.verdict.bounds[6 - 1].name), 27);
    assert_int_equal(strlen(g.verdict.bounds[6].name), BOUND_NAME_MAX - 1);
    given_data(&g)->loss_events = 9;
    given_judge(&g);
    assert_true(bound_of(&g.verdict, "loss_model") < 0);
}

/* A verdict within its own bounds: texts ended, counts in range, every evidence with a frame. */
static void assert_possible(const struct verdict *v)
{
    assert_non_null(v->cause);
    assert_true(v->cause_id >= 0 && v->cause_id <= CAUSE_ID_MAX);
    assert_true(v->share_pct <= 100);
    assert_true(v->second_share_pct >= 0 && v->second_share_pct <= 100);
    assert_true(v->second_cause_id == 0 || v->second_cause_id != v->cause_id);
    assert_true(strlen(v->headline) > 0);
    assert_non_null(memchr(v->headline, 0, sizeof v->headline));
    assert_non_null(memchr(v->text, 0, sizeof v->text));
    assert_in_range(v->evidence_count, 0, VERDICT_EVIDENCE_MAX);
    for (int i = 0; i < v->evidence_count; i++)
        assert_int_not_equal(v->evidence[i].frame, 0);
    assert_in_range(v->advice_count, 0, VERDICT_ADVICE_MAX);
    for (int i = 0; i < v->advice_count; i++) {
        assert_true(isfinite(v->advice[i].predicted_s));
        assert_true(isfinite(v->advice[i].predicted_bytes_per_s));
    }
    assert_in_range(v->bound_count, 0, VERDICT_BOUNDS_MAX);
    for (int i = 0; i < v->bound_count; i++)
        assert_true(isfinite(v->bounds[i].bytes_per_s) && v->bounds[i].bytes_per_s >= 0);
    assert_in_range(v->ruled_out_count, 0, VERDICT_NOTES_MAX);
    assert_in_range(v->unknown_count, 0, VERDICT_NOTES_MAX);
}

static void all_zero_is_no_cause(void **state)
{
    static const struct given zero;
    struct given g = zero;

    (void)state;
    assert_possible(given_judge(&g));
    assert_int_equal(g.verdict.cause_id, 0);
    g.flow.id = 1;
    assert_possible(given_judge(&g));
    assert_int_equal(g.verdict.cause_id, 61); /* limits_followed is false */
}

/* A small generator (xorshift64), so that a failure can be repeated. */
static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t extreme_u64(uint64_t *seed)
{
    static const uint64_t values[] = {0, 1, 1460, 65535, 1 << 20, 1ULL << 40, UINT64_MAX / 2,
                                      UINT64_MAX - 1, UINT64_MAX};

    return values[next(seed) % COUNT_OF(values)];
}

static int64_t extreme_i64(uint64_t *seed)
{
    static const int64_t values[] = {INT64_MIN, -1, 0, 1, 280 * MS, 300000 * MS, INT64_MAX - 1,
                                     INT64_MAX};

    return values[next(seed) % COUNT_OF(values)];
}

static double extreme_double(uint64_t *seed)
{
    static const double values[] = {-1, 0, 1e-300, 88.6e3, 12.5e6, 1e300, NAN, INFINITY};

    return values[next(seed) % COUNT_OF(values)];
}

static bool coin(uint64_t *seed)
{
    return next(seed) % 2 == 0;
}

static void spoil_direction(struct direction_result *d, uint64_t *seed)
{
    uint64_t *counts[] = {&d->bytes, &d->gap_bytes, &d->retransmitted_segments, &d->loss_events,
                          &d->rwnd_min_bytes, &d->rwnd_mean_bytes, &d->rwnd_max_bytes,
                          &d->rwnd_max_frame, &d->zero_window_episodes, &d->rounds,
                          &d->rounds_window_full, &d->flight_max_bytes, &d->initial_window_bytes,
                          &d->first_data_frame, &d->last_data_frame, &d->syn_frame, &d->fin_frame,
                          &d->rst_frame, &d->rtt.samples};
    int64_t *spans[] = {&d->elapsed_ns, &d->zero_window_ns, &d->longest_silence_ns,
                        &d->rtt.min_ns, &d->rtt.p50_ns, &d->rtt.p95_ns, &d->near_min_ns,
                        &d->far_min_ns, &d->fin_ns, &d->rst_ns};

    for (size_t i = 0; i < COUNT_OF(counts); i++)
        if (coin(seed))
            *counts[i] = extreme_u64(seed);
    for (size_t i = 0; i < COUNT_OF(spans); i++)
        if (coin(seed))
            *spans[i] = extreme_i64(seed);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        if (coin(seed))
            d->limit_ns[i] = extreme_i64(seed);
        d->worst[i] = (struct limit_span){extreme_i64(seed), extreme_i64(seed), extreme_u64(seed),
                                          extreme_u64(seed)};
    }
    if (next(seed) % 4 == 0)
        d->smss = coin(seed) ? UINT32_MAX : coin(seed) ? 1 : 0;
    d->window_scale_source = (enum scale_source)(next(seed) % 4);
    d->syn_seen = coin(seed);
    d->syn_has_wind_shift = coin(seed);
    d->fin = coin(seed);
    d->rst = coin(seed);
    d->limits_followed = next(seed) % 4 != 0;
}

/* Fifty thousand transfers with unknown, zero and largest values in every field. */
static void extremes_never_say_the_impossible(void **state)
{
    struct given (*const makers[])(void) = {given_small_window, given_unscaled_window,
                                            given_slow_start, given_full_link, given_abort};
    static const int reached[] = {0, 1, 2, 25, 36, 61, 62, 63};
    uint64_t seed = 0x9e3779b97f4a7c15;
    bool named[CAUSE_ID_MAX + 1] = {false};

    (void)state;
    for (int n = 0; n < 50000; n++) {
        struct given g = makers[next(&seed) % COUNT_OF(makers)]();

        if (next(&seed) % 8 != 0)
            spoil_direction(given_data(&g), &seed);
        g.flow.one_way = next(&seed) % 8 == 0;
        g.flow.handshake_rtt_ns = extreme_i64(&seed);
        g.transfer.goodput_bytes_per_s = coin(&seed) ? -1 : extreme_double(&seed);
        g.transfer.bytes = coin(&seed) ? g.transfer.bytes : extreme_u64(&seed);
        g.transfer.expected_bytes = coin(&seed) ? g.transfer.bytes : extreme_u64(&seed);
        g.transfer.duration_ns = extreme_i64(&seed);
        g.transfer.final_reply = (int)(next(&seed) % 700) - 50;
        g.options.link_bytes_per_s = coin(&seed) ? 0 : extreme_double(&seed);
        g.options.capture_drops = extreme_u64(&seed);
        g.options.ceiling_count = CEILINGS_MAX;
        assert_possible(given_judge(&g));
        named[g.verdict.cause_id] = true;
    }
    /* every one was reached, or the test would not show much */
    for (size_t i = 0; i < COUNT_OF(reached); i++)
        assert_true(named[reached[i]]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_cause_from_a_quarter_on),
        cmocka_unit_test(second_cause_beside_an_event),
        cmocka_unit_test(shares_rule_out_other_causes),
        cmocka_unit_test(loss_behind_a_small_congestion_window),
        cmocka_unit_test(unknowns_are_said),
        cmocka_unit_test(each_capture_fault_lowers_confidence),
        cmocka_unit_test(confidence_needs_three_signs),
        cmocka_unit_test(the_bound_that_held_is_marked),
        cmocka_unit_test(bounds_list_the_models),
        cmocka_unit_test(all_zero_is_no_cause),
        cmocka_unit_test(extremes_never_say_the_impossible),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
