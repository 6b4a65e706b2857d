/* Phases in time order: each begins where the one before it ended. */
#ifndef TCPWHY_ANALYSIS_PHASES_H
#define TCPWHY_ANALYSIS_PHASES_H

#include "analysis/moment.h"

struct phase_list {
    struct phase *phases; /* TRANSFER_PHASES_MAX of them */
    int count;
    int64_t at_ns; /* end of the last phase; NS_UNKNOWN = not begun */
};

/* A phase that lasts until until_ns; none when that is unknown or not later than the last. */
static inline void phase_until(struct phase_list *list, enum phase_kind kind, int64_t until_ns)
{
    int64_t span = span_ns(list->at_ns, until_ns);

    if (span == NS_UNKNOWN || span == 0 || list->count == TRANSFER_PHASES_MAX)
        return;
    list->phases[list->count++] = (struct phase){kind, list->at_ns, span};
    list->at_ns = until_ns;
}

#endif
