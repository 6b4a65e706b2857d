/* A simulated bulk sender for longer traces: window, losses, SACK recovery, time-out, delayed
 * acknowledgments.  Runs from event to event: an arrival, the end of a transmission, a timer. */
#include "tests/trace.h"

#include <stdlib.h>

#include "xmalloc.h"

#define DELAYED_ACK_NS (40 * MS_NS)

struct bulk {
    struct trace *t;
    const struct trace_bulk_options *o;
    struct trace_bulk_result *result;
    enum direction from, to;
    uint32_t size;           /* of a full segment */
    int64_t base;            /* position of the first byte */
    uint32_t next, una;      /* segments: next new one, first not acknowledged */
    uint8_t *sacked, *resent, *lost;
    uint32_t sacked_count, outstanding_lost, outstanding_resent;
    uint32_t cwnd, recovery_end;
    int64_t link_free_ns, rto_due_ns, delayed_ack_ns;
    uint32_t unacknowledged; /* segments since the receiver's last ACK */
};

static enum trace_fate bulk_fate(const struct bulk *b, uint32_t segment)
{
    for (size_t i = 0; i < b->o->loss_count; i++)
        if (b->o->losses[i].segment == segment)
            return b->o->losses[i].fate;
    return FATE_DELIVERED;
}

static uint32_t bulk_flight(const struct bulk *b)
{
    return b->next - b->una - b->sacked_count - b->outstanding_lost + b->outstanding_resent;
}

static bool bulk_window_open(const struct bulk *b)
{
    int64_t right = b->base + (int64_t)(b->next + 1) * b->size;

    return right <= b->t->host[b->from].send_limit;
}

/* Segments of the next frame; 0 = nothing may be sent now. */
static uint32_t bulk_sendable(const struct bulk *b)
{
    uint32_t frame = b->o->per_frame != 0 ? b->o->per_frame : 1;
    uint32_t left = b->o->segments - b->next;

    frame = frame < left ? frame : left;
    if (frame == 0 || !bulk_window_open(b) || bulk_flight(b) + frame > b->cwnd)
        return 0;
    return frame;
}

/* First segment judged lost and not yet resent; b->next = none. */
static uint32_t bulk_next_resend(const struct bulk *b)
{
    for (uint32_t s = b->una; b->outstanding_lost > b->outstanding_resent && s < b->next; s++)
        if (b->lost[s] && !b->resent[s] && !b->sacked[s])
            return s;
    return b->next;
}

static void bulk_resend(struct bulk *b, uint32_t segment)
{
    b->resent[segment] = 1;
    b->outstanding_resent++;
    b->result->retransmitted++;
    trace_resend(b->t, b->from, b->base - 1 + (int64_t)segment * b->size, b->size);
}

static void bulk_send_new(struct bulk *b, uint32_t frame)
{
    const struct trace_bulk_options *o = b->o;

    if (o->reorder_every != 0 && b->next % o->reorder_every == o->reorder_every / 2)
        trace_delay(b->t, o->reorder_after_tap ? 0 : o->reorder_ns,
                    o->reorder_after_tap ? o->reorder_ns : 0);
    trace_fate(b->t, bulk_fate(b, b->next), 1);
    trace_frame(b->t, b->from, frame * b->size);
    b->next += frame;
}

static void bulk_send(struct bulk *b)
{
    int64_t now = b->t->now_ns;
    uint32_t resend = bulk_next_resend(b), frame = bulk_sendable(b);

    if (now < b->link_free_ns || (resend == b->next && frame == 0))
        return;
    if (b->una == b->next)
        b->rto_due_ns = now + b->o->rto_ns;
    bool repair = resend != b->next;

    if (repair)
        bulk_resend(b, resend);
    else
        bulk_send_new(b, frame);
    b->link_free_ns = now + b->o->spacing_ns * (repair ? 1 : frame);
}

static void bulk_mark_sacked(struct bulk *b, const struct segment *ack)
{
    uint32_t isn = b->t->options.isn[b->from];

    for (int i = 0; i < ack->opt.sack_count; i++) {
        int64_t left = (uint32_t)(ack->opt.sack[i].left - isn) - b->base;
        int64_t right = (uint32_t)(ack->opt.sack[i].right - isn) - b->base;

        for (int64_t s = left / b->size; s >= b->una && s < right / b->size && s < b->next; s++)
            if (!b->sacked[s]) {
                b->sacked[s] = 1;
                b->sacked_count++;
                b->outstanding_lost -= b->lost[s];
                b->outstanding_resent -= b->resent[s];
            }
    }
}

/* A hole with three segments SACKed above it is lost (RFC 6675); the window is halved once a
 * round trip. */
static void bulk_mark_lost(struct bulk *b)
{
    uint32_t above = 0;

    for (uint32_t s = b->next; s-- > b->una;) {
        above += b->sacked[s];
        if (above < 3 || b->sacked[s] || b->lost[s])
            continue;
        b->lost[s] = 1;
        b->outstanding_lost++;
        b->result->fast++;
        if (s >= b->recovery_end && b->o->cwnd_segments == 0)
            b->cwnd = b->cwnd / 2 > 2 ? b->cwnd / 2 : 2;
        if (s >= b->recovery_end)
            b->recovery_end = b->next;
    }
}

static void bulk_take_ack(struct bulk *b, const struct segment *ack)
{
    uint32_t una = (uint32_t)((b->t->host[b->from].snd_una - b->base) / b->size);

    if (una > b->una) {
        b->rto_due_ns = b->t->now_ns + b->o->rto_ns;
        if (b->o->cwnd_segments == 0 && b->una >= b->recovery_end)
            b->cwnd += una - b->una;
    }
    for (; b->una < una; b->una++) {
        b->sacked_count -= b->sacked[b->una];
        b->outstanding_lost -= b->lost[b->una] && !b->sacked[b->una];
        b->outstanding_resent -= b->resent[b->una] && !b->sacked[b->una];
    }
    bulk_mark_sacked(b, ack);
    if (b->sacked_count > 0 && !b->o->ignore_holes)
        bulk_mark_lost(b);
}

static void bulk_send_ack(struct bulk *b)
{
    trace_ack(b->t, b->to);
    b->result->acks++;
    b->unacknowledged = 0;
    b->delayed_ack_ns = INT64_MAX;
}

/* The ACKs of a frame that crossed the path as segments: one for every second segment. */
static void bulk_ack_frame(struct bulk *b, int64_t left, int64_t right)
{
    int64_t step = 2 * (int64_t)b->size, late_ns = 0;

    for (int64_t ack = left + step; late_ns == 0 || ack < right + step; ack += step) {
        struct segment *seg = trace_ack(b->t, b->to);
        struct trace_packet *packet = &b->t->packets[b->t->count - 1];

        seg->ack = b->t->options.isn[b->from] + (uint32_t)(ack < right ? ack : right);
        packet->departed_ns += late_ns;
        packet->tap_ns += late_ns;
        packet->arrives_ns += late_ns;
        late_ns += 2 * b->o->spacing_ns;
        b->result->acks++;
    }
}

static void bulk_take_data(struct bulk *b, const struct trace_packet *packet)
{
    int64_t left = packet->left, right = packet->right;
    const struct trace_host *host = &b->t->host[b->to];
    bool at_once = host->range_count != 0 || right < host->rcv_nxt ||
                   host->dsack.left != host->dsack.right;

    b->unacknowledged += (uint32_t)((right - left) / b->size);
    if (right - left > b->size && !at_once)
        bulk_ack_frame(b, left, right);
    else if (b->unacknowledged >= 2 || at_once)
        bulk_send_ack(b);
    else if (b->delayed_ack_ns == INT64_MAX)
        b->delayed_ack_ns = b->t->now_ns + DELAYED_ACK_NS;
}

static void bulk_time_out(struct bulk *b)
{
    b->result->timeouts++;
    b->rto_due_ns = b->t->now_ns + 2 * b->o->rto_ns;
    b->outstanding_lost += !b->lost[b->una];
    b->lost[b->una] = 1;
    b->outstanding_resent -= b->resent[b->una];
    b->resent[b->una] = 0;
    if (b->o->cwnd_segments == 0)
        b->cwnd = 2;
    bulk_resend(b, b->una);
    b->link_free_ns = b->t->now_ns + b->o->spacing_ns;
}

static int64_t bulk_next_event(const struct bulk *b)
{
    int64_t next = trace_next_arrival(b->t, b->from);
    int64_t at_receiver = trace_next_arrival(b->t, b->to);
    bool waiting = bulk_sendable(b) != 0 || bulk_next_resend(b) != b->next;

    next = at_receiver < next ? at_receiver : next;
    next = b->delayed_ack_ns < next ? b->delayed_ack_ns : next;
    if (b->una < b->next && b->rto_due_ns < next)
        next = b->rto_due_ns;
    if (waiting && b->link_free_ns < next)
        next = b->link_free_ns;
    return next > b->t->now_ns ? next : b->t->now_ns;
}

static void bulk_step(struct bulk *b)
{
    const struct trace_packet *packet;

    b->t->now_ns = bulk_next_event(b);
    while ((packet = trace_absorb(b->t, b->to)) != NULL)
        if (packet->seg.payload_bytes != 0)
            bulk_take_data(b, packet);
    if (b->t->now_ns >= b->delayed_ack_ns)
        bulk_send_ack(b);
    while ((packet = trace_absorb(b->t, b->from)) != NULL) {
        struct segment ack = packet->seg;

        bulk_take_ack(b, &ack);
    }
    if (b->una < b->next && b->t->now_ns >= b->rto_due_ns)
        bulk_time_out(b);
    bulk_send(b);
}

void trace_bulk(struct trace *t, const struct trace_bulk_options *options,
                struct trace_bulk_result *result)
{
    struct trace_bulk_options o = *options;
    struct trace_bulk_result unused = {0};
    struct bulk b = {.t = t, .o = &o, .from = o.from, .to = o.from == C2S ? S2C : C2S};

    o.spacing_ns = o.spacing_ns != 0 ? o.spacing_ns : 12 * US_NS;
    o.rto_ns = o.rto_ns != 0 ? o.rto_ns : 300 * MS_NS;
    b.result = result != NULL ? result : &unused;
    *b.result = unused;
    b.size = trace_smss(t);
    b.base = t->host[b.from].snd_nxt;
    b.cwnd = o.cwnd_segments != 0 ? o.cwnd_segments : 10;
    b.delayed_ack_ns = INT64_MAX;
    b.sacked = xcalloc(o.segments, 1);
    b.resent = xcalloc(o.segments, 1);
    b.lost = xcalloc(o.segments, 1);
    while (b.una < o.segments)
        bulk_step(&b);
    free(b.sacked);
    free(b.resent);
    free(b.lost);
    t->now_ns += US_NS;
}
