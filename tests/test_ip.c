/* needs: tests/decode_check.c */
/* IPv4 and IPv6: lengths, fragments, extension headers, jumbograms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/decode_check.h"

#define RAW 101
#define IPV4_TCP_PORTS 0x10, 0xe1, 0x00, 0x14
#define IPV6_START(next_header, bytes) 0x60, 0x20, 0x00, 0x00, 0x00, (bytes), (next_header), 0x3d

/* TCP of 26 bytes behind every extension header that is stepped over, and combinations */
static const struct decode_case cases[] = {
    {"IPv4, 4 bytes of options", RAW, 4,
     BYTES(0x46, 0x02, 0x00, 0x32, 0x12, 0x34, 0x00, 0x00, 0x3c, 0x06, 0, 0, 0xc0, 0x00, 0x02, 0x01,
           0xc6, 0x33, 0x64, 0x02, 0x94, 0x04, 0x00, 0x00, 0x10, 0xe1, 0x00, 0x14, 0x01, 0x02, 0x03,
           0x04, 0x0a, 0x0b, 0x0c, 0x0d, 0x50, 0x18, 0x60, 0xf4, 0x0d, 0x5b, 0x00, 0x00, 'a', 'b',
           'c', 'd', 'e', 'f')},
    {"IPv4, authentication header of 24 bytes", RAW, 4,
     BYTES(0x45, 0x02, 0x00, 0x46, 0x12, 0x34, 0x00, 0x00, 0x3c, 51, 0, 0, 0xc0, 0x00, 0x02, 0x01,
           0xc6, 0x33, 0x64, 0x02, 6, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, ZEROS_8, 0, 0, 0, 0, 0x10,
           0xe1, 0x00, 0x14, 0x01, 0x02, 0x03, 0x04, 0x0a, 0x0b, 0x0c, 0x0d, 0x50, 0x18, 0x60, 0xf4,
           0x0d, 0x5b, 0x00, 0x00, 'a', 'b', 'c', 'd', 'e', 'f')},
    {"IPv6, hop-by-hop options", RAW, 6,
     BYTES(IPV6_START(0, 34), IPV6_ADDRS, 6, 0, 5, 2, 0, 0, 1, 0, TCP_OVER_IPV6)},
    {"IPv6, destination options of 16 bytes", RAW, 6,
     BYTES(IPV6_START(60, 42), IPV6_ADDRS, 6, 1, 1, 12, ZEROS_8, 0, 0, 0, 0, TCP_OVER_IPV6)},
    {"IPv6, routing header used up", RAW, 6,
     BYTES(IPV6_START(43, 50), IPV6_ADDRS, 6, 2, 0, 0, 0, 0, 0, 0, ZEROS_16, TCP_OVER_IPV6)},
    {"IPv6, authentication header", RAW, 6,
     BYTES(IPV6_START(51, 50), IPV6_ADDRS, 6, 4, 0, 0, ZEROS_16, 0, 0, 0, 0, TCP_OVER_IPV6)},
    {"IPv6, mobility header", RAW, 6,
     BYTES(IPV6_START(135, 34), IPV6_ADDRS, 6, 0, 0, 0, 0, 0, 0, 0, TCP_OVER_IPV6)},
    {"IPv6, atomic fragment (RFC 6946)", RAW, 6,
     BYTES(IPV6_START(44, 34), IPV6_ADDRS, 6, 0, 0, 0, 0, 0, 0, 9, TCP_OVER_IPV6)},
    {"IPv6, three extension headers", RAW, 6,
     BYTES(IPV6_START(0, 50), IPV6_ADDRS, 60, 0, 1, 4, 0, 0, 0, 0, 44, 0, 1, 4, 0, 0, 0, 0, 6, 0, 0,
           0, 0, 0, 0, 9, TCP_OVER_IPV6)},
    /* one more hop to go: the checksum agrees with the last address, which is last in the list of
     * type 0 and first in that of segment routing */
    {"IPv6, routing header of type 0", RAW, 6,
     BYTES(IPV6_START(43, 50), 0x20, 0x01, 0x0d, 0xb8, ZEROS_8, 0, 0, 0, 0x01, 0xfd, ZEROS_8, 0, 0,
           0, 0, 0, 0, 0x77, 6, 2, 0, 1, 0, 0, 0, 0, 0x20, 0x01, 0x0d, 0xb8, ZEROS_8, 0, 0, 0,
           0x02, TCP_OVER_IPV6)},
    {"IPv6, segment routing", RAW, 6,
     BYTES(IPV6_START(43, 66), 0x20, 0x01, 0x0d, 0xb8, ZEROS_8, 0, 0, 0, 0x01, 0xfd, ZEROS_8, 0, 0,
           0, 0, 0, 0, 0x77, 6, 4, 4, 1, 1, 0, 0, 0, 0x20, 0x01, 0x0d, 0xb8, ZEROS_8, 0, 0, 0,
           0x02, ZEROS_16, TCP_OVER_IPV6)},
};

static void headers_are_stepped_over(void **state)
{
    (void)state;
    check_cases(cases, COUNT_OF(cases));
}

/* Segmentation offload leaves length 0: the frame's length counts, without its FCS. */
static void length_0_is_taken_from_the_frame(void **state)
{
    uint8_t ipv4[] = {IPV4_TCP}, ipv6[] = {IPV6_TCP};

    (void)state;
    ipv4[2] = ipv4[3] = 0;
    ipv6[4] = ipv6[5] = 0;
    struct decoded *decoded = decode_bytes(RAW, ipv4, sizeof ipv4, sizeof ipv4);
    assert_int_equal(decoded->seg.payload_bytes, 6);
    assert_int_equal(decoded->seg.marks, SEGMENT_LENGTH_FROM_FRAME);
    assert_int_equal(decoded->counts.length_from_frame, 1);
    decoded_free(decoded);
    decoded = decode_bytes(RAW, ipv6, sizeof ipv6, 70000); /* BIG TCP, snaplen 66 */
    assert_int_equal(decoded->seg.payload_bytes, 70000 - 60);
    assert_int_equal(decoded->seg.payload_captured, 6);
    assert_int_equal(decoded->seg.marks, SEGMENT_LENGTH_FROM_FRAME);
    decoded_free(decoded);

    struct decode_counts counts = {0};
    struct segment seg;
    struct notice notice;
    struct packet packet = {.data = ipv4, .captured_bytes = sizeof ipv4, .wire_bytes = sizeof ipv4,
                            .link_type = RAW, .fcs_bytes = 4};
    assert_int_equal(decode_packet(&packet, false, &counts, &seg, &notice), DECODE_SEGMENT);
    assert_int_equal(seg.payload_bytes, 2);
}

/* A file whose wire length is what was kept: the IP header knows better. */
static void ip_length_beyond_the_frame_is_believed(void **state)
{
    uint8_t ipv4[] = {IPV4_TCP};

    (void)state;
    ipv4[2] = 0x05, ipv4[3] = 0xdc; /* 1500 */
    struct decoded *decoded = decode_bytes(RAW, ipv4, sizeof ipv4, sizeof ipv4);
    assert_int_equal(decoded->seg.payload_bytes, 1460);
    assert_int_equal(decoded->seg.payload_captured, 6);
    decoded_free(decoded);
}

/* A jumbogram of 65,580 bytes behind its hop-by-hop option (RFC 2675), and ones that lie. */
static void jumbograms_are_read(void **state)
{
    static const uint8_t start[] = {0x60, 0x20, 0, 0, 0, 0, 0, 0x3d, IPV6_ADDRS, 6, 0, 0xc2, 4, 0,
                                    1, 0, 0x2c, TCP_OVER_IPV6};
    uint8_t lies[sizeof start];

    (void)state;
    struct decoded *decoded = decode_bytes(RAW, start, sizeof start, 40 + 65580 + 4);
    assert_int_equal(decoded->result, DECODE_SEGMENT);
    assert_int_equal(decoded->seg.payload_bytes, 65580 - 8 - 20);
    assert_int_equal(decoded->counts.jumbograms, 1);
    assert_int_equal(decoded->counts.length_from_frame, 0);
    decoded_free(decoded);
    decoded = decode_bytes(RAW, start, sizeof start, 40 + 65579); /* longer than its frame */
    assert_int_equal(decoded_reason(decoded), SKIP_MALFORMED);
    decoded_free(decoded);
    memcpy(lies, start, sizeof lies);
    lies[5] = 34; /* a length besides the option */
    decoded = decode_bytes(RAW, lies, sizeof lies, 40 + 65580);
    assert_int_equal(decoded_reason(decoded), SKIP_MALFORMED);
    decoded_free(decoded);
    check_beginnings(RAW, start, sizeof start);
}

/* Decode IPv4 bytes whose field of flags and offset is replaced. */
static struct decoded *decode_fragment(uint16_t field, uint8_t protocol, uint8_t total_bytes)
{
    uint8_t ipv4[] = {IPV4_TCP};

    ipv4[3] = total_bytes;
    ipv4[6] = (uint8_t)(field >> 8);
    ipv4[7] = (uint8_t)field;
    ipv4[9] = protocol;
    return decode_bytes(RAW, ipv4, sizeof ipv4, sizeof ipv4);
}

static void ipv4_fragments_are_counted(void **state)
{
    (void)state;
    struct decoded *decoded = decode_fragment(0x2000, 6, 46); /* first */
    assert_int_equal(decoded->result, DECODE_SEGMENT);
    assert_int_equal(decoded->seg.marks, SEGMENT_FIRST_FRAGMENT);
    assert_int_equal(decoded->seg.payload_bytes, 6);
    assert_int_equal(decoded->counts.tcp_fragments, 1);
    assert_int_equal(decoded->counts.checksum_bad, 0); /* of a part, none can be computed */
    decoded_free(decoded);
    decoded = decode_fragment(0x2003, 6, 46); /* one in the middle */
    assert_int_equal(decoded_reason(decoded), SKIP_FRAGMENT);
    assert_int_equal(decoded->counts.tcp_fragments, 1);
    decoded_free(decoded);
    decoded = decode_fragment(0x0003, 17, 46); /* the last, UDP */
    assert_int_equal(decoded_reason(decoded), SKIP_FRAGMENT);
    assert_int_equal(decoded->counts.tcp_fragments, 0);
    decoded_free(decoded);
    decoded = decode_fragment(0x2000, 6, 28); /* a first one of 8 bytes */
    assert_int_equal(decoded_reason(decoded), SKIP_FRAGMENT);
    assert_int_equal(decoded->counts.tcp_fragments, 1);
    decoded_free(decoded);
    decoded = decode_fragment(0x4000, 6, 46); /* don't fragment */
    check_segment_of(decoded, 4);
    assert_int_equal(decoded->counts.tcp_fragments, 0);
    decoded_free(decoded);
}

static void ipv6_fragments_are_counted(void **state)
{
    uint8_t packet[] = {IPV6_START(44, 34), IPV6_ADDRS, 6, 0, 0, 1, 0, 0, 0, 9, TCP_OVER_IPV6};

    (void)state;
    struct decoded *decoded = decode_bytes(RAW, packet, sizeof packet, sizeof packet);
    assert_int_equal(decoded->result, DECODE_SEGMENT);
    assert_int_equal(decoded->seg.marks, SEGMENT_FIRST_FRAGMENT);
    assert_int_equal(decoded->counts.tcp_fragments, 1);
    decoded_free(decoded);
    packet[43] = 0x11; /* offset 2, more */
    decoded = decode_bytes(RAW, packet, sizeof packet, sizeof packet);
    assert_int_equal(decoded_reason(decoded), SKIP_FRAGMENT);
    assert_int_equal(decoded->counts.tcp_fragments, 1);
    decoded_free(decoded);
}

/* Headers that contradict themselves. */
static const struct {
    const char *what;
    int link_type;
    enum skip_reason reason;
    const uint8_t *bytes;
    size_t size;
} skipped[] = {
    {"IPv4 header of 16 bytes", 228, SKIP_MALFORMED, BYTES(0x44, 0, 0, 46, ZEROS_16)},
    {"IPv4 shorter than its header", 228, SKIP_MALFORMED, BYTES(0x45, 0, 0, 19, ZEROS_16)},
    {"IPv6 where IPv4 is said", 228, SKIP_MALFORMED, BYTES(IPV6_TCP)},
    {"IPv4 where IPv6 is said", 229, SKIP_MALFORMED, BYTES(IPV4_TCP)},
    {"RAW of version 5", 101, SKIP_NOT_IP, BYTES(0x50, 0, 0, 0)},
    {"UDP", 101, SKIP_NOT_TCP,
     BYTES(0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, ZEROS_8, 0, 9, 0, 9, 0, 8, 0, 0)},
    {"SCTP", 101, SKIP_NOT_TCP, BYTES(0x45, 0, 0, 28, 0, 0, 0, 0, 64, 132, 0, 0, ZEROS_16)},
    {"IPv6, no next header", 101, SKIP_NOT_TCP, BYTES(IPV6_START(59, 0), IPV6_ADDRS)},
    {"IPv6, extension header longer than the packet", 101, SKIP_MALFORMED,
     BYTES(IPV6_START(60, 8), IPV6_ADDRS, 6, 9, 0, 0, 0, 0, 0, 0)},
    {"TCP of 19 bytes", 101, SKIP_MALFORMED,
     BYTES(0x45, 0, 0, 39, 0, 0, 0, 0, 64, 6, 0, 0, ZEROS_8, IPV4_TCP_PORTS, ZEROS_8, 0x50, 0x10, 0,
           0, 0, 0, 0, 0)},
    {"TCP data offset of 4", 101, SKIP_MALFORMED,
     BYTES(0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, ZEROS_8, IPV4_TCP_PORTS, ZEROS_8, 0x40, 0x10, 0,
           0, 0, 0, 0, 0)},
    {"TCP data offset beyond the packet", 101, SKIP_MALFORMED,
     BYTES(0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, ZEROS_8, IPV4_TCP_PORTS, ZEROS_8, 0x60, 0x10, 0,
           0, 0, 0, 0, 0)},
};

static void contradictions_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(skipped); i++) {
        print_message("  %s\n", skipped[i].what);
        struct decoded *decoded = decode_bytes(skipped[i].link_type, skipped[i].bytes,
                                               skipped[i].size, skipped[i].size);
        assert_int_equal(decoded_reason(decoded), skipped[i].reason);
        assert_int_equal(decoded->counts.length_from_frame, 0);
        decoded_free(decoded);
        check_beginnings(skipped[i].link_type, skipped[i].bytes, skipped[i].size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_are_stepped_over),
        cmocka_unit_test(length_0_is_taken_from_the_frame),
        cmocka_unit_test(ip_length_beyond_the_frame_is_believed),
        cmocka_unit_test(jumbograms_are_read),
        cmocka_unit_test(ipv4_fragments_are_counted),
        cmocka_unit_test(ipv6_fragments_are_counted),
        cmocka_unit_test(contradictions_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
