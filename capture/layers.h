/* What is known of one packet while its layers are taken off, from the link inwards. */
#ifndef TCPWHY_CAPTURE_LAYERS_H
#define TCPWHY_CAPTURE_LAYERS_H

#include "capture/cursor.h"
#include "capture/decode.h"

/* Tunnels (and other layers that hold a whole frame again) opened in one packet. */
#define LAYERS_TUNNELS_MAX 4

/* State of one decode_packet(); every layer function takes it with a cursor that stands at the
 * layer's header, and returns what the layers inside it came to. */
struct layers {
    const struct packet *packet;
    struct decode_counts *counts;
    struct segment *seg;
    struct notice *notice;
    const uint8_t *ip;        /* innermost IP header so far: its fixed part is there whole */
    const uint8_t *ipv6_dst;  /* where an IPv6 packet ends up: behind a routing header, if any */
    uint32_t link_hash;
    uint32_t tunnel_id;
    uint16_t vlan, vlan_depth;
    uint8_t ip_version;       /* 0 before the first IP header */
    uint8_t marks;            /* segment_mark of the innermost IP header */
    uint8_t link_direction;
    uint8_t tunnels;          /* opened so far */
    bool verify_checksums;
    enum skip_reason reason; /* with DECODE_SKIPPED and DECODE_NOTICE */
};

/* The packet ends here for this reason. */
static inline enum decode_result layers_skip(struct layers *l, enum skip_reason reason)
{
    l->reason = reason;
    return DECODE_SKIPPED;
}

/* The n bytes of a header are not there: cut by the snaplen, or never on the wire. */
static inline enum decode_result layers_short(struct layers *l, const struct cursor *c, uint32_t n)
{
    return layers_skip(l, c->wire >= n ? SKIP_CUT : SKIP_MALFORMED);
}

/* Count one more tunnel; false, with the reason set, when there are too many. */
static inline bool layers_enter(struct layers *l)
{
    if (l->tunnels == LAYERS_TUNNELS_MAX) {
        l->reason = SKIP_TUNNEL_DEPTH;
        return false;
    }
    l->tunnels++;
    return true;
}

/* Hash of two link-layer addresses in order, never 0: equal for frames of one hop and direction. */
static inline uint32_t link_hash(uint64_t dst, uint64_t src)
{
    uint64_t mixed = (dst * 0x9e3779b97f4a7c15ULL) ^ (src * 0xc2b2ae3d27d4eb4fULL + (src >> 29));

    return (uint32_t)(mixed >> 32) | 1;
}

/* Addresses of the innermost IP header: 4 or 16 bytes by ip_version. */
static inline const uint8_t *layers_ip_src(const struct layers *l)
{
    return l->ip + (l->ip_version == 4 ? 12 : 8);
}

static inline const uint8_t *layers_ip_dst(const struct layers *l)
{
    return l->ip_version == 4 ? l->ip + 16 : l->ipv6_dst;
}

/* An address of an IP header of this version as a value. */
static inline struct ip_addr ip_addr_load(uint8_t version, const uint8_t *bytes)
{
    struct ip_addr addr;

    if (version == 4)
        return ip_addr_from_v4(bytes);
    memcpy(addr.bytes, bytes, sizeof addr.bytes);
    return addr;
}

#endif
