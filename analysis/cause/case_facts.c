/* Facts of a case that several causes judge by: each is one figure with a named unknown. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"

#define NS_PER_S 1e9
#define GAP_SHARE_DEGRADED 0.001 /* acknowledged but not captured */
#define ROUNDS_FEW 10
#define LOSS_EVENTS_FOR_MODEL 10 /* fewer: print the count, not a probability */
#define LOSS_FOR_TIMEOUTS 0.02   /* Mathis holds below 2 % */
#define RTO_MIN_S 0.2            /* Linux; RFC 6298's 1 s would lower the bound */

bool case_has_flow(const struct case_file *c)
{
    return c->flow->id != 0;
}

bool case_both_syns_seen(const struct case_file *c)
{
    const struct direction_result *client = &c->flow->dir[C2S], *server = &c->flow->dir[S2C];

    return client->syn_seen && !client->syn_cut && server->syn_seen && !server->syn_cut;
}

/* In active mode (RFC 959 section 3.2) the server opens the data connection: who is client there is
 * the FTP server. */
bool case_roles_swapped(const struct transfer_result *transfer)
{
    return !transfer->passive && transfer->control_flow_id != 0;
}

enum actor case_end(const struct case_file *c, enum direction end)
{
    return (end == C2S) != case_roles_swapped(c->transfer) ? ACTOR_CLIENT : ACTOR_SERVER;
}

enum actor case_receiver(const struct case_file *c)
{
    return case_end(c, c->transfer->direction == S2C ? C2S : S2C);
}

enum actor case_sender(const struct case_file *c)
{
    return case_receiver(c) == ACTOR_CLIENT ? ACTOR_SERVER : ACTOR_CLIENT;
}

const char *case_actor_word(enum actor actor)
{
    static const char *const words[] = {
        [ACTOR_CLIENT] = "client",
        [ACTOR_SERVER] = "server",
        [ACTOR_NETWORK] = "network",
        [ACTOR_CAPTURE] = "capture",
    };

    return words[actor];
}

double case_gap_share(const struct case_file *c)
{
    const double seen = (double)c->data->bytes, gap = (double)c->data->gap_bytes;

    return gap > 0 ? gap / (seen + gap) : 0;
}

double case_goodput_bytes_per_s(const struct case_file *c)
{
    const double measured = c->transfer->goodput_bytes_per_s;

    if (isfinite(measured) && measured > 0)
        return measured;
    if (c->data->elapsed_ns <= 0 || c->data->bytes == 0)
        return BOUND_UNKNOWN;
    return (double)c->data->bytes / ((double)c->data->elapsed_ns / NS_PER_S);
}

int64_t case_data_span_ns(const struct case_file *c)
{
    const double measured = c->transfer->goodput_bytes_per_s;

    return isfinite(measured) && measured > 0 && c->transfer->bulk_ns > 0 ? c->transfer->bulk_ns
                                                                          : c->data->elapsed_ns;
}

double case_rtt_min_s(const struct case_file *c)
{
    const struct direction_result *d = c->data;

    if (d->rtt.samples > 0 && d->rtt.min_ns > 0)
        return (double)d->rtt.min_ns / NS_PER_S;
    if (c->flow->handshake_rtt_ns > 0)
        return (double)c->flow->handshake_rtt_ns / NS_PER_S;
    if (d->near_min_ns > 0 && d->far_min_ns > 0)
        return ((double)d->near_min_ns + (double)d->far_min_ns) / NS_PER_S;
    return BOUND_UNKNOWN;
}

double case_rtt_effective_s(const struct case_file *c)
{
    if (c->data->rtt.samples > 0 && c->data->rtt.p50_ns > 0)
        return (double)c->data->rtt.p50_ns / NS_PER_S;
    return case_rtt_min_s(c);
}

double case_round_trips(const struct case_file *c)
{
    const double rtt_s = case_rtt_min_s(c);

    if (rtt_s <= 0 || c->data->elapsed_ns < 0)
        return BOUND_UNKNOWN;
    return (double)c->data->elapsed_ns / NS_PER_S / rtt_s;
}

double case_full_segments(const struct case_file *c)
{
    return c->data->smss > 0 ? (double)c->data->bytes / c->data->smss : BOUND_UNKNOWN;
}

uint64_t case_window_bytes(const struct case_file *c)
{
    if (c->data->window_scale_source == SCALE_UNKNOWN || c->data->rwnd_max_bytes == BYTES_UNKNOWN)
        return 0;
    return c->data->rwnd_max_bytes;
}

uint64_t case_initial_window_bytes(const struct case_file *c)
{
    if (c->data->initial_window_bytes > 0)
        return c->data->initial_window_bytes;
    return bounds_initial_window_bytes(c->data->smss);
}

uint64_t case_size_bytes(const struct case_file *c)
{
    const uint64_t expected = c->transfer->expected_bytes;

    if (expected != BYTES_UNKNOWN && expected > c->transfer->bytes)
        return expected;
    return c->transfer->bytes > 0 ? c->transfer->bytes : c->data->bytes;
}

double case_link_payload_bytes_per_s(const struct case_file *c, double link_bytes_per_s)
{
    const bool v4 = ip_addr_is_v4(&c->flow->client.addr);
    const int header_bytes = (v4 ? 20 : 40) + 20 + (c->data->timestamps ? 12 : 0);
    const double share =
        bounds_payload_share(c->data->smss, header_bytes, ETHERNET_OVERHEAD_BYTES);

    if (!bound_is_known(share) || !isfinite(link_bytes_per_s) || link_bytes_per_s <= 0)
        return BOUND_UNKNOWN;
    return link_bytes_per_s * share;
}

double case_cubic_bytes_per_s(const struct case_file *c)
{
    const double segments = case_full_segments(c);

    if (c->data->loss_events < LOSS_EVENTS_FOR_MODEL || segments <= 0)
        return BOUND_UNKNOWN;
    return bounds_cubic_bytes_per_s(c->data->smss, case_rtt_effective_s(c),
                                    fmin(1, (double)c->data->loss_events / segments));
}

double case_loss_bytes_per_s(const struct case_file *c)
{
    const double segments = case_full_segments(c), rtt_s = case_rtt_effective_s(c);
    double loss;

    if (c->data->loss_events < LOSS_EVENTS_FOR_MODEL || segments <= 0)
        return BOUND_UNKNOWN;
    loss = fmin(1, (double)c->data->loss_events / segments);
    if (loss <= LOSS_FOR_TIMEOUTS)
        return bounds_mathis_bytes_per_s(c->data->smss, rtt_s, loss, MATHIS_K);
    return bounds_pftk_bytes_per_s(c->data->smss, rtt_s, loss, rtt_s + RTO_MIN_S, 1, 0);
}

/* The faults of this capture as a set of enum case_fault. */
static unsigned int case_faults(const struct case_file *c)
{
    unsigned int faults = 0;

    if (!case_both_syns_seen(c))
        faults |= FAULT_NO_SYN;
    if (case_gap_share(c) > GAP_SHARE_DEGRADED)
        faults |= FAULT_GAPS;
    if (c->options->capture_drops > 0)
        faults |= FAULT_DROPS;
    if (c->flow->one_way)
        faults |= FAULT_ONE_WAY;
    if (c->flow->position == TAP_UNKNOWN)
        faults |= FAULT_POSITION;
    if (c->data->rounds < ROUNDS_FEW)
        faults |= FAULT_FEW_ROUNDS;
    return faults;
}

enum confidence case_confidence(const struct case_file *c, int signs,
                                unsigned int faults_that_count)
{
    unsigned int faults = case_faults(c) & faults_that_count;
    int level = signs >= 3 ? CONFIDENCE_HIGH : signs == 2 ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;

    for (; faults != 0; faults &= faults - 1)
        level--;
    return level > CONFIDENCE_LOW ? (enum confidence)level : CONFIDENCE_LOW;
}
