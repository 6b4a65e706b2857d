/* Departure times from a host's timestamp clock, on simulated hosts and paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/ts_clock.h"
#include "tests/random.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)
#define SECOND ((int64_t)1000000000)
#define PATH_NS (5 * MS) /* host to tap, no queue */

/* A host and the way from it to the tap. */
struct host {
    int64_t tick_ns;
    int ppm; /* its clock runs this much too fast */
    uint32_t first_val;
    int64_t queue_max_ns; /* saw tooth of 2 s: empty for a while, then fills */
    int64_t gap_max_ns;   /* between segments, flat from 0 */
};

static uint32_t ts_val_at(const struct host *host, int64_t sent_ns)
{
    int64_t host_ns = sent_ns + sent_ns / 1000000 * host->ppm + 123456;

    return host->first_val + (uint32_t)(host_ns / host->tick_ns);
}

static int64_t queue_ns(const struct host *host, int64_t sent_ns)
{
    int64_t phase_ns = sent_ns % (2 * SECOND);

    if (phase_ns < 500 * MS)
        return 0;
    return (phase_ns - 500 * MS) / 1000 * host->queue_max_ns / (1500 * MS / 1000);
}

struct error_ns {
    int64_t early, late; /* largest, after the first two seconds */
};

/* Runs the clock for seconds; a departure is right when it is the time of sending plus PATH_NS. */
static struct error_ns run(const struct host *host, int seconds, struct ts_clock *clock)
{
    struct error_ns worst = {0, 0};
    uint64_t seed = 11;
    int64_t arrived_ns = 0;

    *clock = (struct ts_clock){0};
    for (int64_t sent_ns = 0; sent_ns < seconds * SECOND;
         sent_ns += 1 + (int64_t)random_below(&seed, (uint64_t)host->gap_max_ns)) {
        uint32_t ts_val = ts_val_at(host, sent_ns);
        int64_t tap_ns = sent_ns + PATH_NS + queue_ns(host, sent_ns);
        tap_ns = tap_ns > arrived_ns ? tap_ns : arrived_ns; /* a path keeps order */
        arrived_ns = tap_ns;
        ts_clock_add(clock, ts_val, tap_ns);
        int64_t departure_ns = ts_clock_departure_ns(clock, ts_val, tap_ns);
        int64_t off_ns = departure_ns - (sent_ns + PATH_NS);
        assert_true(departure_ns <= tap_ns);
        if (sent_ns < 4 * SECOND)
            continue;
        if (off_ns > worst.late)
            worst.late = off_ns;
        if (-off_ns > worst.early)
            worst.early = -off_ns;
    }
    return worst;
}

/* TSval is cut to its tick, so a departure is known to half a tick either way; the offset is the
 * least of up to 20 s, which 100 ppm move by 2 ms when the host's clock is slow (departures come
 * out early), and the queue is empty every 2 s, 0.2 ms when it is fast (late). */
static void test_departures(void **state)
{
    static const struct {
        struct host host;
        int64_t drift_early_ns, drift_late_ns;
    } rows[] = {
        {{1 * MS, 0, 5000, 0, 3 * MS}, 0, 0},
        {{1 * MS, 0, 5000, 80 * MS, 3 * MS}, 0, 0},
        {{1 * MS, -100, 5000, 80 * MS, 3 * MS}, 2 * MS, 0},
        {{1 * MS, 100, 5000, 80 * MS, 3 * MS}, 0, 210 * US},
        {{10 * MS, 0, 5000, 80 * MS, 3 * MS}, 0, 0},
        {{10 * MS, -100, 5000, 80 * MS, 3 * MS}, 2 * MS, 0},
        {{10 * MS, 100, 5000, 80 * MS, 3 * MS}, 0, 210 * US},
        {{4 * MS, 0, 5000, 80 * MS, 3 * MS}, 0, 0},
        {{1 * US, 0, 5000, 80 * MS, 3 * MS}, 0, 0},
        {{1 * US, -100, 5000, 80 * MS, 3 * MS}, 2 * MS, 0},
        {{1 * US, 100, 5000, 80 * MS, 3 * MS}, 0, 210 * US},
        {{1 * MS, 0, 0xffffd8f0, 80 * MS, 3 * MS}, 0, 0}, /* TSval wraps after 10 s */
    };
    /* the smallest offset comes from a segment some way after its tick, 3 ms apart at most */
    int64_t slack_ns = 200 * US;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ts_clock clock;
        struct error_ns worst = run(&rows[i].host, 60, &clock);
        int64_t half_ns = rows[i].host.tick_ns / 2;
        assert_int_equal(clock.tick_ns, rows[i].host.tick_ns);
        if (worst.early > half_ns + rows[i].drift_early_ns + slack_ns ||
            worst.late > half_ns + rows[i].drift_late_ns + slack_ns)
            fail_msg("row %zu: early %lld late %lld ns", i, (long long)worst.early,
                     (long long)worst.late);
    }
}

/* A clock of 1 us is 2^31 ticks away from its start after 36 minutes: an hour, one segment every
 * 50 ms at most, is followed all the way. */
static void test_long_run_of_a_fast_clock(void **state)
{
    const struct host host = {1 * US, 0, 5000, 0, 50 * MS};
    struct ts_clock clock;

    (void)state;
    struct error_ns worst = run(&host, 3600, &clock);
    assert_int_equal(clock.tick_ns, 1 * US);
    assert_in_range(worst.early, 0, 10 * US);
    assert_in_range(worst.late, 0, 10 * US);
}

/* Until 100 ms and 10 ticks have passed nothing is known: the time at the tap is the answer. */
static void test_not_known_at_first(void **state)
{
    struct ts_clock clock = {0};

    (void)state;
    assert_int_equal(ts_clock_departure_ns(&clock, 5, 77), 77);
    for (int64_t i = 0; i < 99; i++) {
        ts_clock_add(&clock, (uint32_t)(1000 + i), SECOND + i * MS);
        assert_int_equal(clock.tick_ns, 0);
        assert_int_equal(ts_clock_departure_ns(&clock, (uint32_t)(1000 + i), SECOND + i * MS),
                         SECOND + i * MS);
    }
    ts_clock_add(&clock, 1100, SECOND + 100 * MS);
    assert_int_equal(clock.tick_ns, 1 * MS);
}

/* Clocks of 100 ms and 500 ms (old Windows, OpenBSD) and one that stands still say nothing of
 * departures. */
static void test_slow_clocks(void **state)
{
    static const int64_t ticks_ns[] = {100 * MS, 500 * MS, INT64_MAX / 2};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct host host = {ticks_ns[i], 0, 5000, 0, 3 * MS};
        struct ts_clock clock;
        run(&host, 30, &clock);
        assert_int_equal(clock.tick_ns, 0);
        assert_int_equal(ts_clock_departure_ns(&clock, 5123, 31 * SECOND), 31 * SECOND);
    }
}

/* A clock of 300 Hz (Linux before 4.13 could be built so) is none of the ticks that are known;
 * taken for 4 ms it would run 20 % off, so it is not used. */
static void test_tick_in_between(void **state)
{
    const struct host host = {3333333, 0, 5000, 0, 3 * MS};
    struct ts_clock clock;

    (void)state;
    run(&host, 30, &clock);
    assert_int_equal(clock.tick_ns, 0);
}

/* Values without order: no answer lies in the future, none overflows. */
static void test_random_values(void **state)
{
    struct ts_clock clock = {0};
    uint64_t seed = 5;

    (void)state;
    for (int64_t t = 0; t < 30 * SECOND; t += 3 * MS) {
        uint32_t ts_val = (uint32_t)random_next(&seed);
        ts_clock_add(&clock, ts_val, t);
        int64_t departure_ns = ts_clock_departure_ns(&clock, ts_val, t);
        assert_true(departure_ns <= t);
    }
}

/* After the SYN the queue fills within 1.2 s to 600 ms and never empties: while it fills ticks look
 * half as long again, and no later segment meets an empty path.  The SYN did. */
static void test_queue_that_stands(void **state)
{
    const struct host host = {.tick_ns = MS, .first_val = 77000};
    struct ts_clock clock = {0};
    int64_t sent_ns = 0, worst_ns = 0;

    (void)state;
    ts_clock_add(&clock, 0, 0); /* a stack that begins with 0: tells nothing of its clock */
    assert_false(clock.started);
    ts_clock_add(&clock, ts_val_at(&host, 0), PATH_NS);
    for (sent_ns = 20 * MS; sent_ns < 30 * SECOND; sent_ns += 3 * MS) {
        const int64_t filled_ns = sent_ns / 2 < 600 * MS ? sent_ns / 2 : 600 * MS;
        const int64_t tap_ns = sent_ns + PATH_NS + filled_ns;
        const uint32_t ts_val = ts_val_at(&host, sent_ns);
        int64_t error_ns;

        ts_clock_add(&clock, ts_val, tap_ns);
        error_ns = ts_clock_departure_ns(&clock, ts_val, tap_ns) - sent_ns - PATH_NS;
        error_ns = error_ns < 0 ? -error_ns : error_ns;
        if (sent_ns > SECOND && error_ns > worst_ns)
            worst_ns = error_ns;
    }
    assert_int_equal(clock.tick_ns, MS);
    /* a tick, and the drift that two clocks may have in 30 s: 200 ppm are 6 ms */
    assert_true(worst_ns <= 7 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_that_stands),
        cmocka_unit_test(test_departures),         cmocka_unit_test(test_long_run_of_a_fast_clock),
        cmocka_unit_test(test_not_known_at_first), cmocka_unit_test(test_slow_clocks),
        cmocka_unit_test(test_tick_in_between),    cmocka_unit_test(test_random_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
