/* A host's timestamp clock (RFC 7323 section 5.4), learnt from its segments: tick length, and the
 * departure time of each segment on the tap's clock less the queues it met on its way. */
#ifndef TCPWHY_ANALYSIS_TS_CLOCK_H
#define TCPWHY_ANALYSIS_TS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct ts_clock {
    int64_t first_ns, tick_ns; /* tick 0 = not known (yet, or the clock is of no use) */
    uint32_t first_val, last_val;
    bool started, settled;
    int64_t ticks;             /* since first_val, unwrapped, of the last segment */
    /* smallest arrival minus clock in this window of time and in the one before: the way without
     * a queue, robust against drift */
    int64_t offset_ns, previous_offset_ns, window_start_ns;
    int64_t last_ns;           /* when last_val was last seen */
};

/* In so much time the smallest offset is looked for: a drift of 100 ppm moves it by 1 ms in 10 s,
 * the resolution of the usual clock. */
#define TS_CLOCK_WINDOW_NS ((int64_t)10 * 1000000000)

/* Take a TSval that ts_clock_add() has found news in. */
void ts_clock_take(struct ts_clock *clock, uint32_t ts_val, int64_t time_ns);

/* Take a segment's TSval as it passes the tap.  The same one again, later, tells nothing: its
 * offset is larger. */
static inline void ts_clock_add(struct ts_clock *clock, uint32_t ts_val, int64_t time_ns)
{
    bool told = clock->started && ts_val == clock->last_val && time_ns >= clock->last_ns &&
                time_ns - clock->window_start_ns <= TS_CLOCK_WINDOW_NS;

    clock->last_ns = time_ns;
    if (!told)
        ts_clock_take(clock, ts_val, time_ns);
}

/* Time at which a segment with this TSval would have passed the tap had there been no queue: its
 * departure, shifted by the empty path, at the clock's resolution.  Never later than time_ns;
 * time_ns itself while the clock is not known. */
int64_t ts_clock_departure_ns(const struct ts_clock *clock, uint32_t ts_val, int64_t time_ns);

/* What that takes for the way without a queue now, on a scale of the clock's own: it rises by a
 * queue that stands for longer than the windows, and by drift.  INT64_MAX while not known. */
static inline int64_t ts_clock_base_ns(const struct ts_clock *clock)
{
    return clock->offset_ns < clock->previous_offset_ns ? clock->offset_ns
                                                        : clock->previous_offset_ns;
}

#endif
