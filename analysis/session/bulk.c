#include "analysis/session/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

void bulk_add(struct bulk_list *list, uint64_t id, uint64_t bytes)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        list->flows = xreallocarray(list->flows, list->capacity, sizeof *list->flows);
    }
    list->flows[list->count++] = (struct bulk_flow){id, bytes};
}

static int larger_first(const void *a, const void *b)
{
    const struct bulk_flow *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_id(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

size_t bulk_choose(struct bulk_list *list)
{
    size_t count = list->count;

    if (count == 0)
        return 0;
    if (count > BULK_LISTED_MAX) {
        qsort(list->flows, count, sizeof *list->flows, larger_first);
        list->left_out = count - BULK_LISTED_MAX;
        count = BULK_LISTED_MAX;
    }
    list->ids = xcalloc(count, sizeof *list->ids);
    for (size_t i = 0; i < count; i++)
        list->ids[i] = list->flows[i].id;
    qsort(list->ids, count, sizeof *list->ids, by_id);
    return count;
}

void bulk_free(struct bulk_list *list)
{
    free(list->flows);
    free(list->ids);
    memset(list, 0, sizeof *list);
}
