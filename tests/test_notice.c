/* needs: tests/decode_check.c */
/* ICMP errors that quote TCP, and DNS messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/decode_check.h"

#define RAW 101
/* from a router 10.0.0.1 to 192.0.2.1 */
#define FROM_ROUTER(protocol, bytes) \
    0x45, 0, 0, 20 + (bytes), 0, 1, 0, 0, 64, (protocol), 0, 0, 10, 0, 0, 1, 192, 0, 2, 1
#define FROM_ROUTER6(protocol, bytes) 0x60, 0, 0, 0, 0, (bytes), (protocol), 64, IPV6_ADDRS
#define QUOTED_TCP 0x10, 0xe1, 0x00, 0x14, 1, 2, 3, 4

/* Errors and what they say; IPv4 ones quote IPV4_HEADER and 8 bytes of TCP. */
static const struct {
    const char *what;
    enum notice_kind kind;
    int ip_version;
    uint32_t mtu_bytes;
    const uint8_t *bytes;
    size_t size;
} errors[] = {
    {"fragmentation needed, MTU 1400", NOTICE_FRAGMENTATION_NEEDED, 4, 1400,
     BYTES(FROM_ROUTER(1, 36), 3, 4, 0, 0, 0, 0, 0x05, 0x78, IPV4_HEADER, QUOTED_TCP)},
    {"fragmentation needed by a router older than RFC 1191", NOTICE_FRAGMENTATION_NEEDED, 4, 0,
     BYTES(FROM_ROUTER(1, 36), 3, 4, 0, 0, 0, 0, 0, 0, IPV4_HEADER, QUOTED_TCP)},
    {"port unreachable, the whole packet quoted", NOTICE_UNREACHABLE, 4, 0,
     BYTES(FROM_ROUTER(1, 54), 3, 3, 0, 0, 0, 0, 0, 0, IPV4_TCP)},
    {"time exceeded", NOTICE_TIME_EXCEEDED, 4, 0,
     BYTES(FROM_ROUTER(1, 36), 11, 0, 0, 0, 0, 0, 0, 0, IPV4_HEADER, QUOTED_TCP)},
    {"redirect", NOTICE_OTHER_ICMP, 4, 0,
     BYTES(FROM_ROUTER(1, 36), 5, 1, 0, 0, 10, 0, 0, 9, IPV4_HEADER, QUOTED_TCP)},
    {"source quench", NOTICE_OTHER_ICMP, 4, 0,
     BYTES(FROM_ROUTER(1, 36), 4, 0, 0, 0, 0, 0, 0, 0, IPV4_HEADER, QUOTED_TCP)},
    {"parameter problem", NOTICE_OTHER_ICMP, 4, 0,
     BYTES(FROM_ROUTER(1, 36), 12, 0, 0, 0, 9, 0, 0, 0, IPV4_HEADER, QUOTED_TCP)},
    {"ICMPv6 packet too big, MTU 1280", NOTICE_FRAGMENTATION_NEEDED, 6, 1280,
     BYTES(FROM_ROUTER6(58, 74), 2, 0, 0, 0, 0, 0, 0x05, 0x00, IPV6_TCP)},
    {"ICMPv6 unreachable", NOTICE_UNREACHABLE, 6, 0,
     BYTES(FROM_ROUTER6(58, 74), 1, 4, 0, 0, 0, 0, 0, 0, IPV6_TCP)},
    {"ICMPv6 time exceeded, fragment header in the quotation", NOTICE_TIME_EXCEEDED, 6, 0,
     BYTES(FROM_ROUTER6(58, 64), 3, 0, 0, 0, 0, 0, 0, 0, 0x60, 0, 0, 0, 0, 34, 44, 1, IPV6_ADDRS, 6,
           0, 0, 1, 0, 0, 0, 9, QUOTED_TCP)},
    {"ICMPv6 parameter problem", NOTICE_OTHER_ICMP, 6, 0,
     BYTES(FROM_ROUTER6(58, 74), 4, 0, 0, 0, 0, 0, 0, 40, IPV6_TCP)},
};

static void check_error(const struct decoded *decoded, size_t i)
{
    static const uint8_t router[4] = {10, 0, 0, 1}, host[4] = {192, 0, 2, 1},
                         server[4] = {198, 51, 100, 2};
    const struct notice *notice = &decoded->notice;
    struct ip_addr expected;

    assert_int_equal(decoded->result, DECODE_NOTICE);
    assert_int_equal(decoded_reason(decoded), SKIP_NOT_TCP);
    assert_int_equal(decoded->counts.icmp, 1);
    assert_int_equal(notice->kind, errors[i].kind);
    assert_int_equal(notice->mtu_bytes, errors[i].mtu_bytes);
    assert_int_equal(notice->icmp_type, errors[i].bytes[errors[i].ip_version == 4 ? 20 : 40]);
    assert_int_equal(notice->icmp_code, errors[i].bytes[errors[i].ip_version == 4 ? 21 : 41]);
    assert_int_equal(notice->quoted_src_port, 4321);
    assert_int_equal(notice->quoted_dst_port, 20);
    assert_int_equal(notice->quoted_seq, 0x01020304);
    assert_int_equal(notice->frame, 5);
    assert_int_equal(notice->time_ns, 1000000007);
    assert_int_equal(ip_addr_is_v4(&notice->quoted_src), errors[i].ip_version == 4);
    if (errors[i].ip_version == 6)
        return;
    expected = ip_addr_from_v4(router);
    assert_memory_equal(&notice->src, &expected, sizeof expected);
    expected = ip_addr_from_v4(host);
    assert_memory_equal(&notice->dst, &expected, sizeof expected);
    assert_memory_equal(&notice->quoted_src, &expected, sizeof expected);
    expected = ip_addr_from_v4(server);
    assert_memory_equal(&notice->quoted_dst, &expected, sizeof expected);
}

static void errors_about_tcp_are_handed_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        print_message("  %s\n", errors[i].what);
        struct decoded *decoded =
            decode_bytes(RAW, errors[i].bytes, errors[i].size, errors[i].size);
        check_error(decoded, i);
        decoded_free(decoded);
        check_beginnings(RAW, errors[i].bytes, errors[i].size);
    }
}

/* ICMP that says nothing of TCP. */
static void other_icmp_is_counted_only(void **state)
{
    static const struct {
        const uint8_t bytes[60];
        size_t size;
    } packets[] = {
        /* echo request */
        {{FROM_ROUTER(1, 8), 8, 0, 0, 0, 0, 1, 0, 1}, 28},
        /* unreachable, quotes UDP */
        {{FROM_ROUTER(1, 36), 3, 3, 0, 0, 0, 0, 0, 0, FROM_ROUTER(17, 8), QUOTED_TCP}, 56},
        /* unreachable, quotes a later fragment */
        {{FROM_ROUTER(1, 36),
          3,
          4,
          0,
          0,
          0,
          0,
          0,
          0,
          0x45,
          0,
          0,
          28,
          0,
          1,
          0,
          9,
          64,
          6,
          0,
          0,
          10,
          0,
          0,
          1,
          10,
          0,
          0,
          2,
          QUOTED_TCP},
         56},
        /* unreachable, quotes 4 bytes of TCP */
        {{FROM_ROUTER(1, 32), 3, 4, 0, 0, 0, 0, 0, 0, IPV4_HEADER, 0x10, 0xe1, 0x00, 0x14}, 52},
        /* neighbour solicitation */
        {{FROM_ROUTER6(58, 8), 135, 0, 0, 0, 0, 0, 0, 0}, 48},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(packets); i++) {
        struct decoded *decoded = decode_bytes(RAW, packets[i].bytes, packets[i].size,
                                               packets[i].size);
        assert_int_equal(decoded->result, DECODE_SKIPPED);
        assert_int_equal(decoded_reason(decoded), SKIP_NOT_TCP);
        assert_int_equal(decoded->counts.icmp, 1);
        decoded_free(decoded);
    }
}

#define DNS_UDP(src_port, dst_port, bytes) \
    FROM_ROUTER(17, 8 + (bytes)), (src_port) >> 8, (src_port) & 0xff, (dst_port) >> 8, \
        (dst_port) & 0xff, 0, 8 + (bytes), 0, 0
/* ftp.example, type A, class IN: 17 bytes */
#define QUESTION 3, 'f', 't', 'p', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0, 0, 1, 0, 1

static struct notice notice_of(const uint8_t *bytes, size_t size)
{
    struct decoded *decoded = decode_bytes(RAW, bytes, size, size);
    struct notice notice = decoded->notice;

    assert_int_equal(decoded->result, DECODE_NOTICE);
    assert_int_equal(decoded->counts.udp, 1);
    decoded_free(decoded);
    check_beginnings(RAW, bytes, size);
    return notice;
}

static void a_question_is_read(void **state)
{
    static const uint8_t query[] = {DNS_UDP(5353, 53, 29), 0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0,
                                    QUESTION};

    (void)state;
    struct notice notice = notice_of(query, sizeof query);
    assert_int_equal(notice.kind, NOTICE_DNS_QUERY);
    assert_int_equal(notice.dns_id, 0x1234);
    assert_int_equal(notice.dns_type, 1);
    assert_int_equal(notice.dns_client_port, 5353);
    assert_int_equal(notice.dns_addr_count, 0);
    assert_string_equal(notice.dns_name, "ftp.example");
}

/* An alias, then two addresses; names by compression pointers. */
static void an_answer_gives_the_addresses(void **state)
{
    static const uint8_t answer[] = {
        DNS_UDP(53, 5353, 99), 0x12, 0x34, 0x81, 0x80, 0, 1, 0, 3, 0, 0, 0, 0, QUESTION,
        /* CNAME a.ftp.example */
        0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 4, 1, 'a', 0xc0, 12,
        /* A 192.0.2.7 */
        0xc0, 41, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7,
        /* AAAA 2001:db8::7 */
        0xc0, 41, 0, 28, 0, 1, 0, 0, 0, 60, 0, 16, 0x20, 0x01, 0x0d, 0xb8, ZEROS_8, 0, 0, 0, 7};
    static const uint8_t v4[4] = {192, 0, 2, 7};
    struct ip_addr first = ip_addr_from_v4(v4);
    struct ip_addr second = {{0x20, 0x01, 0x0d, 0xb8, [15] = 7}};

    (void)state;
    struct notice notice = notice_of(answer, sizeof answer);
    assert_int_equal(notice.kind, NOTICE_DNS_ANSWER);
    assert_int_equal(notice.dns_client_port, 5353);
    assert_int_equal(notice.dns_rcode, 0);
    assert_string_equal(notice.dns_name, "ftp.example");
    assert_int_equal(notice.dns_addr_count, 2);
    assert_memory_equal(&notice.dns_addrs[0], &first, sizeof first);
    assert_memory_equal(&notice.dns_addrs[1], &second, sizeof second);
}

static void a_refusal_gives_its_code(void **state)
{
    static const uint8_t answer[] = {
        DNS_UDP(53, 5353, 29), 0x12, 0x34, 0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0, QUESTION};

    (void)state;
    assert_int_equal(notice_of(answer, sizeof answer).dns_rcode, 3); /* no such name */
}

/* Nothing in a name can act on a terminal or pass for a separator. */
static void names_are_escaped(void **state)
{
    static const uint8_t query[] = {DNS_UDP(5353, 53, 27),
                                    0,
                                    1,
                                    1,
                                    0,
                                    0,
                                    1,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    5,
                                    0x1b,
                                    'a',
                                    '.',
                                    '\\',
                                    0xff,
                                    3,
                                    ' ',
                                    '-',
                                    '_',
                                    0,
                                    0,
                                    28,
                                    0,
                                    1};
    static const uint8_t root[] = {
        DNS_UDP(5353, 53, 17), 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1};

    (void)state;
    assert_string_equal(notice_of(query, sizeof query).dns_name, "\\027a\\046\\092\\255.\\032-_");
    assert_string_equal(notice_of(root, sizeof root).dns_name, "");
}

/* The longest name that a message can hold, all of it escaped, ends inside its field. */
static void long_names_are_cut(void **state)
{
    uint8_t query[28 + 12 + 4 * 64 + 5] = {DNS_UDP(5353, 53, 12), 0, 1, 1, 0, 0, 1};
    size_t at = 40;

    (void)state;
    query[2] = sizeof query >> 8;
    query[3] = sizeof query & 0xff;
    for (int label = 0; label < 4; label++) {
        query[at] = 63;
        memset(query + at + 1, 0x01, 63);
        at += 64;
    }
    query[at + 2] = query[at + 4] = 1;
    struct notice notice = notice_of(query, sizeof query);
    assert_int_equal(strlen(notice.dns_name), 253); /* 63 times \001 and a dot */
    assert_int_equal(strncmp(notice.dns_name, "\\001\\001", 8), 0);
}

/* Pointers that go forward or in circles, and messages without a question that can be read. */
static void damaged_messages_are_counted_only(void **state)
{
    static const struct {
        const uint8_t bytes[64];
        size_t size;
    } packets[] = {
        /* a pointer to itself */
        {{DNS_UDP(5353, 53, 18), 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1}, 46},
        /* a pointer forward */
        {{DNS_UDP(5353, 53, 20), 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 18, 0, 1, 0, 1, 1, 0},
         48},
        /* a pointer beyond the message */
        {{DNS_UDP(5353, 53, 18), 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 1, 0, 1}, 46},
        /* a label of 64 bytes (reserved type) */
        {{DNS_UDP(5353, 53, 18), 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x40, 'a', 0, 0, 0, 0}, 46},
        /* a name without end */
        {{DNS_UDP(5353, 53, 15), 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 'a', 'b'}, 43},
        /* no question */
        {{DNS_UDP(5353, 53, 12), 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 40},
        /* a dynamic update (opcode 5) */
        {{DNS_UDP(5353, 53, 29), 0, 1, 0x28, 0, 0, 1, 0, 0, 0, 0, 0, 0, QUESTION}, 57},
        /* 3 bytes */
        {{DNS_UDP(5353, 53, 3), 1, 2, 3}, 31},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(packets); i++) {
        struct decoded *decoded = decode_bytes(RAW, packets[i].bytes, packets[i].size,
                                               packets[i].size);
        assert_int_equal(decoded->result, DECODE_SKIPPED);
        assert_int_equal(decoded_reason(decoded), SKIP_NOT_TCP);
        assert_int_equal(decoded->counts.udp, 1);
        decoded_free(decoded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_about_tcp_are_handed_on),
        cmocka_unit_test(other_icmp_is_counted_only),
        cmocka_unit_test(a_question_is_read),
        cmocka_unit_test(an_answer_gives_the_addresses),
        cmocka_unit_test(a_refusal_gives_its_code),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(damaged_messages_are_counted_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
