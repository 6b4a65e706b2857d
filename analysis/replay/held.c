#include "analysis/replay/held.h"

#include <math.h>
#include <string.h>

/* The slowest growth of a window that an acknowledgment moves: CUBIC's Reno-friendly region, 0.53
 * segments a round trip (RFC 9438 section 4.3: 3 (1 - b) / (1 + b) with b = 0.7), by an ACK a
 * segment; a stack that counts ACKs rather than bytes grows less with fewer of them. */
#define GROWTH_LEAST 0.53
/* CUBIC about its last maximum: C (t - K)^3 segments, C = 0.4 (RFC 9438 section 5). */
#define CUBIC_C 0.4
/* BBR cruises at one flight for seven round trips of its cycle of eight. */
#define FLAT_ROUNDS_LEAST 8u
#define FLAT_ROUND_LEAST 0.6 /* of the path's round trip: shorter ones are parts of bursts */
/* One buffer holds the flight to within two segments, or an eighth where it goes in large pieces. */
#define FLAT_SEGMENTS 2
#define FLAT_PART 8
/* A sender that met the window's edge in a round trip had a congestion window as large.  Flights
 * within a fiftieth of it are at the edge as well, for clocks of milliseconds and acknowledgments of
 * many segments place them no better, and so are those of three segments less: senders wait until
 * some can leave together (RFC 9293 section 3.8.6.2.1; TSO). */
#define AT_EDGE_PART 50
#define AT_EDGE_SEGMENTS 3
/* A sender that waits for acknowledgments sends on them at once; one with a rhythm of its own
 * stands half of each gap after the last acknowledgment, on average. */
#define PROMPT_MOST 0.15
#define UNPROMPTED_LEAST 0.3
/* Of 20 evenly spread lags none is below half of their mean once in 300 (0.75^20). */
#define LAGS_LEAST 20u
#define LAG_STEADY_PART 0.5
#define NS_PER_S 1e9

void held_init(struct held *held)
{
    memset(held, 0, sizeof *held);
    held->loss_ns = NS_UNKNOWN;
    held->run.limit = LIMIT_UNKNOWN;
    held->last.limit = LIMIT_CWND;
    bottleneck_init(&held->bottleneck);
}

/* True when a round shows what it was that kept the flight: mostly waiting, nothing to repair, and
 * more than two segments of the window free (domain: W - F >= 2 MSS). */
static bool round_is_plain(const struct round *round, uint32_t smss)
{
    return !round->recovery && !round->window_full && !round->unplaced && round->flight_max_bytes > 0 &&
           round->room_min_bytes != BYTES_UNKNOWN &&
           round->room_min_bytes >= 2 * (uint64_t)smss &&
           round->held_ns * 2 >= round->end_ns - round->start_ns;
}

/* True when the receiver's window held the sender all through the round. */
static bool round_is_at_edge(const struct round *round, uint32_t smss)
{
    const uint64_t part = round->flight_max_bytes / AT_EDGE_PART;
    const uint64_t segments = AT_EDGE_SEGMENTS * (uint64_t)smss;

    return round->window_full && !round->recovery && round->departures > 1 &&
           round->flight_max_bytes - round->flight_min_bytes <= (part > segments ? part : segments);
}

static bool fits_run(const struct flat_run *run, uint64_t flight, uint32_t smss)
{
    const uint64_t low = flight < run->low_bytes ? flight : run->low_bytes;
    const uint64_t high = flight > run->high_bytes ? flight : run->high_bytes;
    uint64_t most = FLAT_SEGMENTS * (uint64_t)smss;

    if (high / FLAT_PART > most)
        most = high / FLAT_PART;
    return high - low <= most;
}

static void begin_run(struct held *held, const struct round *round)
{
    held->run = (struct flat_run){
        .low_bytes = round->flight_max_bytes,
        .high_bytes = round->flight_max_bytes,
        .start_ns = round->start_ns,
        .limit = LIMIT_UNKNOWN,
    };
}

static void extend_run(struct flat_run *run, const struct round *round, int64_t min_rtt_ns,
                       uint32_t smss)
{
    const uint64_t flight = round->flight_max_bytes;
    const double segments = (double)(round->una_end - round->una_start) / smss;
    const int64_t length_ns = round->end_ns - round->start_ns;

    run->low_bytes = flight < run->low_bytes ? flight : run->low_bytes;
    run->high_bytes = flight > run->high_bytes ? flight : run->high_bytes;
    run->end_ns = round->end_ns;
    run->held_ns += round->held_ns;
    run->unprompted_ns += round->unprompted_ns;
    if (round->lags > 0 && (run->lags == 0 || round->lag_min_ns < run->lag_min_ns))
        run->lag_min_ns = round->lag_min_ns;
    run->lags += round->lags;
    run->lag_sum_ns += round->lag_sum_ns;
    run->departures += round->departures;
    run->partial += round->partial;
    if ((double)length_ns < FLAT_ROUND_LEAST * (double)min_rtt_ns)
        return;
    run->rounds++;
    run->growth_segments += GROWTH_LEAST * (segments > round->acks ? round->acks / segments : 1);
}

/* True when the flight stands where it has stood as a buffer's before, and nothing was lost since. */
static bool run_is_known(const struct held *held, uint32_t smss)
{
    const struct flat_run *run = &held->run;
    const struct plateau *known = &held->plateau;

    return known->duration_ns > 0 && run->low_bytes + smss >= known->low_bytes &&
           run->high_bytes <= known->high_bytes + smss &&
           (held->loss_ns == NS_UNKNOWN || held->loss_ns < known->start_ns);
}

/* A sender that has more than it may send fills its segments (RFC 1122 section 4.2.3.4): where most
 * are not full, nothing was left behind them, and what stood still is the program's pace. */
static bool run_is_drained(const struct flat_run *run)
{
    return run->departures > 0 && run->partial * 2 > run->departures;
}

/* A rhythm of its own falls anywhere between two acknowledgments: of n lags the least is about 2/n of
 * their mean.  Where data never comes sooner than this part of the mean, it follows each
 * acknowledgment, by a host or a way to the tap slower than the handshake showed (a slow link's
 * serialization, a queue): that is no rhythm. */
static bool run_follows_acks(const struct flat_run *run)
{
    return run->lags >= LAGS_LEAST &&
           (double)run->lag_min_ns * (double)run->lags >= LAG_STEADY_PART * (double)run->lag_sum_ns;
}

/* What the flat run shows so far; LIMIT_UNKNOWN while a congestion window could have stood still
 * for as long. */
static enum limit judge_run(const struct held *held, uint32_t smss)
{
    const struct flat_run *run = &held->run;
    const double spread = (double)(run->high_bytes - run->low_bytes) / smss + 1;
    const double seconds = (double)(run->end_ns - run->start_ns) / NS_PER_S;
    const double unprompted = run->held_ns > 0 ? (double)run->unprompted_ns / (double)run->held_ns : 1;

    const bool drained = run_is_drained(run);

    if (run_is_known(held, smss) && unprompted <= PROMPT_MOST && !drained)
        return LIMIT_SEND_BUFFER;
    if (run->rounds < FLAT_ROUNDS_LEAST || run->growth_segments < spread)
        return LIMIT_UNKNOWN;
    if (held->loss_ns != NS_UNKNOWN && seconds < 2 * cbrt(spread / CUBIC_C))
        return LIMIT_UNKNOWN; /* CUBIC's plateau about the window of the last loss */
    if (drained)
        return LIMIT_APP;
    if (unprompted <= PROMPT_MOST)
        return LIMIT_SEND_BUFFER;
    return unprompted >= UNPROMPTED_LEAST && !run_follows_acks(run) ? LIMIT_APP : LIMIT_UNKNOWN;
}

/* Hand out a stretch and close the hole that it leaves. */
static void decide(struct held *held, uint32_t index, struct held_decision *decision)
{
    const struct held_stretch *stretch = &held->stretch[index];

    *decision = (struct held_decision){
        .limit = stretch->limit,
        .start_ns = stretch->start_ns,
        .end_ns = stretch->end_ns,
        .part_ns = stretch->held_ns,
        .first_frame = stretch->first_frame,
        .last_frame = stretch->last_frame,
    };
    held->open_ns -= stretch->held_ns;
    held->count--;
    memmove(&held->stretch[index], &held->stretch[index + 1],
            (held->count - index) * sizeof held->stretch[0]);
}

static int decide_settled(struct held *held, struct held_decision *decisions)
{
    int made = 0;

    for (uint32_t i = 0; i < held->count;) {
        if (held->stretch[i].flat || held->stretch[i].queued)
            i++;
        else
            decide(held, i, &decisions[made++]);
    }
    return made;
}

/* The run of flat flight is over or decided: its rounds are what it was, unless the queue says
 * otherwise. */
static void settle_run(struct held *held, enum limit limit)
{
    for (uint32_t i = 0; i < held->count; i++) {
        struct held_stretch *stretch = &held->stretch[i];
        if (stretch->flat && limit != LIMIT_UNKNOWN) {
            stretch->limit = limit;
            stretch->queued = false;
        }
        stretch->flat = false;
    }
}

static void settle_queue(struct held *held, bool own)
{
    for (uint32_t i = 0; i < held->count; i++) {
        struct held_stretch *stretch = &held->stretch[i];
        if (stretch->queued && own) {
            stretch->limit = LIMIT_LINK;
            stretch->flat = false;
        }
        stretch->queued = false;
    }
}

static void append(struct held *held, const struct held_stretch *stretch)
{
    struct held_stretch *last = held->count > 0 ? &held->stretch[held->count - 1] : NULL;

    if (last != NULL && last->limit == stretch->limit && last->flat == stretch->flat &&
        last->queued == stretch->queued) {
        last->end_ns = stretch->end_ns;
        last->held_ns += stretch->held_ns;
        last->last_frame = stretch->last_frame != 0 ? stretch->last_frame : last->last_frame;
        return;
    }
    held->stretch[held->count++] = *stretch;
}

static void note_plateau(struct held *held)
{
    const struct flat_run *run = &held->run;
    const int64_t duration_ns = run->end_ns - run->start_ns;

    if (run->limit == LIMIT_SEND_BUFFER && duration_ns > held->plateau.duration_ns)
        held->plateau =
            (struct plateau){run->low_bytes, run->high_bytes, run->start_ns, duration_ns};
}

/* Follow the run of flat flight; returns whether the round belongs to it. */
static bool follow_run(struct held *held, const struct round *round, int64_t min_rtt_ns,
                       uint32_t smss)
{
    const bool plain = smss > 0 && min_rtt_ns != NS_UNKNOWN && round_is_plain(round, smss);

    if (!plain || held->run.held_ns == 0 || !fits_run(&held->run, round->flight_max_bytes, smss)) {
        settle_run(held, held->run.limit);
        begin_run(held, round);
    }
    if (!plain)
        return false;
    extend_run(&held->run, round, min_rtt_ns, smss);
    held->run.limit = judge_run(held, smss);
    note_plateau(held);
    return true;
}

/* Judge a round in which something departed: what its time was, as far as can be said now. */
static void judge_round(struct held *held, const struct round *round, int64_t min_rtt_ns,
                        uint32_t smss, struct held_stretch *stretch)
{
    const enum bottleneck_state state =
        bottleneck_take(&held->bottleneck, round, min_rtt_ns, smss);

    if (round->recovery)
        held->loss_ns = round->end_ns;
    if (state != BOTTLENECK_UNCERTAIN)
        settle_queue(held, state == BOTTLENECK_FULL);
    stretch->queued = state == BOTTLENECK_UNCERTAIN;
    stretch->flat = follow_run(held, round, min_rtt_ns, smss) && state != BOTTLENECK_FULL;
    stretch->limit = round_is_at_edge(round, smss) ? LIMIT_RWND
                     : state == BOTTLENECK_FULL    ? LIMIT_LINK
                     : round->slow_start           ? LIMIT_SLOW_START
                                                   : LIMIT_CWND;
    if (held->run.limit == LIMIT_UNKNOWN)
        return;
    if (stretch->flat) {
        stretch->limit = held->run.limit;
        stretch->flat = stretch->queued = false;
    }
    settle_run(held, held->run.limit);
}

int held_round(struct held *held, const struct round *round, int64_t min_rtt_ns, uint32_t smss,
               struct held_decision *decisions)
{
    struct held_stretch stretch = {
        .start_ns = round->start_ns,
        .end_ns = round->end_ns,
        .held_ns = round->held_ns,
        .first_frame = round->first_frame,
        .last_frame = round->last_frame,
        .limit = held->last.limit,
        .flat = held->last.flat && held->run.limit == LIMIT_UNKNOWN,
        .queued = held->last.queued,
    };
    int made = 0;

    if (stretch.start_ns > round->end_ns - round->held_ns)
        stretch.start_ns = round->end_ns - round->held_ns; /* the wait began in the round before */
    /* a round without departures ends what the one before began */
    if (round->flight_max_bytes > 0 || round->recovery)
        judge_round(held, round, min_rtt_ns, smss, &stretch);
    held->last = stretch;
    if (held->count == HELD_STRETCHES)
        decide(held, 0, &decisions[made++]);
    if (stretch.held_ns > 0)
        append(held, &stretch);
    return made + decide_settled(held, &decisions[made]);
}

int held_finish(struct held *held, struct held_decision *decisions)
{
    settle_queue(held, false);
    settle_run(held, held->run.limit);
    return decide_settled(held, decisions);
}
