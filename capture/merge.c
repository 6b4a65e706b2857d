#include "capture/merge.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

#define QUEUE 64

struct lane {
    struct inorder *inorder;
    int number;
    bool ended;
    int head, count; /* queue[head .. count) is waiting */
    struct packet queue[QUEUE];
};

/* Lanes with a packet waiting stand in order[0..ready), soonest first; with rotated files, which
 * do not overlap, the first lane stays in front and insertion costs nothing. */
struct merge {
    struct lane *lanes;
    int lane_count;
    struct lane **order;
    int ready;
    bool skip_idle;
    bool failed;
};

struct merge *merge_new(struct inorder *const *inputs, int count, bool skip_idle)
{
    struct merge *merge = xcalloc(1, sizeof *merge);

    merge->lanes = xcalloc((size_t)count, sizeof *merge->lanes);
    merge->order = xcalloc((size_t)count, sizeof *merge->order);
    merge->lane_count = count;
    merge->skip_idle = skip_idle;
    for (int i = 0; i < count; i++) {
        merge->lanes[i].inorder = inputs[i];
        merge->lanes[i].number = i;
    }
    return merge;
}

void merge_free(struct merge *merge)
{
    if (merge == NULL)
        return;
    free(merge->lanes);
    free(merge->order);
    free(merge);
}

/* True when a's next packet goes before b's. */
static bool lane_before(const struct lane *a, const struct lane *b)
{
    int64_t a_ns = a->queue[a->head].time_ns, b_ns = b->queue[b->head].time_ns;

    return a_ns < b_ns || (a_ns == b_ns && a->number < b->number);
}

/* Put a lane that has a packet waiting in its place. */
static void order_insert(struct merge *merge, struct lane *lane)
{
    int position = merge->ready++;

    for (; position > 0 && lane_before(lane, merge->order[position - 1]); position--)
        merge->order[position] = merge->order[position - 1];
    merge->order[position] = lane;
}

/* The first lane's next packet has changed: let it sink to its place. */
static void order_sink(struct merge *merge)
{
    struct lane *lane = merge->order[0];
    int position = 0;

    for (; position + 1 < merge->ready && lane_before(merge->order[position + 1], lane); position++)
        merge->order[position] = merge->order[position + 1];
    merge->order[position] = lane;
}

static void order_remove_first(struct merge *merge)
{
    merge->ready--;
    for (int i = 0; i < merge->ready; i++)
        merge->order[i] = merge->order[i + 1];
}

/* Fill every empty queue.  Returns 1 when all that can be is filled, 0 when the merge must wait
 * for an idle input, INORDER_DRY when a fill is needed and not allowed. */
static int fill_lanes(struct merge *merge, bool may_fill)
{
    for (int i = 0; i < merge->lane_count; i++) {
        struct lane *lane = &merge->lanes[i];

        if (lane->ended || lane->head < lane->count)
            continue;
        struct packet *packets;
        int count = inorder_read(lane->inorder, &packets, QUEUE, may_fill);
        if (count == INORDER_DRY)
            return INORDER_DRY;
        if (count < 0) {
            lane->ended = true;
            merge->failed = merge->failed || count == SOURCE_FAILED;
        } else if (count > 0) {
            memcpy(lane->queue, packets, (size_t)count * sizeof *packets);
            lane->head = 0;
            lane->count = count;
            order_insert(merge, lane);
        } else if (!merge->skip_idle) {
            return 0;
        }
    }
    return 1;
}

static bool all_ended(const struct merge *merge)
{
    for (int i = 0; i < merge->lane_count; i++)
        if (!merge->lanes[i].ended)
            return false;
    return true;
}

int merge_read(struct merge *merge, struct packet *out, int max)
{
    int count = 0;
    bool dry = true; /* some queue is empty */

    while (count < max) {
        if (dry && fill_lanes(merge, count == 0) != 1)
            break;
        dry = false;
        if (merge->ready == 0)
            break;
        struct lane *lane = merge->order[0];
        out[count++] = lane->queue[lane->head++];
        if (lane->head < lane->count) {
            order_sink(merge);
        } else {
            order_remove_first(merge);
            dry = true;
        }
    }
    if (count > 0 || merge->ready > 0 || !all_ended(merge))
        return count;
    return merge->failed ? SOURCE_FAILED : SOURCE_END;
}
