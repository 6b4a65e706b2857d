/* What remains of a flow's detail when it has ended, packed: most of its numbers are 0 for most
 * flows, and a million flows must fit. */
#ifndef TCPWHY_ANALYSIS_SUMMARY_H
#define TCPWHY_ANALYSIS_SUMMARY_H

#include "analysis/connection/detail.h"

struct summary;

/* Summary of a flow with detail.  Takes over its series.  Owned by the caller until summary_free. */
struct summary *summary_make(struct flow *flow);
void summary_free(struct summary *summary);

/* Add a flow's bytes of data and gaps and its super-segments to the counts of all flows. */
void summary_count(const struct flow *flow, struct analysis_counts *counts);

/* The result of a flow, from its record and its summary (NULL = it had no detail). */
void summary_result(const struct flow *flow, struct flow_result *out);

#endif
