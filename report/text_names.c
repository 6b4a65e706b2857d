/* What a transfer, its ends and its phases are called in the text report. */
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/units.h"
#include "xmalloc.h"

#define NAME_COLUMNS 200 /* a name may have 1,024 bytes, escaped four times as many */

/* Commands of RFC 959 and RFC 3659 in the words of people. */
static const char *plain_verb(const char *verb)
{
    static const struct {
        const char *verb, *words;
    } verbs[] = {
        {"RETR", "get"}, {"STOR", "put"},  {"APPE", "append"}, {"STOU", "put"},
        {"LIST", "list"}, {"NLST", "list"}, {"MLSD", "list"},
    };

    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(verbs[i].verb, verb) == 0)
            return verbs[i].words;
    return verb;
}

static const char *plain_protocol(const char *protocol)
{
    static const struct {
        const char *protocol, *words;
    } protocols[] = {{"ftp", "FTP"}, {"ftps", "FTPS"}, {"rcp", "rcp"}, {"ams", "AMS"}};

    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++)
        if (strcmp(protocols[i].protocol, protocol) == 0)
            return protocols[i].words;
    return protocol;
}

char *text_transfer_title(const struct view *view, const struct transfer_result *t)
{
    char *name, *escaped, *verb, *title;

    if (t->verb == NULL)
        return xasprintf("%s data", plain_protocol(t->protocol));
    name = view_file_name(view, t->name);
    escaped = escape_text(name);
    verb = escape_text(plain_verb(t->verb));
    text_shorten(escaped, NAME_COLUMNS);
    title = xasprintf("%s %s%s%s", plain_protocol(t->protocol), verb,
                      escaped[0] != '\0' ? " " : "", escaped);
    free(name);
    free(escaped);
    free(verb);
    return title;
}

char *text_endpoint(const struct view *view, const struct endpoint *end)
{
    char address[ADDRESS_TEXT_MAX];

    view_address(view, &end->addr, address);
    return xasprintf(strchr(address, ':') != NULL ? "[%s]:%u" : "%s:%u", address,
                     (unsigned int)end->port);
}

bool text_data_flow(const struct view *view, const struct transfer_result *t,
                    struct flow_result *flow)
{
    if (t->flow_id == 0 || t->flow_id > analyzer_flow_count(view->analysis))
        return false;
    analyzer_flow(view->analysis, t->flow_id, flow);
    return true;
}

/* FTP data ports say nothing to a reader; for other flows the port is the name. */
static char *end_name(const struct view *view, const struct transfer_result *t,
                      const struct endpoint *end)
{
    char address[ADDRESS_TEXT_MAX];

    if (t->verb == NULL)
        return text_endpoint(view, end);
    view_address(view, &end->addr, address);
    return xstrdup(address);
}

/* Client and server of the data flow; without it those of the control connection, and the
 * direction by the verb's meaning is in t->direction all the same. */
char *text_transfer_ends(const struct view *view, const struct transfer_result *t)
{
    struct flow_result *flow = xmalloc(sizeof *flow);
    char *client, *server, *ends = NULL;
    bool known = text_data_flow(view, t, flow);

    if (!known && t->control_flow_id >= 1 &&
        t->control_flow_id <= analyzer_flow_count(view->analysis)) {
        analyzer_flow(view->analysis, t->control_flow_id, flow);
        known = true;
    }
    if (known) {
        client = end_name(view, t, &flow->client);
        server = end_name(view, t, &flow->server);
        ends = xasprintf("%s > %s", t->direction == C2S ? client : server,
                         t->direction == C2S ? server : client);
        free(client);
        free(server);
    }
    free(flow);
    return ends != NULL ? ends : xstrdup("ends not known");
}

char *text_transfer_bytes(const struct transfer_result *t)
{
    const bool more = t->expected_bytes != BYTES_UNKNOWN && t->expected_bytes > t->bytes &&
                      !(t->complete_known && t->complete);

    if (more)
        return xasprintf("%s of %s", units_count(t->bytes).text,
                         units_bytes(t->expected_bytes).text);
    return xstrdup(units_bytes(t->bytes).text);
}

const char *text_phase(enum phase_kind kind)
{
    static const char *const words[PHASE_KINDS] = {
        [PHASE_NAME_LOOKUP] = "name look-up",
        [PHASE_CONNECT] = "connect",
        [PHASE_GREETING] = "greeting",
        [PHASE_LOGIN] = "login",
        [PHASE_COMMAND] = "command",
        [PHASE_DATA_CONNECT] = "data connection",
        [PHASE_OPEN] = "until the first byte",
        [PHASE_SLOW_START] = "slow start",
        [PHASE_BULK] = "bulk",
        [PHASE_TAIL] = "last packets",
        [PHASE_CLOSE] = "close",
        [PHASE_ABORT] = "abort",
    };

    return words[kind];
}
