/* How a direction's data is cut into segments and messages, how its acknowledgments come, and what
 * its first bytes and packets say of the programs and boxes that made it.
 *
 * Filled by analysis/facts/pattern.c; all zero or unknown while !known (not followed, or no more than an
 * initial window was sent), but for first_bytes and the TTLs.  Frames are 0 = none.  Times are NS_UNKNOWN, and rates and ratios < 0, where nothing was measured. */
#ifndef TCPWHY_ANALYSIS_PATTERN_FACTS_H
#define TCPWHY_ANALYSIS_PATTERN_FACTS_H

#include <stdbool.h>
#include <stdint.h>

/* Times by which a receiver holds back an acknowledgment: Linux 40 ms, Solaris on its own net 50,
 * BSD, Solaris and macOS 100, Windows, AIX and classic BSD 200. */
enum ack_timer { ACK_TIMER_40, ACK_TIMER_50, ACK_TIMER_100, ACK_TIMER_200, ACK_TIMERS };

/* What the first bytes of a direction are. */
enum first_bytes {
    FIRST_BYTES_UNKNOWN, /* not seen, or nothing that is known */
    FIRST_BYTES_TLS,     /* a TLS record of the handshake (RFC 8446 section 5.1) */
    FIRST_BYTES_SSH,     /* an identification string (RFC 4253 section 4.2) */
};

/* Silences ended by the acknowledgment of all that was out, with a segment below smss before or after
 * them, or as long as a receiver holds an acknowledgment back: the lock-step of Nagle's algorithm
 * (RFC 9293 section 3.7.4), of a small send buffer or of a program that waits, with the receiver's
 * delayed acknowledgment (RFC 1122 section 4.2.3.2). */
struct lock_step_facts {
    uint64_t gaps;
    int64_t total_ns;
    int64_t gap_p50_ns, gap_p95_ns;
    uint64_t held[ACK_TIMERS]; /* gaps of a round trip and a timer, +-10 % of that */
    int64_t held_ns;           /* of total_ns, in those */
    uint64_t after_partial, before_partial; /* gaps with a segment below smss before, after them */
    int64_t worst_ns;          /* longest gap, start and frames at its ends; NS_UNKNOWN = none */
    int64_t worst_start_ns;
    uint64_t worst_from_frame, worst_to_frame;
};

/* Acknowledgments of new data, per round trip. */
struct ack_pattern_facts {
    uint64_t acks, stretch;      /* those that covered more than 4 smss */
    uint64_t rounds;             /* samples below: round trips, or 10 ms of shorter ones */
    uint64_t covered_p50_bytes;  /* mean bytes an ACK covers in one: median and 95th */
    uint64_t covered_p95_bytes;  /* percentile; BYTES_UNKNOWN */
    /* queueing delay of acknowledgments on their whole way, by both ends' timestamp clocks; at any
     * tap the same, at the resolution of the clock */
    int64_t queue_p50_ns, queue_p95_ns, queue_tick_ns;
};

/* Bytes and segments over slices of time of 100 ms or of round trips, whichever is longer. */
struct pace_facts {
    uint64_t slices;
    double bytes_per_s_cv;       /* standard deviation / mean over slices; < 0 = unknown */
    double segments_per_s_mean, segments_per_s_cv;
    double segment_bytes_cv;     /* of the mean segment size of a slice */
};

struct pattern_facts {
    bool known;
    enum first_bytes first_bytes;
    uint64_t first_bytes_frame;
    /* sizes of data, from the eleventh segment on; a larger frame of the capture counts as the
     * segments that it became */
    uint32_t mss_allowed;        /* payload that the handshake allows; 0 = unknown */
    uint32_t payload_median_bytes; /* within 1/16 of mss_allowed; 0 = no data */
    uint64_t segments, partial_segments; /* partial: below smss */
    uint64_t small_segments;     /* below half of mss_allowed */
    uint32_t partial_size_bytes; /* most frequent size below smss, at least so often; 0 = none */
    uint32_t partial_size_count;
    /* messages: what lies between the ends of two segments below smss */
    uint64_t messages, message_bytes;
    uint64_t message_size_bytes, message_size_count; /* most frequent size, at least so often */
    uint64_t write_bytes;        /* what the program seems to write at once: messages are this size or
                                    multiples of it; 0 = no pattern */
    uint64_t write_explains_bytes; /* of message_bytes */
    uint64_t message_from_frame, message_to_frame; /* of the first message of that size */
    /* bursts: what leaves between two instants at which nothing was out */
    uint64_t bursts, burst_median_bytes; /* rounded up to a power of two; 0 = none */
    struct lock_step_facts lock_step;
    struct ack_pattern_facts acks;
    struct pace_facts pace;
    /* signs of a box between the ends that answers for one of them */
    int64_t data_rtt_min_ns;     /* least round trip of data alone, without the handshake */
    uint8_t ttl_first, ttl_other; /* of this sender's first segment, and of later ones that differ */
    uint64_t ttl_other_segments, ttl_other_frame;
};

#endif
