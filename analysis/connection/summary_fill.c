#include "analysis/connection/summary_fill.h"

#include <string.h>

#include "analysis/facts/pattern.h"
#include "analysis/replay/cwnd_track.h"
#include "analysis/connection/tracker.h"

/* Bytes that the peer acknowledged and the capture never saw. */
static uint64_t gap_bytes(const struct half *half, const struct side *side)
{
    uint64_t gap = side->holes.given_up_bytes;

    if ((half->marks & (HALF_ACKED | HALF_BASE)) != (HALF_ACKED | HALF_BASE))
        return 0;
    gap += holes_bytes_below(&side->holes, half->snd_una);
    if (half->snd_una > half->snd_nxt + 1) /* one more is a FIN not captured */
        gap += half->snd_una - half->snd_nxt;
    return gap;
}

/* Retransmissions that were lost before the tap: packets missing by IP ID, less the first copies
 * whose resends were seen.  Only where missing numbers can mean nothing else. */
static uint64_t unseen_resends(const struct flow *flow, enum direction dir, uint64_t gap)
{
    const struct side *side = &flow->detail->side[dir];
    const struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];
    uint64_t missing = ip_ids_missing(&side->ids);

    /* pure ACKs of this host use numbers too: with many of them a missing one proves nothing */
    if (gap > 0 || peer->acks * 10 > half->packets || missing <= side->rexmit.hidden_segments)
        return 0;
    if (side->counts.lost_upstream == 0 && side->counts.retransmitted == 0)
        return 0;
    return missing - side->rexmit.hidden_segments;
}

static void fill_pattern(const struct flow *flow, enum direction dir, struct pattern_facts *facts)
{
    const struct half *half = &flow->half[dir];
    const struct side *side = &flow->detail->side[dir];
    const struct pattern_of of = {half->full_segments, half->smss, half->mss_allowed,
                                  flow->detail->side[direction_other(dir)].clock.tick_ns};

    if (side->pattern != NULL)
        pattern_fill(side->pattern, &of, facts);
    facts->first_bytes = (enum first_bytes)side->first_bytes;
    facts->first_bytes_frame = side->first_bytes_frame;
    facts->ttl_first = half->ttl;
    facts->ttl_other = side->ttl_other;
    facts->ttl_other_segments = side->ttl_other_segments;
    facts->ttl_other_frame = side->ttl_other_frame;
}

/* What the replay of the sender has found. */
static void fill_replay(const struct flow *flow, enum direction dir, struct side_facts *facts)
{
    const struct half *half = &flow->half[dir];
    const struct side *side = &flow->detail->side[dir];
    const struct replay *replay = &side->replay;

    if (!replay->started)
        return;
    facts->followed = 1;
    moves_fill(&side->moves, replay, flow->last_ns, &facts->moves);
    facts->window_full_ns = replay->window_full_ns;
    facts->rounds = replay->rounds;
    facts->rounds_window_full = replay->rounds_window_full;
    facts->idle_restarts = replay->idle_restarts;
    /* of a stream whose beginning was not seen the first flight is any flight */
    facts->initial_window = (half->marks & HALF_SYN) != 0 ? replay->initial_window : 0;
    facts->flight_sum = replay->flight_sum;
    facts->flight_count = replay->flight_count;
    facts->flight_max = replay->flight_max;
    facts->elapsed_ns = replay->now_ns - replay->first_ns;
    if ((half->marks & HALF_ACKED) != 0)
        cwnd_fill(replay, &facts->cwnd);
    if ((half->marks & HALF_SYN) == 0)
        facts->cwnd.initial_bytes = BYTES_UNKNOWN;
    memcpy(facts->limit_ns, replay->limit_ns, sizeof facts->limit_ns);
    memcpy(facts->worst, replay->worst, sizeof facts->worst);
    facts->longest_silence_ns = replay->longest_silence_ns;
    facts->longest_silence_frame = replay->longest_silence_frame;
    facts->waits = replay->waits;
    facts->waits.plateau_low_bytes = replay->held.plateau.low_bytes;
    facts->waits.plateau_bytes = replay->held.plateau.high_bytes;
    facts->waits.plateau_ns = replay->held.plateau.duration_ns;
    path_fill(&side->path, replay, &facts->rtt, flow_min_rtt_ns(flow), &facts->path);
    if (side->pattern != NULL && side->pattern->ack_queue.samples > 0)
        facts->path.reverse_queue_max_ns = side->pattern->ack_queue.max_ns;
    if ((half->marks & HALF_ACKED) == 0) { /* nothing is known of the sender without answers */
        memset(facts->limit_ns, 0, sizeof facts->limit_ns);
        memset(facts->worst, 0, sizeof facts->worst);
        memset(&facts->waits, 0, sizeof facts->waits);
        path_facts_clear(&facts->path);
        facts->limit_ns[LIMIT_UNKNOWN] = facts->elapsed_ns;
        facts->flight_count = 0;
    }
}

static void fill_side(const struct flow *flow, enum direction dir, struct side_facts *facts)
{
    const struct half *half = &flow->half[dir];
    const struct side *side = &flow->detail->side[dir];
    enum scale_source source;

    facts->counts = side->counts;
    path_facts_clear(&facts->path);
    quantiles_summary(&side->rtt, &facts->rtt);
    facts->missing_bytes = side->holes.bytes + side->holes.given_up_bytes;
    facts->gap_bytes = gap_bytes(half, side);
    facts->unseen_resends = unseen_resends(flow, dir, facts->gap_bytes);
    facts->zero_episodes = side->window.zero_episodes;
    facts->zero_ns = side->window.zero_ns;
    facts->rwnd_known = side->window.count > 0;
    if (side->window.count > 0)
        facts->rwnd_mean_field = side->window.sum / side->window.count;
    facts->last_data_frame = side->last_data_frame;
    facts->updates = side->window.updates;
    facts->shrunk = side->window.shrunk;
    facts->window_scale =
        window_scale(&side->window, half, &flow->half[direction_other(dir)], &source);
    facts->window_scale_source = (int32_t)source;
    facts->loss_noted = loss_summary(flow, dir, &facts->loss);
    fill_pattern(flow, dir, &facts->pattern);
    fill_replay(flow, dir, facts);
}

void summary_fill(const struct flow *flow, struct flow_facts *facts)
{
    facts->last_frame = flow->detail->last_frame;
    fill_side(flow, C2S, &facts->side[C2S]);
    fill_side(flow, S2C, &facts->side[S2C]);
}

static void assemble_counts(const struct side_facts *facts, struct direction_result *out)
{
    const struct side_counts *counts = &facts->counts;

    out->retransmitted_segments += counts->retransmitted + facts->unseen_resends;
    out->retransmitted_bytes = counts->retransmitted_bytes;
    for (int i = 0; i < REXMIT_TRIGGERS; i++)
        out->retransmissions[i] += counts->triggers[i];
    out->retransmissions[counts->triggers[REXMIT_RTO] > 0 ? REXMIT_RTO : REXMIT_UNKNOWN] +=
        facts->unseen_resends;
    out->spurious_retransmissions = counts->spurious;
    out->loss_events = facts->loss_noted != 0 ? facts->loss.events : 0;
    out->lost_downstream_segments = counts->lost_downstream;
    out->lost_upstream_segments = counts->lost_upstream + facts->unseen_resends;
    out->reordered_segments = counts->reordered;
    out->network_duplicates = counts->network_duplicates;
    out->duplicate_frames = counts->duplicate_frames;
    out->keep_alives = counts->keep_alives;
    out->window_probes = counts->window_probes;
    out->dup_acks = counts->dup_acks;
    out->sack_acks = counts->sack_acks;
    out->dsack_acks = counts->dsack_acks;
    out->super_segments = counts->super_segments;
    out->ce_marked = counts->ce_marked;
    out->ece_seen = counts->ece_seen;
    out->push_segments = counts->pushes;
    out->urgent_segments = counts->urgent;
    out->last_data_frame = facts->last_data_frame;
    out->window_updates = facts->updates;
    out->window_shrunk = facts->shrunk;
    out->zero_window_episodes = facts->zero_episodes;
    out->zero_window_ns = facts->zero_ns;
    out->moves = facts->moves;
}

/* What the first packets show is there without a collector. */
static void assemble_pattern(const struct side_facts *facts, struct pattern_facts *out)
{
    pattern_unknown(out);
    if (facts == NULL)
        return;
    if (facts->pattern.known)
        *out = facts->pattern;
    out->first_bytes = facts->pattern.first_bytes;
    out->first_bytes_frame = facts->pattern.first_bytes_frame;
    out->ttl_first = facts->pattern.ttl_first;
    out->ttl_other = facts->pattern.ttl_other;
    out->ttl_other_segments = facts->pattern.ttl_other_segments;
    out->ttl_other_frame = facts->pattern.ttl_other_frame;
}

static void assemble_replay(const struct side_facts *facts, struct direction_result *out)
{
    out->limits_followed = facts->followed != 0;
    out->window_full_ns = facts->window_full_ns;
    out->rounds = facts->rounds;
    out->rounds_window_full = facts->rounds_window_full;
    out->idle_restarts = facts->idle_restarts;
    if (facts->initial_window != 0)
        out->initial_window_bytes = facts->initial_window;
    if (facts->flight_count > 0) {
        out->flight_mean_bytes = facts->flight_sum / facts->flight_count;
        out->flight_max_bytes = facts->flight_max;
    }
    out->elapsed_ns = facts->elapsed_ns;
    memcpy(out->limit_ns, facts->limit_ns, sizeof out->limit_ns);
    memcpy(out->worst, facts->worst, sizeof out->worst);
    out->longest_silence_ns = facts->longest_silence_ns;
    out->longest_silence_frame = facts->longest_silence_frame;
    out->waits = facts->waits;
}

static void assemble_window(const struct half *half, const struct side_facts *facts,
                            struct direction_result *out)
{
    out->rwnd_min_bytes = out->rwnd_mean_bytes = out->rwnd_max_bytes = BYTES_UNKNOWN;
    out->rwnd_syn_bytes = half->rwnd_syn != 0 ? half->rwnd_syn : BYTES_UNKNOWN;
    out->rwnd_max_frame = half->rwnd_max_frame;
    if ((half->marks & HALF_WINDOW) == 0 || out->window_scale < 0)
        return;
    out->rwnd_min_bytes = (uint64_t)half->rwnd_min << out->window_scale;
    out->rwnd_max_bytes = (uint64_t)half->rwnd_max << out->window_scale;
    if (facts != NULL && facts->rwnd_known != 0)
        out->rwnd_mean_bytes = facts->rwnd_mean_field << out->window_scale;
}

static void assemble_sender(const struct half *half, const struct half *peer,
                            struct direction_result *out)
{
    bool both_syns = (half->marks & peer->marks & HALF_SYN) != 0;

    out->packets = half->packets;
    out->data_segments = half->data_segments;
    out->acks = half->acks;
    out->mss_option = half->mss_option;
    out->smss = half->smss;
    out->syn_seen = (half->marks & HALF_SYN) != 0;
    out->syn_cut = (half->marks & HALF_OPT_CUT) != 0;
    out->syn_has_wind_shift = (half->marks & HALF_WIND_SHIFT) != 0;
    out->syn_has_sack = (half->marks & HALF_SACK) != 0;
    out->syn_has_timestamps = (half->marks & HALF_SYN_TIMESTAMPS) != 0;
    out->sack_permitted = both_syns ? (half->marks & peer->marks & HALF_SACK) != 0
                                    : out->sack_acks > 0;
    out->timestamps = (half->marks & HALF_TIMESTAMPS) != 0;
    out->ecn = both_syns && (half->marks & peer->marks & HALF_ECN_SETUP) != 0;
    out->syn_frame = half->syn_frame;
    out->full_segments = half->full_segments;
    out->max_payload_bytes = half->max_payload;
    out->initial_window_bytes =
        (half->marks & HALF_SYN) != 0 ? half->initial_window_bytes : 0;
}

static void assemble_times(const struct half *half, struct direction_result *out)
{
    out->first_data_ns = out->last_data_ns = out->last_ack_ns = NS_UNKNOWN;
    if (half->data_segments > 0) {
        out->first_data_ns = half->first_data_ns;
        out->last_data_ns = half->last_data_ns;
        out->first_data_frame = half->first_data_frame;
        out->last_ack_ns = half->last_ack_ns != 0 ? half->last_ack_ns : NS_UNKNOWN;
    }
    out->fin = (half->marks & HALF_FIN) != 0;
    out->fin_ns = half->fin_ns;
    out->fin_frame = half->fin_frame;
}

uint64_t summary_data_bytes(const struct half *half, const struct side_facts *facts)
{
    uint64_t bytes = half_stream_bytes(half);

    bytes -= half->light_missing_bytes < bytes ? half->light_missing_bytes : bytes;
    if (facts != NULL)
        bytes -= facts->missing_bytes < bytes ? facts->missing_bytes : bytes;
    return bytes;
}

static void assemble_direction(const struct flow *flow, enum direction dir,
                               const struct side_facts *facts, struct direction_result *out)
{
    const struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];
    enum scale_source source;
    uint64_t seen = half_stream_bytes(half);

    out->near_min_ns = flow->half[dir].leg_ns;
    out->far_min_ns = flow->half[direction_other(dir)].leg_ns;
    out->flight_mean_bytes = out->flight_max_bytes = BYTES_UNKNOWN;
    out->cwnd = facts != NULL && facts->cwnd.known ? facts->cwnd : cwnd_facts_none();
    loss_facts_clear(&out->loss);
    out->rtt = (struct sample_summary){NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, 0};
    out->window_scale = window_scale(NULL, half, peer, &source);
    out->window_scale_source = source;
    out->bytes = summary_data_bytes(half, facts);
    out->stream_bytes = seen;
    path_facts_clear(&out->path);
    assemble_times(half, out);
    out->retransmitted_segments = out->retransmissions[REXMIT_UNKNOWN] = half->light_resends;
    if (facts != NULL) {
        assemble_counts(facts, out);
        out->window_scale = facts->window_scale;
        out->window_scale_source = (enum scale_source)facts->window_scale_source;
        out->rtt = facts->rtt;
        out->path = facts->path;
        if (facts->loss_noted != 0)
            out->loss = facts->loss;
        out->gap_bytes = facts->gap_bytes;
        out->stream_bytes = out->bytes + out->gap_bytes > seen ? out->bytes + out->gap_bytes : seen;
    }
    assemble_sender(half, peer, out);
    assemble_window(half, facts, out);
    assemble_pattern(facts, &out->pattern);
    if (facts != NULL && facts->followed != 0) {
        assemble_replay(facts, out);
    } else if (half->data_segments > 0) {
        int64_t end = half->last_ack_ns > half->first_data_ns ? half->last_ack_ns : half->last_data_ns;
        out->elapsed_ns = end - half->first_data_ns;
        out->limit_ns[LIMIT_UNKNOWN] = out->elapsed_ns;
    }
    if (dir == (enum direction)flow->rst_dir && (flow->marks & FLOW_WAS_RESET) != 0) {
        out->rst = true;
        out->rst_ns = flow->rst_ns;
        out->rst_frame = flow->rst_frame;
    }
}

/* Where the tap stands: a leg of at most 5 % of the whole puts it at that end (domain, 6b). */
static enum tap_position position_of(const struct flow *flow)
{
    int64_t client = flow->half[C2S].leg_ns, server = flow->half[S2C].leg_ns;

    if (client == NS_UNKNOWN || server == NS_UNKNOWN)
        return TAP_UNKNOWN;
    int64_t whole = client + server;
    /* below 0.1 ms the hosts' own time is as long as the path's */
    if (whole < 100000)
        return TAP_UNKNOWN;
    if (client * 20 <= whole)
        return TAP_CLIENT;
    if (server * 20 <= whole)
        return TAP_SERVER;
    return TAP_MIDDLE;
}

static enum flow_state state_of(const struct flow *flow)
{
    const struct half *c = &flow->half[C2S], *s = &flow->half[S2C];

    if ((flow->marks & FLOW_WAS_RESET) != 0)
        return FLOW_RESET;
    if ((c->marks & s->marks & HALF_FIN) != 0)
        return FLOW_CLOSED;
    if ((flow->marks & FLOW_SYN_SEEN) != 0 && (c->marks & s->marks & HALF_SYN) == 0 &&
        c->data_segments + s->data_segments == 0)
        return FLOW_SYN_ONLY;
    return FLOW_OPEN;
}

void summary_assemble(const struct flow *flow, const struct flow_facts *facts,
                      struct flow_result *out)
{
    int64_t rtt_ns = flow_min_rtt_ns(flow);

    out->id = flow->id;
    out->client = flow_endpoint(flow, C2S);
    out->server = flow_endpoint(flow, S2C);
    out->tunnel_id = flow->tunnel_id;
    out->vlan = flow->half[C2S].vlan != 0 ? flow->half[C2S].vlan : flow->half[S2C].vlan;
    out->source = flow->source;
    out->role_known = (flow->marks & FLOW_ROLE_KNOWN) != 0;
    out->one_way = (flow->marks & FLOW_BOTH_WAYS) == 0;
    out->state = state_of(flow);
    out->start_ns = flow->start_ns;
    out->end_ns = flow->last_ns;
    out->first_frame = flow->first_frame;
    out->last_frame = facts != NULL ? facts->last_frame : 0;
    out->position = position_of(flow);
    out->client_leg_ns = flow->half[C2S].leg_ns;
    out->server_leg_ns = flow->half[S2C].leg_ns;
    out->handshake_rtt_ns = flow->handshake_rtt_ns != 0 ? flow->handshake_rtt_ns : NS_UNKNOWN;
    out->syn_retransmissions = flow->syn_retransmissions;
    out->rst_ignored = flow->rst_ignored;
    out->handshake_seen = (flow->half[C2S].marks & flow->half[S2C].marks & HALF_SYN) != 0;
    out->client_ttl = flow->half[C2S].ttl;
    out->server_ttl = flow->half[S2C].ttl;
    for (int dir = 0; dir < 2; dir++) {
        struct direction_result *d = &out->dir[dir];
        assemble_direction(flow, (enum direction)dir,
                           facts == NULL ? NULL : &facts->side[dir], d);
        if (d->rtt.samples > 0 && rtt_ns != NS_UNKNOWN && rtt_ns < d->rtt.min_ns)
            d->rtt.min_ns = rtt_ns; /* the handshake saw the emptier path */
        d->late_segments = flow->half[dir].late_segments;
        d->implausible_segments = flow->half[dir].implausible_segments;
    }
}
