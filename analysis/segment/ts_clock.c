#include "analysis/segment/ts_clock.h"

#include <stddef.h>

/* In such a window: 200 ppm, two crystals at their worst. */
#define DRIFT_MAX_NS ((int64_t)2 * 1000000)
/* Learn from at least this much time and this many ticks. */
#define LEARN_MIN_NS ((int64_t)100 * 1000000)
#define LEARN_MIN_TICKS 10u
#define LEARN_UNTIL_NS ((int64_t)20 * 1000000000)
/* A queue that fills or drains distorts the first measurements; 1 s of queue in 20 s is 5 %. */
#define RATIO_AT_FIRST 2.0
#define RATIO_AT_LAST 1.12
/* Clocks slower than this tell nothing about departures. */
#define TICK_MAX_NS ((int64_t)20 * 1000000)

/* Ticks of stacks in use: 1 ms (Linux, Windows), 4 ms, 2 ms, 10 ms (older Linux, BSD), 1 us. */
static const int64_t known_ticks_ns[] = {1000,     1000000,   2000000,  4000000,
                                         10000000, 100000000, 500000000};

/* The largest known tick that is not longer than a measured one; 0 when that is not within the
 * factor most.  A queue that fills, as it does when a transfer starts, makes ticks look longer; one
 * that drains, shorter, is left a tenth. */
static int64_t known_tick(int64_t measured_ns, double most)
{
    int64_t best = known_ticks_ns[0];

    for (size_t i = 0; i < sizeof known_ticks_ns / sizeof known_ticks_ns[0]; i++)
        if ((double)known_ticks_ns[i] <= (double)measured_ns * RATIO_AT_LAST)
            best = known_ticks_ns[i];
    return (double)measured_ns <= (double)best * most ? best : 0;
}

/* Ticks since first_val, unwrapped by the tap's time: 2^32 ticks of 1 us are 72 minutes.  The last
 * segment's number does nearly always, without a division. */
static int64_t unwrap(const struct ts_clock *clock, uint32_t ts_val, int64_t time_ns)
{
    int64_t span_ns = time_ns - clock->first_ns, near_ns = clock->tick_ns << 30;
    uint32_t ticks = ts_val - clock->first_val;
    int64_t close = clock->ticks + (int32_t)(ticks - (uint32_t)clock->ticks);
    int64_t off_ns = close * clock->tick_ns - span_ns;

    if (off_ns < near_ns && off_ns > -near_ns)
        return close;
    int64_t by_time = span_ns / clock->tick_ns;
    return by_time + (int32_t)(ticks - (uint32_t)by_time);
}

static void learn(struct ts_clock *clock, uint32_t ts_val, int64_t time_ns)
{
    int32_t ticks = (int32_t)(ts_val - clock->first_val);
    int64_t span = time_ns - clock->first_ns;

    if (span < LEARN_MIN_NS || ticks < (int32_t)LEARN_MIN_TICKS)
        return;
    double most = span > LEARN_UNTIL_NS ? RATIO_AT_LAST : RATIO_AT_FIRST;
    int64_t tick = clock->tick_ns, measured = span / ticks;
    if (measured * 10 < tick * 9 || measured * 10 > tick * 11) /* else it is that one still */
        tick = known_tick(measured, most);
    if (tick > TICK_MAX_NS)
        tick = 0;
    if (tick != clock->tick_ns) {
        clock->tick_ns = tick;
        clock->ticks = 0;
        /* the first segment came when nothing of this connection stood in a queue: its offset is 0
         * whatever the tick, and has drifted since at most */
        clock->offset_ns = span / TS_CLOCK_WINDOW_NS * DRIFT_MAX_NS;
        clock->previous_offset_ns = INT64_MAX;
        clock->window_start_ns = time_ns;
    }
    clock->settled = tick != 0 && span > LEARN_UNTIL_NS;
}

void ts_clock_take(struct ts_clock *clock, uint32_t ts_val, int64_t time_ns)
{
    if (!clock->started) {
        if (ts_val == 0) /* a SYN of a stack whose clock starts with the connection */
            return;
        clock->started = true;
        clock->first_ns = time_ns;
        clock->first_val = clock->last_val = ts_val;
        clock->offset_ns = clock->previous_offset_ns = INT64_MAX;
        return;
    }
    if (!clock->settled && ts_val != clock->last_val)
        learn(clock, ts_val, time_ns);
    clock->last_val = ts_val;
    if (clock->tick_ns == 0)
        return;
    if (time_ns - clock->window_start_ns > TS_CLOCK_WINDOW_NS) {
        /* a queue may stand all through a window: the offset rises by drift only */
        if (clock->previous_offset_ns == INT64_MAX ||
            clock->offset_ns < clock->previous_offset_ns + DRIFT_MAX_NS)
            clock->previous_offset_ns = clock->offset_ns;
        else
            clock->previous_offset_ns += DRIFT_MAX_NS;
        clock->offset_ns = INT64_MAX;
        clock->window_start_ns = time_ns;
    }
    clock->ticks = unwrap(clock, ts_val, time_ns);
    int64_t offset = time_ns - (clock->first_ns + clock->ticks * clock->tick_ns);
    if (offset < clock->offset_ns)
        clock->offset_ns = offset;
}

int64_t ts_clock_departure_ns(const struct ts_clock *clock, uint32_t ts_val, int64_t time_ns)
{
    if (clock->tick_ns == 0)
        return time_ns;
    int64_t offset = clock->offset_ns < clock->previous_offset_ns ? clock->offset_ns
                                                                  : clock->previous_offset_ns;
    if (offset == INT64_MAX)
        return time_ns;
    /* the smallest offset comes from a segment sent just after the clock ticked: add half a
     * tick, so that departures are right on average */
    int64_t said_ns = clock->first_ns + unwrap(clock, ts_val, time_ns) * clock->tick_ns;
    int64_t departure = said_ns + offset + clock->tick_ns / 2;
    return departure < time_ns ? departure : time_ns;
}

