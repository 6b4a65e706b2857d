#include "analysis/session/command_log.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

static char *masked(const char *line)
{
    size_t verb = strspn(line, " ");

    verb += strcspn(line + verb, " ");
    return xasprintf("%.*s ****", (int)verb, line);
}

void command_log_add(struct command_log *log, struct command_budget *budget, const char *line,
                     bool from_server, bool secret, const struct moment *when)
{
    uint64_t bytes = strlen(line) + sizeof(struct command_result);

    if (!budget->keep)
        return;
    if (log->count == COMMAND_LOG_LINES_MAX || budget->bytes + bytes > COMMAND_LOG_BYTES_MAX) {
        budget->dropped++;
        return;
    }
    budget->bytes += bytes;
    if (log->count == log->capacity) {
        log->capacity = log->capacity ? log->capacity * 2 : 16;
        log->lines = xreallocarray(log->lines, log->capacity, sizeof *log->lines);
        log->texts = xreallocarray(log->texts, log->capacity, sizeof(char *));
    }
    log->texts[log->count] =
        secret && !budget->show_passwords ? masked(line) : xstrdup(line);
    log->lines[log->count] = (struct command_result){
        .time_ns = when->time_ns,
        .frame = when->frame,
        .from_server = from_server,
        .text = log->texts[log->count],
    };
    log->count++;
}

void command_log_free(struct command_log *log)
{
    for (size_t i = 0; i < log->count; i++)
        free(log->texts[i]);
    free(log->texts);
    free(log->lines);
    *log = (struct command_log){0};
}
