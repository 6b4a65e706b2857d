/* From the collector's counts to pattern_facts.h. */
#include <math.h>

#include "analysis/facts/pattern.h"

/* Fewer messages do not make a pattern. */
#define MESSAGES_LEAST 10
/* Share of the messages' bytes that a size and its multiples must explain.  A size that has nothing
 * to do with 2^k is a multiple of it once in 2^k. */
#define POWER_SHARE 0.8
#define SAME_SHARE 0.5
/* Slices that make a spread. */
#define SLICES_LEAST 5

static struct pattern_size most_frequent(const struct pattern_sizes *sizes)
{
    struct pattern_size most = {0, 0};

    for (uint32_t i = 0; i < PATTERN_SIZES; i++)
        if (sizes->entry[i].count > most.count)
            most = sizes->entry[i];
    return most;
}

/* The middle of all payloads: those below smss lie in cells, all others are smss. */
static uint32_t median_payload(const struct pattern *p, const struct pattern_of *of)
{
    uint64_t rank = (of->full_segments + p->partial_segments + 1) / 2, seen = 0;

    if (rank > p->partial_segments)
        return of->smss;
    for (uint32_t i = 0; i < PATTERN_CELLS; i++) {
        seen += p->cell_count[i];
        if (seen >= rank && p->cell_count[i] > 0)
            return (uint32_t)(p->cell_bytes[i] / p->cell_count[i]);
    }
    return 0;
}

/* What the program writes at once: the largest power of two that divides nearly all messages, else
 * the size that most of them have. */
static void fill_writes(const struct pattern *p, struct pattern_facts *out)
{
    uint64_t explained = 0;

    if (p->message_count < MESSAGES_LEAST)
        return;
    for (uint32_t i = PATTERN_POWERS; i-- > 0;) {
        explained += p->power_bytes[i];
        if ((double)explained < POWER_SHARE * (double)p->message_bytes)
            continue;
        out->write_bytes = (uint64_t)1 << (PATTERN_POWER_FIRST + i);
        out->write_explains_bytes = explained;
        return;
    }
    explained = out->message_size_bytes * out->message_size_count;
    if ((double)explained < SAME_SHARE * (double)p->message_bytes)
        return;
    out->write_bytes = out->message_size_bytes;
    out->write_explains_bytes = explained;
}

static void fill_messages(const struct pattern *p, const struct pattern_of *of,
                          struct pattern_facts *out)
{
    struct pattern_size partial = most_frequent(&p->partials);
    struct pattern_size message = most_frequent(&p->messages);

    out->mss_allowed = of->mss_allowed;
    out->payload_median_bytes = median_payload(p, of);
    out->segments = of->full_segments + p->partial_segments;
    out->partial_segments = p->partial_segments;
    out->small_segments = p->small_segments;
    if (of->smss * 2u < of->mss_allowed)
        out->small_segments += of->full_segments;
    out->partial_size_bytes = partial.bytes;
    out->partial_size_count = partial.count;
    out->messages = p->message_count;
    out->message_bytes = p->message_bytes;
    out->message_size_bytes = message.bytes;
    out->message_size_count = message.count;
    out->message_from_frame = p->from_frame;
    out->message_to_frame = p->to_frame;
    fill_writes(p, out);
}

static void fill_bursts(const struct pattern *p, struct pattern_facts *out)
{
    uint64_t seen = 0;

    out->bursts = p->burst_count;
    for (uint32_t i = 0; i < 32 && p->burst_count > 0; i++) {
        seen += p->bursts[i];
        if (seen * 2 < p->burst_count)
            continue;
        out->burst_median_bytes = (uint64_t)1 << i;
        return;
    }
}

static void fill_lock_step(const struct pattern *p, struct lock_step_facts *out)
{
    struct sample_summary gaps;

    quantiles_summary(&p->gaps, &gaps);
    out->gaps = gaps.samples;
    out->gap_p50_ns = gaps.p50_ns;
    out->gap_p95_ns = gaps.p95_ns;
    out->total_ns = p->gaps_ns;
    out->held_ns = p->held_ns;
    out->after_partial = p->after_partials;
    out->before_partial = p->before_partials;
    for (int i = 0; i < ACK_TIMERS; i++)
        out->held[i] = p->held[i];
    out->worst_ns = p->worst_ns;
    out->worst_start_ns = p->worst_start_ns;
    out->worst_from_frame = p->worst_from_frame;
    out->worst_to_frame = p->worst_to_frame;
}

static void fill_acks(const struct pattern *p, const struct pattern_of *of,
                      struct ack_pattern_facts *out)
{
    struct sample_summary covered, queue;

    quantiles_summary(&p->covered, &covered);
    quantiles_summary(&p->ack_queue, &queue);
    out->acks = p->acks;
    out->stretch = p->stretch;
    out->rounds = covered.samples;
    if (covered.samples > 0) {
        out->covered_p50_bytes = (uint64_t)covered.p50_ns / 1000;
        out->covered_p95_bytes = (uint64_t)covered.p95_ns / 1000;
    }
    if (queue.samples == 0)
        return;
    out->queue_p50_ns = queue.p50_ns;
    out->queue_p95_ns = queue.p95_ns;
    out->queue_tick_ns = of->tick_ns;
}

/* Standard deviation over mean. */
static double spread_cv(const struct pattern_spread *spread, uint64_t count)
{
    return spread->mean > 0 ? sqrt(spread->square_sum / (double)count) / spread->mean : -1;
}

static void fill_pace(const struct pattern *p, struct pace_facts *out)
{
    out->slices = p->slices;
    if (p->slices < SLICES_LEAST)
        return;
    out->bytes_per_s_cv = spread_cv(&p->bytes_rate, p->slices);
    out->segments_per_s_mean = p->segment_rate.mean;
    out->segments_per_s_cv = spread_cv(&p->segment_rate, p->slices);
    out->segment_bytes_cv = spread_cv(&p->segment_size, p->slices);
}

void pattern_fill(const struct pattern *p, const struct pattern_of *of, struct pattern_facts *out)
{
    pattern_unknown(out);
    out->known = true;
    out->data_rtt_min_ns = p->data_rtt_min_ns;
    fill_messages(p, of, out);
    fill_bursts(p, out);
    fill_lock_step(p, &out->lock_step);
    fill_acks(p, of, &out->acks);
    fill_pace(p, &out->pace);
}

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
