/* What every segment of a followed flow adds to the counts of its sender's host.  Inline: the
 * general path (connection.c) and the steady one (steady.c) share them. */
#ifndef TCPWHY_ANALYSIS_COUNT_STEPS_H
#define TCPWHY_ANALYSIS_COUNT_STEPS_H

#include "analysis/connection/tracker.h"

/* The least silence that may hide a loss: a time-out of 200 ms seen through the tap. */
#define SILENCE_NS ((int64_t)150000000)

/* Take the timestamp of a segment.  Once the tick is known, only far senders need their departures
 * placed. */
static inline void count_timestamp(const struct half *half, struct side *side,
                                   const struct segment *seg)
{
    if ((seg->opt.present & TCP_OPT_TIMESTAMPS) != 0 &&
        (!side->clock.settled || half->leg_ns > 1000000))
        ts_clock_add(&side->clock, seg->opt.ts_val, seg->time_ns);
}

/* Take the IP ID of a segment that is neither SYN nor RST. */
static inline void count_ip_id(const struct half *half, struct side *side,
                               const struct segment *seg)
{
    uint32_t parts = 1;

    if (seg->ip_version != 4)
        return;
    if (half->smss > 0 && seg->payload_bytes > half->smss)
        parts = (seg->payload_bytes + half->smss - 1) / half->smss;
    if (!ip_ids_add_next(&side->ids, seg->ip_id, parts)) {
        bool explained = side->holes.count > 0 || side->rexmit.recover != 0 ||
                         seg->time_ns - side->last_packet_ns >= SILENCE_NS;
        ip_ids_add(&side->ids, seg->ip_id, parts, explained);
    }
    side->last_packet_ns = seg->time_ns;
}

/* Count a data segment of the usual size or below. */
static inline void count_data(struct half *half, const struct segment *seg)
{
    half->data_segments++;
    half->full_segments += seg->payload_bytes >= half->smss;
    half->last_data_ns = seg->time_ns;
}

/* More data than an initial window lets go at once (RFC 6928). */
#define INITIAL_WINDOW_SEGMENTS 10

/* Does a flow carry bulk data: a run of full-size segments, or a long one, in one direction, and
 * more than an initial window. */
static inline __attribute__((always_inline)) void
count_run(struct flow *flow, enum direction dir, const struct segment *seg)
{
    struct detail *detail = flow->detail;
    struct side_counts *counts = &detail->side[dir].counts;

    counts->pushes += (seg->flags & TCP_PSH) != 0;
    counts->urgent += (seg->flags & TCP_URG) != 0;
    detail->side[dir].last_data_frame = seg->frame;
    if (detail->run_dir != (uint8_t)dir) {
        detail->run_dir = (uint8_t)dir;
        detail->run_segments = 0;
        detail->run_full = 0;
    }
    if (detail->run_segments < UINT16_MAX)
        detail->run_segments++;
    bool full = seg->payload_bytes >= flow->half[dir].smss && seg->payload_bytes >= 512;
    if (full && detail->run_full < UINT8_MAX)
        detail->run_full++;
    else if (!full)
        detail->run_full = 0;
    if ((detail->run_full >= 3 || detail->run_segments > 4) &&
        flow->half[dir].data_segments > INITIAL_WINDOW_SEGMENTS)
        flow->marks |= FLOW_BULK;
}

/* The same of a flow without detail: runs are not followed there. */
static inline void count_light_bulk(struct flow *flow, const struct half *half)
{
    if (half->full_segments > INITIAL_WINDOW_SEGMENTS && half->smss >= 512)
        flow->marks |= FLOW_BULK;
}

#endif
