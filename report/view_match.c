/* --flow and --match: which flows, transfers and sessions a report is about. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/view.h"
#include "xmalloc.h"

#define HAYSTACK_MAX (TRANSFER_NAME_MAX + 512)

bool view_wants_all(const struct view *view)
{
    return view->options->only_flow == 0 && view->options->match == NULL;
}

/* True when word (length bytes) is somewhere in text, whatever the case of ASCII letters. */
static bool contains(const char *text, const char *word, size_t length)
{
    for (; *text != '\0'; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

/* True when text contains each word of --match. */
static bool matches(const struct view *view, const char *text)
{
    const char *word = view->options->match;

    if (word == NULL)
        return true;
    while (*(word += strspn(word, " \t")) != '\0') {
        const size_t length = strcspn(word, " \t");

        if (!contains(text, word, length))
            return false;
        word += length;
    }
    return true;
}

/* Append a word and a blank; what does not fit is left out. */
static void append(char *text, const char *word)
{
    const size_t used = strlen(text);

    if (word != NULL)
        snprintf(text + used, HAYSTACK_MAX - used, "%s ", word);
}

/* Address with and without port, as they are shown: a masked address is found by its mask. */
static void append_endpoint(const struct view *view, char *text, const struct endpoint *end)
{
    char address[ADDRESS_TEXT_MAX], port[8];

    view_address(view, &end->addr, address);
    snprintf(port, sizeof port, "%u", (unsigned int)end->port);
    append(text, address);
    append(text, port);
}

static void append_transfer(const struct view *view, char *text, const struct transfer_result *t)
{
    char *name = view_file_name(view, t->name);

    append(text, t->protocol);
    append(text, t->verb);
    append(text, t->verdict.cause);
    append(text, name);
    free(name);
}

static void append_flow_of(const struct view *view, char *text, const struct transfer_result *t)
{
    const uint64_t id = t->flow_id != 0 ? t->flow_id : t->control_flow_id;
    struct flow_result *flow;

    if (id == 0 || id > analyzer_flow_count(view->analysis))
        return;
    flow = xmalloc(sizeof *flow);
    analyzer_flow(view->analysis, id, flow);
    append_endpoint(view, text, &flow->client);
    append_endpoint(view, text, &flow->server);
    free(flow);
}

bool view_wants_transfer(const struct view *view, const struct transfer_result *t)
{
    const uint64_t only = view->options->only_flow;
    char text[HAYSTACK_MAX] = "";

    if (only != 0 && t->flow_id != only && t->control_flow_id != only)
        return false;
    if (view->options->match == NULL)
        return true;
    append_transfer(view, text, t);
    append_flow_of(view, text, t);
    return matches(view, text);
}

bool view_wants_flow(const struct view *view, const struct flow_result *f)
{
    const struct transfer_result *t;
    char text[HAYSTACK_MAX] = "";

    if (view->options->only_flow != 0 && f->id != view->options->only_flow)
        return false;
    if (view->options->match == NULL)
        return true;
    t = view_transfer_of_flow(view, f->id);
    append(text, view_protocol_of_flow(view, f->id));
    append_endpoint(view, text, &f->client);
    append_endpoint(view, text, &f->server);
    if (t != NULL)
        append_transfer(view, text, t);
    return matches(view, text);
}

bool view_wants_session(const struct view *view, const struct session_result *s)
{
    const uint64_t only = view->options->only_flow;
    char text[HAYSTACK_MAX] = "";
    char *user;

    if (only != 0 && s->control_flow_id != only && view_session_of_flow(view, only) != s)
        return false;
    if (view->options->match == NULL)
        return true;
    user = view_user_name(view, s->user);
    append(text, s->protocol);
    append(text, user);
    append_endpoint(view, text, &s->client);
    append_endpoint(view, text, &s->server);
    free(user);
    for (size_t i = 0; i < s->transfer_count; i++)
        if (s->transfer_ids[i] >= 1 &&
            s->transfer_ids[i] <= analyzer_transfer_count(view->analysis) &&
            view_wants_transfer(view, analyzer_transfer(view->analysis, s->transfer_ids[i] - 1)))
            return true;
    return matches(view, text);
}
