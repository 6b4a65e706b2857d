/* Why bytes pass that are not new: each label beside the case that looks like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/rexmit.h"

#define MS ((int64_t)1000000)
#define SECOND ((int64_t)1000000000)
#define NOW (100 * SECOND)
#define MSS 1448u

/* A sender with SRTT 50 ms, RTTVAR 5 ms, SACK, ten segments out from offset 100,000, seen at its
 * own end; it last sent and heard when 10 ms ago. */
struct scene {
    struct rexmit rx;
    struct rexmit_facts facts;
};

static struct scene scene_new(void)
{
    struct scene s = {
        .rx = {.trigger_ns = NS_UNKNOWN,
               .last_sent_ns = NOW - 10 * MS,
               .last_ack_ns = NOW - 10 * MS},
        .facts = {.now_ns = NOW,
                  .near_ns = 0,
                  .min_rtt_ns = 45 * MS,
                  .srtt_ns = 50 * MS,
                  .rttvar_ns = 5 * MS,
                  .snd_una = 100000,
                  .snd_nxt = 100000 + 10 * MSS,
                  .smss = MSS,
                  .sack_permitted = true},
    };

    return s;
}

/* Segment i of those that are out. */
static enum rexmit_trigger trigger_of(const struct scene *s, uint32_t i)
{
    uint64_t left = 100000 + (uint64_t)i * MSS;

    return rexmit_trigger_of(&s->rx, &s->facts, left, left + MSS);
}

static void silent_for(struct scene *s, int64_t silence_ns)
{
    s->rx.last_sent_ns = s->rx.last_ack_ns = NOW - silence_ns;
}

/* RFC 6298: SRTT + max(G, 4 RTTVAR) with the 200 ms floor of stacks in use on the second term; 1 s
 * (section 2.1) while nothing has been measured. */
static void test_rto(void **state)
{
    struct scene s = scene_new();

    (void)state;
    assert_int_equal(rexmit_rto_ns(&s.facts), 250 * MS);
    s.facts.rttvar_ns = 80 * MS;
    assert_int_equal(rexmit_rto_ns(&s.facts), 370 * MS);
    s.facts.srtt_ns = s.facts.rttvar_ns = NS_UNKNOWN;
    assert_int_equal(rexmit_rto_ns(&s.facts), 245 * MS);
    s.facts.min_rtt_ns = NS_UNKNOWN;
    assert_int_equal(rexmit_rto_ns(&s.facts), SECOND);
}

/* The timer restarts with what is sent and with acknowledgments (RFC 6298 rules 5.1, 5.3); the
 * latter reach the sender a leg after the tap. */
static void test_silence(void **state)
{
    struct scene s = scene_new();

    (void)state;
    s.rx.last_sent_ns = NOW - 300 * MS;
    s.rx.last_ack_ns = NOW - 400 * MS;
    assert_int_equal(rexmit_silence_ns(&s.rx, &s.facts), 300 * MS);
    s.facts.near_ns = 150 * MS;
    assert_int_equal(rexmit_silence_ns(&s.rx, &s.facts), 250 * MS);
}

/* Nothing for 250 ms, then the first segment again: the timer, with or without SACK. */
static void test_timeout(void **state)
{
    struct scene s = scene_new();

    (void)state;
    silent_for(&s, 250 * MS);
    assert_int_equal(trigger_of(&s, 0), REXMIT_RTO);
    s.facts.sack_permitted = false;
    assert_int_equal(trigger_of(&s, 0), REXMIT_RTO);
    /* the highest segment as well, where there is no tail loss probe */
    assert_int_equal(trigger_of(&s, 9), REXMIT_RTO);
}

/* Its look-alikes: 150 ms are below every timer; on a path of 400 ms 250 ms are no time-out; with
 * duplicate ACKs after the silence a segment above snd_una is SACK recovery. */
static void test_no_timeout(void **state)
{
    struct scene s = scene_new();

    (void)state;
    silent_for(&s, 150 * MS);
    assert_int_equal(trigger_of(&s, 0), REXMIT_UNKNOWN);
    s = scene_new();
    silent_for(&s, 250 * MS);
    s.facts.srtt_ns = 400 * MS;
    assert_int_equal(trigger_of(&s, 0), REXMIT_UNKNOWN);
    s = scene_new();
    silent_for(&s, 250 * MS);
    s.rx.trigger_ns = NOW - 250 * MS;
    assert_int_equal(trigger_of(&s, 3), REXMIT_FAST);
}

/* Seen at the receiver, near leg 300 ms: the last ACK passed 350 ms ago and reached the sender
 * 50 ms before this departure was seen: no silence, no time-out. */
static void test_no_timeout_far_from_the_sender(void **state)
{
    struct scene s = scene_new();

    (void)state;
    silent_for(&s, 350 * MS);
    s.facts.near_ns = 300 * MS;
    s.facts.srtt_ns = 310 * MS;
    assert_int_equal(rexmit_silence_ns(&s.rx, &s.facts), 50 * MS);
    assert_int_equal(trigger_of(&s, 0), REXMIT_UNKNOWN);
}

/* RFC 8985 section 7.2: the highest segment after 2 SRTT = 100 ms; with nothing else out the
 * receiver may delay its ACK, so 300 ms, bounded by the RTO of 250 ms. */
static void test_tail_probe(void **state)
{
    struct scene s = scene_new();

    (void)state;
    silent_for(&s, 101 * MS);
    assert_int_equal(trigger_of(&s, 9), REXMIT_TAIL_PROBE);
    silent_for(&s, 250 * MS);
    s.facts.snd_nxt = s.facts.snd_una + MSS;
    assert_int_equal(trigger_of(&s, 0), REXMIT_TAIL_PROBE);
}

/* Its look-alikes: not the highest, without SACK, too soon, too late, in recovery, or after three
 * duplicate ACKs. */
static void test_no_tail_probe(void **state)
{
    struct scene s = scene_new();

    (void)state;
    silent_for(&s, 101 * MS);
    assert_int_equal(trigger_of(&s, 8), REXMIT_UNKNOWN);
    s.facts.sack_permitted = false;
    assert_int_equal(trigger_of(&s, 9), REXMIT_UNKNOWN);
    s = scene_new();
    silent_for(&s, 50 * MS);
    assert_int_equal(trigger_of(&s, 9), REXMIT_UNKNOWN);
    silent_for(&s, 300 * MS);
    assert_int_equal(trigger_of(&s, 9), REXMIT_RTO);
    s = scene_new();
    silent_for(&s, 101 * MS);
    s.rx.recover = s.facts.snd_nxt;
    assert_int_equal(trigger_of(&s, 9), REXMIT_FAST);
    s.rx.recover = 0;
    s.rx.trigger_ns = NOW - 20 * MS;
    assert_int_equal(trigger_of(&s, 9), REXMIT_FAST);
}

/* RFC 5681 section 3.2: the third duplicate ACK. */
static void test_fast(void **state)
{
    struct scene s = scene_new();

    (void)state;
    assert_int_equal(trigger_of(&s, 0), REXMIT_UNKNOWN);
    rexmit_triggered(&s.rx, s.facts.snd_una, NOW - 5 * MS);
    assert_int_equal(s.rx.trigger_ns, NOW - 5 * MS);
    assert_int_equal(trigger_of(&s, 0), REXMIT_FAST);
}

/* One duplicate ACK or SACK block above it is enough for RACK (RFC 8985) and early retransmit
 * (RFC 5827); a SACK block below is not about this segment. */
static void test_fast_by_one_signal(void **state)
{
    struct scene s = scene_new();

    (void)state;
    s.rx.dup_acks = 1;
    assert_int_equal(trigger_of(&s, 0), REXMIT_FAST);
    s.rx.dup_acks = 0;
    s.rx.high_sacked = 100000 + 3 * MSS;
    assert_int_equal(trigger_of(&s, 2), REXMIT_FAST);
    assert_int_equal(trigger_of(&s, 3), REXMIT_UNKNOWN);
}

/* Seen at the receiver, the late original ends the duplicate ACKs before the resend passes: the
 * signal of two round trips ago at most still explains it, for its own segment only. */
static void test_fast_by_an_older_signal(void **state)
{
    struct scene s = scene_new();

    (void)state;
    s.facts.near_ns = 60 * MS;
    rexmit_triggered(&s.rx, 100000, NOW - 120 * MS);
    s.rx.trigger_ns = NS_UNKNOWN; /* an acknowledgment ended the episode */
    assert_int_equal(trigger_of(&s, 0), REXMIT_FAST);
    assert_int_equal(trigger_of(&s, 1), REXMIT_UNKNOWN);
    s.facts.now_ns = NOW + 80 * MS; /* 200 ms later: more than 190 ms, no longer */
    s.rx.last_sent_ns = s.facts.now_ns;
    assert_int_equal(trigger_of(&s, 0), REXMIT_UNKNOWN);
}

/* Of many signals the last SIGNALS_REMEMBERED are known. */
static void test_signals_are_bounded(void **state)
{
    struct scene s = scene_new();

    (void)state;
    for (uint32_t i = 0; i < 10 * SIGNALS_REMEMBERED; i++) {
        s.rx.trigger_ns = NS_UNKNOWN;
        rexmit_triggered(&s.rx, 100000 + (uint64_t)i * MSS, NOW);
    }
    s.rx.trigger_ns = NS_UNKNOWN;
    assert_int_equal(trigger_of(&s, 10 * SIGNALS_REMEMBERED - 1), REXMIT_FAST);
    assert_int_equal(trigger_of(&s, 9 * SIGNALS_REMEMBERED), REXMIT_FAST);
    assert_int_equal(trigger_of(&s, 9 * SIGNALS_REMEMBERED - 1), REXMIT_UNKNOWN);
}

/* A first trigger stands until the episode ends: later duplicates do not move it. */
static void test_trigger_is_the_first(void **state)
{
    struct scene s = scene_new();

    (void)state;
    rexmit_triggered(&s.rx, 100000, NOW - 5 * MS);
    rexmit_triggered(&s.rx, 100000, NOW);
    assert_int_equal(s.rx.trigger_ns, NOW - 5 * MS);
    assert_int_equal(s.rx.signal_count, 1);
}

/* Within an episode every resend has its trigger, until `recover` is acknowledged (RFC 6582). */
static void test_episode(void **state)
{
    struct scene s = scene_new();

    (void)state;
    s.rx.recover = s.facts.snd_nxt;
    assert_int_equal(trigger_of(&s, 4), REXMIT_FAST);
    s.rx.timeout_episode = true;
    assert_int_equal(trigger_of(&s, 4), REXMIT_RTO);
    s.facts.snd_una = s.rx.recover;
    s.facts.snd_nxt += 5 * MSS;
    assert_int_equal(trigger_of(&s, 11), REXMIT_UNKNOWN);
}

/* A hole whose successor (TSval 5000, IP ID 100) passed lag_ns ago, filled by a segment. */
static enum fill_verdict judge(const struct scene *s, const struct ip_ids *ids, int64_t lag_ns,
                               uint32_t ts_val, uint16_t ip_id)
{
    struct hole hole = {.left = 100000,
                        .right = 100000 + MSS,
                        .time_ns = NOW - lag_ns,
                        .successor_ts_val = 5000,
                        .successor_ip_id = 100};
    struct segment seg = {.ip_version = 4, .ip_id = ip_id};

    if (ts_val != 0) {
        seg.opt.present = TCP_OPT_TIMESTAMPS;
        seg.opt.ts_val = ts_val;
    }
    return rexmit_judge_fill(&s->rx, ids, &s->facts, &hole, &seg);
}

static struct ip_ids ids_per_flow(void)
{
    struct ip_ids ids = {0};

    for (uint16_t id = 80; id <= 100; id++)
        ip_ids_add(&ids, id, 1, false);
    return ids;
}

/* TSval is the sender's clock (RFC 7323): later than the successor's = sent again; earlier = late
 * on the way.  The lag does not matter. */
static void test_fill_by_timestamp(void **state)
{
    struct scene s = scene_new();
    struct ip_ids none = {0};

    (void)state;
    assert_int_equal(judge(&s, &none, 60 * MS, 5050, 0), FILL_RESEND);
    assert_int_equal(judge(&s, &none, 1 * MS, 5001, 0), FILL_RESEND);
    assert_int_equal(judge(&s, &none, 60 * MS, 4999, 0), FILL_REORDERED);
}

/* The same over the wrap of the clock. */
static void test_fill_by_timestamp_wrapped(void **state)
{
    struct scene s = scene_new();
    struct ip_ids none = {0};
    struct hole hole = {.time_ns = NOW - MS, .successor_ts_val = 0xfffffffa};
    struct segment seg = {.ip_version = 6, .opt = {.present = TCP_OPT_TIMESTAMPS, .ts_val = 5}};

    (void)state;
    assert_int_equal(rexmit_judge_fill(&s.rx, &none, &s.facts, &hole, &seg), FILL_RESEND);
}

/* Without timestamps, or within one tick, the IP ID of a counting host says the same. */
static void test_fill_by_ip_id(void **state)
{
    struct scene s = scene_new();
    struct ip_ids ids = ids_per_flow();

    (void)state;
    assert_int_equal(judge(&s, &ids, 1 * MS, 0, 115), FILL_RESEND);
    assert_int_equal(judge(&s, &ids, 60 * MS, 0, 99), FILL_REORDERED);
    assert_int_equal(judge(&s, &ids, 1 * MS, 5000, 115), FILL_RESEND);
    assert_int_equal(judge(&s, &ids, 60 * MS, 5000, 99), FILL_REORDERED);
}

/* Evidence that disagrees is none. */
static void test_fill_conflict(void **state)
{
    struct scene s = scene_new();
    struct ip_ids ids = ids_per_flow();

    (void)state;
    assert_int_equal(judge(&s, &ids, 60 * MS, 5050, 99), FILL_UNKNOWN);
    assert_int_equal(judge(&s, &ids, 60 * MS, 4990, 115), FILL_UNKNOWN);
}

/* Nothing but time: sooner than one round trip (45 ms, less 5 % of tolerance) no resend can come;
 * later it may have, if there was anything to cause it. */
static void test_fill_by_physics(void **state)
{
    struct scene s = scene_new();
    struct ip_ids none = {0};

    (void)state;
    assert_int_equal(judge(&s, &none, 42 * MS, 0, 0), FILL_REORDERED);
    assert_int_equal(judge(&s, &none, 43 * MS, 0, 0), FILL_UNKNOWN);
    s.rx.dup_acks = 3;
    assert_int_equal(judge(&s, &none, 42 * MS, 0, 0), FILL_REORDERED);
    assert_int_equal(judge(&s, &none, 43 * MS, 0, 0), FILL_RESEND);
    s.rx.dup_acks = 0;
    silent_for(&s, 250 * MS);
    assert_int_equal(judge(&s, &none, 250 * MS, 0, 0), FILL_RESEND);
    s.facts.min_rtt_ns = NS_UNKNOWN;
    assert_int_equal(judge(&s, &none, 1 * MS, 0, 0), FILL_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rto),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_no_timeout),
        cmocka_unit_test(test_no_timeout_far_from_the_sender),
        cmocka_unit_test(test_tail_probe),
        cmocka_unit_test(test_no_tail_probe),
        cmocka_unit_test(test_fast),
        cmocka_unit_test(test_fast_by_one_signal),
        cmocka_unit_test(test_fast_by_an_older_signal),
        cmocka_unit_test(test_signals_are_bounded),
        cmocka_unit_test(test_trigger_is_the_first),
        cmocka_unit_test(test_episode),
        cmocka_unit_test(test_fill_by_timestamp),
        cmocka_unit_test(test_fill_by_timestamp_wrapped),
        cmocka_unit_test(test_fill_by_ip_id),
        cmocka_unit_test(test_fill_conflict),
        cmocka_unit_test(test_fill_by_physics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
