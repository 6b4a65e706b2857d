#include "analysis/connection/acks.h"

#include "analysis/connection/ack_steps.h"
#include "analysis/flow/seq.h"

/* An acknowledgment further from everything seen than any window (RFC 7323: 2^30) is not ours. */
#define PLAUSIBLE_BYTES ((uint64_t)1 << 30)

/* Retransmissions taken for the repair of a loss turn out not to have been needed. */
static void count_unneeded(struct side *side, uint32_t segments)
{
    struct side_counts *counts = &side->counts;
    struct rexmit *rx = &side->rexmit;

    counts->spurious += segments;
    counts->lost_downstream -= segments < counts->lost_downstream ? segments : counts->lost_downstream;
    rx->event_losses -= segments < rx->event_losses ? segments : rx->event_losses;
    rx->undo_due |= segments > 0 && rx->event_losses == 0;
    loss_note_unneeded(side, segments);
    if (segments > 0 && rx->timeout_episode) { /* a spurious time-out: its episode ends (RFC 5682) */
        rx->recover = 0;
        rx->timeout_episode = false;
    }
}

/* SACKed bytes that an acknowledgment covers are no longer above it. */
static void forget_sacked(struct side *side, uint64_t ack)
{
    for (uint32_t i = 0; i < side->sent.count; i++) {
        const struct sent *entry = sent_log_at(&side->sent, i);
        if (entry->right > ack)
            break;
        uint64_t bytes = (entry->marks & SENT_SACKED) != 0 ? entry->right - entry->left : 0;
        side->rexmit.sacked_bytes -= bytes < side->rexmit.sacked_bytes ? bytes : side->rexmit.sacked_bytes;
    }
}

static void advance(struct flow *flow, enum direction dir, const struct segment *seg, uint64_t ack)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    struct sent newest;
    bool resent;

    if (side->rexmit.sacked_bytes > 0)
        forget_sacked(side, ack);
    if (sent_log_acknowledge(&side->sent, ack, &newest, &resent))
        ack_sample_rtt(flow, dir, seg, &newest);
    if ((seg->opt.present & TCP_OPT_TIMESTAMPS) != 0 && side->rexmit.undecided > 0) {
        count_unneeded(side, rexmit_eifel(&side->rexmit, half->snd_una, ack, seg->opt.ts_ecr));
    }
    ack_end_episode(side, seg, ack);
    ack_check_renege(side, seg, ack);
}

/* D-SACK (RFC 2883 section 4): the first block lies below the acknowledgment or within the second. */
static bool is_dsack(const struct segment *seg)
{
    const struct sack_block *block = seg->opt.sack;

    if (!serial_after(block[0].right, seg->ack))
        return true;
    return seg->opt.sack_count > 1 && !serial_after(block[1].left, block[0].left) &&
           !serial_after(block[0].right, block[1].right);
}

static void take_dsack(struct side *side, const struct half *half, uint64_t left, uint64_t right)
{
    uint32_t unneeded;

    side->counts.dsack_acks++;
    if (half->packets == 0 || right > half->snd_nxt || left < half->first_offset ||
        (right - left <= 1 && side->counts.keep_alives + side->counts.window_probes > 0))
        return; /* of data that was not captured, or of a probe's byte */
    if (rexmit_dsack(&side->rexmit, left, right, &unneeded)) {
        count_unneeded(side, unneeded);
        return;
    }
    /* nothing was resent: the network delivered it twice; if the tap saw both, they were taken for
     * a mirror's copies */
    if (side->duplicates_to_report > 0) {
        side->duplicates_to_report--;
        return;
    }
    side->counts.network_duplicates++;
    if (side->counts.duplicate_frames > 0)
        side->counts.duplicate_frames--;
}

/* Mark a block; the part that the last acknowledgments reported already is passed over. */
static uint64_t mark_block(struct side *side, uint8_t i, uint64_t left, uint64_t right)
{
    struct sack_range *blocks = side->rexmit.blocks;
    uint64_t from = left;

    for (int known = 0; known < 4; known++)
        if (left >= blocks[known].left && left <= blocks[known].right && right >= blocks[known].right &&
            blocks[known].right > from)
            from = blocks[known].right;
    blocks[i & 3] = (struct sack_range){left, right};
    return from < right ? sent_log_sack(&side->sent, from, right) : 0;
}

/* The segment that ends at right is reported for the first time: a round trip as good as that of a
 * segment that is acknowledged, and there is no other while a hole stands. */
static void sample_sacked(struct flow *flow, enum direction dir, const struct segment *seg,
                          uint64_t right)
{
    const struct sent *entry = sent_log_find(&flow->detail->side[dir].sent, right - 1, right);

    if (entry == NULL || entry->right != right || entry->marks != SENT_SACKED)
        return;
    struct sent reported = *entry;
    reported.marks = 0;
    ack_sample_rtt(flow, dir, seg, &reported);
}

static void take_sack(struct flow *flow, enum direction dir, const struct segment *seg,
                      uint64_t ack)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    struct rexmit *rx = &side->rexmit;
    uint8_t first = 0;

    if (seg->opt.sack_count == 0)
        return;
    if (is_dsack(seg)) {
        take_dsack(side, half, seq_unwrap(seg->opt.sack[0].left, ack),
                   seq_unwrap(seg->opt.sack[0].right, ack));
        first = 1;
    }
    side->counts.sack_acks += seg->opt.sack_count > first;
    for (uint8_t i = first; i < seg->opt.sack_count; i++) {
        uint64_t left = seq_unwrap(seg->opt.sack[i].left, ack);
        uint64_t right = seq_unwrap(seg->opt.sack[i].right, ack);
        if (left >= right || right - left > PLAUSIBLE_BYTES)
            continue;
        uint64_t marked = mark_block(side, i, left, right);
        rx->sacked_bytes += marked;
        if (marked > 0 && i == first) /* the block of the latest arrival (RFC 2018 section 4) */
            sample_sacked(flow, dir, seg, right);
        if (right > rx->high_sacked)
            rx->high_sacked = right;
        rx->last_ack_ns = seg->time_ns;
    }
    /* RFC 6675 section 2, IsLost: more than two segments SACKed above */
    if (rx->sacked_bytes > 2 * (uint64_t)half->smss)
        rexmit_triggered(rx, half->snd_una, seg->time_ns);
}

/* A duplicate acknowledgment of RFC 5681 section 2: no data, no new acknowledgment, no window
 * change, while data is outstanding; with SACK, new blocks make it one whatever the window. */
static void take_duplicate(struct side *side, const struct half *half, const struct segment *seg,
                           bool window_same)
{
    struct rexmit *rx = &side->rexmit;

    if (half->snd_nxt <= half->snd_una || (!window_same && seg->opt.sack_count == 0))
        return;
    side->counts.dup_acks++;
    if (++rx->dup_acks >= 3)
        rexmit_triggered(rx, half->snd_una, seg->time_ns);
}

static bool plausible(const struct half *half, uint64_t ack)
{
    uint64_t low = half->snd_una, high = half->snd_nxt;

    if ((half->marks & HALF_ACKED) == 0)
        low = (half->marks & HALF_BASE) != 0 ? half->first_offset : ack;
    if ((half->marks & HALF_BASE) == 0)
        high = low;
    return ack + PLAUSIBLE_BYTES > low && ack < high + PLAUSIBLE_BYTES;
}

static uint64_t unwrap_ack(const struct half *half, uint32_t ack)
{
    if ((half->marks & HALF_BASE) != 0)
        return seq_unwrap(ack, half->snd_nxt);
    if ((half->marks & HALF_ACKED) != 0)
        return seq_unwrap(ack, half->snd_una);
    return seq_first_offset(ack);
}

void acks_window_moves(struct flow *flow, enum direction dir, const struct segment *seg,
                       uint64_t ack, uint64_t edge)
{
    const struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    const struct moves_ack moved = {
        .ack = ack,
        .edge = edge,
        .snd_nxt = half->snd_nxt,
        .min_rtt_ns = flow_min_rtt_ns(flow),
        .smss = half->smss,
        .scale = side->window.fixed_scale,
    };

    moves_follow(&side->moves, &side->window, &side->replay, seg, &moved);
}

/* The window of an acknowledgment; returns its right edge, 0 = unknown. */
static uint64_t take_window(struct flow *flow, enum direction dir, const struct segment *seg,
                            uint64_t ack)
{
    struct side *side = &flow->detail->side[dir];
    uint64_t edge = window_update(&side->window, &flow->half[dir],
                                  &flow->half[direction_other(dir)], seg, ack);

    if (side->moves.initial_field == 0) /* a window that is shut tells nothing of its size */
        side->moves.initial_field = seg->wnd;
    if (edge != 0 && moves_has_news(&side->moves, &side->window, seg->wnd, edge))
        acks_window_moves(flow, dir, seg, ack, edge);
    if (edge == 0 && seg->wnd == 0 && side->window.last_ack == ack)
        return ack; /* a closed window is closed whatever its scale */
    return edge;
}

void acks_take(struct tracker *t, struct flow *flow, enum direction dir, const struct segment *seg)
{
    struct half *half = &flow->half[dir];
    struct side *side = flow->detail == NULL ? NULL : &flow->detail->side[dir];
    uint64_t ack = unwrap_ack(half, seg->ack), edge = 0;
    bool syn = (seg->flags & TCP_SYN) != 0;
    bool pure = segment_length(seg) == 0;

    if (!plausible(half, ack)) {
        flow->half[direction_other(dir)].implausible_segments++;
        return;
    }
    if (side != NULL && side->probe_offset != 0 && ack > half->snd_nxt &&
        side->probe_offset == half->snd_nxt) {
        half->snd_nxt++; /* the byte of a window probe was taken after all */
        side->probe_offset = 0;
    }
    bool first = (half->marks & HALF_ACKED) == 0;
    bool advanced = first || ack > half->snd_una;
    bool window_same = (half->marks & HALF_WINDOW) != 0 && seg->wnd == half->rwnd_last;
    bool was_closed = (half->marks & HALF_WINDOW) != 0 && half->rwnd_last == 0;
    if (pure)
        half->acks++;
    if (syn)
        half->rwnd_syn = seg->wnd;
    else if (side != NULL)
        edge = take_window(flow, dir, seg, ack);
    else
        window_count(half, seg);
    if (side != NULL) {
        uint64_t reported = ack_bytes_reported(flow, dir);
        uint32_t zero = side->window.zero_episodes > 0 && seg->wnd == 0 && !window_same;
        if (zero != 0 && !syn)
            tracker_event(t, EVENT_ZERO_WINDOW, flow, dir, seg, 0);
        take_sack(flow, dir, seg, ack);
        if (advanced)
            advance(flow, dir, seg, ack);
        else if (pure && ack == half->snd_una)
            take_duplicate(side, half, seg, window_same);
        bool news = advanced || ((edge != 0 || was_closed) && !window_same) || side->rexmit.undo_due ||
                    ack_bytes_reported(flow, dir) != reported;
        bool duplicate = !advanced && pure && ack == half->snd_una && side->rexmit.dup_acks > 0;
        ack_tell_replay(flow, dir, seg, ack, edge, news, duplicate);
    }
    if (advanced)
        ack_advance_edge(half, seg, ack);
}
