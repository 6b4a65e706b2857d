/* What losses make of the round trips after them: the rate delivered, and how long the window takes
 * to come back. */
#include "analysis/connection/loss.h"

#include "analysis/connection/tracker.h"

/* Bytes a second: more is a clock that stands still. */
#define RATE_BELIEVED 1e12
/* Eight segments or more say how steady the way was. */
#define ROUND_SEGMENTS_TIMED 8

static void measure_round(struct loss_rounds *rounds, const struct round *round)
{
    uint64_t bytes = round->una_end - round->una_start;
    int64_t span_ns = round->end_ns - round->start_ns;

    /* when a hole closes, what waited behind it is acknowledged at once */
    rounds->since_recovery = round->recovery ? 0 : rounds->since_recovery + 1;
    if (rounds->since_recovery > 2 && span_ns > 0 && rounds->previous_ns > 0) {
        double rate = (double)(bytes + rounds->previous_bytes) * 1e9 /
                      ((double)span_ns + (double)rounds->previous_ns);
        if (rate > (double)rounds->peak_bytes_per_s && rate < RATE_BELIEVED)
            rounds->peak_bytes_per_s = (uint64_t)rate;
    }
    rounds->previous_bytes = bytes;
    rounds->previous_ns = span_ns;
    if (round->rtt_min_ns <= 0 || round->departures < ROUND_SEGMENTS_TIMED || round->recovery ||
        round->partial > 0 || round->slow_start)
        return;
    rounds->timed++;
    rounds->jittery += round->rtt_max_ns / 3 > round->rtt_min_ns;
}

/* Enter what a round waited for the window while that was below what it had been. */
void loss_count_regrowth(const struct flow *flow, enum direction dir, const struct round *round)
{
    const struct side *side = &flow->detail->side[dir];
    struct loss_log *log = side->loss;
    bool exact = (flow->half[dir].marks & HALF_TIMESTAMPS) != 0 || flow_tap_is_near(flow, dir);

    if (log == NULL || !log->regrowing)
        return;
    /* grown again, to within two segments (what is out before a hole closes is not the window), or
     * cut by something else */
    if ((exact && !round->recovery && round->una_start >= log->recover &&
         round->flight_max_bytes + 2 * side->replay.smss >= log->window_before_bytes) ||
        side->replay.idle_restarts != log->idle_restarts) {
        log->regrowing = false;
        return;
    }
    if (round->held_limit != LIMIT_SLOW_START && round->held_limit != LIMIT_CWND)
        return; /* the bottleneck was busy all the same */
    int64_t span_ns = round->held_ns;
    if (log->by_mark)
        log->facts.ecn_regrowth_ns += span_ns;
    else
        log->regrowth_ns += span_ns;
}

void loss_observe_round(struct flow *flow, enum direction dir, const struct round *round)
{
    struct side *side = &flow->detail->side[dir];

    measure_round(&side->loss_rounds, round);
    if (side->srtt_ns > side->loss_rounds.srtt_most_ns) /* NS_UNKNOWN is below all */
        side->loss_rounds.srtt_most_ns = side->srtt_ns;
    loss_count_regrowth(flow, dir, round);
}
