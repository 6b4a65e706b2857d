/* needs: tests/ftp_story.c */
/* Which connection carries which transfer: the rules one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/ftp_story.h"

#define THIRD "203.0.113.9"

static uint64_t flow_of(struct story *st, size_t i)
{
    assert_true(i < sessions_transfer_count(st->sessions));
    return sessions_transfer(st->sessions, i)->flow_id;
}

/* One get on a control connection; reply announces, flow opens after it when from is not NULL. */
struct get {
    const char *command, *reply;
    const char *from, *to;
    uint16_t from_port, to_port;
};

static void check_get(const struct get *get, bool paired, enum direction direction)
{
    struct story *st = story_new();
    uint64_t data;

    story_login(st);
    story_client(st, get->command);
    story_server(st, get->reply);
    data = story_syn(st, get->from, get->from_port, get->to, get->to_port);
    story_client(st, "RETR a");
    story_server(st, "150 go");
    story_data(st, data, direction, 9);
    story_server(st, "226 ok");
    story_finish(st);
    assert_int_equal(flow_of(st, 0), paired ? data : 0);
    if (paired) {
        assert_int_equal(sessions_transfer(st->sessions, 0)->direction, direction);
        assert_int_equal(sessions_transfer(st->sessions, 0)->bytes, 9);
    }
    story_free(st);
}

/* Rule 1, passive: PASV, EPSV, LPSV. */
static void test_passive(void **state)
{
    static const struct get gets[] = {
        {"PASV", "227 ok (198,51,100,7,171,30)", STORY_CLIENT, STORY_SERVER, 41000, 43806},
        {"EPSV", "229 ok (|||43806|)", STORY_CLIENT, STORY_SERVER, 41000, 43806},
        {"EPSV 1", "229 ok (|||43806|)", STORY_CLIENT, STORY_SERVER, 41000, 43806},
        {"LPSV", "228 ok (4,4,198,51,100,7,2,171,30)", STORY_CLIENT, STORY_SERVER, 41000, 43806},
    };

    (void)state;
    for (size_t i = 0; i < sizeof gets / sizeof gets[0]; i++)
        check_get(&gets[i], true, S2C);
}

/* Rule 1, active, from port 20 or not: the data flow's client is the FTP server. */
static void test_active(void **state)
{
    static const struct get gets[] = {
        {"PORT 192,0,2,1,156,67", "200 ok", STORY_SERVER, STORY_CLIENT, 20, 40003},
        {"PORT 192,0,2,1,156,67", "200 ok", STORY_SERVER, STORY_CLIENT, 61920, 40003},
        {"EPRT |1|192.0.2.1|40003|", "200 ok", STORY_SERVER, STORY_CLIENT, 20, 40003},
        {"LPRT 4,4,192,0,2,1,2,156,67", "200 ok", STORY_SERVER, STORY_CLIENT, 20, 40003},
    };

    (void)state;
    for (size_t i = 0; i < sizeof gets / sizeof gets[0]; i++)
        check_get(&gets[i], true, C2S);
}

/* Rule 7: the announced address is private, nothing, or the far side of address translation. */
static void test_translated_addresses(void **state)
{
    static const struct get gets[] = {
        {"PASV", "227 ok (10,0,0,5,171,30)", STORY_CLIENT, STORY_SERVER, 41000, 43806},
        {"PASV", "227 ok (0,0,0,0,171,30)", STORY_CLIENT, STORY_SERVER, 41000, 43806},
        {"PASV", "227 ok (127,0,0,1,171,30)", STORY_CLIENT, STORY_SERVER, 41000, 43806},
        {"PASV", "227 ok (198,51,100,7,171,30)", STORY_CLIENT, THIRD, 41000, 43806},
        {"EPSV", "229 ok (|||43806|)", THIRD, STORY_SERVER, 41000, 43806},
    };
    static const struct get strangers[] = {
        {"PASV", "227 ok (198,51,100,7,171,30)", STORY_CLIENT, STORY_SERVER, 41000, 43807},
        {"PASV", "227 ok (198,51,100,7,171,30)", THIRD, "203.0.113.10", 41000, 43806},
        {"PASV", "227 ok (198,51,100,7,1,187)", STORY_CLIENT, THIRD, 41000, 443},
        {"PASV", "421 bye", STORY_CLIENT, STORY_SERVER, 41000, 43806},
    };

    (void)state;
    for (size_t i = 0; i < sizeof gets / sizeof gets[0]; i++)
        check_get(&gets[i], true, S2C);
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        check_get(&strangers[i], false, S2C);
}

/* Rule 2: the newest wins; an address lives until the next one or the final reply. */
static void test_newest_wins(void **state)
{
    struct story *st = story_new();
    uint64_t late, data;

    (void)state;
    story_login(st);
    story_pasv(st, 50000);
    story_pasv(st, 50001);
    late = story_connect(st, 50000); /* given up by the second PASV */
    story_wait_ms(st, 3600000);      /* no fixed time */
    data = story_connect(st, 50001);
    story_client(st, "RETR a");
    story_server(st, "150 go");
    story_server(st, "226 ok");
    story_connect(st, 50001); /* after the final reply */
    story_finish(st);
    assert_int_equal(flow_of(st, 0), data);
    assert_int_equal(sessions_of_flow(st->sessions, late), 0);
    assert_int_equal(sessions_of_flow(st->sessions, data + 1), 0);
    story_free(st);
}

/* Rule 3: the SYN stands before the reply in the file, at most 2 s. */
static void test_look_back(void **state)
{
    for (int64_t wait_ms = 0; wait_ms <= 2500; wait_ms += 2500) {
        struct story *st = story_new();
        uint64_t data;

        (void)state;
        story_login(st);
        story_client(st, "PASV");
        data = story_connect(st, 43806);
        story_wait_ms(st, wait_ms);
        story_server(st, "227 (198,51,100,7,171,30)");
        story_client(st, "RETR a");
        story_server(st, "150 go");
        story_finish(st);
        assert_int_equal(flow_of(st, 0), wait_ms == 0 ? data : 0);
        story_free(st);
    }
}

/* Rule 3 for PORT. */
static void test_look_back_active(void **state)
{
    struct story *st = story_new();
    uint64_t data;

    (void)state;
    story_login(st);
    data = story_syn(st, STORY_SERVER, 20, STORY_CLIENT, 40003);
    story_client(st, "PORT 192,0,2,1,156,67");
    story_server(st, "200 ok");
    story_client(st, "STOR a");
    story_data(st, data, S2C, 9);
    story_finish(st);
    assert_int_equal(flow_of(st, 0), data);
    assert_int_equal(sessions_transfer(st->sessions, 0)->direction, S2C);
    story_free(st);
}

/* Rule 4: one client, two servers, the data goes from the second to the first. */
static void test_server_to_server(void **state)
{
    struct story *st = story_new();
    uint64_t first = st->control, second, data;

    (void)state;
    story_login(st);
    second = story_syn(st, STORY_CLIENT, 40001, THIRD, 21);
    st->control = second;
    story_login(st);
    st->control = first;
    story_pasv(st, 43806);
    st->control = second;
    story_client(st, "PORT 198,51,100,7,171,30");
    story_server(st, "200 ok");
    st->control = first;
    story_client(st, "STOR copy");
    st->control = second;
    story_client(st, "RETR original");
    data = story_syn(st, THIRD, 20, STORY_SERVER, 43806);
    story_data(st, data, C2S, 70);
    story_server(st, "226 ok");
    st->control = first;
    story_server(st, "226 ok");
    story_finish(st);
    assert_int_equal(sessions_count(st->sessions), 2);
    assert_int_equal(sessions_transfer_count(st->sessions), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(flow_of(st, i), data);
        assert_int_equal(sessions_transfer(st->sessions, i)->direction, C2S);
        assert_int_equal(sessions_transfer(st->sessions, i)->bytes, 70);
    }
    story_free(st);
}

/* Rule 5: the same five-tuple again is another flow and another transfer. */
static void test_port_reuse(void **state)
{
    struct story *st = story_new();
    uint64_t data[2];

    (void)state;
    story_login(st);
    for (int i = 0; i < 2; i++) {
        story_client(st, "PORT 192,0,2,1,156,67");
        story_server(st, "200 ok");
        story_client(st, "RETR a");
        data[i] = story_syn(st, STORY_SERVER, 20, STORY_CLIENT, 40003);
        story_server(st, "150 go\r\n226 ok");
    }
    story_finish(st);
    assert_int_equal(flow_of(st, 0), data[0]);
    assert_int_equal(flow_of(st, 1), data[1]);
    story_free(st);
}

/* Rule 5: the control connection's five-tuple again is another session. */
static void test_control_reuse(void **state)
{
    struct story *st = story_new();

    (void)state;
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            st->control = story_syn(st, STORY_CLIENT, 40000, STORY_SERVER, 21);
        story_login(st);
        story_client(st, "QUIT");
        story_server(st, "221 Goodbye.");
    }
    story_finish(st);
    assert_int_equal(sessions_count(st->sessions), 3);
    assert_int_equal(sessions_get(st->sessions, 2)->control_flow_id, 3);
    story_free(st);
}

/* Rule 6: no SYN; the guess of client and server may be the wrong way round. */
static void test_without_syn(void **state)
{
    for (int turned = 0; turned < 2; turned++) {
        struct story *st = story_new();
        uint64_t data;

        (void)state;
        story_login(st);
        story_pasv(st, 43806);
        data = turned ? story_midway(st, STORY_SERVER, 43806, STORY_CLIENT, 41000)
                      : story_midway(st, STORY_CLIENT, 50000, STORY_SERVER, 43806);
        story_client(st, "RETR a");
        story_data(st, data, turned ? C2S : S2C, 10);
        story_finish(st);
        assert_int_equal(flow_of(st, 0), data);
        assert_int_equal(sessions_transfer(st->sessions, 0)->direction, turned ? C2S : S2C);
        story_free(st);
    }
}

/* Rule 8: the payload decides against the verb. */
static void test_payload_direction(void **state)
{
    struct story *st = story_new();
    uint64_t data;

    (void)state;
    story_login(st);
    story_pasv(st, 43806);
    data = story_connect(st, 43806);
    story_client(st, "RETR a");
    story_data(st, data, C2S, 10);
    story_finish(st);
    assert_int_equal(sessions_transfer(st->sessions, 0)->direction, C2S);
    assert_int_equal(sessions_transfer(st->sessions, 0)->bytes, 10);
    story_free(st);
}

/* A refused PORT leaves nothing to wait for. */
static void test_refused_port(void **state)
{
    struct story *st = story_new();

    (void)state;
    story_login(st);
    story_client(st, "PORT 192,0,2,1,156,67");
    story_server(st, "500 Illegal PORT command.");
    story_syn(st, STORY_SERVER, 20, STORY_CLIENT, 40003);
    story_client(st, "RETR a");
    story_server(st, "425 Use PORT or PASV first.");
    story_finish(st);
    assert_int_equal(flow_of(st, 0), 0);
    assert_int_equal(sessions_transfer(st->sessions, 0)->final_reply, 425);
    story_free(st);
}

/* More than 64 other connections since: the one before them is forgotten, memory bounded. */
static void test_strangers_are_bounded(void **state)
{
    struct sessions *s = sessions_new(false, false);
    struct endpoint client = {story_addr(STORY_CLIENT), 1}, server = {story_addr(THIRD), 2};

    (void)state;
    for (uint64_t id = 1; id <= 200000; id++)
        assert_true(sessions_flow_start(s, id, &client, &server, true, (int64_t)id, id));
    assert_false(sessions_payload(s, 1, S2C, 0, (const uint8_t *)"220 hi\r\n", 8, false, 1, 1));
    assert_true(
        sessions_payload(s, 200000, S2C, 0, (const uint8_t *)"220 hi\r\n", 8, false, 1, 1));
    assert_int_equal(sessions_dropped(s), 0);
    sessions_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passive),
        cmocka_unit_test(test_active),
        cmocka_unit_test(test_translated_addresses),
        cmocka_unit_test(test_newest_wins),
        cmocka_unit_test(test_look_back),
        cmocka_unit_test(test_look_back_active),
        cmocka_unit_test(test_server_to_server),
        cmocka_unit_test(test_port_reuse),
        cmocka_unit_test(test_control_reuse),
        cmocka_unit_test(test_without_syn),
        cmocka_unit_test(test_payload_direction),
        cmocka_unit_test(test_refused_port),
        cmocka_unit_test(test_strangers_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
