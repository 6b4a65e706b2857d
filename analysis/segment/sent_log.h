/* What a sender has outstanding: one entry a segment, in order of offset (the scoreboard of
 * RFC 6675, with what is needed to tell resends and round trips apart). */
#ifndef TCPWHY_ANALYSIS_SENT_LOG_H
#define TCPWHY_ANALYSIS_SENT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bound on entries of one direction: 96 MB in flight at an MSS of 1460.  Past it the oldest entry
 * is forgotten, which costs an RTT sample, not a count. */
#define SENT_LOG_MAX 65536u

enum sent_mark {
    SENT_SACKED = 1,
    SENT_RESENT = 2,  /* sent more than once: no RTT sample (Karn) */
    SENT_FILLED = 4,  /* first copy seen was a resend of a loss upstream */
};

struct sent {
    uint64_t left, right;
    int64_t time_ns;   /* of the last transmission, at the tap */
    uint32_t ts_val;   /* of the last transmission */
    uint32_t first_ts_val;
    uint32_t near_us;  /* time from its ACK passing the tap to this passing: near leg when sent */
    uint16_t ip_id;    /* of the last transmission */
    uint8_t marks;     /* sent_mark */
    uint8_t resends;
};

struct sent_log {
    struct sent *ring;
    uint32_t capacity; /* power of two, 0 = nothing allocated */
    uint32_t head, count;
};

static inline struct sent *sent_log_at(const struct sent_log *log, uint32_t i)
{
    return &log->ring[(log->head + i) & (log->capacity - 1)];
}

/* Room for one more entry: the ring grows, at its bound the oldest entry goes. */
void sent_log_make_room(struct sent_log *log);

/* Append a segment that starts at or above all others; returns its entry to be filled in. */
static inline __attribute__((always_inline)) struct sent *
sent_log_push(struct sent_log *log, uint64_t left, uint64_t right)
{
    if (log->count == log->capacity)
        sent_log_make_room(log);
    struct sent *entry = sent_log_at(log, log->count++);
    entry->left = left;
    entry->right = right;
    entry->marks = 0;
    entry->resends = 0;
    return entry;
}

/* Insert at its place: a range below the edge that was not seen before. */
struct sent *sent_log_insert(struct sent_log *log, uint64_t left, uint64_t right);
/* Drop what is acknowledged.  Returns the entry that holds the byte before ack, NULL = none; it is
 * good until the next push.  *resent says whether any dropped entry was sent twice. */
static inline __attribute__((always_inline)) const struct sent *
sent_log_drop(struct sent_log *log, uint64_t ack, bool *resent)
{
    struct sent *last = NULL;

    *resent = false;
    while (log->count > 0) {
        struct sent *first = sent_log_at(log, 0);
        if (first->left >= ack)
            break;
        last = first;
        *resent |= (first->marks & (SENT_RESENT | SENT_FILLED)) != 0;
        if (first->right > ack) {
            first->left = ack; /* a part of a super-segment */
            break;
        }
        log->head = (log->head + 1) & (log->capacity - 1);
        log->count--;
    }
    return last != NULL && last->right >= ack ? last : NULL;
}

/* The same with a copy of the entry in *newest; returns true when there is one. */
bool sent_log_acknowledge(struct sent_log *log, uint64_t ack, struct sent *newest, bool *resent);
/* First entry that overlaps [left, right), NULL = none. */
struct sent *sent_log_find(const struct sent_log *log, uint64_t left, uint64_t right);
/* Entry after one of the log, NULL at the end. */
struct sent *sent_log_next(const struct sent_log *log, const struct sent *entry);
/* Mark as SACKed; returns the bytes newly marked. */
uint64_t sent_log_sack(struct sent_log *log, uint64_t left, uint64_t right);
void sent_log_free(struct sent_log *log);
size_t sent_log_memory(const struct sent_log *log);

#endif
