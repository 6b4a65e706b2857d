#include "analysis/replay/series.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

struct series {
    int64_t start_ns, bucket_ns;
    uint32_t count;
    int64_t limit_ns[LIMIT_COUNT]; /* of the replay, at the last departure */
    struct series_bucket buckets[SERIES_BUCKETS];
};

static void bucket_clear(struct series_bucket *bucket)
{
    memset(bucket, 0, sizeof *bucket);
    bucket->flight_min_bytes = bucket->rwnd_min_bytes = bucket->rtt_min_us = UINT32_MAX;
}

struct series *series_new(int64_t start_ns)
{
    struct series *series = xcalloc(1, sizeof *series);

    series->start_ns = start_ns;
    series->bucket_ns = SERIES_FIRST_BUCKET_NS;
    return series;
}

void series_free(struct series *series)
{
    free(series);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t clamp32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX - 1;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void bucket_merge(struct series_bucket *into, const struct series_bucket *from)
{
    into->bytes += from->bytes;
    into->flight_min_bytes = least(into->flight_min_bytes, from->flight_min_bytes);
    into->flight_max_bytes = most(into->flight_max_bytes, from->flight_max_bytes);
    into->rwnd_min_bytes = least(into->rwnd_min_bytes, from->rwnd_min_bytes);
    into->cwnd_bytes = most(into->cwnd_bytes, from->cwnd_bytes);
    into->rtt_min_us = least(into->rtt_min_us, from->rtt_min_us);
    into->rtt_max_us = most(into->rtt_max_us, from->rtt_max_us);
    into->retransmitted_segments += from->retransmitted_segments;
    for (int i = 0; i < LIMIT_COUNT; i++)
        into->limit_us[i] = clamp32((uint64_t)into->limit_us[i] + from->limit_us[i]);
}

static void halve(struct series *series)
{
    for (uint32_t i = 0; i < series->count; i++) {
        struct series_bucket bucket = series->buckets[i];
        if (i % 2 == 0)
            series->buckets[i / 2] = bucket;
        else
            bucket_merge(&series->buckets[i / 2], &bucket);
    }
    series->count = (series->count + 1) / 2;
    series->bucket_ns *= 2;
}

/* Bucket of a time; times before the start fall into the first. */
static struct series_bucket *bucket_at(struct series *series, int64_t time_ns)
{
    int64_t index = time_ns < series->start_ns ? 0 : (time_ns - series->start_ns) / series->bucket_ns;

    while (index >= (int64_t)SERIES_BUCKETS) {
        halve(series);
        index = (time_ns - series->start_ns) / series->bucket_ns;
    }
    while (series->count <= (uint32_t)index)
        bucket_clear(&series->buckets[series->count++]);
    return &series->buckets[index];
}

/* Give a bucketed time to a limit, evenly over the buckets that the span covers. */
static void spread(struct series *series, const struct held_decision *decision)
{
    bucket_at(series, decision->end_ns); /* merges first, so that the width stays */
    const int64_t width_ns = series->bucket_ns, span_ns = decision->end_ns - decision->start_ns;
    int64_t from_ns = decision->start_ns, left_us = decision->part_ns / 1000;

    while (left_us > 0) {
        struct series_bucket *bucket = bucket_at(series, from_ns);
        int64_t next_ns = from_ns < series->start_ns
                              ? series->start_ns
                              : from_ns + width_ns - (from_ns - series->start_ns) % width_ns;
        int64_t part_us = left_us;
        if (next_ns < decision->end_ns) {
            part_us = (int64_t)((double)(next_ns - from_ns) / (double)span_ns *
                                (double)decision->part_ns / 1000);
            part_us = part_us < left_us ? part_us : left_us;
        }
        bucket->limit_us[decision->limit] =
            clamp32((uint64_t)bucket->limit_us[decision->limit] + (uint64_t)part_us);
        left_us -= part_us;
        if (next_ns >= decision->end_ns)
            break;
        from_ns = next_ns;
    }
}

void series_limits(struct series *series, struct replay *replay, int64_t time_ns)
{
    if (series == NULL) {
        replay->decision_count = 0;
        return;
    }
    for (uint32_t i = 0; i < replay->decision_count; i++) {
        const struct held_decision *decision = &replay->decisions[i];
        spread(series, decision);
        series->limit_ns[decision->limit] += decision->part_ns / 1000 * 1000;
    }
    replay->decision_count = 0;
    struct series_bucket *bucket = bucket_at(series, time_ns);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        int64_t whole_us = (replay->limit_ns[i] - series->limit_ns[i]) / 1000;
        bucket->limit_us[i] = clamp32(bucket->limit_us[i] + (uint64_t)whole_us);
        series->limit_ns[i] += whole_us * 1000; /* the rest counts with the next departure */
    }
}

void series_departure(struct series *series, int64_t time_ns, const struct replay *replay,
                      uint64_t bytes, uint64_t flight_bytes)
{
    if (series == NULL)
        return;
    struct series_bucket *bucket = bucket_at(series, time_ns);
    bucket->bytes += bytes;
    bucket->flight_min_bytes = least(bucket->flight_min_bytes, clamp32(flight_bytes));
    bucket->flight_max_bytes = most(bucket->flight_max_bytes, clamp32(flight_bytes));
    if (replay->edge > replay->una)
        bucket->rwnd_min_bytes = least(bucket->rwnd_min_bytes, clamp32(replay->edge - replay->una));
    else if (replay->edge != 0)
        bucket->rwnd_min_bytes = 0;
}

void series_rtt(struct series *series, int64_t time_ns, int64_t rtt_ns)
{
    if (series == NULL)
        return;
    struct series_bucket *bucket = bucket_at(series, time_ns);
    uint32_t us = clamp32((uint64_t)(rtt_ns < 0 ? 0 : rtt_ns / 1000));
    bucket->rtt_min_us = least(bucket->rtt_min_us, us);
    bucket->rtt_max_us = most(bucket->rtt_max_us, us);
}

void series_retransmission(struct series *series, int64_t time_ns, uint32_t segments)
{
    if (series != NULL)
        bucket_at(series, time_ns)->retransmitted_segments += segments;
}

void series_get(const struct series *series, struct series_result *out)
{
    *out = (struct series_result){0};
    if (series == NULL)
        return;
    out->start_ns = series->start_ns;
    out->bucket_ns = series->bucket_ns;
    out->count = series->count;
    out->buckets = series->buckets;
}
