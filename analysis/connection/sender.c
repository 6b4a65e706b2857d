#include "analysis/connection/sender.h"

#include "analysis/connection/count_steps.h"
#include "analysis/connection/data_steps.h"
#include "analysis/flow/seq.h"

struct rexmit_facts sender_facts(const struct flow *flow, enum direction dir, int64_t now_ns)
{
    const struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];
    const struct side *side = &flow->detail->side[dir];

    return (struct rexmit_facts){
        .now_ns = now_ns,
        .near_ns = flow_near_ns(flow, dir),
        .min_rtt_ns = flow_min_rtt_ns(flow),
        .srtt_ns = side->srtt_ns,
        .rttvar_ns = side->rttvar_ns,
        .snd_una = half->snd_una,
        .snd_nxt = half->snd_nxt,
        .smss = half->smss,
        .sack_permitted = (half->marks & peer->marks & HALF_SACK) != 0 ||
                          ((half->marks & peer->marks & HALF_SYN) == 0 && side->counts.sack_acks > 0),
    };
}

/* Largest payload that the handshake allows this direction (Ethernet's without one). */
static uint32_t mss_allowed(const struct flow *flow, enum direction dir)
{
    const struct half *half = &flow->half[dir], *peer = &flow->half[direction_other(dir)];
    uint32_t most = peer->mss_option, options = (half->marks & HALF_TIMESTAMPS) != 0 ? 12 : 0;

    if (half->mss_option != 0 && (most == 0 || half->mss_option < most))
        most = half->mss_option;
    if (most == 0) {
        /* without a SYN: Ethernet's size unless single segments larger than that are the rule */
        most = 1460;
        if (half->max_payload > most && half->max_payload <= 9216 && half->full_segments > 4)
            most = half->max_payload + options;
    }
    return most > options ? most - options : most;
}

enum copy_kind sender_late_copy(const struct flow *flow, enum direction dir,
                                const struct segment *seg)
{
    const struct half *half = &flow->half[dir];

    if ((half->marks & HALF_BASE) == 0 || seg->ip_id == 0)
        return COPY_NONE;
    if ((seg->flags & TCP_SYN) != 0)
        return (half->marks & HALF_SYN) != 0 && half->iss == seg->seq &&
                       half->syn_ip_id == seg->ip_id && seg->ttl != half->ttl
                   ? COPY_ROUTED
                   : COPY_NONE;
    if (seg->payload_bytes == 0) /* an acknowledgment of long ago, one router further */
        return seg->ttl != half->ttl && ip_ids_is_old(&flow->detail->side[dir].ids, seg->ip_id)
                   ? COPY_ROUTED
                   : COPY_NONE;
    if (!serial_after((uint32_t)half->snd_nxt, seg->seq))
        return COPY_NONE;
    uint64_t left = seq_unwrap(seg->seq, half->snd_nxt), right = left + seg->payload_bytes;
    const struct side *side = &flow->detail->side[dir];
    const struct sent *entry = sent_log_find(&side->sent, left, right);
    /* acknowledged meanwhile: an ID below those seen since, one router further, was not sent now */
    if (entry == NULL && (half->marks & HALF_ACKED) != 0 && right <= half->snd_una &&
        seg->ttl != half->ttl && ip_ids_is_old(&side->ids, seg->ip_id))
        return COPY_ROUTED;
    if (entry == NULL || entry->ip_id != seg->ip_id || entry->left != left || entry->right != right ||
        entry->ts_val != seg->opt.ts_val)
        return COPY_NONE;
    return seg->ttl != half->ttl ? COPY_ROUTED : COPY_NETWORK;
}

bool sender_is_probe(struct flow *flow, enum direction dir, const struct segment *seg,
                     uint64_t offset)
{
    const struct half *half = &flow->half[dir];
    struct side *side;

    if (flow->detail == NULL || seg->payload_bytes > 1 || (half->marks & HALF_BASE) == 0 ||
        (seg->flags & (TCP_SYN | TCP_FIN | TCP_RST)) != 0)
        return false;
    side = &flow->detail->side[dir];
    bool zero = (half->marks & HALF_WINDOW) != 0 && half->rwnd_last == 0;
    bool below = offset + 1 == half->snd_nxt;
    if (zero && (below || (seg->payload_bytes == 1 && offset <= half->snd_nxt &&
                           (half->marks & HALF_ACKED) != 0 && offset == half->snd_una))) {
        side->counts.window_probes++;
        if (offset == half->snd_nxt) /* it may be accepted: the acknowledgment will say */
            side->probe_offset = offset;
        return true;
    }
    if (!below || (half->marks & HALF_ACKED) == 0 || half->snd_una < half->snd_nxt)
        return false;
    struct rexmit_facts facts = sender_facts(flow, dir, seg->time_ns);
    int64_t idle_ns = rexmit_silence_ns(&side->rexmit, &facts);
    if (idle_ns < 1000000000 || (side->counts.keep_alives == 0 && idle_ns < 3 * rexmit_rto_ns(&facts)))
        return false;
    side->counts.keep_alives++;
    return true;
}

static uint32_t segments_of(uint64_t bytes, uint32_t smss)
{
    return smss == 0 || bytes <= smss ? 1 : (uint32_t)((bytes + smss - 1) / smss);
}

static void measure_size(struct flow *flow, enum direction dir, const struct segment *seg)
{
    struct half *half = &flow->half[dir];

    flow->marks |= FLOW_HAS_DATA;
    if (seg->payload_bytes > half->max_payload) {
        half->max_payload = seg->payload_bytes;
        half->mss_allowed = (uint16_t)mss_allowed(flow, dir);
        half->smss = half->max_payload < half->mss_allowed ? (uint16_t)half->max_payload
                                                           : half->mss_allowed;
    }
    count_data(half, seg);
    if (seg->payload_bytes > half->smss) {
        half->full_segments += seg->payload_bytes / half->smss - 1;
        if (flow->detail != NULL)
            flow->detail->side[dir].counts.super_segments++;
    }
    if (half->data_segments == 1) {
        half->first_data_ns = seg->time_ns;
        half->first_data_frame = seg->frame;
        if (flow->detail != NULL) {
            struct side *side = &flow->detail->side[dir];
            side->first_bytes = (uint8_t)pattern_first_bytes(seg->payload, seg->payload_captured);
            side->first_bytes_frame = seg->frame;
        }
    }
}

struct judged {
    enum departure_kind kind;
    bool departs; /* it moved data now (not an original that came late) */
};

static enum departure_kind kind_of(enum rexmit_trigger trigger, bool after_silence)
{
    switch (trigger) {
    case REXMIT_RTO:
        return after_silence ? DEPARTURE_TIMEOUT : DEPARTURE_TIMEOUT_RESEND;
    case REXMIT_TAIL_PROBE:
        return DEPARTURE_TAIL_PROBE;
    default:
        return DEPARTURE_RESEND;
    }
}

/* Count a retransmission; needed is false when the receiver had the data. */
static enum departure_kind count_resend(struct tracker *t, struct flow *flow, enum direction dir,
                                        const struct segment *seg, struct loss_resend *resend)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    struct rexmit *rx = &side->rexmit;
    struct rexmit_facts facts = sender_facts(flow, dir, seg->time_ns);
    uint64_t left = resend->left, right = resend->right;
    enum rexmit_trigger trigger = rexmit_trigger_of(rx, &facts, left, right);
    uint32_t segments = segments_of(right - left, half->smss);
    bool after_silence = trigger == REXMIT_RTO && rexmit_silence_ns(rx, &facts) >= SILENCE_NS;

    side->counts.retransmitted += segments;
    side->counts.retransmitted_bytes += right - left;
    side->counts.triggers[trigger] += segments;
    if (resend->needed && (rx->recover == 0 || half->snd_una >= rx->recover)) {
        rx->recover = half->snd_nxt;
        rx->timeout_episode = false;
        rx->event_losses = 0;
    }
    rx->event_losses += resend->needed ? segments : 0;
    if (trigger == REXMIT_RTO && (rx->recover == 0 || after_silence || rx->timeout_episode)) {
        rx->timeout_episode = true;
        rx->recover = half->snd_nxt;
    }
    resend->segments = segments;
    resend->fast = trigger == REXMIT_FAST;
    resend->silence_ns = after_silence ? rexmit_silence_ns(rx, &facts) : 0;
    loss_note_resend(flow, dir, seg, resend);
    tracker_event(t, after_silence ? EVENT_TIMEOUT : EVENT_RETRANSMISSION, flow, dir, seg,
                  right - left);
    series_retransmission(side->series, seg->time_ns, segments);
    return kind_of(trigger, after_silence);
}

/* Bytes pass that filled a hole. */
static struct judged judge_fill(struct tracker *t, struct flow *flow, enum direction dir,
                                const struct segment *seg, uint64_t left, uint64_t right,
                                const struct hole *hole)
{
    struct side *side = &flow->detail->side[dir];
    struct rexmit_facts facts = sender_facts(flow, dir, seg->time_ns);
    enum fill_verdict verdict = rexmit_judge_fill(&side->rexmit, &side->ids, &facts, hole, seg);
    struct sent *entry = sent_log_insert(&side->sent, left, right);

    entry->time_ns = seg->time_ns;
    entry->ts_val = entry->first_ts_val = seg->opt.ts_val;
    entry->ip_id = seg->ip_id;
    entry->near_us = (uint32_t)(facts.near_ns / 1000);
    if (verdict == FILL_REORDERED) {
        side->counts.reordered += segments_of(right - left, facts.smss);
        loss_note_late(flow, dir, seg, flow->half[dir].snd_nxt - right, seg->time_ns - hole->time_ns);
        return (struct judged){DEPARTURE_NEW, false};
    }
    entry->marks |= SENT_FILLED;
    uint32_t segments = segments_of(right - left, facts.smss);
    if (verdict == FILL_RESEND)
        side->counts.lost_upstream += segments;
    side->rexmit.hidden_segments += segments;
    struct loss_resend resend = {left, right, .first_ns = hole->time_ns, .tries = 1, .needed = true};
    return (struct judged){count_resend(t, flow, dir, seg, &resend), true};
}

/* Bytes pass that were seen before. */
static struct judged judge_repeat(struct tracker *t, struct flow *flow, enum direction dir,
                                  const struct segment *seg, uint64_t left, uint64_t right)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    struct sent *entry = sent_log_find(&side->sent, left, right);
    bool had_it = (half->marks & HALF_ACKED) != 0 && half->snd_una >= right;
    struct resend resend = {
        .left = left,
        .right = right,
        .time_ns = seg->time_ns,
        .ts_val = seg->opt.ts_val,
        .segments = segments_of(right - left, half->smss),
        .has_ts = (seg->opt.present & TCP_OPT_TIMESTAMPS) != 0,
    };

    if (entry != NULL) {
        had_it |= (entry->marks & SENT_SACKED) != 0 && entry->left <= left && entry->right >= right;
        resend.original_ts_val = entry->first_ts_val;
        resend.original_seen = (entry->marks & (SENT_FILLED | SENT_RESENT)) == 0;
    }
    resend.spurious = had_it;
    struct loss_resend loss = {
        left, right,
        .first_ns = entry != NULL ? entry->time_ns : seg->time_ns,
        .tries = entry != NULL ? entry->resends + 1u : 1,
        .needed = !had_it,
    };
    enum departure_kind kind = count_resend(t, flow, dir, seg, &loss);
    if (had_it)
        side->counts.spurious += resend.segments;
    else
        side->counts.lost_downstream += resend.segments;
    for (; entry != NULL && entry->left < right; entry = sent_log_next(&side->sent, entry)) {
        entry->marks |= SENT_RESENT;
        entry->time_ns = seg->time_ns;
        entry->ts_val = seg->opt.ts_val;
        entry->ip_id = seg->ip_id;
        entry->resends++;
    }
    rexmit_remember(&side->rexmit, &resend);
    return (struct judged){kind, true};
}

static struct judged judge_old(struct tracker *t, struct flow *flow, enum direction dir,
                               const struct segment *seg, uint64_t left, uint64_t right)
{
    struct hole hole;
    uint64_t filled = holes_fill(&flow->detail->side[dir].holes, left, right, &hole);

    if (filled == right - left)
        return judge_fill(t, flow, dir, seg, left, right, &hole);
    return judge_repeat(t, flow, dir, seg, left, right);
}

/* New data in order whose first copies were lost upstream: a silence of time-out length, and a
 * jump of the IP ID that says that packets were sent in between. */
static bool is_hidden_resend(const struct flow *flow, enum direction dir,
                             const struct segment *seg)
{
    const struct side *side = &flow->detail->side[dir];

    if (seg->time_ns - side->rexmit.last_sent_ns < SILENCE_NS)
        return false;
    struct rexmit_facts facts = sender_facts(flow, dir, seg->time_ns);

    return ip_ids_jump(&side->ids, seg->ip_id) > 0 && seg->ip_version == 4 &&
           rexmit_silence_ns(&side->rexmit, &facts) >= SILENCE_NS &&
           rexmit_silence_ns(&side->rexmit, &facts) * 10 >=
               (facts.min_rtt_ns == NS_UNKNOWN ? 0 : facts.min_rtt_ns * 9);
}

static struct judged judge_new(struct tracker *t, struct flow *flow, enum direction dir,
                               const struct segment *seg, uint64_t left, uint64_t right)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];

    if (left > half->snd_nxt) {
        struct hole *hole = holes_add(&side->holes, half->snd_nxt, left);
        hole->time_ns = seg->time_ns;
        hole->successor_ts_val = seg->opt.ts_val;
        hole->successor_ip_id = seg->ip_id;
    } else if (is_hidden_resend(flow, dir, seg)) {
        side->counts.lost_upstream += segments_of(right - left, half->smss);
        side->rexmit.hidden_segments += segments_of(right - left, half->smss);
        /* the sender had more out: as many packets as numbers are missing, at most */
        uint64_t edge = half->snd_nxt;
        half->snd_nxt = right + (uint64_t)(ip_ids_jump(&side->ids, seg->ip_id) - 1) * half->smss;
        struct loss_resend resend = {left, right, .first_ns = side->rexmit.last_sent_ns, .tries = 1,
                                     .needed = true};
        struct judged judged = {count_resend(t, flow, dir, seg, &resend), true};
        half->snd_nxt = edge;
        return judged;
    }
    return (struct judged){DEPARTURE_NEW, true};
}

/* Start the replay at the first data that is followed. */
static void start_replay(struct flow *flow, enum direction dir, const struct segment *seg,
                         uint64_t left)
{
    struct half *half = &flow->half[dir];
    struct side *side = &flow->detail->side[dir];
    const struct half *receiver = &flow->half[direction_other(dir)];
    uint64_t una = (half->marks & HALF_ACKED) != 0 && half->snd_una < left &&
                           left - half->snd_una < (1u << 30)
                       ? half->snd_una
                       : left;
    uint64_t edge = 0;
    enum scale_source source;
    int scale = window_scale(&side->window, half, receiver, &source);

    if ((half->marks & HALF_WINDOW) != 0 && scale >= 0 && source != SCALE_AT_LEAST)
        edge = una + ((uint64_t)half->rwnd_last << scale);
    else if ((half->marks & HALF_WINDOW) == 0 && half->rwnd_syn > 0)
        edge = una + half->rwnd_syn;
    replay_start(&side->replay, seg->time_ns, seg->time_ns - half->first_data_ns, una, edge);
    side->replay.zero_window = (half->marks & HALF_WINDOW) != 0 && half->rwnd_last == 0;
    side->replay.smss = half->smss;
}

/* Without detail only the edge is followed; what was skipped and what came late or again is added
 * up without telling the two apart. */
static void follow_lightly(struct flow *flow, enum direction dir, uint64_t left, uint64_t right)
{
    struct half *half = &flow->half[dir];

    count_light_bulk(flow, half);
    if (left == half->snd_nxt) {
        half->snd_nxt = right;
        return;
    }
    if (left > half->snd_nxt) {
        half->light_missing_bytes += (uint32_t)(left - half->snd_nxt);
    } else {
        uint64_t old = (right < half->snd_nxt ? right : half->snd_nxt) - left;
        half->light_missing_bytes -= old < half->light_missing_bytes ? (uint32_t)old
                                                                     : half->light_missing_bytes;
        if (half->light_resends < UINT16_MAX)
            half->light_resends++;
    }
    if (right > half->snd_nxt)
        half->snd_nxt = right;
}

static void take_fin(struct half *half, const struct segment *seg, uint64_t offset)
{
    if ((half->marks & HALF_FIN) != 0)
        return;
    half->marks |= HALF_FIN;
    half->fin_offset = offset;
    half->fin_ns = seg->time_ns;
    half->fin_frame = seg->frame;
}

void sender_data(struct tracker *t, struct flow *flow, enum direction dir,
                 const struct segment *seg, uint64_t offset)
{
    struct half *half = &flow->half[dir];
    uint64_t left = offset, right = offset + seg->payload_bytes;
    bool fin = (seg->flags & TCP_FIN) != 0;

    if (seg->payload_bytes > 0) {
        measure_size(flow, dir, seg);
        if (flow->detail != NULL)
            count_run(flow, dir, seg);
        else if (left != half->snd_nxt && half->data_segments > 1)
            detail_get(t->details, flow, true); /* a loss or disorder wants to be understood */
    }
    if (fin)
        take_fin(half, seg, right);
    right += fin;
    if (flow->detail == NULL) {
        follow_lightly(flow, dir, left, right);
        return;
    }
    struct side *side = &flow->detail->side[dir];
    struct judged judged = {DEPARTURE_NEW, true};
    struct sent *entry = NULL;
    if (left < half->snd_nxt)
        judged = judge_old(t, flow, dir, seg, left, right < half->snd_nxt ? right : half->snd_nxt);
    if (right > half->snd_nxt) {
        if (left >= half->snd_nxt)
            judged = judge_new(t, flow, dir, seg, left, right);
        uint64_t from = left > half->snd_nxt ? left : half->snd_nxt;
        entry = data_push(side, seg, from, right);
        entry->near_us = (uint32_t)(flow_near_ns(flow, dir) / 1000);
        if (judged.kind != DEPARTURE_NEW)
            entry->marks |= SENT_FILLED;
        half->snd_nxt = right;
    }
    if (judged.departs && seg->payload_bytes > 0) {
        if (!side->replay.started)
            start_replay(flow, dir, seg, left);
        if (side->pattern == NULL && half->data_segments > INITIAL_WINDOW_SEGMENTS)
            side->pattern = pattern_new(left);
        int64_t near_ns =
            data_depart(flow, dir, seg, left, offset + seg->payload_bytes, judged.kind);
        if (entry != NULL && judged.kind == DEPARTURE_NEW && !fin)
            entry->near_us = (uint32_t)(near_ns / 1000);
    }
    side->rexmit.last_sent_ns = seg->time_ns;
}
