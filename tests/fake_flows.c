#include "tests/fake_flows.h"

#include "tests/fake_analysis.h"

#define S INT64_C(1000000000)
#define MS INT64_C(1000000)

static const struct endpoint client = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 10}}, 40001}; /* 192.0.2.10 */
static const struct endpoint server = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 51, 100, 20}}, 21}; /* 198.51.100.20 */
static const struct endpoint v6 = {
    {{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, 443}; /* 2001:db8::1 */

/* A direction without data of which nothing is known. */
static struct direction_result nothing_known(void)
{
    struct direction_result d = {
        .window_scale = -1, .rwnd_min_bytes = BYTES_UNKNOWN, .rwnd_mean_bytes = BYTES_UNKNOWN,
        .rwnd_max_bytes = BYTES_UNKNOWN, .rwnd_syn_bytes = BYTES_UNKNOWN,
        .flight_mean_bytes = BYTES_UNKNOWN, .flight_max_bytes = BYTES_UNKNOWN,
        .cwnd = cwnd_facts_none(),
        .rtt = {NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, 0},
        .near_min_ns = NS_UNKNOWN, .far_min_ns = NS_UNKNOWN, .first_data_ns = NS_UNKNOWN,
        .last_data_ns = NS_UNKNOWN, .last_ack_ns = NS_UNKNOWN,
    };

    path_facts_clear(&d.path);
    return d;
}

void fake_sawtooth(struct direction_result *d)
{
    struct cwnd_facts *c = &d->cwnd;
    struct path_facts *p = &d->path;

    c->known = c->exact = true;
    c->initial_bytes = 14600;
    c->min_bytes = 14600;
    c->mean_bytes = 52560;
    c->max_bytes = 96360;
    c->last_bytes = 58400;
    c->error_bytes = 1460;
    c->ssthresh_bytes = 35040;
    c->decreases[CWND_FALL_LOSS] = 25;
    c->undone = 1;
    c->oscillation = (struct oscillation_facts){
        .cycles = 23, .falls = 24, .after_rtt_growth = 24, .clean_epochs = 22,
        .period_ns = 2200 * MS, .period_rtts = 15, .peak_bytes = 70080, .valley_bytes = 35040,
        .beta = 0.5, .growth_segments = 0.98, .loss_rate = 0.00139};
    c->family = CWND_RENO;
    c->family_confidence = CONFIDENCE_HIGH;
    p->idle_rtt_ns = p->min_rtt_ns = 100 * MS;
    p->loaded_rtt_p50_ns = 190 * MS;
    p->loaded_rtt_p95_ns = 240 * MS;
    p->queue_p50_ns = 90 * MS;
    p->queue_p95_ns = 140 * MS;
    p->delivery_max_bytes_per_s = 1.56e6;
    p->capacity_bytes_per_s = 1.5e6;
    p->utilisation = 0.94;
    p->signature = CONGESTION_SELF_INDUCED;
    p->step_count = 1;
    p->steps[0] = (struct path_step){FAKE_START_NS + 9 * S, 100 * MS, 120 * MS};
}

static struct flow_result new_flow(uint64_t id)
{
    struct flow_result f = {.id = id, .client = client, .server = server, .role_known = true,
                            .state = FLOW_CLOSED, .start_ns = FAKE_START_NS,
                            .end_ns = FAKE_START_NS + 303 * S, .first_frame = 1,
                            .last_frame = 41000, .position = TAP_CLIENT, .client_leg_ns = 30000,
                            .server_leg_ns = 280570000, .handshake_rtt_ns = 280600000,
                            .handshake_seen = true};

    f.dir[C2S] = f.dir[S2C] = nothing_known();
    return f;
}

static void fill_get(struct flow_result *f)
{
    struct direction_result *d = &f->dir[S2C];

    f->server.port = 50000;
    d->packets = 17960;
    d->data_segments = 17956;
    d->bytes = d->stream_bytes = 26214400;
    d->mss_option = d->smss = 1460;
    d->window_scale = 0;
    d->window_scale_source = SCALE_OPTION;
    d->rwnd_min_bytes = d->rwnd_mean_bytes = d->rwnd_max_bytes = 24820;
    d->flight_mean_bytes = 24500;
    d->flight_max_bytes = 24820;
    d->rounds = 1066;
    d->rounds_window_full = 1061;
    d->initial_window_bytes = 14600;
    d->rtt = (struct sample_summary){280600000, 280900000, 283000000, 301000000, 9000};
    d->retransmitted_segments = 2;
    d->retransmitted_bytes = 2920;
    d->retransmissions[REXMIT_FAST] = 2;
    d->loss_events = 1;
    d->lost_downstream_segments = 2;
    d->acks = 9000;
    d->first_data_ns = FAKE_START_NS + 2 * S;
    d->limit_ns[LIMIT_RWND] = 293521987654;
    d->limit_ns[LIMIT_SLOW_START] = 1500000001;
    d->limit_ns[LIMIT_RECOVERY] = 3288000000;
    d->limit_ns[LIMIT_APP] = 590012345;
    d->elapsed_ns = 298900000000;
    d->worst[LIMIT_RWND] = (struct limit_span){FAKE_START_NS + 5 * S, 200 * S, 70, 30000};
}

static void fill_reset(struct flow_result *f)
{
    struct direction_result *d = &f->dir[C2S];

    f->state = FLOW_RESET;
    f->position = TAP_MIDDLE;
    d->packets = d->data_segments = 7000;
    d->bytes = 10000000;
    d->gap_bytes = 2920;
    d->stream_bytes = 10002920;
    d->smss = 1460;
    d->window_scale = 7;
    d->window_scale_source = SCALE_AT_LEAST;
    d->rwnd_min_bytes = 0;
    d->rwnd_mean_bytes = 40000;
    d->rwnd_max_bytes = 65536;
    d->zero_window_episodes = 3;
    d->zero_window_ns = 1500 * MS;
    d->rtt = (struct sample_summary){430000, 500000, 700000, 900000, 3000};
    d->limit_ns[LIMIT_RWND] = 6200 * MS;
    d->limit_ns[LIMIT_ZERO_WINDOW] = 1500 * MS;
    d->limit_ns[LIMIT_UNKNOWN] = 12300 * MS;
    d->elapsed_ns = 20 * S;
    d->retransmitted_segments = d->retransmissions[REXMIT_RTO] = 5;
    d->spurious_retransmissions = 1;
    d->rst = true;
}

void fake_flows_fill(struct flow_result *flows)
{
    for (uint64_t id = FAKE_CONTROL; id <= FAKE_SHORT; id++)
        flows[id - 1] = new_flow(id);
    fill_get(&flows[FAKE_GET - 1]);
    fill_reset(&flows[FAKE_RESET - 1]);
    flows[FAKE_UNKNOWN - 1].role_known = flows[FAKE_UNKNOWN - 1].handshake_seen = false;
    flows[FAKE_UNKNOWN - 1].position = TAP_UNKNOWN;
    flows[FAKE_UNKNOWN - 1].state = FLOW_OPEN;
    flows[FAKE_UNKNOWN - 1].client_leg_ns = flows[FAKE_UNKNOWN - 1].server_leg_ns = NS_UNKNOWN;
    flows[FAKE_UNKNOWN - 1].handshake_rtt_ns = NS_UNKNOWN;
    flows[FAKE_SHORT - 1].server = v6;
    flows[FAKE_SHORT - 1].state = FLOW_SYN_ONLY;
    flows[FAKE_SHORT - 1].dir[C2S].packets = 3;
    flows[FAKE_SHORT - 1].dir[C2S].bytes = flows[FAKE_SHORT - 1].dir[C2S].stream_bytes = 517;
    flows[FAKE_SHORT - 1].dir[C2S].data_segments = 1;
}
