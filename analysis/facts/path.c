#include "analysis/facts/path.h"

#include <math.h>

/* The signature needs samples enough (Sundaresan et al. take flows with 10 and more). */
#define SIGNATURE_SAMPLES 10u
/* A queue of a quarter of the empty round trip is one (analysis/replay/bottleneck.c): rising by that much
 * in slow start is (max - min) / max = 0.2, and spreads the samples; a flat one spreads them by
 * less than a twentieth. */
#define SIGNATURE_RISE 0.2
#define SIGNATURE_SPREAD 0.05
#define SIGNATURE_BUSY 1.25
#define STEP_PART 0.10       /* domain, row 56 */
#define STEP_LEAST_NS 1000000
#define NS_PER_S 1e9
#define NS_PER_MS 1e6

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

void path_take_start(struct path *path, int64_t rtt_ns)
{
    const double ms = (double)rtt_ns / NS_PER_MS;

    if (path->start_samples == 0 || rtt_ns < path->start_min_ns)
        path->start_min_ns = rtt_ns;
    if (rtt_ns > path->start_max_ns)
        path->start_max_ns = rtt_ns;
    path->start_samples++;
    path->start_sum_ms += ms;
    path->start_square_ms += ms * ms;
}

/* A span of time is over: did the smallest round trip move?  A shorter one than ever on this path is
 * another path.  A longer one than in the span before is only when no more was in flight than then:
 * else it may be a queue. */
static void close_span(struct path *path)
{
    const struct path_span *before = &path->previous, *now = &path->span;
    const bool shorter = now->min_ns < path->base_ns;
    const int64_t from_ns = shorter ? path->base_ns : before->min_ns;
    const double moved = fabs((double)(now->min_ns - from_ns));

    if (now->min_ns == 0)
        return;
    if (from_ns > 0 && moved > STEP_PART * (double)from_ns && moved >= STEP_LEAST_NS &&
        (shorter || (now->min_ns > from_ns && now->flight_min_bytes <= before->flight_min_bytes))) {
        if (path->step_count < PATH_STEPS_MAX)
            path->steps[path->step_count] =
                (struct path_step){now->start_ns, from_ns, now->min_ns};
        path->step_count++;
        path->base_ns = now->min_ns;
    }
    if (path->base_ns == 0 || shorter)
        path->base_ns = now->min_ns;
    path->previous = *now;
}

static void follow_span(struct path *path, const struct round *round)
{
    struct path_span *span = &path->span;

    if (round->rtt_min_ns == NS_UNKNOWN)
        return;
    if (span->start_ns == 0 || round->end_ns - span->start_ns >= PATH_SPAN_NS) {
        close_span(path);
        *span = (struct path_span){.start_ns = round->end_ns};
    }
    if (span->min_ns == 0 || round->rtt_min_ns < span->min_ns) {
        span->min_ns = round->rtt_min_ns;
        span->flight_min_bytes = round->flight_min_bytes;
    }
}

/* True when the sender had data to send for most of a round. */
static bool round_is_busy(const struct round *round)
{
    const int64_t idle_ns = round->limit_ns[LIMIT_APP] + round->limit_ns[LIMIT_TURN] +
                            round->limit_ns[LIMIT_THINK] + round->limit_ns[LIMIT_NAGLE];

    return idle_ns * 2 < round->end_ns - round->start_ns && round->departures > 0;
}

void path_take_round(struct path *path, const struct round *round, int64_t rttvar_ns, bool lost)
{
    path->rounds++;
    path->unplaced_rounds += round->unplaced;
    if (rttvar_ns > 0)
        path->jitter_sum_ns += (double)rttvar_ns;
    if (round->late_max_ns > 0) {
        path->late_rounds++;
        path->late_sum_ns += (double)round->late_max_ns;
        path->late_max_ns = round->late_max_ns > path->late_max_ns ? round->late_max_ns
                                                                   : path->late_max_ns;
    }
    if (path->idle_ns == 0 && round->rtt_min_ns > 0)
        path->idle_ns = round->rtt_min_ns;
    if (!round->slow_start && round_is_busy(round)) {
        path->steady_bytes += (double)(round->una_end - round->una_start);
        path->steady_s += (double)(round->end_ns - round->start_ns) / NS_PER_S;
    }
    path->start_over |= lost || round->recovery || !round->slow_start;
    follow_span(path, round);
}

void path_take_ttl(struct path *path, uint8_t ttl)
{
    if (path->ttl_first == 0)
        path->ttl_first = ttl;
    else
        path->ttl_changes += ttl != path->ttl_last;
    path->ttl_last = ttl;
}

/* Who filled the queue of slow start. */
static void fill_signature(const struct path *path, int64_t min_rtt_ns, struct path_facts *facts)
{
    const double count = path->start_samples;

    if (path->start_samples < SIGNATURE_SAMPLES || path->start_max_ns <= 0)
        return;
    const double mean = path->start_sum_ms / count;
    const double variance = path->start_square_ms / count - mean * mean;
    facts->norm_diff = (double)(path->start_max_ns - path->start_min_ns) / (double)path->start_max_ns;
    facts->variation = mean > 0 && variance > 0 ? sqrt(variance) / mean : 0;
    if (facts->norm_diff >= SIGNATURE_RISE && facts->variation >= SIGNATURE_SPREAD)
        facts->signature = CONGESTION_SELF_INDUCED;
    else if (facts->norm_diff < SIGNATURE_RISE && min_rtt_ns > 0 &&
             (double)path->start_min_ns > SIGNATURE_BUSY * (double)min_rtt_ns)
        facts->signature = CONGESTION_EXTERNAL;
}

static void fill_rates(const struct path *path, const struct replay *replay,
                       struct path_facts *facts)
{
    const double elapsed_s = (double)(replay->now_ns - replay->first_ns) / NS_PER_S;
    const double bytes = (double)(replay->una - replay->first_left);

    facts->delivery_max_bytes_per_s = replay->held.bottleneck.rate_max;
    facts->capacity_bytes_per_s = bottleneck_bytes_per_s(&replay->held.bottleneck);
    if (path->steady_s > 0)
        facts->delivery_steady_bytes_per_s = path->steady_bytes / path->steady_s;
    if (facts->capacity_bytes_per_s > 0 && elapsed_s > 0)
        facts->utilisation = fmin(1, bytes / elapsed_s / facts->capacity_bytes_per_s);
}

void path_fill(const struct path *path, const struct replay *replay,
               const struct sample_summary *rtt, int64_t min_rtt_ns, struct path_facts *facts)
{
    path_facts_clear(facts);
    facts->ttl_first = path->ttl_first;
    facts->ttl_last = path->ttl_last;
    facts->ttl_changes = path->ttl_changes;
    facts->step_count = path->step_count;
    for (uint32_t i = 0; i < PATH_STEPS_MAX && i < path->step_count; i++)
        facts->steps[i] = path->steps[i];
    fill_rates(path, replay, facts);
    if (rtt->samples == 0)
        return;
    facts->min_rtt_ns = min_rtt_ns != NS_UNKNOWN && min_rtt_ns < rtt->min_ns ? min_rtt_ns : rtt->min_ns;
    facts->idle_rtt_ns = path->idle_ns > 0 ? path->idle_ns : NS_UNKNOWN;
    if (path->rounds > 0)
        facts->jitter_ns = (int64_t)(path->jitter_sum_ns / (double)path->rounds);
    if (path->late_rounds > 0) {
        facts->forward_queue_max_ns = path->late_max_ns;
        facts->forward_queue_mean_ns = (int64_t)(path->late_sum_ns / (double)path->late_rounds);
    }
    if (path->unplaced_rounds * 2 > path->rounds)
        return; /* a queue between sender and tap is not in the samples */
    facts->loaded_rtt_p50_ns = rtt->p50_ns;
    facts->loaded_rtt_p95_ns = rtt->p95_ns;
    /* against the quickest data: a SYN is shorter, and takes less time on a slow link */
    facts->queue_p50_ns = rtt->p50_ns - rtt->min_ns;
    facts->queue_p95_ns = rtt->p95_ns - rtt->min_ns;
    fill_signature(path, facts->min_rtt_ns, facts);
}
