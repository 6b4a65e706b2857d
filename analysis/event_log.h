/* Events of an analysis, oldest first, bounded: past the bound later ones are counted only. */
#ifndef TCPWHY_ANALYSIS_EVENT_LOG_H
#define TCPWHY_ANALYSIS_EVENT_LOG_H

#include "analysis/result.h"

#define EVENTS_MAX 100000u

struct event_log {
    struct event_result *list;
    size_t count, capacity;
    uint64_t dropped;
};

void event_log_add(struct event_log *log, const struct event_result *event);

#endif
