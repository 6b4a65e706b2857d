/* Collects pattern_facts.h of one direction.
 *
 * A full-size segment in a steady flow costs a few comparisons; the rest is done where a segment is
 * below smss, where nothing was out, and once a round trip. */
#ifndef TCPWHY_ANALYSIS_PATTERN_H
#define TCPWHY_ANALYSIS_PATTERN_H

#include "analysis/segment/quantiles.h"
#include "analysis/replay/replay.h"
#include "analysis/segment/ts_clock.h"

/* Sizes that are counted one by one: what makes up more than a ninth of all is among them (Misra
 * and Gries, Finding repeated elements, 1982). */
#define PATTERN_SIZES 8u
/* Cells of mss_allowed for the median payload. */
#define PATTERN_CELLS 16u
/* Messages that are multiples of 2^10 .. 2^20: what programs write and read at once. */
#define PATTERN_POWER_FIRST 10u
#define PATTERN_POWERS 11u

struct pattern_size {
    uint32_t bytes, count; /* count 0 = free */
};

struct pattern_sizes {
    struct pattern_size entry[PATTERN_SIZES];
};

/* Mean and spread of a series of values, one at a time (Welford 1962). */
struct pattern_spread {
    double mean, square_sum;
};

struct pattern {
    bool after_partial;        /* the last departure was below smss, and new */
    bool ack_wanted;           /* the next acknowledgment is looked at */
    uint64_t message_left;     /* where the message being sent began */
    uint64_t message_frame;    /* of its first segment below or at it; 0 = not known */
    uint64_t burst_left;       /* where the burst being sent began */
    uint32_t bursts[32];       /* by the power of two at or above their size */
    uint64_t burst_count;

    uint64_t partial_segments, partial_bytes, small_segments;
    uint64_t cell_count[PATTERN_CELLS], cell_bytes[PATTERN_CELLS];
    struct pattern_sizes partials, messages;
    uint64_t message_count, message_bytes;
    uint64_t power_bytes[PATTERN_POWERS]; /* of messages, by the largest power that divides them */
    uint64_t from_frame, to_frame;        /* of the last message of a repeated size */

    struct quantiles gaps;     /* lock-step gaps */
    int64_t gaps_ns, held_ns;
    uint64_t held[ACK_TIMERS], after_partials, before_partials;
    int64_t worst_ns, worst_start_ns;
    uint64_t worst_from_frame, worst_to_frame;

    uint64_t acks, stretch;
    struct quantiles covered;  /* bytes an ACK, as that many microseconds */
    struct quantiles ack_queue;
    int64_t far_queue_ns, near_queue_ns; /* of this round, receiver to tap and tap to sender;
                                            NS_UNKNOWN */
    int64_t least_base_ns, base_tick_ns; /* ts_clock_base_ns() of the sender, and for which tick */
    int64_t data_rtt_min_ns;   /* NS_UNKNOWN */

    int64_t round_ns, round_app_ns; /* of the round trips since the last sample */
    uint64_t round_acks, round_covered_bytes;
    int64_t slice_ns;          /* of the open slice so far */
    uint64_t slice_bytes, slice_segments, slices;
    struct pattern_spread bytes_rate, segment_rate, segment_size;
};

/* A collector for a direction that has sent all below left.  Released with pattern_free. */
struct pattern *pattern_new(uint64_t left);
void pattern_free(struct pattern *p);

/* Whether a departure is looked at: it or the one before it was below smss, or nothing else is out.
 * What a frame of the capture holds above smss became segments of smss and a rest. */
static inline __attribute__((always_inline)) bool
pattern_looks_at(const struct pattern *p, uint32_t bytes, uint32_t smss, uint64_t flight)
{
    return p->after_partial || flight <= bytes ||
           (bytes != smss && (bytes < smss || (smss > 0 && bytes % smss != 0)));
}

/* A departure and what stands around it. */
struct pattern_departure {
    const struct departure *d;
    const struct replay_path *path;
    int64_t peer_data_ns; /* the peer's last data passed the tap; 0 = none */
    uint64_t flight;      /* itself included */
    uint32_t mss_allowed;
};

/* Take a departure that pattern_looks_at() picked, once the replay has it. */
void pattern_take_departure(struct pattern *p, const struct replay *r,
                            const struct pattern_departure *now);

/* An acknowledgment of the receiver passes the tap, in a round that has not looked at one. */
void pattern_take_ack(struct pattern *p, const struct ts_clock *clock, uint32_t ts_val,
                      int64_t time_ns);

/* The same of a receiver beside the tap: no queue. */
static inline void pattern_skip_ack(struct pattern *p)
{
    p->ack_wanted = false;
    p->far_queue_ns = 0;
}

/* The queue that data has met for so long that the sender's clock takes it for the way: what the
 * base is above the least one. */
static inline int64_t pattern_standing_ns(struct pattern *p, int64_t base_ns, int64_t tick_ns)
{
    if (tick_ns != p->base_tick_ns || base_ns < p->least_base_ns) {
        p->base_tick_ns = tick_ns;
        p->least_base_ns = base_ns;
    }
    return base_ns - p->least_base_ns;
}

/* A sample of the way from the tap to the sender and back, less the queue that the data met. */
static inline void pattern_take_near(struct pattern *p, int64_t queue_ns)
{
    if (p->near_queue_ns == NS_UNKNOWN || queue_ns < p->near_queue_ns)
        p->near_queue_ns = queue_ns;
}

/* A round trip is over. */
void pattern_take_round(struct pattern *p, const struct round *round);

/* What the first bytes of a direction are. */
enum first_bytes pattern_first_bytes(const uint8_t *payload, uint32_t length);

/* What a collector knows of a direction besides. */
struct pattern_of {
    uint64_t full_segments;
    uint32_t smss, mss_allowed;
    int64_t tick_ns; /* of the receiver's timestamp clock, 0 = not known */
};

/* Put the facts together; those of the first packets are the caller's. */
void pattern_fill(const struct pattern *p, const struct pattern_of *of, struct pattern_facts *out);
/* The facts of a direction that was not followed. */
void pattern_unknown(struct pattern_facts *out);

#endif
