#include "analysis/connection/handshake.h"

#include "analysis/flow/seq.h"

#define SCALE_MAX 14 /* RFC 7323 section 2.3 */

bool handshake_is_new(const struct flow *flow, enum direction dir, const struct segment *seg)
{
    const struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];

    if ((seg->flags & TCP_SYN) == 0)
        return false;
    if ((half->marks & HALF_SYN) != 0 && half->iss == seg->seq)
        return false;
    if ((seg->flags & TCP_ACK) != 0) /* a SYN-ACK answers a SYN; alone it opens only an ended flow */
        return (flow->marks & (FLOW_ENDED | FLOW_CLOSING)) != 0 &&
               !((peer->marks & HALF_SYN) != 0 && peer->iss + 1 == seg->ack);
    if ((half->marks & HALF_SYN) != 0)
        return true;
    if ((half->marks & HALF_ACKED) != 0 && (uint32_t)half->snd_una == seg->seq + 1)
        return false; /* its SYN-ACK stood before it in the capture */
    if ((half->marks & HALF_BASE) != 0 && (uint32_t)half->first_offset == seg->seq + 1)
        return false;
    /* simultaneous open: both ends send a SYN, neither has data yet */
    return !((peer->marks & HALF_SYN) != 0 && peer->data_segments + half->data_segments == 0 &&
             (half->marks & HALF_BASE) == 0);
}

static void take_options(struct half *half, const struct segment *seg)
{
    uint8_t present = seg->opt.present;

    half->mss_option = (present & TCP_OPT_MSS) != 0 ? seg->opt.mss : 0;
    half->marks |= HALF_SYN;
    if ((present & TCP_OPT_WIND_SHIFT) != 0) {
        half->marks |= HALF_WIND_SHIFT;
        half->wind_shift = seg->opt.wind_shift < SCALE_MAX ? seg->opt.wind_shift : SCALE_MAX;
    }
    if ((present & TCP_OPT_SACK_PERMITTED) != 0)
        half->marks |= HALF_SACK;
    if ((present & TCP_OPT_TIMESTAMPS) != 0)
        half->marks |= HALF_SYN_TIMESTAMPS;
    if ((present & TCP_OPT_CUT) != 0)
        half->marks |= HALF_OPT_CUT;
    if ((seg->flags & TCP_ECE) != 0)
        half->marks |= HALF_ECN_SETUP;
}

/* The stream begins one above the ISN, in the epoch that acknowledgments seen before imply. */
static void take_base(struct half *half, uint32_t iss)
{
    half->iss = iss;
    if ((half->marks & HALF_BASE) != 0)
        return;
    if ((half->marks & HALF_ACKED) != 0)
        half->first_offset = seq_unwrap(iss + 1, half->snd_una);
    else
        half->first_offset = seq_first_offset(iss) + 1;
    half->snd_nxt = half->first_offset;
    half->marks |= HALF_BASE;
}

static void count_again(struct tracker *t, struct flow *flow, enum direction dir,
                        const struct segment *seg)
{
    flow->half[dir].marks |= HALF_SYN_AGAIN;
    if (flow->syn_retransmissions < UINT8_MAX)
        flow->syn_retransmissions++;
    if (flow->detail != NULL) {
        struct side_counts *counts = &flow->detail->side[dir].counts;
        counts->retransmitted++;
        counts->triggers[REXMIT_SYN]++;
    }
    tracker_event(t, EVENT_RETRANSMISSION, flow, dir, seg, 0);
}

bool handshake_syn(struct tracker *t, struct flow *flow, enum direction dir,
                   const struct segment *seg)
{
    struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];
    bool answers = (seg->flags & TCP_ACK) != 0;

    if ((half->marks & HALF_SYN) != 0) {
        if (half->iss != seg->seq) {
            if (answers && half->data_segments == 0)
                flow->alternate_iss = seg->seq; /* which one counts, the client's ACK will say */
            else
                flow->half[dir].implausible_segments++;
            return false;
        }
        count_again(t, flow, dir, seg);
        half->syn_ns = seg->time_ns;
        return true;
    }
    take_options(half, seg);
    take_base(half, seg->seq);
    half->syn_ns = seg->time_ns;
    half->syn_frame = seg->frame;
    half->syn_ip_id = seg->ip_id;
    flow->marks |= FLOW_SYN_SEEN;
    if (answers && (peer->marks & (HALF_SYN | HALF_SYN_AGAIN)) == HALF_SYN &&
        peer->iss + 1 == seg->ack)
        flow_leg_sample(flow, dir, seg->time_ns - peer->syn_ns);
    return true;
}

void handshake_first_ack(struct flow *flow, const struct segment *seg)
{
    struct half *server = &flow->half[S2C], *client = &flow->half[C2S];

    if ((server->marks & HALF_ACKED) != 0 || (server->marks & HALF_SYN) == 0)
        return;
    if (flow->alternate_iss != 0 && seg->ack == flow->alternate_iss + 1 &&
        server->data_segments == 0) {
        server->marks &= (uint16_t)~HALF_BASE;
        take_base(server, flow->alternate_iss);
    }
    if (seg->ack != server->iss + 1 || (server->marks & HALF_SYN_AGAIN) != 0)
        return;
    flow_leg_sample(flow, C2S, seg->time_ns - server->syn_ns);
    if ((client->marks & (HALF_SYN | HALF_SYN_AGAIN)) == HALF_SYN && seg->time_ns > client->syn_ns)
        flow->handshake_rtt_ns = seg->time_ns - client->syn_ns;
}

/* RFC 5961 section 3: a RST must lie in the window; this one may also repeat the edge last
 * acknowledged. */
static bool rst_in_window(const struct half *half, const struct half *peer,
                          const struct segment *seg)
{
    if ((half->marks & HALF_BASE) == 0) /* refusal of a SYN carries no sequence number of its own */
        return (seg->flags & TCP_ACK) == 0 || (peer->marks & HALF_SYN) == 0 ||
               seg->ack == peer->iss + 1 || (uint32_t)peer->snd_nxt == seg->ack;
    uint64_t offset = seq_unwrap(seg->seq, half->snd_nxt);
    uint64_t low = half->snd_nxt;
    if ((half->marks & HALF_ACKED) != 0 && half->snd_una < low)
        low = half->snd_una;
    uint64_t high = half->snd_nxt;
    high += (uint64_t)((half->marks & HALF_WINDOW) != 0 ? half->rwnd_last : 65535) << peer->wind_shift;
    if (seg->seq == 0 && (seg->flags & TCP_ACK) != 0 && half->data_segments == 0)
        return true;
    return offset + 1 >= low && offset <= high + 1;
}

void handshake_rst(struct tracker *t, struct flow *flow, enum direction dir,
                   const struct segment *seg)
{
    struct half *half = &flow->half[dir];

    if (!rst_in_window(half, &flow->half[direction_other(dir)], seg)) {
        flow->rst_ignored++;
        return;
    }
    if ((flow->marks & FLOW_WAS_RESET) != 0)
        return;
    half->marks |= HALF_RST;
    flow->marks |= FLOW_WAS_RESET;
    flow->rst_dir = (uint8_t)dir;
    flow->rst_ns = seg->time_ns;
    flow->rst_frame = seg->frame;
    tracker_event(t, EVENT_RESET, flow, dir, seg, 0);
}
