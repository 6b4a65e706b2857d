/* Local networks besides Ethernet: Token Ring, FDDI, ARCNET, Fibre Channel and the like. */
#include "capture/ip.h"
#include "capture/link.h"
#include "capture/network.h"

static uint64_t load48(const uint8_t *addr)
{
    return (uint64_t)bytes_load16_big(addr) << 32 | bytes_load32_big(addr + 2);
}

/* IEEE 802.5: AC, FC, addresses; the source's top bit says that a route of 2..30 bytes follows. */
enum decode_result link_token_ring(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 14), *route;

    if (header == NULL)
        return layers_short(l, &c, 14);
    l->link_hash = link_hash(load48(header + 2), load48(header + 8) & 0x7fffffffffffULL);
    if ((header[1] & 0xc0) != 0x40)
        return layers_skip(l, SKIP_NOT_IP); /* not an LLC frame */
    if ((header[8] & 0x80) != 0) {
        route = cursor_peek(&c, 2);
        uint32_t size = route != NULL ? route[0] & 0x1fu : 2;

        if (size < 2 || size % 2 != 0)
            return layers_skip(l, SKIP_MALFORMED);
        if (!cursor_skip(&c, size))
            return layers_short(l, &c, size);
    }
    return network_decode_llc(l, c);
}

static bool is_fddi_llc(uint8_t frame_control)
{
    return (frame_control & 0x78) == 0x50; /* asynchronous or synchronous LLC */
}

/* ANSI X3T9.5: FC, addresses, LLC.  Tru64 and Ultrix write 3 bytes of padding first: believed where
 * the plain reading finds no LLC frame and the padded one does (RFC 1390). */
enum decode_result link_fddi(struct layers *l, struct cursor c)
{
    static const uint8_t snap[3] = {0xaa, 0xaa, 0x03};
    const uint8_t *padded = cursor_peek(&c, 19);

    if (padded != NULL && is_fddi_llc(padded[3]) && memcmp(padded + 16, snap, sizeof snap) == 0 &&
        !(is_fddi_llc(padded[0]) && memcmp(padded + 13, snap, sizeof snap) == 0))
        cursor_skip(&c, 3);
    const uint8_t *header = cursor_take(&c, 13);
    if (header == NULL)
        return layers_short(l, &c, 13);
    l->link_hash = link_hash(load48(header + 1), load48(header + 7));
    if (!is_fddi_llc(header[0]))
        return layers_skip(l, SKIP_NOT_IP);
    return network_decode_llc(l, c);
}

/* Behind ARCNET's type byte: the old RFC 1051 types stand alone, those of RFC 1201 have a split
 * flag and a sequence number, after 4 more bytes when the flag is ff (exception frame). */
static enum decode_result decode_arcnet_type(struct layers *l, struct cursor c, uint8_t type)
{
    uint8_t split;

    if (type == 240)
        return ipv4_decode(l, c);
    if (type != 212 && type != 196)
        return layers_skip(l, SKIP_NOT_IP);
    const uint8_t *header = cursor_peek(&c, 1);
    uint32_t size = header != NULL && header[0] == 0xff ? 7 : 3;
    if (header == NULL || !cursor_skip(&c, size))
        return layers_short(l, &c, size);
    split = header[size - 3];
    if (split != 0 && (split & 1) == 0)
        return layers_skip(l, SKIP_FRAGMENT);
    return type == 212 ? ipv4_decode(l, c) : ipv6_decode(l, c);
}

/* ARCNET (RFC 1201): source, destination, type. */
enum decode_result link_arcnet(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 3);

    if (header == NULL)
        return layers_short(l, &c, 3);
    l->link_hash = link_hash(header[1], header[0]);
    return decode_arcnet_type(l, c, header[2]);
}

/* Linux keeps two more bytes, an offset, before the type. */
enum decode_result link_arcnet_linux(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 5);

    if (header == NULL)
        return layers_short(l, &c, 5);
    l->link_hash = link_hash(header[1], header[0]);
    return decode_arcnet_type(l, c, header[4]);
}

/* IP over Fibre Channel (RFC 4338): two 8-byte network addresses, then LLC. */
enum decode_result link_fibre_channel(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 16);

    if (header == NULL)
        return layers_short(l, &c, 16);
    l->link_hash = link_hash(load48(header + 2), load48(header + 10));
    return network_decode_llc(l, c);
}

/* A header of size bytes with an EtherType in it. */
static enum decode_result decode_typed(struct layers *l, struct cursor c, uint32_t size,
                                       uint32_t type_at)
{
    const uint8_t *header = cursor_take(&c, size);

    if (header == NULL)
        return layers_short(l, &c, size);
    return network_decode(l, c, bytes_load16_big(header + type_at));
}

enum decode_result link_ieee1394(struct layers *l, struct cursor c)
{
    return decode_typed(l, c, 18, 16);
}

/* IP over InfiniBand (RFC 4391): a 40-byte global route header, type, 2 reserved bytes. */
enum decode_result link_infiniband(struct layers *l, struct cursor c)
{
    return decode_typed(l, c, 44, 40);
}

enum decode_result link_symantec(struct layers *l, struct cursor c)
{
    return decode_typed(l, c, 44, 6);
}
