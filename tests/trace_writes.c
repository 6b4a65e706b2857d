#include "tests/trace_writes.h"

struct writer {
    struct trace *t;
    const struct trace_writes_options *o;
    struct trace_writes_result *result;
    enum direction from, to;
    uint32_t size;
    int64_t written, sent, una; /* stream bytes */
    uint32_t writes;
    int64_t ready_ns;           /* when the program has its next piece */
    int64_t link_free_ns, delayed_ack_ns;
    uint32_t unacknowledged;    /* segments, at the receiver */
};

static uint32_t next_write_bytes(const struct writer *w)
{
    return w->o->sizes != NULL ? w->o->sizes[w->writes % w->o->size_count] : w->o->write_bytes;
}

static bool write_fits(const struct writer *w)
{
    if (w->o->wait_every != 0 && w->writes % w->o->wait_every == 0 && w->una < w->written)
        return false;
    return w->writes < w->o->writes &&
           (w->o->send_buffer_bytes == 0 ||
            w->written - w->una + next_write_bytes(w) <= w->o->send_buffer_bytes);
}

static void write_piece(struct writer *w)
{
    if (!write_fits(w) || w->t->now_ns < w->ready_ns)
        return;
    w->written += next_write_bytes(w);
    w->writes++;
    w->ready_ns = w->t->now_ns + w->o->write_ns;
}

/* Bytes of the segment that may leave now, 0 = none. */
static uint32_t sendable(const struct writer *w)
{
    int64_t waiting = w->written - w->sent, out = w->sent - w->una;
    uint32_t bytes = waiting > w->size ? w->size : (uint32_t)waiting;

    if (bytes == 0 || (w->o->flight_bytes != 0 && out > 0 && out + bytes > w->o->flight_bytes))
        return 0;
    if (w->t->host[w->from].snd_nxt + bytes > w->t->host[w->from].send_limit)
        return 0;
    /* Nagle: a small piece waits for all that is out (RFC 9293 section 3.7.4) */
    return bytes == w->size || w->o->nodelay || out == 0 ? bytes : 0;
}

static bool queues_stand(const struct writer *w)
{
    return w->writes * 5 > w->o->writes * 2;
}

static void send_segment(struct writer *w)
{
    uint32_t bytes = sendable(w);

    if (bytes == 0 || w->t->now_ns < w->link_free_ns)
        return;
    if (queues_stand(w))
        trace_delay(w->t, w->o->data_queue_ns[0], w->o->data_queue_ns[1]);
    trace_frame(w->t, w->from, bytes);
    w->sent += bytes;
    w->result->segments++;
    w->link_free_ns = w->t->now_ns + w->o->spacing_ns;
}

static void send_ack(struct writer *w)
{
    if (queues_stand(w))
        trace_delay(w->t, w->o->ack_queue_ns[0], w->o->ack_queue_ns[1]);
    trace_ack(w->t, w->to);
    w->result->acks++;
    w->unacknowledged = 0;
    w->delayed_ack_ns = INT64_MAX;
}

static void take_data(struct writer *w)
{
    if (++w->unacknowledged >= w->o->ack_segments)
        send_ack(w);
    else if (w->delayed_ack_ns == INT64_MAX)
        w->delayed_ack_ns = w->t->now_ns + w->o->ack_delay_ns;
}

static int64_t next_event(const struct writer *w)
{
    int64_t next = trace_next_arrival(w->t, w->from);
    int64_t at_receiver = trace_next_arrival(w->t, w->to);

    next = at_receiver < next ? at_receiver : next;
    next = w->delayed_ack_ns < next ? w->delayed_ack_ns : next;
    if (write_fits(w) && w->ready_ns < next)
        next = w->ready_ns;
    if (sendable(w) > 0 && w->link_free_ns < next)
        next = w->link_free_ns;
    return next > w->t->now_ns ? next : w->t->now_ns;
}

static void step(struct writer *w)
{
    const struct trace_packet *packet;

    w->t->now_ns = next_event(w);
    while ((packet = trace_absorb(w->t, w->to)) != NULL)
        if (packet->seg.payload_bytes != 0)
            take_data(w);
    if (w->t->now_ns >= w->delayed_ack_ns) {
        w->result->delayed_acks++;
        send_ack(w);
    }
    while (trace_absorb(w->t, w->from) != NULL)
        continue;
    w->una = w->t->host[w->from].snd_una - (w->t->host[w->from].snd_nxt - w->sent);
    write_piece(w);
    send_segment(w);
}

void trace_writes(struct trace *t, const struct trace_writes_options *options,
                  struct trace_writes_result *result)
{
    struct trace_writes_options o = *options;
    struct trace_writes_result unused = {0};
    struct writer w = {.t = t, .o = &o, .from = o.from, .to = o.from == C2S ? S2C : C2S};

    o.spacing_ns = o.spacing_ns != 0 ? o.spacing_ns : 12 * US_NS;
    o.ack_delay_ns = o.ack_delay_ns != 0 ? o.ack_delay_ns : 40 * MS_NS;
    o.ack_segments = o.ack_segments != 0 ? o.ack_segments : 2;
    w.result = result != NULL ? result : &unused;
    *w.result = unused;
    w.size = trace_smss(t);
    w.delayed_ack_ns = INT64_MAX;
    w.ready_ns = t->now_ns + o.write_ns;
    while (w.writes < o.writes || w.una < w.written)
        step(&w);
    t->now_ns += US_NS;
}
