/* Ranges below a direction's edge that the capture has not seen (yet). */
#ifndef TCPWHY_ANALYSIS_HOLES_H
#define TCPWHY_ANALYSIS_HOLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bound on open holes of one direction; past it the lowest is given up as a capture gap. */
#define HOLES_MAX 512u

struct hole {
    uint64_t left, right;
    int64_t time_ns;        /* when its successor passed */
    uint32_t successor_ts_val;
    uint16_t successor_ip_id;
    bool acknowledged;      /* the peer had it before it was seen */
};

struct holes {
    struct hole *list; /* sorted, apart */
    uint32_t count, capacity;
    uint64_t bytes;      /* in all open holes */
    uint64_t given_up_bytes;
};

/* A new hole at the top.  Owned by holes until holes_free. */
struct hole *holes_add(struct holes *holes, uint64_t left, uint64_t right);
/* A new hole below all others: data from before the first byte seen. */
struct hole *holes_add_below(struct holes *holes, uint64_t left, uint64_t right);
/* Take [left, right) out of the holes.  Returns the bytes that were open; *first receives a copy
 * of the first hole touched. */
uint64_t holes_fill(struct holes *holes, uint64_t left, uint64_t right, struct hole *first);
/* Bytes of open holes below offset. */
uint64_t holes_bytes_below(const struct holes *holes, uint64_t offset);
void holes_free(struct holes *holes);

#endif
