#include "analysis/connection/reaper.h"

#include <stddef.h>

#include "analysis/flow/flow.h"

/* Take the oldest entry out; NULL when its record has gone to another flow, or when the flow has
 * come back to life. */
static struct flow *take(struct reaper *reaper)
{
    struct reaper_entry *entry = &reaper->ring[reaper->head];

    reaper->head = (reaper->head + 1) % REAPER_MAX;
    reaper->count--;
    if (entry->flow->id != entry->id || (entry->flow->marks & FLOW_CLOSING) == 0)
        return NULL;
    return entry->flow;
}

struct flow *reaper_add(struct reaper *reaper, struct flow *flow, int64_t now_ns)
{
    struct flow *out = reaper->count == REAPER_MAX ? take(reaper) : NULL;
    struct reaper_entry *entry = &reaper->ring[(reaper->head + reaper->count) % REAPER_MAX];

    entry->flow = flow;
    entry->id = flow->id;
    entry->due_ns = now_ns + REAPER_GRACE_NS;
    reaper->count++;
    return out;
}

struct flow *reaper_due(struct reaper *reaper, int64_t now_ns)
{
    while (reaper->count > 0 && reaper->ring[reaper->head].due_ns <= now_ns) {
        struct flow *flow = take(reaper);
        if (flow != NULL)
            return flow;
    }
    return NULL;
}
