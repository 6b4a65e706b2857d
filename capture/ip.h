/* IPv4 and IPv6 headers, and what their protocol field says follows. */
#ifndef TCPWHY_CAPTURE_IP_H
#define TCPWHY_CAPTURE_IP_H

#include "capture/layers.h"

enum ip_protocol {
    IP_PROTOCOL_HOP_BY_HOP = 0,
    IP_PROTOCOL_ICMP = 1,
    IP_PROTOCOL_IPV4 = 4,
    IP_PROTOCOL_TCP = 6,
    IP_PROTOCOL_UDP = 17,
    IP_PROTOCOL_IPV6 = 41,
    IP_PROTOCOL_ROUTING = 43,
    IP_PROTOCOL_FRAGMENT = 44,
    IP_PROTOCOL_GRE = 47,
    IP_PROTOCOL_ESP = 50,
    IP_PROTOCOL_AH = 51,
    IP_PROTOCOL_ICMPV6 = 58,
    IP_PROTOCOL_DESTINATION = 60,
    IP_PROTOCOL_ETHERIP = 97,
    IP_PROTOCOL_MOBILITY = 135,
    IP_PROTOCOL_MPLS = 137,
};

enum decode_result ipv4_decode(struct layers *l, struct cursor c);
enum decode_result ipv6_decode(struct layers *l, struct cursor c);
/* The payload of an IP packet by its protocol number; c ends where the IP length says. */
enum decode_result ip_payload_decode(struct layers *l, struct cursor c, uint8_t protocol);

/* The end of a chain of IPv6 extension headers (RFC 8200 section 4). */
struct ipv6_chain {
    uint8_t protocol;           /* behind the last extension header */
    bool fragmented;            /* offset or more-fragments set */
    uint16_t fragment_offset;   /* in units of 8 bytes */
    uint32_t jumbo_bytes;       /* RFC 2675, 0 = none */
    const uint8_t *final_dst;   /* 16 bytes, when a routing header is not used up; else NULL */
};

/* Walk from the first next-header value; c moves behind the last header that is there whole.
 * False: a header is not there whole, or (later fragments apart) not readable. */
bool ipv6_chain_walk(struct cursor *c, uint8_t next_header, struct ipv6_chain *chain);

#endif
