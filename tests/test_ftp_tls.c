/* needs: tests/ftp_story.c */
/* Dialogues that go behind TLS (RFC 4217), and come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

static void test_tls(void **state)
{
    static const char hello[] = "\x16\x03\x01\x00\x05hello", record[] = "\x17\x03\x03\0\1x";
    struct story *st = story_new();
    uint64_t data, other;

    (void)state;
    story_server(st, "220 ready");
    story_client(st, "AUTH TLS");
    story_server(st, "234 Proceed with negotiation.");
    story_bytes(st, st->control, C2S, hello, sizeof hello - 1);
    story_bytes(st, st->control, S2C, hello, sizeof hello - 1);
    story_bytes(st, st->control, C2S, record, sizeof record - 1); /* PASV */
    story_bytes(st, st->control, S2C, record, sizeof record - 1); /* 227 */
    data = story_connect(st, 51000);
    other = story_connect(st, 52000); /* nothing has asked for it */
    story_data(st, data, S2C, 4000);
    story_bytes(st, st->control, C2S, record, sizeof record - 1);
    story_bytes(st, st->control, S2C, record, sizeof record - 1);
    story_wait_ms(st, 2100);
    story_connect(st, 53000); /* too late */
    story_finish(st);
    assert_string_equal(only_session(st)->protocol, "ftps");
    assert_int_equal(sessions_transfer_count(st->sessions), 1);
    assert_string_equal(transfer(st, 0)->protocol, "ftps");
    assert_null(transfer(st, 0)->verb);
    assert_string_equal(transfer(st, 0)->name, "");
    assert_int_equal(transfer(st, 0)->flow_id, data);
    assert_int_equal(transfer(st, 0)->direction, S2C);
    assert_int_equal(sessions_of_flow(st->sessions, other), 0);
    story_free(st);
}

/* RFC 4217 section 12.3: after CCC the dialogue is clear again. */
static void test_tls_then_clear(void **state)
{
    struct story *st = story_new();
    uint64_t data;

    (void)state;
    story_server(st, "220 ready");
    story_client(st, "AUTH TLS");
    story_server(st, "234 ok");
    story_bytes(st, st->control, C2S, "\x16\x03\x01\0\1\0", 6);
    story_bytes(st, st->control, S2C, "\x17\x03\x03\0\1\0", 6);
    story_client(st, "PASV");
    story_server(st, "227 (198,51,100,7,171,30)");
    data = story_connect(st, 43806);
    story_client(st, "STOR up");
    story_server(st, "150 Ok to send data.");
    story_data(st, data, C2S, 100);
    story_finish(st);
    assert_string_equal(transfer(st, 0)->verb, "STOR");
    assert_string_equal(transfer(st, 0)->protocol, "ftps");
    assert_int_equal(transfer(st, 0)->flow_id, data);
    assert_int_equal(transfer(st, 0)->direction, C2S);
    story_free(st);
}

static void test_tls_refused(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_server(st, "220 ready");
    story_client(st, "AUTH TLS");
    story_server(st, "530 Please login with USER and PASS.");
    story_client(st, "USER anna");
    story_server(st, "230 in");
    story_finish(st);
    assert_string_equal(only_session(st)->protocol, "ftp");
    assert_string_equal(only_session(st)->user, "anna");
    story_free(st);
}

/* Active mode behind TLS: the server connects, from a port below 1024. */
static void test_tls_active(void **state)
{
    struct story *st = story_new();
    uint64_t data;

    (void)state;
    story_server(st, "220 ready");
    story_client(st, "AUTH TLS");
    story_server(st, "234 ok");
    story_bytes(st, st->control, C2S, "\x16\x03\x01\0\1\0", 6);
    story_bytes(st, st->control, S2C, "\x17\x03\x03\0\1\0", 6);
    story_syn(st, STORY_CLIENT, 41000, STORY_SERVER, 443); /* a service */
    data = story_syn(st, STORY_SERVER, 20, STORY_CLIENT, 40003);
    story_data(st, data, S2C, 100);
    story_finish(st);
    assert_int_equal(sessions_transfer_count(st->sessions), 1);
    assert_int_equal(transfer(st, 0)->flow_id, data);
    assert_int_equal(transfer(st, 0)->direction, S2C);
    assert_false(transfer(st, 0)->passive);
    story_free(st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tls),
        cmocka_unit_test(test_tls_then_clear),
        cmocka_unit_test(test_tls_refused),
        cmocka_unit_test(test_tls_active),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
