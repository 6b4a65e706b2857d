/* series of a direction: a row for each bucket, with the names of its columns once. */
#include "report/json.h"

#include "report/json_value.h"

static json_t *count_unless(uint32_t value, uint32_t unknown)
{
    return value == unknown ? json_null() : json_integer(value);
}

static json_t *ms_unless(uint32_t us, bool unknown)
{
    return unknown ? json_null() : json_real((double)us / 1e3);
}

/* The limit that owns most of a bucket; null when none owns any of it. */
static json_t *largest_limit(const struct series_bucket *b)
{
    int largest = 0;

    for (int i = 1; i < LIMIT_COUNT; i++)
        if (b->limit_us[i] > b->limit_us[largest])
            largest = i;
    if (b->limit_us[largest] == 0)
        return json_null();
    return json_string_nocheck(limit_name((enum limit)largest));
}

static json_t *series_row(const struct series_bucket *b, int64_t start_ns)
{
    const bool no_rtt = b->rtt_min_us == UINT32_MAX, no_flight = b->flight_min_bytes == UINT32_MAX;
    json_t *row = json_array();

    json_array_append_new(row, start_ns < 0 ? json_null() : json_real((double)start_ns / 1e9));
    json_array_append_new(row, json_integer((json_int_t)b->bytes));
    json_array_append_new(row, count_unless(b->flight_min_bytes, UINT32_MAX));
    json_array_append_new(row, no_flight ? json_null() : json_integer(b->flight_max_bytes));
    json_array_append_new(row, count_unless(b->rwnd_min_bytes, UINT32_MAX));
    json_array_append_new(row, count_unless(b->cwnd_bytes, 0));
    json_array_append_new(row, ms_unless(b->rtt_min_us, no_rtt));
    json_array_append_new(row, ms_unless(b->rtt_max_us, no_rtt));
    json_array_append_new(row, json_integer(b->retransmitted_segments));
    json_array_append_new(row, largest_limit(b));
    return row;
}

json_t *json_series(const struct view *view, const struct series_result *series)
{
    static const char *const columns[] = {
        "t_s",        "bytes",      "flight_min_bytes", "flight_max_bytes", "rwnd_min_bytes",
        "cwnd_bytes", "rtt_min_ms", "rtt_max_ms",       "retransmitted_segments", "limit",
    };
    const int64_t start_ns = view_since_start(view, series->start_ns);
    json_t *out, *names, *rows;

    if (series->count == 0)
        return json_null();
    out = json_object();
    names = json_array();
    rows = json_array();
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        json_array_append_new(names, json_string_nocheck(columns[i]));
    for (uint32_t i = 0; i < series->count; i++)
        json_array_append_new(rows, series_row(&series->buckets[i],
                                               start_ns + (int64_t)i * series->bucket_ns));
    json_put_seconds(out, "bucket_s", series->bucket_ns);
    json_put(out, "columns", names);
    json_put(out, "rows", rows);
    return out;
}
