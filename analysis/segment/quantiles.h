/* Percentiles of time samples in bounded memory: the first 32 exactly, then a log-linear histogram
 * of what is above a base, near the smallest sample, in 16 cells an octave (at most 3.1 % of that off:
 * half a cell).  So a small queue shows above a long path. */
#ifndef TCPWHY_ANALYSIS_QUANTILES_H
#define TCPWHY_ANALYSIS_QUANTILES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/result.h"

#define QUANTILES_EXACT 32u

struct quantiles {
    uint64_t samples;
    int64_t min_ns, max_ns;
    uint32_t exact_us[QUANTILES_EXACT];
    uint32_t base_us; /* of the cells */
    uint32_t *cells; /* NULL until more than QUANTILES_EXACT samples */
};

/* Add a sample; negative ones count as 0. */
void quantiles_add(struct quantiles *q, int64_t sample_ns);
/* Summary with all fields NS_UNKNOWN when there is no sample. */
void quantiles_summary(const struct quantiles *q, struct sample_summary *out);
void quantiles_free(struct quantiles *q);

#endif
