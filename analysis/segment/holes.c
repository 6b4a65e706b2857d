#include "analysis/segment/holes.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

static void remove_at(struct holes *holes, uint32_t i)
{
    memmove(&holes->list[i], &holes->list[i + 1], (holes->count - i - 1) * sizeof *holes->list);
    holes->count--;
}

static void make_room(struct holes *holes)
{
    if (holes->count < holes->capacity)
        return;
    if (holes->capacity == HOLES_MAX) {
        uint64_t lost = holes->list[0].right - holes->list[0].left;
        holes->bytes -= lost;
        holes->given_up_bytes += lost;
        remove_at(holes, 0);
        return;
    }
    holes->capacity = holes->capacity == 0 ? 4 : holes->capacity * 2;
    holes->list = xreallocarray(holes->list, holes->capacity, sizeof *holes->list);
}

struct hole *holes_add(struct holes *holes, uint64_t left, uint64_t right)
{
    make_room(holes);
    struct hole *hole = &holes->list[holes->count++];
    memset(hole, 0, sizeof *hole);
    hole->left = left;
    hole->right = right;
    holes->bytes += right - left;
    return hole;
}

struct hole *holes_add_below(struct holes *holes, uint64_t left, uint64_t right)
{
    make_room(holes);
    memmove(&holes->list[1], &holes->list[0], holes->count * sizeof *holes->list);
    struct hole *hole = &holes->list[0];
    memset(hole, 0, sizeof *hole);
    hole->left = left;
    hole->right = right;
    holes->count++;
    holes->bytes += right - left;
    return hole;
}

/* Cut [left, right) out of hole i; returns the index to go on with. */
static uint32_t cut(struct holes *holes, uint32_t i, uint64_t left, uint64_t right)
{
    struct hole *hole = &holes->list[i];

    if (left <= hole->left && right >= hole->right) {
        remove_at(holes, i);
        return i;
    }
    if (left <= hole->left) {
        hole->left = right;
        return i + 1;
    }
    if (right >= hole->right) {
        hole->right = left;
        return i + 1;
    }
    struct hole upper = *hole;
    upper.left = right;
    hole->right = left;
    if (holes->count == HOLES_MAX) {
        holes->given_up_bytes += upper.right - upper.left;
        holes->bytes -= upper.right - upper.left;
        return i + 1;
    }
    make_room(holes);
    memmove(&holes->list[i + 2], &holes->list[i + 1],
            (holes->count - i - 1) * sizeof *holes->list);
    holes->list[i + 1] = upper;
    holes->count++;
    return i + 2;
}

uint64_t holes_fill(struct holes *holes, uint64_t left, uint64_t right, struct hole *first)
{
    uint64_t filled = 0;

    for (uint32_t i = 0; i < holes->count && holes->list[i].left < right;) {
        const struct hole *hole = &holes->list[i];
        if (hole->right <= left) {
            i++;
            continue;
        }
        if (filled == 0)
            *first = *hole;
        uint64_t from = left > hole->left ? left : hole->left;
        uint64_t to = right < hole->right ? right : hole->right;
        filled += to - from;
        holes->bytes -= to - from;
        i = cut(holes, i, from, to);
    }
    return filled;
}

uint64_t holes_bytes_below(const struct holes *holes, uint64_t offset)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < holes->count && holes->list[i].left < offset; i++) {
        uint64_t right = holes->list[i].right < offset ? holes->list[i].right : offset;
        bytes += right - holes->list[i].left;
    }
    return bytes;
}

void holes_free(struct holes *holes)
{
    free(holes->list);
    memset(holes, 0, sizeof *holes);
}
