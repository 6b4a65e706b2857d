/* What the path looked like to one direction of data: its delay idle and under load, the queues,
 * the rate at which it delivered.  Unknown is NS_UNKNOWN for times, < 0 for rates and ratios. */
#ifndef TCPWHY_ANALYSIS_PATH_FACTS_H
#define TCPWHY_ANALYSIS_PATH_FACTS_H

#include <stdint.h>

#define PATH_STEPS_MAX 4

/* Who filled the queue that slow start met (Sundaresan, Dhamdhere, Allman, claffy, TCP Congestion
 * Signatures, IMC 2017). */
enum congestion_signature {
    CONGESTION_UNKNOWN,      /* fewer than 10 samples, or slow start met no queue */
    CONGESTION_SELF_INDUCED, /* this flow filled an empty queue: its round trip rose meanwhile */
    CONGESTION_EXTERNAL,     /* the path was congested before: its round trip was high and flat */
};

/* The smallest round trip moved for good. */
struct path_step {
    int64_t time_ns;
    int64_t from_ns, to_ns; /* smallest round trip of the 10 s before and after */
};

struct path_facts {
    int64_t idle_rtt_ns;       /* smallest of the first round trip */
    int64_t min_rtt_ns;        /* smallest of all */
    int64_t loaded_rtt_p50_ns, loaded_rtt_p95_ns; /* of the acknowledged data: busy times weigh most */
    int64_t jitter_ns;         /* RTTVAR of RFC 6298, mean over round trips */
    int64_t queue_p50_ns, queue_p95_ns;   /* both ways: loaded round trip less the smallest */
    int64_t forward_queue_max_ns, forward_queue_mean_ns; /* sender to tap, from TSval: the largest of
                                             each round trip */
    int64_t reverse_queue_max_ns;         /* receiver to sender, from both clocks (pattern.h) */
    double delivery_max_bytes_per_s;      /* acknowledged in a round trip: the largest that two in a
                                             row reached */
    double delivery_steady_bytes_per_s;   /* outside slow start, while there was something to send */
    double capacity_bytes_per_s;          /* payload that the bottleneck passes: rate flat while a
                                             queue of this flow's own stood */
    double utilisation;                   /* mean rate / capacity, 0..1 */
    double norm_diff, variation;          /* of the round trip in slow start up to the first loss:
                                             (max - min) / max, standard deviation / mean */
    enum congestion_signature signature;
    uint32_t ttl_changes;                 /* of this sender's segments at the tap */
    uint32_t step_count;                  /* ever; the first PATH_STEPS_MAX are kept */
    uint8_t ttl_first, ttl_last;          /* 0 = none */
    uint8_t reserved[6];
    struct path_step steps[PATH_STEPS_MAX];
};

/* All fields unknown. */
void path_facts_clear(struct path_facts *facts);

#endif
