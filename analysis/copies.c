#include "analysis/copies.h"

#include <string.h>

/* On one and the same link, with nothing to tell the copies apart. */
#define MIRROR_MAX_NS ((int64_t)2 * 1000000)
#define MIRROR_UNKNOWN_RTT_NS ((int64_t)500 * 1000)
/* Another TTL, MAC, VLAN or interface says that it is a copy; the time is only bounded so that a
 * sequence space come round again is not taken for one. */
#define ROUTED_MAX_NS ((int64_t)1000 * 1000000)

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9fb21c651e98df25ULL;
    return hash ^ (hash >> 29);
}

/* Fingerprint of everything that two captures of one packet share. */
static uint64_t print_of(const struct segment *seg)
{
    uint64_t hash = mix((uint64_t)seg->seq << 32 | seg->ack, seg->src_port);

    hash = mix(hash, (uint64_t)seg->payload_bytes << 32 | (uint64_t)seg->flags << 16 | seg->wnd);
    /* the checksum stands in where there is no IP ID; else it may have been damaged on the way */
    uint16_t checksum = seg->ip_id == 0 ? seg->checksum : 0;
    hash = mix(hash, (uint64_t)seg->ip_id << 16 | checksum | (uint64_t)seg->src.bytes[15] << 32);
    if ((seg->opt.present & TCP_OPT_TIMESTAMPS) != 0)
        hash = mix(hash, (uint64_t)seg->opt.ts_val << 32 | seg->opt.ts_ecr);
    return hash | 1; /* 0 = empty */
}

/* A pure ACK without an IP ID may be repeated by its sender in the same tick, bit for bit. */
static bool repeats_by_itself(const struct segment *seg)
{
    return seg->ip_id == 0 && segment_length(seg) == 0;
}

static enum copy_kind kind_of(const struct copies *copies, const struct copy_print *old,
                              const struct segment *seg, int64_t min_rtt_ns)
{
    int64_t lag = seg->time_ns - old->time_ns;

    if (lag < 0)
        lag = -lag;
    if (lag > ROUTED_MAX_NS)
        return COPY_NONE;
    if (old->vlan != seg->vlan || old->vlan_depth != seg->vlan_depth)
        return COPY_VLAN;
    if (old->interface != seg->interface || old->source != seg->source)
        return COPY_INTERFACE;
    if (old->ttl != seg->ttl || old->link_hash != seg->link_hash)
        return COPY_ROUTED;
    if (repeats_by_itself(seg) && copies->data_copies * 4 < copies->data_frames)
        return COPY_NONE;
    int64_t limit = MIRROR_UNKNOWN_RTT_NS;
    if (min_rtt_ns != NS_UNKNOWN)
        limit = min_rtt_ns / 8 < MIRROR_MAX_NS ? min_rtt_ns / 8 : MIRROR_MAX_NS;
    if (lag <= limit)
        return COPY_MIRROR;
    /* the same IP ID again, too late for a mirror: the network made two of it */
    return seg->ip_id != 0 ? COPY_NETWORK : COPY_NONE;
}

typedef uint32_t tag_vector __attribute__((vector_size(16)));

/* Whether any remembered tag equals this one: four at a time. */
static bool tag_known(const struct copies *copies, uint32_t tag)
{
    tag_vector hit = {0, 0, 0, 0}, wanted = {tag, tag, tag, tag}, tags;

    for (uint32_t i = 0; i < COPIES_MEMORY; i += 4) {
        memcpy(&tags, &copies->tags[i], sizeof tags);
        hit |= (tag_vector)(tags == wanted);
    }
    return (hit[0] | hit[1] | hit[2] | hit[3]) != 0;
}

static void remember(struct copies *copies, const struct segment *seg, uint64_t print)
{
    uint32_t i = copies->next++ % COPIES_MEMORY;

    copies->tags[i] = (uint32_t)print;
    copies->prints[i] = (struct copy_print){
        .time_ns = seg->time_ns,
        .print = print,
        .link_hash = seg->link_hash,
        .vlan = seg->vlan,
        .interface = seg->interface,
        .ttl = seg->ttl,
        .vlan_depth = (uint8_t)seg->vlan_depth,
        .source = seg->source,
    };
}

enum copy_kind copies_check(struct copies *copies, const struct segment *seg, int64_t min_rtt_ns)
{
    uint64_t print = print_of(seg);

    copies->data_frames += segment_length(seg) != 0;
    if (tag_known(copies, (uint32_t)print)) {
        for (uint32_t i = 0; i < COPIES_MEMORY; i++) {
            if (copies->prints[i].print != print)
                continue;
            enum copy_kind kind = kind_of(copies, &copies->prints[i], seg, min_rtt_ns);
            if (kind == COPY_NONE)
                continue;
            copies->data_copies += segment_length(seg) != 0;
            return kind;
        }
    }
    remember(copies, seg, print);
    return COPY_NONE;
}
