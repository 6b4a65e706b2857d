/* The receiver's window, segment by segment: scale, zero windows, old and shrunk windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/window.h"

#define MS ((int64_t)1000000)
#define BASE ((uint64_t)1 << 32)

/* A direction of data whose receiver advertises; times of segments rise by 1 ms. */
struct course {
    struct window w;
    struct half data, receiver;
    struct segment seg;
};

static uint64_t advertise(struct course *c, uint16_t field, uint64_t ack)
{
    c->seg.wnd = field;
    c->seg.time_ns += MS;
    c->seg.frame++;
    return window_update(&c->w, &c->data, &c->receiver, &c->seg, BASE + ack);
}

/* Both SYNs seen, both with the option; the receiver's shift is the one given. */
static struct course course_with_shift(uint8_t shift)
{
    struct course c = {
        .data = {.marks = HALF_SYN | HALF_WIND_SHIFT, .wind_shift = 2, .smss = 1448},
        .receiver = {.marks = HALF_SYN | HALF_WIND_SHIFT, .wind_shift = shift},
    };

    return c;
}

/* RFC 7323 section 2.2: in force only when both SYNs carry it; each side's own shift applies to
 * the windows that it advertises.  Without a whole SYN nothing is known. */
static void test_scale_from_options(void **state)
{
    static const struct {
        uint16_t data, receiver;
        int scale;
        enum scale_source source;
    } rows[] = {
        {HALF_SYN | HALF_WIND_SHIFT, HALF_SYN | HALF_WIND_SHIFT, 7, SCALE_OPTION},
        {HALF_SYN | HALF_WIND_SHIFT, HALF_SYN, 0, SCALE_OPTION},
        {HALF_SYN, HALF_SYN | HALF_WIND_SHIFT, 0, SCALE_OPTION},
        {0, HALF_SYN, 0, SCALE_OPTION}, /* the one SYN seen does not offer it */
        {HALF_SYN, 0, 0, SCALE_OPTION},
        {0, HALF_SYN | HALF_WIND_SHIFT, -1, SCALE_UNKNOWN}, /* the other may not have */
        {HALF_SYN | HALF_WIND_SHIFT, 0, -1, SCALE_UNKNOWN},
        {HALF_SYN | HALF_OPT_CUT, HALF_SYN | HALF_OPT_CUT, -1, SCALE_UNKNOWN},
        {0, 0, -1, SCALE_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct window w = {0};
        struct half data = {.marks = rows[i].data, .wind_shift = 3};
        struct half receiver = {.marks = rows[i].receiver, .wind_shift = 7};
        enum scale_source source;
        assert_int_equal(window_scale(&w, &data, &receiver, &source), rows[i].scale);
        assert_int_equal(source, rows[i].source);
        assert_int_equal(window_scale(NULL, &data, &receiver, &source), rows[i].scale);
        assert_int_equal(source, rows[i].source);
    }
}

/* The right edge is SEG.ACK + SEG.WND << shift; the counts keep the fields as on the wire. */
static void test_edge(void **state)
{
    struct course c = course_with_shift(7);

    (void)state;
    assert_int_equal(advertise(&c, 500, 1000), BASE + 1000 + 500 * 128);
    assert_int_equal(advertise(&c, 600, 2000), BASE + 2000 + 600 * 128);
    assert_int_equal(advertise(&c, 100, 3000), BASE + 3000 + 100 * 128);
    assert_int_equal(c.data.rwnd_min, 100);
    assert_int_equal(c.data.rwnd_max, 600);
    assert_int_equal(c.data.rwnd_max_frame, 2);
    assert_int_equal(c.w.sum, 1200);
    assert_int_equal(c.w.count, 3);
    assert_int_equal(c.data.rwnd_last, 100);
    assert_true((c.data.marks & HALF_WINDOW) != 0);
}

/* Largest window there is: 65535 << 14 is 1 GiB less 16 KiB. */
static void test_largest_window(void **state)
{
    struct course c = course_with_shift(14);

    (void)state;
    assert_int_equal(advertise(&c, 65535, 0), BASE + 1073725440);
}

/* The program does not read: 2,896 bytes an ACK are 181 units of scale 4.  Three such votes make
 * the scale exact; before that nothing is said. */
static void test_scale_by_votes(void **state)
{
    struct course c = {0};
    enum scale_source source;

    (void)state;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(advertise(&c, (uint16_t)(13032 - 181 * i), 2896 * i), 0);
    assert_int_equal(window_scale(&c.w, &c.data, &c.receiver, &source), -1);
    assert_int_equal(advertise(&c, 13032 - 3 * 181, 3 * 2896), BASE + 208512);
    assert_int_equal(window_scale(&c.w, &c.data, &c.receiver, &source), 4);
    assert_int_equal(source, SCALE_EXACT);
}

/* Falls that do not fit what was acknowledged vote for nothing and weaken the others: with one
 * such in three there is no answer. */
static void test_scale_votes_disagree(void **state)
{
    struct course c = {0};
    enum scale_source source;
    uint64_t ack = 0;
    uint16_t field = 60000;

    (void)state;
    advertise(&c, field, ack);
    for (int i = 0; i < 30; i++) {
        ack += 2896;
        field = (uint16_t)(field - (i % 3 == 0 ? 100 : 181)); /* 2896 / 100 is no power of two */
        advertise(&c, field, ack);
    }
    assert_int_equal(window_scale(&c.w, &c.data, &c.receiver, &source), -1);
    assert_int_equal(source, SCALE_UNKNOWN);
}

/* 100,000 votes, three of them for scale 0 (a receiver that read at the wrong time): what is
 * exact after four stays so. */
static void test_scale_votes_are_many(void **state)
{
    struct course c = {0};
    enum scale_source source;
    uint64_t ack = 0;

    (void)state;
    advertise(&c, 60000, ack);
    for (int i = 0; i < 100000; i++) {
        bool odd = i == 10 || i == 20 || i == 30;
        advertise(&c, 60000, ack); /* the window opens again */
        ack += odd ? 181 : 2896;
        advertise(&c, 60000 - 181, ack);
        if (i < 50)
            continue;
        assert_int_equal(window_scale(&c.w, &c.data, &c.receiver, &source), 4);
        assert_int_equal(source, SCALE_EXACT);
    }
}

/* Field 2000 and 57,920 bytes in flight: less one segment of tolerance 56,472 bytes need scale 5
 * (64,000); scale 4 is 32,000.  At least: no edge is given. */
static void test_scale_at_least(void **state)
{
    struct course c = {.data = {.smss = 1448}};
    enum scale_source source;

    (void)state;
    advertise(&c, 2000, 0);
    window_flight_seen(&c.w, &c.data, 3448); /* 2,000 and one segment: scale 0 is enough */
    assert_int_equal(window_scale(&c.w, &c.data, &c.receiver, &source), -1);
    window_flight_seen(&c.w, &c.data, 57920);
    assert_int_equal(window_scale(&c.w, &c.data, &c.receiver, &source), 5);
    assert_int_equal(source, SCALE_AT_LEAST);
    assert_int_equal(advertise(&c, 2000, 1448), 0);
    window_flight_seen(&c.w, &c.data, 3000); /* never falls */
    assert_int_equal(window_scale(&c.w, &c.data, &c.receiver, &source), 5);
}

/* A flight beyond every scale ends at 14; without a window seen nothing is proven. */
static void test_scale_at_least_bounds(void **state)
{
    struct course c = {.data = {.smss = 1448}};

    (void)state;
    window_flight_seen(&c.w, &c.data, UINT64_MAX);
    assert_int_equal(c.w.least_scale, 0);
    advertise(&c, 0, 0);
    window_flight_seen(&c.w, &c.data, UINT64_MAX);
    assert_int_equal(c.w.least_scale, 14);
}

/* Zero from 2 ms to 5 ms and from 7 ms to the end at 12 ms: two episodes, 8 ms. */
static void test_zero_window(void **state)
{
    struct course c = course_with_shift(0);

    (void)state;
    advertise(&c, 1000, 0); /* 1 ms */
    advertise(&c, 0, 1000); /* 2 ms */
    advertise(&c, 0, 1000);
    advertise(&c, 0, 1000);
    assert_int_equal(c.w.zero_episodes, 1);
    assert_int_equal(c.w.zero_frame, 2);
    advertise(&c, 1000, 1000); /* 5 ms */
    assert_int_equal(c.w.zero_ns, 3 * MS);
    advertise(&c, 500, 1500);
    advertise(&c, 0, 2000); /* 7 ms */
    window_finish(&c.w, 12 * MS);
    assert_int_equal(c.w.zero_episodes, 2);
    assert_int_equal(c.w.zero_ns, 8 * MS);
    window_finish(&c.w, 20 * MS); /* closed for good */
    assert_int_equal(c.w.zero_ns, 8 * MS);
}

/* A direction without any window seen has no zero-window time. */
static void test_finish_without_window(void **state)
{
    struct window w = {0};

    (void)state;
    window_finish(&w, 1000 * MS);
    assert_int_equal(w.zero_ns, 0);
    assert_int_equal(w.zero_episodes, 0);
}

/* RFC 9293 section 3.10.7.4: SND.WL2 =< SEG.ACK; a window that comes with an older
 * acknowledgment says nothing, not even zero. */
static void test_old_acknowledgment(void **state)
{
    struct course c = course_with_shift(0);

    (void)state;
    advertise(&c, 5000, 2000);
    assert_int_equal(advertise(&c, 0, 1000), 0);
    assert_int_equal(c.w.zero_episodes, 0);
    assert_int_equal(c.data.rwnd_min, 5000);
    assert_int_equal(c.w.count, 1);
    assert_int_equal(c.data.rwnd_last, 5000);
}

/* RFC 9293 section 3.8.6: a receiver should not shrink its window.  The edge 11,000 moves back to
 * 8,000 once; with a scale, steps below one unit are rounding. */
static void test_shrink(void **state)
{
    struct course c = course_with_shift(0), scaled = course_with_shift(7);

    (void)state;
    advertise(&c, 10000, 1000);
    advertise(&c, 9000, 2000);
    assert_int_equal(c.w.shrunk, 0);
    advertise(&c, 6000, 2000);
    assert_int_equal(c.w.shrunk, 1);
    assert_int_equal(c.w.edge_max, BASE + 11000);

    advertise(&scaled, 100, 0);  /* edge 12,800 */
    advertise(&scaled, 99, 100); /* 12,772: 28 bytes of rounding */
    assert_int_equal(scaled.w.shrunk, 0);
    advertise(&scaled, 98, 100); /* 12,644: 156 bytes less */
    assert_int_equal(scaled.w.shrunk, 1);
}

/* An update is another window with the same acknowledgment and no data. */
static void test_updates(void **state)
{
    struct course c = course_with_shift(0);

    (void)state;
    advertise(&c, 1000, 0);
    advertise(&c, 1000, 0); /* duplicate ACK */
    advertise(&c, 2000, 0); /* update */
    advertise(&c, 2000, 500);
    c.seg.payload_bytes = 10;
    advertise(&c, 3000, 500); /* comes with data */
    assert_int_equal(c.w.updates, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale_from_options),
        cmocka_unit_test(test_edge),
        cmocka_unit_test(test_largest_window),
        cmocka_unit_test(test_scale_by_votes),
        cmocka_unit_test(test_scale_votes_disagree),
        cmocka_unit_test(test_scale_votes_are_many),
        cmocka_unit_test(test_scale_at_least),
        cmocka_unit_test(test_scale_at_least_bounds),
        cmocka_unit_test(test_zero_window),
        cmocka_unit_test(test_finish_without_window),
        cmocka_unit_test(test_old_acknowledgment),
        cmocka_unit_test(test_shrink),
        cmocka_unit_test(test_updates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
