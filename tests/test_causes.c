/* Each cause with a case that is it, and with look-alikes that are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases.h"

enum { UNKNOWN = 0, RECEIVE_WINDOW = 1, NO_WINDOW_SCALING = 2, SENDER_SLOW = 14,
       SLOW_START_SHORT = 25, HEALTHY = 62, TOO_SHORT = 63 };

/* Half of the data met a queue of more than half a round trip: the path was full already. */
static void slow_start_that_fills_the_path(void **state)
{
    struct given g = given_slow_start();
    struct direction_result *d = given_data(&g);

    (void)state;
    assert_int_equal(given_cause(&g), SLOW_START_SHORT);
    d->rtt.p50_ns = d->rtt.min_ns * 16 / 10;
    d->rtt.p95_ns = d->rtt.max_ns = d->rtt.min_ns * 17 / 10;
    assert_int_equal(given_cause(&g), UNKNOWN);
}

static void slugs_are_those_of_the_contract(void **state)
{
    (void)state;
    assert_string_equal(cause_slug(1), "receive_window");
    assert_string_equal(cause_slug(37), "aborted_by_server");
    assert_string_equal(cause_slug(63), "too_short");
    assert_null(cause_slug(0));
    assert_null(cause_slug(64));
    assert_null(cause_slug(-1));
    for (int id = 1; id <= CAUSE_ID_MAX; id++)
        assert_int_equal(cause_id(cause_slug(id)), id);
    assert_int_equal(cause_id("no_such_cause"), 0);
}

static void receive_window_tells_its_arithmetic(void **state)
{
    struct given g = given_small_window();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, RECEIVE_WINDOW);
    assert_string_equal(v->cause, "receive_window");
    assert_string_equal(v->headline, "the server's receive window");
    assert_string_equal(v->text,
                        "It allows 24,820 bytes (17 x MSS 1460, a buffer of 24,576 in whole "
                        "segments) in flight; with 280 ms round trip that is 88.6 kB/s at most. "
                        "Measured 87.7 kB/s.");
    assert_true(v->share_pct > 97.9 && v->share_pct < 98.1);
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
}

static void receive_window_of_the_client_for_a_get(void **state)
{
    struct given g = given_small_window();

    (void)state;
    g.transfer.direction = S2C;
    g.flow.dir[S2C] = g.flow.dir[C2S];
    g.flow.dir[S2C].syn_frame = 2;
    assert_int_equal(given_cause(&g), RECEIVE_WINDOW);
    assert_string_equal(g.verdict.headline, "the client's receive window");
    assert_int_equal(g.verdict.advice[0].who, ACTOR_CLIENT);
}

/* RFC 959 section 3.2: after PORT the server opens the data connection, so the client of the transfer
 * is the server of the connection that a get fills. */
static void receive_window_in_active_mode(void **state)
{
    struct given g = given_small_window();

    (void)state;
    g.transfer.protocol = "ftp";
    g.transfer.control_flow_id = 9;
    g.transfer.passive = false;
    assert_int_equal(given_cause(&g), RECEIVE_WINDOW);
    assert_string_equal(g.verdict.headline, "the client's receive window");
    assert_int_equal(g.verdict.advice[0].who, ACTOR_CLIENT);
}

/* 2 Mbit/s at 280 ms needs 70,000 bytes, more than 16 bits; then the link is next: 111 s. */
static void receive_window_advice_fits_the_link(void **state)
{
    struct given g = given_small_window();
    const struct verdict *v;

    (void)state;
    g.options.link_bytes_per_s = 250e3;
    v = given_judge(&g);
    assert_int_equal(v->cause_id, RECEIVE_WINDOW);
    assert_int_equal(v->advice_count, 2);
    assert_string_equal(v->advice[0].change, "receive_buffer");
    assert_int_equal(v->advice[0].who, ACTOR_SERVER);
    assert_int_equal(v->advice[0].value_bytes, 70000);
    assert_true(v->advice[0].predicted_s > 110 && v->advice[0].predicted_s < 112);
    assert_string_equal(v->advice[1].change, "window_scaling");
    assert_int_equal(v->advice[1].who, ACTOR_SERVER);
}

/* Without --link: the power of two at or above ten windows. */
static void receive_window_advice_without_link(void **state)
{
    struct given g = given_small_window();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->advice[0].value_bytes, 262144);
    assert_true(v->advice[0].predicted_bytes_per_s > 87.7e3);
    assert_true(v->advice[0].predicted_bytes_per_s < 262144 / 0.28);
}

/* The window at 16 bits is not "a small buffer", and a window in use is not scaled down. */
static void receive_window_has_look_alikes(void **state)
{
    struct given cwnd = given_small_window(), sender = given_small_window();
    struct given queue = given_small_window(), slow_reader = given_small_window();
    struct given rate = given_small_window(), moving = given_small_window();
    struct given no_rtt = given_small_window(), full = given_small_window();

    (void)state;
    given_share(&cwnd, LIMIT_RWND, -68);
    given_share(&cwnd, LIMIT_CWND, 68);
    assert_int_equal(given_cause(&cwnd), UNKNOWN);
    assert_string_equal(cwnd.verdict.headline,
                        "Mostly waiting for: congestion window 68 %, receive window 30 %");

    given_share(&sender, LIMIT_RWND, -90);
    given_share(&sender, LIMIT_APP, 90);
    assert_int_equal(given_cause(&sender), SENDER_SLOW);

    /* the path alone takes 100 ms: the rest of 280 is a queue, and W/R holds for any window */
    given_data(&queue)->rtt.min_ns = 100 * MS;
    assert_int_equal(given_cause(&queue), UNKNOWN);

    given_share(&slow_reader, LIMIT_RWND, -20);
    given_share(&slow_reader, LIMIT_ZERO_WINDOW, 20);
    assert_int_equal(given_cause(&slow_reader), UNKNOWN);

    /* three times slower, or faster, than the window explains */
    rate.transfer.goodput_bytes_per_s = 30e3;
    assert_int_equal(given_cause(&rate), UNKNOWN);
    rate.transfer.goodput_bytes_per_s = 300e3;
    assert_int_equal(given_cause(&rate), UNKNOWN);

    /* a window that is mostly far below its maximum: a slow reader or autotuning */
    given_data(&moving)->rwnd_max_bytes = 33580;
    given_data(&moving)->rwnd_mean_bytes = 20000;
    moving.transfer.goodput_bytes_per_s = 100e3;
    assert_int_equal(given_cause(&moving), UNKNOWN);

    no_rtt.flow.handshake_rtt_ns = NS_UNKNOWN;
    given_data(&no_rtt)->rtt = (struct sample_summary){NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN,
                                                       NS_UNKNOWN, 0};
    assert_int_equal(given_cause(&no_rtt), UNKNOWN);

    /* the window just fills the link given: nothing to cure */
    full.options.link_bytes_per_s = 95e3;
    assert_int_equal(given_cause(&full), HEALTHY);
}

static void no_window_scaling_names_who_lacks_it(void **state)
{
    struct given server = given_unscaled_window(), client = given_unscaled_window();
    struct given both = given_unscaled_window();

    (void)state;
    assert_int_equal(given_cause(&server), NO_WINDOW_SCALING);
    assert_non_null(strstr(server.verdict.headline, "the server does not offer window scaling"));
    assert_non_null(strstr(server.verdict.text, "65,535 bytes (44 x MSS 1460 + 1295)"));
    assert_int_equal(server.verdict.evidence[1].frame, 2);
    assert_string_equal(server.verdict.evidence[1].fact, "no_window_scale");
    assert_string_equal(server.verdict.advice[0].change, "window_scaling");
    assert_int_equal(server.verdict.advice[0].who, ACTOR_SERVER);

    client.flow.dir[C2S].syn_has_wind_shift = false;
    client.flow.dir[S2C].syn_has_wind_shift = true;
    assert_int_equal(given_cause(&client), NO_WINDOW_SCALING);
    assert_non_null(strstr(client.verdict.headline, "the client does not offer window scaling"));
    assert_int_equal(client.verdict.advice[0].who, ACTOR_CLIENT);
    assert_int_equal(client.verdict.evidence[0].frame, 1);
    assert_string_equal(client.verdict.evidence[0].fact, "no_window_scale");

    both.flow.dir[C2S].syn_has_wind_shift = false;
    assert_int_equal(given_cause(&both), NO_WINDOW_SCALING);
    assert_non_null(strstr(both.verdict.headline, "neither end offers window scaling"));
}

static void no_window_scaling_has_look_alikes(void **state)
{
    struct given small = given_small_window(), no_syn = given_unscaled_window();
    struct given offered = given_unscaled_window(), cut = given_unscaled_window();

    (void)state;
    assert_int_equal(given_cause(&small), RECEIVE_WINDOW); /* 24,820 is a small buffer */
    no_syn.flow.dir[S2C].syn_seen = false;
    given_data(&no_syn)->window_scale_source = SCALE_EXACT;
    assert_int_equal(given_cause(&no_syn), RECEIVE_WINDOW);
    offered.flow.dir[S2C].syn_has_wind_shift = true; /* with a shift of 0 */
    assert_int_equal(given_cause(&offered), RECEIVE_WINDOW);
    given_data(&cut)->window_scale_source = SCALE_AT_LEAST; /* SYN seen, options cut off */
    assert_int_equal(given_cause(&cut), RECEIVE_WINDOW);
}

static void slow_start_short_and_look_alikes(void **state)
{
    struct given g = given_slow_start(), lossy = given_slow_start(), longer = given_slow_start();
    struct given growth = given_slow_start(), brief = given_slow_start();

    (void)state;
    assert_int_equal(given_cause(&g), SLOW_START_SHORT);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_HIGH);
    assert_non_null(strstr(g.verdict.text, "From 14,600 bytes (10 x MSS 1460) to 916,000"));
    assert_string_equal(g.verdict.advice[0].change, "reuse_connection");
    assert_true(g.verdict.advice[0].predicted_s > 0 && g.verdict.advice[0].predicted_s < 2.8);

    given_data(&lossy)->loss_events = 1;
    assert_int_equal(given_cause(&lossy), UNKNOWN);
    given_data(&longer)->flight_max_bytes = 290000; /* 10.3 times what the path holds */
    assert_int_equal(given_cause(&longer), UNKNOWN);
    given_share(&growth, LIMIT_SLOW_START, -56);
    given_share(&growth, LIMIT_CWND, 60);
    assert_int_equal(given_cause(&growth), UNKNOWN);
    given_data(&brief)->elapsed_ns = 1390 * MS; /* 4.96 round trips */
    assert_int_equal(given_cause(&brief), TOO_SHORT);
}

/* One segment at first, as systems before RFC 3390 did: ten would have saved 3.3 round trips. */
static void slow_start_from_one_segment_is_advised(void **state)
{
    struct given g = given_slow_start();

    (void)state;
    given_data(&g)->initial_window_bytes = 1460;
    assert_int_equal(given_cause(&g), SLOW_START_SHORT);
    assert_string_equal(g.verdict.advice[1].change, "initial_window");
    assert_int_equal(g.verdict.advice[1].value_bytes, 14600);
    assert_true(g.verdict.advice[1].predicted_s > 1.86 && g.verdict.advice[1].predicted_s < 1.88);
}

static void too_short_is_below_50_segments_or_5_rounds(void **state)
{
    struct given few = given_transfer(49 * 1460, 9000, 280);
    struct given enough = given_transfer(50 * 1460, 9000, 280);
    struct given quick = given_transfer(10000000, 1399, 280), empty = given_transfer(0, 0, 280);

    (void)state;
    given_share(&few, LIMIT_RWND, 99);
    assert_int_equal(given_cause(&few), TOO_SHORT);
    assert_string_equal(few.verdict.headline, "too short to say: 71,540 bytes in 9.00 s");
    assert_string_equal(few.verdict.text, "49 full segments of 1,460 bytes, fewer than 50. "
                                          "Round trip 280 ms. It waited for: receive window 99 %.");
    assert_int_equal(few.verdict.ruled_out_count, 0);
    given_share(&enough, LIMIT_APP, 99);
    assert_int_equal(given_cause(&enough), SENDER_SLOW);
    assert_int_equal(given_cause(&quick), TOO_SHORT);
    assert_non_null(strstr(quick.verdict.text, "4.9 round trips are fewer than 5."));
    assert_int_equal(given_cause(&empty), TOO_SHORT);
    assert_string_equal(empty.verdict.headline, "too short to say: 0 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slugs_are_those_of_the_contract),
        cmocka_unit_test(slow_start_that_fills_the_path),
        cmocka_unit_test(receive_window_tells_its_arithmetic),
        cmocka_unit_test(receive_window_of_the_client_for_a_get),
        cmocka_unit_test(receive_window_in_active_mode),
        cmocka_unit_test(receive_window_advice_fits_the_link),
        cmocka_unit_test(receive_window_advice_without_link),
        cmocka_unit_test(receive_window_has_look_alikes),
        cmocka_unit_test(no_window_scaling_names_who_lacks_it),
        cmocka_unit_test(no_window_scaling_has_look_alikes),
        cmocka_unit_test(slow_start_short_and_look_alikes),
        cmocka_unit_test(slow_start_from_one_segment_is_advised),
        cmocka_unit_test(too_short_is_below_50_segments_or_5_rounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
