/* Frames captured twice: recognised before any state changes, counted, and nothing else.
 *
 * The same packet shows again when a mirror port copies both ways, when a router's two sides are
 * captured (TTL, MAC), with the VLAN tag on and off, or on two interfaces (-i any).  A copy has the
 * same IP ID, sequence numbers, window, timestamps and checksum; on the same link it must also come
 * sooner than any resend could (anchors: min(2 ms, RTT/8)). */
#ifndef TCPWHY_ANALYSIS_COPIES_H
#define TCPWHY_ANALYSIS_COPIES_H

#include <string.h>

#include "analysis/result.h"

/* Segments remembered of a flow; a copy that comes later than this many is not recognised. */
#define COPIES_MEMORY 32u

enum copy_kind { COPY_NONE, COPY_MIRROR, COPY_ROUTED, COPY_VLAN, COPY_INTERFACE, COPY_NETWORK };

struct copy_print {
    int64_t time_ns;
    uint64_t print;       /* of all fields that a copy shares */
    uint32_t link_hash;
    union { /* as in struct segment */
        struct {
            uint16_t vlan, vlan_depth, interface, source;
        };
        uint64_t place;
    };
    uint8_t ttl;
};

struct copies {
    uint32_t tags[COPIES_MEMORY];  /* upper half of each print: one or two cache lines to scan */
    struct copy_print prints[COPIES_MEMORY];
    uint32_t next;
    uint32_t data_copies, data_frames; /* share of copies among data: for what pure ACKs cannot tell */
};

typedef uint32_t copies_tags __attribute__((vector_size(16)));

/* Fingerprint of everything that two captures of one packet share: a polynomial of its fields, whose
 * upper half is the one that mixes. */
static inline uint64_t copies_print_of(const struct segment *seg)
{
    /* the checksum stands in where there is no IP ID; else it may have been damaged on the way */
    const uint32_t fields = (uint32_t)seg->ip_id << 16 | seg->checksum;
    const uint32_t id = seg->ip_id == 0 ? fields : fields & 0xffff0000;
    const uint64_t size = (uint64_t)seg->payload_bytes << 32 | ((uint32_t)seg->wnd << 16 | seg->flags);
    const uint64_t origin = (uint64_t)seg->src_port << 40 | (uint64_t)seg->src.bytes[15] << 32;
    const uint64_t numbers = (uint64_t)seg->ack << 32 | seg->seq;
    const uint64_t times = (uint64_t)seg->opt.ts_ecr << 32 | seg->opt.ts_val; /* 0 without */

    const uint64_t odd = 0x9fb21c651e98df25ULL;

    return (((numbers * odd + size) * odd + (origin | id)) * odd + times) * odd | 1; /* 0 = empty */
}

static inline uint32_t copies_tag_of(uint64_t print)
{
    return (uint32_t)(print >> 32);
}

/* Whether any remembered print may be this one: its tag is, four compared at a time. */
static inline bool copies_may_hold(const struct copies *copies, uint64_t print)
{
    uint32_t tag = copies_tag_of(print);
    copies_tags hit = {0, 0, 0, 0}, wanted = {tag, tag, tag, tag}, tags;
    uint64_t any[2];

    for (uint32_t i = 0; i < COPIES_MEMORY; i += 4) {
        memcpy(&tags, &copies->tags[i], sizeof tags);
        hit |= (copies_tags)(tags == wanted);
    }
    memcpy(any, &hit, sizeof any);
    return (any[0] | any[1]) != 0;
}

static inline void copies_remember(struct copies *copies, const struct segment *seg,
                                   uint64_t print)
{
    uint32_t i = copies->next++ % COPIES_MEMORY;
    struct copy_print *entry = &copies->prints[i];

    copies->tags[i] = copies_tag_of(print);
    entry->time_ns = seg->time_ns;
    entry->print = print;
    entry->link_hash = seg->link_hash;
    entry->place = seg->place;
    entry->ttl = seg->ttl;
}

/* Remember a segment that cannot be a copy: it goes beyond everything seen.  data: it occupies
 * sequence numbers. */
static inline void copies_add(struct copies *copies, const struct segment *seg, uint64_t print,
                              bool data)
{
    copies->data_frames += data;
    copies_remember(copies, seg, print);
}

/* Compare a segment with those remembered and remember it when it is new; print is its
 * copies_print_of. */
enum copy_kind copies_compare(struct copies *copies, const struct segment *seg, int64_t min_rtt_ns,
                              uint64_t print);

/* The same for any segment.  min_rtt_ns may be NS_UNKNOWN. */
static inline enum copy_kind copies_check(struct copies *copies, const struct segment *seg,
                                          int64_t min_rtt_ns)
{
    uint64_t print = copies_print_of(seg);

    if (copies_may_hold(copies, print))
        return copies_compare(copies, seg, min_rtt_ns, print);
    copies_add(copies, seg, print, segment_length(seg) != 0);
    return COPY_NONE;
}

#endif
