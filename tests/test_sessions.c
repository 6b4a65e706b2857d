/* needs: tests/ftp_story.c */
/* Which flows are control connections, and what a session's result says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/ftp_story.h"

struct line {
    enum direction dir;
    const char *text;
};

/* Play lines on a flow to this port; *wanted: is more payload of it asked for afterwards? */
static size_t sessions_of(uint16_t port, bool syn, const struct line *lines, size_t count,
                          bool *wanted)
{
    struct story *st = story_empty(false, false);
    size_t sessions;

    st->control = syn ? story_syn(st, STORY_CLIENT, 60000, STORY_SERVER, port)
                      : story_midway(st, STORY_CLIENT, 60000, STORY_SERVER, port);
    for (size_t i = 0; i < count; i++)
        story_bytes(st, st->control, lines[i].dir, lines[i].text, strlen(lines[i].text));
    *wanted = st->wanted[st->control];
    story_finish(st);
    sessions = sessions_count(st->sessions);
    story_free(st);
    return sessions;
}

#define CHECK(port, syn, expected, ...)                                                            \
    do {                                                                                           \
        static const struct line lines[] = {__VA_ARGS__};                                          \
        bool wanted;                                                                               \
                                                                                                   \
        assert_int_equal(                                                                          \
            sessions_of(port, syn, lines, sizeof lines / sizeof lines[0], &wanted), expected);     \
        assert_int_equal(wanted, (expected) > 0);                                                  \
    } while (0)

static void test_recognised(void **state)
{
    (void)state;
    CHECK(21, true, 1, {S2C, "220 hi\r\n"});
    CHECK(2121, true, 1, {S2C, "220-hi\r\n"}, {S2C, "220 there\r\n"});
    CHECK(21, true, 1, {S2C, "421 too many users\r\n"});
    CHECK(21, true, 1, {C2S, "USER a\r\n"});
    CHECK(5000, true, 1, {S2C, "220 hi\r\n"}, {C2S, "USER a\r\n"});
    CHECK(5000, true, 1, {S2C, "2"}, {S2C, "20 hi\r\n"}, {C2S, "auth tls\r\n"});
    CHECK(990, true, 1, {C2S, "\x16\x03\x01\x02"});
    /* the capture began in the middle */
    CHECK(21, false, 1, {C2S, "PASV\r\n"});
    CHECK(21, false, 1, {S2C, "of a long greeting\r\n"}, {S2C, "220 hi\r\n"});
    CHECK(5000, false, 1, {C2S, "PORT 10,0,0,1,4,5\r\n"});
    CHECK(5000, false, 1, {S2C, "226 ok\r\n"}, {C2S, "EPSV\r\n"});
}

static void test_not_ftp(void **state)
{
    (void)state;
    CHECK(80, true, 0, {C2S, "GET / HTTP/1.1\r\n"});
    CHECK(25, true, 0, {S2C, "220 mail ESMTP\r\n"}, {C2S, "EHLO me\r\n"});
    CHECK(25, true, 0, {S2C, "220 mail ESMTP\r\n"}, {C2S, "QUIT\r\n"});
    CHECK(22, true, 0, {S2C, "SSH-2.0-OpenSSH_9.2\r\n"});
    CHECK(119, true, 0, {S2C, "200 news\r\n"});
    CHECK(443, true, 0, {C2S, "\x16\x03\x01\x02"});
    CHECK(21, true, 0, {S2C, "SSH-2.0-OpenSSH_9.2\r\n"});
    CHECK(21, true, 0, {C2S, "\x01\x02\x03"});
    CHECK(5000, true, 0, {S2C, "2\0\0\0"}, {S2C, "\n"});
    CHECK(5000, false, 0, {C2S, "RETR 1\r\n"}); /* POP3 has it too */
    CHECK(5000, false, 0, {S2C, "<html>"});
    CHECK(990, true, 0, {C2S, "USER a\r\n"});
}

/* Text without a line end on an unknown port is dismissed with the line buffer full. */
static void test_endless_line_is_dismissed(void **state)
{
    struct story *st = story_empty(false, false);
    char text[600];

    (void)state;
    memset(text, '2', sizeof text);
    st->control = story_syn(st, STORY_CLIENT, 60000, STORY_SERVER, 5000);
    for (int i = 0; i < 3 && st->wanted[st->control]; i++)
        story_bytes(st, st->control, S2C, text, sizeof text);
    assert_false(st->wanted[st->control]);
    story_free(st);
}

static const char *command_text(const struct story *st, size_t i)
{
    assert_true(i < sessions_get(st->sessions, 0)->command_count);
    return sessions_get(st->sessions, 0)->commands[i].text;
}

static void say_secrets(struct story *st)
{
    st->control = story_syn(st, STORY_CLIENT, 60000, STORY_SERVER, 21);
    story_server(st, "220 hi");
    story_client(st, "USER anna");
    story_client(st, "pass sesame open");
    story_client(st, "ACCT sesame");
    story_client(st, "XPASS sesame");
    story_finish(st);
}

static void test_passwords(void **state)
{
    struct story *st = story_empty(true, false);

    (void)state;
    say_secrets(st);
    assert_string_equal(command_text(st, 1), "USER anna");
    assert_string_equal(command_text(st, 2), "pass ****");
    assert_string_equal(command_text(st, 3), "ACCT ****");
    assert_string_equal(command_text(st, 4), "XPASS ****");
    assert_true(sessions_get(st->sessions, 0)->commands[0].from_server);
    assert_int_equal(sessions_get(st->sessions, 0)->commands[0].frame, 2);
    story_free(st);
    st = story_empty(true, true);
    say_secrets(st);
    assert_string_equal(command_text(st, 2), "pass sesame open");
    story_free(st);
    st = story_empty(false, false);
    say_secrets(st);
    assert_int_equal(sessions_get(st->sessions, 0)->command_count, 0);
    story_free(st);
}

/* The end of a PASS line whose head is missing must not show either. */
static void test_half_a_password(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_server(st, "220 hi");
    story_client(st, "USER anna");
    story_gap(st, st->control, C2S, 8);
    story_client(st, "same");
    story_client(st, "SYST");
    story_finish(st);
    assert_int_equal(sessions_get(st->sessions, 0)->command_count, 3);
    assert_string_equal(command_text(st, 2), "SYST");
    story_free(st);
}

static void test_session_figures(void **state)
{
    struct story *st = story_new();
    const struct session_result *s;

    (void)state;
    story_login(st); /* 7 lines in turn, 10 ms apart */
    story_wait_ms(st, 20);
    story_client(st, "NOOP");
    story_wait_ms(st, 90);
    story_server(st, "200 ok"); /* 100 ms */
    story_finish(st);
    s = sessions_get(st->sessions, 0);
    assert_int_equal(s->turns, 9);
    assert_int_equal(s->start_ns, st->flows[1].start_ns);
    /* 20 steps of 10 ms from SYN to the last line */
    assert_int_equal((s->end_ns - s->start_ns) / 1000000, 200);
    assert_true(s->turns_per_s > 44.9 && s->turns_per_s < 45.1);
    /* replies after 10, 10, 10 and 100 ms, each with 4 ms of path */
    assert_int_equal(s->think_ns / 1000000, 130 - 4 * 4);
    assert_true(s->rtt_share_pct > 8.9 && s->rtt_share_pct < 9.1); /* 4.5 x 4 of 200 ms */
    assert_int_equal(s->phase_count, 4);
    assert_int_equal(s->phases[0].kind, PHASE_CONNECT);
    assert_int_equal(s->phases[0].duration_ns, 4000000);
    assert_int_equal(s->phases[1].kind, PHASE_GREETING);
    assert_int_equal(s->phases[1].duration_ns, 6000000);
    assert_int_equal(s->phases[2].kind, PHASE_LOGIN);
    assert_int_equal(s->phases[2].duration_ns, 40000000);
    assert_int_equal(s->phases[3].kind, PHASE_COMMAND);
    story_free(st);
}

static void notice_dns(struct story *st, enum notice_kind kind, const char *answer)
{
    struct notice notice = {.kind = kind, .time_ns = st->now_ns, .dns_name = "ftp.example"};

    notice.src = story_addr(kind == NOTICE_DNS_QUERY ? STORY_CLIENT : "192.0.2.53");
    notice.dst = story_addr(kind == NOTICE_DNS_QUERY ? "192.0.2.53" : STORY_CLIENT);
    if (answer) {
        notice.dns_addr_count = 1;
        notice.dns_addrs[0] = story_addr(answer);
    }
    sessions_notice(st->sessions, &notice);
}

static void test_name_lookup(void **state)
{
    struct story *st = story_empty(false, false);
    const struct session_result *s;

    (void)state;
    notice_dns(st, NOTICE_DNS_QUERY, NULL);
    story_wait_ms(st, 5000); /* the resolver's first try was lost */
    notice_dns(st, NOTICE_DNS_QUERY, NULL);
    story_wait_ms(st, 30);
    notice_dns(st, NOTICE_DNS_ANSWER, STORY_SERVER);
    st->control = story_syn(st, STORY_CLIENT, 60000, STORY_SERVER, 21);
    story_server(st, "220 hi");
    story_finish(st);
    s = sessions_get(st->sessions, 0);
    assert_int_equal(s->phases[0].kind, PHASE_NAME_LOOKUP);
    assert_int_equal(s->phases[0].duration_ns / 1000000, 5030);
    story_free(st);
}

/* Listings and flows: ids in order of start, data flows belong to the session. */
static void test_ids(void **state)
{
    struct story *st = story_new();
    const struct session_result *s;
    uint64_t other = story_syn(st, STORY_CLIENT, 60001, STORY_SERVER, 5001), data;

    (void)state;
    story_data(st, other, C2S, 10);
    story_login(st);
    story_pasv(st, 43806);
    data = story_connect(st, 43806);
    story_client(st, "MLSD /pub");
    story_server(st, "150 go");
    story_data(st, data, S2C, 300);
    story_server(st, "226 ok");
    story_bulk(st, other);
    story_bulk(st, data);
    story_finish(st);
    assert_int_equal(sessions_transfer_count(st->sessions), 2);
    assert_string_equal(sessions_transfer(st->sessions, 0)->protocol, "bulk");
    assert_string_equal(sessions_transfer(st->sessions, 1)->verb, "LIST");
    assert_int_equal(sessions_transfer(st->sessions, 1)->id, 2);
    s = sessions_get(st->sessions, 0);
    assert_int_equal(s->flow_count, 2);
    assert_int_equal(s->flow_ids[0], st->control);
    assert_int_equal(s->flow_ids[1], data);
    assert_int_equal(s->transfer_count, 1);
    assert_int_equal(s->transfer_ids[0], 2);
    assert_int_equal(sessions_of_flow(st->sessions, other), 0);
    assert_int_equal(sessions_of_flow(st->sessions, st->control), 1);
    story_free(st);
}

/* 6000 greetings nobody answers: only so many stay open, and none of them is a session. */
static void test_open_dialogues_are_bounded(void **state)
{
    struct sessions *s = sessions_new(false, false);
    struct endpoint client = {story_addr(STORY_CLIENT), 1}, server = {story_addr(STORY_SERVER), 2};

    (void)state;
    for (uint64_t id = 1; id <= 6000; id++) {
        sessions_flow_start(s, id, &client, &server, true, (int64_t)id, id);
        assert_true(sessions_payload(s, id, S2C, 0, (const uint8_t *)"220 hi\r\n", 8, false,
                                     (int64_t)id, id));
    }
    assert_int_equal(sessions_dropped(s), 6000 - 4096);
    sessions_finish(s, NULL, 0, NULL, NULL);
    assert_int_equal(sessions_count(s), 0);
    sessions_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recognised),
        cmocka_unit_test(test_not_ftp),
        cmocka_unit_test(test_endless_line_is_dismissed),
        cmocka_unit_test(test_passwords),
        cmocka_unit_test(test_half_a_password),
        cmocka_unit_test(test_session_figures),
        cmocka_unit_test(test_name_lookup),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_open_dialogues_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
