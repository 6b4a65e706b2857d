/* Link types that a host makes up: loopback, "any" device, firewall logs, capture taps. */
#include "capture/ip.h"
#include "capture/link.h"
#include "capture/network.h"

#define DIRECTION_IN 1
#define DIRECTION_OUT 2

/* An address family of any system: AF_INET is 2 everywhere, AF_INET6 is not. */
static enum decode_result decode_family(struct layers *l, struct cursor c, uint32_t family)
{
    switch (family) {
    case 2: return ipv4_decode(l, c);
    case 10: /* Linux */
    case 23: /* Windows */
    case 24: /* NetBSD, OpenBSD */
    case 26: /* Solaris */
    case 28: /* FreeBSD */
    case 30: /* Darwin */ return ipv6_decode(l, c);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}

/* A family in the byte order of a host that is not known: no family needs more than 16 bits. */
static uint32_t load_family(const uint8_t *bytes)
{
    uint32_t family = bytes_load32_big(bytes);

    return family > 0xffff ? bytes_load32_little(bytes) : family;
}

enum decode_result link_null(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 4);

    if (header == NULL)
        return layers_short(l, &c, 4);
    return decode_family(l, c, load_family(header));
}

/* OpenBSD's enc(4): family, SPI, flags, then the packet as it was before or after IPsec. */
enum decode_result link_enc(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 12);

    if (header == NULL)
        return layers_short(l, &c, 12);
    return decode_family(l, c, load_family(header));
}

/* Packet type of a Linux packet socket: 4 is what this host sent, below it what it received. */
static uint8_t sll_direction(uint32_t packet_type)
{
    return packet_type == 4 ? DIRECTION_OUT : packet_type < 4 ? DIRECTION_IN : 0;
}

/* The protocol field of a cooked header: an EtherType, or one of Linux's numbers below it. */
static enum decode_result decode_cooked(struct layers *l, struct cursor c, uint16_t arphrd,
                                        uint16_t protocol)
{
    if (arphrd == 803) /* ARPHRD_IEEE80211_RADIOTAP */
        return link_radiotap(l, c);
    if (protocol == 0x0004) /* LINUX_SLL_P_802_2 */
        return network_decode_llc(l, c);
    if (protocol == 0x0001 || protocol == 0x0003) /* raw 802.3, every packet */
        return layers_skip(l, SKIP_NOT_IP);
    return network_decode(l, c, protocol);
}

/* Hash of the one address of a cooked header, or 0 when it has none. */
static uint32_t hash_one_addr(const uint8_t *addr, uint32_t size)
{
    if (size == 0)
        return 0;
    return link_hash((uint64_t)bytes_load32_big(addr) << 32 | bytes_load32_big(addr + 4), size);
}

enum decode_result link_linux_sll(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 16);

    if (header == NULL)
        return layers_short(l, &c, 16);
    l->link_direction = sll_direction(bytes_load16_big(header));
    l->link_hash = hash_one_addr(header + 6, bytes_load16_big(header + 4));
    return decode_cooked(l, c, bytes_load16_big(header + 2), bytes_load16_big(header + 14));
}

enum decode_result link_linux_sll2(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 20);

    if (header == NULL)
        return layers_short(l, &c, 20);
    l->link_direction = sll_direction(header[10]);
    l->link_hash = hash_one_addr(header + 12, header[11]);
    return decode_cooked(l, c, bytes_load16_big(header + 8), bytes_load16_big(header));
}

/* The header says its own length, without the padding to 4 bytes; direction only in newer ones. */
enum decode_result link_pflog(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, 2);
    uint32_t size = header != NULL ? (header[0] + 3u) & ~3u : 0;

    if (header == NULL)
        return layers_short(l, &c, 2);
    if (header[0] < 45)
        return layers_skip(l, SKIP_MALFORMED);
    if (!cursor_skip(&c, size))
        return layers_short(l, &c, size);
    if (size > 60)
        l->link_direction = header[60] <= DIRECTION_OUT ? header[60] : 0;
    return decode_family(l, c, header[1]);
}

/* Netfilter log: family, version, resource, then attributes in the host's byte order; the packet is
 * attribute 9. */
enum decode_result link_nflog(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 4), *attribute;

    if (header == NULL)
        return layers_short(l, &c, 4);
    while ((attribute = cursor_peek(&c, 4)) != NULL) {
        /* no type needs a high byte: where one is set, the byte order is the other one */
        bool little = attribute[3] == 0;
        uint32_t size = little ? bytes_load16_little(attribute) : bytes_load16_big(attribute);
        uint32_t type = little ? attribute[2] : attribute[3];

        if (size < 4)
            return layers_skip(l, SKIP_MALFORMED);
        if (type == 9) {
            cursor_limit(&c, size);
            cursor_skip(&c, 4);
            return decode_family(l, c, header[0]);
        }
        if (!cursor_skip(&c, (size + 3) & ~3u))
            return layers_short(l, &c, (size + 3) & ~3u);
    }
    return layers_skip(l, c.wire > c.captured ? SKIP_CUT : SKIP_NOT_IP);
}

/* Solaris ipnet: version, family, hook, and 20 bytes of lengths, interfaces and zones. */
enum decode_result link_ipnet(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 24);

    if (header == NULL)
        return layers_short(l, &c, 24);
    return decode_family(l, c, header[1]);
}

/* Darwin's pktap: a little-endian header that names the link type of what follows. */
enum decode_result link_pktap(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_peek(&c, 40);

    if (header == NULL)
        return layers_short(l, &c, 40);
    uint32_t size = bytes_load32_little(header), type = bytes_load32_little(header + 8);
    uint32_t flags = bytes_load32_little(header + 36);

    if (size < 40 || type > INT32_MAX)
        return layers_skip(l, SKIP_MALFORMED);
    if (bytes_load32_little(header + 4) != 1)
        return layers_skip(l, SKIP_NOT_IP); /* holds no packet */
    if (!cursor_skip(&c, size))
        return layers_short(l, &c, size);
    if (!layers_enter(l))
        return DECODE_SKIPPED;
    l->link_direction = flags & 1 ? DIRECTION_IN : flags & 2 ? DIRECTION_OUT : 0;
    return link_decode(l, c, (int)type);
}

/* Endace ERF: a record header, extension headers of 8 bytes, then what the record type says. */
enum decode_result link_erf(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 16), *extension;

    if (header == NULL)
        return layers_short(l, &c, 16);
    for (bool more = header[8] & 0x80; more; more = extension[0] & 0x80) {
        extension = cursor_take(&c, 8);
        if (extension == NULL)
            return layers_short(l, &c, 8);
    }
    switch (header[8] & 0x7f) {
    case 1: return link_ppp_serial(l, c); /* HDLC over SONET */
    case 2:                               /* Ethernet, plain and coloured */
    case 11:
    case 16:
    case 20:
        if (!cursor_skip(&c, 2))
            return layers_short(l, &c, 2);
        return link_ethernet(l, c);
    case 22: return ipv4_decode(l, c);
    case 23: return ipv6_decode(l, c);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}
