/* c2s and s2c of a flow. */
#include "report/json.h"

#include "report/json_value.h"

static const char *scale_source_name(enum scale_source source)
{
    static const char *const names[] = {
        [SCALE_UNKNOWN] = "unknown",
        [SCALE_OPTION] = "option",
        [SCALE_EXACT] = "exact",
        [SCALE_AT_LEAST] = "at_least",
    };

    return names[source];
}

static void put_volume(json_t *out, const struct direction_result *d)
{
    json_put_count(out, "packets", d->packets);
    json_put_count(out, "data_segments", d->data_segments);
    json_put_count(out, "bytes", d->bytes);
    json_put_count(out, "stream_bytes", d->stream_bytes);
    json_put_rate(out, "goodput_bytes_per_s",
                  d->elapsed_ns > 0 ? (double)d->bytes * 1e9 / (double)d->elapsed_ns : -1);
}

static void put_options(json_t *out, const struct direction_result *d)
{
    json_put_id(out, "mss_option", d->mss_option);
    json_put_id(out, "smss", d->smss);
    if (d->window_scale < 0)
        json_put_null(out, "window_scale");
    else
        json_put_count(out, "window_scale", (uint64_t)d->window_scale);
    json_put_word(out, "window_scale_source", scale_source_name(d->window_scale_source));
    json_put_bool(out, "sack_permitted", d->sack_permitted);
    json_put_bool(out, "timestamps", d->timestamps);
    json_put_bool(out, "ecn", d->ecn);
}

static json_t *triggers(const struct direction_result *d)
{
    static const char *const names[REXMIT_TRIGGERS] = {
        [REXMIT_FAST] = "fast",
        [REXMIT_RTO] = "rto",
        [REXMIT_TAIL_PROBE] = "tail_probe",
        [REXMIT_SYN] = "syn",
        [REXMIT_UNKNOWN] = "unknown",
    };
    json_t *out = json_object();

    for (int i = 0; i < REXMIT_TRIGGERS; i++)
        json_put_count(out, names[i], d->retransmissions[i]);
    return out;
}

static json_t *loss(const struct direction_result *d)
{
    json_t *out = json_object();

    json_put_count(out, "events", d->loss_events);
    json_put_count(out, "downstream_segments", d->lost_downstream_segments);
    json_put_count(out, "upstream_segments", d->lost_upstream_segments);
    return out;
}

static void put_repairs(json_t *out, const struct direction_result *d)
{
    json_put_count(out, "retransmitted_segments", d->retransmitted_segments);
    json_put_count(out, "retransmitted_bytes", d->retransmitted_bytes);
    json_put(out, "retransmissions", triggers(d));
    json_put_count(out, "spurious_retransmissions", d->spurious_retransmissions);
    json_put(out, "loss", loss(d));
    json_put_count(out, "reordered_segments", d->reordered_segments);
    json_put_count(out, "network_duplicates", d->network_duplicates);
    json_put_count(out, "duplicate_frames", d->duplicate_frames);
    json_put_count(out, "gap_bytes", d->gap_bytes);
    json_put_count(out, "keep_alives", d->keep_alives);
    json_put_count(out, "window_probes", d->window_probes);
    json_put_count(out, "late_segments", d->late_segments);
    json_put_count(out, "implausible_segments", d->implausible_segments);
    json_put_count(out, "full_segments", d->full_segments);
    json_put_count(out, "super_segments", d->super_segments);
    json_put_count(out, "ce_marked", d->ce_marked);
}

static void put_answers(json_t *out, const struct direction_result *d)
{
    json_put_count(out, "acks", d->acks);
    json_put_count(out, "dup_acks", d->dup_acks);
    json_put_count(out, "sack_acks", d->sack_acks);
    json_put_count(out, "dsack_acks", d->dsack_acks);
    json_put_count(out, "window_updates", d->window_updates);
}

static void put_window(json_t *out, const struct direction_result *d)
{
    const bool known = d->window_scale_source != SCALE_UNKNOWN;
    json_t *rwnd = json_object();

    json_put_bytes(rwnd, "min", known ? d->rwnd_min_bytes : BYTES_UNKNOWN);
    json_put_bytes(rwnd, "mean", known ? d->rwnd_mean_bytes : BYTES_UNKNOWN);
    json_put_bytes(rwnd, "max", known ? d->rwnd_max_bytes : BYTES_UNKNOWN);
    json_put(out, "rwnd_bytes", rwnd);
    json_put_bytes(out, "rwnd_syn_bytes", d->rwnd_syn_bytes);
    json_put_count(out, "zero_window_episodes", d->zero_window_episodes);
    json_put_seconds(out, "zero_window_s", d->zero_window_ns);
    json_put_seconds(out, "window_full_s", d->window_full_ns);
    json_put_count(out, "window_shrunk", d->window_shrunk);
    json_put_count(out, "rounds", d->rounds);
    json_put_count(out, "rounds_window_full", d->rounds_window_full);
}

static json_t *flight(const struct direction_result *d)
{
    json_t *out = json_object();

    json_put_bytes(out, "mean", d->flight_mean_bytes);
    json_put_bytes(out, "max", d->flight_max_bytes);
    return out;
}

static json_t *rtt(const struct sample_summary *s)
{
    const bool known = s->samples > 0;
    json_t *out = json_object();

    json_put_ms(out, "min", known ? s->min_ns : NS_UNKNOWN);
    json_put_ms(out, "p50", known ? s->p50_ns : NS_UNKNOWN);
    json_put_ms(out, "p95", known ? s->p95_ns : NS_UNKNOWN);
    json_put_ms(out, "max", known ? s->max_ns : NS_UNKNOWN);
    json_put_count(out, "samples", s->samples);
    return out;
}

static void put_control(json_t *out, const struct direction_result *d)
{
    json_put_id(out, "initial_window_bytes", d->initial_window_bytes);
    json_put(out, "flight_bytes", flight(d));
    json_put(out, "rtt_ms", rtt(&d->rtt));
    json_put_sender(out, &d->cwnd);
    json_put_count(out, "idle_restarts", d->idle_restarts);
}

/* The longest silences of the sender; null where its time is not known. */
static json_t *stalls(const struct view *view, const struct direction_result *d)
{
    json_t *out;

    if (!d->limits_followed)
        return json_null();
    out = json_array();
    for (uint32_t i = 0; i < d->waits.stall_count && i < STALLS_MAX; i++) {
        const struct stall *s = &d->waits.stalls[i];
        json_t *stall = json_object();

        json_put_seconds(stall, "start_s", view_since_start(view, s->start_ns));
        json_put_seconds(stall, "duration_s", s->duration_ns);
        json_put_word(stall, "limit", limit_name(s->limit));
        json_put_id(stall, "from_frame", s->from_frame);
        json_put_id(stall, "to_frame", s->to_frame);
        json_array_append_new(out, stall);
    }
    return out;
}

static void put_times(const struct view *view, json_t *out, const struct direction_result *d)
{
    json_t *limits = json_object();

    for (int i = 0; i < LIMIT_COUNT; i++)
        json_put_seconds(limits, limit_name((enum limit)i), d->limit_ns[i]);
    json_put_seconds(out, "elapsed_s", d->elapsed_ns);
    json_put(out, "limits_s", limits);
    json_put(out, "stalls", stalls(view, d));
    json_put_bytes(out, "stalls_seen", d->limits_followed ? d->waits.stalls_seen : BYTES_UNKNOWN);
}

json_t *json_direction(const struct view *view, const struct flow_result *flow,
                       enum direction direction)
{
    const struct direction_result *d = &flow->dir[direction];
    json_t *out = json_object();

    put_volume(out, d);
    put_options(out, d);
    put_repairs(out, d);
    put_answers(out, d);
    put_window(out, d);
    put_control(out, d);
    json_put_path(view, out, d);
    put_times(view, out, d);
    if (view->options->series) {
        json_put(out, "series", json_series(view, &flow->series[direction]));
        json_put(out, "cwnd_series", json_cwnd_series(view, &flow->cwnd_series[direction]));
    }
    return out;
}
