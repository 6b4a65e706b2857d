#include "analysis/replay/replay.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/replay/attribution.h"
#include "analysis/replay/cwnd_track.h"
#include "analysis/flow/seq.h"
#include "xmalloc.h"

static void open_round(struct replay *r)
{
    struct round *round = &r->round;

    *round = (struct round){
        .start_ns = r->now_ns,
        .una_start = r->una,
        .flight_min_bytes = BYTES_UNKNOWN,
        .room_min_bytes = BYTES_UNKNOWN,
        .rtt_min_ns = NS_UNKNOWN,
        .rtt_max_ns = NS_UNKNOWN,
    };
    memcpy(round->limit_ns, r->limit_ns, sizeof round->limit_ns);
    r->round_end = r->nxt;
}

static void close_round(struct replay *r)
{
    struct round *closed = &r->closed[r->rounds % ROUNDS_KEPT];

    r->round.end_ns = r->now_ns;
    r->round.una_end = r->una;
    r->round.slow_start = r->slow_start;
    for (int i = 0; i < LIMIT_COUNT; i++)
        r->round.limit_ns[i] = r->limit_ns[i] - r->round.limit_ns[i];
    *closed = r->round;
    cwnd_round(r, closed);
    r->rounds++;
    r->rounds_window_full += closed->window_full;
}

/* One round trip of data is over: did the flight grow as in slow start? */
static void end_round(struct replay *r)
{
    uint64_t flight_max = r->round.flight_max_bytes;
    /* Slow start grows by 2, with delayed ACKs by 1.5 a round (RFC 5681 section 3.1); avoidance
     * by one segment.  Half way between 1 and 1.5, twice in a row, ends the phase. */
    bool grew = flight_max * 4 >= r->previous_flight_max * 5;

    close_round(r);
    if (r->slow_start && r->rounds > 1) {
        r->slow_rounds = grew ? 0 : r->slow_rounds + 1;
        if (r->slow_rounds >= 2)
            r->slow_start = false;
    }
    r->previous_flight_max = flight_max;
    attribution_judge_round(r);
    r->closed[(r->rounds - 1) % ROUNDS_KEPT].held_limit = r->round.held_limit;
    open_round(r);
}

void replay_start(struct replay *r, int64_t sent_ns, int64_t earlier_ns, uint64_t una,
                  uint64_t edge)
{
    r->started = true;
    r->una = una;
    r->nxt = una;
    r->first_left = r->message_left = una;
    r->edge = edge;
    r->now_ns = r->given_ns = sent_ns;
    r->first_ns = sent_ns - earlier_ns;
    r->limit_ns[LIMIT_UNKNOWN] = earlier_ns;
    r->last_departure_ns = sent_ns;
    r->covered_ns = sent_ns;
    r->released_ns = NS_UNKNOWN;
    r->slow_start = true;
    cwnd_start(&r->cwnd, una, sent_ns);
    r->min_rtt_ns = NS_UNKNOWN;
    held_init(&r->held);
    open_round(r);
}

/* The sender acts upon an acknowledgment at time_ns. */
static void apply(struct replay *r, const struct ack_event *event, int64_t time_ns)
{
    attribution_advance(r, time_ns);
    bool blocked = attribution_window_blocks(r);
    if (event->carries_data)
        attribution_peer_spoke(r);
    bool reopens = event->edge == 0 && r->zero_window && event->ack >= r->una;
    bool opens = (event->edge > r->edge && r->edge != 0) || reopens;
    bool edge_is_old = reopens || (event->edge == 0 && event->ack > r->una);
    if (event->ack > r->una) {
        if (r->initial_window == 0)
            r->initial_window = r->nxt - r->first_left;
        r->round.acks++;
        uint64_t acked = event->ack - r->una;
        r->round.stretch_acks += acked > 4 * (uint64_t)r->smss;
        cwnd_before_ack(r);
        r->una = event->ack;
        if (event->rtt_us != 0)
            round_sample_rtt(&r->round, (int64_t)event->rtt_us * 1000);
        r->covered_ns = r->now_ns;
        r->released_ns = r->now_ns;
        r->window_blocked = blocked;
        if (r->nxt < r->una)
            r->nxt = r->una;
        if (r->una >= r->round_end && r->una > 0)
            end_round(r);
        if (r->recover != 0 && r->una >= r->recover) {
            attribution_end_recovery(r);
            r->recover = 0;
            r->after_timeout = false;
        }
        cwnd_acknowledged(r, acked);
    }
    r->cwnd.sacked_bytes = event->sacked;
    if (event->undoes)
        cwnd_undo(r);
    if (event->duplicate && r->nxt > r->una)
        r->released_ns = r->now_ns;
    if (opens && blocked) {
        r->released_ns = r->now_ns;
        r->window_blocked = true;
    }
    if (event->has_ts) {
        r->applied_ts = true;
        r->last_applied_ts = event->ts_val;
    }
    if (edge_is_old) { /* how far the window reaches now is not known */
        r->edge = 0;
        r->zero_window = false;
    }
    /* windows of reordered acknowledgments must not move the edge back: RFC 9293 3.10.7.4 */
    if (event->edge != 0 && (event->ack >= r->una || event->edge > r->edge)) {
        r->edge = event->edge;
        r->zero_window = event->zero_window;
    }
}

static void apply_first(struct replay *r, int64_t time_ns)
{
    apply(r, replay_event_at(r, 0), time_ns);
    r->head = (r->head + 1) & (r->capacity - 1);
    r->count--;
}

static void grow(struct replay *r)
{
    uint32_t capacity = r->capacity == 0 ? 16 : r->capacity * 2;
    struct ack_event *ring = xcalloc(capacity, sizeof *ring);

    for (uint32_t i = 0; i < r->count; i++)
        ring[i] = *replay_event_at(r, i);
    free(r->ring);
    r->ring = ring;
    r->capacity = capacity;
    r->head = 0;
}

void replay_make_room(struct replay *r, int64_t near_ns)
{
    if (r->capacity < REPLAY_EVENTS_MAX)
        grow(r);
    else
        apply_first(r, replay_event_at(r, 0)->time_ns + near_ns);
}

/* Without an echo, data beyond the window that the sender had still proves that it had acted upon
 * the first acknowledgment that allows it.  For a sender held by the window that is the one that
 * let it go, so the time since is the near leg with the queue of the moment.  Returns how many
 * events are proven. */
static uint32_t proven_by_window(struct replay *r, const struct departure *d,
                                 const struct replay_path *path)
{
    uint32_t i = 0;

    if (d->has_echo || r->edge == 0 || r->edge >= d->right)
        return 0;
    while (i < r->count && replay_event_at(r, i)->edge < d->right)
        i++;
    if (i == r->count)
        return 0;
    int64_t sample = d->tap_ns - replay_event_at(r, i)->time_ns;
    /* a queue of up to a quarter of the way; longer, and the sender had waited for itself */
    if (sample < path->near_ns + path->near_ns / 4 + 20000000) {
        r->loaded_near_ns = r->loaded_near_ns == 0 ? sample
                                                   : r->loaded_near_ns + (sample - r->loaded_near_ns) / 8;
        r->loaded_near_at_ns = d->tap_ns;
    }
    return i + 1;
}

/* Round trips for which the near leg under load holds after the window last showed it: a queue is
 * of the moment, and a sender that has left the window's edge says no more of it. */
#define LOADED_ROUND_TRIPS 8

/* Time between an acknowledgment passing the tap and the data that it lets go. */
static int64_t near_now_ns(const struct replay *r, const struct departure *d,
                           const struct replay_path *path)
{
    if (d->has_echo || r->loaded_near_ns < path->near_ns)
        return path->near_ns;
    if (path->min_rtt_ns > 0 &&
        d->tap_ns - r->loaded_near_at_ns > LOADED_ROUND_TRIPS * path->min_rtt_ns)
        return path->near_ns;
    return r->loaded_near_ns;
}

/* Below this the near leg is the host's own time, which varies by as much. */
#define NEAR_HOST_NS 200000

/* Whether the sender had acted upon an event when it let a segment go.  The near leg is a minimum
 * of few samples: leave it some room. */
static bool acted_upon(const struct replay *r, const struct ack_event *event,
                       const struct departure *d, const struct replay_path *path)
{
    int64_t near_ns = near_now_ns(r, d, path);
    int64_t slack_ns = near_ns / 64 < 1000000 ? near_ns / 64 : 1000000;
    int64_t earliest_ns = event->time_ns;

    if (near_ns > NEAR_HOST_NS)
        earliest_ns += near_ns - slack_ns - 50000;
    if (earliest_ns < event->time_ns)
        earliest_ns = event->time_ns;
    if (!d->has_echo || !event->has_ts)
        return earliest_ns <= d->tap_ns;
    if (event->ts_val != d->ts_ecr)
        return !serial_after(event->ts_val, d->ts_ecr);
    /* several acknowledgments within one tick: the first is proven, the others by time */
    return !r->applied_ts || r->last_applied_ts != event->ts_val ||
           earliest_ns <= d->tap_ns + path->tick_ns;
}

static void apply_until(struct replay *r, const struct departure *d,
                        const struct replay_path *path)
{
    uint32_t proven = proven_by_window(r, d, path);

    while (r->count > 0 && (proven > 0 || acted_upon(r, replay_event_at(r, 0), d, path))) {
        int64_t time_ns = replay_event_at(r, 0)->time_ns + near_now_ns(r, d, path);
        proven -= proven > 0;
        apply_first(r, time_ns < d->sent_ns ? time_ns : d->sent_ns);
    }
}

/* Enter a departure into the open round. */
static void count_in_round(struct replay *r, const struct departure *d, uint64_t flight)
{
    struct round *round = &r->round;

    if (flight > round->flight_max_bytes)
        round->flight_max_bytes = flight;
    if (d->tap_ns - d->sent_ns > round->late_max_ns)
        round->late_max_ns = d->tap_ns - d->sent_ns;
    if (r->edge != 0) {
        uint64_t room = r->edge > r->nxt ? r->edge - r->nxt : 0;
        if (room < round->room_min_bytes)
            round->room_min_bytes = room;
        round->window_full |= room < r->smss;
    }
    round->first_frame = round->first_frame == 0 ? d->frame : round->first_frame;
    round->last_frame = d->frame;
    if (d->kind != DEPARTURE_NEW) {
        round->recovery = true;
        round->timeout |= d->kind == DEPARTURE_TIMEOUT;
        round->resent_bytes += d->right - d->left;
        return;
    }
    if (flight < round->flight_min_bytes)
        round->flight_min_bytes = flight;
    round->sent_bytes += d->right - d->left;
    round->departures++;
    round->partial += !d->full;
}

uint64_t replay_departure(struct replay *r, const struct departure *d,
                          const struct replay_path *path)
{
    r->smss = d->smss;
    r->min_rtt_ns = path->min_rtt_ns;
    apply_until(r, d, path);
    if (!attribution_follows_on(r, d, path)) {
        attribution_advance(r, d->sent_ns);
        attribution_resolve(r, d, path);
    }
    if (d->kind == DEPARTURE_PROBE)
        return r->nxt - r->una;
    if (d->left > r->nxt)
        cwnd_gap(r, d->left);
    if (d->right > r->nxt)
        r->nxt = d->right;
    uint64_t flight = r->nxt > r->una ? r->nxt - r->una : 0;
    r->last_flight = flight;
    if (!d->has_echo)
        r->round.unplaced |= path->near_ns * 8 > path->min_rtt_ns;
    count_in_round(r, d, flight);
    if (d->kind == DEPARTURE_NEW && !replay_is_unplaced(d, path)) {
        if (flight > r->cwnd.sacked_bytes)
            cwnd_departure(r, d, path, flight - r->cwnd.sacked_bytes);
        r->flight_sum += flight;
        r->flight_count++;
        if (flight > r->flight_max)
            r->flight_max = flight;
    }
    return flight;
}

void replay_finish(struct replay *r, const struct replay_path *path)
{
    uint32_t last_useful = 0;
    uint64_t una = r->una;

    if (!r->started)
        return;
    for (uint32_t i = 0; i < r->count; i++) {
        if (replay_event_at(r, i)->ack > una) {
            una = replay_event_at(r, i)->ack;
            last_useful = i + 1;
        }
    }
    while (last_useful-- > 0)
        apply_first(r, replay_event_at(r, 0)->time_ns + path->near_ns);
    attribution_finish(r);
    cwnd_finish(r);
}

void replay_free(struct replay *r)
{
    free(r->ring);
    r->ring = NULL;
    r->capacity = r->count = 0;
}
