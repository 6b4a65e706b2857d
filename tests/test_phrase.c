/* Figures in words, at the places where rounding could add a digit or a wrong unit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/cause/phrase.h"

static void counts_are_grouped_by_three(void **state)
{
    (void)state;
    assert_string_equal(phrase_count(0).text, "0");
    assert_string_equal(phrase_count(999).text, "999");
    assert_string_equal(phrase_count(24820).text, "24,820");
    assert_string_equal(phrase_count(25580260992).text, "25,580,260,992");
    assert_string_equal(phrase_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
}

static void rates_have_three_digits(void **state)
{
    (void)state;
    assert_string_equal(phrase_rate(88643).text, "88.6 kB/s");
    assert_string_equal(phrase_rate(0).text, "0 B/s");
    assert_string_equal(phrase_rate(999.4).text, "999 B/s");
    assert_string_equal(phrase_rate(999.6).text, "1.00 kB/s");
    assert_string_equal(phrase_rate(999600).text, "1.00 MB/s");
    assert_string_equal(phrase_rate(99960).text, "100 kB/s");
    assert_string_equal(phrase_rate(11.87e6).text, "11.9 MB/s");
    assert_string_equal(phrase_rate(-1).text, "unknown");
    assert_string_equal(phrase_rate(NAN).text, "unknown");
    assert_string_equal(phrase_rate(INFINITY).text, "unknown");
    assert_string_equal(phrase_rate(1e300).text, "beyond measure");
    assert_string_equal(phrase_bits(12.5e6).text, "100 Mbit/s");
    assert_string_equal(phrase_bits(250e3).text, "2.00 Mbit/s");
}

static void spans_choose_ms_or_s(void **state)
{
    (void)state;
    assert_string_equal(phrase_span(280000000).text, "280 ms");
    assert_string_equal(phrase_span(430000).text, "0.430 ms");
    assert_string_equal(phrase_span(0).text, "0 ms");
    assert_string_equal(phrase_span(999600000).text, "1.00 s");
    assert_string_equal(phrase_span(9883000000).text, "9.88 s");
    assert_string_equal(phrase_span(298900000000).text, "299 s");
    assert_string_equal(phrase_span(INT64_MIN).text, "unknown");
    assert_string_equal(phrase_span(INT64_MAX).text, "9223372037 s");
}

static void windows_are_segments_and_a_rest(void **state)
{
    (void)state;
    assert_string_equal(phrase_window(24820, 1460).text, "17 x MSS 1460");
    assert_string_equal(phrase_window(8192, 1456).text, "5 x MSS 1456 + 912");
    assert_string_equal(phrase_window(8192, 0).text, "8,192");
    assert_string_equal(phrase_window(UINT64_MAX, UINT32_MAX).text,
                        "4294967297 x MSS 4294967295");
}

static void percentages_and_decimals(void **state)
{
    (void)state;
    assert_string_equal(phrase_pct(62.4).text, "62 %");
    assert_string_equal(phrase_pct(1.13).text, "1.1 %");
    assert_string_equal(phrase_pct(9.97).text, "10 %");
    assert_string_equal(phrase_pct(0).text, "0 %");
    assert_string_equal(phrase_pct(NAN).text, "unknown");
    assert_string_equal(phrase_decimal(3.274).text, "3.27");
    assert_string_equal(phrase_decimal(-1).text, "unknown");
}

static void shares_are_listed_largest_first(void **state)
{
    double share_pct[LIMIT_COUNT] = {0};
    char text[64], small[12];

    (void)state;
    phrase_shares(share_pct, 5, text, sizeof text);
    assert_string_equal(text, "");
    share_pct[LIMIT_RECOVERY] = 20;
    share_pct[LIMIT_CWND] = 62;
    share_pct[LIMIT_APP] = 4.9;
    phrase_shares(share_pct, 5, text, sizeof text);
    assert_string_equal(text, "congestion window 62 %, loss recovery 20 %");
    phrase_shares(share_pct, 5, small, sizeof small);
    assert_int_equal(strlen(small), sizeof small - 1); /* cut, but ended */
}

static void every_limit_has_words(void **state)
{
    (void)state;
    for (int i = 0; i < LIMIT_COUNT; i++)
        assert_non_null(phrase_limit((enum limit)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_grouped_by_three),
        cmocka_unit_test(rates_have_three_digits),
        cmocka_unit_test(spans_choose_ms_or_s),
        cmocka_unit_test(windows_are_segments_and_a_rest),
        cmocka_unit_test(percentages_and_decimals),
        cmocka_unit_test(shares_are_listed_largest_first),
        cmocka_unit_test(every_limit_has_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
