#include "tests/trace.h"

#include <stdlib.h>

#include "xmalloc.h"

#define SPACING_NS (12 * US_NS)

struct trace_options trace_defaults(void)
{
    struct trace_options options = {
        .rtt_ns = 50 * MS_NS,
        .mss = 1460,
        .timestamps = true,
        .sack = true,
        .tick_ns = MS_NS,
        .wind_shift = {7, 7},
        .window_bytes = {1 << 20, 1 << 20},
        .isn = {1000000, 2000000000},
        .client_port = 40000,
        .server_port = 5001,
        .start_ns = INT64_C(1700000000) * 1000 * MS_NS,
        .hops = 10,
    };

    return options;
}

struct trace *trace_new(const struct trace_options *options)
{
    struct trace *t = xcalloc(1, sizeof *t);

    t->options = options != NULL ? *options : trace_defaults();
    t->now_ns = t->options.start_ns;
    t->random = 12345;
    for (int h = 0; h < 2; h++) {
        t->host[h].window_bytes = t->options.window_bytes[h];
        t->host[h].next_ip_id = (uint16_t)(1000 + 20000 * h);
        t->host[h].send_limit = INT64_MAX;
    }
    return t;
}

void trace_free(struct trace *t)
{
    free(t->packets);
    free(t);
}

void trace_wait_us(struct trace *t, int64_t us)
{
    t->now_ns += us * US_NS;
}

void trace_wait_ms(struct trace *t, int64_t ms)
{
    t->now_ns += ms * MS_NS;
}

void trace_wait_path(struct trace *t)
{
    t->now_ns += t->options.rtt_ns / 2 + US_NS;
}

uint32_t trace_smss(const struct trace *t)
{
    uint32_t mss = t->options.mss != 0 ? t->options.mss : 536;

    return t->options.timestamps ? mss - 12 : mss;
}

int64_t trace_offset(const struct trace *t, enum direction from)
{
    return t->host[from].snd_nxt - 1;
}

void trace_window(struct trace *t, enum direction from, uint32_t bytes)
{
    t->host[from].window_bytes = bytes;
}

void trace_fate(struct trace *t, enum trace_fate fate, unsigned count)
{
    t->fate = fate;
    t->fate_count = count;
}

void trace_delay(struct trace *t, int64_t before_tap_ns, int64_t after_tap_ns)
{
    t->delay_before_ns = before_tap_ns;
    t->delay_after_ns = after_tap_ns;
}

void trace_copy_last(struct trace *t, enum trace_copy copy, int64_t delay_ns)
{
    t->packets[t->count - 1].copy = copy;
    t->packets[t->count - 1].copy_delay_ns = delay_ns;
}

void trace_copy_all(struct trace *t, enum trace_copy copy, int64_t delay_ns)
{
    t->copy = copy;
    t->copy_delay_ns = delay_ns;
}

/* New stream positions in one frame. */
static struct segment *trace_send_next(struct trace *t, enum direction from, unsigned flags,
                                       uint32_t bytes)
{
    int64_t offset = t->host[from].snd_nxt - ((flags & TCP_SYN) != 0 ? 0 : 1);
    struct segment *seg = trace_send(t, from, flags, offset, bytes);

    t->host[from].snd_nxt += segment_length(seg);
    return seg;
}

void trace_syn(struct trace *t, enum direction from)
{
    trace_send(t, from, TCP_SYN, 0, 0);
    t->host[from].snd_nxt = 1;
}

void trace_syn_ack(struct trace *t)
{
    trace_send(t, S2C, TCP_SYN | TCP_ACK, 0, 0);
    t->host[S2C].snd_nxt = 1;
}

void trace_handshake(struct trace *t)
{
    trace_syn(t, C2S);
    trace_wait_path(t);
    trace_syn_ack(t);
    trace_wait_path(t);
    trace_ack(t, C2S);
    trace_wait_us(t, 20);
}

void trace_begin_established(struct trace *t, int64_t client_offset, int64_t server_offset)
{
    t->host[C2S].snd_nxt = t->host[C2S].snd_una = client_offset + 1;
    t->host[S2C].snd_nxt = t->host[S2C].snd_una = server_offset + 1;
    t->host[C2S].rcv_nxt = t->host[C2S].last_ack_sent = server_offset + 1;
    t->host[S2C].rcv_nxt = t->host[S2C].last_ack_sent = client_offset + 1;
    t->host[C2S].ts_recent = 3000000000u - 1;
    t->host[S2C].ts_recent = 700000u - 1;
    for (int h = 0; h < 2; h++)
        t->host[h].send_limit = t->host[h].snd_nxt + t->options.window_bytes[1 - h];
}

void trace_data(struct trace *t, enum direction from, uint32_t bytes)
{
    while (bytes > 0) {
        uint32_t part = bytes < trace_smss(t) ? bytes : trace_smss(t);

        bytes -= part;
        trace_send_next(t, from, TCP_ACK | (bytes == 0 ? TCP_PSH : 0), part);
        t->now_ns += SPACING_NS;
    }
}

struct segment *trace_frame(struct trace *t, enum direction from, uint32_t bytes)
{
    return trace_send_next(t, from, TCP_ACK | TCP_PSH, bytes);
}

void trace_text(struct trace *t, enum direction from, const char *text)
{
    uint32_t length = (uint32_t)strlen(text);
    struct segment *seg = trace_frame(t, from, length);

    seg->payload = (const uint8_t *)text;
    seg->payload_captured = length;
    seg->captured_bytes += length;
}

void trace_resend(struct trace *t, enum direction from, int64_t offset, uint32_t bytes)
{
    trace_send(t, from, TCP_ACK | TCP_PSH, offset, bytes);
}

struct segment *trace_ack(struct trace *t, enum direction from)
{
    return trace_send(t, from, TCP_ACK, t->host[from].snd_nxt - 1, 0);
}

void trace_fin(struct trace *t, enum direction from)
{
    trace_send_next(t, from, TCP_FIN | TCP_ACK, 0);
}

struct segment *trace_rst(struct trace *t, enum direction from)
{
    return trace_send(t, from, TCP_RST | TCP_ACK, t->host[from].snd_nxt - 1, 0);
}
