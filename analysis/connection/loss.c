#include "analysis/connection/loss.h"

#include <stdlib.h>

#include "analysis/connection/data_steps.h"
#include "analysis/connection/sender.h"
#include "xmalloc.h"

static struct loss_log *log_of(struct side *side)
{
    if (side->loss == NULL) {
        side->loss = xcalloc(1, sizeof *side->loss);
        loss_facts_clear(&side->loss->facts);
        side->loss->stride = 1;
    }
    return side->loss;
}

static int64_t repair_ns(const struct replay *r)
{
    return r->limit_ns[LIMIT_RECOVERY] + r->limit_ns[LIMIT_RTO];
}

/* When three duplicate ACKs, or SACK worth as much, for the byte at left passed. */
static int64_t signal_ns(const struct rexmit *rx, uint64_t left)
{
    int64_t latest_ns = NS_UNKNOWN;

    for (uint32_t i = 0; i < SIGNALS_REMEMBERED && i < rx->signal_count; i++)
        if (rx->signals[i].snd_una == left && rx->signals[i].time_ns > latest_ns)
            latest_ns = rx->signals[i].time_ns;
    return latest_ns != NS_UNKNOWN ? latest_ns : rx->trigger_ns;
}

/* Round trip just before a loss: the smoothed one of data acknowledged before the hole (a single
 * sample may be that of a delayed ACK).  Its part between tap and sender is known with its queue
 * from timestamps, else from the time between the duplicate ACKs and the resend that they set off.
 * Not known when nothing was measured since the event before. */
static int64_t rtt_before_ns(const struct flow *flow, enum direction dir,
                             const struct segment *seg, const struct loss_resend *resend)
{
    const struct side *side = &flow->detail->side[dir];
    int64_t near_ns = flow_near_ns(flow, dir), called_ns = signal_ns(&side->rexmit, resend->left);

    if (side->rtt.samples == side->loss->rtt_samples)
        return NS_UNKNOWN;
    if (flow_tap_is_near(flow, dir) || data_path(flow, dir).tick_ns != 0)
        return side->srtt_ns;
    if (!resend->fast || called_ns == NS_UNKNOWN || seg->time_ns - called_ns < near_ns)
        return NS_UNKNOWN;
    return side->srtt_ns - near_ns + (seg->time_ns - called_ns);
}

static void keep_event(struct loss_log *log)
{
    if (log->skipped + 1 < log->stride) {
        log->skipped++;
        return;
    }
    log->skipped = 0;
    if (log->count == LOSS_EVENTS_KEPT) {
        for (uint32_t i = 0; i < LOSS_EVENTS_KEPT / 2; i++)
            log->events[i] = log->events[2 * i];
        log->count /= 2;
        log->stride *= 2;
    }
    if (log->events == NULL)
        log->events = xcalloc(LOSS_EVENTS_KEPT, sizeof *log->events);
    log->events[log->count++] = log->event;
}

static void add_needed_event(struct loss_log *log)
{
    struct loss_facts *facts = &log->facts;
    const struct loss_event *event = &log->event;

    facts->events++;
    facts->segments += event->segments;
    facts->single += event->segments == 1;
    facts->in_slow_start += event->slow_start;
    facts->while_peer_sent += log->peer_sent;
    if (event->segments > facts->burst_most_segments)
        facts->burst_most_segments = event->segments;
    log->flight_sum_bytes += log->flight_bytes;
    facts->flight_before_mean_bytes = log->flight_sum_bytes / facts->events;
    if (facts->flight_before_most_bytes == BYTES_UNKNOWN ||
        log->flight_bytes > facts->flight_before_most_bytes)
        facts->flight_before_most_bytes = log->flight_bytes;
    if (facts->first.frame == 0)
        facts->first = log->span;
    if (facts->worst.frame == 0 || log->span.repair_ns > facts->worst.repair_ns)
        facts->worst = log->span;
    keep_event(log);
}

/* The last event becomes part of the sums. */
static void close_event(struct flow *flow, enum direction dir)
{
    const struct replay *r = &flow->detail->side[dir].replay;
    struct loss_log *log = flow->detail->side[dir].loss;
    int64_t rtt_ns = flow_min_rtt_ns(flow);
    struct loss_cost *cost;

    if (!log->open)
        return;
    log->open = false;
    log->span.repair_ns = repair_ns(r) - log->repair_start_ns;
    log->span.segments = log->event.segments;
    log->event.cost_ns = log->span.repair_ns + log->regrowth_ns;
    log->event.recover = log->recover;
    if (log->event.segments == 0)
        log->kind = LOSS_SPURIOUS;
    cost = &log->facts.cost[log->kind];
    cost->events++;
    cost->repair_ns += log->span.repair_ns;
    cost->regrowth_ns += log->regrowth_ns;
    if (log->kind == LOSS_SPURIOUS) {
        if (log->facts.spurious_frame == 0)
            log->facts.spurious_frame = log->span.frame;
        return;
    }
    if (log->event.segments > 1 && rtt_ns > 0 && !sender_facts(flow, dir, 0).sack_permitted) {
        uint64_t rounds = (uint64_t)(log->span.repair_ns / rtt_ns);
        uint64_t most = log->event.segments - 1; /* the first one has its round trip anyway */
        log->facts.one_a_round_trip_segments += rounds < most ? rounds : most;
    }
    add_needed_event(log);
}

static void begin_event(struct flow *flow, enum direction dir, const struct segment *seg,
                        const struct loss_resend *resend)
{
    struct side *side = &flow->detail->side[dir];
    struct loss_log *log = side->loss;
    const struct replay *r = &side->replay;
    const struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];
    int64_t rtt_ns = flow_min_rtt_ns(flow);

    close_event(flow, dir);
    log->open = true;
    log->event = (struct loss_event){
        .passed_ns = resend->first_ns,
        .left = resend->left,
        .rtt_ns = rtt_before_ns(flow, dir, seg, resend),
        .slow_start = r->slow_start,
    };
    log->span = (struct loss_span){seg->time_ns, 0, seg->frame, 0};
    log->kind = LOSS_REPAIRED;
    log->recover = half->snd_nxt > resend->right ? half->snd_nxt : resend->right;
    log->flight_bytes = log->event.flight_bytes = r->nxt > r->una ? r->nxt - r->una : 0;
    log->peer_sent = peer->data_segments > 0 && rtt_ns != NS_UNKNOWN &&
                     seg->time_ns - peer->last_data_ns <= rtt_ns;
    log->rounds = r->rounds;
    log->rtt_samples = side->rtt.samples;
    log->repair_start_ns = repair_ns(r);
    log->regrowth_ns = 0;
    log->regrowing = true;
    log->by_mark = false;
    log->window_before_bytes = r->flight_max;
    log->idle_restarts = r->idle_restarts;
}

/* A time-out: what passed before it since the last acknowledgment was silence. */
static void note_timeout(struct loss_log *log, const struct segment *seg,
                         const struct loss_resend *resend)
{
    struct loss_facts *facts = &log->facts;

    log->kind = LOSS_TIMEOUT;
    bool again = facts->timeouts > 0 && log->timeout_left == resend->left;
    log->backoffs = again ? log->backoffs + 1 : 1;
    log->timeout_left = resend->left;
    facts->timeouts++;
    if (log->backoffs > facts->backoffs_most)
        facts->backoffs_most = log->backoffs;
    facts->silence_ns += resend->silence_ns;
    if (resend->silence_ns > facts->silence_longest_ns) {
        facts->silence_longest_ns = resend->silence_ns;
        facts->silence_frame = seg->frame;
    }
}

/* What was out when the last event began belongs to it, however late it is resent.  A tap behind
 * the loss does not see what was: what follows next upon the last that passed (a queue that is full
 * drops the last ones), and soon after a time-out all, is that. */
static bool continues_event(const struct flow *flow, enum direction dir,
                            const struct loss_resend *resend)
{
    const struct side *side = &flow->detail->side[dir];
    const struct loss_log *log = side->loss;
    bool next = resend->left == log->recover && !flow_tap_is_near(flow, dir);

    return log->open && (resend->left < log->recover || next ||
                         (log->kind == LOSS_TIMEOUT && side->replay.rounds - log->rounds <= 2));
}

void loss_note_resend(struct flow *flow, enum direction dir, const struct segment *seg,
                      const struct loss_resend *resend)
{
    struct side *side = &flow->detail->side[dir];
    struct loss_log *log = log_of(side);

    if (!continues_event(flow, dir, resend))
        begin_event(flow, dir, seg, resend);
    else if (resend->right > log->recover)
        log->recover = resend->right;
    log->resent = true;
    if (resend->needed)
        log->event.segments += resend->segments;
    if (resend->silence_ns > 0)
        note_timeout(log, seg, resend);
    /* a smaller piece of the same bytes is the sender's remedy, not another try */
    bool smaller = resend->left >= log->tries_left &&
                   resend->right <= log->tries_left + log->facts.tries_bytes &&
                   resend->right - resend->left < log->facts.tries_bytes;
    if (resend->tries > log->facts.tries_most && !smaller) {
        log->tries_left = resend->left;
        log->facts.tries_most = resend->tries;
        log->facts.tries_bytes = resend->right - resend->left;
        log->facts.tries_frame = seg->frame;
    }
}

void loss_note_unneeded(struct side *side, uint32_t segments)
{
    struct loss_log *log = side->loss;

    if (log != NULL && log->open)
        log->event.segments -= segments < log->event.segments ? segments : log->event.segments;
}

void loss_note_late(struct flow *flow, enum direction dir, const struct segment *seg,
                    uint64_t extent_bytes, int64_t late_ns)
{
    struct loss_facts *facts = &log_of(&flow->detail->side[dir])->facts;

    facts->late_three += extent_bytes >= 3 * (uint64_t)flow->half[dir].smss;
    if (extent_bytes > facts->late_most_bytes)
        facts->late_most_bytes = extent_bytes;
    if (late_ns > facts->late_most_ns) { /* NS_UNKNOWN is below all */
        facts->late_most_ns = late_ns;
        facts->late_frame = seg->frame;
    }
}

void loss_note_healed(struct side *side)
{
    struct loss_log *log = log_of(side);

    log->facts.healed += !log->resent;
    log->resent = false;
}

void loss_note_mark(struct flow *flow, enum direction dir, const struct segment *seg)
{
    struct side *side = &flow->detail->side[dir];
    struct loss_log *log = log_of(side);

    if (log->facts.ecn_cuts++ == 0)
        log->facts.ecn_frame = seg->frame;
    if (log->regrowing && !log->by_mark)
        return; /* a loss did it first */
    log->regrowing = log->by_mark = true;
    log->window_before_bytes = side->replay.flight_max;
    log->idle_restarts = side->replay.idle_restarts;
}

void loss_note_too_big(struct side *side, uint64_t frame, uint32_t mtu_bytes)
{
    struct loss_facts *facts = &log_of(side)->facts;

    if (facts->too_big_notices++ == 0)
        facts->too_big_frame = frame;
    if (mtu_bytes != 0 && mtu_bytes < facts->too_big_mtu_bytes)
        facts->too_big_mtu_bytes = mtu_bytes;
}

void loss_finish(struct flow *flow, enum direction dir)
{
    struct side *side = &flow->detail->side[dir];

    if (side->loss == NULL)
        return;
    loss_count_regrowth(flow, dir, &side->replay.round); /* not closed: the data ended in it */
    close_event(flow, dir);
}

void loss_free(struct loss_log *log)
{
    if (log != NULL)
        free(log->events);
    free(log);
}
