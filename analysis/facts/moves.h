/* Collects how the receiver's window moved (analysis/moves_facts.h): from its acknowledgments while
 * the window is not at its largest, and from round trips as they close. */
#ifndef TCPWHY_ANALYSIS_MOVES_H
#define TCPWHY_ANALYSIS_MOVES_H

#include "analysis/facts/knee.h"
#include "analysis/moves_facts.h"
#include "analysis/replay/replay.h"
#include "analysis/segment/window.h"

struct moves {
    uint32_t sunk_below;        /* window fields below this are well below the largest; 0 = none */
    bool sunk, low, zero, has_step;
    uint16_t initial_field;     /* first open window after the handshake, 0 = none */
    uint64_t peak_bytes;        /* at the last round trip */
    uint64_t last_edge;         /* at the last acknowledgment followed; 0 = not the one before */
    uint64_t shrink_edge, shrink_depth; /* highest edge, and how far behind it the edge went back */
    uint64_t step_edge, low_frame, renege_at;
    uint64_t zero_rounds, zero_full_rounds; /* of the replay, at the last zero window */
    int64_t sunk_since_ns, low_since_ns, step_ns;
    int64_t last_interval_ns;   /* before the last step, 0 = none */
    struct moves_facts facts;
    struct knee knee;
};

/* What an acknowledgment says of the window. */
struct moves_ack {
    uint64_t ack, edge, snd_nxt;
    int64_t min_rtt_ns;         /* NS_UNKNOWN */
    uint32_t smss;
    int scale;
};

/* Take an acknowledgment for which moves_has_news(). */
void moves_follow(struct moves *m, struct window *w, const struct replay *replay,
                  const struct segment *seg, const struct moves_ack *ack);

/* Whether moves_follow() finds anything in an acknowledgment with this field and right edge, once
 * window_edge() has given the edge: not where it only goes back no further than it had already. */
static inline __attribute__((always_inline)) bool
moves_has_news(const struct moves *m, const struct window *w, uint16_t field, uint64_t edge)
{
    if (field < w->follow_below)
        return true;
    if (edge >= w->edge_max)
        return false;
    /* an edge that goes back by less than the unit of the field is rounding */
    const uint64_t unit = (uint64_t)1 << (w->fixed_scale > 0 ? w->fixed_scale : 0);
    return edge + unit <= w->edge_max && (m->shrink_edge != w->edge_max || m->low || m->sunk ||
                                          w->edge_max - edge >= m->shrink_depth + unit);
}

/* The sender acknowledged up to a byte that had been reported in a SACK block before. */
void moves_renege(struct moves *m, uint64_t ack, uint64_t frame);

/* Take a closed round trip; scale is that of the window, -1 = unknown or only a lower bound. */
void moves_round(struct moves *m, struct window *w, const struct half *data,
                 const struct replay *replay, const struct round *round, int scale);

/* The facts, at the end of the flow at time_ns. */
void moves_fill(const struct moves *m, const struct replay *replay, int64_t time_ns,
                struct moves_facts *facts);

#endif
