/* IPv6 extension headers (RFC 8200 section 4): the walk to the protocol behind them. */
#include "capture/ip.h"

#define OPTION_PAD1 0x00
#define OPTION_JUMBO 0xc2
#define ROUTING_SEGMENTS 4 /* RFC 8754 */

/* Payload length of a jumbo option among hop-by-hop options (RFC 2675 section 2), or 0. */
static uint32_t find_jumbo(const uint8_t *header, uint32_t size)
{
    uint32_t at = 2;

    while (at + 2 <= size) {
        if (header[at] == OPTION_PAD1) {
            at++;
            continue;
        }
        if (header[at] == OPTION_JUMBO && header[at + 1] == 4 && at + 6 <= size)
            return bytes_load32_big(header + at + 2);
        at += 2u + header[at + 1];
    }
    return 0;
}

/* The last address of a route that is not used up, or NULL: TCP's checksum and the answers are of
 * that one (RFC 8200 section 8.1). */
static const uint8_t *find_final_dst(const uint8_t *header, uint32_t size)
{
    uint8_t type = header[2], segments_left = header[3];

    if (segments_left == 0 || size < 24)
        return NULL;
    if (type == ROUTING_SEGMENTS)
        return header + 8; /* the list is stored last address first */
    if (type == 0 || type == 2)
        return header + size - 16;
    return NULL;
}

static bool is_extension(uint8_t protocol)
{
    return protocol == IP_PROTOCOL_HOP_BY_HOP || protocol == IP_PROTOCOL_ROUTING ||
           protocol == IP_PROTOCOL_FRAGMENT || protocol == IP_PROTOCOL_AH ||
           protocol == IP_PROTOCOL_DESTINATION || protocol == IP_PROTOCOL_MOBILITY;
}

/* Whole size of an extension header whose first bytes are given (RFC 4302 counts AH otherwise). */
static uint32_t extension_size(uint8_t protocol, const uint8_t *header)
{
    if (protocol == IP_PROTOCOL_FRAGMENT)
        return 8;
    if (protocol == IP_PROTOCOL_AH)
        return (header[1] + 2u) * 4;
    return (header[1] + 1u) * 8;
}

bool ipv6_chain_walk(struct cursor *c, uint8_t next_header, struct ipv6_chain *chain)
{
    *chain = (struct ipv6_chain){.protocol = next_header};
    while (is_extension(chain->protocol)) {
        const uint8_t *header = cursor_peek(c, 8);

        if (header == NULL)
            return false;
        uint8_t protocol = chain->protocol;
        uint32_t size = extension_size(protocol, header);

        if (!cursor_skip(c, size))
            return false;
        chain->protocol = header[0];
        if (protocol == IP_PROTOCOL_HOP_BY_HOP) {
            chain->jumbo_bytes = find_jumbo(header, size);
        } else if (protocol == IP_PROTOCOL_ROUTING) {
            chain->final_dst = find_final_dst(header, size);
        } else if (protocol == IP_PROTOCOL_FRAGMENT) {
            uint16_t field = bytes_load16_big(header + 2);

            chain->fragment_offset = field >> 3;
            chain->fragmented = (field & 0xfff9) != 0;
            if (chain->fragment_offset != 0)
                return true; /* what follows is the middle of something */
        }
    }
    return true;
}
