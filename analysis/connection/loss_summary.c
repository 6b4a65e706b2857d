/* What the events of a direction say together, once all its round trips are known. */
#include "analysis/connection/loss.h"

#include <math.h>

#include "analysis/connection/sender.h"
#include "analysis/connection/tracker.h"

/* A queue that fills shows in the round trip (domain, row 8).  Where it is short beside the path,
 * losses come when the delay is in the upper half of its range (Tobe, Tamura, Molano, Ghosh,
 * Tokuda, ICNP 2000; Cen, Cosman, Voelker, ToN 11(5) 2003: alpha = 1/2), and the range is more than
 * noise: a fifth of the smallest (anchors, 6d). */
#define RTT_GROWN 1.5
#define RTT_RANGE_LEAST 1.2
#define RTT_RANGE_PART 0.5
#define QUEUE_SEGMENTS_LEAST 2
/* Flach et al.: at least three round trips with losses and 15 lost segments; a bucket counts as
 * empty within what the rate brings in two round trips.  Over less than ten times that anything
 * would fit. */
#define BUCKET_EVENTS_LEAST 3
#define BUCKET_SEGMENTS_LEAST 15
#define BUCKET_ROUND_TRIPS 2
#define BUCKET_SPAN_ROUND_TRIPS 20
#define BYTES_PER_NS_MOST 1e3 /* 8 Tbit/s: more is a clock that stands still */

static int64_t larger_ns(int64_t a, int64_t b)
{
    return a > b ? a : b; /* NS_UNKNOWN is below all */
}

static int64_t highest_rtt_ns(const struct side *side)
{
    int64_t highest_ns = side->loss_rounds.srtt_most_ns;

    for (uint32_t i = 0; i < side->loss->count; i++)
        highest_ns = larger_ns(highest_ns, side->loss->events[i].rtt_ns);
    return highest_ns;
}

/* Did a queue stand before an event?  Slow start has a delay of its own, of two segments for each
 * acknowledged, so the range says nothing there; and what holds less than two segments at the rate
 * delivered at best is no queue. */
static bool queue_stood(const struct side *side, const struct loss_event *event, int64_t least_ns,
                        int64_t most_ns)
{
    const double rtt = (double)event->rtt_ns, least = (double)least_ns, most = (double)most_ns;
    const double held_bytes = (rtt - least) * (double)side->loss_rounds.peak_bytes_per_s / 1e9;

    if (side->loss_rounds.peak_bytes_per_s > 0 && held_bytes < QUEUE_SEGMENTS_LEAST * side->replay.smss)
        return false;
    return rtt >= RTT_GROWN * least ||
           (!event->slow_start && most >= RTT_RANGE_LEAST * least &&
            rtt >= least + RTT_RANGE_PART * (most - least));
}

static void judge_queues(const struct side *side, int64_t least_ns, struct loss_facts *facts)
{
    const struct loss_log *log = side->loss;
    int64_t most_ns = highest_rtt_ns(side);
    double sum_ns = 0;
    uint32_t known = 0;

    for (uint32_t i = 0; i < log->count; i++) {
        const struct loss_event *event = &log->events[i];
        if (event->rtt_ns == NS_UNKNOWN || least_ns == NS_UNKNOWN)
            continue;
        bool queue = queue_stood(side, event, least_ns, most_ns);
        facts->with_queue += queue;
        facts->without_queue += !queue;
        *(queue ? &facts->with_queue_ns : &facts->without_queue_ns) += event->cost_ns;
        sum_ns += (double)event->rtt_ns;
        facts->rtt_before_most_ns = larger_ns(facts->rtt_before_most_ns, event->rtt_ns);
        if (known++ == 0 || event->rtt_ns < facts->rtt_before_least_ns)
            facts->rtt_before_least_ns = event->rtt_ns;
    }
    if (known > 0)
        facts->rtt_before_mean_ns = (int64_t)(sum_ns / known);
    facts->with_queue *= log->stride;
    facts->without_queue *= log->stride;
}

/* Is every loss one that a bucket filled at the mean rate would have made: tokens come with time
 * and go with the bytes that pass, and there are none left where a packet is lost. */
static void judge_bucket(const struct side *side, int64_t rtt_ns, struct loss_facts *facts)
{
    const struct loss_log *log = side->loss;

    if (log->count < BUCKET_EVENTS_LEAST || facts->segments < BUCKET_SEGMENTS_LEAST || rtt_ns <= 0)
        return;
    const struct loss_event *first = &log->events[0], *last = &log->events[log->count - 1];
    double span_ns = (double)last->passed_ns - (double)first->passed_ns;
    if (last->left <= first->left || span_ns < BUCKET_SPAN_ROUND_TRIPS * (double)rtt_ns)
        return;
    double per_ns = (double)(last->left - first->left) / span_ns;
    if (per_ns > BYTES_PER_NS_MOST)
        return;
    facts->steady_bytes_per_s = (uint64_t)(per_ns * 1e9);
    for (uint32_t i = 1; i + 1 < log->count; i++) { /* first and last are empty by definition */
        const struct loss_event *event = &log->events[i];
        double tokens = per_ns * ((double)event->passed_ns - (double)first->passed_ns) -
                        ((double)event->left - (double)first->left);
        facts->bucket_events++;
        facts->bucket_empty += fabs(tokens) <= BUCKET_ROUND_TRIPS * (double)rtt_ns * per_ns;
    }
}

/* How regular the events are, in bytes from one to the next: from the end of what was out, for all
 * that is lost before it is one event.  The first one, at the end of slow start, is not one of the
 * rest. */
static void judge_gaps(const struct loss_log *log, struct loss_facts *facts)
{
    double sum = 0, squares = 0;

    if (log->stride > 1 || log->count < 4)
        return;
    for (uint32_t i = 2; i < log->count; i++) {
        const uint64_t from = log->events[i - 1].recover, to = log->events[i].left;
        const double gap = to > from ? (double)(to - from) : 0;

        sum += gap;
        squares += gap * gap;
    }
    facts->gaps = log->count - 2;
    const double count = (double)facts->gaps, mean = sum / count;
    if (mean > 0)
        facts->gap_variation = sqrt(fmax(0, squares / count - mean * mean)) / mean;
}

/* How much was out each time: as much as path and queue take, or anything.  Without SACK a sender sends
 * again what was not lost, and the part that was is not known. */
static void judge_fills(const struct flow *flow, enum direction dir, struct loss_facts *facts)
{
    const struct loss_log *log = flow->detail->side[dir].loss;
    double sum = 0, squares = 0;

    if (log->count == 0) /* marks or late segments only */
        return;
    const struct loss_event *first = &log->events[0];
    if (first->slow_start && first->flight_bytes > 0 &&
        sender_facts(flow, dir, 0).sack_permitted)
        facts->overshoot_part = (double)first->segments * flow->half[dir].smss /
                                (double)first->flight_bytes;
    if (log->stride > 1)
        return;
    for (uint32_t i = 1; i < log->count; i++) {
        const double fill = (double)log->events[i].flight_bytes;

        sum += fill;
        squares += fill * fill;
    }
    facts->fills = log->count - 1;
    const double count = (double)facts->fills, mean = facts->fills > 0 ? sum / count : 0;
    if (mean > 0)
        facts->fill_variation = sqrt(fmax(0, squares / count - mean * mean)) / mean;
}

bool loss_summary(const struct flow *flow, enum direction dir, struct loss_facts *facts)
{
    const struct side *side = &flow->detail->side[dir];
    const struct loss_rounds *rounds = &side->loss_rounds;
    int64_t rtt_ns = flow_min_rtt_ns(flow);

    if (side->loss == NULL && rounds->jittery == 0)
        return false;
    loss_facts_clear(facts);
    if (side->loss != NULL) {
        *facts = side->loss->facts;
        judge_queues(side, rtt_ns, facts);
        judge_bucket(side, rtt_ns, facts);
        judge_gaps(side->loss, facts);
        judge_fills(flow, dir, facts);
    }
    if (rounds->peak_bytes_per_s > 0)
        facts->peak_bytes_per_s = rounds->peak_bytes_per_s;
    if (side->passed_most_bytes > 0)
        facts->passed_most_bytes = side->passed_most_bytes;
    facts->rounds_timed = rounds->timed;
    facts->rounds_jittery = rounds->jittery;
    return true;
}
