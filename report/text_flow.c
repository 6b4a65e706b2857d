/* Connections that are no transfer, sessions, and events: a line each. */
#include "report/text.h"

#include <stdlib.h>

#include "report/escape.h"
#include "report/units.h"
#include "report/words.h"
#include "xmalloc.h"

static void print_flow(const struct view *view, const struct flow_result *f, FILE *out)
{
    char *client = text_endpoint(view, &f->client), *server = text_endpoint(view, &f->server);

    text_paragraph(out, 2, 6, "%s  %s > %s  %s, %s sent, %s received, %s", units_count(f->id).text,
                   client, server, words_state(f->state), units_count(f->dir[C2S].bytes).text,
                   units_bytes(f->dir[S2C].bytes).text,
                   units_duration(f->end_ns - f->start_ns).text);
    free(client);
    free(server);
}

static bool is_other(const struct view *view, uint64_t flow_id)
{
    return view_transfer_of_flow(view, flow_id) == NULL &&
           view_session_of_flow(view, flow_id) == NULL;
}

/* Connections without transfer or session that are wanted; counting needs their results only
 * when something is asked for by name. */
static uint64_t count_others(const struct view *view)
{
    const bool all = view_wants_all(view) && analyzer_counts(view->analysis)->evicted_flows == 0;
    struct flow_result *flow = xmalloc(sizeof *flow);
    uint64_t count = 0;

    for (uint64_t id = 1; id <= analyzer_flow_count(view->analysis); id++) {
        if (!is_other(view, id))
            continue;
        count += all || (analyzer_flow(view->analysis, id, flow) && view_wants_flow(view, flow));
    }
    free(flow);
    return count;
}

static void list_others(const struct view *view, uint64_t count, FILE *out)
{
    const uint64_t most = view->options->verbose ? UINT64_MAX : TEXT_LIST_MAX;
    struct flow_result *flow = xmalloc(sizeof *flow);
    uint64_t shown = 0;

    for (uint64_t id = 1; id <= analyzer_flow_count(view->analysis) && shown < most; id++) {
        if (ferror(out) || !is_other(view, id))
            continue;
        if (!analyzer_flow(view->analysis, id, flow) || !view_wants_flow(view, flow))
            continue;
        print_flow(view, flow, out);
        shown++;
    }
    if (count > shown)
        fprintf(out, "  ... and %s more (use -v or -T csv)\n", units_count(count - shown).text);
    free(flow);
}

void text_other_flows(const struct view *view, bool list, FILE *out)
{
    const uint64_t count = count_others(view);

    if (count == 0)
        return;
    text_paragraph(out, 0, 2, "%s with little data%s",
                   units_things(count, "other connection", "other connections").text,
                   list ? ":" : "");
    if (list)
        list_others(view, count, out);
}

/* --flow N where N carried no transfer: what is known of its two directions. */
void text_one_flow(const struct view *view, FILE *out)
{
    const uint64_t id = view->options->only_flow, count = analyzer_flow_count(view->analysis);
    struct flow_result *flow;

    if (id > count) {
        text_paragraph(out, 0, 2, "There is no connection %s: they are numbered 1 to %s.",
                       units_count(id).text, units_count(count).text);
        return;
    }
    flow = xmalloc(sizeof *flow);
    if (analyzer_flow(view->analysis, id, flow))
        print_flow(view, flow, out);
    else
        text_paragraph(out, 0, 2, "Connection %s was dropped to bound memory (--max-flows).",
                       units_count(id).text);
    for (int i = 0; i < 2; i++) {
        const enum direction direction = i == 0 ? C2S : S2C;

        if (flow->dir[direction].data_segments == 0)
            continue;
        text_paragraph(out, 2, 4, "Data of the %s:", direction == C2S ? "client" : "server");
        text_time_table(&flow->dir[direction], out);
        text_direction_facts(view, flow, direction, out);
    }
    free(flow);
}

static void print_session(const struct view *view, const struct session_result *s, FILE *out)
{
    char *client = text_endpoint(view, &s->client), *server = text_endpoint(view, &s->server);
    char *user = view_user_name(view, s->user), *escaped = escape_text(user != NULL ? user : "");
    struct text_list list = {NULL};

    text_list_add(&list, "", "Session %s  %s  %s > %s", units_count(s->id).text, s->protocol,
                  client, server);
    if (user != NULL)
        text_list_add(&list, ", ", "user %s", escaped);
    text_list_add(&list, ", ", "%s",
                  units_things(s->transfer_count, "transfer", "transfers").text);
    if (s->start_ns != NS_UNKNOWN && s->end_ns != NS_UNKNOWN)
        text_list_add(&list, ", ", "%s", units_duration(s->end_ns - s->start_ns).text);
    text_paragraph(out, 0, 2, "%s", list.text);
    free(list.text);
    free(client);
    free(server);
    free(user);
    free(escaped);
}

static void print_commands(const struct view *view, const struct session_result *s, FILE *out)
{
    for (size_t i = 0; view->options->evidence && i < s->command_count && !ferror(out); i++) {
        const struct command_result *c = &s->commands[i];
        char *text = view_command(view, c), *escaped = escape_text(text);

        text_paragraph(out, 2, 6, "frame %s, at %s  %s %s", units_count(c->frame).text,
                       units_duration(view_since_start(view, c->time_ns)).text,
                       c->from_server ? "<" : ">", escaped);
        free(text);
        free(escaped);
    }
}

void text_sessions(const struct view *view, FILE *out)
{
    const size_t count = analyzer_session_count(view->analysis);
    const uint64_t most = view->options->verbose ? UINT64_MAX : TEXT_LIST_MAX;
    uint64_t wanted = 0;

    for (size_t i = 0; i < count && !ferror(out); i++) {
        const struct session_result *s = analyzer_session(view->analysis, i);

        if (!view_wants_session(view, s) || wanted++ >= most)
            continue;
        print_session(view, s, out);
        print_commands(view, s, out);
    }
    if (wanted > most)
        fprintf(out, "... and %s more (use -v)\n", units_count(wanted - most).text);
}

void text_events(const struct view *view, FILE *out)
{
    const size_t count = analyzer_event_count(view->analysis);
    const uint64_t only = view->options->only_flow;
    const uint64_t most = view->options->verbose ? UINT64_MAX : TEXT_LIST_MAX;
    uint64_t wanted = 0;

    for (size_t i = 0; i < count && !ferror(out); i++) {
        const struct event_result *e = analyzer_event(view->analysis, i);

        if ((only != 0 && e->flow_id != only) || wanted++ >= most)
            continue;
        text_paragraph(out, 0, 4, "Event at %s, frame %s, connection %s: %s",
                       units_duration(view_since_start(view, e->time_ns)).text,
                       units_count(e->frame).text, units_count(e->flow_id).text,
                       words_event_text(e).text);
    }
    if (wanted > most)
        fprintf(out, "... and %s more events (use -v)\n", units_count(wanted - most).text);
}
