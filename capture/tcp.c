#include "capture/tcp.h"

#include "capture/checksum.h"
#include "capture/tcp_fields.h"

#define TCP_NUMBERS_BYTES 16 /* ports to window: what cannot be done without */

enum tcp_option_kind {
    OPTION_END = 0,
    OPTION_NOP = 1,
    OPTION_MSS = 2,
    OPTION_WIND_SHIFT = 3,
    OPTION_SACK_PERMITTED = 4,
    OPTION_SACK = 5,
    OPTION_TIMESTAMPS = 8,
    OPTION_MULTIPATH = 30,
    OPTION_FAST_OPEN = 34,
    OPTION_EXPERIMENT = 254,
};

#define FAST_OPEN_MAGIC 0xf989 /* RFC 7413 appendix A */

/* One option of which size bytes (kind and length included) are there; false when its length is
 * not one that its kind can have. */
static bool read_option(const uint8_t *option, uint8_t size, struct tcp_options *opt)
{
    const uint8_t *value = option + 2;

    switch (option[0]) {
    case OPTION_MSS: /* RFC 9293 section 3.7.1 */
        if (size != 4)
            return false;
        opt->mss = bytes_load16_big(value);
        opt->present |= TCP_OPT_MSS;
        return true;
    case OPTION_WIND_SHIFT: /* RFC 7323 section 2.2 */
        if (size != 3)
            return false;
        opt->wind_shift = value[0];
        opt->present |= TCP_OPT_WIND_SHIFT;
        return true;
    case OPTION_SACK_PERMITTED: /* RFC 2018 section 2 */
        opt->present |= TCP_OPT_SACK_PERMITTED;
        return size == 2;
    case OPTION_SACK: /* RFC 2018 section 3 */
        if ((size - 2) % 8 != 0 || size > 2 + 8 * 4)
            return false;
        tcp_fill_blocks(opt, value, (size - 2u) / 8);
        return true;
    case OPTION_TIMESTAMPS: /* RFC 7323 section 3.2 */
        if (size != 10)
            return false;
        opt->ts_val = bytes_load32_big(value);
        opt->ts_ecr = bytes_load32_big(value + 4);
        opt->present |= TCP_OPT_TIMESTAMPS;
        return true;
    case OPTION_MULTIPATH: opt->present |= TCP_OPT_MULTIPATH; return true;
    case OPTION_FAST_OPEN: opt->present |= TCP_OPT_FAST_OPEN; return true;
    case OPTION_EXPERIMENT:
        if (size >= 4 && bytes_load16_big(value) == FAST_OPEN_MAGIC)
            opt->present |= TCP_OPT_FAST_OPEN;
        return true;
    default: return true;
    }
}

void tcp_read_options(struct cursor c, struct tcp_options *opt)
{
    uint8_t kind, size;

    if (c.captured < c.wire)
        opt->present |= TCP_OPT_CUT;
    while (cursor_u8(&c, &kind) && kind != OPTION_END) {
        if (kind == OPTION_NOP)
            continue;
        const uint8_t *option = c.at - 1;
        if (!cursor_u8(&c, &size) || size < 2 || !cursor_skip(&c, size - 2u)) {
            opt->present |= TCP_OPT_CUT;
            return;
        }
        if (!read_option(option, size, opt))
            opt->present |= TCP_OPT_CUT;
    }
}

/* Any option list of size bytes at c; returns the position behind it.  Not inlined: most segments
 * do not come here. */
__attribute__((noinline)) static struct cursor take_options(struct segment *seg, struct cursor c,
                                                            uint32_t size)
{
    struct cursor options = c;

    cursor_limit(&options, size);
    tcp_read_options(options, &seg->opt);
    if (!cursor_skip(&c, size)) {
        seg->marks |= SEGMENT_CUT;
        cursor_cut(&c, size);
    }
    return c;
}

/* The same for the list that most segments have, timestamps alone. */
static bool take_aligned_timestamps(struct segment *seg, struct cursor *c, uint32_t size)
{
    const uint8_t *bytes = cursor_peek(c, TCP_ALIGNED_TIMESTAMPS_BYTES);

    return size == TCP_ALIGNED_TIMESTAMPS_BYTES && bytes != NULL &&
           tcp_fill_timestamps(seg, bytes) && cursor_skip(c, TCP_ALIGNED_TIMESTAMPS_BYTES);
}

/* What the frame and the layers around IP say. */
static void fill_surroundings(const struct layers *l, struct segment *seg)
{
    tcp_fill_frame(seg, l->packet);
    seg->vlan = l->vlan;
    seg->vlan_depth = l->vlan_depth;
    seg->marks = l->marks;
    seg->link_direction = l->link_direction;
    seg->link_hash = l->link_hash;
    seg->tunnel_id = l->tunnel_id;
}

/* What the innermost IP header says (RFC 791 section 3.1, RFC 8200 section 3). */
static void fill_ip(const struct layers *l, struct segment *seg)
{
    const uint8_t *ip = l->ip;

    if (l->ip_version == 4) {
        tcp_fill_ipv4(seg, ip);
        return;
    }
    seg->ip_version = l->ip_version;
    memcpy(seg->src.bytes, ip + 8, sizeof seg->src.bytes);
    memcpy(seg->dst.bytes, l->ipv6_dst, sizeof seg->dst.bytes);
    seg->ip_id = 0;
    seg->ttl = ip[7];
    seg->ecn = (ip[1] >> 4) & 3;
}

/* Mark a segment whose checksum is wrong, where it can be computed at all. */
__attribute__((noinline)) static void verify_checksum(const struct layers *l, struct segment *seg,
                                                      const uint8_t *tcp)
{
    uint32_t header_bytes = (uint32_t)(seg->payload - tcp);

    if (seg->payload_captured < seg->payload_bytes ||
        (seg->marks & (SEGMENT_CUT | SEGMENT_FIRST_FRAGMENT)) != 0)
        return;
    if (!checksum_tcp_good(layers_ip_src(l), layers_ip_dst(l), l->ip_version == 4 ? 4 : 16, tcp,
                           header_bytes + seg->payload_bytes)) {
        seg->marks |= SEGMENT_CHECKSUM_BAD;
        l->counts->checksum_bad++;
    }
}

static void count_marks(struct decode_counts *counts, uint8_t marks)
{
    counts->cut_headers += (marks & SEGMENT_CUT) != 0;
    counts->tcp_fragments += (marks & SEGMENT_FIRST_FRAGMENT) != 0;
    counts->length_from_frame += (marks & SEGMENT_LENGTH_FROM_FRAME) != 0;
}

/* A header that does not fit into its packet: only a fragment may go on in the next one. */
static enum decode_result skip_impossible(struct layers *l)
{
    if ((l->marks & SEGMENT_FIRST_FRAGMENT) == 0)
        return layers_skip(l, SKIP_MALFORMED);
    l->counts->tcp_fragments++;
    return layers_skip(l, SKIP_FRAGMENT);
}

enum decode_result tcp_decode(struct layers *l, struct cursor c)
{
    struct segment *seg = l->seg;
    uint32_t wire_bytes = c.wire;
    const uint8_t *tcp = cursor_peek(&c, TCP_NUMBERS_BYTES);

    if (wire_bytes < TCP_HEADER_MIN)
        return skip_impossible(l);
    if (tcp == NULL)
        return layers_skip(l, SKIP_CUT);
    uint32_t header_bytes = (tcp[12] >> 4) * 4u;
    if (header_bytes < TCP_HEADER_MIN)
        return layers_skip(l, SKIP_MALFORMED);
    if (header_bytes > wire_bytes)
        return skip_impossible(l);

    fill_surroundings(l, seg);
    fill_ip(l, seg);
    tcp_fill_numbers(seg, tcp);
    if (cursor_skip(&c, TCP_HEADER_MIN)) {
        tcp_fill_checksum(seg, tcp);
    } else {
        seg->checksum = seg->urgent = 0;
        seg->marks |= SEGMENT_CUT;
        cursor_cut(&c, TCP_HEADER_MIN);
    }
    if (header_bytes > TCP_HEADER_MIN &&
        !take_aligned_timestamps(seg, &c, header_bytes - TCP_HEADER_MIN))
        c = take_options(seg, c, header_bytes - TCP_HEADER_MIN);
    seg->payload = c.at;
    seg->payload_bytes = c.wire;
    seg->payload_captured = c.captured;
    if (seg->marks != 0)
        count_marks(l->counts, seg->marks);
    if (l->verify_checksums)
        verify_checksum(l, seg, tcp);
    return DECODE_SEGMENT;
}
