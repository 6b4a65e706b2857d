#include "report/view.h"

#include <stdlib.h>

#include "report/mask.h"
#include "xmalloc.h"

/* A flow, and the place of the transfer or session that it belongs to. */
struct flow_owner {
    uint64_t flow_id;
    size_t index;
};

/* By flow, then by place: of two that claim the same flow the first in time is found. */
static int compare_owners(const void *left, const void *right)
{
    const struct flow_owner *a = left, *b = right;

    if (a->flow_id != b->flow_id)
        return a->flow_id < b->flow_id ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static const struct flow_owner *find_owner(const struct flow_owner *owners, size_t count,
                                           uint64_t flow_id)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (owners[middle].flow_id < flow_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && owners[low].flow_id == flow_id ? &owners[low] : NULL;
}

static void index_transfers(struct view *view)
{
    const size_t count = analyzer_transfer_count(view->analysis);

    view->transfer_owners = xcalloc(count + 1, sizeof *view->transfer_owners);
    for (size_t i = 0; i < count; i++) {
        const uint64_t flow_id = analyzer_transfer(view->analysis, i)->flow_id;

        if (flow_id != 0)
            view->transfer_owners[view->transfer_owner_count++] = (struct flow_owner){flow_id, i};
    }
    qsort(view->transfer_owners, view->transfer_owner_count, sizeof *view->transfer_owners,
          compare_owners);
}

static void index_sessions(struct view *view)
{
    const size_t count = analyzer_session_count(view->analysis);
    size_t flows = 0;

    for (size_t i = 0; i < count; i++)
        flows += analyzer_session(view->analysis, i)->flow_count + 1;
    view->session_owners = xcalloc(flows + 1, sizeof *view->session_owners);
    for (size_t i = 0; i < count; i++) {
        const struct session_result *s = analyzer_session(view->analysis, i);

        view->session_owners[view->session_owner_count++] =
            (struct flow_owner){s->control_flow_id, i};
        for (size_t j = 0; j < s->flow_count; j++)
            view->session_owners[view->session_owner_count++] =
                (struct flow_owner){s->flow_ids[j], i};
    }
    qsort(view->session_owners, view->session_owner_count, sizeof *view->session_owners,
          compare_owners);
}

void view_open(struct view *view, const struct report_input *input)
{
    const struct capture_info *capture = input->capture;

    *view = (struct view){.analysis = input->analysis,
                          .capture = capture,
                          .options = input->options,
                          .mask = input->options->mask ? mask_new() : NULL};
    view->origin_ns = capture->first_ns != NS_UNKNOWN ? capture->first_ns
                                                      : analyzer_counts(input->analysis)->first_ns;
    index_transfers(view);
    index_sessions(view);
}

void view_close(struct view *view)
{
    free(view->transfer_owners);
    free(view->session_owners);
    mask_free(view->mask);
}

int64_t view_since_start(const struct view *view, int64_t time_ns)
{
    int64_t since_ns;

    if (time_ns == NS_UNKNOWN || view->origin_ns == NS_UNKNOWN ||
        __builtin_sub_overflow(time_ns, view->origin_ns, &since_ns))
        return NS_UNKNOWN;
    return since_ns > 0 ? since_ns : 0;
}

const struct transfer_result *view_transfer_of_flow(const struct view *view, uint64_t flow_id)
{
    const struct flow_owner *owner =
        find_owner(view->transfer_owners, view->transfer_owner_count, flow_id);

    return owner != NULL ? analyzer_transfer(view->analysis, owner->index) : NULL;
}

const struct session_result *view_session_of_flow(const struct view *view, uint64_t flow_id)
{
    const struct flow_owner *owner =
        find_owner(view->session_owners, view->session_owner_count, flow_id);

    return owner != NULL ? analyzer_session(view->analysis, owner->index) : NULL;
}

const char *view_protocol_of_flow(const struct view *view, uint64_t flow_id)
{
    const struct session_result *session = view_session_of_flow(view, flow_id);
    const struct transfer_result *transfer;

    if (session != NULL)
        return session->protocol;
    transfer = view_transfer_of_flow(view, flow_id);
    return transfer != NULL ? transfer->protocol : NULL;
}
