/* Round trips of one direction as they went at its sender: what is judged once a round trip (limits
 * that show only over several rounds, the congestion window, queues) reads these rather than
 * packets.
 *
 * A round ends when the sender acts upon the acknowledgment of all that was out when it began: no
 * guess from gaps is needed, and it is exact at any capture point. */
#ifndef TCPWHY_ANALYSIS_ROUNDS_H
#define TCPWHY_ANALYSIS_ROUNDS_H

#include <stdbool.h>

#include "analysis/result.h"

/* Closed rounds that a replay keeps. */
#define ROUNDS_KEPT 4u

struct round {
    int64_t start_ns, end_ns;       /* replay clock */
    uint64_t una_start, una_end;    /* acknowledged at its start and end: delivered in between */
    uint64_t sent_bytes, resent_bytes;
    uint64_t flight_min_bytes, flight_max_bytes; /* at departures of new data, themselves included;
                                                    min BYTES_UNKNOWN when there was none */
    uint64_t room_min_bytes;        /* least room to the window's edge after a departure;
                                       BYTES_UNKNOWN when the edge is not known */
    uint64_t first_frame, last_frame; /* of departures, 0 = none */
    int64_t rtt_min_ns, rtt_max_ns; /* samples of the acknowledgments acted upon; NS_UNKNOWN */
    uint32_t departures, partial;   /* segments of new data; those that ended a message */
    uint32_t acks, stretch_acks;    /* acknowledgments of new data acted upon; those of more than
                                       four segments */
    int64_t held_ns;                /* waiting for acknowledgments with room in the window: slow
                                       start, cwnd, link or send_buffer, decided by held.h */
    enum limit held_limit;          /* what that was, as things stood when it closed */
    int64_t unprompted_ns;          /* of that, from the last acknowledgment to the departure */
    uint32_t lags;                  /* departures after an acknowledgment in held time */
    int64_t lag_sum_ns, lag_min_ns; /* from that acknowledgment to them; min of no use without any */
    int64_t late_max_ns;            /* longest way to the tap beyond the shortest, by timestamps */
    bool window_full;               /* the window's edge was met */
    bool recovery, timeout;         /* a resend; one that ended a silence */
    bool unplaced;                  /* departures seen far from the sender, without timestamps: a
                                       queue in between hides the flight */
    bool slow_start;                /* by growth of the flight */
    int64_t limit_ns[LIMIT_COUNT];  /* time given to each limit while it was open: with held_ns about
                                       its length; some of earlier rounds' held_ns may be in it */
};

/* The samples of an open round's round trip. */
static inline void round_sample_rtt(struct round *round, int64_t rtt_ns)
{
    if (round->rtt_min_ns == NS_UNKNOWN || rtt_ns < round->rtt_min_ns)
        round->rtt_min_ns = rtt_ns;
    if (rtt_ns > round->rtt_max_ns) /* NS_UNKNOWN is below every sample */
        round->rtt_max_ns = rtt_ns;
}

#endif
