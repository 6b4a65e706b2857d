/* The sawtooth of a congestion window: what its falls and the growth between them have in common,
 * and which congestion control behaves like that. */
#ifndef TCPWHY_ANALYSIS_SAWTOOTH_H
#define TCPWHY_ANALYSIS_SAWTOOTH_H

#include <stdbool.h>

#include "analysis/cwnd_facts.h"
#include "analysis/replay/cwnd_model.h"

struct sawtooth {
    uint32_t falls, valleys, after_rtt_growth, clean;
    uint32_t votes[CWND_LAWS], other_votes; /* clean falls that ended where a law says */
    double apart_sum, reno_miss_sum; /* of clean falls, in segments: between the two laws, and from
                                        Reno's end to the one seen */
    int64_t first_ns, last_ns;
    double peak_sum, valley_sum;                        /* bytes; of clean falls */
    double other_peak_sum, other_valley_sum[CWND_LAWS]; /* of the others: by law */
    double growth_sum;                                  /* segments in rounds of avoidance */
    uint64_t growth_rounds;
    int64_t round_sum_ns;
    uint64_t rounds;
    uint64_t first_offset, last_offset; /* stream offset at the first and last fall */
};

/* A fall; the one that ends the first slow start is no part of the sawtooth. */
void sawtooth_fall(struct sawtooth *s, int64_t time_ns, uint64_t offset, bool rtt_grew);
/* Where it fell from and to, in segments; clean: the window was the limit before and after, else
 * valley says nothing. */
void sawtooth_settle(struct sawtooth *s, double peak, double valley, double smss, bool clean);
/* Where the two laws expected the window at a fall, and where it was, in segments: a vote where
 * only one of them was right. */
void sawtooth_predicted(struct sawtooth *s, double reno, double cubic, double peak);
/* A round trip of avoidance in which the window was the limit. */
void sawtooth_round(struct sawtooth *s, double growth_segments, int64_t length_ns);
/* The law that the falls follow: at least three clean falls, nearly all of one kind. */
enum cwnd_family sawtooth_family(const struct sawtooth *s);
/* How sure a named law is: an enum confidence, high from six clean falls of one kind on. */
int32_t sawtooth_confidence(const struct sawtooth *s);
/* law: what the falls that are not clean are taken to follow; CWND_LAWS = not known. */
void sawtooth_facts(const struct sawtooth *s, enum cwnd_law law, double smss,
                    struct oscillation_facts *out);

#endif
