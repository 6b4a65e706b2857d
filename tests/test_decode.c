/* needs: tests/decode_check.c */
/* decode_packet() as a whole: what is counted, and public captures against a second opinion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <pcap.h>

#include "tests/decode_check.h"

#define RAW 101
#define CORPUS "../shared/corpus/"

static void counts_add_up(void **state)
{
    static const uint8_t tcp[] = {MACS, 0x08, 0x00, IPV4_TCP}, arp[] = {MACS, 0x08, 0x06, ZEROS_16};
    struct packet packets[] = {
        {.data = tcp, .captured_bytes = sizeof tcp, .wire_bytes = 1514, .link_type = 1},
        {.data = arp, .captured_bytes = sizeof arp, .wire_bytes = 60, .link_type = 1},
        {.data = tcp, .captured_bytes = 20, .wire_bytes = 60, .link_type = 1},
        {.data = tcp, .captured_bytes = sizeof tcp, .wire_bytes = 60, .link_type = 147},
        {.data = tcp, .captured_bytes = sizeof tcp, .wire_bytes = 60, .link_type = 148},
    };
    struct decode_counts counts = {.first_unsupported_link = -1};
    struct segment seg;
    struct notice notice;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(packets); i++)
        decode_packet(&packets[i], true, &counts, &seg, &notice);
    assert_int_equal(counts.packets, 5);
    assert_int_equal(counts.segments, 1);
    assert_int_equal(counts.notices, 0);
    assert_int_equal(counts.arp, 1);
    assert_int_equal(counts.skipped[SKIP_NOT_IP], 1);
    assert_int_equal(counts.skipped[SKIP_CUT], 1);
    assert_int_equal(counts.skipped[SKIP_UNSUPPORTED_LINK], 2);
    assert_int_equal(counts.first_unsupported_link, 147);
    assert_int_equal(counts.captured_bytes, 3 * sizeof tcp + sizeof arp + 20);
    assert_int_equal(counts.wire_bytes, 1514 + 4 * 60);
}

static void reasons_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < SKIP_REASONS; i++)
        assert_non_null(skip_reason_name((enum skip_reason)i));
    assert_string_equal(skip_reason_name(SKIP_NOT_IP), "not_ip");
    assert_string_equal(skip_reason_name(SKIP_UNSUPPORTED_LINK), "unsupported_link");
}

/* Every field that is always meaningful is written, whatever stood there before. */
static void no_field_keeps_an_old_value(void **state)
{
    static const uint8_t tcp[] = {MACS, 0x08, 0x00, IPV4_TCP};
    struct packet packet = {.data = tcp, .captured_bytes = sizeof tcp, .wire_bytes = sizeof tcp,
                            .link_type = 1, .direction = 2};
    struct decode_counts counts = {0};
    struct segment first, second;
    struct notice notice;

    (void)state;
    memset(&first, 0x00, sizeof first);
    memset(&second, 0xff, sizeof second);
    decode_packet(&packet, true, &counts, &first, &notice);
    decode_packet(&packet, true, &counts, &second, &notice);
    assert_memory_equal(&first, &second, offsetof(struct segment, opt.sack));
    assert_int_equal(first.link_direction, 2);
}

/* TCP packets of public captures as tshark counts them, with each difference explained. */
static const struct {
    const char *file;
    uint64_t packets, segments;
} corpus[] = {
    {"linktypes/libpcap-ppi-http.pcap", 5, 1},
    {"linktypes/libtrace-vlan-mixed.pcap", 395, 185},
    {"linktypes/packetnet-80211-qos-tcp.pcap", 1, 1},
    {"linktypes/pcpp-raw-ip.pcap", 100, 92},
    {"linktypes/suricata-cisco-hdlc-http.pcap", 17, 17},
    {"linktypes/tcpdump-arcnet-http.pcap", 26, 14},
    {"linktypes/tcpdump-edsa.pcap", 10, 0},
    {"linktypes/tcpdump-ipoib.pcap", 30, 20},
    {"linktypes/tcpdump-unknown-linktype-160.pcap", 1, 0},
    {"linktypes/zeek-802.3-llc-snap-tcp.pcap", 8, 8},
    {"linktypes/zeek-fddi-dns.trace", 11, 11},
    {"linktypes/zeek-nflog-http.pcap", 13, 13},
    {"linktypes/zeek-sll2-tls.pcap", 6, 6},
    {"tunnels/arkime-mpls-basic.pcap", 58, 19},
    {"tunnels/arkime-synthetic-many-encaps.pcap", 918, 733},
    {"tunnels/nfstream-4in6.pcap", 4, 4},
    /* tshark says 77: two ICMPv6 errors quote TCP (frames 3 and 45, notices here) */
    {"tunnels/nfstream-6in4.pcap", 127, 75},
    {"tunnels/pcapsql-vxlan-ipip-triple.pcap", 100, 0},
    {"tunnels/pfl-gtpu-tcp.pcap", 2, 2},
    {"tunnels/suricata-gre-ssh.pcap", 40, 22},
    {"tunnels/suricata-teredo.pcap", 78, 33},
    {"tunnels/tcpdump-erspan-i.pcap", 119, 0},
    {"tunnels/tcpdump-erspan-ii.pcap", 108, 0},
    {"tunnels/zeek-mixed-vlan-mpls.trace", 47, 47},
    {"tunnels/zeek-pppoe-over-qinq.pcap", 86, 86},
    {"tunnels/zeek-vlan-collisions.pcap", 42, 42},
    {"tunnels/zeek-vxlan-http.pcap", 12, 12},
    /* tshark says 133: six ICMP errors quote TCP (notices here), two sFlow samples contain it */
    {"tcp/suricata-pmtud-icmp-fragneeded.pcap", 133, 125},
};

static void check_capture(const char *file, uint64_t packets, uint64_t segments)
{
    char path[200], errbuf[PCAP_ERRBUF_SIZE];
    struct decode_counts counts = {0};
    struct pcap_pkthdr *header;
    const u_char *bytes;

    snprintf(path, sizeof path, CORPUS "%s", file);
    pcap_t *pcap = pcap_open_offline(path, errbuf);
    if (pcap == NULL) {
        print_message("  not here: %s\n", file);
        return;
    }
    while (pcap_next_ex(pcap, &header, &bytes) == 1) {
        int dlt = pcap_datalink(pcap);
        struct decoded *decoded = decode_bytes(dlt == DLT_RAW ? RAW : dlt, bytes, header->caplen,
                                               header->len);

        counts.packets++;
        counts.segments += decoded->counts.segments;
        decoded_free(decoded);
    }
    pcap_close(pcap);
    print_message("  %s\n", file);
    assert_int_equal(counts.packets, packets);
    assert_int_equal(counts.segments, segments);
}

static void public_captures_agree_with_tshark(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(corpus); i++)
        check_capture(corpus[i].file, corpus[i].packets, corpus[i].segments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_add_up),
        cmocka_unit_test(reasons_have_names),
        cmocka_unit_test(no_field_keeps_an_old_value),
        cmocka_unit_test(public_captures_agree_with_tshark),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
