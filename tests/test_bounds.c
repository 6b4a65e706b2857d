/* The models against figures worked out by hand and published ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/cause/bounds.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define assert_near(value, expected, tolerance) \
    assert_true(fabs((value) - (expected)) <= (tolerance))

/* A window of 8 KB at 170 ms: 48.2 kB/s (RIKEN to BNL measured 47), and the KEK to CERN table at
 * 280 ms with its efficiency on a link of 2 Mbit/s. */
static void window_over_rtt_matches_published_rates(void **state)
{
    static const struct {
        double window_bytes, rtt_s, kbytes_per_s, pct_of_2_mbit;
    } rows[] = {
        {8192, 0.170, 48.2, 19.3}, {4096, 0.28, 14.6, 5.85},   {8192, 0.28, 29.3, 11.7},
        {16384, 0.28, 58.5, 23.4}, {24820, 0.28, 88.6, 35.5},  {33580, 0.28, 119.9, 48.0},
        {65535, 0.28, 234.1, 93.6}, {70000, 0.28, 250.0, 100}, {24820, 0.30, 82.7, 33.1},
        {33580, 0.54, 62.2, 24.9},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const double rate = bounds_window_bytes_per_s(rows[i].window_bytes, rows[i].rtt_s);

        assert_near(rate / 1e3, rows[i].kbytes_per_s, 0.051);
        assert_near(100 * rate / 250e3, rows[i].pct_of_2_mbit, 0.051);
    }
}

/* 8192 holds five segments of 1456 (7280 bytes) and a rest that is not sent. */
static void whole_segments_are_the_floor(void **state)
{
    (void)state;
    assert_int_equal(bounds_whole_segments_bytes(8192, 1456), 7280);
    assert_int_equal(bounds_whole_segments_bytes(24820, 1460), 24820);
    assert_int_equal(bounds_whole_segments_bytes(1000, 1460), 1000);
    assert_int_equal(bounds_whole_segments_bytes(65535, 0), 65535);
    assert_int_equal(bounds_whole_segments_bytes(65535, 32720), 65440);
}

/* Windows of Solaris 8 (24576), AMS (32768) and Windows 2000 (16384), in whole segments. */
static void buffers_are_guessed_from_windows(void **state)
{
    (void)state;
    assert_int_equal(bounds_buffer_guess_bytes(24820, 1460), 24576);
    assert_int_equal(bounds_buffer_guess_bytes(33580, 1460), 32768);
    assert_int_equal(bounds_buffer_guess_bytes(17520, 1460), 16384);
    assert_int_equal(bounds_buffer_guess_bytes(65535, 1460), 0);     /* not whole segments */
    assert_int_equal(bounds_buffer_guess_bytes(14600, 1460), 0);     /* nothing in 13141..14600 */
    assert_int_equal(bounds_buffer_guess_bytes(65440, 32720), 0);    /* segments too large */
    assert_int_equal(bounds_buffer_guess_bytes(0, 1460), 0);
    assert_int_equal(bounds_buffer_guess_bytes(UINT64_MAX, 1), 0);
}

/* 2, 20 and 200 Mbit/s at 280 ms. */
static void needed_windows_fill_the_pipe(void **state)
{
    (void)state;
    assert_near(bounds_needed_window_bytes(250e3, 0.28), 70000, 0);
    assert_near(bounds_needed_window_bytes(2.5e6, 0.28), 700000, 0);
    assert_near(bounds_needed_window_bytes(25e6, 0.28), 7000000, 0);
    assert_near(bounds_needed_window_bytes(1000, 0.0015), 2, 0);
}

/* RFC 6928 section 2: min(10 MSS, max(2 MSS, 14600)). */
static void initial_window_is_rfc_6928(void **state)
{
    (void)state;
    assert_int_equal(bounds_initial_window_bytes(1460), 14600);
    assert_int_equal(bounds_initial_window_bytes(536), 5360);
    assert_int_equal(bounds_initial_window_bytes(8960), 17920);
    assert_int_equal(bounds_initial_window_bytes(4312), 14600);
}

/* Growing 1 to 23 segments takes 5 rounds with an ACK a segment (1.4 s at 280 ms), 8 with delayed
 * ACK (2.2 s). */
static void slow_start_rounds_and_bytes(void **state)
{
    (void)state;
    assert_near(ceil(bounds_slow_start_rounds(23, 1, 2.0)), 5, 0);
    assert_near(ceil(bounds_slow_start_rounds(23, 1, 1.5)), 8, 0);
    assert_near(bounds_slow_start_rounds(10, 10, 2.0), 0, 0);
    assert_near(bounds_slow_start_rounds(5, 10, 2.0), 0, 0);
    /* 1 + 2 + 4 + 8 = 15 segments before the flight is 16 */
    assert_near(bounds_slow_start_sent_bytes(16, 1, 2.0), 15, 1e-9);
    assert_near(bounds_slow_start_sent_bytes(16, 1, 1.5), 30, 1e-9);
    /* 15 segments in 4 rounds of 0.1 s */
    assert_near(bounds_slow_start_bytes_per_s(15, 1, 2.0, 0.1), 37.5, 1e-6);
    /* less than the first flight takes one round trip all the same */
    assert_near(bounds_slow_start_bytes_per_s(5, 10, 2.0, 0.1), 50, 1e-9);
}

/* 1460 bytes, 280 ms, one in a thousand lost: 201 kB/s. */
static void loss_models_match_published_rates(void **state)
{
    const double mathis = bounds_mathis_bytes_per_s(1460, 0.28, 1e-3, MATHIS_K);
    const double pftk_without_timeouts =
        bounds_pftk_bytes_per_s(1460, 0.28, 1e-6, 1e-9, 1, 0);

    (void)state;
    assert_near(mathis / 1e3, 201, 0.5);
    /* with neither time-outs nor a window PFTK is Mathis: sqrt(3/2) = 1.2247 for k */
    assert_near(pftk_without_timeouts,
                bounds_mathis_bytes_per_s(1460, 0.28, 1e-6, sqrt(1.5)), 1);
    /* by hand, p 0.05, RTO 0.4: 1460 / (0.05112 + 0.4 x 0.41079 x 0.05 x 1.08) = 24.3 kB/s */
    assert_near(bounds_pftk_bytes_per_s(1460, 0.28, 0.05, 0.4, 1, 0) / 1e3, 24.34, 0.05);
    assert_near(bounds_pftk_bytes_per_s(1460, 0.28, 1e-6, 0.4, 1, 24820), 24820 / 0.28, 1);
}

/* MTU 1500 without and with timestamps on 100 Mbit/s: 94.93 and 94.15 Mbit/s; 802.3/SNAP 94.41. */
static void payload_shares_of_ethernet(void **state)
{
    (void)state;
    assert_near(100 * bounds_payload_share(1460, 40, ETHERNET_OVERHEAD_BYTES), 94.93, 0.005);
    assert_near(100 * bounds_payload_share(1448, 52, ETHERNET_OVERHEAD_BYTES), 94.15, 0.005);
    assert_near(100 * bounds_payload_share(1452, 40, 46), 94.41, 0.005);
}

/* 26,214,400 bytes over 2 Mbit/s in segments of 1460: 110.5 s at the full rate, and 1 s more for
 * the growth from ten segments. */
static void transfer_time_is_slow_start_then_full_rate(void **state)
{
    const double full = 250e3 * bounds_payload_share(1460, 40, ETHERNET_OVERHEAD_BYTES);
    const double seconds = bounds_transfer_s(26214400, 14600, 1.5, 0.28, full);

    (void)state;
    assert_true(seconds > 26214400 / full);
    assert_true(seconds < 26214400 / full + 1);
    /* over within slow start: 15 segments of 1 byte, four rounds */
    assert_near(bounds_transfer_s(15, 1, 2.0, 0.1, 1e9), 0.4, 1e-9);
    /* a rate below the first flight: no growth at all */
    assert_near(bounds_transfer_s(100, 10, 2.0, 1, 5), 20, 1e-9);
}

static void every_model_refuses_bad_inputs(void **state)
{
    static const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const double x = bad[i];

        assert_false(bound_is_known(bounds_window_bytes_per_s(x, 1)));
        assert_false(bound_is_known(bounds_window_bytes_per_s(1, x)));
        assert_false(bound_is_known(bounds_needed_window_bytes(x, 1)));
        assert_false(bound_is_known(bounds_slow_start_rounds(x, 1, 2)));
        assert_false(bound_is_known(bounds_slow_start_rounds(1, x, 2)));
        assert_false(bound_is_known(bounds_slow_start_rounds(1, 1, x)));
        assert_false(bound_is_known(bounds_slow_start_sent_bytes(x, 1, 2)));
        assert_false(bound_is_known(bounds_slow_start_bytes_per_s(1, 1, 2, x)));
        assert_false(bound_is_known(bounds_mathis_bytes_per_s(1460, 0.1, x, 1)));
        assert_false(bound_is_known(bounds_pftk_bytes_per_s(1460, 0.1, x, 1, 1, 0)));
        assert_false(bound_is_known(bounds_payload_share(x, 40, 38)));
        assert_false(bound_is_known(bounds_transfer_s(x, 1, 2, 1, 1)));
        assert_false(bound_is_known(bounds_transfer_s(1, 1, 2, 1, x)));
    }
    /* results beyond the range of a double are unknown too */
    assert_false(bound_is_known(bounds_window_bytes_per_s(1e300, 1e-300)));
    assert_false(bound_is_known(bounds_needed_window_bytes(1e300, 1e300)));
}

/* KEK-CERN at 280 ms: window against 2, 20 and 200 Mbit/s (research/domain.md section 1.5). */
static void efficiency_of_windows(void **state)
{
    static const struct {
        double window, pct_of_2, pct_of_200;
    } rows[] = {
        {8192, 11.7, 0.12},   {16384, 23.4, 0.23}, {24820, 35.5, 0.35},
        {33580, 48.0, 0.48}, {65535, 93.6, 0.94},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double window = rows[i].window;

        assert_true(fabs(100 * bounds_window_efficiency(window, 0.28, 2e6 / 8) -
                         rows[i].pct_of_2) < 0.06);
        assert_true(fabs(100 * bounds_window_efficiency(window, 0.28, 200e6 / 8) -
                         rows[i].pct_of_200) < 0.006);
    }
    assert_true(bounds_window_efficiency(1e6, 0.28, 2e6 / 8) <= 1);
    assert_false(bound_is_known(bounds_window_efficiency(0, 0.28, 250e3)));
    assert_false(bound_is_known(bounds_window_efficiency(8192, 0, 250e3)));
    assert_false(bound_is_known(bounds_window_efficiency(8192, 0.28, 0)));
}

/* RFC 9438 section 5.2, table 1 (C = 0.4, RTT 0.1 s): average windows of 12 segments at p = 1e-2, of
 * the Reno-friendly region, 187 at 1e-4 and 5,926 at 1e-6, CUBIC's own. */
static void test_cubic(void **state)
{
    (void)state;
    assert_true(fabs(bounds_cubic_bytes_per_s(1, 0.1, 1e-2) * 0.1 - 12.25) < 0.05);
    assert_true(fabs(bounds_cubic_bytes_per_s(1, 0.1, 1e-4) * 0.1 - 187) < 1);
    assert_true(fabs(bounds_cubic_bytes_per_s(1, 0.1, 1e-6) * 0.1 - 5926) < 5);
    assert_true(bounds_cubic_bytes_per_s(1460, 0.1, 0) < 0);
    assert_true(bounds_cubic_bytes_per_s(1460, -1, 0.01) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(efficiency_of_windows),
        cmocka_unit_test(test_cubic),
        cmocka_unit_test(window_over_rtt_matches_published_rates),
        cmocka_unit_test(whole_segments_are_the_floor),
        cmocka_unit_test(buffers_are_guessed_from_windows),
        cmocka_unit_test(needed_windows_fill_the_pipe),
        cmocka_unit_test(initial_window_is_rfc_6928),
        cmocka_unit_test(slow_start_rounds_and_bytes),
        cmocka_unit_test(loss_models_match_published_rates),
        cmocka_unit_test(payload_shares_of_ethernet),
        cmocka_unit_test(transfer_time_is_slow_start_then_full_rate),
        cmocka_unit_test(every_model_refuses_bad_inputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
