/* Causes of the window's size: autotuning, lost scaling, few or small segments; each with a case that
 * is it and with its look-alikes.  Causes 1 and 2 are in test_causes.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases_window.h"

enum { UNKNOWN = 0, RECEIVE_WINDOW = 1, NO_WINDOW_SCALING = 2, SCALING_STRIPPED = 3, SMALL_MSS = 20,
       FEW_SEGMENTS = 21, AUTOTUNING = 48 };

/* 64 KiB to 1 MiB in 12 round trips of 100 ms, then full at 1 MiB for 250: 10.2 MB/s of 10.5. */
static struct given given_capped(void)
{
    struct given g = given_transfer(267000000, 26200, 100);
    struct direction_result *d = given_data(&g);

    given_window(&g, 1 << 20);
    d->rounds_window_full = 251;
    d->moves.growth = (struct moves_growth){65536, 1 << 20, 12, 1, 1200 * MS, 700, 250, 250};
    given_share(&g, LIMIT_RWND, 95);
    return g;
}

static void autotuning_that_stops(void **state)
{
    struct given g = given_capped(), fixed = given_capped(), open = given_capped();
    struct given queue = given_capped();

    (void)state;
    assert_int_equal(given_cause(&g), AUTOTUNING);
    assert_non_null(strstr(g.verdict.headline, "grew with the data and stopped at 1,048,576 bytes"));
    assert_non_null(strstr(g.verdict.text, "From 65,536 to 1,048,576 bytes in 12 round trips"));
    assert_string_equal(g.verdict.evidence[0].fact, "window_grew");
    assert_string_equal(g.verdict.advice[0].change, "receive_buffer");
    assert_int_equal(g.verdict.second_cause_id, 0);

    /* the first data opens a fixed buffer's window by a fifth */
    given_data(&fixed)->moves.growth = (struct moves_growth){860000, 1 << 20, 2, 1, 100 * MS, 90,
                                                              260, 250};
    assert_int_equal(given_cause(&fixed), RECEIVE_WINDOW);

    given_no_shares(&open);
    given_share(&open, LIMIT_CWND, 90);
    assert_int_equal(given_cause(&open), UNKNOWN);

    given_data(&queue)->rtt.min_ns = 40 * MS; /* 100 ms are mostly a queue: more window, more queue */
    assert_int_equal(given_cause(&queue), UNKNOWN);
}

/* Full in 18 of 20 round trips while it grows, to the end. */
static void autotuning_that_is_slow(void **state)
{
    struct given g = given_capped();
    struct direction_result *d = given_data(&g);

    (void)state;
    d->elapsed_ns = 2200 * MS;
    d->bytes = g.transfer.bytes = g.transfer.expected_bytes = 8000000;
    d->rwnd_mean_bytes = 400000;
    d->rounds = 22;
    given_no_shares(&g);
    given_share(&g, LIMIT_RWND, 80);
    d->moves.growth = (struct moves_growth){65536, 1 << 20, 20, 18, 2100 * MS, 4000, 2, 1};
    assert_int_equal(given_cause(&g), AUTOTUNING);
    assert_non_null(strstr(g.verdict.headline, "too slowly"));

    d->moves.growth.full_rounds = 3; /* it grew ahead of the data */
    assert_int_not_equal(given_cause(&g), AUTOTUNING);
}

/* The SYN-ACK reaches the client without the option: the server shifts by 7, the client does not.
 * 65,160 in the SYN-ACK, then 509: 509 bytes each 40 ms. */
static struct given given_stripped(void)
{
    struct given g = given_transfer(150000, 11700, 40);
    struct direction_result *d = given_data(&g);

    given_window(&g, 509);
    d->window_scale = 0;
    d->rwnd_syn_bytes = 65160;
    d->smss = 509;
    d->rounds_window_full = 290;
    g.flow.dir[S2C].syn_has_wind_shift = false;
    given_share(&g, LIMIT_RWND, 98);
    return g;
}

static void scaling_stripped_from_a_syn(void **state)
{
    struct given g = given_stripped(), both = given_stripped(), small = given_stripped();
    struct given no_power = given_stripped();

    (void)state;
    assert_int_equal(given_cause(&g), SCALING_STRIPPED);
    assert_string_equal(g.verdict.headline, "window scaling lost on the way: the server's windows "
                                            "look 128 times too small");
    assert_non_null(strstr(g.verdict.text, "Its SYN offers 65,160 bytes, its next segment 509"));
    assert_int_equal(g.verdict.advice[0].who, ACTOR_NETWORK);
    assert_string_equal(g.verdict.advice[0].change, "middlebox_scaling");
    assert_int_equal(g.verdict.advice[0].value_bytes, 509 << 7);
    assert_int_equal(g.verdict.confidence, CONFIDENCE_HIGH);

    g.flow.position = TAP_SERVER; /* wherever it was captured */
    assert_int_equal(given_cause(&g), SCALING_STRIPPED);

    both.flow.dir[C2S].syn_has_wind_shift = false; /* nobody asked for it */
    assert_int_not_equal(given_cause(&both), SCALING_STRIPPED);
    given_data(&small)->rwnd_syn_bytes = 509; /* it is that small from the start */
    assert_int_not_equal(given_cause(&small), SCALING_STRIPPED);
    given_data(&no_power)->rwnd_syn_bytes = 509 * 23; /* not a shift */
    assert_int_not_equal(given_cause(&no_power), SCALING_STRIPPED);
}

/* Both SYNs have it where they were captured, but the sender keeps to the field of 32,768. */
static void scaling_that_the_sender_ignores(void **state)
{
    struct given g = given_transfer(80000000, 100000, 40), moving, buffer;
    struct direction_result *d = given_data(&g);

    (void)state;
    given_window(&g, 32768 << 7);
    d->flight_max_bytes = 32120;
    d->flight_mean_bytes = 31500;
    given_share(&g, LIMIT_SEND_BUFFER, 90);
    moving = buffer = g;
    assert_int_equal(given_cause(&g), SCALING_STRIPPED);
    assert_non_null(strstr(g.verdict.text, "the field is 32,768, unshifted"));
    assert_true(g.verdict.confidence < CONFIDENCE_HIGH);

    given_data(&moving)->flight_mean_bytes = 20000; /* it only passes there */
    assert_int_not_equal(given_cause(&moving), SCALING_STRIPPED);
    given_window(&buffer, 65535 << 7); /* a send buffer of 64 KB looks the same */
    given_data(&buffer)->flight_max_bytes = 64240;
    given_data(&buffer)->flight_mean_bytes = 64000;
    assert_int_not_equal(given_cause(&buffer), SCALING_STRIPPED);
}

/* Linux 2.4 on HiperSockets: 65,535 bytes are two segments of 32,720. */
static struct given given_two_segments(void)
{
    struct given g = given_transfer(209715200, 5070, 1);
    struct direction_result *d = given_data(&g);

    given_window(&g, 65535);
    d->window_scale = 0;
    d->smss = 32720;
    d->full_segments = d->data_segments = 6409;
    d->rounds_window_full = 5000;
    given_share(&g, LIMIT_RWND, 90);
    return g;
}

static void few_segments_and_look_alikes(void **state)
{
    struct given g = given_two_segments(), more = given_two_segments();
    struct given ethernet = given_small_window(), stalls;

    (void)state;
    assert_int_equal(given_cause(&g), FEW_SEGMENTS);
    assert_string_equal(g.verdict.headline, "the server's receive window holds only 2.00 segments");
    assert_non_null(strstr(g.verdict.text, "65,535 bytes are 2 x MSS 32720 + 95"));
    assert_string_equal(g.verdict.advice[1].change, "smaller_mtu");
    assert_int_equal(g.verdict.advice[1].who, ACTOR_CLIENT);

    given_data(&more)->smss = 8948;
    more.transfer.goodput_bytes_per_s = 60e6;
    assert_int_equal(given_cause(&more), RECEIVE_WINDOW);

    /* 4,096 bytes at 280 ms are 2.8 of Ethernet's segments: a small window first of all ... */
    given_window(&ethernet, 4096);
    ethernet.transfer.goodput_bytes_per_s = 14.2e3;
    stalls = ethernet;
    assert_int_equal(given_cause(&ethernet), RECEIVE_WINDOW);
    stalls.transfer.goodput_bytes_per_s = 8e3; /* ... unless it does not reach even that */
    assert_int_equal(given_cause(&stalls), FEW_SEGMENTS);
}

/* Off-net segments of 536 bytes (AIX, IBM i): growth and losses go by segments. */
static void small_mss_is_told_beside_what_it_slows(void **state)
{
    struct given g = given_transfer(26214400, 298900, 280), usual, chatty;
    struct direction_result *d = given_data(&g);

    (void)state;
    d->smss = 536;
    d->data_segments = d->full_segments = d->bytes / 536;
    g.flow.dir[C2S].mss_option = 1460;
    g.flow.dir[S2C].mss_option = 536;
    given_share(&g, LIMIT_RWND, 51);
    given_share(&g, LIMIT_CWND, 40);
    given_window(&g, 24820);
    usual = chatty = g;
    assert_int_equal(given_cause(&g), RECEIVE_WINDOW);
    assert_int_equal(g.verdict.second_cause_id, SMALL_MSS);

    usual.flow.dir[S2C].mss_option = 1360; /* a tunnel */
    given_data(&usual)->smss = 1360;
    given_judge(&usual);
    assert_int_not_equal(usual.verdict.second_cause_id, SMALL_MSS);
    given_data(&chatty)->full_segments = 10; /* the program writes little */
    given_judge(&chatty);
    assert_int_not_equal(chatty.verdict.second_cause_id, SMALL_MSS);
}

/* IBM i: CHGTCPA TCPRCVBUF 8192 at 0.43 ms is 19 MB/s, in whole segments of 1456 17 MB/s; 64384 at
 * the same round trip would be 150 MB/s, more than the link: the rate did not follow it. */
static void ibm_i_buffers(void **state)
{
    struct given g = given_transfer(25580260992, 1374158, 1), large;
    struct direction_result *d = given_data(&g);

    (void)state;
    d->smss = 1456;
    d->rtt = (struct sample_summary){430000, 430000, 430000, 430000, 5000};
    given_window(&g, 8192);
    d->window_scale = 0;
    d->rounds_window_full = d->rounds = 3000000;
    given_share(&g, LIMIT_RWND, 95);
    large = g;
    assert_int_equal(given_cause(&g), RECEIVE_WINDOW);
    assert_non_null(strstr(g.verdict.text, "8,192 bytes (5 x MSS 1456 + 912) in flight; with 0.430 "
                                           "ms round trip that is 19.1 MB/s at most (16.9 MB/s in "
                                           "whole segments). Measured 18.6 MB/s."));

    given_window(&large, 64384);
    given_no_shares(&large);
    given_share(&large, LIMIT_APP, 90);
    assert_int_not_equal(given_cause(&large), RECEIVE_WINDOW);
}

/* The KEK slide's table: 24,820 bytes at 280 ms fill 35.5, 3.55 and 0.355 % of 2, 20 and 200 Mbit/s,
 * which need 70,000 bytes and its multiples; one row more with --link. */
static void efficiency_table(void **state)
{
    struct given g = given_small_window(), no_rtt = given_small_window();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->efficiency_count, 3);
    for (int i = 0; i < 3; i++) {
        const double times = i == 0 ? 1 : i == 1 ? 10 : 100;

        assert_true(v->efficiencies[i].link_bytes_per_s == 250e3 * times);
        assert_true(v->efficiencies[i].needed_bytes == 70e3 * times);
        assert_true(v->efficiencies[i].share * times > 0.3545);
        assert_true(v->efficiencies[i].share * times < 0.3547);
    }
    g.options.link_bytes_per_s = 1.25e6;
    assert_int_equal(given_judge(&g)->efficiency_count, 4);

    no_rtt.flow.handshake_rtt_ns = NS_UNKNOWN;
    given_data(&no_rtt)->rtt = (struct sample_summary){NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN,
                                                       NS_UNKNOWN, 0};
    assert_int_equal(given_judge(&no_rtt)->efficiency_count, 0);
}

/* More was in flight than the largest window, again and again: no arithmetic with that window. */
static void no_window_cause_with_more_in_flight(void **state)
{
    struct given g = given_small_window(), unscaled = given_unscaled_window();

    (void)state;
    given_data(&g)->moves.over = (struct moves_over){800, 200000, 70};
    given_data(&unscaled)->moves.over = (struct moves_over){800, 200000, 70};
    assert_int_equal(given_cause(&g), UNKNOWN);
    assert_int_equal(given_cause(&unscaled), UNKNOWN);
    assert_string_equal(g.verdict.unknown[0], "window_exceeded");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(autotuning_that_stops),
        cmocka_unit_test(autotuning_that_is_slow),
        cmocka_unit_test(scaling_stripped_from_a_syn),
        cmocka_unit_test(scaling_that_the_sender_ignores),
        cmocka_unit_test(few_segments_and_look_alikes),
        cmocka_unit_test(small_mss_is_told_beside_what_it_slows),
        cmocka_unit_test(ibm_i_buffers),
        cmocka_unit_test(efficiency_table),
        cmocka_unit_test(no_window_cause_with_more_in_flight),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
