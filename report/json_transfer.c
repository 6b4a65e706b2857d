/* transfers[]: what was moved, where its time went, and the verdict. */
#include "report/json.h"

#include <stdlib.h>
#include <string.h>

#include "report/advice.h"
#include "report/json_value.h"
#include "report/proof.h"
#include "report/units.h"
#include "report/words.h"
#include "xmalloc.h"

static json_t *word_list(const char *const *words, int count)
{
    json_t *out = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(out, json_string_nocheck(words[i]));
    return out;
}

/* Shares of the time from first data to last acknowledgment; all null without the data flow. */
static json_t *limit_shares(const struct view *view, const struct transfer_result *t)
{
    struct flow_result *flow = xmalloc(sizeof *flow);
    const bool known = t->flow_id >= 1 && t->flow_id <= analyzer_flow_count(view->analysis);
    json_t *out = json_object();

    if (known)
        analyzer_flow(view->analysis, t->flow_id, flow);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        const struct direction_result *d = known ? &flow->dir[t->direction] : NULL;

        json_put_pct(out, limit_name((enum limit)i),
                     d != NULL && d->elapsed_ns > 0
                         ? units_share_pct(d->limit_ns[i], d->elapsed_ns)
                         : -1);
    }
    free(flow);
    return out;
}

static json_t *bounds(const struct verdict *v)
{
    json_t *out = json_array();

    for (int i = 0; i < v->bound_count; i++) {
        json_t *bound = json_object();

        json_put_text(bound, "name", v->bounds[i].name); /* a ceiling's label is the user's */
        json_put_rate(bound, "bytes_per_s", v->bounds[i].bytes_per_s);
        json_put_bool(bound, "holds", v->bounds[i].holds);
        json_array_append_new(out, bound);
    }
    return out;
}

static json_t *efficiencies(const struct verdict *v)
{
    json_t *out = json_array();

    for (int i = 0; i < v->efficiency_count && i < VERDICT_EFFICIENCIES_MAX; i++) {
        const struct window_efficiency *e = &v->efficiencies[i];
        json_t *efficiency = json_object();

        json_put_rate(efficiency, "link_bytes_per_s", e->link_bytes_per_s);
        json_put_pct(efficiency, "share_pct", 100 * e->share);
        json_put_rate(efficiency, "needed_window_bytes", e->needed_bytes);
        json_array_append_new(out, efficiency);
    }
    return out;
}

static json_t *what_ifs(const struct verdict *v)
{
    json_t *out = json_array();

    for (int i = 0; i < v->what_if_count && i < VERDICT_WHAT_IFS_MAX; i++) {
        const struct what_if *w = &v->what_ifs[i];
        json_t *what_if = json_object();

        json_put_word(what_if, "change", w->change);
        json_put_rate(what_if, "predicted_bytes_per_s", w->bytes_per_s);
        json_put_figure(what_if, "predicted_s", w->seconds);
        json_put_word(what_if, "next_bound", w->next);
        json_array_append_new(out, what_if);
    }
    return out;
}

static json_t *verdict(const struct verdict *v)
{
    json_t *out = json_object();

    json_put_word(out, "cause", v->cause != NULL ? v->cause : "unknown");
    json_put_id(out, "cause_id", (uint64_t)(v->cause_id > 0 ? v->cause_id : 0));
    json_put_pct(out, "share_pct", v->share_pct);
    json_put_word(out, "confidence", words_confidence(v->confidence));
    json_put_text(out, "headline", v->headline);
    json_put_text(out, "text", v->text);
    json_put_word(out, "second_cause", v->second_cause);
    json_put_pct(out, "second_share_pct", v->second_cause != NULL ? v->second_share_pct : -1);
    json_put(out, "ruled_out", word_list(v->ruled_out, v->ruled_out_count));
    json_put(out, "unknown", word_list(v->unknown, v->unknown_count));
    return out;
}

static json_t *advice(const struct view *view, const struct verdict *v)
{
    json_t *out = json_array();

    for (int i = 0; i < v->advice_count; i++) {
        const struct advice *a = &v->advice[i];
        char *text = advice_sentence(a, advice_is_upper_bound(v), view->options->bits);
        json_t *remedy = json_object();

        json_put_word(remedy, "who", words_actor(a->who));
        json_put_word(remedy, "change", a->change);
        json_put_bytes(remedy, "value_bytes", a->value_bytes);
        json_put_figure(remedy, "predicted_s", a->predicted_s);
        json_put_rate(remedy, "predicted_bytes_per_s", a->predicted_bytes_per_s);
        json_put_text(remedy, "text", text);
        json_array_append_new(out, remedy);
        free(text);
    }
    return out;
}

/* How to check it by hand: a display filter of Wireshark, and the fields to look at. */
static json_t *check(const struct evidence *e)
{
    const char *field = proof_fields(e->fact);
    json_t *out = json_object(), *list = json_array();

    while (field != NULL && *field != '\0') {
        const size_t length = strcspn(field, " ");

        json_array_append_new(list, json_stringn_nocheck(field, length));
        field += length + strspn(field + length, " ");
    }
    json_put_word(out, "filter", proof_filter(e->frame).text);
    json_put(out, "fields", list);
    return out;
}

static json_t *evidence(const struct view *view, const struct verdict *v)
{
    json_t *out = json_array();

    for (int i = 0; i < v->evidence_count; i++) {
        const struct evidence *e = &v->evidence[i];
        json_t *item = json_object();

        json_put_id(item, "frame", e->frame);
        json_put_seconds(item, "time_s", view_since_start(view, e->time_ns));
        json_put_word(item, "fact", e->fact);
        json_put_text(item, "text", e->text);
        json_put(item, "check", check(e));
        json_array_append_new(out, item);
    }
    return out;
}

static void put_identity(const struct view *view, json_t *out, const struct transfer_result *t)
{
    char *name = view_file_name(view, t->name);
    json_t *flows = json_array();

    if (t->flow_id != 0)
        json_array_append_new(flows, json_integer((json_int_t)t->flow_id));
    json_put_count(out, "id", t->id);
    json_put_word(out, "protocol", t->protocol);
    json_put_text(out, "verb", t->verb);
    json_put_text(out, "name", name[0] != '\0' ? name : NULL);
    json_put_word(out, "direction", words_direction(t->direction));
    json_put(out, "flow_ids", flows);
    json_put_id(out, "control_flow_id", t->control_flow_id);
    json_put_id(out, "session_id", t->session_id);
    free(name);
}

static void put_outcome(json_t *out, const struct transfer_result *t)
{
    json_put_count(out, "bytes", t->bytes);
    json_put_bytes(out, "expected_bytes", t->expected_bytes);
    if (t->complete_known)
        json_put_bool(out, "complete", t->complete);
    else
        json_put_null(out, "complete");
    json_put_word(out, "ended_by", words_ender(t->ended_by));
    json_put_id(out, "final_reply", (uint64_t)(t->final_reply > 0 ? t->final_reply : 0));
}

json_t *json_transfer(const struct view *view, const struct transfer_result *t)
{
    const struct verdict *v = &t->verdict;
    json_t *out = json_object();

    put_identity(view, out, t);
    put_outcome(out, t);
    json_put_seconds(out, "start_s", view_since_start(view, t->start_ns));
    json_put_seconds(out, "duration_s", t->duration_ns);
    json_put_rate(out, "goodput_bytes_per_s", t->goodput_bytes_per_s);
    json_put(out, "phases", json_phases(view, t->phases, t->phase_count,
                                         phases_span_ns(t->phases, t->phase_count, t->duration_ns)));
    json_put(out, "limits_pct", limit_shares(view, t));
    json_put(out, "bounds", bounds(v));
    json_put(out, "what_if", what_ifs(v));
    json_put(out, "window_efficiency", efficiencies(v));
    json_put(out, "verdict", verdict(v));
    json_put(out, "advice", advice(view, v));
    json_put(out, "evidence", evidence(view, v));
    return out;
}
