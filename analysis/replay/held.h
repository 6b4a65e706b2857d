/* Time in which the sender waited for an acknowledgment although the receiver's window had room.
 * What it waited for shows only over round trips:
 *
 * - rwnd: it was at the window's edge after all, as far as the clocks can place it;
 * - link: the bottleneck was busy all the time (analysis/replay/bottleneck.h);
 * - send_buffer: the flight stood at one size for longer than any congestion window would, and
 *   acknowledgments let data go at once;
 * - app: the flight stood, but data came in a rhythm of its own;
 * - slow_start, cwnd: what is left, by the growth of the flight.
 *
 * Rounds wait here until they are decided; at the end of the flow all are. */
#ifndef TCPWHY_ANALYSIS_HELD_H
#define TCPWHY_ANALYSIS_HELD_H

#include "analysis/replay/bottleneck.h"
#include "analysis/result.h"
#include "analysis/replay/rounds.h"

/* Stretches that may wait for a decision; beyond, the oldest is decided as things stand. */
#define HELD_STRETCHES 8u

/* Rounds in a row that look alike. */
struct held_stretch {
    int64_t start_ns, end_ns, held_ns;
    uint64_t first_frame, last_frame;
    enum limit limit;          /* as things stand */
    bool flat, queued;         /* waits for the decision of the flat run; of the queue */
};

/* Rounds in a row with the same largest flight. */
struct flat_run {
    uint64_t low_bytes, high_bytes;
    int64_t start_ns, end_ns;
    uint32_t rounds;           /* of at least the length of the path */
    double growth_segments;    /* by which the slowest standard window would have grown */
    int64_t held_ns, unprompted_ns;
    uint64_t departures, partial, lags;
    int64_t lag_sum_ns, lag_min_ns; /* of data behind an acknowledgment; see struct round */
    enum limit limit;          /* decided: LIMIT_SEND_BUFFER or LIMIT_APP, else LIMIT_UNKNOWN */
};

/* The longest stretch of decided flat flight. */
struct plateau {
    uint64_t low_bytes, high_bytes;
    int64_t start_ns, duration_ns;
};

struct held {
    int64_t open_ns;           /* of the open round, and of those in stretches: not yet in limit_ns */
    int64_t unprompted_ns;     /* of the open round: from the last acknowledgment to the departure */
    struct held_stretch stretch[HELD_STRETCHES];
    uint32_t count;
    struct held_stretch last;  /* of the last round */
    struct flat_run run;
    struct plateau plateau;    /* of a send buffer; duration 0 = none */
    int64_t loss_ns;           /* last resend, NS_UNKNOWN = none */
    struct bottleneck bottleneck;
};

/* Where a decision goes: a part of the time between two moments belonged to a limit. */
struct held_decision {
    enum limit limit;
    int64_t start_ns, end_ns, part_ns;
    uint64_t first_frame, last_frame;
};

void held_init(struct held *held);
/* A round is over: round->held_ns of its time is to be decided.  min_rtt_ns of the path or
 * NS_UNKNOWN.  Returns how many decisions are made, in order; decisions has room for
 * HELD_STRETCHES + 1. */
int held_round(struct held *held, const struct round *round, int64_t min_rtt_ns, uint32_t smss,
               struct held_decision *decisions);
/* No more rounds: decide everything. */
int held_finish(struct held *held, struct held_decision *decisions);

#endif
