#include "capture/network.h"

#include "capture/ip.h"
#include "capture/link.h"

#define TAGS_MAX 16
#define LABELS_MAX 16
#define OUI_ENCAPSULATED_ETHERNET 0x000000
#define OUI_CISCO 0x00000c
#define OUI_APPLE_BRIDGE 0x0000f8 /* 802.1H */
#define OUI_BRIDGED 0x0080c2      /* RFC 2427, RFC 2684 */

static bool is_vlan(uint16_t type)
{
    return type == ETHERTYPE_VLAN || type == ETHERTYPE_PROVIDER_VLAN ||
           type == ETHERTYPE_VLAN_9100 || type == ETHERTYPE_VLAN_9200;
}

/* Any number of 802.1Q tags, then a type or length; the innermost tag is the one that counts. */
static enum decode_result decode_vlan(struct layers *l, struct cursor c)
{
    uint16_t type;

    do {
        const uint8_t *tag = cursor_take(&c, 4);

        if (tag == NULL)
            return layers_short(l, &c, 4);
        if (l->vlan_depth == TAGS_MAX)
            return layers_skip(l, SKIP_MALFORMED);
        l->vlan_depth++;
        l->vlan = bytes_load16_big(tag) & 0x0fff;
        type = bytes_load16_big(tag + 2);
    } while (is_vlan(type));
    return network_decode_type_or_length(l, c, type);
}

/* A header of fixed size that ends in an EtherType: HSR (IEC 62439-3). */
static enum decode_result decode_typed_header(struct layers *l, struct cursor c, uint32_t size)
{
    const uint8_t *header = cursor_take(&c, size);

    if (header == NULL)
        return layers_short(l, &c, size);
    return network_decode_type_or_length(l, c, bytes_load16_big(header + size - 2));
}

/* An 802.1ah I-TAG of 4 bytes (IEEE 802.1Q clause 9.7), then the customer's frame. */
static enum decode_result decode_backbone(struct layers *l, struct cursor c)
{
    if (!cursor_skip(&c, 4))
        return layers_short(l, &c, 4);
    return link_ethernet_inner(l, c);
}

/* WCCP's GRE payload: version 2 puts 4 bytes before the IP packet, version 1 none. */
static enum decode_result decode_wccp(struct layers *l, struct cursor c)
{
    const uint8_t *first = cursor_peek(&c, 1);

    if (first != NULL && first[0] >> 4 != 4)
        cursor_skip(&c, 4);
    return network_decode_ip(l, c);
}

enum decode_result network_decode(struct layers *l, struct cursor c, uint16_t type)
{
    switch (type) {
    case ETHERTYPE_IPV4: return ipv4_decode(l, c);
    case ETHERTYPE_IPV6: return ipv6_decode(l, c);
    case ETHERTYPE_VLAN:
    case ETHERTYPE_PROVIDER_VLAN:
    case ETHERTYPE_VLAN_9100:
    case ETHERTYPE_VLAN_9200: return decode_vlan(l, c);
    case ETHERTYPE_MPLS:
    case ETHERTYPE_MPLS_MULTICAST: return network_decode_mpls(l, c);
    case ETHERTYPE_PPPOE: return network_decode_pppoe(l, c);
    case ETHERTYPE_PPP: return network_decode_ppp(l, c);
    case ETHERTYPE_MACSEC: return layers_skip(l, SKIP_ENCRYPTED);
    case ETHERTYPE_PROVIDER_BACKBONE: return decode_backbone(l, c);
    case ETHERTYPE_BRIDGED: return link_ethernet_inner(l, c);
    case ETHERTYPE_HSR: return decode_typed_header(l, c, 6);
    case ETHERTYPE_WCCP: return decode_wccp(l, c);
    case ETHERTYPE_ARP: l->counts->arp++; return layers_skip(l, SKIP_NOT_IP);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}

enum decode_result network_decode_type_or_length(struct layers *l, struct cursor c, uint16_t field)
{
    if (field == ETHERTYPE_IPV4) /* nearly always: spare it the switch */
        return ipv4_decode(l, c);
    if (field >= ETHERTYPE_FIRST)
        return network_decode(l, c, field);
    cursor_limit(&c, field);
    return network_decode_llc(l, c);
}

enum decode_result network_decode_ip(struct layers *l, struct cursor c)
{
    const uint8_t *first = cursor_peek(&c, 1);

    if (first == NULL)
        return layers_short(l, &c, 1);
    switch (first[0] >> 4) {
    case 4: return ipv4_decode(l, c);
    case 6: return ipv6_decode(l, c);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}

enum decode_result network_decode_llc(struct layers *l, struct cursor c)
{
    const uint8_t *llc = cursor_take(&c, 3);

    if (llc == NULL)
        return layers_short(l, &c, 3);
    if (llc[0] == 0xaa && llc[1] == 0xaa && llc[2] == 0x03)
        return network_decode_snap(l, c, 2);
    if (llc[0] == 0x06 && llc[1] == 0x06 && llc[2] == 0x03)
        return network_decode_ip(l, c);
    return layers_skip(l, SKIP_NOT_IP);
}

enum decode_result network_decode_snap(struct layers *l, struct cursor c, uint32_t pad_bytes)
{
    const uint8_t *snap = cursor_take(&c, 5);

    if (snap == NULL)
        return layers_short(l, &c, 5);
    uint32_t oui = bytes_load32_big(snap) >> 8;
    uint16_t type = bytes_load16_big(snap + 3);

    if (oui == OUI_ENCAPSULATED_ETHERNET || oui == OUI_APPLE_BRIDGE || oui == OUI_CISCO)
        return network_decode(l, c, type);
    if (oui == OUI_BRIDGED && (type == 0x0001 || type == 0x0007)) {
        if (!cursor_skip(&c, pad_bytes))
            return layers_short(l, &c, pad_bytes);
        if (type == 0x0001)
            cursor_trim_end(&c, 4); /* with the frame's FCS */
        return link_ethernet_inner(l, c);
    }
    return layers_skip(l, SKIP_NOT_IP);
}

/* What is below the last label is not said (RFC 4928 section 2): IP by its first nibble; 0 is the
 * control word of a pseudowire (RFC 4385 section 3) unless an Ethernet frame starts right there. */
static enum decode_result decode_below_labels(struct layers *l, struct cursor c)
{
    const uint8_t *first = cursor_peek(&c, 1);

    if (first == NULL)
        return layers_short(l, &c, 1);
    if ((first[0] >> 4 == 4 && (first[0] & 0x0f) >= 5) || first[0] >> 4 == 6)
        return network_decode_ip(l, c);
    if (first[0] >> 4 == 0 && !link_ethernet_plausible(c))
        cursor_skip(&c, 4);
    return link_ethernet_plausible(c) ? link_ethernet_inner(l, c) : layers_skip(l, SKIP_NOT_IP);
}

enum decode_result network_decode_mpls(struct layers *l, struct cursor c)
{
    uint32_t label;

    for (int i = 0; i < LABELS_MAX; i++) {
        if (!cursor_u32(&c, &label))
            return layers_short(l, &c, 4);
        if ((label & 0x100) != 0) /* bottom of stack (RFC 3032 section 2.1) */
            return decode_below_labels(l, c);
    }
    return layers_skip(l, SKIP_MALFORMED);
}
