/* needs: tests/decode_check.c */
/* Every link type that can be opened, around the same segment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "capture/link_names.h"
#include "tests/decode_check.h"

#define ETHERNET 1

static const struct decode_case cases[] = {
    {"NULL, AF_INET of a little-endian host", 0, 4, BYTES(2, 0, 0, 0, IPV4_TCP)},
    {"NULL, AF_INET of a big-endian host", 0, 4, BYTES(0, 0, 0, 2, IPV4_TCP)},
    {"NULL, AF_INET6 of Linux", 0, 6, BYTES(10, 0, 0, 0, IPV6_TCP)},
    {"NULL, AF_INET6 of NetBSD", 0, 6, BYTES(24, 0, 0, 0, IPV6_TCP)},
    {"NULL, AF_INET6 of FreeBSD", 0, 6, BYTES(0, 0, 0, 28, IPV6_TCP)},
    {"NULL, AF_INET6 of Darwin", 0, 6, BYTES(30, 0, 0, 0, IPV6_TCP)},
    {"LOOP, AF_INET", 108, 4, BYTES(0, 0, 0, 2, IPV4_TCP)},
    {"ENC, after a security association", 109, 4, BYTES(2, 0, 0, 0, ZEROS_8, IPV4_TCP)},
    {"Ethernet, IPv4", 1, 4, BYTES(MACS, 0x08, 0x00, IPV4_TCP)},
    {"Ethernet, IPv6", 1, 6, BYTES(MACS, 0x86, 0xdd, IPV6_TCP)},
    {"Ethernet, IPv4 padded to 60 bytes and 4 of FCS", 1, 4,
     BYTES(MACS, 0x08, 0x00, IPV4_TCP, 0xee, 0xee, 0xee, 0xee)},
    {"802.3 length, LLC, SNAP, padding", 1, 4,
     BYTES(MACS, 0x00, 0x36, LLC_SNAP_IPV4, IPV4_TCP, 0xee, 0xee, 0xee)},
    {"802.3 length, SNAP with the bridge OUI 0000f8", 1, 6,
     BYTES(MACS, 0x00, 0x4a, 0xaa, 0xaa, 0x03, 0x00, 0x00, 0xf8, 0x86, 0xdd, IPV6_TCP)},
    {"802.3 length, LLC 06 06 03", 1, 4, BYTES(MACS, 0x00, 0x31, 0x06, 0x06, 0x03, IPV4_TCP)},
    {"802.1Q tag 5", 1, 4, BYTES(MACS, 0x81, 0x00, 0x20, 0x05, 0x08, 0x00, IPV4_TCP)},
    {"802.1ad 7, 802.1Q 5", 1, 4,
     BYTES(MACS, 0x88, 0xa8, 0x00, 0x07, 0x81, 0x00, 0x00, 0x05, 0x08, 0x00, IPV4_TCP)},
    {"five tags of four kinds", 1, 6,
     BYTES(MACS, 0x91, 0x00, 0x00, 0x01, 0x92, 0x00, 0x00, 0x02, 0x88, 0xa8, 0x00, 0x03, 0x81, 0x00,
           0x00, 0x04, 0x81, 0x00, 0x00, 0x05, 0x86, 0xdd, IPV6_TCP)},
    {"802.1Q tag before an 802.3 length", 1, 4,
     BYTES(MACS, 0x81, 0x00, 0x00, 0x05, 0x00, 0x36, LLC_SNAP_IPV4, IPV4_TCP)},
    {"PPPoE session, PPP IPv4", 1, 4,
     BYTES(MACS, 0x88, 0x64, 0x11, 0x00, 0x00, 0x01, 0x00, 0x30, 0x00, 0x21, IPV4_TCP)},
    {"MPLS, two labels, IPv4", 1, 4,
     BYTES(MACS, 0x88, 0x47, 0x00, 0x01, 0x00, 0x40, 0x00, 0x02, 0x01, 0x40, IPV4_TCP)},
    {"MPLS multicast, IPv6", 1, 6, BYTES(MACS, 0x88, 0x48, 0x00, 0x01, 0x01, 0x40, IPV6_TCP)},
    {"MPLS, control word, Ethernet", 1, 4,
     BYTES(MACS, 0x88, 0x47, 0x00, 0x01, 0x01, 0x40, 0, 0, 0, 0, MACS, 0x08, 0x00, IPV4_TCP)},
    {"MPLS, Ethernet without control word", 1, 4,
     BYTES(MACS, 0x88, 0x47, 0x00, 0x01, 0x01, 0x40, MACS, 0x08, 0x00, IPV4_TCP)},
    {"802.1ah, Ethernet", 1, 4,
     BYTES(MACS, 0x88, 0xe7, 0x00, 0x00, 0x10, 0x01, MACS, 0x08, 0x00, IPV4_TCP)},
    {"HSR tag", 1, 4, BYTES(MACS, 0x89, 0x2f, 0x00, 0x34, 0x00, 0x01, 0x08, 0x00, IPV4_TCP)},
    {"Token Ring, LLC, SNAP", 6, 4, BYTES(0x10, 0x40, MACS, LLC_SNAP_IPV4, IPV4_TCP)},
    {"Token Ring, routing information of 6 bytes", 6, 4,
     BYTES(0x10, 0x40, 0x02, 0, 0, 0, 0, 0x02, 0x82, 0, 0, 0, 0, 0x01, 0x06, 0x30, 0x00, 0x11, 0x00,
           0x20, LLC_SNAP_IPV4, IPV4_TCP)},
    {"ARCNET, RFC 1201", 7, 4, BYTES(0x01, 0x02, 212, 0x00, 0x00, 0x01, IPV4_TCP)},
    {"ARCNET, RFC 1051", 7, 4, BYTES(0x01, 0x02, 240, IPV4_TCP)},
    {"ARCNET, exception frame", 7, 6,
     BYTES(0x01, 0x02, 196, 0xff, 0, 0, 0, 0x00, 0x00, 0x01, IPV6_TCP)},
    {"ARCNET of Linux", 129, 4, BYTES(0x01, 0x02, 0, 0, 212, 0x00, 0x00, 0x01, IPV4_TCP)},
    {"SLIP, sent", 8, 4, BYTES(1, 0x40, 0, 0, 0, 0, 0, 0, ZEROS_8, IPV4_TCP)},
    {"SLIP of BSD/OS", 102, 4, BYTES(ZEROS_16, ZEROS_8, IPV4_TCP)},
    {"PPP, address and control", 9, 4, BYTES(0xff, 0x03, 0x00, 0x21, IPV4_TCP)},
    {"PPP, protocol alone", 9, 6, BYTES(0x00, 0x57, IPV6_TCP)},
    {"PPP, protocol of one byte", 9, 4, BYTES(0x21, IPV4_TCP)},
    {"PPP, MPLS", 9, 4, BYTES(0xff, 0x03, 0x02, 0x81, 0x00, 0x01, 0x01, 0x40, IPV4_TCP)},
    {"PPP in HDLC framing", 50, 4, BYTES(0xff, 0x03, 0x00, 0x21, IPV4_TCP)},
    {"PPP in HDLC framing that is Cisco HDLC", 50, 4, BYTES(0x0f, 0x00, 0x08, 0x00, IPV4_TCP)},
    {"PPP_ETHER", 51, 4, BYTES(0x11, 0x00, 0x00, 0x01, 0x00, 0x30, 0x00, 0x21, IPV4_TCP)},
    {"PPP of BSD/OS", 103, 4, BYTES(0, 0, 0, 0, 0, 0x00, 0x21, 0, ZEROS_16, IPV4_TCP)},
    {"PPP of pppd, sent", 166, 4, BYTES(1, 0x03, 0x00, 0x21, IPV4_TCP)},
    {"PPP_WITH_DIR", 204, 4, BYTES(1, 0xff, 0x03, 0x00, 0x21, IPV4_TCP)},
    {"FDDI", 10, 4, BYTES(0x54, MACS, LLC_SNAP_IPV4, IPV4_TCP)},
    {"FDDI, synchronous", 10, 6, BYTES(0xd0, MACS, LLC_SNAP_IPV6, IPV6_TCP)},
    {"FDDI of Tru64, 3 bytes of padding", 10, 4,
     BYTES(0, 0, 0, 0x54, MACS, LLC_SNAP_IPV4, IPV4_TCP)},
    {"RAW", 101, 4, BYTES(IPV4_TCP)},
    {"RAW, number of BSD", 12, 6, BYTES(IPV6_TCP)},
    {"RAW, number of OpenBSD", 14, 4, BYTES(IPV4_TCP)},
    {"IPV4", 228, 4, BYTES(IPV4_TCP)},
    {"IPV6", 229, 6, BYTES(IPV6_TCP)},
    {"Symantec firewall, type at byte 6", 99, 4,
     BYTES(0, 0, 0, 0, 0, 0, 0x08, 0x00, ZEROS_16, ZEROS_16, 0, 0, 0, 0, IPV4_TCP)},
    {"ATM, LLC, SNAP", 100, 4, BYTES(LLC_SNAP_IPV4, IPV4_TCP)},
    {"ATM, IP without LLC", 100, 6, BYTES(IPV6_TCP)},
    {"ATM, LLC, bridged Ethernet behind 2 bytes", 100, 4,
     BYTES(0xaa, 0xaa, 0x03, 0x00, 0x80, 0xc2, 0x00, 0x07, 0, 0, MACS, 0x08, 0x00, IPV4_TCP)},
    {"ATM, number of a DLT", 11, 4, BYTES(LLC_SNAP_IPV4, IPV4_TCP)},
    {"ATM_CLIP", 106, 4, BYTES(LLC_SNAP_IPV4, IPV4_TCP)},
    {"SUNATM, LLC", 123, 4, BYTES(0x82, 0x00, 0x00, 0x64, LLC_SNAP_IPV4, IPV4_TCP)},
    {"SUNATM, LAN emulation", 123, 4,
     BYTES(0x01, 0x00, 0x00, 0x64, 0x00, 0x09, MACS, 0x08, 0x00, IPV4_TCP)},
    {"Cisco HDLC", 104, 4, BYTES(0x0f, 0x00, 0x08, 0x00, IPV4_TCP)},
    {"C_HDLC_WITH_DIR", 205, 6, BYTES(0, 0x0f, 0x00, 0x86, 0xdd, IPV6_TCP)},
    {"frame relay, NLPID cc", 107, 4, BYTES(0x18, 0x41, 0x03, 0xcc, IPV4_TCP)},
    {"frame relay, address of 4 bytes, NLPID 8e", 107, 6,
     BYTES(0x18, 0x40, 0x00, 0x41, 0x03, 0x8e, IPV6_TCP)},
    {"frame relay, pad, SNAP", 107, 4,
     BYTES(0x18, 0x41, 0x03, 0x00, 0x80, 0x00, 0x00, 0x00, 0x08, 0x00, IPV4_TCP)},
    {"frame relay, SNAP, bridged Ethernet", 107, 4,
     BYTES(0x18, 0x41, 0x03, 0x80, 0x00, 0x80, 0xc2, 0x00, 0x07, MACS, 0x08, 0x00, IPV4_TCP)},
    {"frame relay, PPP", 107, 4, BYTES(0x18, 0x41, 0x03, 0xcf, 0x00, 0x21, IPV4_TCP)},
    {"frame relay, Cisco's EtherType", 107, 4, BYTES(0x18, 0x41, 0x08, 0x00, IPV4_TCP)},
    {"FRELAY_WITH_DIR", 206, 4, BYTES(1, 0x18, 0x41, 0x03, 0xcc, IPV4_TCP)},
    {"802.11 data from the access point", 105, 4,
     BYTES(0x08, 0x02, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x10, 0x00, LLC_SNAP_IPV4, IPV4_TCP)},
    {"802.11 QoS data between access points", 105, 4,
     BYTES(0x88, 0x03, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x10, 0x00, 0x02, 0, 0, 0, 0, 0x04, 0x00,
           0x00, LLC_SNAP_IPV4, IPV4_TCP)},
    {"802.11 QoS data with HT control", 105, 4,
     BYTES(0x88, 0x81, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x10, 0x00, 0x00, 0x00, 0, 0, 0, 0,
           LLC_SNAP_IPV4, IPV4_TCP)},
    {"802.11 A-MSDU", 105, 4,
     BYTES(0x88, 0x01, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x10, 0x00, 0x80, 0x00, MACS, 0x00, 0x36,
           LLC_SNAP_IPV4, IPV4_TCP, 0xee, 0xee)},
    {"radiotap without fields", 127, 4,
     BYTES(0, 0, 8, 0, 0, 0, 0, 0, 0x08, 0x02, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x10, 0x00,
           LLC_SNAP_IPV4, IPV4_TCP)},
    {"radiotap, clock and flags: padded QoS header, FCS", 127, 4,
     BYTES(0, 0, 17, 0, 0x03, 0, 0, 0, ZEROS_8, 0x30, 0x88, 0x01, 0, 0, MACS, 0x02, 0, 0, 0, 0,
           0x03, 0x10, 0x00, 0x00, 0x00, 0xee, 0xee, LLC_SNAP_IPV4, IPV4_TCP, 1, 2, 3, 4)},
    {"radiotap, two words of presence", 127, 6,
     BYTES(0, 0, 13, 0, 0x02, 0, 0, 0x80, 0, 0, 0, 0, 0x10, 0x08, 0x01, 0, 0, MACS, 0x02, 0, 0, 0,
           0, 0x03, 0x10, 0x00, LLC_SNAP_IPV6, IPV6_TCP, 1, 2, 3, 4)},
    {"Prism, 16 bytes", 119, 4,
     BYTES(0x44, 0, 0, 0, 16, 0, 0, 0, ZEROS_8, 0x08, 0x02, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03,
           0x10, 0x00, LLC_SNAP_IPV4, IPV4_TCP)},
    {"AVS under Prism's number", 119, 4,
     BYTES(0x80, 0x21, 0x10, 0x01, 0, 0, 0, 12, 0, 0, 0, 0, 0x08, 0x02, 0, 0, MACS, 0x02, 0, 0, 0,
           0, 0x03, 0x10, 0x00, LLC_SNAP_IPV4, IPV4_TCP)},
    {"AVS", 163, 4,
     BYTES(0x80, 0x21, 0x10, 0x02, 0, 0, 0, 8, 0x08, 0x02, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x10,
           0x00, LLC_SNAP_IPV4, IPV4_TCP)},
    {"PPI, 802.11", 192, 4,
     BYTES(0, 0, 8, 0, 105, 0, 0, 0, 0x08, 0x02, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x10, 0x00,
           LLC_SNAP_IPV4, IPV4_TCP)},
    {"PPI, Ethernet", 192, 4, BYTES(0, 0, 8, 0, 1, 0, 0, 0, MACS, 0x08, 0x00, IPV4_TCP)},
    {"Linux cooked, sent", 113, 4,
     BYTES(0, 4, 0, 1, 0, 6, 0x02, 0, 0, 0, 0, 0x01, 0, 0, 0x08, 0x00, IPV4_TCP)},
    {"Linux cooked, tag 5", 113, 4,
     BYTES(0, 0, 0, 1, 0, 6, 0x02, 0, 0, 0, 0, 0x01, 0, 0, 0x81, 0x00, 0x00, 0x05, 0x08, 0x00,
           IPV4_TCP)},
    {"Linux cooked, LLC", 113, 4,
     BYTES(0, 0, 0, 1, 0, 6, 0x02, 0, 0, 0, 0, 0x01, 0, 0, 0x00, 0x04, LLC_SNAP_IPV4, IPV4_TCP)},
    {"Linux cooked, version 2", 276, 6,
     BYTES(0x86, 0xdd, 0, 0, 0, 0, 0, 2, 0, 1, 4, 6, 0x02, 0, 0, 0, 0, 0x01, 0, 0, IPV6_TCP)},
    {"PFLOG of 61 bytes, padded to 64, inbound", 117, 4,
     BYTES(61, 2, ZEROS_16, ZEROS_16, ZEROS_16, ZEROS_8, 0, 0, 1, 0, 0, 0, IPV4_TCP)},
    {"IP over Fibre Channel", 122, 4,
     BYTES(0x10, 0, 0x02, 0, 0, 0, 0, 0x02, 0x10, 0, 0x02, 0, 0, 0, 0, 0x01, LLC_SNAP_IPV4,
           IPV4_TCP)},
    {"IP over IEEE 1394", 138, 4, BYTES(ZEROS_8, ZEROS_8, 0x08, 0x00, IPV4_TCP)},
    {"ERF, Ethernet, an extension header", 197, 4,
     BYTES(ZEROS_8, 0x82, 0, 0, 0x54, 0, 0, 0, 0x3c, ZEROS_8, 0, 0, MACS, 0x08, 0x00, IPV4_TCP)},
    {"ERF, IPv6", 197, 6, BYTES(ZEROS_8, 23, 0, 0, 0x52, 0, 0, 0, 0x42, IPV6_TCP)},
    {"MPLS", 219, 4, BYTES(0x00, 0x01, 0x01, 0x40, IPV4_TCP)},
    {"IPNET of Solaris, IPv6 (26)", 226, 6, BYTES(1, 26, 0, 1, ZEROS_16, 0, 0, 0, 0, IPV6_TCP)},
    {"NFLOG, little-endian, prefix before payload", 239, 4,
     BYTES(2, 0, 0, 0, 5, 0, 10, 0, 0, 0, 0, 0, 50, 0, 9, 0, IPV4_TCP)},
    {"NFLOG, big-endian", 239, 6, BYTES(10, 0, 0, 0, 0, 70, 0, 9, IPV6_TCP)},
    {"netANALYZER, with FCS", 240, 4, BYTES(0, 0, 0, 0, MACS, 0x08, 0x00, IPV4_TCP, 1, 2, 3, 4)},
    {"IP over InfiniBand", 242, 4, BYTES(ZEROS_16, ZEROS_16, ZEROS_8, 0x08, 0x00, 0, 0, IPV4_TCP)},
    {"PKTAP of 40 bytes, sent, Ethernet", 258, 4,
     BYTES(40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, ZEROS_16, ZEROS_8, 2, 0, 0, 0, MACS, 0x08, 0x00,
           IPV4_TCP)},
    {"PKTAP, RAW under its DLT number", 258, 6,
     BYTES(40, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, ZEROS_16, ZEROS_8, 1, 0, 0, 0, IPV6_TCP)},
    {"Broadcom tag", 281, 4, BYTES(MACS, 0x20, 0, 0, 0, 0x08, 0x00, IPV4_TCP)},
    {"Broadcom tag in front", 282, 4, BYTES(0x20, 0, 0, 0, MACS, 0x08, 0x00, IPV4_TCP)},
    {"Marvell tag with VLAN 5", 284, 4, BYTES(MACS, 0xe0, 0, 0, 5, 0x08, 0x00, IPV4_TCP)},
    {"Marvell tag behind an EtherType", 285, 4,
     BYTES(MACS, 0xda, 0xda, 0, 0, 0xc0, 0, 0, 0, 0x08, 0x00, IPV4_TCP)},
};

static void every_link_type_opens(void **state)
{
    (void)state;
    check_cases(cases, COUNT_OF(cases));
}

static void every_supported_type_has_a_case(void **state)
{
    (void)state;
    for (int type = 0; type < 400; type++) {
        bool found = false;

        for (size_t i = 0; i < COUNT_OF(cases); i++)
            found = found || cases[i].link_type == type;
        assert_int_equal(link_type_supported(type), found);
    }
}

/* A snaplen that ends before TCP is told from a packet that is too short. */
static void cut_and_malformed_are_told_apart(void **state)
{
    static const uint8_t frame[] = {MACS, 0x08, 0x00, IPV4_TCP};

    (void)state;
    for (size_t captured = 0; captured < sizeof frame; captured++) {
        struct decoded *cut = decode_bytes(ETHERNET, frame, captured, sizeof frame);
        struct decoded *shorter = decode_bytes(ETHERNET, frame, captured, captured);

        if (captured < 14 + 20 + 16) {
            assert_int_equal(decoded_reason(cut), SKIP_CUT);
            /* once the IP header says 46, the rest is missing from the file only */
            assert_int_equal(decoded_reason(shorter),
                             captured < 14 + 20 ? SKIP_MALFORMED : SKIP_CUT);
        } else {
            assert_int_equal(cut->result, DECODE_SEGMENT);
            assert_int_equal(cut->seg.payload_bytes, 6);
            assert_int_equal(cut->seg.marks, captured < 14 + 40 ? SEGMENT_CUT : 0);
            assert_int_equal(cut->counts.cut_headers, captured < 14 + 40);
            assert_int_equal(cut->seg.opt.present, 0);
        }
        decoded_free(cut);
        decoded_free(shorter);
    }
}

/* Frames that hold no TCP, each with the reason it counts under. */
static const struct {
    const char *what;
    int link_type;
    enum skip_reason reason;
    const uint8_t *bytes;
    size_t size;
} skipped[] = {
    {"ARP", 1, SKIP_NOT_IP, BYTES(MACS, 0x08, 0x06, ZEROS_16)},
    {"IPX", 1, SKIP_NOT_IP, BYTES(MACS, 0x81, 0x37, ZEROS_16)},
    {"spanning tree", 1, SKIP_NOT_IP, BYTES(MACS, 0x00, 0x10, 0x42, 0x42, 0x03, ZEROS_16)},
    {"a length where SNAP needs a type", 1, SKIP_NOT_IP,
     BYTES(MACS, 0x00, 0x36, 0xaa, 0xaa, 0x03, 0, 0, 0, 0x00, 0x36, ZEROS_16)},
    {"PPPoE discovery", 1, SKIP_NOT_IP, BYTES(MACS, 0x88, 0x64, 0x11, 0x09, 0, 0, 0, 0)},
    {"PPPoE of another version", 1, SKIP_MALFORMED, BYTES(MACS, 0x88, 0x64, 0x22, 0, 0, 0, 0, 0)},
    {"MACsec", 1, SKIP_ENCRYPTED, BYTES(MACS, 0x88, 0xe5, ZEROS_16)},
    {"802.11 beacon", 105, SKIP_NOT_IP, BYTES(0x80, 0x00, 0, 0, MACS, ZEROS_16)},
    {"802.11 acknowledgment of 10 bytes", 105, SKIP_NOT_IP, BYTES(0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 1)},
    {"802.11 null data", 105, SKIP_NOT_IP, BYTES(0x48, 0x01, 0, 0, MACS, ZEROS_16)},
    {"802.11 protected", 105, SKIP_ENCRYPTED, BYTES(0x08, 0x42, 0, 0, MACS, ZEROS_16)},
    {"802.11 second fragment", 105, SKIP_FRAGMENT,
     BYTES(0x08, 0x02, 0, 0, MACS, 0x02, 0, 0, 0, 0, 0x03, 0x11, 0x00, ZEROS_8)},
    {"PPP, MPPE", 9, SKIP_ENCRYPTED, BYTES(0xff, 0x03, 0x00, 0xfd, ZEROS_8)},
    {"Token Ring MAC frame", 6, SKIP_NOT_IP, BYTES(0x10, 0x00, MACS, ZEROS_8)},
    {"Token Ring, routing information of 1 byte", 6, SKIP_MALFORMED,
     BYTES(0x10, 0x40, 0x02, 0, 0, 0, 0, 0x02, 0x82, 0, 0, 0, 0, 0x01, 0x01, 0x30, ZEROS_8)},
    {"PFLOG header of 3 bytes", 117, SKIP_MALFORMED, BYTES(3, 2, ZEROS_16)},
    {"NFLOG attribute of 0 bytes", 239, SKIP_MALFORMED, BYTES(2, 0, 0, 0, 0, 0, 0, 0)},
    {"radiotap header of 0 bytes", 127, SKIP_MALFORMED, BYTES(0, 0, 0, 0, ZEROS_16)},
    {"PKTAP in itself without end", 258, SKIP_MALFORMED,
     BYTES(40, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, ZEROS_16, ZEROS_8, 0, 0, 0, 0)},
    {"USER0", 147, SKIP_UNSUPPORTED_LINK, BYTES(IPV4_TCP)},
    {"a negative link type", -1, SKIP_UNSUPPORTED_LINK, BYTES(IPV4_TCP)},
    {"a link type beyond the table", 70000, SKIP_UNSUPPORTED_LINK, BYTES(IPV4_TCP)},
};

static void other_frames_are_counted_by_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(skipped); i++) {
        print_message("  %s\n", skipped[i].what);
        struct decoded *decoded = decode_bytes(skipped[i].link_type, skipped[i].bytes,
                                               skipped[i].size, skipped[i].size);
        assert_int_equal(decoded_reason(decoded), skipped[i].reason);
        assert_int_equal(decoded->counts.arp, i == 0);
        decoded_free(decoded);
        check_beginnings(skipped[i].link_type, skipped[i].bytes, skipped[i].size);
    }
}

/* The innermost tag is the VLAN; all are counted; an endless stack is refused. */
static void vlan_tags_are_read(void **state)
{
    static const uint8_t five[] = {MACS, 0x81, 0x00, 0x01, 0x11, 0x88, 0xa8, 0x00, 0x22, 0x91, 0x00,
                                   0x03, 0x33, 0x92, 0x00, 0x04, 0x44, 0x81, 0x00, 0xef, 0xff,
                                   0x08, 0x00, IPV4_TCP};
    uint8_t endless[200];

    (void)state;
    struct decoded *decoded = decode_bytes(ETHERNET, five, sizeof five, sizeof five);
    assert_int_equal(decoded->seg.vlan, 0xfff);
    assert_int_equal(decoded->seg.vlan_depth, 5);
    decoded_free(decoded);
    for (size_t i = 0; i < sizeof endless; i++)
        endless[i] = i % 2 == 0 ? 0x81 : 0x00;
    decoded = decode_bytes(ETHERNET, endless, sizeof endless, sizeof endless);
    assert_int_equal(decoded_reason(decoded), SKIP_MALFORMED);
    decoded_free(decoded);
}

/* Decode and return one field that the link layer gives. */
static uint8_t direction_of(size_t index)
{
    struct decoded *decoded = decode_bytes(cases[index].link_type, cases[index].bytes,
                                           cases[index].size, cases[index].size);
    uint8_t direction = decoded->seg.link_direction;

    decoded_free(decoded);
    return direction;
}

static void link_headers_give_the_direction(void **state)
{
    static const struct {
        const char *what;
        uint8_t direction;
    } expected[] = {
        {"Linux cooked, sent", 2},       {"Linux cooked, tag 5", 1}, {"Linux cooked, version 2", 2},
        {"PKTAP of 40 bytes, sent, Ethernet", 2}, {"PKTAP, RAW under its DLT number", 1},
        {"PFLOG of 61 bytes, padded to 64, inbound", 1}, {"SLIP, sent", 2}, {"PPP_WITH_DIR", 2},
        {"C_HDLC_WITH_DIR", 1},          {"PPP of pppd, sent", 2},   {"SUNATM, LLC", 2},
        {"Ethernet, IPv4", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        size_t index = 0;

        while (strcmp(cases[index].what, expected[i].what) != 0)
            index++;
        assert_int_equal(direction_of(index), expected[i].direction);
    }
}

static uint32_t hash_of(int link_type, const uint8_t *bytes, size_t size)
{
    struct decoded *decoded = decode_bytes(link_type, bytes, size, size);
    uint32_t hash = decoded->seg.link_hash;

    assert_int_equal(decoded->result, DECODE_SEGMENT);
    decoded_free(decoded);
    return hash;
}

/* Addresses the other way round are another hop or direction; no addresses are 0. */
static void link_hash_tells_addresses_apart(void **state)
{
    static const uint8_t there[] = {MACS, 0x08, 0x00, IPV4_TCP};
    static const uint8_t tagged[] = {MACS, 0x81, 0x00, 0x00, 0x05, 0x08, 0x00, IPV4_TCP};
    static const uint8_t back[] = {0x02, 0, 0, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x02, 0x08, 0x00,
                                   IPV4_TCP};
    static const uint8_t raw[] = {IPV4_TCP};
    static const uint8_t ring[] = {0x10, 0x40, MACS, LLC_SNAP_IPV4, IPV4_TCP};
    static const uint8_t routed_ring[] = {0x10, 0x40, 0x02, 0,    0,    0,    0,    0x02, 0x82,
                                          0,    0,    0,    0,    0x01, 0x02, 0x30, LLC_SNAP_IPV4,
                                          IPV4_TCP};

    (void)state;
    assert_int_equal(hash_of(ETHERNET, there, sizeof there),
                     hash_of(ETHERNET, tagged, sizeof tagged));
    assert_int_not_equal(hash_of(ETHERNET, there, sizeof there),
                         hash_of(ETHERNET, back, sizeof back));
    assert_int_not_equal(hash_of(ETHERNET, there, sizeof there), 0);
    assert_int_equal(hash_of(101, raw, sizeof raw), 0);
    /* the routing bit is no part of the address */
    assert_int_equal(hash_of(6, ring, sizeof ring), hash_of(6, routed_ring, sizeof routed_ring));
}

static void link_types_have_libpcap_names(void **state)
{
    char list[2000], cut[10];

    (void)state;
    assert_string_equal(link_type_name(1), "EN10MB");
    assert_string_equal(link_type_name(101), "RAW");
    assert_string_equal(link_type_name(276), "LINUX_SLL2");
    assert_string_equal(link_type_name(189), "USB_LINUX"); /* known, not opened */
    assert_null(link_type_name(70000));
    assert_null(link_type_name(-1));
    assert_false(link_type_supported(189));
    link_type_list(list, sizeof list);
    assert_int_equal(strncmp(list, "NULL, EN10MB, IEEE802, ", 23), 0);
    assert_non_null(strstr(list, ", RAW, PPP_SERIAL, "));
    link_type_list(cut, sizeof cut);
    assert_string_equal(cut, "NULL, EN1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_link_type_opens),
        cmocka_unit_test(every_supported_type_has_a_case),
        cmocka_unit_test(cut_and_malformed_are_told_apart),
        cmocka_unit_test(other_frames_are_counted_by_reason),
        cmocka_unit_test(vlan_tags_are_read),
        cmocka_unit_test(link_headers_give_the_direction),
        cmocka_unit_test(link_hash_tells_addresses_apart),
        cmocka_unit_test(link_types_have_libpcap_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
