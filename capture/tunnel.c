#include "capture/tunnel.h"

#include "capture/ip.h"
#include "capture/link.h"
#include "capture/network.h"

#define GRE_CHECKSUM 0x8000
#define GRE_ROUTING 0x4000
#define GRE_KEY 0x2000
#define GRE_SEQUENCE 0x1000
#define GRE_ACKNOWLEDGMENT 0x0080
#define GRE_VERSION 0x0007

bool tunnel_enter(struct layers *l, enum tunnel_kind kind, uint32_t number)
{
    uint64_t mixed = (uint64_t)l->tunnel_id << 32 | number;

    if (!layers_enter(l))
        return false;
    l->marks = SEGMENT_TUNNELLED;
    if (kind != TUNNEL_PLAIN) {
        mixed = (mixed ^ (uint64_t)kind << 24) * 0x9e3779b97f4a7c15ULL;
        l->tunnel_id = (uint32_t)(mixed >> 32) | 1;
    }
    return true;
}

enum decode_result tunnel_decode(struct layers *l, struct cursor c, uint8_t protocol)
{
    if (protocol == IP_PROTOCOL_GRE)
        return tunnel_decode_gre(l, c);
    if (!tunnel_enter(l, TUNNEL_PLAIN, 0))
        return DECODE_SKIPPED;
    switch (protocol) {
    case IP_PROTOCOL_IPV4: return ipv4_decode(l, c);
    case IP_PROTOCOL_IPV6: return ipv6_decode(l, c);
    case IP_PROTOCOL_MPLS: return network_decode_mpls(l, c); /* RFC 4023 */
    default: break;
    }
    /* EtherIP (RFC 3378): version 3 in two bytes */
    if (!cursor_skip(&c, 2))
        return layers_short(l, &c, 2);
    return link_ethernet(l, c);
}

/* A mirrored frame behind ERSPAN's header; the mirror session is no part of the flow's identity. */
static enum decode_result decode_erspan(struct layers *l, struct cursor c, uint32_t header_bytes)
{
    if (!cursor_skip(&c, header_bytes))
        return layers_short(l, &c, header_bytes);
    return link_ethernet(l, c);
}

/* ERSPAN type III: 12 bytes, and 8 more when its last bit says so. */
static enum decode_result decode_erspan3(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, 12);

    if (header == NULL)
        return layers_short(l, &c, 12);
    return decode_erspan(l, c, (header[11] & 1) != 0 ? 20 : 12);
}

/* PPTP's GRE (RFC 2637 section 4.1).  The call id is the receiver's, another in each direction, so
 * it must not tell flows apart. */
static enum decode_result decode_pptp(struct layers *l, struct cursor c, uint16_t flags)
{
    uint32_t size = 4u + ((flags & GRE_SEQUENCE) != 0 ? 4 : 0) +
                    ((flags & GRE_ACKNOWLEDGMENT) != 0 ? 4 : 0);

    if (!cursor_skip(&c, size))
        return layers_short(l, &c, size);
    if ((flags & GRE_SEQUENCE) == 0)
        return layers_skip(l, SKIP_NOT_TCP); /* an acknowledgment alone */
    if (!tunnel_enter(l, TUNNEL_PPTP, 0))
        return DECODE_SKIPPED;
    return network_decode_ppp(l, c);
}

/* GRE (RFC 2784, RFC 2890): checksum, key and sequence number are there when their bits are set. */
enum decode_result tunnel_decode_gre(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 4);
    uint32_t key = 0;

    if (header == NULL)
        return layers_short(l, &c, 4);
    uint16_t flags = bytes_load16_big(header), type = bytes_load16_big(header + 2);
    bool has_key = (flags & GRE_KEY) != 0, has_sequence = (flags & GRE_SEQUENCE) != 0;

    if ((flags & GRE_VERSION) == 1)
        return decode_pptp(l, c, flags);
    if ((flags & (GRE_VERSION | GRE_ROUTING)) != 0)
        return layers_skip(l, SKIP_NOT_TCP);
    if (((flags & GRE_CHECKSUM) != 0 && !cursor_skip(&c, 4)) ||
        (has_key && !cursor_u32(&c, &key)) || (has_sequence && !cursor_skip(&c, 4)))
        return layers_short(l, &c, 4);
    if (!tunnel_enter(l, has_key ? TUNNEL_GRE_KEY : TUNNEL_PLAIN, key))
        return DECODE_SKIPPED;
    switch (type) {
    case ETHERTYPE_BRIDGED: return link_ethernet(l, c);
    case ETHERTYPE_ERSPAN: return decode_erspan(l, c, has_sequence ? 8 : 0);
    case ETHERTYPE_ERSPAN3: return decode_erspan3(l, c);
    default: return network_decode(l, c, type);
    }
}
