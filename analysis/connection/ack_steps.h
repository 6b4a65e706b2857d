/* What an acknowledgment does to the direction of data that it answers.  Inline: the general path
 * (acks.c) and the steady one (steady.c) share them. */
#ifndef TCPWHY_ANALYSIS_ACK_STEPS_H
#define TCPWHY_ANALYSIS_ACK_STEPS_H

#include "analysis/connection/data_steps.h"

/* Smoothed round trip of RFC 6298 section 2. */
static inline void ack_smooth(struct side *side, int64_t sample_ns)
{
    if (side->srtt_ns == NS_UNKNOWN) {
        side->srtt_ns = sample_ns;
        side->rttvar_ns = sample_ns / 2;
    } else {
        int64_t error = side->srtt_ns - sample_ns;
        side->rttvar_ns += ((error < 0 ? -error : error) - side->rttvar_ns) / 4;
        side->srtt_ns += (sample_ns - side->srtt_ns) / 8;
    }
    side->rto_ns = rexmit_rto_of(side->srtt_ns, side->rttvar_ns);
}

/* A leg shorter than this is that of a host beside the tap, whatever its clocks make of it. */
#define NEAR_COUNTS_NS 1000000

/* The leg to the sender has been measured after all: a bridged path counts no TTL down. */
static void ack_forget_samples(struct side *side)
{
    quantiles_free(&side->rtt);
    side->rtt = (struct quantiles){0};
    side->srtt_ns = side->rttvar_ns = side->rto_ns = NS_UNKNOWN;
    side->leg_assumed = false;
}

/* One sample an acknowledgment, from the newest byte that it covers, unless that was sent twice
 * (Karn).  The far leg is seen; the near leg is the one that the segment met when it was sent. */
static inline void ack_sample_rtt(struct flow *flow, enum direction dir, const struct segment *seg,
                                  const struct sent *newest)
{
    struct side *side = &flow->detail->side[dir];
    const struct half *half = &flow->half[dir];
    int64_t far_ns = seg->time_ns - newest->time_ns;

    if (far_ns < 0 || (newest->marks & (SENT_RESENT | SENT_FILLED | SENT_SACKED)) != 0)
        return;
    if (newest->right - newest->left > side->passed_most_bytes)
        side->passed_most_bytes = (uint32_t)(newest->right - newest->left);
    flow_leg_sample(flow, direction_other(dir), far_ns);
    if (half->leg_ns == NS_UNKNOWN) {
        if (!flow_sender_is_here(half))
            return; /* how far the sender is from the tap is not known */
        side->leg_assumed = true;
    } else if (side->leg_assumed) {
        ack_forget_samples(side); /* of a way that was not the whole one */
    }
    if (half->leg_ns > NEAR_COUNTS_NS && (int64_t)newest->near_us * 1000 < half->leg_ns / 2)
        return; /* it passed before its way from the sender was known */
    int64_t rtt_ns = far_ns + (int64_t)newest->near_us * 1000;
    quantiles_add(&side->rtt, rtt_ns);
    ack_smooth(side, rtt_ns);
    if (!side->path.start_over)
        path_take_start(&side->path, rtt_ns);
    side->ack_rtt_us = rtt_ns < UINT32_MAX * (int64_t)1000 ? (uint32_t)(rtt_ns / 1000) : UINT32_MAX;
    if (side->series != NULL)
        series_rtt(side->series, seg->time_ns, rtt_ns);
}

/* The episode and the counts of duplicates that an acknowledgment of new data ends. */
static inline void ack_end_episode(struct side *side, const struct segment *seg, uint64_t ack)
{
    struct rexmit *rx = &side->rexmit;

    rx->dup_acks = 0;
    if (rx->sacked_bytes != 0 && ack >= rx->high_sacked) {
        rx->sacked_bytes = 0;
        loss_note_healed(side);
    }
    if (rx->recover != 0 && ack >= rx->recover) {
        rx->recover = 0;
        rx->timeout_episode = false;
    }
    if (rx->recover == 0 && rx->sacked_bytes == 0)
        rx->trigger_ns = NS_UNKNOWN;
    rx->last_ack_ns = seg->time_ns;
}

/* How long an acknowledgment stood in queues between receiver and tap, once a round trip. */
static inline void ack_sample_queue(struct flow *flow, enum direction dir,
                                    const struct segment *seg)
{
    const enum direction from = direction_other(dir);
    const struct side *receiver = &flow->detail->side[from];
    struct pattern *pattern = flow->detail->side[dir].pattern;

    if (flow->half[from].leg_ns == NS_UNKNOWN)
        return;
    if (flow->half[from].leg_ns <= LEG_WITHOUT_QUEUE_NS)
        pattern_skip_ack(pattern);
    else if (receiver->clock.tick_ns > 0)
        pattern_take_ack(pattern, &receiver->clock, seg->opt.ts_val, seg->time_ns);
}

/* An acknowledgment has moved up to ack: what was reported above it in SACK blocks joins what was
 * acknowledged below, unless the receiver has thrown it away (RFC 2018 section 8). */
static inline void ack_check_renege(struct side *side, const struct segment *seg, uint64_t ack)
{
    if (side->rexmit.sacked_bytes > 0 && side->sent.count > 0 &&
        (sent_log_at(&side->sent, 0)->marks & SENT_SACKED) != 0 &&
        sent_log_at(&side->sent, 0)->left == ack)
        moves_renege(&side->moves, ack, seg->frame);
}

/* Bytes above the acknowledgment that the receiver has: SACKed, or a segment for each duplicate
 * acknowledgment where it cannot say (RFC 5681 section 3.2). */
static inline uint64_t ack_bytes_reported(const struct flow *flow, enum direction dir)
{
    const struct rexmit *rx = &flow->detail->side[dir].rexmit;

    if (rx->dup_acks == 0 || (flow->half[C2S].marks & flow->half[S2C].marks & HALF_SACK) != 0)
        return rx->sacked_bytes;
    return (uint64_t)rx->dup_acks * flow->half[dir].smss;
}

/* Enter an acknowledgment into the replay; tells: it brings news to the sender. */
static inline void ack_enter(struct flow *flow, enum direction dir, const struct segment *seg,
                             const struct ack_event *event, bool tells)
{
    struct side *side = &flow->detail->side[dir];

    *replay_next_event(&side->replay, flow_near_ns(flow, dir), tells) = *event;
    if (side->pattern != NULL && side->pattern->ack_wanted && event->has_ts)
        ack_sample_queue(flow, dir, seg);
}

/* Send an acknowledgment on its way to the sender in the replay. */
static inline __attribute__((always_inline)) void
ack_tell_replay(struct flow *flow, enum direction dir, const struct segment *seg, uint64_t ack,
                uint64_t edge, bool news, bool duplicate)
{
    struct side *side = &flow->detail->side[dir];
    struct rexmit *rx = &side->rexmit;

    const uint32_t rtt_us = side->ack_rtt_us;

    side->ack_rtt_us = 0;
    if (!side->replay.started || (!news && !duplicate && seg->payload_bytes == 0))
        return;
    ack_enter(flow, dir, seg,
              &(struct ack_event){
                  .time_ns = seg->time_ns,
                  .ack = ack,
                  .edge = edge,
                  .ts_val = seg->opt.ts_val,
                  .rtt_us = rtt_us,
                  .has_ts = (seg->opt.present & TCP_OPT_TIMESTAMPS) != 0,
                  .sacked = ack_bytes_reported(flow, dir),
                  .zero_window = seg->wnd == 0,
                  .carries_data = seg->payload_bytes > 0,
                  .undoes = rx->undo_due,
                  .duplicate = duplicate,
              },
              news || duplicate || rtt_us != 0 || rx->undo_due);
    rx->undo_due = false;
}

/* The acknowledged edge of a direction moves up. */
static inline void ack_advance_edge(struct half *half, const struct segment *seg, uint64_t ack)
{
    half->snd_una = ack;
    half->marks |= HALF_ACKED;
    if ((half->marks & HALF_FIRST_ACK) != 0) {
        half->last_ack_ns = seg->time_ns;
        return;
    }
    if ((half->marks & HALF_BASE) == 0 || half->data_segments == 0 || ack <= half->first_offset)
        return;
    half->last_ack_ns = seg->time_ns;
    half->marks |= HALF_FIRST_ACK;
    half->initial_window_bytes = (uint32_t)(half->snd_nxt - half->first_offset);
}

#endif
