/* The departure of a data segment.  Inline: the general path (sender.c) and the steady one
 * (steady.c) share it. */
#ifndef TCPWHY_ANALYSIS_DATA_STEPS_H
#define TCPWHY_ANALYSIS_DATA_STEPS_H

#include "analysis/connection/observe.h"
#include "analysis/replay/series.h"
#include "analysis/connection/tracker.h"

/* Below this legs and queues are too short for a millisecond clock to place departures. */
#define CLOCK_USEFUL_TICKS 8
/* Where the near leg is at most this long, the sender's clock is not followed (count_steps.h) and
 * its queue is nothing. */
#define LEG_WITHOUT_QUEUE_NS 1000000

/* What is known of the path of a direction. */
static inline __attribute__((always_inline)) struct replay_path
data_path(const struct flow *flow, enum direction dir)
{
    const struct side *side = &flow->detail->side[dir];
    int64_t tick_ns = side->clock.tick_ns, leg_ns = flow->half[dir].leg_ns;
    /* whether departures are placed by the sender's timestamps rather than by the tap */
    bool by_clock = tick_ns > 0 && leg_ns != NS_UNKNOWN && leg_ns > CLOCK_USEFUL_TICKS * tick_ns;

    return (struct replay_path){
        .near_ns = flow_near_ns(flow, dir),
        .min_rtt_ns = flow_min_rtt_ns(flow),
        .tick_ns = by_clock ? tick_ns : 0,
        .rto_ns = side->rto_ns,
        .unplaced = leg_ns == NS_UNKNOWN && !flow_sender_is_here(&flow->half[dir]),
    };
}

/* Enter new data above all seen so far into the log of what is outstanding. */
static inline __attribute__((always_inline)) struct sent *
data_push(struct side *side, const struct segment *seg, uint64_t left, uint64_t right)
{
    struct sent *entry = sent_log_push(&side->sent, left, right);

    entry->time_ns = seg->time_ns;
    entry->ts_val = entry->first_ts_val = seg->opt.ts_val;
    entry->ip_id = seg->ip_id;
    return entry;
}

/* A sample of the near leg: how much of it acknowledgments waited in a queue. */
static inline void data_near_sample(struct flow *flow, enum direction dir, const struct segment *seg,
                                    int64_t sample_ns)
{
    struct side *side = &flow->detail->side[dir];
    int64_t near_ns = flow->half[dir].leg_ns;

    flow_leg_sample(flow, dir, sample_ns);
    if (side->pattern == NULL || near_ns == NS_UNKNOWN)
        return;
    if (near_ns <= LEG_WITHOUT_QUEUE_NS) {
        pattern_take_near(side->pattern, 0);
    } else if (side->clock.tick_ns > 0 && ts_clock_base_ns(&side->clock) != INT64_MAX) {
        int64_t data_ns = seg->time_ns -
                          ts_clock_departure_ns(&side->clock, seg->opt.ts_val, seg->time_ns) +
                          pattern_standing_ns(side->pattern, ts_clock_base_ns(&side->clock),
                                              side->clock.tick_ns);
        pattern_take_near(side->pattern, sample_ns - near_ns - data_ns);
    }
}

/* Longer than any queue between tap and sender delays what an acknowledgment lets go, with two
 * time-outs besides. */
#define ECHO_LATE_NS ((int64_t)1000000000)
#define ECHOES_LATE_MOST 8

/* New data whose TSecr is older than acknowledgments that its sender must have seen.  RFC 1323
 * section 3.4, read to the letter, takes TS.Recent from segments with data only (mended by RFC 7323
 * section 4.3), so that a sender of bulk data echoes the handshake for ever.  Data beyond the
 * window that the echoed acknowledgment allows proves it; else time does. */
static inline __attribute__((always_inline)) bool
data_echo_sticks(struct side *side, const struct segment *seg, uint64_t right,
                                    int64_t rto_ns)
{
    const struct replay *r = &side->replay;

    if (r->count == 0)
        return false;
    const struct ack_event *oldest = replay_event_at(r, 0);
    int64_t late_ns = seg->time_ns - oldest->time_ns - ECHO_LATE_NS;
    if (!oldest->has_ts || !serial_after(oldest->ts_val, seg->opt.ts_ecr)) {
        side->echoes_late = 0;
        return false;
    }
    if (side->window.settled && r->edge != 0 && right > r->edge)
        return true;
    if (late_ns / 2 > (rto_ns != NS_UNKNOWN ? rto_ns : ECHO_LATE_NS))
        side->echoes_late++;
    return side->echoes_late >= ECHOES_LATE_MOST;
}

/* When a segment left, on the replay's clock.  The legs may be too short for the sender's clock
 * (path->tick_ns is 0): a queue that is long enough makes it useful all the same. */
static inline __attribute__((always_inline)) int64_t
data_sent_ns(const struct flow *flow, enum direction dir, const struct segment *seg,
             struct replay_path *path)
{
    const struct ts_clock *clock = &flow->detail->side[dir].clock;

    if (path->tick_ns == 0 &&
        (clock->tick_ns == 0 || flow->half[dir].leg_ns <= LEG_WITHOUT_QUEUE_NS))
        return seg->time_ns;
    int64_t sent_ns = ts_clock_departure_ns(clock, seg->opt.ts_val, seg->time_ns);
    if (path->tick_ns == 0) {
        if (seg->time_ns - sent_ns <= CLOCK_USEFUL_TICKS * clock->tick_ns)
            return seg->time_ns;
        path->tick_ns = clock->tick_ns;
    }
    return sent_ns;
}

/* Let data depart in a replay that has started.  Returns the near leg that it met. */
static inline __attribute__((always_inline)) int64_t
data_depart(struct flow *flow, const enum direction dir, const struct segment *seg, uint64_t left,
            uint64_t right, enum departure_kind kind)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    struct replay_path path = data_path(flow, dir);
    bool echo = (seg->opt.present & TCP_OPT_TIMESTAMPS) != 0 && (seg->flags & TCP_ACK) != 0 &&
                !side->echo_stuck;

    if (echo && kind == DEPARTURE_NEW && data_echo_sticks(side, seg, right, path.rto_ns)) {
        side->echo_stuck = true;
        echo = false;
    }
    struct departure d = {
        .tap_ns = seg->time_ns,
        .sent_ns = data_sent_ns(flow, dir, seg, &path),
        .left = left,
        .right = right,
        .frame = seg->frame,
        .smss = half->smss,
        .full = seg->payload_bytes >= half->mss_allowed,
        .ts_ecr = seg->opt.ts_ecr,
        .has_echo = echo,
        .reduced = (seg->flags & TCP_CWR) != 0,
        .kind = kind,
    };

    if (echo && seg->opt.ts_ecr != side->last_echo && kind == DEPARTURE_NEW) {
        side->last_echo = seg->opt.ts_ecr;
        int64_t sample = replay_near_sample_ns(&side->replay, seg->opt.ts_ecr, seg->time_ns);
        if (sample != NS_UNKNOWN)
            data_near_sample(flow, dir, seg, sample);
    }
    struct pattern *pattern = side->pattern;
    uint64_t flight = replay_departure(&side->replay, &d, &path);
    if (pattern != NULL && pattern_looks_at(pattern, seg->payload_bytes, half->smss, flight))
        pattern_take_departure(pattern, &side->replay,
                               &(struct pattern_departure){
                                   &d, &path, flow->half[direction_other(dir)].last_data_ns, flight,
                                   half->mss_allowed});
    if (side->rounds_observed != side->replay.rounds)
        path_take_ttl(&side->path, seg->ttl);
    observe_new_rounds(flow, dir);
    if (kind == DEPARTURE_NEW && (half->marks & (HALF_SYN | HALF_WINDOW)) == HALF_WINDOW)
        window_flight_seen(&side->window, half, flight);
    if (side->series != NULL)
        series_departure(side->series, seg->time_ns, &side->replay, right - left, flight);
    if (side->series != NULL || side->replay.decision_count > 0)
        series_limits(side->series, &side->replay, seg->time_ns);
    return path.near_ns + (d.tap_ns - d.sent_ns);
}

#endif
