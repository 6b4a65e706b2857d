#include "analysis/segment/sent_log.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

#define FIRST_CAPACITY 16u

static void grow(struct sent_log *log)
{
    uint32_t capacity = log->capacity == 0 ? FIRST_CAPACITY : log->capacity * 2;
    struct sent *ring = xcalloc(capacity, sizeof *ring);

    for (uint32_t i = 0; i < log->count; i++)
        ring[i] = *sent_log_at(log, i);
    free(log->ring);
    log->ring = ring;
    log->capacity = capacity;
    log->head = 0;
}

void sent_log_make_room(struct sent_log *log)
{
    if (log->capacity < SENT_LOG_MAX) {
        grow(log);
        return;
    }
    log->head = (log->head + 1) & (log->capacity - 1);
    log->count--;
}

/* Number of entries whose right edge is at or below offset. */
static uint32_t entries_below(const struct sent_log *log, uint64_t offset)
{
    uint32_t low = 0, high = log->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sent_log_at(log, middle)->right <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct sent *sent_log_insert(struct sent_log *log, uint64_t left, uint64_t right)
{
    if (log->count == log->capacity)
        sent_log_make_room(log);
    uint32_t place = entries_below(log, left);
    for (uint32_t i = log->count; i > place; i--)
        *sent_log_at(log, i) = *sent_log_at(log, i - 1);
    log->count++;
    struct sent *entry = sent_log_at(log, place);
    memset(entry, 0, sizeof *entry);
    entry->left = left;
    entry->right = right;
    return entry;
}

bool sent_log_acknowledge(struct sent_log *log, uint64_t ack, struct sent *newest, bool *resent)
{
    const struct sent *entry = sent_log_drop(log, ack, resent);

    if (entry != NULL)
        *newest = *entry;
    return entry != NULL;
}

struct sent *sent_log_find(const struct sent_log *log, uint64_t left, uint64_t right)
{
    uint32_t place = entries_below(log, left);

    if (place == log->count || sent_log_at(log, place)->left >= right)
        return NULL;
    return sent_log_at(log, place);
}

struct sent *sent_log_next(const struct sent_log *log, const struct sent *entry)
{
    uint32_t place = ((uint32_t)(entry - log->ring) - log->head) & (log->capacity - 1);

    return place + 1 < log->count ? sent_log_at(log, place + 1) : NULL;
}

uint64_t sent_log_sack(struct sent_log *log, uint64_t left, uint64_t right)
{
    uint64_t marked = 0;

    for (uint32_t i = entries_below(log, left); i < log->count; i++) {
        struct sent *entry = sent_log_at(log, i);
        if (entry->left >= right)
            break;
        if (entry->left >= left && entry->right <= right && (entry->marks & SENT_SACKED) == 0) {
            entry->marks |= SENT_SACKED;
            marked += entry->right - entry->left;
        }
    }
    return marked;
}

void sent_log_free(struct sent_log *log)
{
    free(log->ring);
    memset(log, 0, sizeof *log);
}

size_t sent_log_memory(const struct sent_log *log)
{
    return log->capacity * sizeof *log->ring;
}
