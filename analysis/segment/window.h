/* The receiver's window as advertised for one direction of data: scale, zero-window episodes,
 * updates, movements of the right edge (RFC 9293 section 3.8.6, RFC 7323 section 2). */
#ifndef TCPWHY_ANALYSIS_WINDOW_H
#define TCPWHY_ANALYSIS_WINDOW_H

#include <stdbool.h>

#include "analysis/flow/flow.h"

struct window {
    uint64_t edge_max;         /* highest right edge, scaled; 0 = none */
    uint64_t sum, count;       /* of window fields, unscaled: for the mean */
    uint64_t zero_episodes;
    int64_t zero_since_ns;     /* NS_UNKNOWN = window is open */
    int64_t zero_ns;
    uint64_t zero_frame;
    uint64_t updates, shrunk;
    /* scale without a SYN */
    uint64_t last_ack;
    uint16_t last_field;
    bool started;
    bool settled;              /* fixed_scale is final: both SYNs said so */
    int fixed_scale;
    uint32_t follow_below;     /* fields below this are of interest to moves.h; 0 = none */
    uint8_t least_scale;       /* smallest that the flight permits */
    uint8_t pinned_scale, pinned_rounds; /* round trips in a row whose flight filled the window under
                                            this scale */
    uint16_t votes[15], vote_count;
};

/* Scale of the windows that the receiver of this data advertises: -1 unknown.  data is the
 * sender's half, receiver the other one. */
int window_scale(const struct window *w, const struct half *data, const struct half *receiver,
                 enum scale_source *source);

/* Take the window of a segment from the receiver (never a SYN or RST).  Returns the right edge as
 * a stream offset, 0 = unknown.  data_ack is the unwrapped acknowledgment. */
uint64_t window_update(struct window *w, struct half *data, const struct half *receiver,
                       const struct segment *seg, uint64_t data_ack);

/* Smallest, largest and last window field of a segment from the receiver. */
static inline void window_count(struct half *data, const struct segment *seg)
{
    bool first = (data->marks & HALF_WINDOW) == 0;

    data->rwnd_last = seg->wnd;
    if (first || seg->wnd > data->rwnd_max) {
        data->rwnd_max = seg->wnd;
        data->rwnd_max_frame = seg->frame;
    }
    if (first || seg->wnd < data->rwnd_min)
        data->rwnd_min = seg->wnd;
    data->marks |= HALF_WINDOW;
}

/* Take in the field and acknowledgment of a segment that is not older than those before. */
static inline void window_note(struct window *w, struct half *data, const struct segment *seg,
                               uint64_t data_ack)
{
    window_count(data, seg);
    w->sum += seg->wnd;
    w->count++;
    w->last_ack = data_ack;
    w->last_field = seg->wnd;
}

/* Right edge of a window field under a known scale; follows how far it reached. */
static inline uint64_t window_edge(struct window *w, uint16_t field, uint64_t data_ack, int scale)
{
    uint64_t edge = data_ack + ((uint64_t)field << scale);

    if (edge + ((uint64_t)1 << scale) <= w->edge_max)
        w->shrunk++;
    if (edge > w->edge_max)
        w->edge_max = edge;
    return edge;
}

/* True when a segment's window needs no more than window_note() and window_edge(): scale known
 * for good, window open before and now, no change of the field without one of the acknowledgment. */
static inline bool window_is_steady(const struct window *w, const struct segment *seg,
                                    uint64_t data_ack)
{
    return w->settled && w->fixed_scale >= 0 && w->zero_since_ns == NS_UNKNOWN && seg->wnd != 0 &&
           (data_ack > w->last_ack ||
            (data_ack == w->last_ack && (seg->payload_bytes > 0 || seg->wnd == w->last_field)));
}

/* Flight at the sender proves how far the window must have reached: raises least_scale. */
void window_flight_seen(struct window *w, const struct half *data, uint64_t flight_bytes);

/* A round trip of this flight, for a window whose scale no SYN has told: a flight that stands at a
 * steady window to within a segment, round after round, tells its scale. */
void window_round_seen(struct window *w, const struct half *data, uint64_t flight_bytes);

/* The direction ends at time_ns: closes an open zero-window episode. */
void window_finish(struct window *w, int64_t time_ns);

#endif
