/* sessions[] and events[]. */
#include "report/json.h"

#include <stdlib.h>

#include "report/json_value.h"
#include "report/units.h"
#include "report/words.h"

json_t *json_phases(const struct view *view, const struct phase *phases, int count,
                    int64_t whole_ns)
{
    json_t *out = json_array();

    for (int i = 0; i < count; i++) {
        json_t *phase = json_object();

        json_put_word(phase, "name", phase_name(phases[i].kind));
        json_put_seconds(phase, "start_s", view_since_start(view, phases[i].start_ns));
        json_put_seconds(phase, "duration_s", phases[i].duration_ns);
        json_put_pct(phase, "share_pct",
                     whole_ns > 0 ? units_share_pct(phases[i].duration_ns, whole_ns) : -1);
        json_array_append_new(out, phase);
    }
    return out;
}

static json_t *id_list(const uint64_t *ids, size_t count)
{
    json_t *out = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(out, json_integer((json_int_t)ids[i]));
    return out;
}

static json_t *turns(const struct session_result *s)
{
    json_t *out = json_object();

    json_put_count(out, "count", s->turns);
    json_put_figure(out, "per_s", s->turns_per_s);
    json_put_figure(out, "bytes_mean", s->turn_bytes_mean);
    json_put_pct(out, "rtt_share_pct", s->rtt_share_pct);
    return out;
}

static json_t *commands(const struct view *view, const struct session_result *s)
{
    json_t *out = json_array();

    for (size_t i = 0; i < s->command_count; i++) {
        const struct command_result *c = &s->commands[i];
        char *text = view_command(view, c);
        json_t *command = json_object();

        json_put_seconds(command, "time_s", view_since_start(view, c->time_ns));
        json_put_id(command, "frame", c->frame);
        json_put_word(command, "from", c->from_server ? "server" : "client");
        json_put_text(command, "text", text);
        json_array_append_new(out, command);
        free(text);
    }
    return out;
}

json_t *json_session(const struct view *view, const struct session_result *s)
{
    const int64_t whole_ns =
        s->start_ns != NS_UNKNOWN && s->end_ns != NS_UNKNOWN ? s->end_ns - s->start_ns : 0;
    char *user = view_user_name(view, s->user);
    json_t *out = json_object();

    json_put_count(out, "id", s->id);
    json_put_word(out, "protocol", s->protocol);
    json_put(out, "client", json_endpoint(view, &s->client));
    json_put(out, "server", json_endpoint(view, &s->server));
    json_put(out, "flow_ids", id_list(s->flow_ids, s->flow_count));
    json_put_id(out, "control_flow_id", s->control_flow_id);
    json_put_text(out, "user", user);
    json_put_seconds(out, "start_s", view_since_start(view, s->start_ns));
    json_put_seconds(out, "duration_s", whole_ns);
    json_put(out, "turns", turns(s));
    json_put_seconds(out, "think_s", s->think_ns);
    json_put(out, "phases", json_phases(view, s->phases, s->phase_count, whole_ns));
    json_put(out, "transfer_ids", id_list(s->transfer_ids, s->transfer_count));
    json_put_null(out, "page_bytes");
    if (view->options->evidence)
        json_put(out, "commands", commands(view, s));
    free(user);
    return out;
}

json_t *json_event(const struct view *view, const struct event_result *e)
{
    json_t *out = json_object();

    json_put_seconds(out, "time_s", view_since_start(view, e->time_ns));
    json_put_id(out, "frame", e->frame);
    json_put_id(out, "flow_id", e->flow_id);
    json_put_word(out, "level", words_event_level(e));
    json_put_word(out, "kind", words_event_kind(e->kind));
    json_put_word(out, "text", words_event_text(e).text);
    return out;
}
