/* The congestion window followed through a replay at the sender's own tap: RTT 50 ms.  A small
 * sender of known law is simulated; what it had is what must be found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/replay/cwnd_rows.h"
#include "analysis/replay/cwnd_track.h"
#include "tests/replay_steps.h"

/* A sender that has unlimited data, with one acknowledgment for each segment. */
struct sender {
    struct replay r;
    int64_t ms;
    uint64_t sent, acked; /* bytes */
    const struct replay_path *path;
};

static struct sender sender_new(void)
{
    struct sender s = {.path = &at_sender};

    begin(&s.r, OPEN_WINDOW * 100ull);
    s.r.cwnd.rows = cwnd_rows_new();
    return s;
}

static void sender_free(struct sender *s)
{
    cwnd_rows_free(s->r.cwnd.rows);
    replay_free(&s->r);
}

/* Send until segments are outstanding. */
static void fill(struct sender *s, uint32_t segments)
{
    while (s->sent - s->acked + MSS <= (uint64_t)segments * MSS) {
        send_along(&s->r, s->ms, s->sent, MSS, DEPARTURE_NEW, s->path);
        s->sent += MSS;
    }
}

/* One round trip: all that is out is acknowledged, segment by segment, while the window goes from
 * one size to another (segments). */
static void round_trip(struct sender *s, uint32_t from, uint32_t to)
{
    uint64_t segments = (s->sent - s->acked) / MSS;

    s->ms += 50;
    for (uint64_t i = 1; i <= segments; i++) {
        s->acked += MSS;
        acknowledge(&s->r, s->ms, s->acked, OPEN_WINDOW, false);
        fill(s, from + (uint32_t)((uint64_t)(to - from) * i / segments));
    }
}

/* Loss of the first segment out: it is sent again, and a round trip later all is acknowledged; the
 * sender goes on with `to` segments. */
static void lose_one(struct sender *s, enum departure_kind kind, uint32_t to)
{
    s->ms += kind == DEPARTURE_TIMEOUT ? 300 : 50;
    send_kind(&s->r, s->ms, s->acked, MSS, kind);
    s->ms += 50;
    s->acked = s->sent;
    acknowledge(&s->r, s->ms, s->acked, OPEN_WINDOW, false);
    fill(s, to);
}

static struct cwnd_facts facts_of(struct sender *s)
{
    struct cwnd_facts facts = cwnd_facts_none();

    replay_finish(&s->r, &at_sender);
    cwnd_fill(&s->r, &facts);
    return facts;
}

/* Slow start to 80, then avoidance: Reno falls from 80 to 40, again and again. */
static void sawtooth(struct sender *s, uint32_t valley, uint32_t falls)
{
    uint32_t window = 10;

    fill(s, window);
    for (; window < 80; window *= 2)
        round_trip(s, window, window * 2);
    lose_one(s, DEPARTURE_RESEND, valley);
    for (uint32_t fall = 0; fall < falls; fall++) {
        for (window = valley; window < 80; window++)
            round_trip(s, window, window + 1);
        lose_one(s, DEPARTURE_RESEND, valley);
    }
    round_trip(s, valley, valley + 1);
}

/* 5 falls after the first slow start's: 4 cycles of 40 round trips and one of recovery. */
static void reno_sawtooth(void **state)
{
    struct sender s = sender_new();

    (void)state;
    sawtooth(&s, 40, 5);
    struct cwnd_facts facts = facts_of(&s);
    const struct oscillation_facts *o = &facts.oscillation;
    assert_true(facts.known && facts.exact);
    assert_int_equal(facts.initial_bytes, 10 * MSS);
    assert_int_equal(facts.max_bytes, 80 * MSS);
    assert_int_equal(facts.ssthresh_bytes, 40 * MSS);
    assert_int_equal(facts.decreases[CWND_FALL_LOSS], 6);
    assert_int_equal(o->cycles, 4);
    assert_int_equal(o->period_ns, (40 + 2) * RTT);
    assert_int_equal(o->peak_bytes, 80 * MSS);
    assert_int_equal(o->valley_bytes, 40 * MSS);
    assert_true(o->beta > 0.49 && o->beta < 0.51);
    assert_true(o->growth_segments > 0.9 && o->growth_segments < 1.1);
    assert_int_equal(facts.family, CWND_RENO);
    sender_free(&s);
}

/* RFC 9438 section 4.6: beta 0.7; three clean falls give a name, two do not. */
static void cubic_by_its_beta(void **state)
{
    struct sender s = sender_new(), two = sender_new();

    (void)state;
    sawtooth(&s, 56, 3);
    assert_int_equal(facts_of(&s).family, CWND_CUBIC);
    sender_free(&s);
    sawtooth(&two, 56, 1);
    assert_int_equal(facts_of(&two).family, CWND_LOSS_BASED);
    sender_free(&two);
}

/* A beta that is neither's stays without a name. */
static void other_betas_have_no_name(void **state)
{
    struct sender s = sender_new();

    (void)state;
    sawtooth(&s, 68, 5);
    assert_int_equal(facts_of(&s).family, CWND_LOSS_BASED);
    sender_free(&s);
}

/* RFC 5681 section 3.1: after a time-out one segment, and slow start to half. */
static void timeout_sets_it_back(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 10);
    round_trip(&s, 10, 20);
    round_trip(&s, 20, 40);
    lose_one(&s, DEPARTURE_TIMEOUT, 2);
    round_trip(&s, 2, 4);
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.decreases[CWND_FALL_TIMEOUT], 1);
    assert_int_equal(facts.decreases[CWND_FALL_LOSS], 0);
    assert_int_equal(facts.min_bytes, MSS);
    assert_int_equal(facts.max_bytes, 40 * MSS);
    assert_true(facts.timeout_frame > 0);
    sender_free(&s);
}

/* 40 segments, a pause of 900 ms: more than three time-outs of 250 ms halve them to below the
 * initial window (Linux), so 10 go out; RFC 5681 section 4.1 says 10 too. */
static void given_idle_restart(struct sender *s)
{
    fill(s, 10);
    round_trip(s, 10, 20);
    round_trip(s, 20, 40);
    s->ms += 50;
    s->acked = s->sent;
    acknowledge(&s->r, s->ms, s->acked, OPEN_WINDOW, false);
    s->ms += 900;
    fill(s, 10);
    round_trip(s, 10, 20);
}

static void idle_restart_is_a_fall(void **state)
{
    struct sender s = sender_new();

    (void)state;
    given_idle_restart(&s);
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.decreases[CWND_FALL_IDLE], 1);
    assert_int_equal(facts.idle_from_bytes, 40 * MSS);
    assert_int_equal(facts.idle_to_bytes, 10 * MSS);
    sender_free(&s);
}

/* In the middle of the path and without timestamps the flight is not seen: the burst after the pause,
 * which waits for its acknowledgment, is the window all the same, and it grows from there. */
static void idle_restart_is_seen_from_afar(void **state)
{
    static const struct replay_path middle = {.near_ns = RTT / 2, .min_rtt_ns = RTT,
                                              .rto_ns = 250 * MS};
    struct sender s = sender_new();

    (void)state;
    s.path = &middle;
    given_idle_restart(&s);
    /* 20, and what a round trip in slow start may add before it is seen */
    assert_in_range((uint64_t)s.r.cwnd.estimate, 20 * MSS, 31 * MSS);
    assert_int_equal(facts_of(&s).decreases[CWND_FALL_IDLE], 1);
    sender_free(&s);
}

/* The same pause, and all 40 go out at once: this sender keeps its window. */
static void pause_without_restart(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 10);
    round_trip(&s, 10, 20);
    round_trip(&s, 20, 40);
    s.ms += 50;
    s.acked = s.sent;
    acknowledge(&s.r, s.ms, s.acked, OPEN_WINDOW, false);
    s.ms += 900;
    fill(&s, 40);
    round_trip(&s, 40, 40);
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.decreases[CWND_FALL_IDLE], 0);
    assert_int_equal(facts.last_bytes, 40 * MSS);
    sender_free(&s);
}

/* RFC 3168 section 6.1.2: the first new data after the cut carries CWR; nothing is sent again. */
static void send_reduced(struct sender *s)
{
    struct departure d = {
        .tap_ns = EPOCH_NS + s->ms * MS,
        .sent_ns = EPOCH_NS + s->ms * MS,
        .left = BASE + s->sent,
        .right = BASE + s->sent + MSS,
        .frame = 5000,
        .smss = MSS,
        .full = true,
        .reduced = true,
        .kind = DEPARTURE_NEW,
    };

    replay_departure(&s->r, &d, &at_sender);
    s->sent += MSS;
}

static void mark_is_a_fall_without_resend(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 10);
    round_trip(&s, 10, 20);
    round_trip(&s, 20, 40);
    s.ms += 50;
    s.acked += MSS;
    acknowledge(&s.r, s.ms, s.acked, OPEN_WINDOW, false);
    send_reduced(&s);
    s.ms += 50;
    s.acked = s.sent;
    acknowledge(&s.r, s.ms, s.acked, OPEN_WINDOW, false);
    fill(&s, 20);
    round_trip(&s, 20, 21);
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.decreases[CWND_FALL_ECN], 1);
    assert_int_equal(facts.decreases[CWND_FALL_LOSS], 0);
    assert_int_equal(facts.ssthresh_bytes, 20 * MSS);
    sender_free(&s);
}

/* One departure for every second acknowledgment: the reduction of a round trip (RFC 6937). */
static void reduce_to(struct sender *s, uint32_t segments)
{
    while (s->sent - s->acked > (uint64_t)segments * MSS) {
        s->acked += 2 * MSS;
        acknowledge(&s->r, s->ms, s->acked, OPEN_WINDOW, false);
        send_segments(&s->r, s->ms, s->sent, 1);
        s->sent += MSS;
    }
}

static void mark_and_reduce_to(struct sender *s, uint32_t segments)
{
    s->ms += 50;
    s->acked += 2 * MSS;
    acknowledge(&s->r, s->ms, s->acked, OPEN_WINDOW, false);
    send_reduced(s);
    reduce_to(s, segments);
}

/* Marks that go on: 80 to 40, and at once 40 to 20, both as Reno does (CUBIC: 56, and 39).  The
 * second fall begins where the first one ended, so that both speak for a law. */
static void marks_go_on(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 40);
    round_trip(&s, 40, 80);
    for (int cycle = 0; cycle < 4; cycle++) {
        mark_and_reduce_to(&s, 40);
        mark_and_reduce_to(&s, 20);
        for (uint32_t i = 20; i < 80; i++)
            round_trip(&s, i, i + 1);
    }
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.decreases[CWND_FALL_ECN], 8);
    assert_int_equal(facts.oscillation.falls, 7); /* all but the one that ends slow start */
    assert_int_equal(facts.oscillation.clean_epochs, 7);
    assert_int_equal(facts.family, CWND_RENO);
    sender_free(&s);
}

/* RFC 3522: the resend was not needed, the window comes back. */
static void undone_fall(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 10);
    round_trip(&s, 10, 20);
    round_trip(&s, 20, 40);
    s.ms += 50;
    send_kind(&s.r, s.ms, s.acked, MSS, DEPARTURE_RESEND);
    s.ms += 10;
    s.acked += 2 * MSS;
    struct ack_event event = {.time_ns = EPOCH_NS + s.ms * MS,
                              .ack = BASE + s.acked,
                              .edge = BASE + s.acked + OPEN_WINDOW,
                              .undoes = true};
    replay_ack(&s.r, &event, &at_sender);
    fill(&s, 40);
    round_trip(&s, 40, 41);
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.decreases[CWND_FALL_LOSS], 1);
    assert_int_equal(facts.undone, 1);
    assert_true(facts.last_bytes >= 40 * MSS);
    sender_free(&s);
}

/* 4 segments every 100 ms: what was in flight is all that can be said, and a window that grows no
 * further than twice that (RFC 7661). */
static void application_limited_is_flat(void **state)
{
    struct sender s = sender_new();

    (void)state;
    for (int i = 0; i < 30; i++) {
        fill(&s, 4);
        s.ms += 50;
        s.acked = s.sent;
        acknowledge(&s.r, s.ms, s.acked, OPEN_WINDOW, false);
        s.ms += 50;
    }
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.max_bytes, 4 * MSS);
    assert_int_equal(facts.initial_bytes, BYTES_UNKNOWN);
    assert_true(s.r.cwnd.high >= 8 * MSS);
    sender_free(&s);
}

/* SACKed segments have left the network: limited transmit (RFC 3042) is no growth. */
static void limited_transmit_is_no_growth(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 10);
    round_trip(&s, 10, 20);
    for (uint64_t dup = 1; dup <= 2; dup++) {
        struct ack_event event = {.time_ns = EPOCH_NS + (s.ms + 49) * MS,
                                  .ack = BASE + s.acked,
                                  .edge = BASE + s.acked + OPEN_WINDOW,
                                  .sacked = dup * MSS};
        replay_ack(&s.r, &event, &at_sender);
        s.ms += 1;
        send_kind(&s.r, s.ms + 50, s.sent, MSS, DEPARTURE_NEW);
        s.sent += MSS;
    }
    assert_int_equal(s.r.cwnd.proven_bytes, 20 * MSS);
    sender_free(&s);
}

/* HyStart, or a remembered threshold, ends slow start without a loss: ssthresh is where it ended. */
static void slow_start_ends_without_loss(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 10);
    round_trip(&s, 10, 20);
    round_trip(&s, 20, 40);
    for (uint32_t window = 40; window < 47; window++)
        round_trip(&s, window, window + 1);
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.ssthresh_bytes, 40 * MSS);
    assert_int_equal(facts.decreases[CWND_FALL_LOSS], 0);
    assert_int_equal(facts.growth_to_bytes, 46 * MSS);
    sender_free(&s);
}

/* A stretch acknowledgment of all that is out, as receivers with merged packets send. */
static void stretch_acks_change_nothing(void **state)
{
    struct sender s = sender_new();

    (void)state;
    fill(&s, 10);
    for (uint32_t window = 20; window <= 80; window *= 2) {
        s.ms += 50;
        s.acked = s.sent;
        acknowledge(&s.r, s.ms, s.acked, OPEN_WINDOW, false);
        fill(&s, window);
    }
    struct cwnd_facts facts = facts_of(&s);
    assert_int_equal(facts.max_bytes, 80 * MSS);
    assert_int_equal(facts.ssthresh_bytes, BYTES_UNKNOWN);
    sender_free(&s);
}

/* The course has at most 512 rows, in order of time, with its estimate between its bounds. */
static void rows_are_bounded(void **state)
{
    struct sender s = sender_new();
    struct cwnd_series series;

    (void)state;
    sawtooth(&s, 40, 30);
    cwnd_rows_get(s.r.cwnd.rows, &series);
    assert_true(series.count > 100 && series.count <= CWND_ROWS_MAX);
    for (uint32_t i = 0; i < series.count; i++) {
        const struct cwnd_row *row = &series.rows[i];
        assert_true(i == 0 || row->t_ns > series.rows[i - 1].t_ns);
        assert_true(row->low_bytes <= row->estimate_bytes &&
                    row->estimate_bytes <= row->high_bytes);
    }
    sender_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reno_sawtooth),
        cmocka_unit_test(cubic_by_its_beta),
        cmocka_unit_test(other_betas_have_no_name),
        cmocka_unit_test(timeout_sets_it_back),
        cmocka_unit_test(idle_restart_is_a_fall), cmocka_unit_test(idle_restart_is_seen_from_afar),
        cmocka_unit_test(pause_without_restart),
        cmocka_unit_test(mark_is_a_fall_without_resend), cmocka_unit_test(marks_go_on),
        cmocka_unit_test(undone_fall),
        cmocka_unit_test(application_limited_is_flat),
        cmocka_unit_test(limited_transmit_is_no_growth),
        cmocka_unit_test(slow_start_ends_without_loss),
        cmocka_unit_test(stretch_acks_change_nothing),
        cmocka_unit_test(rows_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
