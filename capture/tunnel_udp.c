/* Tunnels over UDP: VXLAN, GENEVE, GTP-U, Teredo, L2TP, MPLS and TZSP. */
#include "capture/ip.h"
#include "capture/link.h"
#include "capture/network.h"
#include "capture/tunnel.h"
#include "capture/udp.h"

/* VXLAN (RFC 7348 section 5): without the I bit it is something else on this port. */
enum decode_result tunnel_decode_vxlan(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 8);

    if (header == NULL || (header[0] & 0x08) == 0)
        return udp_skip(l);
    if (!tunnel_enter(l, TUNNEL_VXLAN, bytes_load32_big(header + 4) >> 8))
        return DECODE_SKIPPED;
    return link_ethernet(l, c);
}

/* VXLAN-GPE (draft-ietf-nvo3-vxlan-gpe): the fourth byte says what is inside. */
enum decode_result tunnel_decode_vxlan_gpe(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 8);

    if (header == NULL || (header[0] & 0x08) == 0)
        return udp_skip(l);
    if (!tunnel_enter(l, TUNNEL_VXLAN, bytes_load32_big(header + 4) >> 8))
        return DECODE_SKIPPED;
    switch (header[3]) {
    case 1: return ipv4_decode(l, c);
    case 2: return ipv6_decode(l, c);
    case 0: /* no P bit: plain VXLAN */
    case 3: return link_ethernet(l, c);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}

/* GENEVE (RFC 8926 section 3.4): options in units of 4 bytes, then an EtherType's payload. */
enum decode_result tunnel_decode_geneve(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 8);

    if (header == NULL || header[0] >> 6 != 0)
        return udp_skip(l);
    uint32_t options_bytes = (header[0] & 0x3fu) * 4;
    if (!cursor_skip(&c, options_bytes))
        return layers_short(l, &c, options_bytes);
    if (!tunnel_enter(l, TUNNEL_GENEVE, bytes_load32_big(header + 4) >> 8))
        return DECODE_SKIPPED;
    uint16_t type = bytes_load16_big(header + 2);
    return type == ETHERTYPE_BRIDGED ? link_ethernet(l, c) : network_decode(l, c, type);
}

/* GTP-U G-PDU (3GPP TS 29.281 section 5).  The TEID is the receiver's, another in each direction,
 * so it must not tell flows apart. */
enum decode_result tunnel_decode_gtp(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 8), *more;

    if (header == NULL || (header[0] & 0xf0) != 0x30 || header[1] != 0xff)
        return udp_skip(l);
    cursor_limit(&c, bytes_load16_big(header + 2));
    if ((header[0] & 0x07) != 0) {
        more = cursor_take(&c, 4);
        if (more == NULL)
            return layers_short(l, &c, 4);
        uint8_t next = (header[0] & 0x04) != 0 ? more[3] : 0;
        while (next != 0) { /* extension headers in units of 4 bytes, the next one's type last */
            const uint8_t *length = cursor_peek(&c, 1);
            uint32_t size = length != NULL ? length[0] * 4u : 1;

            if (size == 0)
                return layers_skip(l, SKIP_MALFORMED);
            if ((more = cursor_take(&c, size)) == NULL)
                return layers_short(l, &c, size);
            next = more[size - 1];
        }
    }
    if (!tunnel_enter(l, TUNNEL_GTP, 0))
        return DECODE_SKIPPED;
    return network_decode_ip(l, c);
}

/* Teredo (RFC 4380 section 5.1.1): IPv6, perhaps behind an authentication and an origin header. */
enum decode_result tunnel_decode_teredo(struct layers *l, struct cursor c)
{
    const uint8_t *first = cursor_peek(&c, 4);

    if (first != NULL && first[0] == 0 && first[1] == 1) {
        cursor_skip(&c, 13u + first[2] + first[3]);
        first = cursor_peek(&c, 4);
    }
    if (first != NULL && first[0] == 0 && first[1] == 0) {
        cursor_skip(&c, 8);
        first = cursor_peek(&c, 4);
    }
    if (first == NULL || first[0] >> 4 != 6)
        return udp_skip(l);
    if (!tunnel_enter(l, TUNNEL_PLAIN, 0))
        return DECODE_SKIPPED;
    return ipv6_decode(l, c);
}

/* L2TP version 2 data message (RFC 2661 section 3.1).  Tunnel and session numbers are the
 * receiver's, others in each direction, so they must not tell flows apart. */
enum decode_result tunnel_decode_l2tp(struct layers *l, struct cursor c)
{
    uint16_t flags, offset_bytes = 0;

    if (!cursor_u16(&c, &flags) || (flags & 0x8000) != 0 || (flags & 0x000f) != 2)
        return udp_skip(l);
    uint32_t size = 4u + ((flags & 0x4000) != 0 ? 2 : 0) + ((flags & 0x0800) != 0 ? 4 : 0);
    if (!cursor_skip(&c, size) || ((flags & 0x0200) != 0 && !cursor_u16(&c, &offset_bytes)) ||
        !cursor_skip(&c, offset_bytes))
        return layers_skip(l, SKIP_CUT);
    if (!tunnel_enter(l, TUNNEL_L2TP, 0))
        return DECODE_SKIPPED;
    return network_decode_ppp(l, c);
}

/* MPLS in UDP (RFC 7510). */
enum decode_result tunnel_decode_mpls(struct layers *l, struct cursor c)
{
    if (!tunnel_enter(l, TUNNEL_PLAIN, 0))
        return DECODE_SKIPPED;
    return network_decode_mpls(l, c);
}

/* TZSP, the mirror format of some access points: tags up to an end tag, then a frame. */
enum decode_result tunnel_decode_tzsp(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 4);
    uint8_t tag, size;

    if (header == NULL || header[0] != 1 || header[1] > 1)
        return udp_skip(l);
    uint16_t encapsulated = bytes_load16_big(header + 2);
    while (cursor_u8(&c, &tag) && tag != 1)
        if (tag != 0 && (!cursor_u8(&c, &size) || !cursor_skip(&c, size)))
            return udp_skip(l);
    if (!tunnel_enter(l, TUNNEL_PLAIN, 0))
        return DECODE_SKIPPED;
    switch (encapsulated) {
    case 1: return link_ethernet(l, c);
    case 18: return link_80211(l, c);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}
