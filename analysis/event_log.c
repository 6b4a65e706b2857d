#include "analysis/event_log.h"

#include <stdlib.h>

#include "xmalloc.h"

void event_log_add(struct event_log *log, const struct event_result *event)
{
    if (log->count == EVENTS_MAX) {
        log->dropped++;
        return;
    }
    if (log->count == log->capacity) {
        log->capacity = log->capacity == 0 ? 256 : log->capacity * 2;
        log->list = xreallocarray(log->list, log->capacity, sizeof *log->list);
    }
    log->list[log->count++] = *event;
}
