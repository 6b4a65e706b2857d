/* A traced host: how it composes a packet and when that passes the tap and arrives; and its
 * receiving half: reassembly, SACK ranges, D-SACK, TS.Recent. */
#include "tests/trace.h"

#include "xmalloc.h"

static struct trace_packet *trace_append(struct trace *t)
{
    if (t->count == t->capacity) {
        t->capacity = t->capacity != 0 ? 2 * t->capacity : 256;
        t->packets = xreallocarray(t->packets, t->capacity, sizeof *t->packets);
    }
    struct trace_packet *packet = &t->packets[t->count++];

    memset(packet, 0, sizeof *packet);
    return packet;
}

void trace_duplicate_last(struct trace *t, int64_t delay_ns)
{
    struct trace_packet *packet = trace_append(t);

    *packet = t->packets[t->count - 2];
    packet->tap_ns += delay_ns;
    packet->arrives_ns += delay_ns;
    packet->absorbed = false;
}

static uint16_t trace_ip_id(struct trace *t, enum direction from)
{
    switch (t->options.ip_id[from]) {
    case IP_ID_ZERO:
        return 0;
    case IP_ID_RANDOM:
        t->random = t->random * 1664525 + 1013904223;
        return (uint16_t)(t->random >> 16);
    case IP_ID_COUNTER:
    default:
        return t->host[from].next_ip_id++;
    }
}

/* Window field of a segment: never scaled in a SYN (RFC 7323 section 2.2). */
static uint16_t trace_window_field(const struct trace *t, enum direction from, unsigned flags)
{
    const int *shift = t->options.wind_shift;
    bool scaled = shift[0] >= 0 && shift[1] >= 0 && (flags & TCP_SYN) == 0;
    int own = shift[from] > 14 ? 14 : shift[from];
    uint32_t field = t->host[from].window_bytes >> (scaled ? own : 0);

    return (uint16_t)(field > 65535 ? 65535 : field);
}

static void trace_add_sack(const struct trace *t, enum direction from, struct tcp_options *opt)
{
    const struct trace_host *host = &t->host[from];
    uint32_t isn = t->options.isn[1 - from];
    uint64_t below = UINT64_MAX;
    unsigned most = t->options.timestamps ? 3 : 4;

    if (host->dsack.left != host->dsack.right)
        opt->sack[opt->sack_count++] = (struct sack_block){isn + (uint32_t)host->dsack.left,
                                                           isn + (uint32_t)host->dsack.right};
    while (opt->sack_count < most) {
        const struct trace_range *best = NULL;

        for (size_t i = 0; i < host->range_count; i++)
            if (host->ranges[i].stamp < below &&
                (best == NULL || host->ranges[i].stamp > best->stamp))
                best = &host->ranges[i];
        if (best == NULL)
            break;
        below = best->stamp;
        opt->sack[opt->sack_count++] =
            (struct sack_block){isn + (uint32_t)best->left, isn + (uint32_t)best->right};
    }
    if (opt->sack_count != 0)
        opt->present |= TCP_OPT_SACK;
}

static void trace_add_options(struct trace *t, enum direction from, struct segment *seg)
{
    const struct trace_options *o = &t->options;

    if (o->timestamps && (seg->flags & TCP_RST) == 0) {
        seg->opt.present |= TCP_OPT_TIMESTAMPS;
        seg->opt.ts_val = (from == C2S ? 700000u : 3000000000u) +
                          (uint32_t)((t->now_ns - o->start_ns) / o->tick_ns);
        seg->opt.ts_ecr = (seg->flags & TCP_ACK) != 0 ? t->host[from].ts_recent : 0;
    }
    if ((seg->flags & TCP_SYN) == 0) {
        if (o->sack && (seg->flags & TCP_ACK) != 0)
            trace_add_sack(t, from, &seg->opt);
        return;
    }
    if (o->mss != 0)
        seg->opt.present |= TCP_OPT_MSS;
    seg->opt.mss = (uint16_t)o->mss;
    if (o->sack)
        seg->opt.present |= TCP_OPT_SACK_PERMITTED;
    if (o->wind_shift[from] >= 0) {
        seg->opt.present |= TCP_OPT_WIND_SHIFT;
        seg->opt.wind_shift = (uint8_t)o->wind_shift[from];
    }
}

/* Stands for the TCP checksum: equal for equal headers and equal stream bytes. */
static uint16_t trace_checksum(const struct segment *seg)
{
    uint32_t sum = seg->seq * 2654435761u ^ seg->ack * 40503u ^ seg->opt.ts_val * 97u ^
                   seg->opt.ts_ecr * 193u ^ (uint32_t)seg->wnd * 389u ^
                   (uint32_t)seg->flags * 769u ^ seg->payload_bytes * 1543u ^
                   seg->opt.sack[0].left ^ seg->opt.sack[0].right * 3u;

    return (uint16_t)(sum >> 16 ^ sum);
}

/* Addresses, lengths and TTL as a tap at its place sees them. */
static void trace_add_link(const struct trace *t, enum direction from, struct segment *seg)
{
    static const uint8_t client[4] = {192, 0, 2, 1}, server[4] = {198, 51, 100, 2};
    const struct trace_options *o = &t->options;
    double travelled = from == C2S ? o->tap : 1 - o->tap;

    seg->src = ip_addr_from_v4(from == C2S ? client : server);
    seg->dst = ip_addr_from_v4(from == C2S ? server : client);
    seg->src_port = from == C2S ? o->client_port : o->server_port;
    seg->dst_port = from == C2S ? o->server_port : o->client_port;
    seg->tunnel_id = o->tunnel_id;
    seg->vlan = o->vlan[from];
    seg->vlan_depth = o->vlan[from] != 0;
    seg->ip_version = 4;
    seg->ttl = (uint8_t)(64 - (int)(travelled * o->hops));
    seg->link_hash = from == C2S ? 0x11111111 : 0x22222222;
    seg->wire_bytes = 14 + 20 + 20 + (o->timestamps ? 12 : 0) + seg->payload_bytes;
    seg->captured_bytes = seg->wire_bytes - seg->payload_bytes;
}

/* When a packet that leaves now passes the tap and arrives, and what its fate makes of that. */
static void trace_route(struct trace *t, enum direction from, struct trace_packet *packet)
{
    double before = from == C2S ? t->options.tap : 1 - t->options.tap;
    int64_t path_ns = t->options.rtt_ns / 2;
    enum trace_fate fate = t->fate_count != 0 ? t->fate : FATE_DELIVERED;

    packet->departed_ns = t->now_ns;
    packet->tap_ns = t->now_ns + (int64_t)(before * (double)path_ns) + t->delay_before_ns;
    packet->arrives_ns = t->now_ns + path_ns + t->delay_before_ns + t->delay_after_ns;
    packet->captured = fate == FATE_DELIVERED || fate == FATE_LOST_DOWNSTREAM;
    packet->absorbed = fate == FATE_LOST_UPSTREAM || fate == FATE_LOST_DOWNSTREAM;
    packet->copy = t->copy;
    packet->copy_delay_ns = t->copy_delay_ns;
    t->delay_before_ns = t->delay_after_ns = 0;
    t->fate_count -= t->fate_count != 0;
}

struct segment *trace_send(struct trace *t, enum direction from, unsigned flags, int64_t offset,
                           uint32_t bytes)
{
    while (trace_absorb(t, from) != NULL)
        continue;
    struct trace_host *host = &t->host[from];
    struct trace_packet *packet = trace_append(t);
    struct segment *seg = &packet->seg;

    packet->from = from;
    packet->left = offset + ((flags & TCP_SYN) != 0 ? 0 : 1);
    seg->flags = (uint16_t)flags;
    seg->payload_bytes = bytes;
    packet->right = packet->left + segment_length(seg);
    seg->seq = t->options.isn[from] + (uint32_t)packet->left;
    if ((flags & TCP_ACK) != 0) {
        seg->ack = t->options.isn[1 - from] + (uint32_t)host->rcv_nxt;
        host->last_ack_sent = host->rcv_nxt;
    }
    seg->wnd = trace_window_field(t, from, flags);
    seg->ip_id = trace_ip_id(t, from);
    trace_add_options(t, from, seg);
    host->dsack.left = host->dsack.right = 0;
    trace_add_link(t, from, seg);
    seg->checksum = trace_checksum(seg);
    trace_route(t, from, packet);
    return seg;
}

/* The packet that arrives first at a host among those not yet absorbed; NULL = none.  Packets
 * stand in order of departure, so the search ends with those that have not left by limit_ns. */
static struct trace_packet *trace_first_arrival(const struct trace *t, enum direction host)
{
    struct trace_packet *first = NULL;

    for (size_t i = t->host[host].first_pending; i < t->count; i++) {
        struct trace_packet *packet = &t->packets[i];

        if (packet->from == host || packet->absorbed)
            continue;
        if (first != NULL && packet->departed_ns > first->arrives_ns)
            break;
        if (first == NULL || packet->arrives_ns < first->arrives_ns)
            first = packet;
    }
    return first;
}

int64_t trace_next_arrival(const struct trace *t, enum direction host)
{
    const struct trace_packet *packet = trace_first_arrival(t, host);

    return packet != NULL ? packet->arrives_ns : INT64_MAX;
}

/* Unite the range with those it touches; the newest stamp is its own. */
static void trace_add_range(struct trace *t, struct trace_host *host, int64_t left, int64_t right)
{
    size_t kept = 0;

    for (size_t i = 0; i < host->range_count; i++) {
        struct trace_range *range = &host->ranges[i];

        if (range->right < left || range->left > right) {
            host->ranges[kept++] = *range;
            continue;
        }
        left = range->left < left ? range->left : left;
        right = range->right > right ? range->right : right;
    }
    host->range_count = kept;
    if (left <= host->rcv_nxt)
        host->rcv_nxt = right > host->rcv_nxt ? right : host->rcv_nxt;
    else if (kept < TRACE_RANGES_MAX)
        host->ranges[host->range_count++] = (struct trace_range){left, right, ++t->stamp};
}

/* True when everything of the packet had arrived before. */
static bool trace_is_repeat(const struct trace_host *host, const struct trace_packet *packet)
{
    if (packet->right <= host->rcv_nxt)
        return true;
    for (size_t i = 0; i < host->range_count; i++)
        if (host->ranges[i].left <= packet->left && host->ranges[i].right >= packet->right)
            return true;
    return false;
}

static void trace_receive(struct trace *t, struct trace_host *host,
                          const struct trace_packet *packet)
{
    const struct segment *seg = &packet->seg;
    bool newer = (int32_t)(seg->opt.ts_val - host->ts_recent) >= 0;

    if ((seg->opt.present & TCP_OPT_TIMESTAMPS) != 0 && packet->left <= host->last_ack_sent &&
        (newer || (seg->flags & TCP_SYN) != 0))
        host->ts_recent = seg->opt.ts_val;
    if ((seg->flags & TCP_ACK) != 0) {
        int64_t una = host->snd_una + (int32_t)(seg->ack - t->options.isn[1 - packet->from] -
                                                (uint32_t)host->snd_una);
        bool scaled = (seg->flags & TCP_SYN) == 0 && t->options.wind_shift[0] >= 0 &&
                      t->options.wind_shift[1] >= 0;
        int shift = t->options.wind_shift[packet->from];

        host->snd_una = una > host->snd_una ? una : host->snd_una;
        host->send_limit = una + ((int64_t)seg->wnd << (scaled ? (shift > 14 ? 14 : shift) : 0));
    }
    if (packet->right == packet->left || (seg->flags & TCP_RST) != 0)
        return;
    if (trace_is_repeat(host, packet)) {
        host->dsack = (struct trace_range){packet->left, packet->right, 0};
        return;
    }
    trace_add_range(t, host, packet->left, packet->right);
    for (size_t i = 0; i < host->range_count; i++)
        if (host->ranges[i].left <= host->rcv_nxt) {
            host->rcv_nxt = host->ranges[i].right;
            host->ranges[i] = host->ranges[--host->range_count];
        }
}

const struct trace_packet *trace_absorb(struct trace *t, enum direction host)
{
    struct trace_packet *packet = trace_first_arrival(t, host);
    size_t *pending = &t->host[host].first_pending;

    if (packet == NULL || packet->arrives_ns > t->now_ns)
        return NULL;
    packet->absorbed = true;
    trace_receive(t, &t->host[host], packet);
    while (*pending < t->count &&
           (t->packets[*pending].from == host || t->packets[*pending].absorbed))
        (*pending)++;
    return packet;
}
