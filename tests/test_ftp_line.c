/* Lines and words of FTP control connections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/session/ftp_line.h"
#include "analysis/session/ftp_parse.h"

/* All lines of a text fed in pieces of this size, joined by '|'. */
static void lines_of(const char *text, size_t length, uint32_t piece, char *out)
{
    struct ftp_line_reader reader = {{0}, 0, 0, 0, 0, 0, 0};
    const uint8_t *data = (const uint8_t *)text, *end = data + length;

    out[0] = '\0';
    while (data < end) {
        uint32_t left = end - data < piece ? (uint32_t)(end - data) : piece;

        while (ftp_line_read(&reader, &data, &left)) {
            strcat(out, reader.text);
            strcat(out, "|");
        }
    }
}

static void check_lines(const char *text, size_t length, const char *expected)
{
    char out[256];

    for (uint32_t piece = 1; piece <= length; piece++) {
        lines_of(text, length, piece, out);
        assert_string_equal(out, expected);
    }
}

#define CHECK_LINES(text, expected) check_lines(text, sizeof(text) - 1, expected)

static void test_line_ends(void **state)
{
    (void)state;
    CHECK_LINES("USER a\r\nPASS b\r\n", "USER a|PASS b|");
    CHECK_LINES("USER a\nPASS b\n", "USER a|PASS b|");
    CHECK_LINES("\r\n\nX\r\r\nunfinished", "||X\r|");
    CHECK_LINES("NUL\0 inside\r\0\n", "NUL inside|");
}

/* RFC 959 section 4.1.3: ABOR comes after Telnet IP and Synch: FF F4, FF F2 (RFC 854). */
static void test_telnet_codes(void **state)
{
    (void)state;
    CHECK_LINES("\xff\xf4\xff\xf2" "ABOR\r\n", "ABOR|");
    CHECK_LINES("\xff\xfb\x01STAT\r\n", "STAT|");
    CHECK_LINES("RETR a\xff\xff" "b\r\n", "RETR a\xff" "b|");
    CHECK_LINES("RETR \xff" "b\r\n", "RETR \xff" "b|");
}

static void test_long_line_keeps_its_head(void **state)
{
    static uint8_t text[6000];
    struct ftp_line_reader reader = {{0}, 0, 0, 0, 0, 0, 0};
    const uint8_t *data = text;
    uint32_t left = sizeof text;

    (void)state;
    memset(text, 'A', sizeof text);
    memcpy(text, "RETR ", 5);
    memcpy(text + 4998, "\r\nQUIT\r\n", 8);
    assert_true(ftp_line_read(&reader, &data, &left));
    assert_int_equal(strlen(reader.text), FTP_LINE_MAX);
    assert_memory_equal(reader.text, "RETR AAAA", 9);
    assert_int_equal(reader.cut_lines, 1);
    assert_true(ftp_line_read(&reader, &data, &left));
    assert_string_equal(reader.text, "QUIT");
    assert_false(reader.cut);
}

static void test_lost_bytes(void **state)
{
    struct ftp_line_reader reader = {{0}, 0, 0, 0, 0, 0, 0};
    const uint8_t *data = (const uint8_t *)"PASS ses";
    uint32_t left = 8;

    (void)state;
    assert_false(ftp_line_read(&reader, &data, &left));
    assert_false(ftp_line_at_start(&reader));
    ftp_line_lost(&reader);
    data = (const uint8_t *)"me\r\nSYST\r\n";
    left = 10;
    assert_true(ftp_line_read(&reader, &data, &left));
    assert_string_equal(reader.text, "me");
    assert_true(reader.unsure);
    assert_true(ftp_line_read(&reader, &data, &left));
    assert_false(reader.unsure);
    assert_true(ftp_line_at_start(&reader));
}

static void test_commands(void **state)
{
    struct ftp_command command;

    (void)state;
    assert_true(ftp_parse_command("retr my file ", &command));
    assert_int_equal(command.verb->id, FTP_RETR);
    assert_string_equal(command.verb->name, "RETR");
    assert_string_equal(command.argument, "my file ");
    assert_true(ftp_parse_command("PASV", &command));
    assert_string_equal(command.argument, "");
    assert_true(ftp_parse_command("MLSD /pub", &command));
    assert_string_equal(command.verb->name, "LIST");
    assert_true(ftp_parse_command("XSHA256 f", &command));
    assert_int_equal(command.verb->id, FTP_UNKNOWN);
    assert_false(ftp_parse_command("", &command));
    assert_false(ftp_parse_command("GET/ HTTP/1.1", &command));
    assert_false(ftp_parse_command("\x16\x03\x01", &command));
    assert_false(ftp_parse_command("AB", &command));
}

static void test_replies(void **state)
{
    struct ftp_reply reply;

    (void)state;
    assert_true(ftp_parse_reply("220-QTCP at host", &reply));
    assert_int_equal(reply.code, 220);
    assert_true(reply.more);
    assert_true(ftp_parse_reply("226 done", &reply));
    assert_false(reply.more);
    assert_string_equal(reply.text, "done");
    assert_true(ftp_parse_reply("226", &reply));
    assert_string_equal(reply.text, "");
    assert_false(ftp_parse_reply("2260 x", &reply));
    assert_false(ftp_parse_reply(" 226 x", &reply));
    assert_false(ftp_parse_reply("999 x", &reply));
    assert_false(ftp_parse_reply("22", &reply));
}

static void check_passive(int code, const char *text, const char *v4, uint16_t port)
{
    struct ftp_address address;

    assert_true(ftp_parse_passive(code, text, &address));
    assert_int_equal(address.port, port);
    assert_int_equal(address.addr_known, v4 != NULL);
    if (v4)
        assert_memory_equal(address.addr.bytes + 12, v4, 4);
}

/* 171,30 is port 43806, and so on: p1 * 256 + p2 (RFC 959 section 4.1.2). */
static void test_passive_replies(void **state)
{
    struct ftp_address address;

    (void)state;
    check_passive(227, "Entering Passive Mode (10,0,0,5,171,30)", "\x0a\0\0\x05", 43806);
    check_passive(227, "Entering Passive Mode (10,0,0,5,171,30).", "\x0a\0\0\x05", 43806);
    check_passive(227, "Entering Passive Mode. 10,0,0,5,171,30", "\x0a\0\0\x05", 43806);
    check_passive(227, "=10,0,0,5,171,30", "\x0a\0\0\x05", 43806);
    check_passive(227, "Mode 3 (10, 0, 0, 5, 171, 30)", "\x0a\0\0\x05", 43806);
    check_passive(227, "(0,0,0,0,171,30)", NULL, 43806);
    check_passive(228, "Entering Long Passive Mode (4,4,10,0,0,5,2,171,30)", "\x0a\0\0\x05", 43806);
    check_passive(228, "(6,16,32,1,13,184,0,0,0,0,0,0,0,0,0,0,0,1,2,171,30)", "\0\0\0\1", 43806);
    check_passive(229, "Entering Extended Passive Mode (|||43806|)", NULL, 43806);
    check_passive(229, "Extended Passive mode OK (!!!43806!)", NULL, 43806);
    check_passive(229, "ok (|1|10.0.0.5|43806|)", "\x0a\0\0\x05", 43806);
    assert_false(ftp_parse_passive(227, "(10,0,0,256,171,30)", &address));
    assert_false(ftp_parse_passive(227, "(10,0,0,5,171)", &address));
    assert_false(ftp_parse_passive(227, "(10,0,0,5,0,0)", &address));
    assert_false(ftp_parse_passive(229, "(|||65536|)", &address));
    assert_false(ftp_parse_passive(229, "(||||)", &address));
    assert_false(ftp_parse_passive(229, "", &address));
}

static void test_active_commands(void **state)
{
    struct ftp_address address;

    (void)state;
    assert_true(ftp_parse_active(FTP_PORT, "192,0,2,1,156,67", &address));
    assert_int_equal(address.port, 40003);
    assert_true(ftp_parse_active(FTP_EPRT, "|1|192.0.2.1|40003|", &address));
    assert_memory_equal(address.addr.bytes + 10, "\xff\xff\xc0\0\2\1", 6);
    assert_true(ftp_parse_active(FTP_EPRT, "|2|2001:db8::1|40003|", &address));
    assert_int_equal(address.addr.bytes[0], 0x20);
    assert_int_equal(address.port, 40003);
    /* From a public capture of a Solaris client. */
    assert_true(ftp_parse_active(
        FTP_LPRT, "6,16,254,128,0,0,0,0,0,2,10,0,32,255,254,34,232,15,2,132,2", &address));
    assert_int_equal(address.port, 33794);
    assert_false(ftp_parse_active(FTP_PORT, "114,115", &address));
    assert_false(ftp_parse_active(FTP_EPRT, "||40003|", &address));
    assert_false(ftp_parse_active(FTP_LPRT, "4,4,1,2,3,4,3,1,2,3", &address));
}

static void check_count(const char *text, uint64_t bytes, uint64_t slack)
{
    uint64_t got = 0, got_slack = 99;

    assert_true(ftp_parse_byte_count(text, &got, &got_slack));
    assert_int_equal(got, bytes);
    assert_int_equal(got_slack, slack);
}

static void test_byte_counts(void **state)
{
    uint64_t bytes, slack;

    (void)state;
    check_count("Opening BINARY mode data connection for big (209715200 bytes).", 209715200, 0);
    check_count("Opening data connection for x (25580260992 bytes)", UINT64_C(25580260992), 0);
    check_count("for (12 bytes) (77 bytes).", 12, 0);
    /* pure-ftpd: 6673256 / 1024 = 6516.85 is printed as 6516.9 */
    check_count("6516.9 kbytes to download", 6673305, 102);
    check_count("2 kbytes to download", 2048, 1024);
    assert_false(ftp_parse_byte_count("Here comes the directory listing.", &bytes, &slack));
    assert_false(ftp_parse_byte_count("for file (99 bytes.txt", &bytes, &slack) && bytes != 99);
    assert_false(ftp_parse_byte_count("( bytes)", &bytes, &slack));
    assert_false(ftp_parse_byte_count("(99999999999999999999999 bytes)", &bytes, &slack));
}

static void test_fitting_codes(void **state)
{
    struct ftp_command command;

    (void)state;
    ftp_parse_command("RETR x", &command);
    assert_true(ftp_reply_fits(command.verb, 226));
    assert_true(ftp_reply_fits(command.verb, 250)); /* z/OS, IBM i */
    assert_true(ftp_reply_fits(command.verb, 550));
    assert_false(ftp_reply_fits(command.verb, 213));
    ftp_parse_command("NOOP", &command);
    assert_true(ftp_reply_fits(command.verb, 213));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_telnet_codes),
        cmocka_unit_test(test_long_line_keeps_its_head),
        cmocka_unit_test(test_lost_bytes),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_replies),
        cmocka_unit_test(test_passive_replies),
        cmocka_unit_test(test_active_commands),
        cmocka_unit_test(test_byte_counts),
        cmocka_unit_test(test_fitting_codes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
