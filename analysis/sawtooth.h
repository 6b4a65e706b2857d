/* The sawtooth of a congestion window: what its falls and the growth between them have in common,
 * and which congestion control behaves like that. */
#ifndef TCPWHY_ANALYSIS_SAWTOOTH_H
#define TCPWHY_ANALYSIS_SAWTOOTH_H

#include <stdbool.h>

#include "analysis/cwnd_facts.h"
#include "analysis/cwnd_model.h"

struct sawtooth {
    uint32_t falls, valleys, after_rtt_growth, clean;
    uint32_t votes[CWND_LAWS], other_votes; /* clean falls that ended where a law says */
    int64_t first_ns, last_ns;
    double peak_sum, valley_sum;            /* bytes */
    double growth_sum;                      /* segments in rounds of avoidance */
    uint64_t growth_rounds;
    int64_t round_sum_ns;
    uint64_t rounds;
    uint64_t first_offset, last_offset;     /* stream offset at the first and last fall */
};

/* A fall met at peak bytes; slow_start: it ended the first slow start and is no part of it. */
void sawtooth_fall(struct sawtooth *s, int64_t time_ns, uint64_t offset, bool rtt_grew);
/* Where it fell from and to, in segments; clean: the window was the limit before and after. */
void sawtooth_settle(struct sawtooth *s, double peak, double valley, double smss, bool clean);
/* A round trip of avoidance in which the window was the limit. */
void sawtooth_round(struct sawtooth *s, double growth_segments, int64_t length_ns);
/* The law that the falls follow: at least three clean falls, nearly all of one kind. */
enum cwnd_family sawtooth_family(const struct sawtooth *s);
void sawtooth_facts(const struct sawtooth *s, double smss, struct oscillation_facts *out);

#endif
