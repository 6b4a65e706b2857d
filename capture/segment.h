/* The values that capture/ hands to analysis/: one TCP segment, or one notice (an ICMP error
 * that quotes TCP, a DNS message).  Plain data in host byte order; no pointer into a capture
 * library.  Fields are RFC 9293 words; units are in the names. */
#ifndef TCPWHY_CAPTURE_SEGMENT_H
#define TCPWHY_CAPTURE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* An IPv6 address, or an IPv4 address as ::ffff:a.b.c.d (RFC 4291 section 2.5.5.2). */
struct ip_addr {
    uint8_t bytes[16];
};

/* True when the address is an IPv4 address in its mapped form. */
static inline bool ip_addr_is_v4(const struct ip_addr *addr)
{
    static const uint8_t prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

    return memcmp(addr->bytes, prefix, sizeof prefix) == 0;
}

static inline bool ip_addr_equal(const struct ip_addr *a, const struct ip_addr *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* The mapped form of four IPv4 bytes in network order. */
static inline struct ip_addr ip_addr_from_v4(const uint8_t v4[4])
{
    struct ip_addr addr = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, v4[0], v4[1], v4[2], v4[3]}};

    return addr;
}

/* TCP control bits (RFC 9293 section 3.1; AE is RFC 9768's name for the old NS bit). */
enum tcp_flag {
    TCP_FIN = 0x001,
    TCP_SYN = 0x002,
    TCP_RST = 0x004,
    TCP_PSH = 0x008,
    TCP_ACK = 0x010,
    TCP_URG = 0x020,
    TCP_ECE = 0x040,
    TCP_CWR = 0x080,
    TCP_AE = 0x100,
};

/* Bits of tcp_options.present. */
enum tcp_option_bit {
    TCP_OPT_MSS = 0x01,
    TCP_OPT_WIND_SHIFT = 0x02,
    TCP_OPT_SACK_PERMITTED = 0x04,
    TCP_OPT_SACK = 0x08, /* sack_count may still be 0: an empty option */
    TCP_OPT_TIMESTAMPS = 0x10,
    TCP_OPT_FAST_OPEN = 0x20,
    TCP_OPT_MULTIPATH = 0x40,
    TCP_OPT_CUT = 0x80, /* options not captured whole, or malformed: absence proves nothing */
};

struct sack_block {
    uint32_t left, right; /* RFC 2018 edges: [left, right) */
};

struct tcp_options {
    uint8_t present;    /* tcp_option_bit */
    uint8_t wind_shift; /* as sent, not clamped (RFC 7323 section 2.3 clamps to 14) */
    uint8_t sack_count; /* 0..4 */
    uint8_t reserved;
    uint16_t mss;
    uint16_t reserved2;
    uint32_t ts_val, ts_ecr; /* RFC 7323 */
    struct sack_block sack[4];
};

/* Bits of segment.marks: what decoding noticed. */
enum segment_mark {
    SEGMENT_LENGTH_FROM_FRAME = 0x01, /* IPv4 total length or IPv6 payload length 0: TSO, BIG TCP */
    SEGMENT_CHECKSUM_BAD = 0x02,      /* wrong TCP checksum (offload or damage); never dropped */
    SEGMENT_FIRST_FRAGMENT = 0x04,    /* first fragment: payload_bytes is of this fragment only */
    SEGMENT_TUNNELLED = 0x08,
    SEGMENT_CUT = 0x10, /* snaplen cut into the TCP header or options */
};

struct segment {
    int64_t time_ns;           /* Unix time of the capture */
    uint64_t frame;            /* packet number, 1-based: of its file, or over the merge of several */
    const uint8_t *payload;    /* captured payload; valid only until the batch has been fed */
    struct ip_addr src, dst;   /* innermost IP header */
    uint16_t src_port, dst_port;
    uint32_t tunnel_id;        /* 0, or VNI / GRE key mixed with the kind of tunnel; numbers that differ
                                  by direction (TEID, session and call ids) are left out */
    uint32_t seq, ack;         /* ack is meaningful with TCP_ACK only */
    uint32_t payload_bytes;    /* on the wire, by the IP length */
    uint32_t payload_captured; /* bytes readable at payload: 0..payload_bytes */
    uint32_t captured_bytes, wire_bytes; /* of the frame */
    uint16_t flags;            /* tcp_flag */
    uint16_t wnd;              /* as on the wire, not scaled */
    uint16_t urgent;
    uint16_t checksum;         /* TCP checksum field, for recognising copies */
    uint16_t ip_id;            /* IPv4 identification; 0 for IPv6 */
    uint8_t ip_version;        /* 4 or 6 */
    uint8_t ttl;               /* TTL or hop limit of the innermost IP header */
    uint8_t ecn;               /* ECN field, 0..3 (RFC 3168: 3 = CE) */
    uint8_t marks;             /* segment_mark */
    uint8_t link_direction;    /* 0 unknown, 1 inbound, 2 outbound (SLL, pcapng flags, PKTAP) */
    uint8_t reserved;
    union {
        struct {
            uint16_t vlan;       /* innermost 802.1Q id, 0 = none */
            uint16_t vlan_depth; /* tags seen */
            uint16_t interface;  /* number of the interface in its file, or of the device */
            uint16_t source;     /* number of the file (several -r) */
        };
        uint64_t place;        /* all four, to be compared */
    };
    uint32_t link_hash;        /* of the link-layer addresses, 0 = none: tells routed copies */
    struct tcp_options opt;
};

/* SEG.LEN of RFC 9293: payload plus one each for SYN and FIN. */
static inline uint32_t segment_length(const struct segment *seg)
{
    return seg->payload_bytes + ((seg->flags & TCP_SYN) != 0) + ((seg->flags & TCP_FIN) != 0);
}

enum notice_kind {
    NOTICE_FRAGMENTATION_NEEDED, /* ICMP 3/4, ICMPv6 2/0; mtu_bytes is the next hop's, 0 = not given */
    NOTICE_UNREACHABLE,          /* ICMP 3/other, ICMPv6 1 */
    NOTICE_TIME_EXCEEDED,        /* ICMP 11, ICMPv6 3 */
    NOTICE_OTHER_ICMP,           /* any other ICMP error that quotes TCP (parameter problem, redirect, quench) */
    NOTICE_DNS_QUERY,
    NOTICE_DNS_ANSWER,
};

#define NOTICE_NAME_MAX 255
#define NOTICE_ADDRS_MAX 8

struct notice {
    int64_t time_ns;
    uint64_t frame;
    enum notice_kind kind;
    struct ip_addr src, dst; /* of the packet that carries it */
    uint8_t icmp_type, icmp_code;
    uint32_t mtu_bytes;
    /* ICMP: the TCP header quoted */
    struct ip_addr quoted_src, quoted_dst;
    uint16_t quoted_src_port, quoted_dst_port;
    uint32_t quoted_seq;
    /* DNS: first question, and the addresses answered for it */
    uint16_t dns_id, dns_type, dns_rcode;
    uint16_t dns_client_port;
    uint8_t dns_addr_count; /* 0..NOTICE_ADDRS_MAX */
    struct ip_addr dns_addrs[NOTICE_ADDRS_MAX];
    char dns_name[NOTICE_NAME_MAX + 1]; /* dotted; bytes outside printable ASCII as \ddd */
};

#endif
