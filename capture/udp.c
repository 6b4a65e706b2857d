#include "capture/udp.h"

#include "capture/dns.h"
#include "capture/tunnel.h"

#define UDP_HEADER_BYTES 8
#define PORT_DNS 53
#define PORT_IPSEC 4500 /* RFC 3948 */

enum decode_result udp_skip(struct layers *l)
{
    l->counts->udp++;
    return layers_skip(l, SKIP_NOT_TCP);
}

/* ESP unless the non-ESP marker says IKE, or a single byte keeps a NAT binding alive. */
static enum decode_result decode_ipsec(struct layers *l, struct cursor c)
{
    uint32_t spi;

    if (!cursor_u32(&c, &spi) || spi == 0)
        return udp_skip(l);
    return layers_skip(l, SKIP_ENCRYPTED);
}

static const struct {
    uint16_t port;
    enum decode_result (*decode)(struct layers *l, struct cursor c);
} carriers[] = {
    {4789, tunnel_decode_vxlan},
    {8472, tunnel_decode_vxlan}, /* Linux before it had a registered port */
    {4790, tunnel_decode_vxlan_gpe},
    {6081, tunnel_decode_geneve},
    {2152, tunnel_decode_gtp},
    {3544, tunnel_decode_teredo},
    {1701, tunnel_decode_l2tp},
    {4754, tunnel_decode_gre}, /* RFC 8086 */
    {37008, tunnel_decode_tzsp},
    {6635, tunnel_decode_mpls},
    {PORT_IPSEC, decode_ipsec},
};

/* Clients of Teredo, L2TP and IPsec are answered at their own port: both ports are looked at. */
enum decode_result udp_decode(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, UDP_HEADER_BYTES);

    if (header == NULL)
        return udp_skip(l);
    uint16_t src_port = bytes_load16_big(header), dst_port = bytes_load16_big(header + 2);

    if (src_port == PORT_DNS || dst_port == PORT_DNS)
        return dns_decode(l, c, src_port, dst_port);
    for (size_t i = 0; i < sizeof carriers / sizeof carriers[0]; i++)
        if (carriers[i].port == dst_port || carriers[i].port == src_port)
            return carriers[i].decode(l, c);
    return udp_skip(l);
}
