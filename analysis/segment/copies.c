#include "analysis/segment/copies.h"

/* On one and the same link, with nothing to tell the copies apart. */
#define MIRROR_MAX_NS ((int64_t)2 * 1000000)
#define MIRROR_UNKNOWN_RTT_NS ((int64_t)500 * 1000)
/* Another TTL, MAC, VLAN or interface says that it is a copy; the time is only bounded so that a
 * sequence space come round again is not taken for one. */
#define ROUTED_MAX_NS ((int64_t)1000 * 1000000)

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

/* What a segment is whose tag is remembered; remembers it when it is new all the same. */
enum copy_kind copies_compare(struct copies *copies, const struct segment *seg, int64_t min_rtt_ns,
                              uint64_t print)
{
    copies->data_frames += segment_length(seg) != 0;
    for (uint32_t i = 0; i < COPIES_MEMORY; i++) {
        if (copies->prints[i].print != print)
            continue;
        enum copy_kind kind = kind_of(copies, &copies->prints[i], seg, min_rtt_ns);
        if (kind == COPY_NONE)
            continue;
        copies->data_copies += segment_length(seg) != 0;
        return kind;
    }
    copies_remember(copies, seg, print);
    return COPY_NONE;
}
