/* The numbers of a flow's detail that outlive it, and how they become a flow_result. */
#ifndef TCPWHY_ANALYSIS_SUMMARY_FILL_H
#define TCPWHY_ANALYSIS_SUMMARY_FILL_H

#include "analysis/connection/detail.h"

struct side_facts {
    struct side_counts counts;
    struct sample_summary rtt;
    uint64_t rwnd_mean_field;    /* unscaled; valid with rwnd_known */
    uint64_t last_data_frame;
    uint64_t missing_bytes;      /* below the edge and never seen */
    uint64_t gap_bytes;          /* of those, acknowledged */
    uint64_t unseen_resends;     /* sent upstream and lost before the tap, by IP ID */
    uint64_t zero_episodes, updates, shrunk;
    int64_t zero_ns, window_full_ns;
    uint64_t rounds, rounds_window_full, idle_restarts, initial_window;
    uint64_t flight_sum, flight_count, flight_max;
    int64_t elapsed_ns;
    int64_t limit_ns[LIMIT_COUNT];
    struct limit_span worst[LIMIT_COUNT];
    int64_t longest_silence_ns;
    uint64_t longest_silence_frame;
    int32_t window_scale;
    int32_t window_scale_source;
    struct loss_facts loss;      /* valid with loss_noted */
    uint64_t loss_noted;
    uint32_t followed;
    uint32_t rwnd_known;
    struct cwnd_facts cwnd;      /* all 0 when nothing is known: packs to nothing */
    struct path_facts path;
    struct moves_facts moves;
    struct pattern_facts pattern; /* zero but for the first packets when !known */
    struct wait_facts waits;
};

struct flow_facts {
    uint64_t last_frame;
    struct side_facts side[2];
};

/* Take the facts out of a flow's detail (*facts is zeroed). */
void summary_fill(const struct flow *flow, struct flow_facts *facts);
/* Bytes of a direction's data that were seen; facts NULL = it had no detail. */
uint64_t summary_data_bytes(const struct half *half, const struct side_facts *facts);
/* Result of a flow; facts NULL = it had no detail.  *out is zeroed. */
void summary_assemble(const struct flow *flow, const struct flow_facts *facts,
                      struct flow_result *out);

#endif
