#include "analysis/facts/streams.h"

#include <stdlib.h>
#include <string.h>

static int compare_hosts(const struct stream *a, const struct stream *b)
{
    int order = memcmp(&a->sender, &b->sender, sizeof a->sender);

    return order != 0 ? order : memcmp(&a->receiver, &b->receiver, sizeof a->receiver);
}

static int by_hosts(const void *a, const void *b)
{
    return compare_hosts(a, b);
}

static int64_t overlap_ns(const struct stream *a, const struct stream *b)
{
    int64_t from = a->start_ns > b->start_ns ? a->start_ns : b->start_ns;
    int64_t a_end = a->start_ns + a->span_ns, b_end = b->start_ns + b->span_ns;
    int64_t to = a_end < b_end ? a_end : b_end;

    return to > from ? to - from : 0;
}

/* Match a stream with those of its group, itself among them. */
static void match_one(struct stream *stream, const struct stream *group, size_t count)
{
    double bytes = 0;

    stream->parallel = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t shared_ns = overlap_ns(stream, &group[i]);

        stream->parallel += shared_ns >= stream->span_ns / 2 && shared_ns > 0;
        bytes += (double)group[i].bytes * ((double)shared_ns / (double)group[i].span_ns);
    }
    stream->bytes_per_s = bytes * 1e9 / (double)stream->span_ns;
}

void streams_match(struct stream *streams, size_t count)
{
    size_t first = 0;

    if (count > 0)
        qsort(streams, count, sizeof *streams, by_hosts);
    while (first < count) {
        size_t end = first + 1;

        while (end < count && compare_hosts(&streams[first], &streams[end]) == 0)
            end++;
        for (size_t i = first; i < end; i++)
            match_one(&streams[i], &streams[first], end - first);
        first = end;
    }
}
