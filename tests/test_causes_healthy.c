/* Cause 62: the link is full, and nothing else is in the way; with its look-alikes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases.h"

enum { UNKNOWN = 0, HEALTHY = 62 };

static void healthy_needs_a_full_link(void **state)
{
    struct given g = given_full_link(), given_rate = given_full_link(), bigger = given_full_link();
    struct given app = given_full_link(), chance = given_full_link(), over = given_full_link();

    (void)state;
    assert_int_equal(given_cause(&g), HEALTHY);
    assert_string_equal(g.verdict.headline,
                        "nothing to cure: it fills 99 % of what a link of 100 Mbit/s can carry");
    assert_int_equal(g.verdict.confidence, CONFIDENCE_MEDIUM); /* a match alone may be chance */
    given_rate.options.link_bytes_per_s = 12.5e6;
    assert_int_equal(given_cause(&given_rate), HEALTHY);
    assert_int_equal(given_rate.verdict.confidence, CONFIDENCE_HIGH);

    bigger.options.link_bytes_per_s = 125e6; /* 9 % of the link given */
    assert_int_equal(given_cause(&bigger), UNKNOWN);
    given_share(&app, LIMIT_LINK, -30);
    given_share(&app, LIMIT_APP, 30);
    assert_int_equal(given_cause(&app), UNKNOWN);
    given_share(&chance, LIMIT_LINK, -90); /* the rate fits, but nothing shows that it is flat */
    given_share(&chance, LIMIT_CWND, 90);
    assert_int_equal(given_cause(&chance), UNKNOWN);
    over.transfer.goodput_bytes_per_s = 98.1e6 / 8; /* more than 100 Mbit/s can carry */
    assert_int_equal(given_cause(&over), UNKNOWN);
}

/* No link is given and none of the usual ones fits; the path was seen to pass 870 kB/s, of which
 * 858 were used.  Time that is labelled as the link's is left to the cause that names it. */
static void healthy_by_what_the_path_passes(void **state)
{
    struct given g = given_transfer(30000000, 35000, 90), link, waits, lossy, ragged;
    struct direction_result *d = given_data(&g);

    (void)state;
    d->path.capacity_bytes_per_s = 870e3;
    d->moves.knee = (struct moves_knee){.before_bytes = 500000, .at_ns = 1000 * MS,
                                        .before_bytes_per_s = 5e5, .after_bytes_per_s = 865e3,
                                        .after_spread = 0.03};
    given_share(&g, LIMIT_CWND, 90);
    link = waits = lossy = ragged = g;
    assert_int_equal(given_cause(&g), HEALTHY);
    assert_string_equal(g.verdict.headline,
                        "nothing to cure at the ends: it fills 99 % of what the path passes");
    assert_non_null(strstr(g.verdict.text, "On a faster link the receive window would be next: it "
                                           "allows 11.7 MB/s."));
    given_data(&lossy)->loss_events = 3; /* a queue that overflows can be cured */
    assert_int_not_equal(given_cause(&lossy), HEALTHY);
    given_data(&ragged)->moves.knee.after_spread = 0.2;
    assert_int_not_equal(given_cause(&ragged), HEALTHY);
    given_data(&ragged)->moves.knee.at_ns = 30000 * MS; /* a last part at another rate */
    assert_int_not_equal(given_cause(&ragged), HEALTHY);
    given_data(&ragged)->moves.knee.before_bytes_per_s = 850e3; /* at nearly the same */
    assert_int_equal(given_cause(&ragged), HEALTHY);
    given_share(&link, LIMIT_CWND, -60);
    given_share(&link, LIMIT_LINK, 60);
    assert_int_not_equal(given_cause(&link), HEALTHY);
    given_share(&waits, LIMIT_CWND, -30);
    given_share(&waits, LIMIT_APP, 30);
    assert_int_not_equal(given_cause(&waits), HEALTHY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_needs_a_full_link),
        cmocka_unit_test(healthy_by_what_the_path_passes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
