/* The course of a transfer in a few bins, and the one change of its rate that splits it best: a
 * cache or buffer that was full, after which a disk sets the pace. */
#ifndef TCPWHY_ANALYSIS_KNEE_H
#define TCPWHY_ANALYSIS_KNEE_H

#include "analysis/moves_facts.h"
#include "analysis/replay/rounds.h"

#define KNEE_BINS 32u
#define KNEE_FIRST_BIN_NS ((int64_t)10000000)

struct knee_bin {
    float bytes;                       /* delivered */
    float closed_ns, app_ns, repair_ns;
    uint64_t frame;                    /* first departure of a round that began here, 0 = none */
};

/* Covers the time from the first round on; when the bins are full, neighbours merge and their width
 * doubles. */
struct knee {
    int64_t start_ns, end_ns, width_ns; /* replay clock; width 0 = nothing yet */
    struct knee_bin bins[KNEE_BINS];
};

/* Take a closed round trip: what it delivered and waited for is spread evenly over its time. */
void knee_round(struct knee *knee, const struct round *round);

/* The split: two levels of rate with the least squares of deviation.  Leaves *out zeroed with fewer
 * than eight bins. */
void knee_find(const struct knee *knee, struct moves_knee *out);

#endif
