/* Fixed fields of IPv4 and TCP headers into a segment, for the short way (plain.c) and the general
 * one (tcp.c). */
#ifndef TCPWHY_CAPTURE_TCP_FIELDS_H
#define TCPWHY_CAPTURE_TCP_FIELDS_H

#include "capture/bytes.h"
#include "capture/packet.h"
#include "capture/segment.h"

#define TCP_HEADER_MIN 20
#define TCP_FLAGS_MASK 0x01ff
/* NOP NOP TIMESTAMPS 10: how almost every segment with timestamps begins (RFC 7323 appendix A),
 * and its length. */
#define TCP_ALIGNED_TIMESTAMPS 0x0101080au
#define TCP_ALIGNED_TIMESTAMPS_BYTES 12
/* NOP NOP SACK 0: its length is to be added. */
#define TCP_ALIGNED_SACK 0x01010500u

/* What the capture says of the frame. */
static inline void tcp_fill_frame(struct segment *seg, const struct packet *packet)
{
    seg->time_ns = packet->time_ns;
    seg->frame = packet->frame;
    seg->captured_bytes = packet->captured_bytes;
    seg->wire_bytes = packet->wire_bytes;
    seg->interface = packet->interface;
    seg->source = packet->source;
    seg->reserved = 0;
}

/* What an IPv4 header says (RFC 791 section 3.1). */
static inline void tcp_fill_ipv4(struct segment *seg, const uint8_t *ip)
{
    seg->ip_version = 4;
    seg->src = ip_addr_from_v4(ip + 12);
    seg->dst = ip_addr_from_v4(ip + 16);
    seg->ip_id = bytes_load16_big(ip + 4);
    seg->ttl = ip[8];
    seg->ecn = ip[1] & 3;
}

/* The numbers of the fixed TCP header as far as the window (RFC 9293 section 3.1); options are
 * cleared. */
static inline void tcp_fill_numbers(struct segment *seg, const uint8_t *tcp)
{
    const uint32_t ports = bytes_load32_big(tcp), flags_and_wnd = bytes_load32_big(tcp + 12);

    seg->src_port = (uint16_t)(ports >> 16);
    seg->dst_port = (uint16_t)ports;
    seg->seq = bytes_load32_big(tcp + 4);
    seg->ack = bytes_load32_big(tcp + 8);
    seg->flags = flags_and_wnd >> 16 & TCP_FLAGS_MASK;
    seg->wnd = (uint16_t)flags_and_wnd;
    seg->opt.present = 0;
    seg->opt.wind_shift = 0;
    seg->opt.sack_count = 0;
    seg->opt.reserved = 0;
    seg->opt.mss = 0;
    seg->opt.reserved2 = 0;
    seg->opt.ts_val = 0;
    seg->opt.ts_ecr = 0;
}

/* What stands behind the window. */
static inline void tcp_fill_checksum(struct segment *seg, const uint8_t *tcp)
{
    const uint32_t checksum_and_urgent = bytes_load32_big(tcp + 16);

    seg->checksum = (uint16_t)(checksum_and_urgent >> 16);
    seg->urgent = (uint16_t)checksum_and_urgent;
}

/* The option list that most segments have, timestamps alone; false for any other. */
static inline bool tcp_fill_timestamps(struct segment *seg, const uint8_t *options)
{
    if (bytes_load32_big(options) != TCP_ALIGNED_TIMESTAMPS)
        return false;
    seg->opt.present = TCP_OPT_TIMESTAMPS;
    seg->opt.ts_val = bytes_load32_big(options + 4);
    seg->opt.ts_ecr = bytes_load32_big(options + 8);
    return true;
}

/* Blocks of a SACK option (RFC 2018 section 3). */
static inline void tcp_fill_blocks(struct tcp_options *opt, const uint8_t *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        opt->sack[i].left = bytes_load32_big(blocks + 8 * i);
        opt->sack[i].right = bytes_load32_big(blocks + 8 * i + 4);
    }
    opt->sack_count = (uint8_t)count;
    opt->present |= TCP_OPT_SACK;
}

/* What most acknowledgments that report a loss carry behind the timestamps: NOP NOP SACK, and
 * nothing else; false for any other. */
static inline bool tcp_fill_sack(struct segment *seg, const uint8_t *options, uint32_t bytes)
{
    const uint32_t count = (bytes - 4) / 8;

    if (count < 1 || count > 4 || bytes != 4 + count * 8 ||
        bytes_load32_big(options) != TCP_ALIGNED_SACK + 2 + count * 8)
        return false;
    tcp_fill_blocks(&seg->opt, options + 4, count);
    return true;
}

#endif
