#include "analysis/connection/steady.h"

#include "analysis/connection/ack_steps.h"
#include "analysis/connection/acks.h"
#include "analysis/connection/count_steps.h"
#include "analysis/connection/data_steps.h"

/* More than this is not outstanding under any window (RFC 7323: 2^30). */
#define OUTSTANDING_MAX ((uint64_t)1 << 30)

#define FLOW_MARKS (FLOW_BOTH_WAYS | FLOW_ENDED | FLOW_WAS_RESET | FLOW_TAGGED | FLOW_REPLACED)
#define HALF_KNOWN (HALF_BASE | HALF_ACKED)
#define HALF_MARKS (HALF_KNOWN | HALF_FIN | HALF_RST)

/* Both ends are talking, and neither has begun to stop. */
static inline bool plain_flow(const struct flow *flow)
{
    return (flow->marks & FLOW_MARKS) == FLOW_BOTH_WAYS &&
           (flow->half[C2S].marks & HALF_MARKS) == HALF_KNOWN &&
           (flow->half[S2C].marks & HALF_MARKS) == HALF_KNOWN;
}

/* Nothing but an acknowledgment, with or without data next in order, of the sizes that the sender
 * has used. */
static inline bool plain_segment(const struct segment *seg, const struct half *half)
{
    return (seg->flags & ~(unsigned)TCP_PSH) == TCP_ACK &&
           (seg->opt.present & ~(unsigned)TCP_OPT_TIMESTAMPS) == 0 && seg->vlan == 0 &&
           seg->seq == (uint32_t)half->snd_nxt && seg->payload_bytes <= half->smss;
}

/* No loss is being repaired, and the sender was not silent so long that one may hide there. */
static inline bool plain_sender(const struct half *half, const struct side *side,
                                const struct segment *seg)
{
    return half->snd_una <= half->snd_nxt && side->replay.started && seg->payload_bytes != 1 &&
           seg->time_ns - side->rexmit.last_sent_ns < SILENCE_NS;
}

/* What every segment adds to its sender. */
static inline void take_segment(struct flow *flow, struct half *half, const struct segment *seg)
{
    half->packets++;
    if (seg->time_ns > flow->last_ns)
        flow->last_ns = seg->time_ns;
    if ((seg->opt.present & TCP_OPT_TIMESTAMPS) != 0)
        half->marks |= HALF_TIMESTAMPS;
}

static inline __attribute__((always_inline)) void
take_ack(struct flow *flow, const enum direction dir, const struct segment *seg, uint64_t ack)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    bool advanced = ack > half->snd_una, window_same = seg->wnd == half->rwnd_last;
    bool resent;

    half->acks += seg->payload_bytes == 0;
    window_note(&side->window, half, seg, ack);
    uint64_t edge = window_edge(&side->window, seg->wnd, ack, side->window.fixed_scale);
    if (moves_has_news(&side->moves, &side->window, seg->wnd, edge))
        acks_window_moves(flow, dir, seg, ack, edge);
    if (advanced) {
        const struct sent *newest = sent_log_drop(&side->sent, ack, &resent);
        if (newest != NULL)
            ack_sample_rtt(flow, dir, seg, newest);
        ack_end_episode(side, seg, ack);
        ack_check_renege(side, seg, ack);
    }
    ack_tell_replay(flow, dir, seg, ack, edge, advanced || !window_same, false);
    if (advanced)
        ack_advance_edge(half, seg, ack);
}

static inline __attribute__((always_inline)) void
take_data(struct flow *flow, const enum direction dir, const struct segment *seg)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    uint64_t left = half->snd_nxt, right = left + seg->payload_bytes;

    count_data(half, seg);
    count_run(flow, dir, seg);
    struct sent *entry = data_push(side, seg, left, right);
    half->snd_nxt = right;
    entry->near_us = (uint32_t)(data_depart(flow, dir, seg, left, right, DEPARTURE_NEW) / 1000);
    side->rexmit.last_sent_ns = seg->time_ns;
}

/* A segment of a flow with detail. */
static inline __attribute__((always_inline)) bool
take_followed(struct flow *flow, const enum direction dir, const struct segment *seg, uint64_t ack)
{
    const enum direction other = dir == C2S ? S2C : C2S;
    struct half *half = &flow->half[dir], *peer = &flow->half[other];
    struct detail *detail = flow->detail;
    struct side *side = &detail->side[dir], *answered = &detail->side[other];
    const bool data = seg->payload_bytes > 0;

    if ((flow->marks & FLOW_CONTROL) != 0 || (peer->marks & HALF_WINDOW) == 0 || seg->ecn == 3 ||
        answered->rexmit.undecided > 0 || !window_is_steady(&answered->window, seg, ack))
        return false;
    if (data ? !plain_sender(half, side, seg) : ack == peer->snd_una || seg->ttl != half->ttl)
        return false;
    /* new data at the edge, or an acknowledgment beyond the last: neither was seen before */
    copies_add(&detail->copies, seg, copies_print_of(seg), data);
    take_segment(flow, half, seg);
    detail->last_frame = seg->frame;
    count_timestamp(half, side, seg);
    take_ack(flow, other, seg, ack);
    if (data)
        take_data(flow, dir, seg);
    if (seg->ip_version == 4 && ip_ids_add_next(&side->ids, seg->ip_id, 1))
        side->last_packet_ns = seg->time_ns;
    else
        count_ip_id(half, side, seg);
    return true;
}

/* A segment of a flow that has not earned a detail. */
static inline void take_lightly(struct flow *flow, struct half *half, struct half *peer,
                                const struct segment *seg, uint64_t ack)
{
    take_segment(flow, half, seg);
    peer->acks += seg->payload_bytes == 0;
    window_count(peer, seg);
    if (ack > peer->snd_una)
        ack_advance_edge(peer, seg, ack);
    if (seg->payload_bytes == 0)
        return;
    count_data(half, seg);
    count_light_bulk(flow, half);
    half->snd_nxt += seg->payload_bytes;
}

static inline __attribute__((always_inline)) bool
take_steadily(struct tracker *t, struct flow *flow, const enum direction dir,
              const struct segment *seg)
{
    struct half *half = &flow->half[dir], *peer = &flow->half[dir == C2S ? S2C : C2S];

    if (!plain_flow(flow) || !plain_segment(seg, half))
        return false;
    uint64_t outstanding = peer->snd_nxt - peer->snd_una; /* huge when it acknowledged a gap */
    uint32_t acked = seg->ack - (uint32_t)peer->snd_una;
    uint64_t ack = peer->snd_una + acked;

    if (outstanding > OUTSTANDING_MAX || acked > outstanding ||
        (seg->payload_bytes > 0 && half->data_segments == 0))
        return false;
    if (flow->detail == NULL) {
        if ((flow->marks & FLOW_CONTROL_PORT) != 0 || detail_earned(t->details, flow))
            return false;
        take_lightly(flow, half, peer, seg, ack);
        return true;
    }
    return !t->series && take_followed(flow, dir, seg, ack);
}

/* Each direction has code of its own: its places are constants there. */
bool steady_segment(struct tracker *t, struct flow *flow, enum direction dir,
                    const struct segment *seg)
{
    return dir == C2S ? take_steadily(t, flow, C2S, seg) : take_steadily(t, flow, S2C, seg);
}
