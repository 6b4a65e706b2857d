/* The narrowest place of a path, judged from round trips: what it passes a second, and whether a
 * round trip was spent at its rate.
 *
 * Below the path's capacity the rate grows with the flight and the round trip stays; at capacity
 * the rate stays and the round trip grows, by the queue that the surplus of the flight makes. */
#ifndef TCPWHY_ANALYSIS_BOTTLENECK_H
#define TCPWHY_ANALYSIS_BOTTLENECK_H

#include <stdbool.h>
#include <stdint.h>

struct round;

/* Rates are compared over so many round trips (the filter of BBR, Cardwell et al., CACM 60(2)
 * 2017). */
#define BOTTLENECK_ROUNDS 10u

struct bottleneck_sample {
    double bytes, seconds;
};

struct bottleneck {
    struct bottleneck_sample recent[BOTTLENECK_ROUNDS]; /* ring of rounds that measure the path */
    uint32_t count;            /* ever */
    bool after_repair;         /* the last round was one of recovery: the next one's acknowledgment
                                  jumps over what had arrived before */
    double queued_bytes, queued_s; /* of rounds with a standing queue, older ones fade */
    uint32_t queued_rounds;
    uint32_t strays;           /* rounds in a row whose rate is off the capacity */
    bool confirmed;            /* the same rate was seen with less in flight, or in a train */
    double train_rate;         /* at which the first flight came apart on the way: the dispersion of
                                  a packet train; < 0 = none */
    double previous_rate;      /* of the last round that measured, < 0 = none */
    double rate_max;           /* bytes/s, of two rounds in a row; < 0 = none yet */
};

enum bottleneck_state {
    BOTTLENECK_FREE,      /* the path had room */
    BOTTLENECK_UNCERTAIN, /* a queue stands; whether it is this flow's own is not shown yet */
    BOTTLENECK_FULL,      /* the narrowest place was busy all the time */
};

void bottleneck_init(struct bottleneck *b);
/* A round trip is over.  min_rtt_ns is the smallest of the path (NS_UNKNOWN: nothing is learnt). */
enum bottleneck_state bottleneck_take(struct bottleneck *b, const struct round *round,
                                      int64_t min_rtt_ns, uint32_t smss);
/* Payload bytes a second that the bottleneck passes; < 0 unknown. */
double bottleneck_bytes_per_s(const struct bottleneck *b);
/* Rate of a round in bytes a second; < 0 where it does not measure the path. */
double bottleneck_round_rate(const struct round *round, int64_t min_rtt_ns);

#endif
