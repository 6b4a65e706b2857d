/* Words and the unknown value of cwnd_facts.h. */
#include "analysis/result.h"

const char *cwnd_state_name(enum cwnd_state state)
{
    static const char *const names[CWND_STATES] = {
        [CWND_SLOW_START] = "slow_start",     [CWND_AVOIDANCE] = "avoidance",
        [CWND_RECOVERY] = "recovery",         [CWND_LOSS] = "loss",
        [CWND_IDLE_RESTART] = "idle_restart", [CWND_APP_LIMITED] = "app_limited",
    };

    return names[state];
}

const char *cwnd_family_name(enum cwnd_family family)
{
    static const char *const names[CWND_FAMILIES] = {
        [CWND_UNKNOWN] = "unknown", [CWND_LOSS_BASED] = "loss_based",
        [CWND_RENO] = "reno",       [CWND_CUBIC] = "cubic",
        [CWND_BBR] = "bbr",
    };

    return names[family];
}

struct cwnd_facts cwnd_facts_none(void)
{
    return (struct cwnd_facts){
        .initial_bytes = BYTES_UNKNOWN,
        .min_bytes = BYTES_UNKNOWN,
        .mean_bytes = BYTES_UNKNOWN,
        .max_bytes = BYTES_UNKNOWN,
        .last_bytes = BYTES_UNKNOWN,
        .error_bytes = BYTES_UNKNOWN,
        .ssthresh_bytes = BYTES_UNKNOWN,
        .oscillation =
            {
                .period_ns = NS_UNKNOWN,
                .period_rtts = -1,
                .peak_bytes = BYTES_UNKNOWN,
                .valley_bytes = BYTES_UNKNOWN,
                .beta = -1,
                .growth_segments = -1,
                .loss_rate = -1,
            },
        .pacing_bytes_per_s = BYTES_UNKNOWN,
        .probe_period_ns = NS_UNKNOWN,
    };
}
