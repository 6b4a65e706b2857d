/* needs: tests/decode_check.c */
/* Every tunnel that is opened, around the same segment, and what they make of tunnel_id. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/decode_check.h"

#define RAW 101
#define ETHER_IPV4 MACS, 0x08, 0x00, IPV4_TCP
#define ETHER_IPV4_BYTES (14 + IPV4_TCP_BYTES)

/* An outer IPv4 header, 10.0.0.1 > 10.0.0.2, around bytes of this protocol; low bytes only. */
#define OUTER_IPV4(protocol, bytes) \
    0x45, 0, 0, 20 + (bytes), 0, 1, 0, 0, 64, (protocol), 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
#define OUTER_IPV6(protocol, bytes) \
    0x60, 0, 0, 0, 0, (bytes), (protocol), 64, 0xfd, 0, ZEROS_8, 0, 0, 0, 0, 0, 1, 0xfd, 0, \
        ZEROS_8, 0, 0, 0, 0, 0, 2
/* UDP from port 50000 without a checksum. */
#define OUTER_UDP(port, bytes) \
    OUTER_IPV4(17, 8 + (bytes)), 0xc3, 0x50, (port) >> 8, (port) & 0xff, 0, 8 + (bytes), 0, 0

static const struct decode_case plain[] = {
    {"IPv4 in IPv4", RAW, 4, BYTES(OUTER_IPV4(4, IPV4_TCP_BYTES), IPV4_TCP)},
    {"IPv6 in IPv4", RAW, 6, BYTES(OUTER_IPV4(41, IPV6_TCP_BYTES), IPV6_TCP)},
    {"IPv4 in IPv6", RAW, 4, BYTES(OUTER_IPV6(4, IPV4_TCP_BYTES), IPV4_TCP)},
    {"IPv6 in IPv6", RAW, 6, BYTES(OUTER_IPV6(41, IPV6_TCP_BYTES), IPV6_TCP)},
    {"GRE, IPv4", RAW, 4, BYTES(OUTER_IPV4(47, 4 + IPV4_TCP_BYTES), 0, 0, 0x08, 0x00, IPV4_TCP)},
    {"GRE, checksum and sequence number, IPv6", RAW, 6,
     BYTES(OUTER_IPV4(47, 12 + IPV6_TCP_BYTES), 0x90, 0, 0x86, 0xdd, 1, 2, 0, 0, 0, 0, 0, 9,
           IPV6_TCP)},
    {"GRE, bridged Ethernet", RAW, 4,
     BYTES(OUTER_IPV4(47, 4 + ETHER_IPV4_BYTES), 0, 0, 0x65, 0x58, ETHER_IPV4)},
    {"GRE, MPLS", RAW, 4,
     BYTES(OUTER_IPV4(47, 8 + IPV4_TCP_BYTES), 0, 0, 0x88, 0x47, 0x00, 0x01, 0x01, 0x40, IPV4_TCP)},
    {"GRE, WCCP version 2", RAW, 4,
     BYTES(OUTER_IPV4(47, 8 + IPV4_TCP_BYTES), 0, 0, 0x88, 0x3e, 0, 0, 0, 0, IPV4_TCP)},
    {"GRE in UDP", RAW, 4, BYTES(OUTER_UDP(4754, 4 + IPV4_TCP_BYTES), 0, 0, 0x08, 0x00, IPV4_TCP)},
    {"ERSPAN type I", RAW, 4,
     BYTES(OUTER_IPV4(47, 4 + ETHER_IPV4_BYTES), 0, 0, 0x88, 0xbe, ETHER_IPV4)},
    {"ERSPAN type II", RAW, 4,
     BYTES(OUTER_IPV4(47, 16 + ETHER_IPV4_BYTES), 0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0x05, 0, 1,
           0, 0, 0, 0, ETHER_IPV4)},
    {"ERSPAN type III", RAW, 4,
     BYTES(OUTER_IPV4(47, 20 + ETHER_IPV4_BYTES), 0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 0x05, 0, 1,
           ZEROS_8, ETHER_IPV4)},
    {"ERSPAN type III with 8 bytes more", RAW, 4,
     BYTES(OUTER_IPV4(47, 28 + ETHER_IPV4_BYTES), 0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 0x05, 0, 1,
           0, 0, 0, 0, 0, 0, 0, 1, ZEROS_8, ETHER_IPV4)},
    {"EtherIP", RAW, 4, BYTES(OUTER_IPV4(97, 2 + ETHER_IPV4_BYTES), 0x30, 0, ETHER_IPV4)},
    {"MPLS in IP", RAW, 4,
     BYTES(OUTER_IPV4(137, 4 + IPV4_TCP_BYTES), 0x00, 0x01, 0x01, 0x40, IPV4_TCP)},
    {"MPLS in UDP", RAW, 4,
     BYTES(OUTER_UDP(6635, 4 + IPV4_TCP_BYTES), 0x00, 0x01, 0x01, 0x40, IPV4_TCP)},
    {"Teredo", RAW, 6, BYTES(OUTER_UDP(3544, IPV6_TCP_BYTES), IPV6_TCP)},
    {"Teredo, authentication and origin", RAW, 6,
     BYTES(OUTER_UDP(3544, 21 + IPV6_TCP_BYTES), 0, 1, 0, 0, ZEROS_8, 0, 0, 0, 0x11, 0x22, 1, 2, 3,
           4, IPV6_TCP)},
    {"TZSP, one tag", RAW, 4,
     BYTES(OUTER_UDP(37008, 8 + ETHER_IPV4_BYTES), 1, 0, 0, 1, 10, 1, 0xaa, 1, ETHER_IPV4)},
};

static const struct decode_case numbered[] = {
    {"GRE, key", RAW, 4,
     BYTES(OUTER_IPV4(47, 8 + IPV4_TCP_BYTES), 0x20, 0, 0x08, 0x00, 0, 0, 0, 77, IPV4_TCP)},
    {"GRE of PPTP, sequence and acknowledgment, PPP", RAW, 4,
     BYTES(OUTER_IPV4(47, 20 + IPV4_TCP_BYTES), 0x30, 0x81, 0x88, 0x0b, 0, 50, 0, 1, 0, 0, 0, 1, 0,
           0, 0, 1, 0xff, 0x03, 0x00, 0x21, IPV4_TCP)},
    {"VXLAN", RAW, 4,
     BYTES(OUTER_UDP(4789, 8 + ETHER_IPV4_BYTES), 0x08, 0, 0, 0, 0, 0, 77, 0, ETHER_IPV4)},
    {"VXLAN, Linux's old port, tagged frame", RAW, 4,
     BYTES(OUTER_UDP(8472, 26 + IPV4_TCP_BYTES), 0x08, 0, 0, 0, 0, 0, 78, 0, MACS, 0x81, 0x00, 0, 9,
           0x08, 0x00, IPV4_TCP)},
    {"VXLAN-GPE, IPv6", RAW, 6,
     BYTES(OUTER_UDP(4790, 8 + IPV6_TCP_BYTES), 0x0c, 0, 0, 2, 0, 0, 79, 0, IPV6_TCP)},
    {"GENEVE, option of 8 bytes, Ethernet", RAW, 4,
     BYTES(OUTER_UDP(6081, 16 + ETHER_IPV4_BYTES), 0x02, 0, 0x65, 0x58, 0, 0, 77, 0, ZEROS_8,
           ETHER_IPV4)},
    {"GENEVE, IPv4", RAW, 4,
     BYTES(OUTER_UDP(6081, 8 + IPV4_TCP_BYTES), 0, 0, 0x08, 0x00, 0, 0, 80, 0, IPV4_TCP)},
    {"GTP-U", RAW, 4,
     BYTES(OUTER_UDP(2152, 8 + IPV4_TCP_BYTES), 0x30, 0xff, 0, 46, 0, 0, 0, 1, IPV4_TCP)},
    {"GTP-U, PDU session container", RAW, 6,
     BYTES(OUTER_UDP(2152, 16 + IPV6_TCP_BYTES), 0x34, 0xff, 0, 74, 0, 0, 0, 1, 0, 0, 0, 0x85, 1,
           0x10, 9, 0, IPV6_TCP)},
    {"L2TP, length and sequence, PPP", RAW, 4,
     BYTES(OUTER_UDP(1701, 16 + IPV4_TCP_BYTES), 0x48, 0x02, 0, 62, 0, 1, 0, 2, 0, 0, 0, 0, 0xff,
           0x03, 0x00, 0x21, IPV4_TCP)},
};

static void every_tunnel_opens(void **state)
{
    (void)state;
    check_cases(plain, COUNT_OF(plain));
    check_cases(numbered, COUNT_OF(numbered));
}

static struct segment segment_of(const uint8_t *bytes, size_t size)
{
    struct decoded *decoded = decode_bytes(RAW, bytes, size, size);
    struct segment seg = decoded->seg;

    assert_int_equal(decoded->result, DECODE_SEGMENT);
    decoded_free(decoded);
    return seg;
}

/* A tunnel without a number adds nothing to the identity of a flow; a number does, by its kind. */
static void tunnel_id_tells_numbered_tunnels_apart(void **state)
{
    uint32_t ids[COUNT_OF(numbered)];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        struct segment seg = segment_of(plain[i].bytes, plain[i].size);

        assert_int_equal(seg.tunnel_id, 0);
        assert_int_equal(seg.marks, SEGMENT_TUNNELLED);
    }
    for (size_t i = 0; i < COUNT_OF(numbered); i++) {
        struct segment seg = segment_of(numbered[i].bytes, numbered[i].size);

        ids[i] = seg.tunnel_id;
        assert_int_not_equal(ids[i], 0);
        assert_int_equal(seg.marks, SEGMENT_TUNNELLED);
        for (size_t j = 0; j < i; j++) {
            bool both_gtp = strncmp(numbered[i].what, "GTP", 3) == 0 &&
                            strncmp(numbered[j].what, "GTP", 3) == 0;
            assert_int_equal(ids[i] == ids[j], both_gtp);
        }
    }
    assert_int_equal(segment_of(numbered[3].bytes, numbered[3].size).vlan, 9);
}

/* A GTP-U tunnel has another TEID in each direction: both directions are one flow all the same. */
static void numbers_of_one_direction_are_ignored(void **state)
{
    static const uint8_t other[] = {OUTER_UDP(2152, 8 + IPV4_TCP_BYTES), 0x30, 0xff, 0, 46, 0x12,
                                    0x34, 0x56, 0x78, IPV4_TCP};

    (void)state;
    assert_int_equal(segment_of(other, sizeof other).tunnel_id,
                     segment_of(numbered[7].bytes, numbered[7].size).tunnel_id);
}

/* GRE key 77 inside VXLAN 77 and VXLAN 77 inside GRE key 77 are two tunnels. */
static void nested_numbers_are_mixed(void **state)
{
    static const uint8_t gre_outside[] = {
        OUTER_IPV4(47, 44 + ETHER_IPV4_BYTES), 0x20, 0, 0x08, 0x00, 0, 0, 0, 77,
        OUTER_UDP(4789, 8 + ETHER_IPV4_BYTES), 0x08, 0, 0, 0, 0, 0, 77, 0, ETHER_IPV4};
    static const uint8_t vxlan_outside[] = {
        OUTER_UDP(4789, 50 + ETHER_IPV4_BYTES), 0x08, 0, 0, 0, 0, 0, 77, 0, MACS, 0x08, 0x00,
        OUTER_IPV4(47, 8 + IPV4_TCP_BYTES), 0x20, 0, 0x08, 0x00, 0, 0, 0, 77, IPV4_TCP};
    uint32_t one = segment_of(gre_outside, sizeof gre_outside).tunnel_id;
    uint32_t other = segment_of(vxlan_outside, sizeof vxlan_outside).tunnel_id;

    (void)state;
    assert_int_not_equal(one, other);
    assert_int_not_equal(one, segment_of(numbered[0].bytes, numbered[0].size).tunnel_id);
    assert_int_not_equal(other, segment_of(numbered[2].bytes, numbered[2].size).tunnel_id);
}

/* Four IP-in-IP headers are opened, a fifth is not. */
static void depth_is_limited(void **state)
{
    static const uint8_t five[] = {OUTER_IPV4(4, 126), OUTER_IPV4(4, 106), OUTER_IPV4(4, 86),
                                   OUTER_IPV4(4, 66), OUTER_IPV4(4, 46), IPV4_TCP};

    (void)state;
    struct decoded *decoded = decode_bytes(RAW, five + 20, sizeof five - 20, sizeof five - 20);
    check_segment_of(decoded, 4);
    decoded_free(decoded);
    decoded = decode_bytes(RAW, five, sizeof five, sizeof five);
    assert_int_equal(decoded_reason(decoded), SKIP_TUNNEL_DEPTH);
    decoded_free(decoded);
    check_beginnings(RAW, five, sizeof five);
}

/* What looks like a tunnel by its port or protocol only. */
static const struct {
    const char *what;
    enum skip_reason reason;
    const uint8_t *bytes;
    size_t size;
} skipped[] = {
    {"VXLAN's port without the I bit", SKIP_NOT_TCP, BYTES(OUTER_UDP(4789, 8), ZEROS_8)},
    {"GENEVE of version 1", SKIP_NOT_TCP, BYTES(OUTER_UDP(6081, 8), 0x40, 0, 0, 0, 0, 0, 0, 0)},
    {"GTP-U echo request", SKIP_NOT_TCP, BYTES(OUTER_UDP(2152, 8), 0x32, 1, 0, 4, 0, 0, 0, 0)},
    {"GTP-U extension header of length 0", SKIP_MALFORMED,
     BYTES(OUTER_UDP(2152, 16), 0x34, 0xff, 0, 8, 0, 0, 0, 1, 0, 0, 0, 0x85, 0, 0, 0, 0)},
    {"L2TP control message", SKIP_NOT_TCP, BYTES(OUTER_UDP(1701, 8), 0xc8, 2, 0, 12, 0, 0, 0, 0)},
    {"GRE with source routes", SKIP_NOT_TCP,
     BYTES(OUTER_IPV4(47, 8), 0x40, 0, 0x08, 0, 0, 0, 0, 0)},
    {"GRE, ARP", SKIP_NOT_IP, BYTES(OUTER_IPV4(47, 12), 0, 0, 0x08, 0x06, ZEROS_8)},
    {"PPTP acknowledgment alone", SKIP_NOT_TCP,
     BYTES(OUTER_IPV4(47, 12), 0x20, 0x81, 0x88, 0x0b, 0, 0, 0, 1, 0, 0, 0, 1)},
    {"ESP", SKIP_ENCRYPTED, BYTES(OUTER_IPV4(50, 8), ZEROS_8)},
    {"ESP in UDP", SKIP_ENCRYPTED, BYTES(OUTER_UDP(4500, 8), 1, 2, 3, 4, 0, 0, 0, 1)},
    {"IKE on ESP's port", SKIP_NOT_TCP, BYTES(OUTER_UDP(4500, 8), ZEROS_8)},
    {"UDP inside VXLAN", SKIP_NOT_TCP,
     BYTES(OUTER_UDP(4789, 50), 0x08, 0, 0, 0, 0, 0, 77, 0, MACS, 0x08, 0x00, OUTER_UDP(9, 0))},
};

static void lookalikes_are_skipped(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(skipped); i++) {
        print_message("  %s\n", skipped[i].what);
        struct decoded *decoded = decode_bytes(RAW, skipped[i].bytes, skipped[i].size,
                                               skipped[i].size);
        assert_int_equal(decoded_reason(decoded), skipped[i].reason);
        decoded_free(decoded);
        check_beginnings(RAW, skipped[i].bytes, skipped[i].size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tunnel_opens),
        cmocka_unit_test(tunnel_id_tells_numbered_tunnels_apart),
        cmocka_unit_test(numbers_of_one_direction_are_ignored),
        cmocka_unit_test(nested_numbers_are_mixed),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(lookalikes_are_skipped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
