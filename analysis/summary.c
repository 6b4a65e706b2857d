#include "analysis/summary.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/series.h"
#include "analysis/summary_fill.h"
#include "xmalloc.h"

/* Packed form: a bitmap of the 32-bit words of struct flow_facts that are not 0, then those. */
#define WORDS (sizeof(struct flow_facts) / sizeof(uint32_t))
#define BITMAP_WORDS ((WORDS + 31) / 32)

struct summary {
    struct series *series[2];
    uint32_t packed[];
};

struct summary *summary_make(struct flow *flow)
{
    struct flow_facts facts;
    uint32_t words[WORDS], kept[WORDS + BITMAP_WORDS];
    size_t count = BITMAP_WORDS;

    memset(&facts, 0, sizeof facts); /* padding too: it is packed with the rest */
    summary_fill(flow, &facts);
    memcpy(words, &facts, sizeof facts);
    memset(kept, 0, BITMAP_WORDS * sizeof kept[0]);
    for (size_t i = 0; i < WORDS; i++) {
        if (words[i] == 0)
            continue;
        kept[i / 32] |= (uint32_t)1 << (i % 32);
        kept[count++] = words[i];
    }
    struct summary *summary = xmalloc(sizeof *summary + count * sizeof kept[0]);
    memcpy(summary->packed, kept, count * sizeof kept[0]);
    for (int dir = 0; dir < 2; dir++) {
        summary->series[dir] = flow->detail->side[dir].series;
        flow->detail->side[dir].series = NULL;
    }
    return summary;
}

void summary_free(struct summary *summary)
{
    if (summary == NULL)
        return;
    series_free(summary->series[C2S]);
    series_free(summary->series[S2C]);
    free(summary);
}

static void unpack(const struct summary *summary, struct flow_facts *facts)
{
    uint32_t words[WORDS] = {0};
    const uint32_t *next = summary->packed + BITMAP_WORDS;

    for (size_t i = 0; i < WORDS; i++)
        if ((summary->packed[i / 32] >> (i % 32) & 1) != 0)
            words[i] = *next++;
    memcpy(facts, words, sizeof *facts);
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
    for (int dir = 0; dir < 2; dir++)
        series_get(flow->summary->series[dir], &out->series[dir]);
}
