/* What loss events say together: full queues, token buckets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/connection/detail.h"

#define MS_NS INT64_C(1000000)

/* Twenty events of a flow at 50 ms: one a second, after these many bytes each. */
static void given_events(struct flow *flow, struct detail *detail, struct loss_log *log,
                         struct loss_event events[20], const uint32_t *bytes, size_t count)
{
    uint64_t left = 1000;

    memset(flow, 0, sizeof *flow);
    memset(detail, 0, sizeof *detail);
    memset(log, 0, sizeof *log);
    loss_facts_clear(&log->facts);
    flow->detail = detail;
    flow->half[C2S].leg_ns = 0;
    flow->half[S2C].leg_ns = 50 * MS_NS;
    detail->side[C2S].loss = log;
    log->events = events;
    log->stride = 1;
    log->count = 20;
    log->facts.events = 20;
    log->facts.segments = 40;
    for (int i = 0; i < 20; i++) {
        events[i] = (struct loss_event){
            .passed_ns = i * 1000 * MS_NS,
            .left = left,
            .recover = left + 50000,
            .rtt_ns = 51 * MS_NS,
            .flight_bytes = i % 2 ? 50000 : 40000,
            .segments = 2,
        };
        left += bytes[(size_t)i % count];
    }
}

/* 500,000 bytes from loss to loss, within 2 %: a bucket of 500 kB/s is empty at each of them. */
static void test_bucket(void **state)
{
    static const uint32_t steady[] = {500000, 510000, 490000}, uneven[] = {900000, 800000, 100000,
                                                                          100000, 600000};
    struct flow flow;
    struct detail detail;
    struct loss_log log;
    struct loss_event events[20];
    struct loss_facts facts;

    (void)state;
    given_events(&flow, &detail, &log, events, steady, 3);
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_in_range(facts.steady_bytes_per_s, 499000, 501000);
    assert_int_equal(facts.bucket_events, 18);
    assert_int_equal(facts.bucket_empty, 18);
    assert_int_equal(facts.without_queue, 20);
    given_events(&flow, &detail, &log, events, uneven, 5);
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_true(facts.bucket_empty * 2 < facts.bucket_events);
}

/* A queue of a quarter of the path: the round trip is 1.24 of the smallest at each loss, and never
 * longer.  The same figures with a delay of twice that elsewhere are not those of a full queue. */
static void test_short_queue(void **state)
{
    static const uint32_t steady[] = {500000};
    struct flow flow;
    struct detail detail;
    struct loss_log log;
    struct loss_event events[20];
    struct loss_facts facts;

    (void)state;
    given_events(&flow, &detail, &log, events, steady, 1);
    for (int i = 0; i < 20; i++)
        events[i].rtt_ns = 62 * MS_NS;
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_int_equal(facts.with_queue, 20);
    detail.side[C2S].loss_rounds.srtt_most_ns = 100 * MS_NS;
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_int_equal(facts.without_queue, 20);
    /* 12 ms at 100 kB/s are 1,200 bytes: less than two segments are no queue */
    detail.side[C2S].loss_rounds.srtt_most_ns = 0;
    detail.side[C2S].replay.smss = 1448;
    detail.side[C2S].loss_rounds.peak_bytes_per_s = 100000;
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_int_equal(facts.without_queue, 20);
    detail.side[C2S].loss_rounds.peak_bytes_per_s = 1000000;
    events[0].slow_start = true; /* its own bursts make a delay of that kind */
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_int_equal(facts.with_queue, 19);
    events[0].slow_start = false;
    for (int i = 0; i < 20; i++)
        events[i].rtt_ns = i < 5 ? NS_UNKNOWN : 76 * MS_NS;
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_int_equal(facts.with_queue, 15);
    assert_int_equal(facts.without_queue, 0);
}

/* Losses of a flight of 50,000 bytes are one event, so gaps begin at its end: 450,000 and 950,000
 * bytes by turns, 700,000 and 0.36 of it.  Flights of 50,000 and 40,000 bytes vary by 0.11. */
static void test_spread(void **state)
{
    static const uint32_t by_turns[] = {500000, 1000000};
    struct flow flow;
    struct detail detail;
    struct loss_log log;
    struct loss_event events[20];
    struct loss_facts facts;

    (void)state;
    given_events(&flow, &detail, &log, events, by_turns, 2);
    events[0].slow_start = true;
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_int_equal(facts.gaps, 18);
    assert_true(facts.gap_variation > 0.355 && facts.gap_variation < 0.36);
    assert_int_equal(facts.fills, 19);
    assert_true(facts.fill_variation > 0.11 && facts.fill_variation < 0.112);
    assert_true(facts.overshoot_part < 0); /* without SACK nobody knows */
    log.count = 0; /* marks or late segments, and no loss */
    log.events = NULL;
    assert_true(loss_summary(&flow, C2S, &facts));
    assert_int_equal(facts.fills, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bucket),
                                       cmocka_unit_test(test_short_queue),
                                       cmocka_unit_test(test_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
