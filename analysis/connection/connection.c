#include "analysis/connection/connection.h"

#include <string.h>

#include "analysis/connection/acks.h"
#include "analysis/session/control_stream.h"
#include "analysis/connection/count_steps.h"
#include "analysis/connection/data_steps.h"
#include "analysis/connection/handshake.h"
#include "analysis/connection/sender.h"
#include "analysis/flow/seq.h"
#include "analysis/replay/cwnd_rows.h"
#include "analysis/replay/series.h"
#include "analysis/connection/summary.h"

/* A jump further than this needs a second segment to be believed: it is above the windows in use
 * and below what random numbers would give. */
#define JUMP_BELIEVED ((uint64_t)64 << 20)
#define PAST_BELIEVED ((uint64_t)1 << 30)

/* Past this many flows, memory a flow counts more than what a short one can tell. */
#define MANY_FLOWS 10000u

static void count_copy(struct tracker *t, struct flow *flow, enum direction dir,
                       enum copy_kind kind, const struct segment *seg)
{
    struct side_counts *counts = &flow->detail->side[dir].counts;

    if (kind == COPY_NETWORK) {
        counts->network_duplicates++;
        flow->detail->side[dir].duplicates_to_report++;
        return;
    }
    counts->duplicate_frames++;
    t->counts.duplicate_frames++;
    t->counts.duplicate_mirror += kind == COPY_MIRROR;
    t->counts.duplicate_routed += kind == COPY_ROUTED;
    t->counts.duplicate_vlan += kind == COPY_VLAN;
    t->counts.duplicate_interface += kind == COPY_INTERFACE;
    flow->last_ns = seg->time_ns > flow->last_ns ? seg->time_ns : flow->last_ns;
}

bool connection_fits(const struct flow *flow, enum direction dir, const struct segment *seg)
{
    const struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];
    int32_t seq_off = (int32_t)(seg->seq - (uint32_t)half->snd_nxt);
    int32_t ack_off = (int32_t)(seg->ack - (uint32_t)peer->snd_nxt);
    int32_t most = (int32_t)(JUMP_BELIEVED >> 4);

    if ((half->marks & HALF_BASE) != 0 && (seq_off > most || seq_off < -most))
        return false;
    return (seg->flags & TCP_ACK) == 0 || (peer->marks & HALF_BASE) == 0 ||
           (ack_off <= most && ack_off >= -most);
}

/* Everything about a segment that needs no understanding. */
static void count_segment(struct flow *flow, enum direction dir, const struct segment *seg)
{
    struct half *half = &flow->half[dir];

    half->packets++;
    if (flow->half[direction_other(dir)].packets > 0)
        flow->marks |= FLOW_BOTH_WAYS;
    if (seg->time_ns > flow->last_ns)
        flow->last_ns = seg->time_ns;
    if (flow->detail == NULL)
        return;
    flow->detail->last_frame = seg->frame;
    struct side *side = &flow->detail->side[dir];
    if (seg->ttl != half->ttl && (seg->flags & TCP_RST) == 0) {
        side->ttl_other = seg->ttl;
        side->ttl_other_frame = side->ttl_other_segments == 0 ? seg->frame : side->ttl_other_frame;
        side->ttl_other_segments++;
    }
    side->counts.ce_marked += seg->ecn == 3;
    side->counts.ece_seen += (seg->flags & (TCP_ECE | TCP_SYN)) == TCP_ECE;
    if ((seg->flags & (TCP_CWR | TCP_SYN)) == TCP_CWR)
        loss_note_mark(flow, dir, seg);
    if ((seg->flags & TCP_RST) == 0)
        count_timestamp(half, side, seg);
}

/* Stream offset of a segment's first byte; false when it cannot belong to this connection. */
static bool place(struct flow *flow, enum direction dir, const struct segment *seg,
                  uint64_t *offset)
{
    struct half *half = &flow->half[dir];

    if ((half->marks & HALF_BASE) == 0) {
        uint64_t start = (half->marks & HALF_ACKED) != 0 ? seq_unwrap(seg->seq, half->snd_una)
                                                         : seq_first_offset(seg->seq);
        half->first_offset = half->snd_nxt = start;
        half->marks |= HALF_BASE;
        *offset = start;
        return true;
    }
    *offset = seq_unwrap(seg->seq, half->snd_nxt);
    if (*offset == half->snd_nxt) /* nearly always: spare it the cold lines of the record */
        return true;
    uint64_t highest = half->snd_nxt;
    if ((half->marks & HALF_ACKED) != 0 && half->snd_una > highest)
        highest = half->snd_una;
    if (*offset + PAST_BELIEVED < half->snd_nxt)
        return false;
    if ((half->marks & HALF_SYN) != 0 && *offset + 1 < half->first_offset)
        return false;
    if (*offset <= highest + JUMP_BELIEVED || half->resync_seq == seg->seq)
        return true;
    flow->half[dir].resync_seq = seg->seq + segment_length(seg);
    return false;
}

/* Data from before the first byte seen, in a capture that began in the middle. */
static void extend_down(struct flow *flow, enum direction dir, uint64_t offset)
{
    struct half *half = &flow->half[dir];

    if (offset == half->snd_nxt || (half->marks & HALF_SYN) != 0 || offset >= half->first_offset)
        return;
    if (flow->detail != NULL) {
        struct side *side = &flow->detail->side[dir];
        struct hole *hole = holes_add_below(&side->holes, offset, half->first_offset);
        hole->time_ns = half->data_segments > 0 ? half->first_data_ns : flow->start_ns;
        if (side->sent.count > 0) {
            hole->successor_ts_val = sent_log_at(&side->sent, 0)->first_ts_val;
            hole->successor_ip_id = sent_log_at(&side->sent, 0)->ip_id;
        }
    }
    half->first_offset = offset;
}

/* A control connection on any port begins with the server's greeting: "220" (RFC 959 5.4). */
static bool may_be_control(const struct flow *flow, enum direction dir, const struct segment *seg)
{
    return (flow->marks & FLOW_CONTROL_PORT) != 0 ||
           (dir == S2C && seg->payload_captured >= 4 && memcmp(seg->payload, "220", 3) == 0);
}

static void control_payload(struct tracker *t, struct flow *flow, enum direction dir,
                            const struct segment *seg, uint64_t offset)
{
    struct detail *detail = flow->detail;
    enum direction other = direction_other(dir);

    if ((flow->marks & FLOW_CONTROL) == 0 || detail == NULL || seg->payload_bytes == 0)
        return;
    if (detail->control == NULL && !may_be_control(flow, dir, seg)) {
        flow->marks &= (uint16_t)~FLOW_CONTROL;
        return;
    }
    if (detail->control == NULL)
        detail->control = control_stream_new();
    bool wanted = true;
    if ((flow->half[other].marks & HALF_ACKED) != 0)
        wanted = control_stream_acknowledged(detail->control, t->sessions, flow->id, other,
                                             flow->half[other].snd_una);
    if (wanted && seg->payload_bytes > 0)
        wanted = control_stream_add(detail->control, t->sessions, flow->id, dir, offset, seg);
    if (!wanted) {
        flow->marks &= (uint16_t)~FLOW_CONTROL;
        control_stream_free(detail->control);
        detail->control = NULL;
    }
}

/* After a reset the peer's data in flight is not believed; its own sender speaking on shows that
 * the reset was not its. */
static bool survives_reset(struct flow *flow, enum direction dir)
{
    if (flow->rst_dir != (uint8_t)dir) {
        flow->half[dir].late_segments++;
        return false;
    }
    flow->marks &= (uint16_t) ~(FLOW_WAS_RESET | FLOW_CLOSING);
    flow->half[dir].marks &= (uint16_t)~HALF_RST;
    flow->rst_ignored++;
    return true;
}

static bool both_closed(const struct flow *flow)
{
    for (int dir = 0; dir < 2; dir++) {
        const struct half *half = &flow->half[dir];
        if ((half->marks & (HALF_FIN | HALF_ACKED)) != (HALF_FIN | HALF_ACKED) ||
            half->snd_una <= half->fin_offset)
            return false;
    }
    return true;
}

static void take_data_and_ack(struct tracker *t, struct flow *flow, enum direction dir,
                              const struct segment *seg)
{
    struct half *half = &flow->half[dir];
    bool data = seg->payload_bytes > 0 || (seg->flags & TCP_FIN) != 0;
    uint64_t offset;

    if (!place(flow, dir, seg, &offset)) {
        flow->half[dir].implausible_segments++;
        return;
    }
    offset += (seg->flags & TCP_SYN) != 0;
    if ((seg->opt.present & TCP_OPT_TIMESTAMPS) != 0 && (seg->flags & TCP_SYN) == 0)
        half->marks |= HALF_TIMESTAMPS;
    if ((seg->flags & TCP_ACK) != 0) {
        if (dir == C2S)
            handshake_first_ack(flow, seg);
        acks_take(t, flow, direction_other(dir), seg);
    }
    bool probe = seg->payload_bytes <= 1 && (data || offset != half->snd_nxt) &&
                 sender_is_probe(flow, dir, seg, offset);
    if (!data || probe)
        return;
    if ((half->marks & HALF_FIN) != 0 && offset > half->fin_offset) {
        flow->half[dir].late_segments++;
        return;
    }
    extend_down(flow, dir, offset);
    if (t->series && flow->detail != NULL && flow->detail->side[dir].series == NULL &&
        seg->payload_bytes > 0) {
        flow->detail->side[dir].series = series_new(seg->time_ns);
        flow->detail->side[dir].replay.cwnd.rows = cwnd_rows_new();
    }
    sender_data(t, flow, dir, seg, offset);
    control_payload(t, flow, dir, seg, offset);
}

enum connection_news connection_segment(struct tracker *t, struct flow *flow, enum direction dir,
                                        const struct segment *seg)
{
    if ((flow->marks & FLOW_ENDED) != 0) {
        flow->half[dir].late_segments = (uint16_t)(flow->half[dir].late_segments + (seg->payload_bytes > 0));
        return CONNECTION_GOES_ON;
    }
    struct detail *detail = flow->detail;
    bool urgent = (flow->marks & FLOW_CONTROL_PORT) != 0;
    if (detail == NULL && (urgent || detail_earned(t->details, flow)))
        detail = detail_get(t->details, flow, urgent);
    if (detail != NULL) {
        enum copy_kind copy = copies_check(&detail->copies, seg, flow_min_rtt_ns(flow));
        if (copy == COPY_NONE && (seg->payload_bytes > 0 || seg->ttl != flow->half[dir].ttl))
            copy = sender_late_copy(flow, dir, seg);
        if (copy != COPY_NONE) {
            count_copy(t, flow, dir, copy, seg);
            return CONNECTION_GOES_ON;
        }
    }
    if ((flow->marks & FLOW_WAS_RESET) != 0 && (seg->flags & TCP_RST) == 0 &&
        !survives_reset(flow, dir))
        return CONNECTION_GOES_ON;
    count_segment(flow, dir, seg);
    if ((seg->flags & TCP_RST) != 0) {
        handshake_rst(t, flow, dir, seg);
        return (flow->marks & FLOW_WAS_RESET) != 0 ? CONNECTION_CLOSING : CONNECTION_GOES_ON;
    }
    if ((seg->flags & TCP_SYN) != 0 && !handshake_syn(t, flow, dir, seg))
        return CONNECTION_GOES_ON;
    take_data_and_ack(t, flow, dir, seg);
    if (flow->detail != NULL && (seg->flags & TCP_SYN) == 0)
        count_ip_id(&flow->half[dir], &flow->detail->side[dir], seg);
    return both_closed(flow) ? CONNECTION_CLOSING : CONNECTION_GOES_ON;
}

void connection_finish(struct tracker *t, struct flow *flow)
{
    if ((flow->marks & FLOW_ENDED) != 0)
        return;
    flow->marks |= FLOW_ENDED;
    if (flow->detail == NULL)
        return;
    for (int dir = 0; dir < 2; dir++) {
        struct side *side = &flow->detail->side[dir];
        struct replay_path path = data_path(flow, (enum direction)dir);
        window_finish(&side->window, flow->last_ns);
        replay_finish(&side->replay, &path);
        observe_new_rounds(flow, (enum direction)dir);
        loss_finish(flow, (enum direction)dir);
        series_limits(side->series, &side->replay, side->replay.now_ns);
        /* among very many flows only those with bulk data keep their longest stretches */
        if ((flow->marks & FLOW_BULK) == 0 && flow_table_count(t->flows) > MANY_FLOWS)
            memset(side->replay.worst, 0, sizeof side->replay.worst);
    }
    flow->summary = summary_make(flow);
    detail_release(t->details, flow);
}
