#include "analysis/replay/bottleneck.h"

#include "analysis/replay/rounds.h"

/* A queue stands when even the quickest segment of a round met it: 1.2 times the empty round trip,
 * and 1.25 for the whole round (the tree of the TCP diagnostic tool takes 1.2). */
#define QUEUED_LEAST 1.2
#define ROUND_LONG 1.25
/* Segments in the queue: beta of TCP Vegas (Brakmo, Peterson, JSAC 13(8) 1995). */
#define QUEUE_SEGMENTS 4
/* The rate is at its ceiling within 10 % of the largest lately, and holds the capacity within 5 %. */
#define AT_CEILING 0.9
#define AT_CAPACITY 0.95
#define OFF_CAPACITY 0.10
#define STRAYS_MOST 3u
/* A flight smaller by a tenth that gave the same rate, but for a quarter of that tenth. */
#define LESS_FLIGHT 0.9
#define ELASTICITY_MOST 0.25
/* Rounds after which half of the memory of the capacity is dropped. */
#define FADE_ROUNDS 64u
#define ROUND_SHORT 0.75
/* A train of eight segments and more, acknowledged within half of the path's round trip, came apart
 * at the bottleneck (Dovrolis, Ramanathan, Moore, INFOCOM 2001); a tenth off is its error. */
#define TRAIN_SEGMENTS 8
#define TRAIN_LONG 0.5
#define TRAIN_ERROR 0.10
#define NS_PER_S 1e9

void bottleneck_init(struct bottleneck *b)
{
    *b = (struct bottleneck){.previous_rate = -1, .rate_max = -1, .train_rate = -1};
}

static double round_seconds(const struct round *round)
{
    return (double)(round->end_ns - round->start_ns) / NS_PER_S;
}

double bottleneck_round_rate(const struct round *round, int64_t min_rtt_ns)
{
    const double seconds = round_seconds(round);

    /* a burst's round that is shorter than the path shows how the burst came apart on it */
    if (min_rtt_ns == NS_UNKNOWN || seconds < ROUND_SHORT * (double)min_rtt_ns / NS_PER_S ||
        seconds <= 0 || round->recovery)
        return -1;
    return (double)(round->una_end - round->una_start) / seconds;
}

double bottleneck_bytes_per_s(const struct bottleneck *b)
{
    return b->confirmed && b->queued_s > 0 ? b->queued_bytes / b->queued_s : -1;
}

/* True when the round met a queue of its own length from beginning to end. */
static bool queue_stands(const struct round *round, int64_t min_rtt_ns, uint32_t smss)
{
    const double empty = (double)min_rtt_ns, length = (double)(round->end_ns - round->start_ns);
    const double bytes = (double)(round->una_end - round->una_start);

    return round->rtt_min_ns != NS_UNKNOWN && (double)round->rtt_min_ns > QUEUED_LEAST * empty &&
           length > ROUND_LONG * empty && bytes * (1 - empty / length) >= QUEUE_SEGMENTS * smss;
}

static double recent_max(const struct bottleneck *b)
{
    double most = -1;

    for (uint32_t i = 0; i < BOTTLENECK_ROUNDS && i < b->count; i++)
        if (b->recent[i].bytes > most * b->recent[i].seconds)
            most = b->recent[i].bytes / b->recent[i].seconds;
    return most;
}

/* True when a smaller flight lately gave the same rate: the path, not the flight, sets it. */
static bool rate_is_inelastic(const struct bottleneck *b, double bytes, double rate)
{
    for (uint32_t i = 0; i < BOTTLENECK_ROUNDS && i < b->count; i++) {
        const struct bottleneck_sample *old = &b->recent[i];
        const double part = old->bytes / bytes;

        if (part <= LESS_FLIGHT &&
            old->bytes / old->seconds >= rate * (1 - ELASTICITY_MOST * (1 - part)))
            return true;
    }
    return false;
}

/* The first train of the flow tells how it came apart. */
static void take_train(struct bottleneck *b, const struct round *round, int64_t min_rtt_ns,
                       uint32_t smss)
{
    const double bytes = (double)(round->una_end - round->una_start);
    const double seconds = round_seconds(round);

    if (b->train_rate < 0 && min_rtt_ns > 0 && !round->recovery && seconds > 0 &&
        bytes >= TRAIN_SEGMENTS * (double)smss &&
        seconds < TRAIN_LONG * (double)min_rtt_ns / NS_PER_S)
        b->train_rate = bytes / seconds;
}

static bool rate_is_of_train(const struct bottleneck *b, double rate)
{
    return b->train_rate > 0 && rate >= (1 - TRAIN_ERROR) * b->train_rate &&
           rate <= (1 + TRAIN_ERROR) * b->train_rate;
}

static void learn_capacity(struct bottleneck *b, double bytes, double seconds)
{
    if (b->queued_rounds > 0 && b->queued_rounds % FADE_ROUNDS == 0) {
        b->queued_bytes /= 2;
        b->queued_s /= 2;
    }
    b->queued_rounds++;
    b->queued_bytes += bytes;
    b->queued_s += seconds;
}

/* Another path, or other traffic on it: forget the capacity that no longer holds. */
static void doubt_capacity(struct bottleneck *b, double rate)
{
    const double mean = b->queued_s > 0 ? b->queued_bytes / b->queued_s : -1;

    if (mean < 0 || (rate >= (1 - OFF_CAPACITY) * mean && rate <= (1 + OFF_CAPACITY) * mean)) {
        b->strays = 0;
        return;
    }
    if (++b->strays < STRAYS_MOST)
        return;
    b->queued_bytes = b->queued_s = 0;
    b->queued_rounds = b->strays = 0;
    b->confirmed = false;
}

static void remember(struct bottleneck *b, double bytes, double seconds)
{
    const double rate = bytes / seconds;
    const double lower = rate < b->previous_rate ? rate : b->previous_rate;

    b->recent[b->count++ % BOTTLENECK_ROUNDS] = (struct bottleneck_sample){bytes, seconds};
    if (lower > b->rate_max)
        b->rate_max = lower;
    b->previous_rate = rate;
}

enum bottleneck_state bottleneck_take(struct bottleneck *b, const struct round *round,
                                      int64_t min_rtt_ns, uint32_t smss)
{
    const double rate = bottleneck_round_rate(round, min_rtt_ns), seconds = round_seconds(round);
    const double bytes = (double)(round->una_end - round->una_start);
    const bool after_repair = b->after_repair;
    enum bottleneck_state state = BOTTLENECK_FREE;

    b->after_repair = round->recovery;
    take_train(b, round, min_rtt_ns, smss);
    if (rate <= 0 || after_repair)
        return BOTTLENECK_FREE;
    const bool queued = queue_stands(round, min_rtt_ns, smss);
    if (queued && rate >= AT_CEILING * recent_max(b)) {
        doubt_capacity(b, rate);
        learn_capacity(b, bytes, seconds);
        b->confirmed = b->confirmed || rate_is_of_train(b, rate) ||
                       rate_is_inelastic(b, bytes, rate);
        state = b->confirmed ? BOTTLENECK_FULL : BOTTLENECK_UNCERTAIN;
    } else if (round->unplaced && rate_is_of_train(b, rate)) {
        /* the queue lies between sender and tap: only the rate shows it */
        doubt_capacity(b, rate);
        learn_capacity(b, bytes, seconds);
        b->confirmed = true;
        state = BOTTLENECK_FULL;
    } else if (b->confirmed && rate >= AT_CAPACITY * b->queued_bytes / b->queued_s) {
        doubt_capacity(b, rate);
        state = BOTTLENECK_FULL;
    }
    remember(b, bytes, seconds);
    return state;
}
