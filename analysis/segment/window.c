#include "analysis/segment/window.h"

#include <string.h>

#define SCALE_MAX 14 /* RFC 7323 section 2.3 */
#define VOTES_NEEDED 3
#define PINNED_ROUNDS 8
#define PINNED_SEGMENTS 16 /* a flight of any other limit is that near a smaller window by chance */
#define STEADY_PARTS 16

/* Scale with at least three votes and three quarters of all, -1 = none. */
static int scale_by_votes(const struct window *w)
{
    for (int scale = 0; scale <= SCALE_MAX; scale++)
        if (w->votes[scale] >= VOTES_NEEDED && w->votes[scale] * 4 >= w->vote_count * 3)
            return scale;
    return -1;
}

int window_scale(const struct window *w, const struct half *data, const struct half *receiver,
                 enum scale_source *source)
{
    *source = SCALE_OPTION;
    if ((receiver->marks & HALF_SYN) != 0 && (receiver->marks & HALF_OPT_CUT) == 0 &&
        (receiver->marks & HALF_WIND_SHIFT) == 0)
        return 0; /* not offered: not in force, whatever the other SYN says */
    if ((data->marks & HALF_SYN) != 0 && (data->marks & HALF_OPT_CUT) == 0 &&
        (data->marks & HALF_WIND_SHIFT) == 0)
        return 0;
    if ((receiver->marks & HALF_WIND_SHIFT) != 0 && (data->marks & HALF_WIND_SHIFT) != 0)
        return receiver->wind_shift;
    if (w != NULL) {
        int voted = scale_by_votes(w);
        if (voted >= 0 && voted >= w->least_scale) {
            *source = SCALE_EXACT;
            return voted;
        }
        if (w->pinned_rounds >= PINNED_ROUNDS && w->pinned_scale >= w->least_scale) {
            *source = SCALE_EXACT;
            return w->pinned_scale;
        }
        if (w->least_scale > 0) {
            *source = SCALE_AT_LEAST;
            return w->least_scale;
        }
    }
    *source = SCALE_UNKNOWN;
    return -1;
}

/* While the receiving program does not read, the field falls by what was acknowledged, divided by
 * 2^scale: the right edge stands still.  Each such step votes for a scale. */
static void vote(struct window *w, uint16_t field, uint64_t ack)
{
    if (ack <= w->last_ack || field >= w->last_field || field == 0)
        return;
    uint64_t acked = ack - w->last_ack;
    uint32_t fell = (uint32_t)w->last_field - field;
    if (fell < 8 || w->vote_count == UINT16_MAX) /* rounding of one unit would decide */
        return;
    w->vote_count++;
    for (int scale = 0; scale <= SCALE_MAX; scale++) {
        uint64_t step = (uint64_t)fell << scale, unit = (uint64_t)1 << scale;
        if (acked + unit > step && acked < step + unit) {
            w->votes[scale]++;
            return;
        }
    }
}

static void follow_zero(struct window *w, const struct segment *seg)
{
    if (seg->wnd == 0 && w->zero_since_ns == NS_UNKNOWN) {
        w->zero_since_ns = seg->time_ns;
        w->zero_frame = seg->frame;
        w->zero_episodes++;
    } else if (seg->wnd != 0 && w->zero_since_ns != NS_UNKNOWN) {
        w->zero_ns += seg->time_ns - w->zero_since_ns;
        w->zero_since_ns = NS_UNKNOWN;
    }
}

uint64_t window_update(struct window *w, struct half *data, const struct half *receiver,
                       const struct segment *seg, uint64_t data_ack)
{
    enum scale_source source;
    bool repeated_ack = w->started && data_ack == w->last_ack && seg->payload_bytes == 0;

    if (!w->started)
        w->zero_since_ns = NS_UNKNOWN;
    else if (data_ack < w->last_ack)
        return 0; /* an old acknowledgment, out of order: its window is old too */
    follow_zero(w, seg);
    w->updates += repeated_ack && seg->wnd != w->last_field;
    if (w->started && !w->settled)
        vote(w, seg->wnd, data_ack);
    window_note(w, data, seg, data_ack);
    w->started = true;
    int scale = w->fixed_scale;
    if (!w->settled) {
        scale = window_scale(w, data, receiver, &source);
        w->settled = source == SCALE_OPTION && (data->marks & receiver->marks & HALF_SYN) != 0;
        w->fixed_scale = scale;
        if (scale < 0 || source == SCALE_AT_LEAST)
            return 0;
    }
    return window_edge(w, seg->wnd, data_ack, scale);
}

void window_flight_seen(struct window *w, const struct half *data, uint64_t flight_bytes)
{
    if ((data->marks & HALF_WINDOW) == 0)
        return;
    /* one segment of tolerance: the last departure may have met a window not seen yet */
    uint64_t proven = flight_bytes > data->smss ? flight_bytes - data->smss : 0;
    while (w->least_scale < SCALE_MAX && ((uint64_t)data->rwnd_max << w->least_scale) < proven)
        w->least_scale++;
}

void window_round_seen(struct window *w, const struct half *data, uint64_t flight_bytes)
{
    const uint64_t field = data->rwnd_last, largest = data->rwnd_max;

    if (w->settled || w->pinned_rounds >= PINNED_ROUNDS)
        return;
    if (field * STEADY_PARTS >= largest * (STEADY_PARTS - 1) &&
        flight_bytes >= PINNED_SEGMENTS * (uint64_t)data->smss) {
        for (uint8_t scale = 0; scale <= SCALE_MAX; scale++) {
            if (flight_bytes > largest << scale || flight_bytes + data->smss <= field << scale)
                continue;
            w->pinned_rounds = (uint8_t)(scale == w->pinned_scale ? w->pinned_rounds + 1 : 1);
            w->pinned_scale = scale;
            return;
        }
    }
    w->pinned_rounds = 0;
}

void window_finish(struct window *w, int64_t time_ns)
{
    if (w->started && w->zero_since_ns != NS_UNKNOWN) {
        w->zero_ns += time_ns - w->zero_since_ns;
        w->zero_since_ns = NS_UNKNOWN;
    }
}
