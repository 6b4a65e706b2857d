/* One direction replayed at its sender's time: each instant has one limit, wherever the tap is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/replay.h"
#include "tests/random.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)
#define SECOND ((int64_t)1000000000)
#define MSS 1448u
#define BASE ((uint64_t)1 << 32)
#define RTT (50 * MS)
#define EPOCH_NS (1700000000 * SECOND) /* of the simulated clocks */

static int64_t sum_of_limits(const struct replay *r)
{
    int64_t sum_ns = 0;

    for (int i = 0; i < LIMIT_COUNT; i++) {
        assert_true(r->limit_ns[i] >= 0);
        sum_ns += r->limit_ns[i];
    }
    return sum_ns;
}

/* Every instant has one owner (CONTRACT.md section 3): what is decided and what is pending make
 * the time from the first data to now. */
static void check_sum(const struct replay *r)
{
    int64_t pending_ns = 0;

    for (int i = 0; i < PENDING_KINDS; i++) {
        assert_true(r->pending_ns[i] >= 0);
        pending_ns += r->pending_ns[i];
    }
    assert_true(sum_of_limits(r) + pending_ns == r->now_ns - r->first_ns);
}

/* At the end nothing is pending. */
static void finish(struct replay *r, const struct replay_path *path)
{
    replay_finish(r, path);
    check_sum(r);
    assert_true(sum_of_limits(r) == r->now_ns - r->first_ns);
}

static double share_pct(const struct replay *r, enum limit limit)
{
    int64_t elapsed_ns = r->now_ns - r->first_ns;

    return elapsed_ns == 0 ? 0 : 100.0 * (double)r->limit_ns[limit] / (double)elapsed_ns;
}

/* ---- events given one by one, at the sender's own tap: RTT 50 ms, window open ---- */

static const struct replay_path at_sender = {.min_rtt_ns = RTT, .rto_ns = 250 * MS};

/* Time is in milliseconds since the first data. */
static void begin(struct replay *r, uint64_t window)
{
    memset(r, 0, sizeof *r);
    replay_start(r, EPOCH_NS, 0, BASE, BASE + window);
}

static void send_kind(struct replay *r, int64_t at_ms, uint64_t left, uint32_t bytes,
                      enum departure_kind kind)
{
    int64_t before_ns = r->now_ns;
    struct departure d = {
        .tap_ns = EPOCH_NS + at_ms * MS,
        .sent_ns = EPOCH_NS + at_ms * MS,
        .left = BASE + left,
        .right = BASE + left + bytes,
        .frame = (uint64_t)at_ms + 1,
        .smss = MSS,
        .full = bytes >= MSS,
        .kind = kind,
    };

    replay_departure(r, &d, &at_sender);
    assert_true(r->now_ns >= before_ns);
    check_sum(r);
}

static void send_segments(struct replay *r, int64_t at_ms, uint64_t left, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        send_kind(r, at_ms, left + (uint64_t)i * MSS, MSS, DEPARTURE_NEW);
}

static void acknowledge(struct replay *r, int64_t at_ms, uint64_t ack, uint64_t window,
                        bool carries_data)
{
    struct ack_event event = {
        .time_ns = EPOCH_NS + at_ms * MS,
        .ack = BASE + ack,
        .edge = BASE + ack + window,
        .zero_window = window == 0,
        .carries_data = carries_data,
    };

    replay_ack(r, &event, &at_sender);
}

#define OPEN_WINDOW 10000000u

/* Without an event there is no time, and nothing breaks. */
static void test_empty(void **state)
{
    struct replay r = {.released_ns = NS_UNKNOWN};

    (void)state;
    replay_finish(&r, &at_sender); /* never started */
    assert_int_equal(sum_of_limits(&r), 0);
    replay_free(&r);
    begin(&r, OPEN_WINDOW);
    finish(&r, &at_sender);
    assert_true(r.now_ns == r.first_ns);
    replay_free(&r);
}

/* Data that passed before the direction was followed: its time is unknown, not lost. */
static void test_earlier_time(void **state)
{
    struct replay r = {0};

    (void)state;
    replay_start(&r, EPOCH_NS, 300 * MS, BASE, 0);
    send_segments(&r, 0, 0, 1);
    acknowledge(&r, 50, MSS, OPEN_WINDOW, false);
    finish(&r, &at_sender);
    assert_int_equal(r.limit_ns[LIMIT_UNKNOWN], 300 * MS);
    assert_int_equal(sum_of_limits(&r), 350 * MS);
    replay_free(&r);
}

/* 400 ms of bursts of ten segments every 200 ms: nothing let them go but the program. */
static void test_app_limited(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t burst = 0; burst < 20; burst++) {
        send_segments(&r, 200 * burst, 10 * MSS * burst, 10);
        acknowledge(&r, 200 * burst + 50, 10 * MSS * (burst + 1), OPEN_WINDOW, false);
    }
    finish(&r, &at_sender);
    assert_int_equal(r.now_ns - r.first_ns, 3850 * MS); /* 19 x 200 and the last round trip */
    assert_true(share_pct(&r, LIMIT_APP) > 99.9);
    replay_free(&r);
}

/* Requests of 100 bytes, each sent when the answer to the one before has come: the time is spent
 * waiting for one's turn. */
static void test_turn_limited(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t turn = 0; turn < 50; turn++) {
        send_kind(&r, 60 * turn, 100 * turn, 100, DEPARTURE_NEW);
        acknowledge(&r, 60 * turn + 60, 100 * (turn + 1), OPEN_WINDOW, true);
    }
    finish(&r, &at_sender);
    /* all but the wait for the last answer, after which nothing was sent */
    assert_true(share_pct(&r, LIMIT_TURN) > 97.9);
    replay_free(&r);
}

/* The look-alike: the ACK comes after 50 ms, the answer 40 ms later still (the peer thinks); idle
 * time before the answer is a turn's as well. */
static void test_turn_with_early_ack(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t turn = 0; turn < 50; turn++) {
        send_kind(&r, 90 * turn, 100 * turn, 100, DEPARTURE_NEW);
        acknowledge(&r, 90 * turn + 50, 100 * (turn + 1), OPEN_WINDOW, false);
        acknowledge(&r, 90 * turn + 90, 100 * (turn + 1), OPEN_WINDOW, true);
    }
    finish(&r, &at_sender);
    assert_true(share_pct(&r, LIMIT_TURN) > 97.0);
    assert_true(share_pct(&r, LIMIT_TURN) + share_pct(&r, LIMIT_APP) > 99.9);
    replay_free(&r);
}

/* Ten segments, nothing for 300 ms, then the first again by the timer: 300 ms of RTO.  Its
 * followers until all is acknowledged at 400 ms are recovery; after it things are as before. */
static void test_timeout(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    send_kind(&r, 300, 0, MSS, DEPARTURE_TIMEOUT);
    assert_int_equal(r.limit_ns[LIMIT_RTO], 300 * MS);
    assert_true(r.slow_start);
    assert_true(r.after_timeout);
    acknowledge(&r, 350, MSS, OPEN_WINDOW, false);
    send_kind(&r, 350, MSS, MSS, DEPARTURE_TIMEOUT_RESEND);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 50 * MS);
    acknowledge(&r, 400, 10 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 400, 10 * MSS, 4);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 100 * MS);
    assert_int_equal(r.recover, 0);
    assert_false(r.after_timeout);
    acknowledge(&r, 450, 14 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 450, 14 * MSS, 4);
    assert_int_equal(r.limit_ns[LIMIT_RTO], 300 * MS);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 100 * MS);
    assert_int_equal(r.limit_ns[LIMIT_SLOW_START], 50 * MS);
    assert_int_equal(r.longest_silence_ns, 300 * MS);
    assert_int_equal(r.longest_silence_frame, 301);
    assert_int_equal(r.worst[LIMIT_RTO].duration_ns, 300 * MS);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* The timer owns its silence whatever the window; a tail loss probe (RFC 8985) as well. */
static void test_timeout_against_the_window(void **state)
{
    static const enum departure_kind kinds[] = {DEPARTURE_TIMEOUT, DEPARTURE_TAIL_PROBE};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct replay r;
        begin(&r, 10 * MSS);
        send_segments(&r, 0, 0, 10);
        send_kind(&r, 300, 9 * MSS, MSS, kinds[i]);
        assert_int_equal(r.limit_ns[LIMIT_RTO], 300 * MS);
        assert_int_equal(r.limit_ns[LIMIT_RWND], 0);
        finish(&r, &at_sender);
        replay_free(&r);
    }
}

/* A fast retransmission at 60 ms; recovery lasts until what was out then is acknowledged
 * (RFC 6582), at 120 ms; slow start is over. */
static void test_recovery(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 20);
    acknowledge(&r, 50, MSS, OPEN_WINDOW, false);
    send_segments(&r, 50, 20 * MSS, 2);
    assert_int_equal(r.limit_ns[LIMIT_SLOW_START], 50 * MS);
    send_kind(&r, 60, MSS, MSS, DEPARTURE_RESEND);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 10 * MS);
    assert_true(r.recover == BASE + 22 * MSS);
    acknowledge(&r, 110, 15 * MSS, OPEN_WINDOW, false); /* partial: still in recovery */
    send_kind(&r, 110, 15 * MSS, MSS, DEPARTURE_RESEND);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 60 * MS);
    acknowledge(&r, 120, 22 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 120, 22 * MSS, 5);
    assert_int_equal(r.limit_ns[LIMIT_RECOVERY], 70 * MS);
    assert_int_equal(r.recover, 0);
    assert_false(r.slow_start);
    acknowledge(&r, 170, 27 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 170, 27 * MSS, 5);
    assert_int_equal(r.limit_ns[LIMIT_CWND], 50 * MS);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* The window closes with the ACK at 50 ms and opens at 550 ms: 500 ms, probes in between change
 * nothing; the first 50 ms were the window's too (ten segments filled it). */
static void test_zero_window(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, 10 * MSS);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 10 * MSS, 0, false);
    send_kind(&r, 300, 10 * MSS - 1, 1, DEPARTURE_PROBE);
    acknowledge(&r, 350, 10 * MSS, 0, false);
    acknowledge(&r, 550, 10 * MSS, 10 * MSS, false);
    send_segments(&r, 550, 10 * MSS, 10);
    assert_int_equal(r.limit_ns[LIMIT_ZERO_WINDOW], 500 * MS);
    assert_int_equal(r.limit_ns[LIMIT_RWND], 50 * MS);
    assert_int_equal(r.window_full_ns, 550 * MS);
    assert_int_equal(r.limit_ns[LIMIT_APP], 0);
    acknowledge(&r, 600, 20 * MSS, 10 * MSS, false);
    finish(&r, &at_sender);
    /* the stretch takes in the 50 ms before it: most of that gap was the zero window's */
    assert_int_equal(r.worst[LIMIT_ZERO_WINDOW].duration_ns, 550 * MS);
    replay_free(&r);
}

/* RFC 5681 section 4.1: idle for 950 ms, more than the RTO of 250 ms: slow start again.  Idle for
 * 150 ms is none. */
static void test_idle_restart(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 10 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 200, 10 * MSS, 10);
    assert_int_equal(r.idle_restarts, 0);
    r.slow_start = false;
    acknowledge(&r, 250, 20 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 1200, 20 * MSS, 10);
    assert_int_equal(r.idle_restarts, 1);
    assert_true(r.slow_start);
    assert_int_equal(r.limit_ns[LIMIT_APP], 1200 * MS);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* Initial window (RFC 6928): what left before the first acknowledgment came. */
static void test_initial_window(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 2 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 50, 10 * MSS, 4);
    assert_int_equal(r.initial_window, 10 * MSS);
    assert_int_equal(r.flight_max, 12 * MSS); /* 14 sent, 2 acknowledged */
    finish(&r, &at_sender);
    assert_int_equal(r.initial_window, 10 * MSS);
    replay_free(&r);
}

/* An acknowledgment that was overtaken has an older window: the edge stays where it is
 * (RFC 9293 section 3.10.7.4). */
static void test_old_acknowledgment(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, 20 * MSS);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 4 * MSS, 20 * MSS, false);
    acknowledge(&r, 51, 2 * MSS, 0, false);
    send_segments(&r, 52, 10 * MSS, 1);
    assert_true(r.edge == BASE + 24 * MSS);
    assert_true(r.una == BASE + 4 * MSS);
    assert_false(r.zero_window);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* Clocks step back by an hour: no time is taken back, none is negative. */
static void test_time_never_backwards(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 10);
    acknowledge(&r, 50, 10 * MSS, OPEN_WINDOW, false);
    send_segments(&r, 60, 10 * MSS, 1);
    send_segments(&r, -3600000, 11 * MSS, 1);
    assert_true(r.now_ns == EPOCH_NS + 60 * MS);
    acknowledge(&r, -3600000, 12 * MSS, OPEN_WINDOW, false);
    finish(&r, &at_sender);
    assert_true(r.now_ns == EPOCH_NS + 60 * MS);
    replay_free(&r);
}

/* More acknowledgments than are kept between tap and sender (near leg 10 s): the oldest are acted
 * upon, memory stays bounded. */
static void test_events_are_bounded(void **state)
{
    const struct replay_path far = {.near_ns = 10 * SECOND, .min_rtt_ns = 11 * SECOND,
                                    .rto_ns = 12 * SECOND};
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    send_segments(&r, 0, 0, 100);
    for (uint32_t i = 1; i <= 3 * REPLAY_EVENTS_MAX; i++) {
        struct ack_event event = {.time_ns = EPOCH_NS + i * US, .ack = BASE + i,
                                  .edge = BASE + i + OPEN_WINDOW};
        replay_ack(&r, &event, &far);
        assert_true(r.count <= REPLAY_EVENTS_MAX && r.capacity <= REPLAY_EVENTS_MAX);
        if (i % 1000 == 0)
            check_sum(&r);
    }
    assert_true(r.una == BASE + 2 * REPLAY_EVENTS_MAX);
    finish(&r, &far);
    assert_true(r.una == BASE + 3 * REPLAY_EVENTS_MAX);
    replay_free(&r);
}

/* A sample of the near leg: from the event whose TSval is echoed to now; none when it is gone or
 * not there yet. */
static void test_near_sample(void **state)
{
    struct replay r;

    (void)state;
    begin(&r, OPEN_WINDOW);
    for (uint32_t i = 0; i < 5; i++) {
        struct ack_event event = {.time_ns = EPOCH_NS + i * 10 * MS, .ack = BASE + i,
                                  .ts_val = 0xfffffffe + i, .has_ts = true};
        replay_ack(&r, &event, &at_sender);
    }
    assert_int_equal(replay_near_sample_ns(&r, 0, EPOCH_NS + 70 * MS), 50 * MS); /* wrapped */
    assert_int_equal(replay_near_sample_ns(&r, 0xfffffffe, EPOCH_NS + 70 * MS), 70 * MS);
    assert_true(replay_near_sample_ns(&r, 3, EPOCH_NS) == NS_UNKNOWN);
    assert_true(replay_near_sample_ns(&r, 0xfffffffd, EPOCH_NS) == NS_UNKNOWN);
    finish(&r, &at_sender);
    replay_free(&r);
}

/* ---- a simulated transfer, seen at a tap ---- */

struct course {
    uint64_t window;     /* of the receiver, constant */
    uint64_t cwnd;       /* initial */
    uint64_t ssthresh;
    uint64_t bytes;
    uint64_t burst;      /* the program writes this much ... */
    int64_t pause_ns;    /* ... then rests; 0 = writes all at once */
};

struct tap {
    double place;        /* 0 = at the sender, 1 = at the receiver */
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
    /* with timestamps a departure is known to its tick, as analysis/ts_clock.h gives it */
    int64_t sent_ns = now_ns / MS * MS + MS / 2 + leg_ns(s);
    if (!s->tap.timestamps || sent_ns > tap_ns)
        sent_ns = tap_ns;
    uint64_t left = s->nxt;

    s->nxt += MSS;
    s->events[s->count] = (struct passing){
        .time_ns = tap_ns,
        .order = s->count,
        .data = {.tap_ns = tap_ns, .sent_ns = sent_ns, .left = left, .right = s->nxt, .frame = s->count, .smss = MSS, .full = true,
                 .ts_ecr = s->ts_recent, .has_echo = s->tap.timestamps}};
    s->count++;
    if ((s->nxt - BASE) / MSS % 2 != 0 && s->nxt - BASE < s->course->bytes)
        return; /* one ACK for two segments */
    struct ack_event ack = {.time_ns = arrival_ns + RTT / 2 - leg_ns(s), .ack = s->nxt,
                            .edge = s->nxt + s->course->window, .has_ts = s->tap.timestamps,
                            .ts_val = ts_val_at(arrival_ns)};
    s->events[s->count] = (struct passing){.time_ns = ack.time_ns, .order = s->count,
                                           .is_ack = true, .ack = ack};
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
    return course->pause_ns == 0
               ? course->bytes
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
    const struct replay_path path = {.near_ns = 2 * leg_ns(&s), .min_rtt_ns = RTT,
                                     .tick_ns = tap.timestamps ? MS : 0, .rto_ns = 250 * MS};
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

static const struct tap taps[] = {{0, false}, {0, true}, {0.5, false},
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
    const struct course course = {.window = 100000000, .cwnd = 10 * MSS, .ssthresh = 160 * MSS,
                                  .bytes = 15000 * MSS};
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
    const struct course course = {.window = 1000000, .cwnd = 1000000, .bytes = 20 * 50 * MSS,
                                  .burst = 20 * MSS, .pause_ns = 200 * MS};
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
        struct ack_event event = {.time_ns = *time_ns, .ack = offset,
                                  .edge = random_below(seed, 5) == 0 ? 0 : offset + window,
                                  .ts_val = tick, .has_ts = ts, .zero_window = window == 0,
                                  .carries_data = random_below(seed, 4) == 0};
        replay_ack(r, &event, path);
        return;
    }
    struct departure d = {.tap_ns = *time_ns,
                          .sent_ns = *time_ns - (int64_t)random_below(seed, 20) * MS,
                          .left = offset, .right = offset + 1 + random_below(seed, 3000),
                          .smss = random_below(seed, 10) == 0 ? 0 : MSS,
                          .frame = random_below(seed, 1000), .full = random_below(seed, 2) != 0,
                          .ts_ecr = tick, .has_echo = ts,
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
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_earlier_time),
        cmocka_unit_test(test_app_limited),
        cmocka_unit_test(test_turn_limited),
        cmocka_unit_test(test_turn_with_early_ack),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_timeout_against_the_window),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_zero_window),
        cmocka_unit_test(test_idle_restart),
        cmocka_unit_test(test_initial_window),
        cmocka_unit_test(test_old_acknowledgment),
        cmocka_unit_test(test_time_never_backwards),
        cmocka_unit_test(test_events_are_bounded),
        cmocka_unit_test(test_near_sample),
        cmocka_unit_test(test_window_limited),
        cmocka_unit_test(test_slow_start_then_cwnd),
        cmocka_unit_test(test_app_limited_at_every_tap),
        cmocka_unit_test(test_random_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
