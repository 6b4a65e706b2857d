/* Figures with their units, at the places where rounding could say too much; addresses as text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "report/address.h"
#include "report/units.h"

static void bytes_have_separators_and_a_plural(void **state)
{
    (void)state;
    assert_string_equal(units_bytes(26214400).text, "26,214,400 bytes");
    assert_string_equal(units_bytes(1).text, "1 byte");
    assert_string_equal(units_bytes(0).text, "0 bytes");
    assert_string_equal(units_bytes(BYTES_UNKNOWN).text, "unknown");
    assert_string_equal(units_things(1000000, "flow", "flows").text, "1,000,000 flows");
}

static void rates_are_decimal_in_bytes_and_bits(void **state)
{
    (void)state;
    /* 26,214,400 bytes in 303.2 s */
    assert_string_equal(units_rate(86459, false).text, "86.5 kB/s (0.692 Mbit/s)");
    assert_string_equal(units_rate(86459, true).text, "0.692 Mbit/s (86.5 kB/s)");
    assert_string_equal(units_rate(117.6e6, false).text, "118 MB/s (941 Mbit/s)");
    assert_string_equal(units_rate_short(1000, true).text, "8.00 kbit/s");
    assert_string_equal(units_rate(-1, false).text, "unknown");
    assert_string_equal(units_rate(NAN, false).text, "unknown");
    assert_string_equal(units_rate(INFINITY, true).text, "unknown");
}

static void durations_read_as_people_say_them(void **state)
{
    (void)state;
    assert_string_equal(units_duration(0).text, "0 s");
    assert_string_equal(units_duration(430000).text, "0.430 ms");
    assert_string_equal(units_duration(INT64_C(280600000)).text, "281 ms");
    assert_string_equal(units_duration(INT64_C(99940000000)).text, "99.9 s");
    assert_string_equal(units_duration(INT64_C(99960000000)).text, "100.0 s");
    assert_string_equal(units_duration(INT64_C(303200000000)).text, "303.2 s");
    assert_string_equal(units_duration(INT64_C(3599400000000)).text, "3599.4 s");
    assert_string_equal(units_duration(INT64_C(3599600000000)).text, "1 h 00 min");
    assert_string_equal(units_duration(INT64_C(7199000000000)).text, "2 h 00 min");
    assert_string_equal(units_duration(NS_UNKNOWN).text, "unknown");
    assert_string_equal(units_duration(-1).text, "unknown");
}

static void percentages_stay_within_0_and_100(void **state)
{
    (void)state;
    assert_string_equal(units_pct(98.24).text, "98.2 %");
    assert_string_equal(units_pct(99.97).text, "99.9 %"); /* less than all */
    assert_string_equal(units_pct(100.3).text, "100 %");
    assert_string_equal(units_pct(0.01).text, "< 0.1 %"); /* more than nothing */
    assert_string_equal(units_pct(-0.0).text, "0 %");
    assert_string_equal(units_pct(-3).text, "0 %");
    assert_string_equal(units_pct(NAN).text, "unknown");
    assert_true(units_share_pct(3, 2) == 100);
    assert_true(units_share_pct(-3, 2) == 0);
    assert_true(units_share_pct(1, 0) == 0);
    assert_true(units_share_pct(1, 4) == 25);
}

static void check_address(const uint8_t bytes[16], const char *expected)
{
    char text[ADDRESS_TEXT_MAX];
    struct ip_addr addr;

    memcpy(addr.bytes, bytes, sizeof addr.bytes);
    assert_int_equal(address_format(&addr, text), strlen(expected));
    assert_string_equal(text, expected);
}

/* The rules of RFC 5952 section 4, each with an address of its own. */
static void addresses_follow_rfc_5952(void **state)
{
    static const uint8_t v4[16] = {[10] = 0xff, 0xff, 10, 0, 200, 255};
    static const uint8_t loopback[16] = {[15] = 1};
    static const uint8_t any[16] = {0};
    static const uint8_t one_zero_group[16] = {0x20, 1, 0x0d, 0xb8, 0, 0, 0, 1,
                                               0,    1, 0,    1,    0, 1, 0, 1};
    static const uint8_t first_of_two_runs[16] = {0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0,
                                                  0,    1, 0,    0,    0, 0, 0, 1};
    static const uint8_t ends_in_zeros[16] = {0xfe, 0x80};
    static const uint8_t full[16] = {0x20, 1, 0x0d, 0xb8, 0xab, 0xcd, 0, 0x12,
                                     3,    4, 5,    6,    7,    8,    9, 10};

    (void)state;
    check_address(v4, "10.0.200.255");
    check_address(loopback, "::1");
    check_address(any, "::");
    check_address(one_zero_group, "2001:db8:0:1:1:1:1:1");
    check_address(first_of_two_runs, "2001:db8::1:0:0:1");
    check_address(ends_in_zeros, "fe80::");
    check_address(full, "2001:db8:abcd:12:304:506:708:90a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_have_separators_and_a_plural),
        cmocka_unit_test(rates_are_decimal_in_bytes_and_bits),
        cmocka_unit_test(durations_read_as_people_say_them),
        cmocka_unit_test(percentages_stay_within_0_and_100),
        cmocka_unit_test(addresses_follow_rfc_5952),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
