#include "analysis/pattern.h"

void pattern_unknown(struct pattern_facts *out)
{
    *out = (struct pattern_facts){
        .lock_step = {.gap_p50_ns = NS_UNKNOWN, .gap_p95_ns = NS_UNKNOWN, .worst_ns = NS_UNKNOWN,
                      .worst_start_ns = NS_UNKNOWN},
        .acks = {.covered_p50_bytes = BYTES_UNKNOWN, .covered_p95_bytes = BYTES_UNKNOWN,
                 .queue_p50_ns = NS_UNKNOWN, .queue_p95_ns = NS_UNKNOWN,
                 .queue_tick_ns = NS_UNKNOWN},
        .pace = {.bytes_per_s_cv = -1, .segments_per_s_mean = -1, .segments_per_s_cv = -1,
                 .segment_bytes_cv = -1},
        .data_rtt_min_ns = NS_UNKNOWN,
    };
}
