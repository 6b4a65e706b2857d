#include "analysis/loss_facts.h"

#include <string.h>

#include "analysis/result.h"

void loss_facts_clear(struct loss_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    facts->rtt_before_mean_ns = facts->rtt_before_least_ns = NS_UNKNOWN;
    facts->rtt_before_most_ns = facts->late_most_ns = NS_UNKNOWN;
    facts->first.time_ns = facts->worst.time_ns = NS_UNKNOWN;
    facts->flight_before_mean_bytes = facts->flight_before_most_bytes = BYTES_UNKNOWN;
    facts->passed_most_bytes = facts->steady_bytes_per_s = BYTES_UNKNOWN;
    facts->gap_variation = facts->fill_variation = facts->overshoot_part = -1;
    facts->peak_bytes_per_s = facts->too_big_mtu_bytes = BYTES_UNKNOWN;
}
