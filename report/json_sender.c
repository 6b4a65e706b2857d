/* What a direction tells of its sender's congestion window: estimates, and null without one. */
#include "report/json.h"

#include "report/json_value.h"
#include "report/words.h"

/* A count that is only known where the window is. */
static void put_known(json_t *out, const char *key, uint64_t count, bool known)
{
    json_put_bytes(out, key, known ? count : BYTES_UNKNOWN);
}

static json_t *window(const struct cwnd_facts *c)
{
    json_t *out = json_object();

    json_put_bytes(out, "initial", c->initial_bytes);
    json_put_bytes(out, "min", c->min_bytes);
    json_put_bytes(out, "mean", c->mean_bytes);
    json_put_bytes(out, "max", c->max_bytes);
    json_put_bytes(out, "error", c->error_bytes);
    json_put_bytes(out, "last", c->last_bytes);
    json_put_bytes(out, "ssthresh", c->ssthresh_bytes);
    json_put_word(out, "source", !c->known ? NULL : c->exact ? "flight" : "replica");
    return out;
}

static json_t *decreases(const struct cwnd_facts *c)
{
    static const char *const names[CWND_FALLS] = {
        [CWND_FALL_LOSS] = "loss",
        [CWND_FALL_TIMEOUT] = "timeout",
        [CWND_FALL_ECN] = "ecn",
        [CWND_FALL_IDLE] = "idle",
    };
    json_t *out = json_object();

    for (int i = 0; i < CWND_FALLS; i++)
        put_known(out, names[i], c->decreases[i], c->known);
    put_known(out, "undone", c->undone, c->known);
    return out;
}

static json_t *oscillation(const struct cwnd_facts *c)
{
    const struct oscillation_facts *o = &c->oscillation;
    json_t *out = json_object();

    put_known(out, "cycles", o->cycles, c->known);
    json_put_seconds(out, "period_s", o->period_ns);
    json_put_bytes(out, "peak_bytes", o->peak_bytes);
    json_put_bytes(out, "valley_bytes", o->valley_bytes);
    json_put_figure(out, "beta", o->beta);
    json_put_figure(out, "period_rtts", o->period_rtts);
    json_put_figure(out, "growth_mss_per_rtt", o->growth_segments);
    put_known(out, "falls", o->falls, c->known);
    put_known(out, "falls_after_rtt_growth", o->after_rtt_growth, c->known);
    put_known(out, "clean_epochs", o->clean_epochs, c->known);
    json_put_fine(out, "loss_rate", o->loss_rate);
    return out;
}

static json_t *control(const struct cwnd_facts *c)
{
    const bool named = c->known && c->family != CWND_UNKNOWN;
    json_t *out = json_object();

    json_put_word(out, "family", cwnd_family_name(c->known ? c->family : CWND_UNKNOWN));
    json_put_word(out, "confidence",
                  named ? words_confidence((enum confidence)c->family_confidence) : NULL);
    if (c->known)
        json_put_bool(out, "paced", c->paced);
    else
        json_put_null(out, "paced");
    json_put_bytes(out, "pacing_bytes_per_s", c->pacing_bytes_per_s);
    json_put_seconds(out, "probe_period_s", c->probe_period_ns);
    return out;
}

void json_put_sender(json_t *direction, const struct cwnd_facts *c)
{
    json_put(direction, "cwnd_bytes", window(c));
    json_put(direction, "oscillation", oscillation(c));
    json_put(direction, "congestion_control", control(c));
    json_put(direction, "decreases", decreases(c));
}

static json_t *bytes_or_null(uint64_t bytes)
{
    return bytes == BYTES_UNKNOWN ? json_null() : json_integer((json_int_t)bytes);
}

static json_t *cwnd_row(const struct view *view, const struct cwnd_row *r)
{
    const int64_t at_ns = view_since_start(view, r->t_ns);
    json_t *row = json_array();

    json_array_append_new(row, at_ns < 0 ? json_null() : json_real((double)at_ns / 1e9));
    json_array_append_new(row, bytes_or_null(r->low_bytes));
    json_array_append_new(row, bytes_or_null(r->estimate_bytes));
    json_array_append_new(row, bytes_or_null(r->high_bytes));
    json_array_append_new(row, bytes_or_null(r->ssthresh_bytes));
    json_array_append_new(row, json_string_nocheck(cwnd_state_name(r->state)));
    return row;
}

json_t *json_cwnd_series(const struct view *view, const struct cwnd_series *series)
{
    static const char *const columns[] = {"t_s",        "low_bytes",      "estimate_bytes",
                                          "high_bytes", "ssthresh_bytes", "state"};
    json_t *out, *names, *rows;

    if (series->count == 0)
        return json_null();
    out = json_object();
    names = json_array();
    rows = json_array();
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        json_array_append_new(names, json_string_nocheck(columns[i]));
    for (uint32_t i = 0; i < series->count; i++)
        json_array_append_new(rows, cwnd_row(view, &series->rows[i]));
    json_put(out, "columns", names);
    json_put(out, "rows", rows);
    return out;
}
