/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Causes 23 and 24: large packets vanish, small ones pass; and what only looks like that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/cause/note_codes.h"
#include "tests/cases.h"
#include "tests/trace.h"

/* 100 bytes arrived; then the same 1460 were sent again six times in 62 s, and nothing more. */
static struct given given_black_hole(void)
{
    struct given g = given_transfer(100, 60, 50);
    struct direction_result *d = given_data(&g);

    g.transfer.expected_bytes = 1000000;
    g.transfer.complete = false;
    d->first_data_ns = 1000 * MS;
    d->last_ack_ns = 1060 * MS;
    d->last_data_ns = 63000 * MS;
    d->loss.tries_most = 6;
    d->loss.tries_bytes = 1460;
    d->loss.tries_frame = 40;
    d->loss.passed_most_bytes = 100;
    d->loss.silence_longest_ns = 32000 * MS;
    return g;
}

static void test_black_hole(void **state)
{
    struct given g = given_black_hole();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "pmtud_black_hole");
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_non_null(strstr(v->text, "1,460 bytes were sent again 6 times"));
    assert_string_equal(v->evidence[0].fact, FACT_SENT_AGAIN);
    assert_string_equal(v->advice[0].change, ADVICE_ALLOW_ICMP);
}

/* Segments of that size arrived before: the path is dead, or lossy, but not too narrow. */
static void test_sizes_equal(void **state)
{
    struct given g = given_black_hole();

    (void)state;
    given_data(&g)->loss.passed_most_bytes = 1460;
    assert_int_not_equal(given_cause(&g), 23);
    g = given_black_hole(); /* nothing at all arrived: a dead path looks the same */
    given_data(&g)->loss.passed_most_bytes = BYTES_UNKNOWN;
    assert_int_not_equal(given_cause(&g), 23);
    given_data(&g)->sack_acks = 4; /* what is smaller arrived beyond the hole */
    assert_int_equal(given_cause(&g), 23);
    g = given_black_hole(); /* lost twice: chance */
    given_data(&g)->loss.tries_most = 2;
    assert_int_not_equal(given_cause(&g), 23);
}

/* It cost a second at the start of a transfer of 20: a fact, not why it was slow. */
static void test_overcome(void **state)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    (void)state;
    given_data(&g)->first_data_ns = 1000 * MS;
    given_data(&g)->last_ack_ns = 21000 * MS;
    given_data(&g)->last_data_ns = 20950 * MS;
    loss->tries_most = 3;
    loss->tries_bytes = 1460;
    loss->passed_most_bytes = 1200;
    loss->cost[LOSS_REPAIRED] = (struct loss_cost){1, 1000 * MS, 0};
    assert_int_not_equal(given_cause(&g), 23);
}

static void test_mtu_mismatch(void **state)
{
    struct given g = given_black_hole();

    (void)state;
    given_data(&g)->loss.too_big_notices = 3;
    given_data(&g)->loss.too_big_frame = 12;
    given_data(&g)->loss.too_big_mtu_bytes = 1400;
    assert_string_equal(given_judge(&g)->cause, "mtu_mismatch");
    assert_non_null(strstr(g.verdict.text, "MTU of 1,400"));
    assert_int_equal(g.verdict.advice[0].value_bytes, 1400);
    g = given_black_hole(); /* jumbo frames, and no router says a word */
    given_data(&g)->loss.tries_bytes = 8960;
    given_data(&g)->loss.passed_most_bytes = 1460;
    assert_string_equal(given_judge(&g)->cause, "mtu_mismatch");
}

/* The facts from packets, at sender and middle: 100 bytes pass, 1448 are lost five times over with
 * silences that double.  At the receiver there is nothing to see. */
static void test_from_packets(void **state)
{
    static const double taps[] = {0, 0.5};
    struct trace_options options = trace_defaults();
    struct flow_result flow;
    struct given g = given_black_hole();

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        options.tap = taps[i];
        struct trace *t = trace_new(&options);
        trace_handshake(t);
        trace_data(t, C2S, 100);
        trace_wait_path(t);
        trace_ack(t, S2C);
        trace_wait_path(t);
        trace_fate(t, FATE_LOST_DOWNSTREAM, 6);
        trace_data(t, C2S, 1448);
        for (int64_t wait = 300, n = 0; n < 5; n++, wait *= 2) {
            trace_wait_ms(t, wait);
            trace_resend(t, C2S, 100, 1448);
        }
        trace_result(t, &flow);
        assert_int_equal(flow.dir[C2S].loss.tries_most, 5);
        assert_int_equal(flow.dir[C2S].loss.tries_bytes, 1448);
        assert_int_equal(flow.dir[C2S].loss.passed_most_bytes, 100);
        /* after 300 ms, twice the round trip and a delayed ACK, the first one is a tail probe */
        assert_int_equal(flow.dir[C2S].retransmissions[REXMIT_TAIL_PROBE], 1);
        assert_int_equal(flow.dir[C2S].loss.timeouts, 4);
        assert_int_equal(flow.dir[C2S].loss.backoffs_most, 4);
        assert_in_range(flow.dir[C2S].loss.silence_longest_ns, 4790 * MS_NS, 4810 * MS_NS);
        causes_judge(&g.transfer, &flow, NULL, &g.verdict);
        assert_string_equal(g.verdict.cause, "pmtud_black_hole");
    }
}

/* Beyond the narrow place: 5 s of silence after the handshake, then nothing above 1,200 bytes and the
 * first window sent again.  A program that begins late is not it, nor is a loss of full segments. */
static void test_beyond_the_hole(void **state)
{
    struct given g = given_random_loss();
    struct direction_result *d = given_data(&g);

    (void)state;
    g.flow.start_ns = 0;
    g.flow.handshake_rtt_ns = 100 * MS;
    d->first_data_ns = 5100 * MS;
    d->pattern.mss_allowed = 1448;
    d->max_payload_bytes = 1200;
    d->lost_upstream_segments = 12;
    d->loss.first.time_ns = 5200 * MS;
    d->rtt.max_ns = 120 * MS;
    d->elapsed_ns = 6000 * MS;
    assert_string_equal(given_judge(&g)->cause, "pmtud_black_hole");
    assert_non_null(strstr(g.verdict.text, "Nothing came for 5"));
    d->max_payload_bytes = 1448;
    assert_int_not_equal(given_cause(&g), 23);
    d->max_payload_bytes = 1200;
    d->lost_upstream_segments = 0;
    assert_int_not_equal(given_cause(&g), 23);
    d->lost_upstream_segments = 12;
    d->first_data_ns = 300 * MS;
    d->loss.first.time_ns = 400 * MS;
    assert_int_not_equal(given_cause(&g), 23);
}

/* The sender gives up on 1,448 bytes and sends 1,024 of them, which arrive: the tries were of the
 * larger one. */
static void test_remedy_is_no_try(void **state)
{
    struct trace_options options = trace_defaults();
    struct flow_result flow;
    struct trace *t = trace_new(&options);

    (void)state;
    trace_handshake(t);
    trace_fate(t, FATE_LOST_DOWNSTREAM, 5);
    trace_data(t, C2S, 1448);
    for (int64_t wait = 300, n = 0; n < 4; n++, wait *= 2) {
        trace_wait_ms(t, wait);
        trace_resend(t, C2S, 0, 1448);
    }
    trace_wait_ms(t, 4800);
    trace_resend(t, C2S, 0, 1024);
    trace_wait_path(t);
    trace_ack(t, S2C);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].loss.tries_most, 4);
    assert_int_equal(flow.dir[C2S].loss.tries_bytes, 1448);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_black_hole),   cmocka_unit_test(test_sizes_equal),
        cmocka_unit_test(test_beyond_the_hole), cmocka_unit_test(test_remedy_is_no_try),
        cmocka_unit_test(test_overcome),     cmocka_unit_test(test_mtu_mismatch),
        cmocka_unit_test(test_from_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
