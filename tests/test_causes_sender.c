/* Causes in the sending host and in the turns of a dialogue, and the link; each against the one it is
 * most easily confused with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/cause/note_codes.h"
#include "tests/cases.h"

static bool has_advice(const struct verdict *v, const char *change)
{
    for (int i = 0; i < v->advice_count; i++)
        if (strcmp(v->advice[i].change, change) == 0)
            return true;
    return false;
}

static const struct bound *find_bound(const struct verdict *v, const char *name)
{
    for (int i = 0; i < v->bound_count; i++)
        if (strcmp(v->bounds[i].name, name) == 0)
            return &v->bounds[i];
    return NULL;
}

static const struct what_if *find_what_if(const struct verdict *v, const char *change)
{
    for (int i = 0; i < v->what_if_count; i++)
        if (strcmp(v->what_ifs[i].change, change) == 0)
            return &v->what_ifs[i];
    return NULL;
}

/* 10,000,000 bytes at 100 ms in 43 s, 233 kB/s: never more than 24,820 bytes (17 x 1460) in flight,
 * 248 kB/s, in a window of 1 MB. */
static struct given given_send_buffer(uint64_t plateau)
{
    struct given g = given_transfer(10000000, (int64_t)(10000000 * 100 / plateau * 107 / 100), 100);
    struct direction_result *d = given_data(&g);

    given_share(&g, LIMIT_SEND_BUFFER, 95);
    d->waits.plateau_bytes = plateau;
    d->waits.plateau_low_bytes = plateau - 1460;
    d->waits.plateau_ns = d->elapsed_ns / 100 * 90;
    d->flight_max_bytes = plateau;
    return g;
}

static void test_send_buffer(void **state)
{
    struct given g = given_send_buffer(24820);
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "send_buffer");
    assert_float_equal(v->share_pct, 95, 0.1);
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_non_null(strstr(v->text, "17 x MSS 1460"));
    assert_non_null(strstr(v->text, "248 kB/s at most"));
    assert_true(has_advice(v, ADVICE_SEND_BUFFER));
    assert_int_equal(v->advice[0].value_bytes, 1 << 20);
    assert_float_equal(find_bound(v, "send_buffer_over_rtt")->bytes_per_s, 248200, 1);
    /* next is the receiver's window: 1,048,576 bytes a round trip */
    assert_string_equal(find_what_if(v, "larger_send_buffer")->next, "window_over_rtt");
    assert_null(find_what_if(v, "larger_window"));
}

/* The look-alike: 2 MB of SSH channel window, given back by the peer's messages.  On another port, or
 * with another size, or without such messages it is a buffer. */
static void test_application_window(void **state)
{
    for (int kind = 0; kind < 4; kind++) {
        struct given g = given_send_buffer(kind == 1 ? 1800000 : 2097152);
        (void)state;
        given_data(&g)->rwnd_max_bytes = given_data(&g)->rwnd_mean_bytes = 8 << 20;
        g.flow.server.port = kind == 2 ? 5001 : 22;
        g.flow.dir[S2C].data_segments = kind == 3 ? 2 : 400;
        assert_string_equal(given_judge(&g)->cause, kind == 0 ? "application_window" : "send_buffer");
    }
}

/* A rate above a full plateau each round trip refutes it. */
static void test_plateau_refuted_by_rate(void **state)
{
    struct given g = given_send_buffer(24820);

    (void)state;
    given_data(&g)->waits.plateau_bytes = 14600;
    assert_string_equal(given_judge(&g)->cause, "unknown");
}

/* 9 of 10 s without data to send. */
static void test_sender_slow(void **state)
{
    struct given g = given_transfer(5000000, 10000, 50);
    const struct verdict *v;

    (void)state;
    given_share(&g, LIMIT_APP, 90);
    given_data(&g)->waits.stalls_seen = 20;
    v = given_judge(&g);
    assert_string_equal(v->cause, "sender_slow");
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_true(has_advice(v, ADVICE_SENDING_PROGRAM));
    assert_float_equal(v->advice[0].predicted_bytes_per_s, 5000000, 1); /* in 1 s */
}

/* Its look-alike where the SYNs are missing: windows that cannot be read may have closed and opened
 * again.  With room at the least scale that the flight proves they have not. */
static void test_sender_slow_with_unread_windows(void **state)
{
    struct given g = given_transfer(5000000, 20000, 50);
    struct direction_result *d = given_data(&g);

    (void)state;
    given_share(&g, LIMIT_APP, 80);
    d->window_scale_source = SCALE_AT_LEAST;
    assert_string_equal(given_judge(&g)->cause, "sender_slow");
    d->rwnd_min_bytes = 1460;
    assert_string_equal(given_judge(&g)->cause, "unknown");
    d->rwnd_min_bytes = 1 << 20;
    d->window_scale_source = SCALE_UNKNOWN;
    assert_string_equal(given_judge(&g)->cause, "unknown");
}

/* The look-alike: a server that sends when asked, and takes its time.  200 turns of 25,000 bytes, 60
 * ms of 100 each until the answer begins. */
static void test_server_think_time(void **state)
{
    struct given g = given_transfer(5000000, 20000, 50);
    struct direction_result *d = given_data(&g);

    (void)state;
    g.transfer.direction = S2C;
    g.transfer.verb = "RETR";
    g.flow.dir[S2C] = *d;
    d = &g.flow.dir[S2C];
    given_share(&g, LIMIT_APP, 60);
    given_share(&g, LIMIT_TURN, 40);
    d->waits.turns = 200;
    d->waits.turn_ns = 8000 * MS;
    d->waits.answer_ns = 12000 * MS;
    assert_string_equal(given_judge(&g)->cause, "server_think_time");
    assert_non_null(strstr(g.verdict.headline, "60.0 ms"));
    assert_true(has_advice(&g.verdict, ADVICE_SERVER_TIME));
}

/* 100 turns of 8,192 bytes at 280 ms: 29.3 kB/s (domain, decisive point 1). */
static void test_turn_limited(void **state)
{
    struct given g = given_transfer(827392, 28280, 280);
    struct direction_result *d = given_data(&g);
    const struct verdict *v;

    (void)state;
    given_share(&g, LIMIT_TURN, 97);
    d->waits.turns = 100;
    d->waits.turn_ns = 28000 * MS;
    v = given_judge(&g);
    assert_string_equal(v->cause, "turn_limited");
    assert_float_equal(find_bound(v, "page_per_turn")->bytes_per_s, 29257, 1);
    assert_true(has_advice(v, ADVICE_LARGER_TURNS) && has_advice(v, ADVICE_PIPELINE));
}

/* Half of the time in turns before a bulk transfer is no transfer in turns. */
static void test_some_turns_do_not_lead(void **state)
{
    struct given g = given_transfer(3000000, 6000, 100);

    (void)state;
    given_share(&g, LIMIT_TURN, 55);
    given_data(&g)->waits.turns = 20;
    assert_string_equal(given_judge(&g)->cause, "unknown");
}

static void test_nagle(void **state)
{
    struct given g = given_transfer(400000, 20000, 10);
    struct direction_result *d = given_data(&g);
    const struct verdict *v;

    (void)state;
    given_share(&g, LIMIT_NAGLE, 85);
    d->waits.nagle_waits = 340;
    d->waits.nagle_delayed = 330;
    d->waits.nagle_longest_ns = 51 * MS;
    d->waits.nagle_frame = 77;
    v = given_judge(&g);
    assert_string_equal(v->cause, "nagle_delayed_ack");
    assert_int_equal(v->confidence, CONFIDENCE_HIGH);
    assert_true(has_advice(v, ADVICE_NODELAY) && has_advice(v, ADVICE_DELAYED_ACK));
}

/* 1,420,000 bytes/s through a bottleneck of 1,450,000, round trip 70 ms empty and 110 under load. */
static struct given given_link(void)
{
    struct given g = given_transfer(28400000, 20000, 70);
    struct direction_result *d = given_data(&g);

    given_share(&g, LIMIT_LINK, 90);
    d->path.capacity_bytes_per_s = 1450000;
    d->path.utilisation = 0.98;
    d->path.min_rtt_ns = 70 * MS;
    d->path.loaded_rtt_p50_ns = 110 * MS;
    d->path.loaded_rtt_p95_ns = 130 * MS;
    d->path.queue_p50_ns = 40 * MS;
    d->path.signature = CONGESTION_SELF_INDUCED;
    return g;
}

static void test_link_rate(void **state)
{
    struct given g = given_link();
    const struct verdict *v = given_judge(&g);

    (void)state;
    assert_string_equal(v->cause, "link_rate");
    assert_non_null(strstr(v->text, "40.0 ms of queue"));
    assert_float_equal(find_bound(v, "bottleneck")->bytes_per_s, 1450000, 1);
    /* without a rate that is shown there is no such cause */
    g.flow.dir[C2S].path.capacity_bytes_per_s = -1;
    assert_string_equal(given_judge(&g)->cause, "unknown");
}

/* A window that is full because the bottleneck is: more of it would only make the queue longer. */
static void test_window_behind_full_link(void **state)
{
    struct given g = given_link();
    struct direction_result *d = given_data(&g);

    (void)state;
    d->limit_ns[LIMIT_RWND] = d->limit_ns[LIMIT_LINK];
    d->limit_ns[LIMIT_LINK] = 0;
    assert_string_equal(given_judge(&g)->cause, "link_rate");
    d->path.utilisation = 0.6;
    assert_string_not_equal(given_judge(&g)->cause, "link_rate");
}

/* Twenty turns take 45 % of the time, then 99 % of the bytes come in one message, 40 % of the time at
 * the link's rate, which is 73 % of the rest: the link held the data up. */
static void test_dialogue_before_data(void **state)
{
    struct given g = given_link();
    struct direction_result *d = given_data(&g);

    (void)state;
    d->limit_ns[LIMIT_UNKNOWN] += d->limit_ns[LIMIT_LINK];
    d->limit_ns[LIMIT_LINK] = 0;
    given_share(&g, LIMIT_LINK, 40);
    given_share(&g, LIMIT_TURN, 45);
    d->path.utilisation = 0.5;
    d->waits.turns = 20;
    d->waits.turn_ns = d->elapsed_ns / 100 * 45;
    d->waits.message_most_bytes = d->bytes / 100 * 99;
    assert_string_equal(given_judge(&g)->cause, "link_rate");
    assert_true(g.verdict.share_pct > 39 && g.verdict.share_pct < 41);
    assert_string_equal(g.verdict.second_cause, "turn_limited");
    assert_non_null(strstr(g.verdict.text, "20 turns of a dialogue"));
    /* The look-alike: each turn brings its part of the bytes. */
    d->waits.message_most_bytes = d->bytes / 20;
    assert_string_equal(given_judge(&g)->cause, "unknown");
    /* Nor are few turns a dialogue: they may be a request and an answer at each end of the data. */
    d->waits.message_most_bytes = d->bytes / 100 * 99;
    d->waits.turns = 4;
    assert_string_equal(given_judge(&g)->cause, "unknown");
    /* Turns that take most of the time are the cause, whatever comes after them. */
    d->waits.turns = 20;
    d->limit_ns[LIMIT_LINK] = d->elapsed_ns / 100 * 20;
    d->limit_ns[LIMIT_TURN] = d->elapsed_ns / 100 * 75;
    assert_string_equal(given_judge(&g)->cause, "turn_limited");
}

/* Five times the empty round trip, nothing lost: a queue without end.  With losses it has one. */
static void test_bufferbloat(void **state)
{
    struct given g = given_link();

    (void)state;
    given_data(&g)->path.loaded_rtt_p95_ns = 350 * MS;
    assert_string_equal(given_judge(&g)->cause, "bufferbloat");
    given_data(&g)->loss_events = 3;
    assert_string_equal(given_judge(&g)->cause, "link_rate");
}

/* Losses, with time-outs, and a link that is not full: the link is not what to cure. */
static void test_losses_before_link(void **state)
{
    struct given g = given_link();
    struct direction_result *d = given_data(&g);

    (void)state;
    d->limit_ns[LIMIT_LINK] = d->elapsed_ns * 6 / 10;
    d->limit_ns[LIMIT_RTO] = d->elapsed_ns * 3 / 10;
    d->path.utilisation = 0.7;
    d->loss_events = 2;
    assert_string_not_equal(given_judge(&g)->cause, "link_rate");
    /* Of the 40 % not at the link's rate 30 % are time-outs': three quarters. */
    d->loss.events = 1;
    d->loss.timeouts = 2;
    d->loss.with_queue = 1;
    d->loss.cost[LOSS_TIMEOUT].repair_ns = d->elapsed_ns * 3 / 10;
    assert_string_equal(given_judge(&g)->cause, "rto_stalls");
    assert_true(g.verdict.share_pct > 29 && g.verdict.share_pct < 31);
    /* A link that is full needs no other cause, and losses that cost little are none. */
    d->path.utilisation = 0.95;
    assert_string_equal(given_judge(&g)->cause, "link_rate");
    d->path.utilisation = 0.85;
    d->limit_ns[LIMIT_RTO] = d->loss.cost[LOSS_TIMEOUT].repair_ns = d->elapsed_ns * 2 / 10;
    assert_string_equal(given_judge(&g)->cause, "link_rate");
}

/* An SSH stream at one even pace; a limit that varies is not the cipher's. */
static void test_crypto_bound(void **state)
{
    struct given g = given_transfer(50000000, 20000, 10);
    struct direction_result *d = given_data(&g);

    (void)state;
    given_share(&g, LIMIT_APP, 95);
    d->pattern.first_bytes = FIRST_BYTES_SSH;
    d->pattern.pace.slices = 200;
    d->pattern.pace.bytes_per_s_cv = 0.02;
    assert_string_equal(given_judge(&g)->cause, "crypto_bound");
    assert_true(has_advice(&g.verdict, ADVICE_CIPHER));
    d->pattern.pace.bytes_per_s_cv = 0.3;
    assert_string_equal(given_judge(&g)->cause, "sender_slow");
}

/* The same number of segments a second whatever their size; it never leads. */
static void test_host_bound(void **state)
{
    struct given g = given_link();
    struct pace_facts *pace = &given_data(&g)->pattern.pace;

    (void)state;
    *pace = (struct pace_facts){.slices = 100, .bytes_per_s_cv = 0.3, .segments_per_s_mean = 1000,
                                .segments_per_s_cv = 0.02, .segment_bytes_cv = 0.3};
    assert_string_equal(given_judge(&g)->cause, "link_rate");
    assert_string_equal(g.verdict.second_cause, "host_bound");
    pace->segments_per_s_cv = 0.2;
    assert_null(given_judge(&g)->second_cause);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_send_buffer),
        cmocka_unit_test(test_application_window),
        cmocka_unit_test(test_plateau_refuted_by_rate),
        cmocka_unit_test(test_sender_slow),
        cmocka_unit_test(test_sender_slow_with_unread_windows),
        cmocka_unit_test(test_server_think_time),
        cmocka_unit_test(test_turn_limited),
        cmocka_unit_test(test_some_turns_do_not_lead),
        cmocka_unit_test(test_nagle),
        cmocka_unit_test(test_link_rate),
        cmocka_unit_test(test_window_behind_full_link),
        cmocka_unit_test(test_dialogue_before_data),
        cmocka_unit_test(test_bufferbloat),
        cmocka_unit_test(test_losses_before_link),
        cmocka_unit_test(test_crypto_bound),
        cmocka_unit_test(test_host_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
