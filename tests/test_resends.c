/* Resends remembered until D-SACK or Eifel tell whether they were needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/rexmit.h"

#define MS ((int64_t)1000000)
#define NOW ((int64_t)100 * 1000000000)
#define MSS 1448u

static struct resend resend_of(uint32_t i, int64_t time_ns)
{
    struct resend resend = {
        .left = 100000 + (uint64_t)i * MSS,
        .right = 100000 + (uint64_t)(i + 1) * MSS,
        .time_ns = time_ns,
        .ts_val = 6000,
        .original_ts_val = 5900,
        .segments = 1,
        .original_seen = true,
        .has_ts = true,
    };

    return resend;
}

/* RFC 2883: each D-SACK reports one duplicate; two resends of one segment need two of them; a
 * third is the network's. */
static void test_dsack(void **state)
{
    struct rexmit rx = {0};
    struct resend first = resend_of(0, NOW), second = resend_of(0, NOW + 200 * MS);
    uint32_t segments = 99;

    (void)state;
    rexmit_remember(&rx, &first);
    rexmit_remember(&rx, &second);
    assert_true(rexmit_dsack(&rx, 100000, 100000 + MSS, &segments));
    assert_int_equal(segments, 1);
    assert_true(rexmit_dsack(&rx, 100000, 100000 + MSS, &segments));
    assert_int_equal(segments, 1);
    assert_true(rexmit_dsack(&rx, 100000, 100000 + MSS, &segments));
    assert_int_equal(segments, 0);
    rexmit_free(&rx);
}

/* A D-SACK for what was never sent twice. */
static void test_dsack_of_nothing(void **state)
{
    struct rexmit rx = {0};
    struct resend resend = resend_of(5, NOW);
    uint32_t segments = 99;

    (void)state;
    assert_false(rexmit_dsack(&rx, 100000, 100000 + MSS, &segments));
    assert_int_equal(segments, 0);
    rexmit_remember(&rx, &resend);
    assert_false(rexmit_dsack(&rx, 100000, 100000 + 5 * MSS, &segments)); /* ends where it begins */
    assert_true(rexmit_dsack(&rx, 100000, 100000 + 5 * MSS + 1, &segments));
    rexmit_free(&rx);
}

/* Of RESENDS_REMEMBERED + 10 resends the first ten are forgotten. */
static void test_remembered_are_bounded(void **state)
{
    struct rexmit rx = {0};
    uint32_t segments;

    (void)state;
    for (uint32_t i = 0; i < RESENDS_REMEMBERED + 10; i++) {
        struct resend resend = resend_of(i, NOW + i);
        rexmit_remember(&rx, &resend);
    }
    for (uint32_t i = 0; i < RESENDS_REMEMBERED + 10; i++) {
        uint64_t left = 100000 + (uint64_t)i * MSS;
        assert_int_equal(rexmit_dsack(&rx, left, left + MSS, &segments), i >= 10);
    }
    rexmit_free(&rx);
}

/* RFC 3522 section 3.2: the acknowledgment echoes a TSval from before the resend: the original
 * had arrived. */
static void test_eifel(void **state)
{
    struct rexmit rx = {0};
    struct resend resend = resend_of(0, NOW);

    (void)state;
    rexmit_remember(&rx, &resend);
    assert_int_equal(rexmit_eifel(&rx, 100000, 100000 + MSS, 5900), 1);
    assert_int_equal(rexmit_eifel(&rx, 100000, 100000 + MSS, 5900), 0); /* once */
    rexmit_free(&rx);
}

/* Its look-alikes: the echo of the resend itself; an acknowledgment of less; of data above (the
 * echo is of the segment at the left edge, RFC 7323 section 4.3); a resend in the same tick;
 * an original that was lost upstream; no timestamps. */
static void test_no_eifel(void **state)
{
    (void)state;
    for (int row = 0; row < 6; row++) {
        struct rexmit rx = {0};
        struct resend resend = resend_of(0, NOW);
        uint64_t una = 100000, ack = 100000 + MSS;
        uint32_t echo = 5900;
        switch (row) {
        case 0: echo = 6000; break;
        case 1: ack--; break;
        case 2: una -= MSS; break;
        case 3: resend.ts_val = echo = 5900; break;
        case 4: resend.original_seen = false; break;
        default: resend.has_ts = false; break;
        }
        rexmit_remember(&rx, &resend);
        assert_int_equal(rexmit_eifel(&rx, una, ack, echo), 0);
        rexmit_free(&rx);
    }
}

/* D-SACK and Eifel speak of the same resend: it counts once. */
static void test_eifel_after_dsack(void **state)
{
    struct rexmit rx = {0};
    struct resend resend = resend_of(0, NOW);
    uint32_t segments;

    (void)state;
    rexmit_remember(&rx, &resend);
    assert_true(rexmit_dsack(&rx, 100000, 100000 + MSS, &segments));
    assert_int_equal(segments, 1);
    assert_int_equal(rexmit_eifel(&rx, 100000, 100000 + MSS, 5900), 0);
    rexmit_free(&rx);
}

/* Of two resends of one segment Eifel shows that the first was not needed. */
static void test_eifel_of_two(void **state)
{
    struct rexmit rx = {0};
    struct resend first = resend_of(0, NOW), second = resend_of(0, NOW + 300 * MS);

    (void)state;
    first.segments = 3;
    second.ts_val = 6300;
    rexmit_remember(&rx, &second);
    rexmit_remember(&rx, &first);
    assert_int_equal(rexmit_eifel(&rx, 100000, 100000 + MSS, 5900), 3);
    assert_int_equal(rexmit_eifel(&rx, 100000, 100000 + MSS, 5900), 0);
    rexmit_free(&rx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dsack),
        cmocka_unit_test(test_dsack_of_nothing),
        cmocka_unit_test(test_remembered_are_bounded),
        cmocka_unit_test(test_eifel),
        cmocka_unit_test(test_no_eifel),
        cmocka_unit_test(test_eifel_after_dsack),
        cmocka_unit_test(test_eifel_of_two),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
