/* Ethernet, and switch-chip formats that are Ethernet with something added. */
#include "capture/link.h"
#include "capture/network.h"

#define ADDRS_BYTES 12
#define HEADER_BYTES 14

enum decode_result link_ethernet(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, HEADER_BYTES);

    if (header == NULL)
        return layers_short(l, &c, HEADER_BYTES);
    l->link_hash = link_hash_ethernet(header);
    return network_decode_type_or_length(l, c, bytes_load16_big(header + 12));
}

enum decode_result link_ethernet_inner(struct layers *l, struct cursor c)
{
    if (!layers_enter(l))
        return DECODE_SKIPPED;
    return link_ethernet(l, c);
}

bool link_ethernet_plausible(struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, HEADER_BYTES);

    if (header == NULL)
        return false;
    switch (bytes_load16_big(header + 12)) {
    case ETHERTYPE_IPV4:
    case ETHERTYPE_IPV6:
    case ETHERTYPE_ARP:
    case ETHERTYPE_VLAN:
    case ETHERTYPE_PROVIDER_VLAN:
    case ETHERTYPE_MPLS:
    case ETHERTYPE_PPPOE: return true;
    default: return false;
    }
}

/* Addresses, a chip's tag of tag_bytes, then the type (0 with a length behind it). */
static enum decode_result decode_tagged(struct layers *l, struct cursor c, uint32_t tag_bytes)
{
    const uint8_t *addrs = cursor_take(&c, ADDRS_BYTES);
    uint16_t type;

    if (addrs == NULL)
        return layers_short(l, &c, ADDRS_BYTES);
    l->link_hash = link_hash_ethernet(addrs);
    if (!cursor_skip(&c, tag_bytes) || !cursor_u16(&c, &type))
        return layers_short(l, &c, tag_bytes + 2);
    return network_decode_type_or_length(l, c, type);
}

/* Note the VLAN in a Marvell tag: bit 29 says that the frame had one. */
static void note_dsa_vlan(struct layers *l, const uint8_t *tag)
{
    if ((tag[0] & 0x20) == 0)
        return;
    l->vlan = bytes_load16_big(tag + 2) & 0x0fff;
    l->vlan_depth++;
}

enum decode_result link_dsa(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, ADDRS_BYTES + 4);

    if (header != NULL)
        note_dsa_vlan(l, header + ADDRS_BYTES);
    return decode_tagged(l, c, 4);
}

/* The same tag behind an EtherType and two zero bytes. */
enum decode_result link_edsa(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, ADDRS_BYTES + 8);

    if (header != NULL)
        note_dsa_vlan(l, header + ADDRS_BYTES + 4);
    return decode_tagged(l, c, 8);
}

enum decode_result link_brcm(struct layers *l, struct cursor c)
{
    return decode_tagged(l, c, 4);
}

/* Broadcom's tag in front of the addresses. */
enum decode_result link_brcm_prepend(struct layers *l, struct cursor c)
{
    if (!cursor_skip(&c, 4))
        return layers_short(l, &c, 4);
    return link_ethernet(l, c);
}

/* Hilscher's analyzer: 4 bytes of port and state, then a frame with its FCS. */
enum decode_result link_netanalyzer(struct layers *l, struct cursor c)
{
    if (!cursor_skip(&c, 4))
        return layers_short(l, &c, 4);
    cursor_trim_end(&c, 4);
    return link_ethernet(l, c);
}
