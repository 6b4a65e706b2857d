/* Causes that the pattern of writes, acknowledgments and connections shows: each with a case that is
 * it, and with look-alikes that are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/facts/pattern.h"
#include "tests/cases.h"

enum { UNKNOWN = 0, SENDER_SLOW = 14, TINYGRAMS = 18, WRITE_REMAINDER = 19, ACK_PATH = 42, STRETCH_ACKS = 43,
       SHARED_BY_STREAMS = 47, SPLIT_TCP = 52 };

static struct pattern_facts *given_pattern(struct given *g)
{
    struct direction_result *d = given_data(g);

    pattern_unknown(&d->pattern);
    d->pattern.known = true;
    d->pattern.mss_allowed = d->smss;
    d->pattern.payload_median_bytes = d->smss;
    d->pattern.segments = d->full_segments;
    return &d->pattern;
}

/* 4 MB in pieces of 200 bytes, each pushed, while data is out. */
static struct given given_tinygrams(void)
{
    struct given g = given_transfer(4000000, 20000, 20);
    struct pattern_facts *p = given_pattern(&g);

    given_share(&g, LIMIT_APP, 90);
    given_data(&g)->data_segments = given_data(&g)->push_segments = 20000;
    p->segments = p->small_segments = p->partial_segments = 20000;
    p->payload_median_bytes = 200;
    p->messages = 20000;
    p->message_bytes = 4000000;
    p->message_size_bytes = 200;
    p->message_to_frame = 77;
    p->bursts = 1000;
    return g;
}

static void tinygrams(void **state)
{
    struct given g = given_tinygrams();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, TINYGRAMS);
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_string_equal(v->headline, "the client's program writes small pieces");
    assert_string_equal(v->text,
                        "Half of the segments carry 200 bytes or less, where 1,460 would fit; "
                        "100 % of them are below half of that, and 100 % are marked as the end of a "
                        "write (PSH). 20,000 segments carried 4,000,000 bytes: 1000 a second. Full "
                        "ones would be 2,740.");
    assert_string_equal(v->advice[0].change, "write_size");
    assert_int_equal(v->advice[0].value_bytes, 23 * 1460); /* 32,768 in whole segments */
    /* as many segments a second, 7.3 times the bytes: 1.46 MB/s */
    assert_true(v->advice[0].predicted_bytes_per_s > 1.45e6 &&
                v->advice[0].predicted_bytes_per_s < 1.47e6);
}

static void tinygrams_have_look_alikes(void **state)
{
    struct given g = given_tinygrams();

    (void)state;
    /* the MSS is small, not the writes (20) */
    g = given_tinygrams();
    given_data(&g)->pattern.mss_allowed = 216;
    given_data(&g)->pattern.small_segments = 0;
    assert_int_not_equal(given_cause(&g), TINYGRAMS);
    /* each piece leaves when nothing is out: a program that has little to say */
    g = given_tinygrams();
    given_data(&g)->pattern.bursts = 15000;
    assert_int_not_equal(given_cause(&g), TINYGRAMS);
    /* questions and answers (28) */
    g = given_tinygrams();
    given_share(&g, LIMIT_APP, -50);
    given_share(&g, LIMIT_TURN, 50);
    assert_int_not_equal(given_cause(&g), TINYGRAMS);
    /* not pushed: cut small on the way, not written so */
    g = given_tinygrams();
    given_data(&g)->push_segments = 100;
    assert_int_not_equal(given_cause(&g), TINYGRAMS);
    /* half of 17,914 is no small segment */
    g = given_tinygrams();
    given_data(&g)->pattern.mss_allowed = 17914;
    given_data(&g)->pattern.payload_median_bytes = 4096;
    assert_int_not_equal(given_cause(&g), TINYGRAMS);
}

/* 13,078,537 bytes by writes of 4096 = 2 x 1460 + 1176, and 150 silences of 200 ms: 45 s of which
 * 30 are silence. */
static struct given given_remainder(void)
{
    struct given g = given_transfer(13078537, 45000, 1);
    struct pattern_facts *p = given_pattern(&g);

    given_share(&g, LIMIT_APP, 68);
    p->messages = 150;
    p->message_bytes = 13000000;
    p->message_size_bytes = 86016;
    p->write_bytes = 4096;
    p->write_explains_bytes = 12900000;
    p->message_from_frame = 20;
    p->message_to_frame = 79;
    p->lock_step = (struct lock_step_facts){.gaps = 150, .total_ns = 30000 * MS, .gap_p50_ns = 200 * MS,
                                            .gap_p95_ns = 201 * MS, .held = {0, 0, 0, 150},
                                            .held_ns = 30000 * MS,
                                            .after_partial = 150, .worst_ns = 201 * MS,
                                            .worst_start_ns = 5000 * MS, .worst_from_frame = 79,
                                            .worst_to_frame = 81};
    return g;
}

static void write_remainder(void **state)
{
    struct given g = given_remainder();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, WRITE_REMAINDER);
    assert_string_equal(v->headline, "the client's program writes 4,096 bytes at a time, which leaves a "
                                     "small segment to wait for");
    assert_string_equal(v->text,
                        "4,096 bytes are 2 x MSS 1460 + 1176; 99 % of the bytes came so. 150 times "
                        "it then sent nothing until that was acknowledged: 30.0 s of 45.0 s in all. "
                        "150 of these silences last as long as the receiver's delay of "
                        "acknowledgments, 200 ms.");
    assert_true(v->share_pct > 66 && v->share_pct < 67);
    assert_int_equal(v->advice_count, 3);
    assert_int_equal(v->advice[0].value_bytes, 23 * 1460);
    /* what rcp took on the same wire */
    assert_true(v->advice[0].predicted_s > 14.9 && v->advice[0].predicted_s < 15.1);
    assert_string_equal(v->advice[1].change, "nodelay");
    assert_string_equal(v->advice[2].change, "delayed_ack");
    assert_int_equal(v->advice[2].who, ACTOR_SERVER);
    assert_int_equal(v->evidence[2].frame, 81);
}

static void write_remainder_has_look_alikes(void **state)
{
    struct given g = given_remainder();

    (void)state;
    /* the silences follow no small segment: the program is slow (14) */
    given_data(&g)->pattern.lock_step.after_partial = 10;
    assert_int_not_equal(given_cause(&g), WRITE_REMAINDER);
    /* no silence ends with an acknowledgment */
    g = given_remainder();
    given_data(&g)->pattern.lock_step.gaps = 0;
    given_data(&g)->pattern.lock_step.total_ns = 0;
    assert_int_not_equal(given_cause(&g), WRITE_REMAINDER);
    /* the writes are whole segments */
    g = given_remainder();
    given_data(&g)->pattern.write_bytes = 14600;
    assert_int_not_equal(given_cause(&g), WRITE_REMAINDER);
    /* nothing repeats */
    g = given_remainder();
    given_data(&g)->pattern.write_bytes = 0;
    assert_int_not_equal(given_cause(&g), WRITE_REMAINDER);
    /* the silences are few beside the rest */
    g = given_remainder();
    given_data(&g)->pattern.lock_step.total_ns = 9000 * MS;
    assert_int_not_equal(given_cause(&g), WRITE_REMAINDER);
}

/* A window of 64 KB; ACKs stand 150 ms of 200 ms in a queue. */
static struct given given_ack_queue(void)
{
    struct given g = given_transfer(10000000, 40000, 50);
    struct pattern_facts *p = given_pattern(&g);

    given_share(&g, LIMIT_CWND, 95);
    given_data(&g)->rtt.p50_ns = 200 * MS;
    given_data(&g)->rtt.p95_ns = given_data(&g)->rtt.max_ns = 240 * MS;
    given_data(&g)->timestamps = true;
    p->acks = (struct ack_pattern_facts){.acks = 3000, .stretch = 40, .rounds = 190,
                                         .covered_p50_bytes = 2920, .covered_p95_bytes = 9000,
                                         .queue_p50_ns = 146 * MS, .queue_p95_ns = 180 * MS,
                                         .queue_tick_ns = 1 * MS};
    return g;
}

static void ack_path(void **state)
{
    struct given g = given_ack_queue();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, ACK_PATH);
    assert_true(v->share_pct > 69 && v->share_pct < 70); /* 95 % x 146 / 200 */
    assert_string_equal(v->headline, "acknowledgments wait in a queue on their way from the server");
    assert_int_equal(v->advice[0].who, ACTOR_NETWORK);
    /* without the queue the same flight each 54 ms: 250 kB/s x 200 / 54 */
    assert_true(v->advice[0].predicted_bytes_per_s > 920e3 &&
                v->advice[0].predicted_bytes_per_s < 930e3);
}

static void ack_path_has_look_alikes(void **state)
{
    struct given g = given_ack_queue();

    (void)state;
    /* the data stands in the queue (44, 12) */
    given_data(&g)->pattern.acks.queue_p50_ns = 10 * MS;
    assert_int_not_equal(given_cause(&g), ACK_PATH);
    /* a coarse clock cannot tell */
    g = given_ack_queue();
    given_data(&g)->pattern.acks.queue_tick_ns = 100 * MS;
    assert_int_not_equal(given_cause(&g), ACK_PATH);
    /* no timestamps */
    g = given_ack_queue();
    given_data(&g)->pattern.acks.queue_p50_ns = NS_UNKNOWN;
    assert_int_not_equal(given_cause(&g), ACK_PATH);
    /* losses slow it */
    g = given_ack_queue();
    given_share(&g, LIMIT_CWND, -20);
    given_share(&g, LIMIT_RECOVERY, 20);
    assert_int_not_equal(given_cause(&g), ACK_PATH);
    /* the program has nothing to send: a faster round trip would not help */
    g = given_ack_queue();
    given_share(&g, LIMIT_CWND, -80);
    given_share(&g, LIMIT_APP, 80);
    assert_int_not_equal(given_cause(&g), ACK_PATH);
}

/* 100 KB an acknowledgment, 150 KB out, 50 ms. */
static struct given given_stretch(void)
{
    struct given g = given_transfer(60000000, 20000, 50);
    struct pattern_facts *p = given_pattern(&g);

    given_share(&g, LIMIT_CWND, 90);
    given_data(&g)->flight_mean_bytes = 150000;
    p->acks.acks = 600;
    p->acks.stretch = 590;
    p->acks.rounds = 300;
    p->acks.covered_p50_bytes = 100000;
    p->acks.covered_p95_bytes = 120000;
    return g;
}

static void stretch_acks(void **state)
{
    struct given g = given_stretch();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, STRETCH_ACKS);
    assert_string_equal(v->headline, "the server acknowledges many segments at once");
    assert_string_equal(v->text,
                        "An acknowledgment covers 100,000 bytes (68 x MSS 1460 + 720), where one for "
                        "every second segment is usual; 590 of 600 cover more than four segments. The "
                        "sender has 150,000 bytes out, so it goes on in bursts of that size, and a "
                        "window that grows by acknowledgments grows slowly.");
    assert_string_equal(v->advice[0].change, "coalescing");
}

static void stretch_acks_have_look_alikes(void **state)
{
    struct given g = given_stretch();

    (void)state;
    /* what a receiver merges, on a fast path: seen, but not the name */
    given_data(&g)->pattern.acks.covered_p50_bytes = 40000;
    assert_int_equal(given_cause(&g), UNKNOWN);
    /* every second segment */
    g = given_stretch();
    given_data(&g)->pattern.acks.covered_p50_bytes = 2920;
    assert_int_equal(given_cause(&g), UNKNOWN);
    /* ACKs in a queue (42) */
    g = given_ack_queue();
    given_data(&g)->pattern.acks.covered_p50_bytes = 100000;
    assert_int_equal(given_cause(&g), ACK_PATH);
}

/* Four of one pair of hosts fill 100 Mbit/s. */
static struct given given_streams(void)
{
    struct given g = given_transfer(100000000, 34000, 20);

    given_pattern(&g);
    given_share(&g, LIMIT_LINK, 60);
    given_share(&g, LIMIT_RECOVERY, 20);
    g.options.link_bytes_per_s = 12.5e6;
    g.transfer.parallel_streams = 4;
    g.transfer.parallel_bytes_per_s = 11.8e6;
    return g;
}

static void shared_by_streams(void **state)
{
    struct given g = given_streams();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, SHARED_BY_STREAMS);
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_string_equal(v->headline,
                        "the path is shared with 3 more connections between the same two hosts");
    assert_string_equal(v->text, "Together they carry 11.8 MB/s, this one 2.94 MB/s: 25 % of it, where "
                                 "an equal part for each of 4 is 25 %. The sum fills the link of 100 "
                                 "Mbit/s.");
    assert_true(v->advice[0].predicted_bytes_per_s > 11.7e6);
}

static void shared_by_streams_has_look_alikes(void **state)
{
    struct given g = given_streams();

    (void)state;
    /* alone (12) */
    g.transfer.parallel_streams = 1;
    assert_int_not_equal(given_cause(&g), SHARED_BY_STREAMS);
    /* the others carry next to nothing */
    g = given_streams();
    g.transfer.parallel_bytes_per_s = 3e6;
    assert_int_not_equal(given_cause(&g), SHARED_BY_STREAMS);
    /* the path is not full, by the link given and by its queue: each has its own limit */
    g = given_streams();
    given_share(&g, LIMIT_LINK, -50);
    given_share(&g, LIMIT_RWND, 50);
    g.options.link_bytes_per_s = 125e6;
    assert_int_not_equal(given_cause(&g), SHARED_BY_STREAMS);
}

/* The handshake took 600 ms, data is answered in 12 ms by something six hops nearer. */
static struct given given_split(void)
{
    struct given g = given_transfer(20000000, 40000, 600);
    struct direction_result *answers = &g.flow.dir[S2C];

    given_pattern(&g)->data_rtt_min_ns = 12 * MS;
    given_data(&g)->rounds = 3000;
    given_share(&g, LIMIT_RWND, 80);
    given_data(&g)->rwnd_mean_bytes = 30000;
    pattern_unknown(&answers->pattern);
    answers->packets = 9000;
    answers->pattern.ttl_first = 50;
    answers->pattern.ttl_other = 61;
    answers->pattern.ttl_other_segments = 8999;
    answers->pattern.ttl_other_frame = 5;
    return g;
}

static void split_tcp(void **state)
{
    struct given g = given_split();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_int_equal(v->cause_id, SPLIT_TCP);
    assert_string_equal(v->headline, "a box before the server acknowledges for it, and takes no more");
    assert_string_equal(v->text,
                        "The handshake took 600 ms; data is acknowledged after 12.0 ms, before it can "
                        "have been at the server and back. The answers come with TTL 61, the server's "
                        "first packet with 50. What holds the box up lies behind it, and is not in "
                        "this capture.");
    assert_int_equal(v->evidence[0].frame, 2);
    assert_int_equal(v->evidence[1].frame, 5);
}

static void split_tcp_has_look_alikes(void **state)
{
    struct given g = given_split();

    (void)state;
    /* a SYN held up once: by a firewall, a radio that slept, a busy accept */
    g.flow.dir[S2C].pattern.ttl_other_segments = 0;
    g.flow.dir[S2C].pattern.ttl_other = 0;
    assert_int_not_equal(given_cause(&g), SPLIT_TCP);
    /* two ways through the network */
    g = given_split();
    g.flow.dir[S2C].pattern.ttl_other_segments = 4000;
    assert_int_not_equal(given_cause(&g), SPLIT_TCP);
    /* a SYN sent twice */
    g = given_split();
    g.flow.syn_retransmissions = 1;
    assert_int_not_equal(given_cause(&g), SPLIT_TCP);
    /* a router changed, the round trip did not */
    g = given_split();
    given_data(&g)->pattern.data_rtt_min_ns = 590 * MS;
    assert_int_not_equal(given_cause(&g), SPLIT_TCP);
}

/* A flow whose pattern was not collected has none of these. */
static void nothing_without_facts(void **state)
{
    struct given g = given_transfer(4000000, 20000, 20);

    (void)state;
    pattern_unknown(&given_data(&g)->pattern);
    given_share(&g, LIMIT_APP, 95);
    assert_int_equal(given_cause(&g), SENDER_SLOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tinygrams),
        cmocka_unit_test(tinygrams_have_look_alikes),
        cmocka_unit_test(write_remainder),
        cmocka_unit_test(write_remainder_has_look_alikes),
        cmocka_unit_test(ack_path),
        cmocka_unit_test(ack_path_has_look_alikes),
        cmocka_unit_test(stretch_acks),
        cmocka_unit_test(stretch_acks_have_look_alikes),
        cmocka_unit_test(shared_by_streams),
        cmocka_unit_test(shared_by_streams_has_look_alikes),
        cmocka_unit_test(split_tcp),
        cmocka_unit_test(split_tcp_has_look_alikes),
        cmocka_unit_test(nothing_without_facts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
