/* What the losses of one direction looked like: plain values, the same at any capture point as far
 * as the packets allow.
 *
 * A loss event is an episode: all the losses of data that was out when its first resend left (RFC
 * 6582, RFC 6675).  A count is 0 when there was nothing to count; BYTES_UNKNOWN and NS_UNKNOWN
 * stand where a figure is not known. */
#ifndef TCPWHY_ANALYSIS_LOSS_FACTS_H
#define TCPWHY_ANALYSIS_LOSS_FACTS_H

#include <stdint.h>

/* What set a resend off, and so what it cost. */
enum loss_kind {
    LOSS_REPAIRED, /* fast retransmission or tail probe: the window is cut by its factor */
    LOSS_TIMEOUT,  /* a retransmission time-out: the window begins again at one segment */
    LOSS_SPURIOUS, /* no resend of the episode was needed */
    LOSS_KINDS
};

/* The time that events of a kind cost, of the limits of this direction. */
struct loss_cost {
    uint64_t events;
    int64_t repair_ns;   /* given to recovery and rto */
    int64_t regrowth_ns; /* given to slow_start and cwnd until the flight was as large again as the
                            largest before; where flights are not exact, all after the event */
};

/* One event. */
struct loss_span {
    int64_t time_ns;     /* of its first resend at the tap; NS_UNKNOWN = no event */
    int64_t repair_ns;
    uint64_t frame;      /* of its first resend */
    uint64_t segments;   /* lost */
};

struct loss_facts {
    /* Events with a needed resend, by the round trip just before them: grown as a full queue makes
     * it grow, or that of a path without one.  Where it is not known they are in neither. */
    uint64_t events, with_queue, without_queue;
    int64_t with_queue_ns, without_queue_ns; /* what these cost, repair and regrowth */
    uint64_t in_slow_start;  /* while the flight was doubling: the overshoot that ends slow start */
    uint64_t segments;       /* lost: resends that were needed */
    uint64_t single;         /* events of one lost segment */
    uint64_t burst_most_segments;
    uint64_t while_peer_sent; /* events within a round trip of data of the other direction */
    int64_t rtt_before_mean_ns, rtt_before_least_ns, rtt_before_most_ns; /* NS_UNKNOWN */
    uint64_t flight_before_mean_bytes, flight_before_most_bytes;         /* BYTES_UNKNOWN */
    struct loss_cost cost[LOSS_KINDS];
    struct loss_span first, worst; /* worst: the longest repair */
    /* several losses of a window repaired one a round trip, as without SACK (RFC 6582) */
    uint64_t one_a_round_trip_segments;
    /* time-outs: silences that a resend ended */
    uint64_t timeouts, backoffs_most; /* most in a row without progress in between */
    int64_t silence_ns, silence_longest_ns; /* sum and longest */
    uint64_t silence_frame;  /* the resend that ended the longest */
    /* size: the segment resent most often, and the largest that arrived at the first try */
    uint64_t tries_most;     /* resends of the same bytes */
    uint64_t tries_bytes, tries_frame;
    uint64_t passed_most_bytes; /* BYTES_UNKNOWN = none */
    /* Token bucket (Flach et al., An Internet-Wide Analysis of Traffic Policing, SIGCOMM 2016):
     * the rate from the first to the last event, and the events that find a bucket of such a rate
     * empty.  BYTES_UNKNOWN = fewer than three round trips with losses. */
    uint64_t steady_bytes_per_s;
    uint64_t bucket_events, bucket_empty;
    uint64_t peak_bytes_per_s; /* acknowledged in two round trips, at best; BYTES_UNKNOWN */
    /* Bytes from the end of what was out at an event to the next one, the first one apart: how many
     * gaps, and their standard deviation over their mean, < 0 = unknown.  Losses that strike any
     * packet alike leave gaps of about 1. */
    uint64_t gaps;
    double gap_variation;
    /* What was out at the events, the first one apart: how many, and their standard deviation over
     * their mean, < 0 = unknown. */
    uint64_t fills;
    double fill_variation;
    double overshoot_part; /* of the flight lost at once when slow start ended so; < 0 = it did not */
    /* ICMP "fragmentation needed", ICMPv6 "packet too big" about this data */
    uint64_t too_big_notices, too_big_frame;
    uint64_t too_big_mtu_bytes; /* smallest next-hop MTU; BYTES_UNKNOWN = none given */
    /* order (RFC 4737) */
    uint64_t healed;         /* holes reported by the receiver that closed with no resend */
    uint64_t late_three;     /* segments overtaken by three or more: taken for lost (RFC 5681) */
    uint64_t late_most_bytes; /* reordering extent: how far the stream had gone beyond */
    int64_t late_most_ns;    /* after its successor; NS_UNKNOWN */
    uint64_t late_frame;     /* of the latest, 0 = none */
    uint64_t spurious_frame; /* of the first resend of an event that was not needed, 0 = none */
    /* windows cut upon a congestion mark (RFC 3168: CWR), and what the regrowth took */
    uint64_t ecn_cuts, ecn_frame;
    int64_t ecn_regrowth_ns;
    /* round trips of eight or more segments; those whose delay was three times as long at worst as
     * at best */
    uint64_t rounds_timed, rounds_jittery;
};

/* All fields unknown. */
void loss_facts_clear(struct loss_facts *facts);

#endif
