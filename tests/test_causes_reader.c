/* Causes of a receiver that does not keep up: each with a case that is it and with its look-alikes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases_window.h"

enum { UNKNOWN = 0, RECEIVE_WINDOW = 1, RECEIVER_SLOW = 13, SENDER_SLOW = 14, SILLY_WINDOW = 22,
       AUTOTUNING_SHUT_OFF = 49, WINDOW_SHRINK = 57 };

static void receiver_slow_tells_the_rhythm(void **state)
{
    struct given g = given_slow_reader();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, RECEIVER_SLOW);
    assert_string_equal(v->headline, "the receiving program on the server: it reads too slowly, and "
                                     "its window closes");
    assert_string_equal(v->text,
                        "The window was below two segments for 7.28 s (44 times, at most 170 ms) and "
                        "well below its largest, 80,480 bytes, for 99 % of the time. It opens by "
                        "32,785 bytes every 250 ms, as for a program that reads 32,768 at a time: "
                        "131 kB/s. Measured 131 kB/s; kept open, the window allows 2.01 MB/s.");
    assert_true(v->share_pct > 97.9 && v->share_pct < 98.1);
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_int_equal(v->advice[0].who, ACTOR_SERVER);
    assert_string_equal(v->advice[0].change, "receiving_program");
    /* 1,536,000 / 2.01 MB/s and the growth to it */
    assert_true(v->advice[0].predicted_s > 0.76 && v->advice[0].predicted_s < 1.1);
    assert_string_equal(v->evidence[1].fact, "window_closed");
    assert_int_equal(v->evidence[1].frame, 1047);
    for (int i = 0; i < v->ruled_out_count; i++)
        assert_string_not_equal(v->ruled_out[i], "receiver_application");
}

/* 8 KiB every 40 ms: the window never closes, it stays at a fifth of its largest. */
static void receiver_slow_without_zero_windows(void **state)
{
    struct given g = given_slow_reader();
    struct direction_result *d = given_data(&g);

    (void)state;
    given_no_shares(&g);
    given_share(&g, LIMIT_RWND, 97);
    d->rwnd_min_bytes = 15680;
    d->zero_window_episodes = 0;
    d->moves.sink = (struct moves_sink){.sunk_ns = 11600 * MS};
    d->moves.steps = (struct moves_steps){177, 177 * 8488, 177 * 42 * MS, 170, 170 * 8185,
                                          170 * 40 * MS, 106, 1276};
    g.transfer.goodput_bytes_per_s = 211e3;
    assert_int_equal(given_cause(&g), RECEIVER_SLOW);
    assert_non_null(strstr(g.verdict.headline, "stays low"));
    assert_non_null(strstr(g.verdict.text, "8,185 bytes every 40.0 ms, as for a program that reads "
                                           "8,192 at a time"));
    for (int i = 0; i < g.verdict.ruled_out_count; i++)
        assert_string_not_equal(g.verdict.ruled_out[i], "receiver_application");
}

/* Reads of any size at any time: the rate is told, a rhythm is not. */
static void receiver_slow_without_a_rhythm(void **state)
{
    struct given g = given_slow_reader();

    (void)state;
    given_data(&g)->moves.steps.even_count = 9;
    assert_int_equal(given_cause(&g), RECEIVER_SLOW);
    assert_non_null(strstr(g.verdict.text, "33,388 bytes on average every 254 ms: 131 kB/s"));
    assert_null(strstr(g.verdict.text, "at a time"));
}

static void receiver_slow_has_look_alikes(void **state)
{
    struct given steady = given_slow_reader(), short_part = given_slow_reader();
    struct given reached = given_slow_reader(), over = given_slow_reader();
    struct given little = given_slow_reader();

    (void)state;
    /* the window stands at its largest and is full: it is too small, the reader keeps up */
    given_no_shares(&steady);
    given_share(&steady, LIMIT_RWND, 98);
    given_window(&steady, 5 * 1460);
    given_data(&steady)->zero_window_episodes = 0;
    given_data(&steady)->moves.sink = (struct moves_sink){0};
    given_data(&steady)->moves.steps = (struct moves_steps){0};
    steady.transfer.goodput_bytes_per_s = 5 * 1460 / 0.04;
    assert_int_equal(given_cause(&steady), RECEIVE_WINDOW);

    /* sunk for a fifth of the time only, and seldom closed */
    given_no_shares(&short_part);
    given_share(&short_part, LIMIT_RWND, 90);
    given_data(&short_part)->zero_window_episodes = 1;
    given_data(&short_part)->moves.sink.sunk_ns = 2300 * MS;
    assert_int_equal(given_cause(&short_part), UNKNOWN);

    /* the rate is what the largest window allows: it cannot have been low most of the time */
    reached.transfer.goodput_bytes_per_s = 1.9e6;
    assert_int_equal(given_cause(&reached), UNKNOWN);

    /* more in flight than the window: its scale is not known */
    given_data(&over)->moves.over = (struct moves_over){30, 400000, 50};
    assert_int_equal(given_cause(&over), UNKNOWN);

    given_no_shares(&little);
    given_share(&little, LIMIT_RWND, 20);
    given_share(&little, LIMIT_CWND, 78);
    given_data(&little)->zero_window_episodes = 0;
    assert_int_equal(given_cause(&little), UNKNOWN);
}

/* One pause of 10 s in a transfer that is fast before and after: no rhythm is made of it. */
static void receiver_slow_once(void **state)
{
    struct given g = given_slow_reader();
    struct direction_result *d = given_data(&g);

    (void)state;
    given_no_shares(&g);
    given_share(&g, LIMIT_ZERO_WINDOW, 88);
    d->moves.sink = (struct moves_sink){1, 1, 10300 * MS, 10300 * MS, 10300 * MS, 70, 71};
    d->moves.steps = (struct moves_steps){6, 6 * 3000, 10400 * MS, 0, 0, 0, 71, 99};
    assert_int_equal(given_cause(&g), RECEIVER_SLOW);
    assert_string_equal(g.verdict.text,
                        "The window was below two segments once, for 10.3 s and well below its "
                        "largest, 80,480 bytes, for 88 % of the time. Measured 131 kB/s; kept open, "
                        "the window allows 2.01 MB/s.");
}

/* The reader of a get is the client. */
static void receiver_slow_of_a_get(void **state)
{
    struct given g = given_slow_reader();

    (void)state;
    g.transfer.direction = S2C;
    g.flow.dir[S2C] = g.flow.dir[C2S];
    assert_int_equal(given_cause(&g), RECEIVER_SLOW);
    assert_int_equal(g.verdict.advice[0].who, ACTOR_CLIENT);
}

/* Openings of 200 bytes: 1,536,000 bytes in 7,680 segments (RFC 813's silly window). */
static struct given given_silly_window(void)
{
    struct given g = given_slow_reader();
    struct direction_result *d = given_data(&g);

    d->data_segments = 7680;
    d->full_segments = 40;
    d->moves.silly = (struct moves_silly){7000, 40, 300};
    return g;
}

static void silly_window_and_look_alikes(void **state)
{
    struct given g = given_silly_window(), few = given_silly_window(), full = given_silly_window();
    struct given tinygrams = given_silly_window();

    (void)state;
    assert_int_equal(given_cause(&g), SILLY_WINDOW);
    assert_non_null(strstr(g.verdict.text, "200 bytes on average, where the path takes 1,460"));
    assert_string_equal(g.verdict.evidence[0].fact, "small_increment");
    assert_int_equal(g.verdict.second_cause_id, 0); /* a slow reader is the same time again */

    given_data(&few)->moves.silly.increments = 5;
    assert_int_equal(given_cause(&few), RECEIVER_SLOW);
    given_data(&full)->data_segments = 1100; /* 1,396 bytes each */
    assert_int_equal(given_cause(&full), RECEIVER_SLOW);

    /* small segments with the window open are the sender's doing */
    given_no_shares(&tinygrams);
    given_share(&tinygrams, LIMIT_APP, 90);
    given_data(&tinygrams)->zero_window_episodes = 0;
    given_data(&tinygrams)->moves.sink = (struct moves_sink){0};
    assert_int_equal(given_cause(&tinygrams), SENDER_SLOW);
}

/* 256 KiB, closed once, then 16 KiB for 280 of 290 round trips. */
static struct given given_shut_off(void)
{
    struct given g = given_transfer(4700000, 11700, 40);
    struct direction_result *d = given_data(&g);

    given_window(&g, 262144);
    d->rwnd_mean_bytes = 20000;
    d->zero_window_episodes = 1;
    d->rounds_window_full = 282;
    d->moves.sink = (struct moves_sink){.episodes = 1, .late_openings = 1, .sunk_ns = 11500 * MS};
    d->moves.collapse = (struct moves_collapse){262144, 16384, 285, 280, 77};
    given_share(&g, LIMIT_RWND, 95);
    given_share(&g, LIMIT_ZERO_WINDOW, 2);
    return g;
}

static void autotuning_shut_off_and_look_alikes(void **state)
{
    struct given g = given_shut_off(), open = given_shut_off(), late = given_shut_off();

    (void)state;
    assert_int_equal(given_cause(&g), AUTOTUNING_SHUT_OFF);
    assert_non_null(strstr(g.verdict.text, "It had been 262,144 bytes, closed, and was 16,384 bytes "
                                           "at most in the 285 round trips since"));
    assert_int_equal(g.verdict.evidence[0].frame, 77);
    assert_int_equal(g.verdict.advice[1].value_bytes, 262144);
    assert_int_equal(g.verdict.second_cause_id, 0);

    /* it is small, but not full: something else held the sender */
    given_data(&open)->moves.collapse.full_rounds = 20;
    given_data(&open)->moves.sink.late_openings = 0;
    assert_int_equal(given_cause(&open), UNKNOWN);

    /* closed again until the end: a slow reader */
    given_data(&late)->moves.collapse = (struct moves_collapse){0};
    given_data(&late)->moves.sink.episodes = given_data(&late)->moves.sink.late_openings = 30;
    assert_int_equal(given_cause(&late), RECEIVER_SLOW);
}

static void window_shrink_and_look_alikes(void **state)
{
    struct given g = given_slow_reader(), small = given_slow_reader(), rare = given_slow_reader();
    struct given reneged = given_transfer(26214400, 298900, 280), once;

    (void)state;
    given_data(&g)->moves.shrink = (struct moves_shrink){40, 40 * 16000, 32000, 500};
    assert_int_equal(given_cause(&g), WINDOW_SHRINK);
    assert_non_null(strstr(g.verdict.text, "moved back 40 times, by 640,000 bytes in all and 32,000 "
                                           "at most"));
    assert_string_equal(g.verdict.evidence[0].fact, "window_shrunk");
    assert_string_equal(g.verdict.advice[0].change, "update_stack");

    given_data(&small)->moves.shrink = (struct moves_shrink){40, 40 * 128, 128, 500};
    assert_int_equal(given_cause(&small), RECEIVER_SLOW);
    given_data(&rare)->moves.shrink = (struct moves_shrink){2, 64000, 32000, 500};
    assert_int_equal(given_cause(&rare), RECEIVER_SLOW);

    /* thrown-away SACKed data costs recovery: told beside what leads */
    given_share(&reneged, LIMIT_RECOVERY, 60);
    given_data(&reneged)->moves.renege = (struct moves_renege){7, 900};
    once = reneged;
    given_judge(&reneged);
    assert_int_not_equal(reneged.verdict.cause_id, WINDOW_SHRINK);
    assert_int_equal(reneged.verdict.cause_id == UNKNOWN
                         ? WINDOW_SHRINK
                         : reneged.verdict.second_cause_id, WINDOW_SHRINK);
    given_data(&once)->moves.renege.count = 1;
    given_judge(&once);
    assert_int_not_equal(once.verdict.second_cause_id, WINDOW_SHRINK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(receiver_slow_tells_the_rhythm),
        cmocka_unit_test(receiver_slow_without_zero_windows),
        cmocka_unit_test(receiver_slow_without_a_rhythm),
        cmocka_unit_test(receiver_slow_has_look_alikes),
        cmocka_unit_test(receiver_slow_once),
        cmocka_unit_test(receiver_slow_of_a_get),
        cmocka_unit_test(silly_window_and_look_alikes),
        cmocka_unit_test(autotuning_shut_off_and_look_alikes),
        cmocka_unit_test(window_shrink_and_look_alikes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
