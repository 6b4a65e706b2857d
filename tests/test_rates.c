#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options_rate.h"

static double rate(const char *text)
{
    double value = -1;

    assert_true(rate_parse(text, &value));
    return value;
}

/* No B: bits per second, K = 1000. */
static void bits_per_second(void **state)
{
    (void)state;
    assert_float_equal(rate("8"), 1, 0);
    assert_float_equal(rate("2M"), 250000, 0);
    assert_float_equal(rate("1.5M"), 187500, 0);
    assert_float_equal(rate("1G"), 125000000, 0);
    assert_float_equal(rate("100Mbit"), 12500000, 0);
    assert_float_equal(rate("100Mbit/s"), 12500000, 0);
    assert_float_equal(rate("100 Mbit/s"), 12500000, 0);
    assert_float_equal(rate("100Mbps"), 12500000, 0);
    assert_float_equal(rate("64k"), 8000, 0);
    assert_float_equal(rate("64Kb/s"), 8000, 0);
}

/* A B: bytes per second, K = 1000 unless it is Ki. */
static void bytes_per_second(void **state)
{
    (void)state;
    assert_float_equal(rate("1B/s"), 1, 0);
    assert_float_equal(rate("18MB/s"), 18000000, 0);
    assert_float_equal(rate("18 MB/s"), 18000000, 0);
    assert_float_equal(rate("11520KB"), 11520000, 0);
    assert_float_equal(rate("11520kB"), 11520000, 0);
    assert_float_equal(rate("11520KiB"), 11520.0 * 1024, 0);
    assert_float_equal(rate("1TBps"), 1e12, 0);
}

static void refused(void **state)
{
    static const char *const texts[] = {
        "",        "fast",
        "-2M",     "+2M",
        "0",       "0M",
        "2X",      "2MM",
        "2M/read", "1e6",
        "0x10",    "nan",
        "inf",     "2M ",
        " 2M",     "1.2.3M",
        "Mbit",    ".",
        "2M/s/s",  "9999999999999999999999M",
        "2mbyte",  "11111111111111111111111111111111111111111",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = -1;

        if (rate_parse(texts[i], &value))
            fail_msg("\"%s\" was taken as %g", texts[i], value);
        assert_float_equal(value, -1, 0);
    }
}

static void ceilings(void **state)
{
    struct ceiling ceiling;
    char error[256];

    (void)state;
    assert_true(ceiling_parse("disk=11520KB", &ceiling, error, sizeof error));
    assert_string_equal(ceiling.label, "disk");
    assert_float_equal(ceiling.bytes_per_s, 11520000, 0);
    assert_true(ceiling_parse("disk=18MB/s/read", &ceiling, error, sizeof error));
    assert_string_equal(ceiling.label, "disk/read");
    assert_float_equal(ceiling.bytes_per_s, 18000000, 0);
    assert_true(ceiling_parse("eckd=2M/write", &ceiling, error, sizeof error));
    assert_string_equal(ceiling.label, "eckd/write");
    assert_float_equal(ceiling.bytes_per_s, 250000, 0);
}

static void ceilings_refused(void **state)
{
    struct ceiling ceiling;
    char error[256], longest[64] = "";

    (void)state;
    assert_false(ceiling_parse("disk", &ceiling, error, sizeof error));
    assert_string_equal(error, "\"disk\" is not LABEL=RATE. Write it like disk=11520KB/write");
    assert_false(ceiling_parse("=2M", &ceiling, error, sizeof error));
    assert_false(ceiling_parse("disk=quick", &ceiling, error, sizeof error));
    assert_string_equal(error, "\"quick\" is not a rate. Write 2M, 100Mbit, 18MB/s or 11520KB");
    assert_false(ceiling_parse("disk=/read", &ceiling, error, sizeof error));
    assert_false(ceiling_parse("disk=2M/both", &ceiling, error, sizeof error));

    /* one byte more than a label holds, the ending 0 counted */
    for (size_t i = 0; i < sizeof ceiling.label; i++)
        longest[i] = 'a';
    longest[sizeof ceiling.label] = '=';
    longest[sizeof ceiling.label + 1] = '8';
    assert_false(ceiling_parse(longest, &ceiling, error, sizeof error));
    assert_true(ceiling_parse(longest + 1, &ceiling, error, sizeof error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_per_second),  cmocka_unit_test(bytes_per_second),
        cmocka_unit_test(refused),          cmocka_unit_test(ceilings),
        cmocka_unit_test(ceilings_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
