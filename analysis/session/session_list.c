#include "analysis/session/session_list.h"

#include <stdlib.h>

#include "analysis/session/transfer.h"
#include "xmalloc.h"

struct transfer_result *session_list_add_transfer(struct session_list *list)
{
    struct transfer_result *transfer = xmalloc(sizeof *transfer);

    if (list->transfer_count == list->transfer_capacity) {
        list->transfer_capacity = list->transfer_capacity ? list->transfer_capacity * 2 : 16;
        list->transfers = xreallocarray(list->transfers, list->transfer_capacity,
                                        sizeof(struct transfer_result *));
    }
    list->transfers[list->transfer_count++] = transfer;
    return transfer;
}

void session_list_own(struct session_list *list, uint64_t flow_id, uint64_t session_id)
{
    if (list->owner_count == list->owner_capacity) {
        list->owner_capacity = list->owner_capacity ? list->owner_capacity * 2 : 16;
        list->owners = xreallocarray(list->owners, list->owner_capacity, sizeof *list->owners);
    }
    list->owners[list->owner_count++] = (struct flow_owner){flow_id, session_id};
}

struct session_result *session_list_add_session(struct session_list *list, uint64_t flow_id)
{
    if (list->session_count == list->session_capacity) {
        list->session_capacity = list->session_capacity ? list->session_capacity * 2 : 16;
        list->sessions =
            xreallocarray(list->sessions, list->session_capacity, sizeof *list->sessions);
    }
    struct session_result *session = &list->sessions[list->session_count++];
    *session = (struct session_result){.id = list->session_count, .control_flow_id = flow_id};
    session_list_own(list, flow_id, session->id);
    return session;
}

static int compare_owners(const void *a, const void *b)
{
    const struct flow_owner *x = a, *y = b;

    if (x->flow_id != y->flow_id)
        return x->flow_id < y->flow_id ? -1 : 1;
    return (x->session_id > y->session_id) - (x->session_id < y->session_id);
}

static int compare_sessions(const void *a, const void *b)
{
    const struct flow_owner *x = a, *y = b;

    if (x->session_id != y->session_id)
        return x->session_id < y->session_id ? -1 : 1;
    return (x->flow_id > y->flow_id) - (x->flow_id < y->flow_id);
}

static void sort_owners(struct session_list *list, int (*compare)(const void *, const void *))
{
    if (list->owner_count > 0)
        qsort(list->owners, list->owner_count, sizeof *list->owners, compare);
}

void session_list_build(struct session_list *list, struct dialogue *const *dialogues,
                        size_t count, const struct flow_source *flows)
{
    for (size_t i = 0; i < count; i++)
        dialogues[i]->dialect->list(dialogues[i], list, flows);
    sort_owners(list, compare_owners);
}

uint64_t session_list_owner(const struct session_list *list, uint64_t flow_id)
{
    size_t low = 0, high = list->owner_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list->owners[middle].flow_id < flow_id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == list->owner_count || list->owners[low].flow_id != flow_id)
        return 0;
    return list->owners[low].session_id;
}

static int compare_transfers(const void *a, const void *b)
{
    const struct transfer_result *x = *(struct transfer_result *const *)a;
    const struct transfer_result *y = *(struct transfer_result *const *)b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->flow_id != y->flow_id)
        return x->flow_id < y->flow_id ? -1 : 1;
    return (x->session_id > y->session_id) - (x->session_id < y->session_id);
}

/* Transfers are in order of start; each session's get a run of ids, in that order too. */
static void fill_transfer_ids(struct session_list *list, uint64_t *ids)
{
    uint64_t **at = xcalloc(list->session_count + 1, sizeof(uint64_t *));

    for (size_t i = 0; i < list->transfer_count; i++) {
        if (list->transfers[i]->session_id != 0)
            list->sessions[list->transfers[i]->session_id - 1].transfer_count++;
    }
    for (size_t i = 0; i < list->session_count; i++) {
        list->sessions[i].transfer_ids = at[i] = ids;
        ids += list->sessions[i].transfer_count;
    }
    for (size_t i = 0; i < list->transfer_count; i++) {
        if (list->transfers[i]->session_id != 0)
            *at[list->transfers[i]->session_id - 1]++ = list->transfers[i]->id;
    }
    free(at);
}

/* Give each session its flows, in order of id, and its transfers. */
static void fill_ids(struct session_list *list)
{
    uint64_t *next = xcalloc(list->owner_count + list->transfer_count + 1, sizeof *next);
    size_t flow = 0;

    list->ids = next;
    sort_owners(list, compare_sessions);
    for (size_t i = 0; i < list->session_count; i++) {
        struct session_result *s = &list->sessions[i];

        s->flow_ids = next;
        for (; flow < list->owner_count && list->owners[flow].session_id == s->id; flow++)
            *next++ = list->owners[flow].flow_id;
        s->flow_count = (size_t)(next - s->flow_ids);
    }
    sort_owners(list, compare_owners);
    fill_transfer_ids(list, next);
}

void session_list_finish(struct session_list *list, const uint64_t *bulk_flow_ids,
                         size_t bulk_count, const struct flow_source *flows)
{
    struct flow_result flow;

    for (size_t i = 0; i < bulk_count; i++) {
        if (session_list_owner(list, bulk_flow_ids[i]) != 0)
            continue;
        if (list->transfer_count >= SESSION_LIST_TRANSFERS_MAX) {
            list->dropped++;
            continue;
        }
        flows->lookup(flows->context, bulk_flow_ids[i], &flow);
        transfer_from_bulk(&flow, session_list_add_transfer(list));
    }
    if (list->transfer_count > 0)
        qsort(list->transfers, list->transfer_count, sizeof(struct transfer_result *),
              compare_transfers);
    for (size_t i = 0; i < list->transfer_count; i++)
        list->transfers[i]->id = i + 1;
    fill_ids(list);
}

void session_list_free(struct session_list *list)
{
    for (size_t i = 0; i < list->transfer_count; i++)
        free(list->transfers[i]);
    free(list->transfers);
    free(list->ids);
    free(list->sessions);
    free(list->owners);
}
