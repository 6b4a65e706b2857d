#include "analysis/session/transfer.h"

#include "analysis/session/phases.h"

static enum direction other(enum direction dir)
{
    return dir == C2S ? S2C : C2S;
}

/* One end's first FIN or RST; frame 0 = neither. */
struct stop {
    int64_t time_ns;
    uint64_t frame;
};

/* In a capture with coarse times several packets share one: then their order decides. */
static bool is_before(const struct stop *a, const struct stop *b)
{
    return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->frame < b->frame);
}

static struct stop stop_of(const struct direction_result *sent)
{
    const struct stop fin = {sent->fin_ns, sent->fin ? sent->fin_frame : 0};
    const struct stop rst = {sent->rst_ns, sent->rst ? sent->rst_frame : 0};

    if (fin.frame == 0 || rst.frame == 0)
        return fin.frame == 0 ? rst : fin;
    return is_before(&fin, &rst) ? fin : rst;
}

bool transfer_first_stop(const struct flow_result *flow, enum direction *end)
{
    const struct stop client = stop_of(&flow->dir[C2S]), server = stop_of(&flow->dir[S2C]);

    if (client.frame == 0 && server.frame == 0)
        return false;
    if (client.frame == 0 || server.frame == 0)
        *end = client.frame == 0 ? S2C : C2S;
    else
        *end = is_before(&server, &client) ? S2C : C2S;
    return true;
}

/* The sender's FIN may be among what was not captured: a FIN takes a sequence number (RFC 9293
 * section 3.4), so one that was acknowledged shows as bytes that are missing. */
static bool fin_may_be_missing(const struct flow_result *flow, enum direction data)
{
    const struct direction_result *sender = &flow->dir[data], *receiver = &flow->dir[other(data)];

    return !sender->fin && !sender->rst && !receiver->rst && sender->gap_bytes > 0;
}

bool transfer_was_cut_off(const struct flow_result *flow, enum direction data)
{
    const struct direction_result *sender = &flow->dir[data];
    enum direction end;

    if (!transfer_first_stop(flow, &end) || fin_may_be_missing(flow, data))
        return false;
    return end != data || !sender->fin;
}

void transfer_fill_data(struct transfer_result *out, const struct flow_result *flow)
{
    const struct direction_result *data = &flow->dir[out->direction];
    int64_t end = data->last_ack_ns != NS_UNKNOWN ? data->last_ack_ns : data->last_data_ns;
    int64_t span = span_ns(data->first_data_ns, end);

    out->flow_id = flow->id;
    out->bytes = data->bytes;
    if (span == NS_UNKNOWN)
        return;
    out->bulk_start_ns = data->first_data_ns;
    out->bulk_ns = span;
    if (span > 0)
        out->goodput_bytes_per_s = (double)data->bytes * 1e9 / (double)span;
}

void transfer_fill_duration(struct transfer_result *out, int64_t end_ns)
{
    int64_t span = span_ns(out->start_ns, end_ns);

    out->duration_ns = span != NS_UNKNOWN ? span : 0;
}

int64_t transfer_bulk_end(const struct transfer_result *out)
{
    return later_ns(out->bulk_start_ns, out->bulk_ns);
}

int64_t transfer_handshake_end(const struct flow_result *flow)
{
    return later_ns(flow->start_ns, flow->handshake_rtt_ns);
}

void transfer_clear(struct transfer_result *out)
{
    *out = (struct transfer_result){
        .expected_bytes = BYTES_UNKNOWN,
        .goodput_bytes_per_s = -1,
        .bulk_start_ns = NS_UNKNOWN,
        .bulk_ns = NS_UNKNOWN,
    };
}

/* Both ends closed and nothing is missing: complete; reset before the sender's FIN: not. */
static void judge_bulk(const struct flow_result *flow, struct transfer_result *out)
{
    const struct direction_result *data = &flow->dir[out->direction];
    const struct direction_result *back = &flow->dir[other(out->direction)];
    bool reset = data->rst || back->rst;
    enum direction end;

    if (data->fin && back->fin && data->gap_bytes == 0 && !reset) {
        out->complete = true;
        out->complete_known = true;
    } else if (reset && !data->fin && transfer_first_stop(flow, &end)) {
        out->complete_known = true;
        out->ended_by = end == C2S ? ENDED_BY_CLIENT : ENDED_BY_SERVER;
    }
}

void transfer_from_bulk(const struct flow_result *flow, struct transfer_result *out)
{
    struct phase_list list;

    transfer_clear(out);
    out->protocol = "bulk";
    out->direction = flow->dir[C2S].bytes > flow->dir[S2C].bytes ? C2S : S2C;
    transfer_fill_data(out, flow);
    judge_bulk(flow, out);
    out->start_ns = flow->start_ns;
    transfer_fill_duration(out, transfer_bulk_end(out));
    list = (struct phase_list){out->phases, 0, out->start_ns};
    phase_until(&list, PHASE_CONNECT, flow->role_known ? transfer_handshake_end(flow) : NS_UNKNOWN);
    if (out->bulk_start_ns != NS_UNKNOWN)
        phase_until(&list, PHASE_OPEN, out->bulk_start_ns);
    phase_until(&list, PHASE_BULK, transfer_bulk_end(out));
    phase_until(&list, PHASE_TAIL,
                flow->dir[out->direction].fin ? flow->dir[out->direction].fin_ns : NS_UNKNOWN);
    out->phase_count = list.count;
}
