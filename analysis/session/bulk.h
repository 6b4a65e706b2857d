/* Which flows with bulk data become transfers of their own: all, or the largest when there are
 * more than a report can judge. */
#ifndef TCPWHY_ANALYSIS_BULK_H
#define TCPWHY_ANALYSIS_BULK_H

#include <stddef.h>
#include <stdint.h>

/* Bound on bulk transfers listed and judged; the others are counted. */
#define BULK_LISTED_MAX 5000u

struct bulk_flow {
    uint64_t id, bytes;
};

struct bulk_list {
    struct bulk_flow *flows;
    size_t count, capacity;
    uint64_t *ids; /* chosen, in order of id */
    uint64_t left_out;
};

void bulk_add(struct bulk_list *list, uint64_t id, uint64_t bytes);
/* Choose; returns the number of ids. */
size_t bulk_choose(struct bulk_list *list);
void bulk_free(struct bulk_list *list);

#endif
