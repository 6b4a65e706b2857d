#include "analysis/path_facts.h"

#include "analysis/result.h"

void path_facts_clear(struct path_facts *facts)
{
    *facts = (struct path_facts){
        .idle_rtt_ns = NS_UNKNOWN,
        .min_rtt_ns = NS_UNKNOWN,
        .loaded_rtt_p50_ns = NS_UNKNOWN,
        .loaded_rtt_p95_ns = NS_UNKNOWN,
        .jitter_ns = NS_UNKNOWN,
        .queue_p50_ns = NS_UNKNOWN,
        .queue_p95_ns = NS_UNKNOWN,
        .forward_queue_max_ns = NS_UNKNOWN,
        .forward_queue_mean_ns = NS_UNKNOWN,
        .reverse_queue_max_ns = NS_UNKNOWN,
        .delivery_max_bytes_per_s = -1,
        .delivery_steady_bytes_per_s = -1,
        .capacity_bytes_per_s = -1,
        .utilisation = -1,
        .norm_diff = -1,
        .variation = -1,
    };
}
