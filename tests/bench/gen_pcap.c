/* Writes a synthetic capture of TCP transfers for measurements: the same options always give
 * the same bytes.  Flows are open side by side; each step picks one at random and sends its next
 * packet: handshake, data from the server, an acknowledgment for every second segment, now and
 * then a lost segment that is sent again after duplicate acknowledgments, close.  IPv4 on
 * Ethernet, valid checksums, timestamps, SACK, microsecond pcap.
 *
 * Usage: gen_pcap -o FILE [-n PACKETS] [-f FLOWS] [-c OPEN] [-d LEAST,MOST] [-s SNAPLEN]
 *                 [-l LOSSES-PER-10000] [-S SEED] */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MSS 1448u /* 1500 - IP 20 - TCP 20 - timestamps 12 */
#define DUP_ACKS 4u
#define FRAME_MAX 1514u

enum { FIN = 1, SYN = 2, PSH = 8, ACK = 16 };
enum state {
    SEND_SYN,
    SEND_SYN_ACK,
    SEND_ACK,
    SEND_REQUEST,
    TRANSFER,
    SEND_FIN,
    SEND_FIN_ACK,
    LAST_ACK
};

struct options {
    const char *path;
    uint64_t packets, flows, seed;
    uint32_t open, least, most, snaplen, losses;
};

struct flow {
    uint32_t id, client_iss, server_iss;
    uint32_t sent, total, acked; /* data segments */
    uint32_t hole, hole_age;     /* hole: lost segment + 1, 0 = none */
    uint32_t ts_val[2];          /* last one sent by client, server */
    uint16_t ip_id[2];
    uint8_t state;
    bool ack_due;
};

/* One packet to be written. */
struct shape {
    bool from_server;
    uint8_t flags;
    uint32_t seq, ack, payload_bytes;
    uint32_t sack_left, sack_right; /* equal = no SACK block */
};

struct writer {
    FILE *out;
    uint64_t random, written, time_us, payload_sum;
    uint32_t snaplen;
    uint8_t payload[MSS];
};

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t random_below(struct writer *w, uint32_t limit)
{
    return (uint32_t)(((next_random(&w->random) >> 32) * limit) >> 32);
}

static uint8_t *put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
    return at + 2;
}

static uint8_t *put32(uint8_t *at, uint32_t value)
{
    return put16(put16(at, value >> 16), value & 0xffff);
}

static uint64_t sum_words(const uint8_t *bytes, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i + 1 < count; i += 2)
        sum += (uint32_t)(bytes[i] << 8 | bytes[i + 1]);
    return count % 2 ? sum + (uint32_t)(bytes[count - 1] << 8) : sum;
}

/* The Internet checksum of a sum of 16-bit words (RFC 1071). */
static uint16_t checksum(uint64_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

/* TCP options: MSS, SACK permitted and window scale on SYN, timestamps always, one SACK block. */
static uint8_t *put_options(struct flow *flow, const struct shape *shape, uint64_t time_us,
                            uint8_t *at)
{
    uint32_t *ts_val = &flow->ts_val[shape->from_server];

    *ts_val = (uint32_t)(time_us / 1000) + (shape->from_server ? 7000 : 0);
    if (shape->flags & SYN) {
        at = put32(at, 2u << 24 | 4u << 16 | (MSS + 12));
        at = put32(at, 4u << 24 | 2u << 16 | 8u << 8 | 10u);
    } else {
        at = put32(at, 1u << 24 | 1u << 16 | 8u << 8 | 10u);
    }
    at = put32(put32(at, *ts_val), flow->ts_val[!shape->from_server]);
    if (shape->flags & SYN)
        at = put32(at, 1u << 24 | 3u << 16 | 3u << 8 | 7u);
    if (shape->sack_left != shape->sack_right) {
        at = put32(at, 1u << 24 | 1u << 16 | 5u << 8 | 10u);
        at = put32(put32(at, shape->sack_left), shape->sack_right);
    }
    return at;
}

/* The frame of a packet; returns its length on the wire. */
static uint32_t build_frame(const struct writer *w, struct flow *flow, const struct shape *shape,
                            uint8_t *frame)
{
    uint32_t client = 10u << 24 | (flow->id & 0xffffff), server = 0xc6336400u + flow->id % 200;
    uint32_t client_port = 20000 + (flow->id >> 24), source = shape->from_server ? server : client;
    uint32_t target = shape->from_server ? client : server;
    uint8_t *ip = frame + 14, *tcp = ip + 20,
            *payload = put_options(flow, shape, w->time_us, tcp + 20);
    uint32_t header_bytes = (uint32_t)(payload - tcp),
             tcp_bytes = header_bytes + shape->payload_bytes;

    memcpy(frame,
           shape->from_server ? "\2\0\0\0\0\1\2\0\0\0\0\2\10" : "\2\0\0\0\0\2\2\0\0\0\0\1\10", 14);
    put32(ip, 0x45000000u | (20 + tcp_bytes));
    put32(ip + 4, (uint32_t)flow->ip_id[shape->from_server]++ << 16 | 0x4000);
    put32(ip + 8, 64u << 24 | 6u << 16);
    put32(put32(ip + 12, source), target);
    put16(ip + 10, checksum(sum_words(ip, 20)));
    put16(tcp, shape->from_server ? 80 : client_port);
    put16(tcp + 2, shape->from_server ? client_port : 80);
    put32(put32(tcp + 4, shape->seq), shape->ack);
    put16(tcp + 12, header_bytes / 4 << 12 | shape->flags);
    put32(put16(tcp + 14, 2048), 0);
    uint64_t sum = sum_words(ip + 12, 8) + 6 + tcp_bytes + sum_words(tcp, header_bytes);
    sum +=
        shape->payload_bytes == MSS ? w->payload_sum : sum_words(w->payload, shape->payload_bytes);
    put16(tcp + 16, checksum(sum));
    memcpy(payload, w->payload, shape->payload_bytes);
    return 34 + tcp_bytes;
}

static void write_or_die(struct writer *w, const void *bytes, size_t count)
{
    if (fwrite(bytes, 1, count, w->out) == count)
        return;
    perror("gen_pcap: write");
    exit(1);
}

static void write_packet(struct writer *w, struct flow *flow, const struct shape *shape)
{
    uint8_t frame[FRAME_MAX];
    uint32_t wire = build_frame(w, flow, shape, frame),
             captured = wire < w->snaplen ? wire : w->snaplen;

    w->time_us += 1 + random_below(w, 9);
    uint32_t record[4] = {(uint32_t)(w->time_us / 1000000), (uint32_t)(w->time_us % 1000000),
                          captured, wire};
    write_or_die(w, record, sizeof record);
    write_or_die(w, frame, captured);
    w->written++;
}

static void flow_start(struct flow *flow, struct writer *w, const struct options *opt, uint32_t id)
{
    memset(flow, 0, sizeof *flow);
    flow->id = id;
    flow->client_iss = (uint32_t)next_random(&w->random);
    flow->server_iss = (uint32_t)next_random(&w->random);
    flow->total = opt->least + random_below(w, opt->most - opt->least + 1);
}

/* Next data segment or acknowledgment of a transfer under way. */
static struct shape transfer_step(struct flow *flow, struct writer *w, const struct options *opt)
{
    uint32_t base = flow->server_iss + 1, request_end = flow->client_iss + 101;
    struct shape data = {true, ACK, base + flow->sent * MSS, request_end, MSS, 0, 0};
    struct shape ack = {false, ACK, request_end, base + flow->acked * MSS, 0, 0, 0};

    if (flow->ack_due) {
        flow->ack_due = false;
        if (flow->hole != 0 && flow->sent > flow->hole) {
            ack.sack_left = base + flow->hole * MSS;
            ack.sack_right = base + flow->sent * MSS;
        } else if (flow->hole == 0) {
            flow->acked = flow->sent;
            ack.ack = base + flow->acked * MSS;
        }
        return ack;
    }
    if (flow->hole != 0 && (flow->hole_age++ == DUP_ACKS || flow->sent == flow->total)) {
        data.seq = base + (flow->hole - 1) * MSS; /* the resend */
        flow->hole = 0;
        flow->ack_due = true;
        return data;
    }
    if (flow->hole == 0 && flow->sent + 1 < flow->total && random_below(w, 10000) < opt->losses) {
        flow->acked = flow->sent;
        flow->sent++; /* this one was lost before the capture */
        flow->hole = flow->sent;
        flow->hole_age = 0;
        data.seq += MSS;
    }
    flow->sent++;
    flow->ack_due = flow->hole != 0 || flow->sent % 2 == 0 || flow->sent == flow->total;
    if (flow->sent == flow->total)
        data.flags |= PSH;
    return data;
}

/* Write the flow's next packet; returns false when that was its last. */
static bool flow_step(struct flow *flow, struct writer *w, const struct options *opt)
{
    uint32_t client = flow->client_iss + 1, server = flow->server_iss + 1;
    uint32_t end = server + flow->total * MSS;
    struct shape shapes[] = {
        [SEND_SYN] = {false, SYN, client - 1, 0, 0, 0, 0},
        [SEND_SYN_ACK] = {true, SYN | ACK, server - 1, client, 0, 0, 0},
        [SEND_ACK] = {false, ACK, client, server, 0, 0, 0},
        [SEND_REQUEST] = {false, PSH | ACK, client, server, 100, 0, 0},
        [TRANSFER] = {0},
        [SEND_FIN] = {true, FIN | ACK, end, client + 100, 0, 0, 0},
        [SEND_FIN_ACK] = {false, FIN | ACK, client + 100, end + 1, 0, 0, 0},
        [LAST_ACK] = {true, ACK, end + 1, client + 101, 0, 0, 0},
    };

    if (flow->state == TRANSFER && flow->sent == flow->total && !flow->ack_due && flow->hole == 0)
        flow->state++;
    if (flow->state == TRANSFER)
        shapes[TRANSFER] = transfer_step(flow, w, opt);
    write_packet(w, flow, &shapes[flow->state]);
    if (flow->state != TRANSFER)
        flow->state++;
    return flow->state <= LAST_ACK;
}

static void generate(struct writer *w, const struct options *opt)
{
    struct flow *flows = calloc(opt->open, sizeof *flows);
    uint32_t open = 0;
    uint64_t started = 0;

    if (flows == NULL) {
        perror("gen_pcap");
        exit(1);
    }
    for (; open < opt->open && started < opt->flows; open++)
        flow_start(&flows[open], w, opt, (uint32_t)started++);
    while (open > 0 && w->written < opt->packets) {
        uint32_t i = random_below(w, open);

        if (flow_step(&flows[i], w, opt))
            continue;
        if (started < opt->flows)
            flow_start(&flows[i], w, opt, (uint32_t)started++);
        else
            flows[i] = flows[--open];
    }
    free(flows);
}

static uint64_t number_or_die(const char *text, char **end)
{
    uint64_t value = strtoull(text, end, 10);

    if (*end != text)
        return value;
    fprintf(stderr, "gen_pcap: %s: not a number\n", text);
    exit(2);
}

static void parse_options(int argc, char **argv, struct options *opt)
{
    char *end;
    int letter;

    while ((letter = getopt(argc, argv, "o:n:f:c:d:s:l:S:")) != -1) {
        switch (letter) {
        case 'o': opt->path = optarg; break;
        case 'n': opt->packets = number_or_die(optarg, &end); break;
        case 'f': opt->flows = number_or_die(optarg, &end); break;
        case 'c': opt->open = (uint32_t)number_or_die(optarg, &end); break;
        case 's': opt->snaplen = (uint32_t)number_or_die(optarg, &end); break;
        case 'l': opt->losses = (uint32_t)number_or_die(optarg, &end); break;
        case 'S': opt->seed = number_or_die(optarg, &end); break;
        case 'd':
            opt->least = opt->most = (uint32_t)number_or_die(optarg, &end);
            if (*end == ',')
                opt->most = (uint32_t)number_or_die(end + 1, &end);
            break;
        default: exit(2);
        }
    }
    if (opt->path != NULL && opt->open != 0 && opt->least != 0 && opt->most >= opt->least)
        return;
    fputs("usage: gen_pcap -o FILE [-n PACKETS] [-f FLOWS] [-c OPEN] [-d LEAST,MOST] [-s SNAPLEN]"
          " [-l LOSSES-PER-10000] [-S SEED]\n",
          stderr);
    exit(2);
}

int main(int argc, char **argv)
{
    struct options opt = {NULL, UINT64_MAX, UINT32_MAX, 1, 8, 1000, 1000, 65535, 10};
    struct writer w = {.time_us = 1700000000000000u};

    parse_options(argc, argv, &opt);
    w.random = opt.seed;
    w.snaplen = opt.snaplen;
    w.out = fopen(opt.path, "wb");
    if (w.out == NULL) {
        perror(opt.path);
        return 1;
    }
    setvbuf(w.out, NULL, _IOFBF, 1 << 20);
    for (size_t i = 0; i < sizeof w.payload; i++)
        w.payload[i] = (uint8_t)next_random(&w.random);
    w.payload_sum = sum_words(w.payload, MSS);
    const uint32_t header[6] = {0xa1b2c3d4u, 4u << 16 | 2u, 0, 0, opt.snaplen, 1};
    write_or_die(&w, header, sizeof header);
    generate(&w, &opt);
    if (fclose(w.out) != 0) {
        perror(opt.path);
        return 1;
    }
    printf("%llu\n", (unsigned long long)w.written);
    return 0;
}
