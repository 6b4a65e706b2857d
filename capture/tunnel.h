/* Tunnels: another IP packet or Ethernet frame inside, at most LAYERS_TUNNELS_MAX deep. */
#ifndef TCPWHY_CAPTURE_TUNNEL_H
#define TCPWHY_CAPTURE_TUNNEL_H

#include "capture/layers.h"

/* Kinds mixed into segment.tunnel_id; part of no file, so free to change. */
enum tunnel_kind {
    TUNNEL_PLAIN, /* nothing in it tells one tunnel from another: adds nothing to the id */
    TUNNEL_GRE_KEY,
    TUNNEL_VXLAN,
    TUNNEL_GENEVE,
    TUNNEL_GTP,
    TUNNEL_PPTP,
    TUNNEL_L2TP,
};

/* Enter a tunnel; false when it is one too many, with the skip reason set. */
bool tunnel_enter(struct layers *l, enum tunnel_kind kind, uint32_t number);
/* The payload of an IP packet of protocol 4, 41, 47, 97 or 137. */
enum decode_result tunnel_decode(struct layers *l, struct cursor c, uint8_t protocol);
/* A GRE header. */
enum decode_result tunnel_decode_gre(struct layers *l, struct cursor c);

/* tunnel_udp.c: what is behind the UDP header. */
enum decode_result tunnel_decode_vxlan(struct layers *l, struct cursor c);
enum decode_result tunnel_decode_vxlan_gpe(struct layers *l, struct cursor c);
enum decode_result tunnel_decode_geneve(struct layers *l, struct cursor c);
enum decode_result tunnel_decode_gtp(struct layers *l, struct cursor c);
enum decode_result tunnel_decode_teredo(struct layers *l, struct cursor c);
enum decode_result tunnel_decode_l2tp(struct layers *l, struct cursor c);
enum decode_result tunnel_decode_mpls(struct layers *l, struct cursor c);
enum decode_result tunnel_decode_tzsp(struct layers *l, struct cursor c);

#endif
