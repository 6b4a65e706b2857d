/* needs: tests/ftp_story.c */
/* The dialogue of a control connection, told line by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/ftp_story.h"

static const struct transfer_result *transfer(struct story *st, size_t i)
{
    assert_true(i < sessions_transfer_count(st->sessions));
    return sessions_transfer(st->sessions, i);
}

static const struct session_result *only_session(struct story *st)
{
    assert_int_equal(sessions_count(st->sessions), 1);
    return sessions_get(st->sessions, 0);
}

static void test_a_get(void **state)
{
    struct story *st = story_new();
    const struct transfer_result *t;
    uint64_t data;

    (void)state;
    story_login(st);
    story_pasv(st, 43806);
    data = story_connect(st, 43806);
    story_client(st, "RETR big file");
    story_server(st, "150 Opening BINARY mode data connection for big file (5000 bytes).");
    story_data(st, data, S2C, 5000);
    story_fin(st, data, S2C);
    story_fin(st, data, C2S);
    story_server(st, "226 File send OK.");
    story_finish(st);
    assert_int_equal(sessions_transfer_count(st->sessions), 1);
    t = transfer(st, 0);
    assert_string_equal(t->protocol, "ftp");
    assert_string_equal(t->verb, "RETR");
    assert_string_equal(t->name, "big file");
    assert_int_equal(t->direction, S2C);
    assert_true(t->passive);
    assert_false(t->ascii_type);
    assert_int_equal(t->flow_id, data);
    assert_int_equal(t->control_flow_id, st->control);
    assert_int_equal(t->bytes, 5000);
    assert_int_equal(t->expected_bytes, 5000);
    assert_true(t->complete && t->complete_known);
    assert_int_equal(t->final_reply, 226);
    assert_int_equal(t->final_reply_frame, st->frame);
    assert_string_equal(only_session(st)->user, "anna");
    assert_int_equal(sessions_of_flow(st->sessions, data), 1);
    story_free(st);
}

/* Each byte of the whole dialogue in a segment of its own. */
static void test_byte_by_byte(void **state)
{
    static const struct {
        enum direction dir;
        const char *text;
    } lines[] = {
        {S2C, "220 ready\r\n"}, {C2S, "USER anna\r\n"}, {S2C, "331 password\r\n"},
        {C2S, "PASS x\r\n"}, {S2C, "230-many\r\n 1\r\n230 in\r\n"}, {C2S, "PASV\r\n"},
        {S2C, "227 =198,51,100,7,171,30\r\n"}, {C2S, "RETR a\r\n"}, {S2C, "150 ok\r\n"},
        {S2C, "226 ok\r\n"},
    };
    struct story *st = story_new();

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strncmp(lines[i].text, "RETR", 4) == 0)
            story_connect(st, 43806);
        for (size_t k = 0; lines[i].text[k]; k++)
            story_bytes(st, st->control, lines[i].dir, &lines[i].text[k], 1);
    }
    story_finish(st);
    assert_string_equal(transfer(st, 0)->name, "a");
    assert_int_equal(transfer(st, 0)->flow_id, 2);
    assert_int_equal(transfer(st, 0)->final_reply, 226);
    story_free(st);
}

/* RFC 959 section 4.2: a line inside a reply may begin with digits, even with a code. */
static void test_multi_line_replies(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_server(st, "220-welcome");
    story_server(st, "331 files today");
    story_server(st, "220-still");
    story_server(st, "2201 visitors");
    story_server(st, "220 now");
    story_client(st, "USER anna");
    story_server(st, "230 in");
    story_client(st, "RETR a");
    story_server(st, "150-Accepted data connection");
    story_server(st, "150 6516.9 kbytes to download");
    story_server(st, "226-File successfully transferred");
    story_server(st, "226 2.356 seconds (measured here), 2.70 Mbytes per second");
    story_finish(st);
    assert_int_equal(transfer(st, 0)->final_reply, 226);
    assert_true(transfer(st, 0)->ascii_type); /* the default of RFC 959 */
    assert_int_equal(only_session(st)->phase_count, 4); /* connect greeting login command */
    story_free(st);
}

static void test_pipelined(void **state)
{
    struct story *st = story_new();
    uint64_t first, second;

    (void)state;
    story_login(st);
    story_client(st, "PASV\r\nRETR one\r\nPASV\r\nRETR two");
    story_server(st, "227 (198,51,100,7,171,30)");
    first = story_connect(st, 43806);
    story_server(st, "150 one (10 bytes)");
    story_data(st, first, S2C, 10);
    story_server(st, "226 ok");
    story_server(st, "227 (198,51,100,7,171,31)");
    second = story_connect(st, 43807);
    story_server(st, "150 two (20 bytes)");
    story_data(st, second, S2C, 20);
    story_server(st, "226 ok");
    story_finish(st);
    assert_string_equal(transfer(st, 0)->name, "one");
    assert_int_equal(transfer(st, 0)->flow_id, first);
    assert_int_equal(transfer(st, 0)->expected_bytes, 10);
    assert_string_equal(transfer(st, 1)->name, "two");
    assert_int_equal(transfer(st, 1)->flow_id, second);
    assert_int_equal(transfer(st, 1)->expected_bytes, 20);
    assert_int_equal(transfer(st, 1)->final_reply, 226);
    story_free(st);
}

/* Commands before the greeting: 220 answers none of them. */
static void test_pipelined_before_greeting(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_client(st, "USER a\r\nPASS b\r\nTYPE I\r\nPASV\r\nRETR r\r\nPORT 114,115\r\nQUIT");
    story_server(st, "220 ready\r\n230 USER\r\n230 PASS\r\n200 TYPE\r\n227 PASV\r\n225 RETR");
    story_server(st, "200 PORT\r\n221 QUIT");
    story_finish(st);
    assert_int_equal(sessions_transfer_count(st->sessions), 1);
    assert_int_equal(transfer(st, 0)->final_reply, 225);
    assert_false(transfer(st, 0)->complete);
    story_free(st);
}

static void test_rest_and_size(void **state)
{
    struct story *st = story_new();
    uint64_t data;

    (void)state;
    story_login(st);
    story_client(st, "SIZE a");
    story_server(st, "213 1000");
    story_client(st, "CWD a"); /* browsers try this first */
    story_server(st, "550 Not a directory");
    story_pasv(st, 50000);
    data = story_connect(st, 50000);
    story_client(st, "REST 400");
    story_server(st, "350 Restart position accepted (400).");
    story_client(st, "RETR a");
    story_server(st, "125 Data connection already open; Transfer starting."); /* IIS */
    story_data(st, data, S2C, 600);
    story_fin(st, data, S2C);
    story_server(st, "226 Transfer complete.");
    /* REST holds for one transfer; another name has no known size. */
    story_pasv(st, 50001);
    story_connect(st, 50001);
    story_client(st, "RETR b");
    story_server(st, "150 go");
    story_pasv(st, 50002);
    /* In another folder the name is another file. */
    story_client(st, "CWD /other");
    story_server(st, "226 ok");
    story_server(st, "250 ok");
    story_client(st, "RETR a");
    story_finish(st);
    assert_true(transfer(st, 2)->expected_bytes == BYTES_UNKNOWN);
    assert_int_equal(transfer(st, 0)->expected_bytes, 600);
    assert_true(transfer(st, 0)->complete);
    assert_true(transfer(st, 1)->expected_bytes == BYTES_UNKNOWN);
    story_free(st);
}

static void test_refused_settings(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_login(st);
    story_client(st, "TYPE A");
    story_server(st, "504 no");
    story_client(st, "REST 400");
    story_server(st, "502 no");
    story_client(st, "RETR a");
    story_server(st, "150 a (1000 bytes)");
    story_server(st, "250 done"); /* z/OS */
    story_finish(st);
    assert_false(transfer(st, 0)->ascii_type);
    assert_int_equal(transfer(st, 0)->expected_bytes, 1000);
    assert_int_equal(transfer(st, 0)->final_reply, 250);
    story_free(st);
}

/* RETR and ABOR with Telnet IP and Synch in pieces, answered 426 and 226. */
static void test_abort(void **state)
{
    struct story *st = story_new();
    uint64_t data, abort_frame;

    (void)state;
    story_login(st);
    story_pasv(st, 50000);
    data = story_connect(st, 50000);
    story_client(st, "RETR big");
    story_server(st, "150 big (9000000 bytes)");
    story_data(st, data, S2C, 200000);
    story_bytes(st, st->control, C2S, "\xff\xf4", 2);
    story_bytes(st, st->control, C2S, "\xff", 1);
    story_bytes(st, st->control, C2S, "\xf2" "ABOR\r\n", 7);
    abort_frame = st->frame;
    story_fin(st, data, C2S);
    story_server(st, "426 Failure writing network stream.");
    story_server(st, "226 ABOR successful.");
    story_client(st, "SIZE x");
    story_server(st, "213 5");
    story_client(st, "RETR x");
    story_finish(st);
    assert_int_equal(transfer(st, 0)->final_reply, 426);
    assert_int_equal(transfer(st, 0)->abort_frame, abort_frame);
    assert_true(transfer(st, 0)->complete_known);
    assert_false(transfer(st, 0)->complete);
    assert_int_equal(transfer(st, 0)->ended_by, ENDED_BY_CLIENT);
    assert_int_equal(transfer(st, 1)->expected_bytes, 5);
    story_free(st);
}

/* Some servers answer transfer and ABOR with one reply: what follows must not slip by one. */
static void test_abort_with_one_reply(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_login(st);
    story_client(st, "RETR big");
    story_server(st, "150 big (9000000 bytes)");
    story_client(st, "ABOR");
    story_server(st, "226 Abort successful");
    story_client(st, "SIZE x");
    story_server(st, "213 77");
    story_client(st, "RETR x");
    story_server(st, "550 gone");
    story_finish(st);
    assert_false(transfer(st, 0)->complete);
    assert_int_equal(transfer(st, 1)->expected_bytes, 77);
    assert_int_equal(transfer(st, 1)->final_reply, 550);
    story_free(st);
}

static void test_closing_reply_ends_transfers(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_login(st);
    story_client(st, "STOR x");
    story_server(st, "150 ok");
    story_wait_ms(st, 300000);
    story_server(st, "421 Timeout.");
    story_finish(st);
    assert_int_equal(transfer(st, 0)->final_reply, 421);
    assert_int_equal(transfer(st, 0)->ended_by, ENDED_BY_SERVER);
    story_free(st);
}

static void test_capture_gap(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_login(st);
    story_client(st, "RETR one");
    story_gap(st, st->control, S2C, 60); /* its 150 and 226 */
    story_client(st, "SIZE two");
    story_server(st, "213 22");
    story_client(st, "RETR two");
    story_server(st, "150 go\r\n226 ok");
    story_finish(st);
    assert_int_equal(transfer(st, 0)->final_reply, 0);
    assert_false(transfer(st, 0)->complete_known);
    assert_int_equal(transfer(st, 1)->expected_bytes, 22);
    assert_int_equal(transfer(st, 1)->final_reply, 226);
    story_free(st);
}

static void test_greeting_not_captured(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_gap(st, st->control, S2C, 11);
    story_client(st, "USER anna");
    story_server(st, "331 password");
    story_client(st, "PASS x");
    story_server(st, "230 in");
    story_client(st, "RETR a");
    story_server(st, "226 ok");
    story_finish(st);
    assert_int_equal(transfer(st, 0)->final_reply, 226);
    story_free(st);
}

/* A command of more than 4 kB, seen in a public capture. */
static void test_long_command(void **state)
{
    static char line[4200];
    struct story *st = story_new();

    (void)state;
    memset(line, 'A', sizeof line - 1);
    memcpy(line, "RETR ", 5);
    story_login(st);
    story_bytes(st, st->control, C2S, line, sizeof line - 1);
    story_client(st, "Z");
    story_server(st, "550 Failed to open file.");
    story_client(st, "RETR index.html");
    story_server(st, "550 Failed to open file.");
    story_finish(st);
    assert_int_equal(sessions_transfer_count(st->sessions), 2);
    assert_int_equal(strlen(transfer(st, 0)->name), TRANSFER_NAME_MAX);
    assert_string_equal(transfer(st, 1)->name, "index.html");
    assert_int_equal(transfer(st, 1)->final_reply, 550);
    story_free(st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_get),
        cmocka_unit_test(test_byte_by_byte),
        cmocka_unit_test(test_multi_line_replies),
        cmocka_unit_test(test_pipelined),
        cmocka_unit_test(test_pipelined_before_greeting),
        cmocka_unit_test(test_rest_and_size),
        cmocka_unit_test(test_refused_settings),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_abort_with_one_reply),
        cmocka_unit_test(test_closing_reply_ends_transfers),
        cmocka_unit_test(test_capture_gap),
        cmocka_unit_test(test_greeting_not_captured),
        cmocka_unit_test(test_long_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
