/* The whole analysis and every report over invented segments.  Each 20 bytes of the input are one
 * segment of one of four connections: numbers near those that the connection has reached, so that
 * losses, reordering, copies, windows and resets come in every combination.  Traps on a number that
 * cannot be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analyzer.h"
#include "report/report.h"

#define RECORD_BYTES 20

struct pen {
    uint32_t next[4][2]; /* sequence number that comes next, by flow and sender */
    int64_t time_ns;
    uint64_t frame;
    uint16_t ip_id;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static uint16_t u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* A signed distance that is mostly small and sometimes anywhere. */
static uint32_t distance(const uint8_t *bytes)
{
    uint32_t steps = bytes[0] < 128 ? bytes[0] : 0u - (256u - bytes[0]);

    return bytes[1] == 255 ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[0] << 9 : steps * 97;
}

static void take_options(const uint8_t *b, const struct segment *seg, uint32_t peer_next,
                         struct tcp_options *opt)
{
    opt->present = b[12] & 0x5f;
    opt->mss = u16(&b[13]);
    opt->wind_shift = b[13];
    opt->ts_val = (uint32_t)(seg->time_ns / 1000000) + b[14] - 128u;
    opt->ts_ecr = (uint32_t)(seg->time_ns / 1000000) - b[15];
    opt->sack_count = (b[12] & TCP_OPT_SACK) != 0 ? b[16] % 5 : 0;
    for (int i = 0; i < opt->sack_count; i++) {
        opt->sack[i].left = peer_next - (uint32_t)(b[16] + i * 40) * 97;
        opt->sack[i].right = opt->sack[i].left + (uint32_t)b[15] * 97;
    }
}

/* One record into one segment. */
static struct segment invent(struct pen *pen, const uint8_t *b)
{
    struct segment seg = {0};
    uint8_t flow = b[0] & 3, from = b[0] >> 2 & 1;
    const uint8_t client[4] = {192, 0, 2, flow}, server[4] = {198, 51, 100, 1};

    pen->time_ns += (b[1] & 0x80) != 0 ? (int64_t)(b[1] & 0x7f) * 7000000 : (int64_t)b[1] * 11000;
    if (b[2] == 255)
        pen->time_ns -= 40000000;
    seg.time_ns = pen->time_ns;
    seg.frame = ++pen->frame;
    seg.src = ip_addr_from_v4(from == 0 ? client : server);
    seg.dst = ip_addr_from_v4(from == 0 ? server : client);
    seg.src_port = from == 0 ? 40000 : (flow == 0 ? 21 : 5001);
    seg.dst_port = from == 0 ? (flow == 0 ? 21 : 5001) : 40000;
    seg.flags = b[3] & 0x3f;
    if ((b[3] & 0xc0) == 0xc0)
        seg.flags = TCP_ACK | (b[3] & TCP_PSH);
    seg.payload_bytes = (b[4] & 1) != 0 ? u16(&b[4]) % 1461 : (b[4] & 2) != 0 ? u16(&b[4]) : 0;
    seg.seq = pen->next[flow][from] + distance(&b[6]);
    seg.ack = pen->next[flow][!from] + distance(&b[8]);
    seg.wnd = u16(&b[10]);
    seg.ip_version = (b[17] & 1) != 0 ? 6 : 4;
    pen->ip_id = (uint16_t)(pen->ip_id + (b[17] >> 1 & 7));
    seg.ip_id = pen->ip_id;
    seg.ttl = 64 - (b[17] >> 6);
    seg.vlan = b[18] & 3;
    seg.interface = b[18] >> 6;
    seg.payload = b; /* the record's own bytes serve as text */
    seg.payload_captured = seg.payload_bytes < RECORD_BYTES ? seg.payload_bytes : RECORD_BYTES;
    take_options(b, &seg, pen->next[flow][!from], &seg.opt);
    if (b[19] < 200)
        pen->next[flow][from] = seg.seq + segment_length(&seg);
    return seg;
}

static void check_direction(const struct direction_result *d)
{
    int64_t sum = 0;
    uint64_t triggers = 0;

    for (int i = 0; i < LIMIT_COUNT; i++) {
        must(d->limit_ns[i] >= 0);
        sum += d->limit_ns[i];
    }
    must(sum == d->elapsed_ns);
    for (int i = 0; i < REXMIT_TRIGGERS; i++)
        triggers += d->retransmissions[i];
    must(triggers == d->retransmitted_segments);
    must(d->bytes <= d->stream_bytes && d->zero_window_ns >= 0 && d->window_full_ns >= 0);
    must(d->rtt.samples == 0 || (d->rtt.min_ns <= d->rtt.p50_ns && d->rtt.p50_ns <= d->rtt.p95_ns &&
                                 d->rtt.p95_ns <= d->rtt.max_ns));
}

/* choice: which report is written, with the course over time (the slow part) or without. */
static void check_results(const struct analyzer *a, uint8_t choice)
{
    static const char *const formats[] = {"text", "json", "jsonl", "csv"};
    const struct report_options options = {
        .series = (choice & 4) != 0, .evidence = true, .events = true, .verbose = true};
    const struct capture_info capture = {.tool_version = "0", .first_ns = INT64_MIN, .last_ns = INT64_MIN};
    const struct report_input input = {a, &capture, &options};
    FILE *out = fopen("/dev/null", "w");

    for (uint64_t id = 1; id <= analyzer_flow_count(a); id++) {
        struct flow_result flow;
        analyzer_flow(a, id, &flow);
        check_direction(&flow.dir[C2S]);
        check_direction(&flow.dir[S2C]);
    }
    must(out != NULL);
    must(report_format_find(formats[choice & 3])->write(&input, out) == 0);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct analyzer_options options = {
        .max_flows = 50, .series = size > 0 && (data[size - 1] & 4) != 0, .events = true,
        .commands = true};
    const uint8_t choice = size > 0 ? data[size - 1] : 0;
    struct analyzer *a = analyzer_new(&options);
    struct pen pen = {.time_ns = 1700000000000000000, .next = {{1000, 0xfffff000u}, {0x7ffffff0u, 5}}};

    for (size_t at = 0; at + RECORD_BYTES <= size; at += RECORD_BYTES) {
        struct segment seg = invent(&pen, &data[at]);
        analyzer_feed(a, &seg, 1);
    }
    analyzer_finish(a);
    check_results(a, choice);
    analyzer_free(a);
    return 0;
}
