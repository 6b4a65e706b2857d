#include "capture/ip.h"

#include "capture/icmp.h"
#include "capture/network.h"
#include "capture/tcp.h"
#include "capture/tunnel.h"
#include "capture/udp.h"

#define IPV4_HEADER_MIN 20
#define IPV6_HEADER_BYTES 40
#define FRAGMENT_OFFSET_MASK 0x1fff
#define MORE_FRAGMENTS 0x2000

/* A fragment that is not the first: the ports are elsewhere. */
static enum decode_result skip_later_fragment(struct layers *l, uint8_t protocol)
{
    if (protocol == IP_PROTOCOL_TCP)
        l->counts->tcp_fragments++;
    return layers_skip(l, SKIP_FRAGMENT);
}

/* An IPv4 header (RFC 791 section 3.1); its total length ends the packet, not the frame. */
enum decode_result ipv4_decode(struct layers *l, struct cursor c)
{
    uint32_t wire_bytes = c.wire;
    const uint8_t *header = cursor_take(&c, IPV4_HEADER_MIN);

    if (header == NULL)
        return layers_short(l, &c, IPV4_HEADER_MIN);
    uint32_t header_bytes = (header[0] & 0x0fu) * 4;
    uint32_t total_bytes = bytes_load16_big(header + 2);
    uint16_t fragment = bytes_load16_big(header + 6);

    l->ip_version = 4;
    l->ip = header;
    if (total_bytes == 0) { /* segmentation offload: all of the frame belongs to the packet */
        l->marks |= SEGMENT_LENGTH_FROM_FRAME;
        total_bytes = wire_bytes;
    }
    if (header[0] >> 4 != 4 || header_bytes < IPV4_HEADER_MIN || total_bytes < header_bytes)
        return layers_skip(l, SKIP_MALFORMED);
    cursor_set_wire(&c, total_bytes - IPV4_HEADER_MIN);
    if (!cursor_skip(&c, header_bytes - IPV4_HEADER_MIN))
        return layers_short(l, &c, header_bytes - IPV4_HEADER_MIN);
    if ((fragment & (FRAGMENT_OFFSET_MASK | MORE_FRAGMENTS)) != 0) {
        if ((fragment & FRAGMENT_OFFSET_MASK) != 0)
            return skip_later_fragment(l, header[9]);
        l->marks |= SEGMENT_FIRST_FRAGMENT;
    }
    if (header[9] == IP_PROTOCOL_TCP) /* nearly always: spare it the switch */
        return tcp_decode(l, c);
    return ip_payload_decode(l, c, header[9]);
}

/* An IPv6 header (RFC 8200 section 3) with its extension headers. */
enum decode_result ipv6_decode(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, IPV6_HEADER_BYTES);
    struct ipv6_chain chain;

    if (header == NULL)
        return layers_short(l, &c, IPV6_HEADER_BYTES);
    uint32_t payload_bytes = bytes_load16_big(header + 4), frame_bytes = c.wire;

    l->ip_version = 6;
    l->ip = header;
    if (header[0] >> 4 != 6)
        return layers_skip(l, SKIP_MALFORMED);
    if (payload_bytes != 0)
        cursor_set_wire(&c, payload_bytes);
    if (!ipv6_chain_walk(&c, header[6], &chain))
        return layers_skip(l, c.captured < c.wire ? SKIP_CUT : SKIP_MALFORMED);
    if (chain.jumbo_bytes != 0) {
        uint32_t chain_bytes = frame_bytes - c.wire;

        /* RFC 2675 section 3: with payload length 0 only, and never less than 65,536 */
        if (payload_bytes != 0 || chain.jumbo_bytes <= UINT16_MAX ||
            chain.jumbo_bytes > frame_bytes || chain.jumbo_bytes < chain_bytes)
            return layers_skip(l, SKIP_MALFORMED);
        cursor_limit(&c, chain.jumbo_bytes - chain_bytes);
        l->counts->jumbograms++;
    } else if (payload_bytes == 0) {
        l->marks |= SEGMENT_LENGTH_FROM_FRAME;
    }
    l->ipv6_dst = chain.final_dst != NULL ? chain.final_dst : header + 24;
    if (chain.fragmented && chain.fragment_offset != 0)
        return skip_later_fragment(l, chain.protocol);
    if (chain.fragmented)
        l->marks |= SEGMENT_FIRST_FRAGMENT;
    return ip_payload_decode(l, c, chain.protocol);
}

enum decode_result ip_payload_decode(struct layers *l, struct cursor c, uint8_t protocol)
{
    switch (protocol) {
    case IP_PROTOCOL_TCP: return tcp_decode(l, c);
    case IP_PROTOCOL_UDP: return udp_decode(l, c);
    case IP_PROTOCOL_ICMP: return icmp_decode(l, c);
    case IP_PROTOCOL_ICMPV6: return icmpv6_decode(l, c);
    case IP_PROTOCOL_IPV4:
    case IP_PROTOCOL_IPV6:
    case IP_PROTOCOL_GRE:
    case IP_PROTOCOL_ETHERIP:
    case IP_PROTOCOL_MPLS: return tunnel_decode(l, c, protocol);
    case IP_PROTOCOL_ESP: return layers_skip(l, SKIP_ENCRYPTED);
    case IP_PROTOCOL_AH: {
        /* IPv4 keeps no chain of headers but this one (RFC 4302 section 3.1.1) */
        struct ipv6_chain chain;

        if (!ipv6_chain_walk(&c, protocol, &chain))
            return layers_skip(l, c.captured < c.wire ? SKIP_CUT : SKIP_MALFORMED);
        return ip_payload_decode(l, c, chain.protocol);
    }
    default: return layers_skip(l, SKIP_NOT_TCP);
    }
}
