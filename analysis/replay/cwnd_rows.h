/* The course of a congestion window in at most 512 rows: rows that say least are merged when there
 * are more. */
#ifndef TCPWHY_ANALYSIS_CWND_ROWS_H
#define TCPWHY_ANALYSIS_CWND_ROWS_H

#include "analysis/cwnd_facts.h"

#define CWND_ROWS_MAX 512u

struct cwnd_rows;

struct cwnd_rows *cwnd_rows_new(void);
void cwnd_rows_free(struct cwnd_rows *rows);

/* Append a row, not earlier than the last one; one of the same time replaces it.  least_bytes is
 * what counts as a step: a larger rise, not seen to be gradual, is kept as one. */
void cwnd_rows_add(struct cwnd_rows *rows, const struct cwnd_row *row, double least_bytes);
/* It is known now that no row so far can be above most_bytes. */
void cwnd_rows_cut(struct cwnd_rows *rows, double most_bytes);
/* It is known now that no row from a time on can be below least_bytes (upper bounds a segment
 * above). */
void cwnd_rows_raise(struct cwnd_rows *rows, int64_t from_ns, double least_bytes, double segment);

/* What there is; NULL rows have none. */
void cwnd_rows_get(const struct cwnd_rows *rows, struct cwnd_series *out);

#endif
