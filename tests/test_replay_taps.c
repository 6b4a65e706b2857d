/* Transfers replayed at several taps with the same result; streams of events without sense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"
#include "tests/replay_check.h"

/* ---- a simulated transfer, seen at a tap ---- */

struct course {
    uint64_t window; /* of the receiver, constant */
    uint64_t cwnd;   /* initial */
    uint64_t ssthresh;
    uint64_t bytes;
    uint64_t burst;   /* the program writes this much ... */
    int64_t pause_ns; /* ... then rests; 0 = writes all at once */
};

struct tap {
    double place; /* 0 = at the sender, 1 = at the receiver */
    bool timestamps;
};

/* What passes the tap. */
struct passing {
    int64_t time_ns;
    size_t order; /* as they came about: an ACK after the data that it answers */
    bool is_ack;
    struct ack_event ack;
    struct departure data;
};

#define EVENTS_MAX 60000u
#define WIRE_NS (12 * US) /* a segment at 1 Gbit/s */

struct simulation {
    const struct course *course;
    struct tap tap;
    struct passing *events;
    size_t count;
    /* acknowledgments on their way: when the sender has them */
    struct ack_event *acks;
    int64_t *ack_times;
    size_t ack_head, ack_count;
    uint64_t una, nxt, edge, cwnd;
    uint32_t ts_recent;
};

static int by_time(const void *a, const void *b)
{
    const struct passing *x = a, *y = b;

    if (x->time_ns != y->time_ns)
        return x->time_ns > y->time_ns ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static int64_t leg_ns(const struct simulation *s)
{
    return (int64_t)(s->tap.place * (double)RTT / 2);
}

/* Sender's and receiver's TSval: 1 ms ticks. */
static uint32_t ts_val_at(int64_t time_ns)
{
    return (uint32_t)(time_ns / MS);
}

static void depart(struct simulation *s, int64_t now_ns)
{
    int64_t tap_ns = now_ns + leg_ns(s), arrival_ns = now_ns + RTT / 2;
    /* with timestamps a departure is known to its tick, as analysis/segment/ts_clock.h gives it */
    int64_t sent_ns = now_ns / MS * MS + MS / 2 + leg_ns(s);
    uint64_t left = s->nxt;

    if (!s->tap.timestamps || sent_ns > tap_ns)
        sent_ns = tap_ns;
    s->nxt += MSS;
    s->events[s->count] = (struct passing){.time_ns = tap_ns,
                                           .order = s->count,
                                           .data = {.tap_ns = tap_ns,
                                                    .sent_ns = sent_ns,
                                                    .left = left,
                                                    .right = s->nxt,
                                                    .frame = s->count,
                                                    .smss = MSS,
                                                    .full = true,
                                                    .ts_ecr = s->ts_recent,
                                                    .has_echo = s->tap.timestamps}};
    s->count++;
    if ((s->nxt - BASE) / MSS % 2 != 0 && s->nxt - BASE < s->course->bytes)
        return; /* one ACK for two segments */
    struct ack_event ack = {.time_ns = arrival_ns + RTT / 2 - leg_ns(s),
                            .ack = s->nxt,
                            .edge = s->nxt + s->course->window,
                            .has_ts = s->tap.timestamps,
                            .ts_val = ts_val_at(arrival_ns)};
    s->events[s->count] =
        (struct passing){.time_ns = ack.time_ns, .order = s->count, .is_ack = true, .ack = ack};
    s->count++;
    s->ack_times[s->ack_count] = arrival_ns + RTT / 2;
    s->acks[s->ack_count++] = ack;
}

static void take_ack(struct simulation *s)
{
    const struct ack_event *ack = &s->acks[s->ack_head++];
    uint64_t acked = ack->ack - s->una;

    s->una = ack->ack;
    s->edge = ack->edge;
    s->ts_recent = ack->ts_val;
    s->cwnd += s->cwnd < s->course->ssthresh ? acked : MSS * acked / s->cwnd;
}

/* Bytes that the program has written by now. */
static uint64_t written(const struct course *course, int64_t elapsed_ns)
{
    return course->pause_ns == 0 ? course->bytes
                                 : course->burst * (uint64_t)(1 + elapsed_ns / course->pause_ns);
}

static void simulate(struct simulation *s)
{
    const struct course *course = s->course;
    int64_t now_ns = EPOCH_NS;

    s->una = s->nxt = BASE;
    s->edge = BASE + course->window;
    s->cwnd = course->cwnd;
    s->ts_recent = ts_val_at(EPOCH_NS - RTT / 2); /* of the SYN-ACK */
    while (s->nxt - BASE < course->bytes && s->count + 4 < EVENTS_MAX) {
        bool acks_due = s->ack_head < s->ack_count && s->ack_times[s->ack_head] <= now_ns;
        if (acks_due) {
            take_ack(s);
            continue;
        }
        bool room = s->nxt + MSS <= s->edge && s->nxt - s->una + MSS <= s->cwnd;
        bool data = s->nxt + MSS - BASE <= written(course, now_ns - EPOCH_NS);
        if (room && data) {
            depart(s, now_ns);
            now_ns += WIRE_NS;
        } else if (room || s->ack_head == s->ack_count) {
            now_ns += 10 * US; /* for the program */
        } else {
            now_ns = s->ack_times[s->ack_head];
        }
    }
}

/* The transfer as the replay at this tap sees it. */
static void replay_course(const struct course *course, struct tap tap, struct replay *r)
{
    struct simulation s = {.course = course, .tap = tap};

    s.events = calloc(EVENTS_MAX, sizeof *s.events);
    s.acks = calloc(EVENTS_MAX, sizeof *s.acks);
    s.ack_times = calloc(EVENTS_MAX, sizeof *s.ack_times);
    assert_true(s.events != NULL && s.acks != NULL && s.ack_times != NULL);
    simulate(&s);
    qsort(s.events, s.count, sizeof *s.events, by_time);
    const struct replay_path path = {.near_ns = 2 * leg_ns(&s),
                                     .min_rtt_ns = RTT,
                                     .tick_ns = tap.timestamps ? MS : 0,
                                     .rto_ns = 250 * MS};
    memset(r, 0, sizeof *r);
    replay_start(r, s.events[0].data.sent_ns, 0, BASE, BASE + course->window);
    for (size_t i = 0; i < s.count; i++) {
        int64_t before_ns = r->now_ns;
        if (s.events[i].is_ack)
            replay_ack(r, &s.events[i].ack, &path);
        else
            replay_departure(r, &s.events[i].data, &path);
        assert_true(r->now_ns >= before_ns);
        check_sum(r);
    }
    finish(r, &path);
    free(s.events);
    free(s.acks);
    free(s.ack_times);
}

static const struct tap taps[] = {{0, false},  {0, true},  {0.5, false},
                                  {0.5, true}, {1, false}, {1, true}};
#define TAPS (sizeof taps / sizeof *taps)

/* The same transfer at every tap: all limits within 2 % of those at the sender. */
static void check_taps_agree(const struct course *course, struct replay *at_first_tap)
{
    replay_course(course, taps[0], at_first_tap);
    for (size_t i = 1; i < TAPS; i++) {
        struct replay r;
        replay_course(course, taps[i], &r);
        for (int limit = 0; limit < LIMIT_COUNT; limit++) {
            double a = share_pct(at_first_tap, (enum limit)limit);
            double b = share_pct(&r, (enum limit)limit);
            if (a - b > 2 || b - a > 2)
                fail_msg("%s at tap %zu: %.2f %%, at the sender %.2f %%",
                         limit_name((enum limit)limit), i, b, a);
        }
        replay_free(&r);
    }
}

/* 64 KB of window over 50 ms, cwnd out of the way: 45 segments a round trip, the rest is waiting
 * for the window. */
static void test_window_limited(void **state)
{
    const struct course course = {.window = 65535, .cwnd = 1000000, .bytes = 45 * 60 * MSS};
    struct replay r;

    (void)state;
    check_taps_agree(&course, &r);
    assert_true(share_pct(&r, LIMIT_RWND) > 95);
    assert_in_range(r.flight_max, 65535 - MSS, 65535);
    /* full but for the 45 x 12 us in which a round trip's data leaves: 98.9 % */
    assert_true((double)r.window_full_ns > 0.9 * (double)(r.now_ns - r.first_ns));
    replay_free(&r);
}

/* From 10 segments, doubling by 50 ms to 160 (4 round trips), then one more a round trip: some 80
 * in all. */
static void test_slow_start_then_cwnd(void **state)
{
    const struct course course = {
        .window = 100000000, .cwnd = 10 * MSS, .ssthresh = 160 * MSS, .bytes = 15000 * MSS};
    struct replay r;

    (void)state;
    check_taps_agree(&course, &r);
    assert_true(share_pct(&r, LIMIT_SLOW_START) + share_pct(&r, LIMIT_CWND) > 90);
    /* 4 round trips to ssthresh, and up to 4 more until it shows that growth has ended */
    assert_in_range(r.limit_ns[LIMIT_SLOW_START], 150 * MS, 400 * MS);
    assert_false(r.slow_start);
    assert_int_equal(r.limit_ns[LIMIT_RWND], 0);
    assert_int_equal(r.initial_window, 10 * MSS);
    replay_free(&r);
}

/* The program writes 20 segments every 200 ms: neither window nor cwnd matter. */
static void test_app_limited_at_every_tap(void **state)
{
    const struct course course = {.window = 1000000,
                                  .cwnd = 1000000,
                                  .bytes = 20 * 50 * MSS,
                                  .burst = 20 * MSS,
                                  .pause_ns = 200 * MS};
    struct replay r;

    (void)state;
    check_taps_agree(&course, &r);
    assert_true(share_pct(&r, LIMIT_APP) > 95);
    assert_int_equal(r.limit_ns[LIMIT_RWND], 0);
    replay_free(&r);
}

/* ---- any stream of events ---- */

static void random_event(struct replay *r, uint64_t *seed, int64_t *time_ns,
                         const struct replay_path *path)
{
    uint64_t offset = BASE + random_below(seed, 200) * 500;
    bool ts = random_below(seed, 2) != 0;
    uint32_t tick = ts_val_at(*time_ns) - (uint32_t)random_below(seed, 100);

    *time_ns += (int64_t)random_below(seed, 60) * MS - 5 * MS;
    if (random_below(seed, 2) == 0) {
        uint64_t window = random_below(seed, 4) * 10000;
        struct ack_event event = {.time_ns = *time_ns,
                                  .ack = offset,
                                  .edge = random_below(seed, 5) == 0 ? 0 : offset + window,
                                  .ts_val = tick,
                                  .has_ts = ts,
                                  .zero_window = window == 0,
                                  .carries_data = random_below(seed, 4) == 0};
        replay_ack(r, &event, path);
        return;
    }
    struct departure d = {.tap_ns = *time_ns,
                          .sent_ns = *time_ns - (int64_t)random_below(seed, 20) * MS,
                          .left = offset,
                          .right = offset + 1 + random_below(seed, 3000),
                          .smss = random_below(seed, 10) == 0 ? 0 : MSS,
                          .frame = random_below(seed, 1000),
                          .full = random_below(seed, 2) != 0,
                          .ts_ecr = tick,
                          .has_echo = ts,
                          .kind = (enum departure_kind)random_below(seed, 6)};
    replay_departure(r, &d, path);
}

/* 10,000 streams of up to 60 events without sense: the sum holds after each of them, the clock
 * never runs back, no count is negative, the spans are no longer than the whole. */
static void test_random_streams(void **state)
{
    (void)state;
    for (uint64_t stream = 1; stream <= 10000; stream++) {
        struct replay r = {0};
        uint64_t seed = stream;
        int64_t time_ns = EPOCH_NS;
        const struct replay_path path = {
            .near_ns = (int64_t)random_below(&seed, 3) * 40 * MS,
            .min_rtt_ns = random_below(&seed, 3) == 0 ? NS_UNKNOWN : 100 * MS,
            .tick_ns = (int64_t)random_below(&seed, 2) * MS,
            .rto_ns = random_below(&seed, 3) == 0 ? NS_UNKNOWN : 300 * MS,
        };
        replay_start(&r, time_ns, (int64_t)random_below(&seed, 2) * SECOND, BASE,
                     random_below(&seed, 2) * (BASE + 30000));
        for (uint64_t events = random_below(&seed, 60); events > 0; events--) {
            int64_t before_ns = r.now_ns;
            random_event(&r, &seed, &time_ns, &path);
            assert_true(r.now_ns >= before_ns);
            check_sum(&r);
        }
        finish(&r, &path);
        assert_true(r.window_full_ns >= 0 && r.window_full_ns <= r.now_ns - r.first_ns);
        for (int i = 0; i < LIMIT_COUNT; i++) {
            assert_true(r.worst[i].duration_ns >= 0);
            assert_true(r.worst[i].duration_ns <= r.now_ns - r.first_ns);
        }
        replay_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window_limited),
        cmocka_unit_test(test_slow_start_then_cwnd),
        cmocka_unit_test(test_app_limited_at_every_tap),
        cmocka_unit_test(test_random_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
