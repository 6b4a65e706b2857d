#include "analysis/segment/quantiles.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

#define CELLS_AN_OCTAVE 16u
#define OCTAVES 28u /* 16 us cells up to 2^32 us */
#define CELLS ((OCTAVES + 1) * CELLS_AN_OCTAVE)

/* Cell of a value in microseconds: linear below 16, then 16 an octave. */
static uint32_t cell_of(uint32_t us)
{
    if (us < CELLS_AN_OCTAVE)
        return us;
    uint32_t octave = 31 - (uint32_t)__builtin_clz(us); /* >= 4 */
    return (octave - 3) * CELLS_AN_OCTAVE + ((us >> (octave - 4)) & (CELLS_AN_OCTAVE - 1));
}

/* Middle of a cell, in nanoseconds. */
static int64_t cell_middle_ns(uint32_t cell)
{
    if (cell < CELLS_AN_OCTAVE)
        return (int64_t)cell * 1000 + 500;
    uint32_t octave = cell / CELLS_AN_OCTAVE + 3;
    int64_t width_ns = ((int64_t)1 << (octave - 4)) * 1000;
    return (int64_t)(CELLS_AN_OCTAVE + cell % CELLS_AN_OCTAVE) * width_ns + width_ns / 2;
}

/* The base must be no higher than a value: what the cells hold moves up by the difference.  It falls
 * by a part of itself at least, so that few values ever move it. */
static void lower_base(struct quantiles *q, uint32_t us)
{
    uint32_t need_us = q->base_us - us, spare_us = q->base_us / 1024;
    uint32_t by_us = spare_us > us ? q->base_us : need_us + spare_us;
    uint32_t *moved = xcalloc(CELLS, sizeof *moved);

    for (uint32_t i = 0; i < CELLS; i++) {
        uint64_t value_us = (uint64_t)(cell_middle_ns(i) / 1000) + by_us;
        moved[cell_of(value_us > UINT32_MAX ? UINT32_MAX : (uint32_t)value_us)] += q->cells[i];
    }
    free(q->cells);
    q->cells = moved;
    q->base_us -= by_us;
}

/* Cells begin at the smallest of the first samples. */
static void begin_cells(struct quantiles *q)
{
    q->cells = xcalloc(CELLS, sizeof *q->cells);
    q->base_us = (uint32_t)(q->min_ns / 1000 < UINT32_MAX ? q->min_ns / 1000 : UINT32_MAX);
    for (uint32_t i = 0; i < QUANTILES_EXACT; i++)
        q->cells[cell_of(q->exact_us[i] - q->base_us)]++;
}

void quantiles_add(struct quantiles *q, int64_t sample_ns)
{
    if (sample_ns < 0)
        sample_ns = 0;
    int64_t whole_us = sample_ns / 1000;
    uint32_t us = whole_us > UINT32_MAX ? UINT32_MAX : (uint32_t)whole_us;

    if (q->samples >= QUANTILES_EXACT && q->cells == NULL)
        begin_cells(q);
    if (q->samples == 0 || sample_ns < q->min_ns)
        q->min_ns = sample_ns;
    if (q->samples == 0 || sample_ns > q->max_ns)
        q->max_ns = sample_ns;
    if (q->samples < QUANTILES_EXACT) {
        q->exact_us[q->samples++] = us;
        return;
    }
    if (us < q->base_us)
        lower_base(q, us);
    q->cells[cell_of(us - q->base_us)]++;
    q->samples++;
}

static int compare_u32(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Smallest value with at least share_pct of the samples at or below it. */
static int64_t quantile(const struct quantiles *q, unsigned share_pct)
{
    uint64_t rank = (q->samples * share_pct + 99) / 100;

    if (rank == 0)
        rank = 1;
    if (q->cells == NULL) {
        uint32_t sorted[QUANTILES_EXACT];
        memcpy(sorted, q->exact_us, q->samples * sizeof sorted[0]);
        qsort(sorted, q->samples, sizeof sorted[0], compare_u32);
        return (int64_t)sorted[rank - 1] * 1000;
    }
    uint64_t seen = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        seen += q->cells[i];
        if (seen >= rank)
            return (int64_t)q->base_us * 1000 + cell_middle_ns(i);
    }
    return q->max_ns;
}

/* A percentile never lies outside the exact extremes. */
static int64_t within(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

void quantiles_summary(const struct quantiles *q, struct sample_summary *out)
{
    out->samples = q->samples;
    out->min_ns = out->p50_ns = out->p95_ns = out->max_ns = NS_UNKNOWN;
    if (q->samples == 0)
        return;
    out->min_ns = q->min_ns;
    out->max_ns = q->max_ns;
    out->p50_ns = within(quantile(q, 50), q->min_ns, q->max_ns);
    out->p95_ns = within(quantile(q, 95), q->min_ns, q->max_ns);
}

void quantiles_free(struct quantiles *q)
{
    free(q->cells);
    q->cells = NULL;
}
