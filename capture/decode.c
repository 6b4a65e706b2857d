#include "capture/decode.h"

#include "capture/layers.h"
#include "capture/link.h"
#include "capture/plain.h"

/* A packet of any kind. */
static enum decode_result decode_layers(const struct packet *packet, bool verify_checksums,
                                        struct decode_counts *counts, struct segment *seg,
                                        struct notice *notice)
{
    struct cursor c = {packet->data, packet->captured_bytes, packet->wire_bytes};
    struct layers l = {
        .packet = packet,
        .counts = counts,
        .seg = seg,
        .notice = notice,
        .link_direction = packet->direction,
        .verify_checksums = verify_checksums,
    };

    if (c.wire < c.captured)
        c.wire = c.captured;
    cursor_trim_end(&c, packet->fcs_bytes);
    enum decode_result result = link_decode(&l, c, packet->link_type);

    if (result == DECODE_SEGMENT)
        return result;
    if (l.reason == SKIP_UNSUPPORTED_LINK && counts->skipped[SKIP_UNSUPPORTED_LINK] == 0)
        counts->first_unsupported_link = packet->link_type;
    counts->skipped[l.reason]++;
    counts->notices += result == DECODE_NOTICE;
    return result;
}

enum decode_result decode_packet(const struct packet *packet, bool verify_checksums,
                                 struct decode_counts *counts, struct segment *seg,
                                 struct notice *notice)
{
    enum decode_result result = DECODE_SEGMENT;

    counts->packets++;
    counts->captured_bytes += packet->captured_bytes;
    counts->wire_bytes += packet->wire_bytes;
    if (!plain_decode(packet, verify_checksums, counts, seg))
        result = decode_layers(packet, verify_checksums, counts, seg, notice);
    counts->segments += result == DECODE_SEGMENT;
    return result;
}

const char *skip_reason_name(enum skip_reason reason)
{
    static const char *const names[SKIP_REASONS] = {
        [SKIP_NOT_IP] = "not_ip",
        [SKIP_NOT_TCP] = "not_tcp",
        [SKIP_FRAGMENT] = "fragment",
        [SKIP_MALFORMED] = "malformed",
        [SKIP_CUT] = "cut",
        [SKIP_ENCRYPTED] = "encrypted",
        [SKIP_TUNNEL_DEPTH] = "tunnel_depth",
        [SKIP_UNSUPPORTED_LINK] = "unsupported_link",
    };

    return names[reason];
}
