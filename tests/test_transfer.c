/* needs: tests/ftp_story.c */
/* What becomes of a transfer: complete or not, who stopped it, its phases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/session/transfer.h"
#include "tests/ftp_story.h"

enum stop { NO_STOP, CLIENT_FIN, CLIENT_RST, SERVER_FIN, SERVER_RST };

/* A passive transfer: how much of it came, who stopped first and second, what was replied. */
struct course {
    const char *command, *mark, *final;
    uint64_t bytes;
    enum stop first, second;
};

struct outcome {
    bool known, complete;
    enum ender ender;
};

static void stop_data(struct story *st, uint64_t data, enum stop stop)
{
    if (stop == CLIENT_FIN || stop == SERVER_FIN)
        story_fin(st, data, stop == CLIENT_FIN ? C2S : S2C);
    else if (stop != NO_STOP)
        story_rst(st, data, stop == CLIENT_RST ? C2S : S2C);
}

static void check_course(const struct course *course, const struct outcome *expected)
{
    struct story *st = story_new();
    const struct transfer_result *t;
    uint64_t data;

    story_login(st);
    story_pasv(st, 43806);
    data = story_connect(st, 43806);
    story_client(st, course->command);
    if (course->mark)
        story_server(st, course->mark);
    if (course->bytes > 0)
        story_data(st, data, course->command[0] == 'R' ? S2C : C2S, course->bytes);
    stop_data(st, data, course->first);
    stop_data(st, data, course->second);
    if (course->final)
        story_server(st, course->final);
    story_finish(st);
    t = sessions_transfer(st->sessions, 0);
    assert_int_equal(t->complete_known, expected->known);
    assert_int_equal(t->complete, expected->complete);
    assert_int_equal(t->ended_by, expected->ender);
    assert_int_equal(t->bytes, course->bytes);
    story_free(st);
}

static void test_endings(void **state)
{
    static const struct {
        struct course course;
        struct outcome outcome;
    } rows[] = {
        /* all bytes: complete, whatever closes first */
        {{"RETR a", "150 a (100 bytes)", "226 ok", 100, CLIENT_FIN, SERVER_FIN},
         {true, true, ENDED_UNKNOWN}},
        {{"RETR a", "150 a (100 bytes)", NULL, 100, NO_STOP, NO_STOP},
         {true, true, ENDED_UNKNOWN}},
        /* the receiver goes first with less than all */
        {{"RETR a", "150 a (100 bytes)", "426 broken", 60, CLIENT_RST, NO_STOP},
         {true, false, ENDED_BY_CLIENT}},
        {{"RETR a", "150 a (100 bytes)", NULL, 60, CLIENT_FIN, SERVER_RST},
         {true, false, ENDED_BY_CLIENT}},
        /* the sender goes first with less than all */
        {{"RETR a", "150 a (100 bytes)", "451 local error", 60, SERVER_FIN, CLIENT_FIN},
         {true, false, ENDED_BY_SERVER}},
        {{"RETR a", "150 a (100 bytes)", NULL, 60, SERVER_RST, NO_STOP},
         {true, false, ENDED_BY_SERVER}},
        {{"RETR a", "150 a (100 bytes)", NULL, 60, SERVER_FIN, CLIENT_FIN},
         {true, false, ENDED_BY_SERVER}},
        /* no close seen, but a reply */
        {{"RETR a", "150 a (100 bytes)", "426 broken", 60, NO_STOP, NO_STOP},
         {true, false, ENDED_BY_SERVER}},
        /* the capture ends inside */
        {{"RETR a", "150 a (100 bytes)", NULL, 60, NO_STOP, NO_STOP},
         {false, false, ENDED_UNKNOWN}},
        /* size not known: the reply tells */
        {{"RETR a", "150 go", "226 ok", 60, SERVER_FIN, CLIENT_FIN}, {true, true, ENDED_UNKNOWN}},
        {{"STOR a", "150 go", "226 ok", 60, CLIENT_FIN, SERVER_FIN}, {true, true, ENDED_UNKNOWN}},
        {{"STOR a", "150 go", "250 ok", 0, CLIENT_FIN, SERVER_FIN}, {true, true, ENDED_UNKNOWN}},
        /* disk full: the server stops reading, or says so after all has come */
        {{"STOR a", "150 go", "552 full", 60, SERVER_RST, NO_STOP},
         {true, false, ENDED_BY_SERVER}},
        {{"STOR a", "150 go", "552 full", 60, CLIENT_FIN, SERVER_FIN},
         {true, false, ENDED_BY_SERVER}},
        {{"STOR a", "150 go", "452 full", 0, NO_STOP, NO_STOP}, {true, false, ENDED_BY_SERVER}},
        /* the connection never worked */
        {{"RETR a", NULL, "425 Can't open data connection.", 0, NO_STOP, NO_STOP},
         {true, false, ENDED_UNKNOWN}},
        {{"RETR a", NULL, "550 no such file", 0, NO_STOP, NO_STOP},
         {true, false, ENDED_BY_SERVER}},
        {{"RETR a", "150 6.4 kbytes to download", "226 ok", 6600, SERVER_FIN, CLIENT_FIN},
         {true, true, ENDED_UNKNOWN}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_course(&rows[i].course, &rows[i].outcome);
}

/* In active mode the data flow's client is the FTP server: its reset is the server's. */
static void test_active_roles(void **state)
{
    struct story *st = story_new();
    const struct transfer_result *t;
    uint64_t data;

    (void)state;
    story_login(st);
    story_client(st, "PORT 192,0,2,1,156,67");
    story_server(st, "200 ok");
    story_client(st, "RETR a");
    data = story_syn(st, STORY_SERVER, 20, STORY_CLIENT, 40003);
    story_server(st, "150 a (100 bytes)");
    story_data(st, data, C2S, 50);
    story_rst(st, data, C2S);
    story_finish(st);
    t = sessions_transfer(st->sessions, 0);
    assert_int_equal(t->direction, C2S);
    assert_false(t->passive);
    assert_int_equal(t->ended_by, ENDED_BY_SERVER);
    story_free(st);
}

/* The count in 150 with REST: whole file or the rest, by what was delivered. */
static void test_rest_and_announced_count(void **state)
{
    for (int rest_only = 0; rest_only < 2; rest_only++) {
        struct story *st = story_new();
        uint64_t data;

        (void)state;
        story_login(st);
        story_pasv(st, 43806);
        data = story_connect(st, 43806);
        story_client(st, "REST 400");
        story_server(st, "350 ok");
        story_client(st, "RETR a");
        story_server(st, rest_only ? "150 a (600 bytes)" : "150 a (1000 bytes)");
        story_data(st, data, S2C, 600);
        story_fin(st, data, S2C);
        story_server(st, "226 ok");
        story_finish(st);
        assert_int_equal(sessions_transfer(st->sessions, 0)->expected_bytes, 600);
        assert_true(sessions_transfer(st->sessions, 0)->complete);
        story_free(st);
    }
}

/* TYPE A: the wire carries more bytes than the file has, so no comparison is made. */
static void test_ascii(void **state)
{
    struct story *st = story_new();
    const struct transfer_result *t;
    uint64_t data;

    (void)state;
    story_login(st);
    story_client(st, "TYPE A N");
    story_server(st, "200 ok");
    story_pasv(st, 43806);
    data = story_connect(st, 43806);
    story_client(st, "RETR a");
    story_server(st, "150 a (100 bytes)");
    story_data(st, data, S2C, 104);
    story_fin(st, data, S2C);
    story_server(st, "226 ok");
    story_finish(st);
    t = sessions_transfer(st->sessions, 0);
    assert_true(t->ascii_type);
    assert_true(t->expected_bytes == BYTES_UNKNOWN);
    assert_true(t->complete);
    story_free(st);
}

static void check_phase(const struct phase *phase, enum phase_kind kind, int64_t ms)
{
    assert_string_equal(phase_name(phase->kind), phase_name(kind));
    assert_int_equal(phase->duration_ns / 1000000, ms);
}

/* Steps are 10 ms, the data connection's handshake 4 ms, the last ACK 4 ms after its data. */
static void test_phases(void **state)
{
    struct story *st = story_new();
    const struct transfer_result *t;
    uint64_t data;
    int64_t pasv_ns;

    (void)state;
    story_login(st);
    pasv_ns = st->now_ns + STORY_STEP_NS;
    story_pasv(st, 43806);
    data = story_connect(st, 43806);
    story_client(st, "RETR a");
    story_server(st, "150 a (100 bytes)");
    story_wait_ms(st, 500);
    story_data(st, data, S2C, 100);
    story_fin(st, data, S2C);
    story_wait_ms(st, 300);
    story_server(st, "226 ok");
    story_finish(st);
    t = sessions_transfer(st->sessions, 0);
    assert_int_equal(t->start_ns, pasv_ns);
    assert_int_equal(t->phase_count, 7);
    check_phase(&t->phases[0], PHASE_COMMAND, 20);     /* PASV, 227, SYN */
    check_phase(&t->phases[1], PHASE_DATA_CONNECT, 4);
    check_phase(&t->phases[2], PHASE_COMMAND, 16);     /* RETR, 150 */
    check_phase(&t->phases[3], PHASE_OPEN, 510);
    check_phase(&t->phases[4], PHASE_BULK, 14);
    check_phase(&t->phases[5], PHASE_TAIL, 6);
    check_phase(&t->phases[6], PHASE_CLOSE, 310);
    assert_int_equal(t->bulk_ns, 14000000);
    assert_int_equal(t->duration_ns, 564000000); /* 20 + 4 + 16 + 510 + 14 */
    assert_true(t->goodput_bytes_per_s > 7142 && t->goodput_bytes_per_s < 7143); /* 100 / 14 ms */
    story_free(st);
}

static void test_abort_phase(void **state)
{
    struct story *st = story_new();
    const struct transfer_result *t;
    uint64_t data;

    (void)state;
    story_login(st);
    story_pasv(st, 43806);
    data = story_connect(st, 43806);
    story_client(st, "RETR a");
    story_server(st, "150 a (1000 bytes)");
    story_data(st, data, S2C, 100);
    story_client(st, "ABOR");
    story_wait_ms(st, 200);
    story_server(st, "426 aborted");
    story_finish(st);
    t = sessions_transfer(st->sessions, 0);
    check_phase(&t->phases[t->phase_count - 1], PHASE_ABORT, 216); /* from the last ACK */
    story_free(st);
}

static void test_bulk(void **state)
{
    struct story *st = story_empty(false, false);
    uint64_t clean = story_syn(st, STORY_CLIENT, 40000, STORY_SERVER, 5001);
    uint64_t cut = story_syn(st, STORY_CLIENT, 40001, STORY_SERVER, 5001);
    uint64_t open = story_midway(st, STORY_CLIENT, 40002, STORY_SERVER, 5001);
    const struct transfer_result *t;

    (void)state;
    story_data(st, clean, C2S, 1000);
    story_data(st, clean, S2C, 5);
    story_fin(st, clean, C2S);
    story_fin(st, clean, S2C);
    story_data(st, cut, S2C, 1000);
    story_rst(st, cut, C2S);
    story_data(st, open, S2C, 1000);
    story_bulk(st, clean);
    story_bulk(st, cut);
    story_bulk(st, open);
    story_finish(st);
    assert_int_equal(sessions_transfer_count(st->sessions), 3);
    t = sessions_transfer(st->sessions, 0);
    assert_string_equal(t->protocol, "bulk");
    assert_null(t->verb);
    assert_int_equal(t->direction, C2S);
    assert_int_equal(t->bytes, 1000);
    assert_true(t->complete && t->complete_known);
    t = sessions_transfer(st->sessions, 1);
    assert_true(t->complete_known && !t->complete);
    assert_int_equal(t->ended_by, ENDED_BY_CLIENT);
    assert_int_equal(t->direction, S2C);
    assert_false(sessions_transfer(st->sessions, 2)->complete_known);
    assert_int_equal(sessions_transfer(st->sessions, 2)->id, 3);
    story_free(st);
}

/* In whole milliseconds both ends close at once: the order of the packets tells who was first. */
static void test_one_time_for_both_ends(void **state)
{
    struct story *st = story_empty(false, false);
    uint64_t id = story_syn(st, STORY_CLIENT, 40000, STORY_SERVER, 5001);
    struct flow_result *flow = &st->flows[id];
    enum direction end;

    (void)state;
    story_data(st, id, S2C, 1000);
    story_fin(st, id, S2C);
    story_fin(st, id, C2S);
    flow->dir[C2S].fin_ns = flow->dir[S2C].fin_ns;
    assert_true(transfer_first_stop(flow, &end));
    assert_int_equal(end, S2C);
    assert_false(transfer_was_cut_off(flow, S2C));
    story_free(st);
}

/* The sender's FIN is not captured.  With bytes missing it may be one of them; with none, or upon a
 * reset, the receiver went first. */
static void test_fin_that_was_not_captured(void **state)
{
    struct story *st = story_empty(false, false);
    uint64_t id = story_syn(st, STORY_CLIENT, 40000, STORY_SERVER, 5001);
    struct flow_result *flow = &st->flows[id];

    (void)state;
    story_data(st, id, S2C, 1000);
    story_fin(st, id, C2S);
    assert_true(transfer_was_cut_off(flow, S2C));
    flow->dir[S2C].gap_bytes = 1;
    assert_false(transfer_was_cut_off(flow, S2C));
    story_rst(st, id, C2S);
    assert_true(transfer_was_cut_off(flow, S2C));
    story_free(st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_active_roles),
        cmocka_unit_test(test_rest_and_announced_count),
        cmocka_unit_test(test_ascii),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_abort_phase),
        cmocka_unit_test(test_bulk),
        cmocka_unit_test(test_one_time_for_both_ends),
        cmocka_unit_test(test_fin_that_was_not_captured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
