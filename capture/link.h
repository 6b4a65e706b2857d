/* The link types that can be opened: one const table by LINKTYPE_ value. */
#ifndef TCPWHY_CAPTURE_LINK_H
#define TCPWHY_CAPTURE_LINK_H

#include "capture/layers.h"

struct link_type {
    const char *name; /* as libpcap prints it; NULL = no entry */
    /* takes the link layer's header off and goes on with what it holds; NULL = none */
    enum decode_result (*decode)(struct layers *l, struct cursor c);
};

/* The table's entry, or NULL for a number outside it. */
const struct link_type *link_type_find(int link_type);
/* Numbers 0..link_type_count()-1 may have an entry. */
int link_type_count(void);
/* Open a packet of any link type; SKIP_UNSUPPORTED_LINK when there is no decoder. */
enum decode_result link_decode(struct layers *l, struct cursor c, int link_type);

/* Hash of an Ethernet header's two addresses as they stand: two words that overlap cover the 12
 * bytes. */
static inline uint32_t link_hash_ethernet(const uint8_t *addrs)
{
    return link_hash(bytes_load64(addrs, false), bytes_load64(addrs + 4, false));
}

/* link_ethernet.c */
enum decode_result link_ethernet(struct layers *l, struct cursor c);
enum decode_result link_dsa(struct layers *l, struct cursor c);
enum decode_result link_edsa(struct layers *l, struct cursor c);
enum decode_result link_brcm(struct layers *l, struct cursor c);
enum decode_result link_brcm_prepend(struct layers *l, struct cursor c);
enum decode_result link_netanalyzer(struct layers *l, struct cursor c);
/* A whole Ethernet frame inside another layer: counts as one more tunnel. */
enum decode_result link_ethernet_inner(struct layers *l, struct cursor c);
/* True when c looks like an Ethernet frame that holds something known. */
bool link_ethernet_plausible(struct cursor c);

/* link_wireless.c */
enum decode_result link_80211(struct layers *l, struct cursor c);
enum decode_result link_radiotap(struct layers *l, struct cursor c);
enum decode_result link_prism(struct layers *l, struct cursor c);
enum decode_result link_avs(struct layers *l, struct cursor c);
enum decode_result link_ppi(struct layers *l, struct cursor c);

/* link_legacy.c */
enum decode_result link_token_ring(struct layers *l, struct cursor c);
enum decode_result link_fddi(struct layers *l, struct cursor c);
enum decode_result link_arcnet(struct layers *l, struct cursor c);
enum decode_result link_arcnet_linux(struct layers *l, struct cursor c);
enum decode_result link_fibre_channel(struct layers *l, struct cursor c);
enum decode_result link_ieee1394(struct layers *l, struct cursor c);
enum decode_result link_infiniband(struct layers *l, struct cursor c);
enum decode_result link_symantec(struct layers *l, struct cursor c);

/* link_serial.c */
enum decode_result link_slip(struct layers *l, struct cursor c);
enum decode_result link_slip_bsdos(struct layers *l, struct cursor c);
enum decode_result link_ppp(struct layers *l, struct cursor c);
enum decode_result link_ppp_serial(struct layers *l, struct cursor c);
enum decode_result link_ppp_bsdos(struct layers *l, struct cursor c);
enum decode_result link_ppp_with_dir(struct layers *l, struct cursor c);
enum decode_result link_ppp_pppd(struct layers *l, struct cursor c);
enum decode_result link_cisco_hdlc(struct layers *l, struct cursor c);
enum decode_result link_cisco_hdlc_with_dir(struct layers *l, struct cursor c);
enum decode_result link_frame_relay(struct layers *l, struct cursor c);
enum decode_result link_frame_relay_with_dir(struct layers *l, struct cursor c);
enum decode_result link_atm(struct layers *l, struct cursor c);
enum decode_result link_sunatm(struct layers *l, struct cursor c);

/* link_host.c */
enum decode_result link_null(struct layers *l, struct cursor c);
enum decode_result link_enc(struct layers *l, struct cursor c);
enum decode_result link_linux_sll(struct layers *l, struct cursor c);
enum decode_result link_linux_sll2(struct layers *l, struct cursor c);
enum decode_result link_pflog(struct layers *l, struct cursor c);
enum decode_result link_nflog(struct layers *l, struct cursor c);
enum decode_result link_ipnet(struct layers *l, struct cursor c);
enum decode_result link_pktap(struct layers *l, struct cursor c);
enum decode_result link_erf(struct layers *l, struct cursor c);

#endif
