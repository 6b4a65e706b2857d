/* Between the link and IP: EtherType, 802.1Q tags, LLC and SNAP, MPLS, PPPoE and PPP. */
#ifndef TCPWHY_CAPTURE_NETWORK_H
#define TCPWHY_CAPTURE_NETWORK_H

#include "capture/layers.h"

enum ethertype {
    ETHERTYPE_FIRST = 0x0600, /* below it is an 802.3 length (IEEE 802.3 clause 3.2.6) */
    ETHERTYPE_IPV4 = 0x0800,
    ETHERTYPE_ARP = 0x0806,
    ETHERTYPE_ERSPAN3 = 0x22eb,
    ETHERTYPE_BRIDGED = 0x6558, /* a whole Ethernet frame follows */
    ETHERTYPE_VLAN = 0x8100,
    ETHERTYPE_IPV6 = 0x86dd,
    ETHERTYPE_PPP = 0x880b,
    ETHERTYPE_WCCP = 0x883e,
    ETHERTYPE_MPLS = 0x8847,
    ETHERTYPE_MPLS_MULTICAST = 0x8848,
    ETHERTYPE_PPPOE = 0x8864,
    ETHERTYPE_PROVIDER_VLAN = 0x88a8,
    ETHERTYPE_ERSPAN = 0x88be,
    ETHERTYPE_MACSEC = 0x88e5,
    ETHERTYPE_PROVIDER_BACKBONE = 0x88e7, /* 802.1ah */
    ETHERTYPE_HSR = 0x892f,
    ETHERTYPE_VLAN_9100 = 0x9100,
    ETHERTYPE_VLAN_9200 = 0x9200,
};

/* What an EtherType says follows.  Values below ETHERTYPE_FIRST are not types: SKIP_NOT_IP. */
enum decode_result network_decode(struct layers *l, struct cursor c, uint16_t type);
/* The type-or-length field of an Ethernet frame, with c behind it. */
enum decode_result network_decode_type_or_length(struct layers *l, struct cursor c, uint16_t field);
/* IP without a type in front: by its version nibble. */
enum decode_result network_decode_ip(struct layers *l, struct cursor c);
/* An 802.2 LLC header. */
enum decode_result network_decode_llc(struct layers *l, struct cursor c);
/* OUI and protocol of a SNAP header, without the LLC bytes; pad_bytes stand before a bridged frame
 * (RFC 2684: 2, RFC 2427: 0). */
enum decode_result network_decode_snap(struct layers *l, struct cursor c, uint32_t pad_bytes);
/* An MPLS label stack. */
enum decode_result network_decode_mpls(struct layers *l, struct cursor c);
/* A PPPoE session header. */
enum decode_result network_decode_pppoe(struct layers *l, struct cursor c);
/* PPP, with or without address and control field and with a one- or two-byte protocol. */
enum decode_result network_decode_ppp(struct layers *l, struct cursor c);
/* A PPP protocol number whose data c stands at. */
enum decode_result network_decode_ppp_protocol(struct layers *l, struct cursor c,
                                               uint16_t protocol);

#endif
