#include "capture/link.h"

#include "capture/ip.h"
#include "capture/network.h"

#define ETHERNET 1

/* By LINKTYPE_ value; names are libpcap's.  A value that is a DLT_ only (11, 12, 14) comes from old
 * files and from headers that name a DLT_. */
static const struct link_type types[] = {
    [0] = {"NULL", link_null},
    [ETHERNET] = {"EN10MB", link_ethernet},
    [2] = {"EN3MB", NULL},
    [3] = {"AX25", NULL},
    [4] = {"PRONET", NULL},
    [5] = {"CHAOS", NULL},
    [6] = {"IEEE802", link_token_ring},
    [7] = {"ARCNET", link_arcnet},
    [8] = {"SLIP", link_slip},
    [9] = {"PPP", link_ppp_serial},
    [10] = {"FDDI", link_fddi},
    [11] = {"ATM_RFC1483", link_atm},
    [12] = {"RAW", network_decode_ip},
    [14] = {"RAW", network_decode_ip},
    [50] = {"PPP_SERIAL", link_ppp_serial},
    [51] = {"PPP_ETHER", network_decode_pppoe},
    [99] = {"SYMANTEC_FIREWALL", link_symantec},
    [100] = {"ATM_RFC1483", link_atm},
    [101] = {"RAW", network_decode_ip},
    [102] = {"SLIP_BSDOS", link_slip_bsdos},
    [103] = {"PPP_BSDOS", link_ppp_bsdos},
    [104] = {"C_HDLC", link_cisco_hdlc},
    [105] = {"IEEE802_11", link_80211},
    [106] = {"ATM_CLIP", link_atm},
    [107] = {"FRELAY", link_frame_relay},
    [108] = {"LOOP", link_null},
    [109] = {"ENC", link_enc},
    [113] = {"LINUX_SLL", link_linux_sll},
    [117] = {"PFLOG", link_pflog},
    [119] = {"PRISM_HEADER", link_prism},
    [122] = {"IP_OVER_FC", link_fibre_channel},
    [123] = {"SUNATM", link_sunatm},
    [127] = {"IEEE802_11_RADIO", link_radiotap},
    [129] = {"ARCNET_LINUX", link_arcnet_linux},
    [138] = {"APPLE_IP_OVER_IEEE1394", link_ieee1394},
    [163] = {"IEEE802_11_RADIO_AVS", link_avs},
    [166] = {"PPP_PPPD", link_ppp_pppd},
    [192] = {"PPI", link_ppi},
    [197] = {"ERF", link_erf},
    [204] = {"PPP_WITH_DIR", link_ppp_with_dir},
    [205] = {"C_HDLC_WITH_DIR", link_cisco_hdlc_with_dir},
    [206] = {"FRELAY_WITH_DIR", link_frame_relay_with_dir},
    [219] = {"MPLS", network_decode_mpls},
    [226] = {"IPNET", link_ipnet},
    [228] = {"IPV4", ipv4_decode},
    [229] = {"IPV6", ipv6_decode},
    [239] = {"NFLOG", link_nflog},
    [240] = {"NETANALYZER", link_netanalyzer},
    [242] = {"IPOIB", link_infiniband},
    [258] = {"PKTAP", link_pktap},
    [276] = {"LINUX_SLL2", link_linux_sll2},
    [281] = {"DSA_TAG_BRCM", link_brcm},
    [282] = {"DSA_TAG_BRCM_PREPEND", link_brcm_prepend},
    [284] = {"DSA_TAG_DSA", link_dsa},
    [285] = {"DSA_TAG_EDSA", link_edsa},
};

int link_type_count(void)
{
    return (int)(sizeof types / sizeof types[0]);
}

const struct link_type *link_type_find(int link_type)
{
    return link_type >= 0 && link_type < link_type_count() ? &types[link_type] : NULL;
}

enum decode_result link_decode(struct layers *l, struct cursor c, int link_type)
{
    const struct link_type *type;

    if (link_type == ETHERNET) /* nearly always: no call through a pointer */
        return link_ethernet(l, c);
    type = link_type_find(link_type);
    if (type == NULL || type->decode == NULL)
        return layers_skip(l, SKIP_UNSUPPORTED_LINK);
    return type->decode(l, c);
}
