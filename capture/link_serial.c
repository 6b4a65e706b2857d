/* Serial lines and circuits: SLIP, PPP, Cisco HDLC, frame relay, ATM. */
#include "capture/ip.h"
#include "capture/link.h"
#include "capture/network.h"

#define DIRECTION_IN 1
#define DIRECTION_OUT 2

enum nlpid {
    NLPID_SNAP = 0x80,
    NLPID_IPV6 = 0x8e,
    NLPID_IPV4 = 0xcc,
    NLPID_PPP = 0xcf,
};

/* A pseudo header of size bytes whose first byte is 0 for received and 1 for sent. */
static enum decode_result decode_slip(struct layers *l, struct cursor c, uint32_t size)
{
    const uint8_t *header = cursor_take(&c, size);

    if (header == NULL)
        return layers_short(l, &c, size);
    l->link_direction = header[0] == 0 ? DIRECTION_IN : header[0] == 1 ? DIRECTION_OUT : 0;
    return network_decode_ip(l, c);
}

enum decode_result link_slip(struct layers *l, struct cursor c)
{
    return decode_slip(l, c, 16);
}

enum decode_result link_slip_bsdos(struct layers *l, struct cursor c)
{
    return decode_slip(l, c, 24);
}

/* Cisco HDLC: address 0f or 8f, control 0, an EtherType. */
enum decode_result link_cisco_hdlc(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 4);

    if (header == NULL)
        return layers_short(l, &c, 4);
    return network_decode(l, c, bytes_load16_big(header + 2));
}

/* Serial lines are labelled PPP also where they run Cisco HDLC: its address byte tells. */
enum decode_result link_ppp_serial(struct layers *l, struct cursor c)
{
    const uint8_t *first = cursor_peek(&c, 2);

    if (first != NULL && (first[0] == 0x0f || first[0] == 0x8f) && first[1] == 0)
        return link_cisco_hdlc(l, c);
    return network_decode_ppp(l, c);
}

/* BSD/OS: protocol at byte 5 of a 24-byte header. */
enum decode_result link_ppp_bsdos(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 24);

    if (header == NULL)
        return layers_short(l, &c, 24);
    return network_decode_ppp_protocol(l, c, bytes_load16_big(header + 5));
}

/* pppd puts 0 (received) or 1 (sent) where the address byte was, and leaves the control byte. */
enum decode_result link_ppp_pppd(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 1), *control;

    if (header == NULL)
        return layers_short(l, &c, 1);
    l->link_direction = header[0] == 0 ? DIRECTION_IN : DIRECTION_OUT;
    control = cursor_peek(&c, 1);
    if (control != NULL && control[0] == 0x03)
        cursor_skip(&c, 1);
    return network_decode_ppp(l, c);
}

/* Take the leading byte of the *_WITH_DIR types: 0 is received, anything else sent. */
static bool take_direction(struct layers *l, struct cursor *c)
{
    const uint8_t *byte = cursor_take(c, 1);

    if (byte == NULL) {
        layers_short(l, c, 1);
        return false;
    }
    l->link_direction = byte[0] == 0 ? DIRECTION_IN : DIRECTION_OUT;
    return true;
}

enum decode_result link_ppp_with_dir(struct layers *l, struct cursor c)
{
    return take_direction(l, &c) ? link_ppp_serial(l, c) : DECODE_SKIPPED;
}

enum decode_result link_cisco_hdlc_with_dir(struct layers *l, struct cursor c)
{
    return take_direction(l, &c) ? link_cisco_hdlc(l, c) : DECODE_SKIPPED;
}

enum decode_result link_frame_relay_with_dir(struct layers *l, struct cursor c)
{
    return take_direction(l, &c) ? link_frame_relay(l, c) : DECODE_SKIPPED;
}

/* Size of a Q.922 address (2 to 4 bytes): the last one has its lowest bit set.  0 = not there. */
static uint32_t q922_size(const struct cursor *c)
{
    for (uint32_t size = 2; size <= 4; size++) {
        const uint8_t *address = cursor_peek(c, size);

        if (address == NULL)
            return 0;
        if ((address[size - 1] & 1) != 0)
            return size;
    }
    return 0;
}

/* What a network layer protocol identifier says follows (RFC 2427 section 4). */
static enum decode_result decode_nlpid(struct layers *l, struct cursor c, uint8_t nlpid)
{
    switch (nlpid) {
    case NLPID_IPV4: return ipv4_decode(l, c);
    case NLPID_IPV6: return ipv6_decode(l, c);
    case NLPID_SNAP: return network_decode_snap(l, c, 0);
    case NLPID_PPP: return network_decode_ppp(l, c);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}

/* Frame relay (RFC 2427): UI, perhaps a pad byte, NLPID; or, Cisco's way, an EtherType at once. */
enum decode_result link_frame_relay(struct layers *l, struct cursor c)
{
    uint32_t size = q922_size(&c);
    const uint8_t *control;
    uint16_t type;
    uint8_t nlpid;

    if (size == 0 || !cursor_skip(&c, size))
        return layers_short(l, &c, 4);
    control = cursor_peek(&c, 1);
    if (control == NULL || control[0] != 0x03) {
        if (!cursor_u16(&c, &type))
            return layers_short(l, &c, 2);
        return network_decode(l, c, type);
    }
    cursor_skip(&c, 1);
    if (!cursor_u8(&c, &nlpid) || (nlpid == 0 && !cursor_u8(&c, &nlpid)))
        return layers_short(l, &c, 1);
    return decode_nlpid(l, c, nlpid);
}

/* ATM AAL5 (RFC 2684): LLC, or IP alone where the circuit carries nothing else. */
enum decode_result link_atm(struct layers *l, struct cursor c)
{
    const uint8_t *first = cursor_peek(&c, 1);

    if (first != NULL && (first[0] >> 4 == 4 || first[0] >> 4 == 6))
        return network_decode_ip(l, c);
    return network_decode_llc(l, c);
}

/* Sun's ATM: flags with the traffic type and a sent bit, then VPI and VCI. */
enum decode_result link_sunatm(struct layers *l, struct cursor c)
{
    const uint8_t *header = cursor_take(&c, 4);

    if (header == NULL)
        return layers_short(l, &c, 4);
    l->link_direction = (header[0] & 0x80) != 0 ? DIRECTION_OUT : DIRECTION_IN;
    switch (header[0] & 0x0f) {
    case 1: /* LAN emulation: a 2-byte client number, then an Ethernet frame */
        if (!cursor_skip(&c, 2))
            return layers_short(l, &c, 2);
        return link_ethernet(l, c);
    case 2: return network_decode_llc(l, c);
    default: return layers_skip(l, SKIP_NOT_IP);
    }
}
