#include "report/mask.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

#define FIRST_SLOTS 64

struct masked {
    uint64_t hash, number; /* number 0 = free slot */
    enum mask_kind kind;
    size_t size;
    unsigned char *bytes; /* owned */
};

struct mask {
    struct masked *slots; /* open addressing, at most half full */
    size_t slot_count;    /* a power of two */
    size_t used;
    uint64_t last[MASK_KINDS];
};

struct mask *mask_new(void)
{
    struct mask *mask = xcalloc(1, sizeof *mask);

    mask->slot_count = FIRST_SLOTS;
    mask->slots = xcalloc(mask->slot_count, sizeof *mask->slots);
    return mask;
}

void mask_free(struct mask *mask)
{
    if (mask == NULL)
        return;
    for (size_t i = 0; i < mask->slot_count; i++)
        free(mask->slots[i].bytes);
    free(mask->slots);
    free(mask);
}

/* FNV-1a with a final mix: each thing is looked up in the order of the report, which no capture
 * can turn into more than the cost of the report itself being slow. */
static uint64_t hash_bytes(enum mask_kind kind, const unsigned char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)kind;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

static bool is_same(const struct masked *m, uint64_t hash, enum mask_kind kind, const void *bytes,
                    size_t size)
{
    return m->hash == hash && m->kind == kind && m->size == size &&
           memcmp(m->bytes, bytes, size) == 0;
}

static struct masked *free_slot(struct mask *mask, uint64_t hash)
{
    size_t i = hash & (mask->slot_count - 1);

    while (mask->slots[i].number != 0)
        i = (i + 1) & (mask->slot_count - 1);
    return &mask->slots[i];
}

static void grow(struct mask *mask)
{
    struct masked *old = mask->slots;
    const size_t old_count = mask->slot_count;

    mask->slot_count *= 2;
    mask->slots = xcalloc(mask->slot_count, sizeof *mask->slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i].number != 0)
            *free_slot(mask, old[i].hash) = old[i];
    free(old);
}

uint64_t mask_number(struct mask *mask, enum mask_kind kind, const void *bytes, size_t size)
{
    const uint64_t hash = hash_bytes(kind, bytes, size);
    struct masked *slot;

    for (size_t i = hash & (mask->slot_count - 1); mask->slots[i].number != 0;
         i = (i + 1) & (mask->slot_count - 1))
        if (is_same(&mask->slots[i], hash, kind, bytes, size))
            return mask->slots[i].number;
    if (2 * (mask->used + 1) > mask->slot_count)
        grow(mask);
    mask->used++;
    slot = free_slot(mask, hash);
    *slot = (struct masked){.hash = hash, .number = ++mask->last[kind], .kind = kind, .size = size};
    slot->bytes = xmalloc(size + 1); /* size may be 0 */
    memcpy(slot->bytes, bytes, size);
    return slot->number;
}
