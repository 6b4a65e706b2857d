/* PPP (RFC 1661) and its session over Ethernet (RFC 2516). */
#include "capture/ip.h"
#include "capture/network.h"

enum ppp_protocol {
    PPP_IPV4 = 0x0021,
    PPP_IPV6 = 0x0057,
    PPP_MPLS = 0x0281,
    PPP_MPLS_MULTICAST = 0x0283,
    PPP_ENCRYPTED = 0x0053,       /* RFC 1968 */
    PPP_COMPRESSED = 0x00fd,      /* CCP; MPPE (RFC 3078) uses it too */
};

enum decode_result network_decode_pppoe(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 6);

    if (header == NULL)
        return layers_short(l, &c, 6);
    if (header[0] != 0x11)
        return layers_skip(l, SKIP_MALFORMED);
    if (header[1] != 0)
        return layers_skip(l, SKIP_NOT_IP); /* discovery */
    cursor_limit(&c, bytes_load16_big(header + 4));
    return network_decode_ppp(l, c);
}

/* An odd first byte is a whole protocol number (RFC 1661 section 6.5). */
enum decode_result network_decode_ppp(struct layers *l, struct cursor c)
{
    const uint8_t *first = cursor_peek(&c, 2);
    uint16_t protocol;
    uint8_t low;

    if (first != NULL && first[0] == 0xff && first[1] == 0x03)
        cursor_skip(&c, 2);
    first = cursor_peek(&c, 1);
    if (first != NULL && (first[0] & 1) != 0) {
        cursor_u8(&c, &low);
        protocol = low;
    } else if (!cursor_u16(&c, &protocol)) {
        return layers_short(l, &c, 2);
    }
    return network_decode_ppp_protocol(l, c, protocol);
}

enum decode_result network_decode_ppp_protocol(struct layers *l, struct cursor c, uint16_t protocol)
{
    switch (protocol) {
    case PPP_IPV4: return ipv4_decode(l, c);
    case PPP_IPV6: return ipv6_decode(l, c);
    case PPP_MPLS:
    case PPP_MPLS_MULTICAST: return network_decode_mpls(l, c);
    case PPP_ENCRYPTED:
    case PPP_COMPRESSED: return layers_skip(l, SKIP_ENCRYPTED);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}
