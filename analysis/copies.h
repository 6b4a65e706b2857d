/* Frames captured twice: recognised before any state changes, counted, and nothing else.
 *
 * The same packet shows again when a mirror port copies both ways, when a router's two sides are
 * captured (TTL, MAC), with the VLAN tag on and off, or on two interfaces (-i any).  A copy has the
 * same IP ID, sequence numbers, window, timestamps and checksum; on the same link it must also come
 * sooner than any resend could (anchors: min(2 ms, RTT/8)). */
#ifndef TCPWHY_ANALYSIS_COPIES_H
#define TCPWHY_ANALYSIS_COPIES_H

#include "analysis/result.h"

/* Segments remembered of a flow; a copy that comes later than this many is not recognised. */
#define COPIES_MEMORY 32u

enum copy_kind { COPY_NONE, COPY_MIRROR, COPY_ROUTED, COPY_VLAN, COPY_INTERFACE, COPY_NETWORK };

struct copy_print {
    int64_t time_ns;
    uint64_t print;       /* of all fields that a copy shares */
    uint32_t link_hash;
    uint16_t vlan, interface;
    uint8_t ttl, vlan_depth;
    uint16_t source;
};

struct copies {
    uint32_t tags[COPIES_MEMORY];  /* low half of each print: one or two cache lines to scan */
    struct copy_print prints[COPIES_MEMORY];
    uint32_t next;
    uint32_t data_copies, data_frames; /* share of copies among data: for what pure ACKs cannot tell */
};

/* Compare a segment with those remembered and remember it when it is new.  min_rtt_ns may be
 * NS_UNKNOWN. */
enum copy_kind copies_check(struct copies *copies, const struct segment *seg, int64_t min_rtt_ns);

#endif
