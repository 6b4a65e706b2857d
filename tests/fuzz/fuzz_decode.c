/* One packet: two bytes choose the link type, one says how much longer it was on the wire. */
#include <stdlib.h>
#include <string.h>

#include "capture/decode.h"
#include "xmalloc.h"

#define LINK_TYPES 300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is promised of every segment, whatever the packet. */
static void check_segment(const struct segment *seg, const struct packet *packet)
{
    if (seg->payload < packet->data ||
        seg->payload + seg->payload_captured > packet->data + packet->captured_bytes)
        abort();
    if (seg->payload_captured > seg->payload_bytes || seg->opt.sack_count > 4 ||
        (seg->ip_version != 4 && seg->ip_version != 6) || seg->ecn > 3)
        abort();
}

static void check_notice(const struct notice *notice)
{
    if (memchr(notice->dns_name, '\0', sizeof notice->dns_name) == NULL ||
        notice->dns_addr_count > NOTICE_ADDRS_MAX)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct decode_counts counts = {0};
    struct segment seg;
    struct notice notice;
    uint64_t sum = 0;

    if (size < 4)
        return 0;
    uint32_t captured = (uint32_t)size - 3;
    uint8_t *bytes = xmalloc(captured); /* of exactly this size: a read beyond it is seen */
    memcpy(bytes, data + 3, captured);
    struct packet packet = {
        .data = bytes,
        .captured_bytes = captured,
        .wire_bytes = captured + (data[2] & 0x0fu) * 500,
        .fcs_bytes = data[2] >> 4 & 0x04,
        .link_type = (data[0] << 8 | data[1]) % LINK_TYPES,
    };

    switch (decode_packet(&packet, true, &counts, &seg, &notice)) {
    case DECODE_SEGMENT: check_segment(&seg, &packet); break;
    case DECODE_NOTICE: check_notice(&notice); break;
    case DECODE_SKIPPED: break;
    }
    for (int i = 0; i < SKIP_REASONS; i++)
        sum += counts.skipped[i];
    if (counts.packets != 1 || counts.segments + sum != 1)
        abort();
    free(bytes);
    return 0;
}
