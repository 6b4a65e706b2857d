#include "analysis/facts/moves.h"

#define SUNK_PARTS 4u          /* a quarter below the largest */
#define SUNK_SEGMENTS 3u       /* ACKs of two segments that the program has not read yet are usual */
#define LOW_SEGMENTS 2u
#define COLLAPSED_PARTS 4u
#define OVER_SEGMENTS 2u
#define EVEN_PARTS 4

/* The right edge goes back: events are those behind a new highest edge, or further than before. */
static void follow_shrink(struct moves *m, uint64_t edge_max, const struct moves_ack *a,
                          uint64_t frame)
{
    struct moves_shrink *shrink = &m->facts.shrink;
    const uint64_t unit = (uint64_t)1 << a->scale, depth = edge_max - a->edge;

    if (m->shrink_edge != edge_max) {
        m->shrink_edge = edge_max;
        m->shrink_depth = 0;
    }
    if (depth < m->shrink_depth + unit) /* rounding of the field */
        return;
    shrink->count += m->shrink_depth == 0;
    shrink->bytes += depth - m->shrink_depth;
    m->shrink_depth = depth;
    if (depth > shrink->largest_bytes) {
        shrink->largest_bytes = depth;
        shrink->frame = frame;
    }
}

static void close_low(struct moves *m, int64_t time_ns, int64_t min_rtt_ns, uint64_t frame)
{
    struct moves_sink *sink = &m->facts.sink;
    const int64_t span_ns = time_ns - m->low_since_ns;

    m->low = false;
    sink->low_ns += span_ns;
    sink->late_openings += min_rtt_ns != NS_UNKNOWN && span_ns > min_rtt_ns;
    if (span_ns > sink->longest_low_ns) {
        sink->longest_low_ns = span_ns;
        sink->longest_from_frame = m->low_frame;
        sink->longest_to_frame = frame;
    }
}

static void follow_low(struct moves *m, const struct segment *seg, const struct moves_ack *a)
{
    const bool low = a->edge - a->ack < LOW_SEGMENTS * (uint64_t)a->smss;

    if (low && !m->low && m->sunk) {
        m->low = true;
        m->low_since_ns = seg->time_ns;
        m->low_frame = seg->frame;
        m->facts.sink.episodes++;
    } else if (!low && m->low) {
        close_low(m, seg->time_ns, a->min_rtt_ns, seg->frame);
    }
}

static void count_step(struct moves *m, uint64_t bytes, int64_t interval_ns)
{
    struct moves_steps *steps = &m->facts.steps;
    const int64_t last_ns = m->last_interval_ns, slack_ns = last_ns / EVEN_PARTS;

    steps->count++;
    steps->bytes += bytes;
    steps->span_ns += interval_ns;
    if (last_ns > 0 && interval_ns > last_ns - slack_ns && interval_ns - last_ns < slack_ns) {
        steps->even_count++;
        steps->even_bytes += bytes;
        steps->even_span_ns += interval_ns;
    }
    m->last_interval_ns = interval_ns;
}

/* What the program reads comes free at once; single bytes are rounding of the buffer's accounts. */
static void follow_steps(struct moves *m, const struct segment *seg, const struct moves_ack *a)
{
    struct moves_steps *steps = &m->facts.steps;

    if (m->has_step) {
        if (a->edge < m->step_edge + a->smss)
            return;
        count_step(m, a->edge - m->step_edge, seg->time_ns - m->step_ns);
        steps->first_frame = steps->first_frame == 0 ? seg->frame : steps->first_frame;
        steps->last_frame = seg->frame;
    }
    m->has_step = true;
    m->step_edge = a->edge;
    m->step_ns = seg->time_ns;
}

/* RFC 9293 section 3.8.6.2.2: the edge should advance by a segment or half of the buffer, or not at
 * all, before a sender that waits for it. */
static void follow_silly(struct moves *m, const struct segment *seg, const struct moves_ack *a)
{
    const uint64_t half_bytes = m->peak_bytes / 2;
    const uint64_t least = half_bytes < a->smss ? half_bytes : a->smss;

    if (m->last_edge == 0 || a->edge <= m->last_edge || a->edge - m->last_edge >= least ||
        a->snd_nxt + a->smss <= m->last_edge)
        return;
    m->facts.silly.increments++;
    if (m->facts.silly.frame == 0)
        m->facts.silly.frame = seg->frame;
}

static void follow_zero(struct moves *m, const struct replay *replay, const struct segment *seg,
                        const struct moves_ack *a)
{
    struct moves_collapse *collapse = &m->facts.collapse;
    const uint64_t window = a->edge - a->ack;

    if (seg->wnd == 0 && !m->zero) {
        collapse->from_bytes = m->peak_bytes;
        collapse->to_bytes = 0;
        collapse->frame = seg->frame;
        m->zero_rounds = replay->rounds;
        m->zero_full_rounds = replay->rounds_window_full;
    }
    m->zero = seg->wnd == 0;
    if (collapse->frame != 0 && window > collapse->to_bytes)
        collapse->to_bytes = window;
}

/* While the window is sunk every acknowledgment is followed. */
static void enter_sink(struct moves *m, struct window *w, int64_t time_ns)
{
    m->sunk = true;
    m->sunk_since_ns = time_ns;
    m->last_edge = 0;
    w->follow_below = UINT16_MAX + 1u;
}

static void leave_sink(struct moves *m, int64_t time_ns)
{
    m->facts.sink.sunk_ns += time_ns - m->sunk_since_ns;
    m->sunk = m->has_step = false;
    m->last_interval_ns = 0;
}

void moves_follow(struct moves *m, struct window *w, const struct replay *replay,
                  const struct segment *seg, const struct moves_ack *a)
{
    const bool sunk = seg->wnd < m->sunk_below;

    if (a->edge < w->edge_max)
        follow_shrink(m, w->edge_max, a, seg->frame);
    if (sunk && !m->sunk)
        enter_sink(m, w, seg->time_ns);
    follow_low(m, seg, a);
    if (!m->sunk)
        return;
    follow_zero(m, replay, seg, a);
    follow_silly(m, seg, a);
    follow_steps(m, seg, a);
    m->last_edge = a->edge;
    if (!sunk) {
        leave_sink(m, seg->time_ns);
        w->follow_below = m->sunk_below;
    }
}

void moves_renege(struct moves *m, uint64_t ack, uint64_t frame)
{
    if (m->renege_at == ack)
        return;
    m->renege_at = ack;
    m->facts.renege.count++;
    if (m->facts.renege.frame == 0)
        m->facts.renege.frame = frame;
}

static uint32_t sunk_field(uint64_t peak_bytes, uint32_t smss, int scale)
{
    const uint64_t quarter = peak_bytes / SUNK_PARTS, segments = SUNK_SEGMENTS * (uint64_t)smss;
    const uint64_t least = quarter > segments ? quarter : segments;

    return peak_bytes > least ? (uint32_t)((peak_bytes - least) >> scale) : 0;
}

static void follow_growth(struct moves *m, const struct half *data, const struct replay *replay,
                          const struct round *round, int scale)
{
    struct moves_growth *growth = &m->facts.growth;
    const uint64_t peak = (uint64_t)data->rwnd_max << scale;

    if (growth->from_bytes == 0)
        m->peak_bytes = growth->from_bytes = (uint64_t)m->initial_field << scale;
    if (peak >= m->peak_bytes + data->smss) {
        growth->rounds++;
        growth->full_rounds += round->window_full;
        growth->span_ns = round->end_ns - replay->first_ns;
        growth->last_frame = round->last_frame;
        growth->rounds_after = growth->full_rounds_after = 0;
    } else {
        growth->rounds_after++;
        growth->full_rounds_after += round->window_full;
    }
    if (peak > m->peak_bytes)
        m->peak_bytes = peak;
    growth->to_bytes = m->peak_bytes;
    m->sunk_below = sunk_field(m->peak_bytes, data->smss, scale);
}

static void follow_over(struct moves *m, const struct half *data, const struct round *round)
{
    struct moves_over *over = &m->facts.over;
    const uint64_t flight = round->flight_max_bytes;

    /* half as much again, and two segments: beyond what a late acknowledgment would explain */
    if (flight <= m->peak_bytes + m->peak_bytes / 2 + OVER_SEGMENTS * (uint64_t)data->smss)
        return;
    over->rounds++;
    if (flight > over->flight_bytes) {
        over->flight_bytes = flight;
        over->frame = round->last_frame;
    }
}

void moves_round(struct moves *m, struct window *w, const struct half *data,
                 const struct replay *replay, const struct round *round, int scale)
{
    knee_round(&m->knee, round);
    if (scale < 0 || m->initial_field == 0)
        return;
    m->facts.followed = 1;
    follow_growth(m, data, replay, round, scale);
    if (!m->sunk)
        w->follow_below = m->sunk_below;
    follow_over(m, data, round);
    m->facts.silly.rounds += round->window_full && !round->recovery && round->departures > 1 &&
                             round->partial * 2 > round->departures;
}

void moves_fill(const struct moves *m, const struct replay *replay, int64_t time_ns,
                struct moves_facts *facts)
{
    struct moves end = *m;

    if (end.low)
        close_low(&end, time_ns, NS_UNKNOWN, 0);
    if (end.sunk)
        leave_sink(&end, time_ns);
    if (end.facts.collapse.to_bytes == 0 ||
        end.facts.collapse.to_bytes > end.facts.collapse.from_bytes / COLLAPSED_PARTS)
        end.facts.collapse = (struct moves_collapse){0};
    if (end.facts.collapse.frame != 0) {
        end.facts.collapse.rounds = replay->rounds - m->zero_rounds;
        end.facts.collapse.full_rounds = replay->rounds_window_full - m->zero_full_rounds;
    }
    knee_find(&m->knee, &end.facts.knee);
    *facts = end.facts;
}
