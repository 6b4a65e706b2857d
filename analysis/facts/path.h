/* Collects the facts of the path of one direction (analysis/path_facts.h): once a round trip, and
 * a sample of the round trip at a time while slow start lasts. */
#ifndef TCPWHY_ANALYSIS_PATH_H
#define TCPWHY_ANALYSIS_PATH_H

#include <stdbool.h>

#include "analysis/path_facts.h"
#include "analysis/replay/replay.h"

/* The smallest round trip of each such span is compared with the one before (domain, row 56). */
#define PATH_SPAN_NS ((int64_t)10 * 1000000000)

struct path_span {
    int64_t start_ns, min_ns;   /* smallest sample, 0 = none yet */
    uint64_t flight_min_bytes;  /* of the round that gave it */
};

struct path {
    uint64_t rounds, unplaced_rounds;
    double jitter_sum_ns;        /* RTTVAR of RFC 6298, once a round */
    uint64_t late_rounds;        /* with departures placed by timestamps */
    double late_sum_ns;
    int64_t late_max_ns;
    double steady_bytes, steady_s;
    int64_t idle_ns;             /* first sample, 0 = none */
    /* slow start until the first loss */
    bool start_over;
    uint32_t start_samples;
    int64_t start_min_ns, start_max_ns;
    double start_sum_ms, start_square_ms;
    struct path_span span, previous;
    int64_t base_ns;             /* smallest round trip since the last step, 0 = none yet */
    uint32_t step_count, ttl_changes;
    uint8_t ttl_first, ttl_last;
    struct path_step steps[PATH_STEPS_MAX];
};

/* A sample of the round trip during slow start. */
void path_take_start(struct path *path, int64_t rtt_ns);
/* A round trip is over; rttvar_ns is RFC 6298's at that time (NS_UNKNOWN), lost whether anything
 * was lost so far. */
void path_take_round(struct path *path, const struct round *round, int64_t rttvar_ns, bool lost);
/* Time to live of the sender's segments, once a round trip. */
void path_take_ttl(struct path *path, uint8_t ttl);
/* The facts, from what was collected and from the replay's bottleneck. */
void path_fill(const struct path *path, const struct replay *replay,
               const struct sample_summary *rtt, int64_t min_rtt_ns, struct path_facts *facts);

#endif
