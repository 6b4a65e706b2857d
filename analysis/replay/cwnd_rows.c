#include "analysis/replay/cwnd_rows.h"

#include <stdbool.h>
#include <stdlib.h>

#include "xmalloc.h"

/* A merge leaves at most this many, so that merges are rare. */
#define ROWS_AFTER_MERGE (CWND_ROWS_MAX * 3 / 4)

struct cwnd_rows {
    uint32_t count;
    double tolerance_bytes; /* of the last merge */
    struct cwnd_row row[CWND_ROWS_MAX];
};

struct cwnd_rows *cwnd_rows_new(void)
{
    return xcalloc(1, sizeof(struct cwnd_rows));
}

void cwnd_rows_free(struct cwnd_rows *rows)
{
    free(rows);
}

/* How far the estimate of b is from the line between its neighbours, which a reader would draw. */
static double bend_bytes(const struct cwnd_row *a, const struct cwnd_row *b,
                         const struct cwnd_row *c)
{
    double from = (double)a->estimate_bytes, to = (double)c->estimate_bytes;
    double at = (double)b->estimate_bytes, line = from;

    if (to > from && c->t_ns > a->t_ns)
        line += (to - from) * (double)(b->t_ns - a->t_ns) / (double)(c->t_ns - a->t_ns);
    return at > line ? at - line : line - at;
}

static void widen(struct cwnd_row *into, const struct cwnd_row *from)
{
    if (from->low_bytes < into->low_bytes)
        into->low_bytes = from->low_bytes;
    if (from->high_bytes > into->high_bytes)
        into->high_bytes = from->high_bytes;
}

/* Drop rows whose absence moves the line by no more than the tolerance. */
static void thin(struct cwnd_rows *rows)
{
    uint32_t kept = 1;

    for (uint32_t i = 1; i + 1 < rows->count; i++) {
        const struct cwnd_row *row = &rows->row[i];
        struct cwnd_row *before = &rows->row[kept - 1];
        bool same = before->state == row->state && before->ssthresh_bytes == row->ssthresh_bytes;
        if (same && bend_bytes(before, row, &rows->row[i + 1]) <= rows->tolerance_bytes)
            widen(before, row);
        else
            rows->row[kept++] = *row;
    }
    rows->row[kept++] = rows->row[rows->count - 1];
    rows->count = kept;
}

/* When each row is a change of its own, every second one goes; the one before keeps its bounds. */
static void halve(struct cwnd_rows *rows)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < rows->count; i++) {
        if (i % 2 == 0)
            rows->row[kept++] = rows->row[i];
        else
            widen(&rows->row[kept - 1], &rows->row[i]);
    }
    rows->count = kept;
}

static void merge(struct cwnd_rows *rows, double least_bytes)
{
    if (rows->tolerance_bytes < least_bytes / 8)
        rows->tolerance_bytes = least_bytes / 8;
    for (int tries = 0; rows->count > ROWS_AFTER_MERGE && tries < 10; tries++) {
        thin(rows);
        if (rows->count > ROWS_AFTER_MERGE)
            rows->tolerance_bytes *= 2;
    }
    if (rows->count > ROWS_AFTER_MERGE)
        halve(rows);
}

static void append(struct cwnd_rows *rows, const struct cwnd_row *row, double least_bytes)
{
    struct cwnd_row *last = rows->count > 0 ? &rows->row[rows->count - 1] : NULL;

    if (last != NULL && row->t_ns <= last->t_ns) {
        int64_t t_ns = last->t_ns;
        *last = *row;
        last->t_ns = t_ns;
        return;
    }
    if (rows->count == CWND_ROWS_MAX)
        merge(rows, least_bytes);
    rows->row[rows->count++] = *row;
}

void cwnd_rows_add(struct cwnd_rows *rows, const struct cwnd_row *row, double least_bytes)
{
    if (rows->count > 0) {
        struct cwnd_row hold = rows->row[rows->count - 1];
        if ((double)row->estimate_bytes > (double)hold.estimate_bytes + least_bytes * 1.01 &&
            row->t_ns - hold.t_ns > 1000) {
            hold.t_ns = row->t_ns - 1000;
            append(rows, &hold, least_bytes);
        }
    }
    append(rows, row, least_bytes);
}

void cwnd_rows_cut(struct cwnd_rows *rows, double most_bytes)
{
    uint64_t most = (uint64_t)most_bytes;

    for (uint32_t i = 0; i < rows->count; i++) {
        struct cwnd_row *row = &rows->row[i];
        if (row->high_bytes > most)
            row->high_bytes = most;
        if (row->estimate_bytes > most)
            row->estimate_bytes = most;
        if (row->low_bytes > most)
            row->low_bytes = most;
    }
}

void cwnd_rows_raise(struct cwnd_rows *rows, int64_t from_ns, double least_bytes, double segment)
{
    uint64_t least = (uint64_t)least_bytes, high = (uint64_t)(least_bytes + segment);

    for (uint32_t i = rows->count; i > 0 && rows->row[i - 1].t_ns >= from_ns; i--) {
        struct cwnd_row *row = &rows->row[i - 1];
        if (row->estimate_bytes >= least)
            continue;
        row->estimate_bytes = least;
        row->low_bytes = least - (uint64_t)segment > least ? 0 : least - (uint64_t)segment;
        if (row->high_bytes < high)
            row->high_bytes = high;
    }
}

void cwnd_rows_get(const struct cwnd_rows *rows, struct cwnd_series *out)
{
    *out = (struct cwnd_series){0};
    if (rows == NULL)
        return;
    out->count = rows->count;
    out->rows = rows->row;
}
