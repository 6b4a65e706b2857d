/* Cases for the tests of causes: a clean transfer of a given kind, which a test then spoils. */
#ifndef TCPWHY_TESTS_CASES_H
#define TCPWHY_TESTS_CASES_H

#include "analysis/cause/causes.h"

#define MS INT64_C(1000000)

struct given {
    struct transfer_result transfer;
    struct flow_result flow;
    struct analyzer_options options;
    struct verdict verdict;
};

static inline struct direction_result *given_data(struct given *g)
{
    return &g->flow.dir[g->transfer.direction];
}

/* Divide the elapsed time: share_pct of it to limit, taken from LIMIT_UNKNOWN. */
static inline void given_share(struct given *g, enum limit limit, int share_pct)
{
    struct direction_result *d = given_data(g);
    const int64_t span_ns = d->elapsed_ns / 100 * share_pct;

    d->limit_ns[LIMIT_UNKNOWN] -= span_ns;
    d->limit_ns[limit] += span_ns;
    d->worst[limit] = (struct limit_span){1000 * MS, span_ns / 2, 100, 900};
}

/* bytes in elapsed_ms of client data, with segments of 1460 and rtt_ms; nothing said of limits. */
static inline struct given given_transfer(uint64_t bytes, int64_t elapsed_ms, int64_t rtt_ms)
{
    static const struct ip_addr client = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 10}}; /* 192.0.2.10 */
    struct given g = {
        .transfer = {.id = 1, .protocol = "ftp", .verb = "STOR", .direction = C2S, .flow_id = 1,
                     .bytes = bytes, .expected_bytes = bytes, .complete = true,
                     .complete_known = true, .goodput_bytes_per_s = -1},
        .flow = {.id = 1, .position = TAP_CLIENT, .role_known = true, .handshake_seen = true,
                 .handshake_rtt_ns = rtt_ms * MS},
    };
    struct direction_result *d = &g.flow.dir[C2S], *acks = &g.flow.dir[S2C];

    g.flow.client.addr = client;
    *d = (struct direction_result){
        .bytes = bytes, .stream_bytes = bytes, .smss = 1460, .data_segments = bytes / 1460,
        .full_segments = bytes / 1460, .elapsed_ns = elapsed_ms * MS, .limits_followed = true,
        .syn_seen = true, .syn_has_wind_shift = true, .syn_frame = 1, .window_scale = 7,
        .window_scale_source = SCALE_OPTION, .rwnd_min_bytes = 1 << 20,
        .rwnd_mean_bytes = 1 << 20, .rwnd_max_bytes = 1 << 20, .rwnd_max_frame = 50,
        .initial_window_bytes = 14600, .flight_max_bytes = 100 * 1460,
        .rtt = {rtt_ms * MS, rtt_ms * MS, rtt_ms * MS, rtt_ms * MS, 500},
        .rounds = (uint64_t)(elapsed_ms / rtt_ms), .first_data_frame = 4, .last_data_frame = 9000,
    };
    d->limit_ns[LIMIT_UNKNOWN] = d->elapsed_ns;
    loss_facts_clear(&d->loss);
    path_facts_clear(&d->path);
    *acks = (struct direction_result){.syn_seen = true, .syn_has_wind_shift = true,
                                      .syn_frame = 2, .limits_followed = true};
    return g;
}

/* An FTP put of 26,214,400 bytes at 280 ms, held by a window of 24,820 bytes (17 x 1460) that the
 * server does not scale: 87.7 kB/s of 88.6. */
static inline struct given given_small_window(void)
{
    struct given g = given_transfer(26214400, 298900, 280);
    struct direction_result *d = given_data(&g);

    d->rwnd_min_bytes = d->rwnd_mean_bytes = d->rwnd_max_bytes = 24820;
    d->window_scale = 0;
    d->rounds_window_full = 1061;
    d->rounds = 1066;
    d->flight_max_bytes = 24820;
    g.flow.dir[S2C].syn_has_wind_shift = false;
    given_share(&g, LIMIT_RWND, 98);
    return g;
}

/* The same path with 65,535 bytes, all that fits without scaling: 229 kB/s of 234. */
static inline struct given given_unscaled_window(void)
{
    struct given g = given_small_window();
    struct direction_result *d = given_data(&g);

    d->rwnd_min_bytes = d->rwnd_mean_bytes = d->rwnd_max_bytes = 65535;
    d->elapsed_ns = 114500 * MS;
    for (int i = 0; i < LIMIT_COUNT; i++)
        d->limit_ns[i] = 0;
    d->limit_ns[LIMIT_UNKNOWN] = d->elapsed_ns;
    given_share(&g, LIMIT_RWND, 95);
    return g;
}

/* 3,000,000 bytes at 280 ms on a fast path: 8.6 of 10 round trips are growth from 10 segments. */
static inline struct given given_slow_start(void)
{
    struct given g = given_transfer(3000000, 2800, 280);

    given_data(&g)->flight_max_bytes = 916000;
    given_share(&g, LIMIT_SLOW_START, 86);
    return g;
}

/* 10,000,000 bytes at 50 ms in 20 s, 500 kB/s: 30 single losses on an idle path.  Their repair took
 * 2 s, and 16 s passed until the window had grown again. */
static inline struct given given_random_loss(void)
{
    struct given g = given_transfer(10000000, 20000, 50);
    struct loss_facts *loss = &given_data(&g)->loss;

    given_share(&g, LIMIT_RECOVERY, 10);
    given_share(&g, LIMIT_CWND, 80);
    given_share(&g, LIMIT_SLOW_START, 5);
    loss->events = loss->without_queue = loss->segments = loss->single = 30;
    loss->burst_most_segments = 1;
    loss->rtt_before_mean_ns = 51 * MS;
    loss->rtt_before_least_ns = 50 * MS;
    loss->rtt_before_most_ns = 53 * MS;
    loss->without_queue_ns = 18000 * MS;
    loss->flight_before_mean_bytes = 24 * 1460;
    loss->flight_before_most_bytes = 40 * 1460;
    loss->cost[LOSS_REPAIRED] = (struct loss_cost){30, 2000 * MS, 16000 * MS};
    loss->first = (struct loss_span){1000 * MS, 60 * MS, 300, 1};
    loss->worst = (struct loss_span){9000 * MS, 110 * MS, 2000, 1};
    given_data(&g)->loss_events = given_data(&g)->retransmitted_segments = 30;
    given_data(&g)->sack_permitted = true;
    return g;
}

/* The same through a queue of one path's worth: the round trip is 98 ms before each loss. */
static inline struct given given_congestion_loss(void)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    loss->with_queue = 30;
    loss->without_queue = 0;
    loss->with_queue_ns = 18000 * MS;
    loss->without_queue_ns = 0;
    loss->rtt_before_mean_ns = loss->rtt_before_most_ns = 98 * MS;
    return g;
}

/* The same with every loss where a bucket filled at 500 kB/s is empty, and 800 kB/s at times. */
static inline struct given given_policer(void)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    loss->steady_bytes_per_s = 500000;
    loss->bucket_events = loss->bucket_empty = 28;
    loss->peak_bytes_per_s = 800000;
    return g;
}

/* The same with ten time-outs of 0.6 s instead. */
static inline struct given given_timeouts(void)
{
    struct given g = given_random_loss();
    struct loss_facts *loss = &given_data(&g)->loss;

    given_share(&g, LIMIT_RTO, 5);
    loss->events = loss->without_queue = 10;
    loss->cost[LOSS_REPAIRED] = (struct loss_cost){0, 0, 0};
    loss->cost[LOSS_TIMEOUT] = (struct loss_cost){10, 3000 * MS, 12000 * MS};
    loss->timeouts = 12;
    loss->backoffs_most = 2;
    loss->silence_ns = 6000 * MS;
    loss->silence_longest_ns = 600 * MS;
    loss->silence_frame = 4000;
    return g;
}

/* A gigabyte at 94.2 Mbit/s of payload: 99 % of what 100 Mbit/s Ethernet carries. */
static inline struct given given_full_link(void)
{
    struct given g = given_transfer(1000000000, 84900, 2);

    given_share(&g, LIMIT_LINK, 90);
    return g;
}

/* A put stopped by the client's ABOR and FIN at 10 GB of 25 GB. */
static inline struct given given_abort(void)
{
    struct given g = given_transfer(10000000000, 850000, 2);

    g.transfer.expected_bytes = 25580260992;
    g.transfer.complete = false;
    g.transfer.ended_by = ENDED_BY_CLIENT;
    g.transfer.abort_frame = 7000;
    g.flow.dir[C2S].fin = true;
    g.flow.dir[C2S].fin_frame = 7002;
    return g;
}

static inline const struct verdict *given_judge(struct given *g)
{
    causes_judge(&g->transfer, &g->flow, &g->options, &g->verdict);
    return &g->verdict;
}

static inline int given_cause(struct given *g)
{
    return given_judge(g)->cause_id;
}

#endif
