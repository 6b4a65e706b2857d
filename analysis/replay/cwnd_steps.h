/* What the files that follow a congestion window share (cwnd_estimate.c, cwnd_grow.c, cwnd_fall.c,
 * cwnd_fill.c).  Everyone else uses cwnd_track.h. */
#ifndef TCPWHY_ANALYSIS_CWND_STEPS_H
#define TCPWHY_ANALYSIS_CWND_STEPS_H

#include "analysis/replay/cwnd_track.h"

/* Share by which a prediction that was never checked may be off: the goal for windows inferred
 * without timestamps. */
#define CWND_WIDTH_AT_FIRST 0.15

/* cwnd_estimate.c */
/* Bytes of a segment, at least 1. */
double cwnd_smss(const struct replay *r);
/* The law that has been right so far. */
enum cwnd_law cwnd_law_of(const struct cwnd *c);
uint64_t cwnd_ssthresh_bytes(const struct replay *r); /* BYTES_UNKNOWN before the first */
/* The estimate has held up to now. */
void cwnd_settle_time(struct replay *r);
/* The window has these bounds (bytes) from now on. */
void cwnd_set(struct replay *r, double low, double estimate, double high);
/* The same while the window is open: by the flight, or by the models. */
void cwnd_set_open(struct replay *r);
/* The smaller and the larger window of the two laws, bytes. */
double cwnd_least(const struct replay *r);
double cwnd_most(const struct replay *r);

/* cwnd_grow.c */
/* Whether the flight at departures is exact. */
void cwnd_note_path(struct cwnd *c, const struct departure *d, const struct replay_path *path);
/* Let the models take in what was acknowledged since the last time, up to a window. */
void cwnd_grow_models(struct replay *r, double most_segments);
/* Whether slow start had ended before a fall. */
void cwnd_slow_start_at_fall(struct replay *r);
/* The first round after recovery is over, or the next fall came before (complete is false). */
void cwnd_settle_fall(struct replay *r, bool complete);
/* A stretch of growth is over. */
void cwnd_end_growth(struct cwnd *c);

#endif
