/* -T json and -T jsonl: one walk over the results that holds one object at a time. */
#include "report/json.h"

#include <errno.h>
#include <stdlib.h>

#include "report/formats.h"
#include "report/json_value.h"
#include "xmalloc.h"

/* 15 digits say a time to the nanosecond below 11 days; ASCII keeps invisible and bidirectional
 * characters of names visible in any viewer. */
#define DUMP_FLAGS (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15))

/* Where objects go: elements of the document's arrays, or a line each. */
struct sink {
    FILE *out;
    bool lines;
    bool first; /* no element in this array yet */
};

/* Write one object and release it; false when writing failed. */
static bool sink_object(struct sink *sink, const char *type, json_t *object)
{
    if (!sink->lines) {
        fputs(sink->first ? "\n" : ",\n", sink->out);
        json_dumpf(object, sink->out, DUMP_FLAGS);
    } else {
        json_t *line = json_object();

        json_put_word(line, "type", type);
        json_object_update(line, object);
        json_dumpf(line, sink->out, DUMP_FLAGS);
        json_decref(line);
        fputc('\n', sink->out);
    }
    json_decref(object);
    sink->first = false;
    return !ferror(sink->out);
}

static void write_flows(const struct view *view, struct sink *sink)
{
    const uint64_t count = analyzer_flow_count(view->analysis);
    const uint64_t only = view->options->only_flow;
    struct flow_result *flow = xmalloc(sizeof *flow);
    bool going = true;

    for (uint64_t id = only != 0 ? only : 1; going && id <= (only != 0 ? only : count); id++) {
        if (id > count)
            break;
        if (analyzer_flow(view->analysis, id, flow) && view_wants_flow(view, flow))
            going = sink_object(sink, "flow", json_flow(view, flow));
    }
    free(flow);
}

static void write_sessions(const struct view *view, struct sink *sink)
{
    bool going = true;

    for (size_t i = 0; going && i < analyzer_session_count(view->analysis); i++) {
        const struct session_result *s = analyzer_session(view->analysis, i);

        if (view_wants_session(view, s))
            going = sink_object(sink, "session", json_session(view, s));
    }
}

static void write_transfers(const struct view *view, struct sink *sink)
{
    bool going = true;

    for (size_t i = 0; going && i < analyzer_transfer_count(view->analysis); i++) {
        const struct transfer_result *t = analyzer_transfer(view->analysis, i);

        if (view_wants_transfer(view, t))
            going = sink_object(sink, "transfer", json_transfer(view, t));
    }
}

static void write_events(const struct view *view, struct sink *sink)
{
    const uint64_t only = view->options->only_flow;
    bool going = view->options->events;

    for (size_t i = 0; going && i < analyzer_event_count(view->analysis); i++) {
        const struct event_result *e = analyzer_event(view->analysis, i);

        if (only == 0 || e->flow_id == only)
            going = sink_object(sink, "event", json_event(view, e));
    }
}

static const struct {
    const char *key;
    void (*write)(const struct view *view, struct sink *sink);
} lists[] = {
    {"flows", write_flows},
    {"sessions", write_sessions},
    {"transfers", write_transfers},
    {"events", write_events},
};

#define LIST_COUNT (sizeof lists / sizeof lists[0])

static void put_versions(const struct view *view, json_t *object)
{
    json_put_word(object, "schema", "tcpwhy.report");
    json_put_word(object, "schema_version", "1.0");
    json_put_word(object, "tool_version", view->capture->tool_version);
}

/* The members before the lists, without the braces around them: the document's own lists follow. */
static void write_head(const struct view *view, FILE *out)
{
    json_t *head = json_object();

    put_versions(view, head);
    json_put(head, "capture", json_capture(view));
    json_put(head, "health", json_health(view));
    json_dumpf(head, out, DUMP_FLAGS | JSON_EMBED);
    json_decref(head);
}

static int write_document(const struct report_input *input, FILE *out)
{
    struct sink sink = {.out = out};
    struct view view;

    view_open(&view, input);
    fputc('{', out);
    write_head(&view, out);
    for (size_t i = 0; i < LIST_COUNT && !ferror(out); i++) {
        fprintf(out, ",\n\"%s\":[", lists[i].key);
        sink.first = true;
        lists[i].write(&view, &sink);
        fputc(']', out);
    }
    fputs("}\n", out);
    view_close(&view);
    return report_end(out);
}

static int write_lines(const struct report_input *input, FILE *out)
{
    struct sink sink = {.out = out, .lines = true};
    struct view view;
    json_t *capture = json_object(), *known;

    view_open(&view, input);
    put_versions(&view, capture);
    known = json_capture(&view);
    json_object_update(capture, known);
    json_decref(known);
    if (sink_object(&sink, "capture", capture) &&
        sink_object(&sink, "health", json_health(&view)))
        for (size_t i = 0; i < LIST_COUNT && !ferror(out); i++)
            lists[i].write(&view, &sink);
    view_close(&view);
    return report_end(out);
}

const struct report_format report_json = {
    "json", "one JSON document, as its JSON Schema says", write_document};
const struct report_format report_jsonl = {
    "jsonl", "the same objects, one a line, each with its type", write_lines};
