#include "analysis/session/session_list.h"

#include <stdlib.h>

#include "analysis/session/session.h"
#include "analysis/session/transfer.h"
#include "xmalloc.h"

static struct transfer_result *add_transfer(struct session_list *list)
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

static void add_owner(struct session_list *list, uint64_t flow_id, uint64_t session_id)
{
    if (list->owner_count == list->owner_capacity) {
        list->owner_capacity = list->owner_capacity ? list->owner_capacity * 2 : 16;
        list->owners = xreallocarray(list->owners, list->owner_capacity, sizeof *list->owners);
    }
    list->owners[list->owner_count++] = (struct flow_owner){flow_id, session_id};
}

/* A data connection without a command counts as a transfer only when it carried something. */
static bool is_transfer(const struct ftp_transfer *ftp, const struct flow_result *flow)
{
    return ftp->verb || (flow && flow->dir[C2S].bytes + flow->dir[S2C].bytes > 0);
}

static void add_ftp(struct session_list *list, const struct ftp_dialogue *d, uint64_t session_id,
                    const struct ftp_transfer *ftp, const struct flow_source *flows)
{
    struct flow_result flow;
    bool seen = ftp->wish.flow_id != 0;
    struct transfer_result *transfer;

    if (seen) {
        flows->lookup(flows->context, ftp->wish.flow_id, &flow);
        add_owner(list, ftp->wish.flow_id, session_id);
    }
    if (!is_transfer(ftp, seen ? &flow : NULL))
        return;
    transfer = add_transfer(list);
    transfer_from_ftp(d, ftp, seen ? &flow : NULL, transfer);
    transfer->session_id = session_id;
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

void session_list_build(struct session_list *list, struct ftp_dialogue *const *dialogues,
                        size_t count, const struct flow_source *flows)
{
    list->sessions = xcalloc(count + 1, sizeof *list->sessions);
    for (size_t i = 0; i < count; i++) {
        const struct ftp_dialogue *d = dialogues[i];
        struct flow_result control;

        flows->lookup(flows->context, d->flow_id, &control);
        session_from_ftp(d, &control, &list->sessions[i]);
        list->sessions[i].id = i + 1;
        add_owner(list, d->flow_id, i + 1);
        for (size_t k = 0; k < d->transfer_count; k++)
            add_ftp(list, d, i + 1, d->transfers[k], flows);
    }
    list->session_count = count;
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
        transfer_from_bulk(&flow, add_transfer(list));
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
