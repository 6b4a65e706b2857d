/* The state of one connection.
 *
 * struct flow is hot: it exists for every flow and is all that a short or quiet one needs.
 * struct detail holds what only an interesting flow needs (analysis/connection/detail.h); it is given while
 * memory allows and returned when the flow ends, leaving a struct summary. */
#ifndef TCPWHY_ANALYSIS_FLOW_H
#define TCPWHY_ANALYSIS_FLOW_H

#include "analysis/result.h"

struct detail;
struct summary;

/* Bits of half.marks: facts about one sender. */
enum half_mark {
    HALF_BASE = 0x0001,      /* snd_nxt and first_offset are valid */
    HALF_ACKED = 0x0002,     /* snd_una is valid */
    HALF_SYN = 0x0004,       /* its SYN or SYN-ACK was seen */
    HALF_WIND_SHIFT = 0x0008,
    HALF_SACK = 0x0010,
    HALF_SYN_TIMESTAMPS = 0x0020,
    HALF_TIMESTAMPS = 0x0040, /* timestamps on a segment other than SYN */
    HALF_FIN = 0x0080,
    HALF_RST = 0x0100,
    HALF_SYN_AGAIN = 0x0200, /* SYN sent more than once: no handshake RTT from it */
    HALF_OPT_CUT = 0x0400,   /* options of the SYN not captured whole */
    HALF_ECN_SETUP = 0x0800,
    HALF_WINDOW = 0x1000,    /* a window other than a SYN's was seen for this data */
    HALF_FIRST_ACK = 0x2000, /* initial window is complete */
};

/* One direction of data: counts of its sender's frames, and the answers to it.  The first cache
 * line is what every segment touches. */
struct half {
    uint64_t snd_nxt;      /* highest offset seen plus 1 (RFC 6675 HighData + 1): never moves back */
    uint64_t snd_una;      /* highest acknowledgment seen */
    int64_t last_data_ns, last_ack_ns;
    uint32_t packets, data_segments, acks, full_segments;
    uint32_t max_payload;
    uint16_t smss;
    uint16_t mss_allowed;  /* largest payload that the handshake allows; 0 before data */
    uint16_t rwnd_max, rwnd_min, rwnd_last; /* window fields advertised for this data, unscaled */
    uint16_t marks;        /* half_mark */

    uint64_t first_offset; /* of the first data byte */
    int64_t first_data_ns;
    uint64_t first_data_frame;
    int64_t syn_ns;
    uint64_t syn_frame, rwnd_max_frame;
    uint64_t fin_offset;   /* valid with HALF_FIN */
    int64_t fin_ns;
    uint64_t fin_frame;
    int64_t leg_ns;        /* tap to this sender and back, minimum; NS_UNKNOWN */
    uint32_t iss;
    uint32_t initial_window_bytes;
    uint32_t resync_seq;   /* after a segment too far ahead to be believed alone; 0 = none */
    uint32_t light_missing_bytes; /* without detail: skipped over and not seen since */
    uint16_t light_resends;       /* without detail: data seen again or late */
    uint16_t mss_option;
    uint16_t rwnd_syn;     /* window field of the receiver's SYN */
    uint16_t vlan;
    uint16_t late_segments, implausible_segments;
    uint8_t wind_shift;    /* as offered in its SYN, clamped to 14 (RFC 7323 section 2.3) */
    uint8_t ttl;           /* of its first segment */
    uint16_t syn_ip_id;    /* IP ID of its SYN */
    uint8_t reserved[16];
};

/* Bits of flow.marks. */
enum flow_mark {
    FLOW_ROLE_KNOWN = 0x0001,
    FLOW_CLIENT_HIGH = 0x0800, /* the client is addr[1] */
    FLOW_TAGGED = 0x1000,      /* a VLAN tag was seen */
    FLOW_HAS_DATA = 0x4000,    /* a segment with payload was seen */
    FLOW_CONTROL_PORT = 0x2000, /* on a port of FTP: its payload is looked at whatever it begins with */
    FLOW_CONTROL = 0x0002,     /* payload goes to the session layer */
    FLOW_BULK = 0x0004,        /* has carried bulk data */
    FLOW_ENDED = 0x0008,       /* closed or reset; only stragglers follow */
    FLOW_WAS_RESET = 0x0010,
    FLOW_UNFOLLOWED = 0x0020,  /* no detail was to be had */
    FLOW_VLAN_SIBLING = 0x0040, /* the same five-tuple lives on another VLAN as well */
    FLOW_REPLACED = 0x0080,    /* a new connection took its five-tuple */
    FLOW_SYN_SEEN = 0x0100,
    FLOW_BOTH_WAYS = 0x0200,
    FLOW_CLOSING = 0x0400,     /* ended, but stragglers are still taken in */
};

struct flow {
    struct ip_addr addr[2]; /* canonical order: the lower endpoint first */
    uint16_t port[2];
    uint32_t tunnel_id;
    uint16_t vlan_split;    /* part of the key: 0, or VLAN + 1 where VLANs keep two flows apart */
    uint16_t marks;         /* flow_mark */
    uint32_t id;            /* 0 = free record */
    int64_t last_ns;
    struct detail *detail;

    struct half half[2];    /* by enum direction */

    int64_t start_ns;
    uint64_t first_frame;
    int64_t handshake_rtt_ns; /* SYN to the ACK of the SYN-ACK, 0 = not seen */
    struct summary *summary;
    int64_t rst_ns;
    uint64_t rst_frame;
    uint32_t alternate_iss; /* of a second, different SYN-ACK */
    uint16_t source;
    uint16_t rst_ignored;
    uint8_t syn_retransmissions;
    uint8_t rst_dir;
    uint8_t reserved[6];
};


_Static_assert(sizeof(struct half) == 192, "a half is three cache lines, the first one hot");
_Static_assert(sizeof(struct flow) == 512, "a flow is eight cache lines, three of them hot");

/* Stream bytes of a direction that lie below its edge, without FIN. */
static inline uint64_t half_stream_bytes(const struct half *half)
{
    uint64_t end = half->snd_nxt;

    if ((half->marks & HALF_BASE) == 0)
        return 0;
    if ((half->marks & HALF_FIN) != 0 && end > half->fin_offset)
        end = half->fin_offset;
    return end > half->first_offset ? end - half->first_offset : 0;
}

#endif
