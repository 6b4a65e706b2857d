#include "analysis/connection/summary.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/replay/cwnd_rows.h"
#include "analysis/replay/series.h"
#include "analysis/connection/summary_fill.h"
#include "xmalloc.h"

/* Packed form: a bitmap of the 64-bit words of struct flow_facts that are not 0, then those. */
#define WORDS (sizeof(struct flow_facts) / sizeof(uint64_t))
#define BITMAP_WORDS ((WORDS + 63) / 64)
_Static_assert(sizeof(struct flow_facts) % sizeof(uint64_t) == 0, "facts are whole words");

struct summary {
    struct series *series[2];
    struct cwnd_rows *cwnd_rows[2];
    uint64_t data_bytes, gap_bytes, super_segments; /* both directions */
    uint64_t packed[];
};

/* Pack words; returns how many stand in kept, the bitmap first. */
static size_t pack(const uint64_t words[WORDS], uint64_t kept[WORDS + BITMAP_WORDS])
{
    size_t count = BITMAP_WORDS;

    for (size_t block = 0; block < BITMAP_WORDS; block++) {
        const size_t left = WORDS - block * 64, size = left < 64 ? left : 64;
        uint64_t bits = 0;

        for (size_t i = 0; i < size; i++) {
            const uint64_t word = words[block * 64 + i];
            kept[count] = word; /* stays when it is not 0 */
            count += word != 0;
            bits |= (uint64_t)(word != 0) << i;
        }
        kept[block] = bits;
    }
    return count;
}

static void add_counts(const struct flow *flow, const struct flow_facts *facts,
                       struct summary *summary)
{
    summary->data_bytes = summary->gap_bytes = summary->super_segments = 0;
    for (int dir = 0; dir < 2; dir++) {
        const struct side_facts *side = &facts->side[dir];
        summary->data_bytes += summary_data_bytes(&flow->half[dir], side);
        summary->gap_bytes += side->gap_bytes;
        summary->super_segments += side->counts.super_segments;
    }
}

struct summary *summary_make(struct flow *flow)
{
    struct flow_facts facts;
    uint64_t words[WORDS], kept[WORDS + BITMAP_WORDS];

    memset(&facts, 0, sizeof facts); /* padding too: it is packed with the rest */
    summary_fill(flow, &facts);
    memcpy(words, &facts, sizeof facts);
    size_t count = pack(words, kept);
    struct summary *summary = xmalloc(sizeof *summary + count * sizeof kept[0]);
    memcpy(summary->packed, kept, count * sizeof kept[0]);
    add_counts(flow, &facts, summary);
    for (int dir = 0; dir < 2; dir++) {
        summary->series[dir] = flow->detail->side[dir].series;
        flow->detail->side[dir].series = NULL;
        summary->cwnd_rows[dir] = flow->detail->side[dir].replay.cwnd.rows;
        flow->detail->side[dir].replay.cwnd.rows = NULL;
    }
    return summary;
}

void summary_free(struct summary *summary)
{
    if (summary == NULL)
        return;
    series_free(summary->series[C2S]);
    series_free(summary->series[S2C]);
    cwnd_rows_free(summary->cwnd_rows[C2S]);
    cwnd_rows_free(summary->cwnd_rows[S2C]);
    free(summary);
}

static void unpack(const struct summary *summary, struct flow_facts *facts)
{
    uint64_t words[WORDS] = {0};
    const uint64_t *next = summary->packed + BITMAP_WORDS;

    for (size_t block = 0; block < BITMAP_WORDS; block++)
        for (uint64_t bits = summary->packed[block]; bits != 0; bits &= bits - 1)
            words[block * 64 + (size_t)__builtin_ctzll(bits)] = *next++;
    memcpy(facts, words, sizeof *facts);
}

void summary_count(const struct flow *flow, struct analysis_counts *counts)
{
    const struct summary *summary = flow->summary;

    if (summary == NULL) {
        counts->data_bytes += summary_data_bytes(&flow->half[C2S], NULL);
        counts->data_bytes += summary_data_bytes(&flow->half[S2C], NULL);
        return;
    }
    counts->data_bytes += summary->data_bytes;
    counts->gap_bytes += summary->gap_bytes;
    counts->super_segments += summary->super_segments;
}

void summary_result(const struct flow *flow, struct flow_result *out)
{
    struct flow_facts facts;

    memset(out, 0, sizeof *out);
    if (flow->summary == NULL) {
        summary_assemble(flow, NULL, out);
        return;
    }
    unpack(flow->summary, &facts);
    summary_assemble(flow, &facts, out);
    for (int dir = 0; dir < 2; dir++) {
        series_get(flow->summary->series[dir], &out->series[dir]);
        cwnd_rows_get(flow->summary->cwnd_rows[dir], &out->cwnd_series[dir]);
    }
}
