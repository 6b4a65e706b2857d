#include "capture/icmp.h"

#include "capture/ip.h"

#define ICMP_HEADER_BYTES 8
#define QUOTED_TCP_BYTES 8 /* RFC 792 promises no more: ports and sequence number */

struct quoted_ip {
    uint8_t version;
    const uint8_t *src, *dst;
};

static enum decode_result skip_icmp(struct layers *l)
{
    l->counts->icmp++;
    return layers_skip(l, SKIP_NOT_TCP);
}

/* Step over the quoted IP header and note its addresses; false unless TCP's first bytes follow. */
static bool take_quoted_ip(struct cursor *c, struct quoted_ip *quoted)
{
    const uint8_t *first = cursor_peek(c, 1), *header;
    struct ipv6_chain chain;

    if (first == NULL)
        return false;
    quoted->version = first[0] >> 4;
    if (quoted->version == 4) {
        header = cursor_take(c, 20);
        if (header == NULL || (header[0] & 0x0f) < 5)
            return false;
        quoted->src = header + 12;
        quoted->dst = header + 16;
        return header[9] == IP_PROTOCOL_TCP && (bytes_load16_big(header + 6) & 0x1fff) == 0 &&
               cursor_skip(c, (header[0] & 0x0fu) * 4 - 20);
    }
    header = cursor_take(c, 40);
    if (quoted->version != 6 || header == NULL)
        return false;
    quoted->src = header + 8;
    quoted->dst = header + 24;
    return ipv6_chain_walk(c, header[6], &chain) && chain.fragment_offset == 0 &&
           chain.protocol == IP_PROTOCOL_TCP;
}

/* The notice for an error of this kind; its 8-byte header is given, c is at the quoted packet. */
static enum decode_result decode_error(struct layers *l, struct cursor c, const uint8_t *header,
                                       enum notice_kind kind, uint32_t mtu_bytes)
{
    struct quoted_ip quoted;

    if (!take_quoted_ip(&c, &quoted))
        return skip_icmp(l);
    const uint8_t *tcp = cursor_take(&c, QUOTED_TCP_BYTES);
    if (tcp == NULL)
        return skip_icmp(l);
    *l->notice = (struct notice){
        .time_ns = l->packet->time_ns,
        .frame = l->packet->frame,
        .kind = kind,
        .src = ip_addr_load(l->ip_version, layers_ip_src(l)),
        .dst = ip_addr_load(l->ip_version, layers_ip_dst(l)),
        .icmp_type = header[0],
        .icmp_code = header[1],
        .mtu_bytes = mtu_bytes,
        .quoted_src = ip_addr_load(quoted.version, quoted.src),
        .quoted_dst = ip_addr_load(quoted.version, quoted.dst),
        .quoted_src_port = bytes_load16_big(tcp),
        .quoted_dst_port = bytes_load16_big(tcp + 2),
        .quoted_seq = bytes_load32_big(tcp + 4),
    };
    skip_icmp(l);
    return DECODE_NOTICE;
}

/* RFC 792, and RFC 1191 section 4 for the next hop's MTU. */
enum decode_result icmp_decode(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, ICMP_HEADER_BYTES);

    if (header == NULL)
        return skip_icmp(l);
    switch (header[0]) {
    case 3:
        if (header[1] == 4)
            return decode_error(l, c, header, NOTICE_FRAGMENTATION_NEEDED,
                                bytes_load16_big(header + 6));
        return decode_error(l, c, header, NOTICE_UNREACHABLE, 0);
    case 11: return decode_error(l, c, header, NOTICE_TIME_EXCEEDED, 0);
    case 4:  /* source quench */
    case 5:  /* redirect */
    case 12: /* parameter problem */
        return decode_error(l, c, header, NOTICE_OTHER_ICMP, 0);
    default: return skip_icmp(l);
    }
}

/* RFC 4443 section 3. */
enum decode_result icmpv6_decode(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, ICMP_HEADER_BYTES);

    if (header == NULL)
        return skip_icmp(l);
    switch (header[0]) {
    case 1: return decode_error(l, c, header, NOTICE_UNREACHABLE, 0);
    case 2:
        return decode_error(l, c, header, NOTICE_FRAGMENTATION_NEEDED,
                            bytes_load32_big(header + 4));
    case 3: return decode_error(l, c, header, NOTICE_TIME_EXCEEDED, 0);
    case 4: return decode_error(l, c, header, NOTICE_OTHER_ICMP, 0);
    default: return skip_icmp(l);
    }
}
