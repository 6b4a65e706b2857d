/* From one captured packet to a struct segment or a struct notice, with every packet that is
 * neither counted under exactly one reason. */
#ifndef TCPWHY_CAPTURE_DECODE_H
#define TCPWHY_CAPTURE_DECODE_H

#include "capture/packet.h"
#include "capture/segment.h"

enum decode_result {
    DECODE_SEGMENT, /* *seg is filled */
    DECODE_NOTICE,  /* *notice is filled; the packet also counts under its skip reason */
    DECODE_SKIPPED, /* counted in skipped[] */
};

enum skip_reason {
    SKIP_NOT_IP,           /* ARP, IPX, LLC, management frames ... */
    SKIP_NOT_TCP,          /* UDP, ICMP, SCTP, ... outside tunnels that we open */
    SKIP_FRAGMENT,         /* later fragment, or a first one without the TCP ports */
    SKIP_MALFORMED,        /* lengths or versions that contradict each other */
    SKIP_CUT,              /* snaplen ends before the TCP ports and numbers */
    SKIP_ENCRYPTED,        /* ESP, MACsec, WEP/CCMP-protected 802.11 */
    SKIP_TUNNEL_DEPTH,     /* more than four tunnels deep */
    SKIP_UNSUPPORTED_LINK, /* link type without a decoder */
    SKIP_REASONS
};

struct decode_counts {
    uint64_t packets, segments, notices;
    uint64_t captured_bytes, wire_bytes;
    uint64_t skipped[SKIP_REASONS]; /* packets == segments + sum of skipped, always */
    uint64_t tcp_fragments;         /* TCP seen in IP fragments, first or later */
    uint64_t cut_headers;           /* TCP options or header cut by the snaplen */
    uint64_t checksum_bad;          /* of segments whose payload was captured whole */
    uint64_t length_from_frame;     /* IP length 0 */
    uint64_t jumbograms;
    uint64_t udp, icmp, arp;        /* of skipped: for "most: ARP, UDP" */
    int32_t first_unsupported_link; /* -1 = none */
};

/* Decode one packet.  Exactly one of *seg and *notice is written according to the result;
 * counts is updated.  Pure otherwise: no state between packets.  verify_checksums says whether
 * TCP checksums of whole packets are computed (it costs time on full frames). */
enum decode_result decode_packet(const struct packet *packet, bool verify_checksums,
                                 struct decode_counts *counts, struct segment *seg,
                                 struct notice *notice);

/* Short name of a reason as used in JSON health.skipped ("not_ip", ...). */
const char *skip_reason_name(enum skip_reason reason);

#endif
