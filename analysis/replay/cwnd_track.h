/* What moves a direction's congestion window: the events of its replay that bear on it.  All are
 * rare (a growth, a loss, once a round trip) but for the one comparison before cwnd_grew(). */
#ifndef TCPWHY_ANALYSIS_CWND_TRACK_H
#define TCPWHY_ANALYSIS_CWND_TRACK_H

#include "analysis/replay/replay.h"

/* The replay starts with the stream acknowledged up to una. */
void cwnd_start(struct cwnd *c, uint64_t una, int64_t now_ns);
/* New data left and made the flight larger than it has been since the last fall. */
void cwnd_grew(struct replay *r, const struct departure *d, const struct replay_path *path,
               uint64_t flight);
/* Any departure: the one comparison that the usual case costs. */
static inline void cwnd_departure(struct replay *r, const struct departure *d,
                                  const struct replay_path *path, uint64_t flight)
{
    if (flight > r->cwnd.gate_bytes)
        cwnd_grew(r, d, path, flight);
}
/* The first acknowledgment of a burst that began with nothing outstanding is about to act. */
void cwnd_first_ack(struct replay *r);
static inline void cwnd_before_ack(struct replay *r)
{
    if (r->una == r->cwnd.burst_left)
        cwnd_first_ack(r);
}
/* acked more bytes are acknowledged in a phase other than OPEN, or the sender settles. */
void cwnd_acked(struct replay *r, uint64_t acked);
/* Nothing is outstanding. */
void cwnd_drained(struct replay *r);
/* acked more bytes are acknowledged, una stands behind them. */
static inline void cwnd_acknowledged(struct replay *r, uint64_t acked)
{
    if (r->cwnd.phase != CWND_PHASE_OPEN || r->cwnd.settling)
        cwnd_acked(r, acked);
    if (r->nxt <= r->una)
        cwnd_drained(r);
}
/* A round trip is over. */
void cwnd_round(struct replay *r, const struct round *round);
/* The window falls as d leaves: d is the resend, or the first data with the CWR flag. */
void cwnd_fall(struct replay *r, enum cwnd_decrease reason, const struct departure *d,
               const struct replay_path *path);
/* Something is sent again within recovery. */
void cwnd_resent(struct replay *r, const struct departure *d);
/* Data from left on leaves; what lies between the highest byte seen and left was lost before the
 * tap. */
void cwnd_gap(struct replay *r, uint64_t left);
/* The resends of the last fall were not needed: the sender takes it back (RFC 3522, RFC 5682). */
void cwnd_undo(struct replay *r);
/* New data leaves after an idle period longer than a time-out. */
void cwnd_idle(struct replay *r, const struct departure *d, const struct replay_path *path);
void cwnd_finish(struct replay *r);

/* Facts of what was followed; known stays false where nothing was. */
void cwnd_fill(const struct replay *r, struct cwnd_facts *facts);

#endif
