#include "capture/plain.h"

#include "capture/checksum.h"
#include "capture/ip.h"
#include "capture/link.h"
#include "capture/network.h"
#include "capture/tcp.h"
#include "capture/tcp_fields.h"

#define ETHERNET 1
#define ETHERNET_BYTES 14
#define IPV4_BYTES 20
#define IPV4_PLAIN 0x45 /* version 4, header of 20 bytes */
#define ANY_FRAGMENT 0x3fffu
#define PLAIN_BYTES (ETHERNET_BYTES + IPV4_BYTES + TCP_HEADER_MIN)

/* Length of the TCP header when all of the frame's headers are plain and captured, else 0.  Fields
 * are loaded by fours: what this costs, each packet pays. */
static inline uint32_t plain_header_bytes(const struct packet *packet, uint32_t total_bytes)
{
    const uint8_t *ip = packet->data + ETHERNET_BYTES, *tcp = ip + IPV4_BYTES;
    const uint32_t type_and_version = bytes_load32_big(packet->data + 12) >> 8;
    const uint32_t fragment_and_protocol = bytes_load32_big(ip + 6) & (ANY_FRAGMENT << 16 | 0xff);
    const uint32_t header_bytes = (tcp[12] >> 4) * 4u;

    if (type_and_version != (ETHERTYPE_IPV4 << 8 | IPV4_PLAIN) ||
        fragment_and_protocol != IP_PROTOCOL_TCP ||
        header_bytes < TCP_HEADER_MIN ||
        total_bytes < IPV4_BYTES + header_bytes ||
        packet->captured_bytes < ETHERNET_BYTES + IPV4_BYTES + header_bytes)
        return 0;
    return header_bytes;
}

static inline void fill_frame(const struct packet *packet, struct segment *seg)
{
    tcp_fill_frame(seg, packet);
    seg->vlan = 0;
    seg->vlan_depth = 0;
    seg->marks = 0;
    seg->link_direction = packet->direction;
    seg->link_hash = link_hash_ethernet(packet->data);
    seg->tunnel_id = 0;
}

/* The lists that almost all segments have by themselves, any other by the general way. */
static inline void fill_options(struct segment *seg, const uint8_t *options, uint32_t bytes)
{
    const uint32_t aligned = TCP_ALIGNED_TIMESTAMPS_BYTES;

    if (bytes < aligned || !tcp_fill_timestamps(seg, options) ||
        (bytes > aligned && !tcp_fill_sack(seg, options + aligned, bytes - aligned))) {
        seg->opt.present = 0;
        seg->opt.ts_val = seg->opt.ts_ecr = 0;
        tcp_read_options((struct cursor){options, bytes, bytes}, &seg->opt);
    }
}

bool plain_decode(const struct packet *packet, bool verify_checksums,
                  struct decode_counts *counts, struct segment *seg)
{
    if (packet->link_type != ETHERNET || packet->captured_bytes < PLAIN_BYTES ||
        packet->fcs_bytes != 0)
        return false;
    const uint8_t *ip = packet->data + ETHERNET_BYTES, *tcp = ip + IPV4_BYTES;
    uint32_t total_bytes = bytes_load16_big(ip + 2);
    uint32_t header_bytes = plain_header_bytes(packet, total_bytes);

    if (header_bytes == 0)
        return false;
    tcp_fill_numbers(seg, tcp);
    if (header_bytes > TCP_HEADER_MIN)
        fill_options(seg, tcp + TCP_HEADER_MIN, header_bytes - TCP_HEADER_MIN);
    fill_frame(packet, seg);
    tcp_fill_ipv4(seg, ip);
    tcp_fill_checksum(seg, tcp);
    uint32_t behind_ip = packet->captured_bytes - ETHERNET_BYTES - IPV4_BYTES;
    seg->payload = tcp + header_bytes;
    seg->payload_bytes = total_bytes - IPV4_BYTES - header_bytes;
    seg->payload_captured = behind_ip - header_bytes < seg->payload_bytes ? behind_ip - header_bytes
                                                                          : seg->payload_bytes;
    if (verify_checksums && seg->payload_captured == seg->payload_bytes &&
        !checksum_tcp_good(ip + 12, ip + 16, 4, tcp, total_bytes - IPV4_BYTES)) {
        seg->marks |= SEGMENT_CHECKSUM_BAD;
        counts->checksum_bad++;
    }
    return true;
}
