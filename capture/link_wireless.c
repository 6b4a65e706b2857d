/* IEEE 802.11 data frames, bare or behind the headers of monitor mode. */
#include "capture/link.h"
#include "capture/network.h"

#define FC_TYPE_MASK 0x0c
#define FC_TYPE_DATA 0x08
#define FC_SUBTYPE_NO_DATA 0x40
#define FC_SUBTYPE_QOS 0x80
/* second byte of frame control */
#define FC_TO_DS 0x01
#define FC_FROM_DS 0x02
#define FC_PROTECTED 0x40
#define FC_ORDER 0x80
#define QOS_AMSDU 0x80
#define RADIOTAP_FCS 0x10
#define RADIOTAP_PADDED 0x20
#define RADIOTAP_MORE 0x80000000u

/* Destination and source (IEEE 802.11 table 9-60): which of the four addresses they are depends on
 * the two DS bits. */
static uint32_t hash_addrs(const uint8_t *header, uint8_t ds)
{
    uint32_t dst = (ds & FC_TO_DS) != 0 ? 16 : 4;
    uint32_t src = ds == FC_FROM_DS ? 16 : ds == (FC_TO_DS | FC_FROM_DS) ? 24 : 10;

    return link_hash((uint64_t)bytes_load32_big(header + dst) << 16 |
                         bytes_load16_big(header + dst + 4),
                     (uint64_t)bytes_load32_big(header + src) << 16 |
                         bytes_load16_big(header + src + 4));
}

/* The first subframe of an A-MSDU; a packet gives one segment, the others stay unread. */
static enum decode_result decode_amsdu(struct layers *l, struct cursor c)
{
    const uint8_t *subframe = cursor_take(&c, 14);

    if (subframe == NULL)
        return layers_short(l, &c, 14);
    cursor_limit(&c, bytes_load16_big(subframe + 12));
    return network_decode_llc(l, c);
}

/* A frame whose header is followed by padding to 4 bytes when padded. */
static enum decode_result decode_80211(struct layers *l, struct cursor c, bool padded)
{
    const uint8_t *header = cursor_peek(&c, 2);

    if (header == NULL)
        return layers_short(l, &c, 2);
    bool qos = (header[0] & FC_SUBTYPE_QOS) != 0, amsdu = false;
    uint8_t ds = header[1] & (FC_TO_DS | FC_FROM_DS);
    uint32_t size = ds == (FC_TO_DS | FC_FROM_DS) ? 30 : 24;

    if ((header[0] & FC_TYPE_MASK) != FC_TYPE_DATA || (header[0] & FC_SUBTYPE_NO_DATA) != 0)
        return layers_skip(l, SKIP_NOT_IP);
    if ((header[1] & FC_PROTECTED) != 0)
        return layers_skip(l, SKIP_ENCRYPTED);
    header = cursor_take(&c, size);
    if (header == NULL)
        return layers_short(l, &c, size);
    if ((header[22] & 0x0f) != 0)
        return layers_skip(l, SKIP_FRAGMENT); /* fragment number */
    l->link_hash = hash_addrs(header, ds);
    if (qos) {
        uint32_t qos_bytes = 2u + ((header[1] & FC_ORDER) != 0 ? 4 : 0);
        const uint8_t *control = cursor_take(&c, qos_bytes);

        if (control == NULL)
            return layers_short(l, &c, qos_bytes);
        amsdu = (control[0] & QOS_AMSDU) != 0;
        size += qos_bytes;
    }
    if (padded && !cursor_skip(&c, -size & 3u))
        return layers_short(l, &c, -size & 3u);
    return amsdu ? decode_amsdu(l, c) : network_decode_llc(l, c);
}

enum decode_result link_80211(struct layers *l, struct cursor c)
{
    return decode_80211(l, c, false);
}

/* The flags field of a radiotap header, or 0: it comes second, after an aligned 8-byte clock. */
static uint8_t radiotap_flags(struct cursor header)
{
    const struct cursor start = header;
    uint32_t present, first;

    if (!cursor_skip(&header, 4) || !cursor_le32(&header, &first))
        return 0;
    for (present = first; (present & RADIOTAP_MORE) != 0;)
        if (!cursor_le32(&header, &present))
            return 0;
    if ((first & 1) != 0) {
        uint32_t used = start.captured - header.captured;

        if (!cursor_skip(&header, (-used & 7u) + 8))
            return 0;
    }
    uint8_t flags = 0;
    if ((first & 2) != 0)
        cursor_u8(&header, &flags);
    return flags;
}

enum decode_result link_radiotap(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, 8);

    if (header == NULL)
        return layers_short(l, &c, 8);
    struct cursor radiotap = c;
    uint32_t size = bytes_load16_little(header + 2);

    if (size < 8)
        return layers_skip(l, SKIP_MALFORMED);
    if (!cursor_skip(&c, size))
        return layers_short(l, &c, size);
    cursor_limit(&radiotap, size);
    uint8_t flags = radiotap_flags(radiotap);
    if ((flags & RADIOTAP_FCS) != 0)
        cursor_trim_end(&c, 4);
    return decode_80211(l, c, (flags & RADIOTAP_PADDED) != 0);
}

/* AVS: magic and length, big-endian. */
enum decode_result link_avs(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, 8);

    if (header == NULL)
        return layers_short(l, &c, 8);
    uint32_t size = bytes_load32_big(header + 4);
    if (size < 8)
        return layers_skip(l, SKIP_MALFORMED);
    if (!cursor_skip(&c, size))
        return layers_short(l, &c, size);
    return link_80211(l, c);
}

/* Prism: message code and length in the host's byte order; AVS headers come under this type too. */
enum decode_result link_prism(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, 8);

    if (header == NULL)
        return layers_short(l, &c, 8);
    if (bytes_load32_big(header) >> 8 == 0x802110)
        return link_avs(l, c);
    uint32_t size = bytes_load32_little(header + 4);
    if (size > 0xffff)
        size = bytes_load32_big(header + 4);
    if (size < 8)
        return layers_skip(l, SKIP_MALFORMED);
    if (!cursor_skip(&c, size))
        return layers_short(l, &c, size);
    return link_80211(l, c);
}

/* Per-packet information: version, flags, length, then the link type of what follows. */
enum decode_result link_ppi(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, 8);

    if (header == NULL)
        return layers_short(l, &c, 8);
    uint32_t size = bytes_load16_little(header + 2), type = bytes_load32_little(header + 4);
    if (size < 8 || type > INT32_MAX)
        return layers_skip(l, SKIP_MALFORMED);
    if (!cursor_skip(&c, size))
        return layers_short(l, &c, size);
    if (!layers_enter(l))
        return DECODE_SKIPPED;
    return link_decode(l, c, (int)type);
}
