/* The answering side of a direction: acknowledgments, SACK, windows, round-trip samples. */
#ifndef TCPWHY_ANALYSIS_ACKS_H
#define TCPWHY_ANALYSIS_ACKS_H

#include "analysis/connection/tracker.h"

/* Take the acknowledgment and window that a segment of the peer carries for the data of dir. */
void acks_take(struct tracker *t, struct flow *flow, enum direction dir, const struct segment *seg);

/* Let moves.h see an acknowledgment of the data of dir for which moves_has_news(). */
void acks_window_moves(struct flow *flow, enum direction dir, const struct segment *seg,
                       uint64_t ack, uint64_t edge);

#endif
