#include "capture/inorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

#define REPAIR_NS 10000000
#define HELD_MAX 1024
#define HELD_BYTES_MAX ((size_t)128 << 10)
#define RING 2048u /* a power of two, above HELD_MAX + BATCH */
#define BATCH 128u
/* Held packets may pin so much of the buffer; beyond it they go out, so that memory is bounded. */
#define PINNED_MAX ((size_t)512 << 10)
/* Blocks read in vain (all filtered out) before the caller is given a turn. */
#define FRUITLESS_FILLS_MAX 64

struct inorder {
    struct input *input;
    struct filter *filter;
    unsigned first, count; /* held: ring[first .. first + count), in the order to go out */
    unsigned due;          /* of these, so many go out whatever their time is */
    size_t held_bytes;
    int64_t newest_ns;  /* of the packets held behind the due ones, or just gone out */
    int64_t emitted_ns; /* latest time gone out, or sure to, since the last large step back */
    int ended;          /* 0, SOURCE_END or SOURCE_FAILED: what follows the held packets */
    struct packet ring[RING];
};

struct inorder *inorder_new(struct input *input, struct filter *filter)
{
    struct inorder *inorder = xcalloc(1, sizeof *inorder);

    inorder->input = input;
    inorder->filter = filter;
    inorder->newest_ns = INT64_MIN;
    inorder->emitted_ns = INT64_MIN;
    return inorder;
}

void inorder_free(struct inorder *inorder)
{
    if (inorder == NULL)
        return;
    input_free(inorder->input);
    free(inorder);
}

struct input *inorder_input(const struct inorder *inorder)
{
    return inorder->input;
}

static inline struct packet *slot(struct inorder *inorder, unsigned position)
{
    return &inorder->ring[(inorder->first + position) & (RING - 1)];
}

/* Everything that is held goes out next, as it stands. */
static void release_all(struct inorder *inorder)
{
    inorder->due = inorder->count;
    inorder->emitted_ns = inorder->newest_ns;
}

/* Whether the packet at a position may go out, when held_bytes are held with it. */
static inline bool is_ripe(struct inorder *inorder, unsigned position, size_t held_bytes)
{
    return position < inorder->due || inorder->count - position > HELD_MAX ||
           held_bytes > HELD_BYTES_MAX ||
           inorder->newest_ns - slot(inorder, position)->time_ns >= REPAIR_NS;
}

/* How many packets at the front may go out, 0..max. */
static unsigned count_ripe(struct inorder *inorder, unsigned max)
{
    const unsigned limit = inorder->count < max ? inorder->count : max;
    size_t held_bytes = inorder->held_bytes;
    unsigned count = 0;

    if (limit > 0 && is_ripe(inorder, limit - 1, 0)) /* those before it are older, or due as it is */
        return limit;
    for (; count < limit && is_ripe(inorder, count, held_bytes); count++)
        held_bytes -= slot(inorder, count)->captured_bytes;
    return count;
}

/* Hand out the first count packets of the ring where they are: no others are parsed into their
 * places before the next call. */
static struct packet *let_go(struct inorder *inorder, unsigned count)
{
    struct packet *first = slot(inorder, 0);
    size_t bytes = 0;

    for (unsigned i = 0; i < count; i++)
        bytes += first[i].captured_bytes;
    inorder->held_bytes -= bytes;
    if (count > inorder->due)
        inorder->emitted_ns = first[count - 1].time_ns;
    inorder->due = count < inorder->due ? inorder->due - count : 0;
    inorder->first = (inorder->first + count) & (RING - 1);
    inorder->count -= count;
    return first;
}

static void count_step(struct inorder *inorder, int64_t step_ns)
{
    struct source_facts *facts = &inorder->input->facts;

    facts->backward_steps++;
    if (step_ns > facts->backward_max_ns)
        facts->backward_max_ns = step_ns;
}

/* Admit the packet that stands at position (== count) and is older than the newest one. */
static void admit_late(struct inorder *inorder)
{
    unsigned position = inorder->count;
    struct packet late = *slot(inorder, position);
    int64_t step_ns = inorder->newest_ns - late.time_ns;

    if (step_ns > REPAIR_NS) {
        count_step(inorder, step_ns);
        release_all(inorder);
        inorder->newest_ns = late.time_ns;
        inorder->emitted_ns = INT64_MIN;
        return;
    }
    while (position > inorder->due && slot(inorder, position - 1)->time_ns > late.time_ns) {
        *slot(inorder, position) = *slot(inorder, position - 1);
        position--;
    }
    *slot(inorder, position) = late;
    if (late.time_ns < inorder->emitted_ns)
        count_step(inorder, inorder->emitted_ns - late.time_ns);
    else
        inorder->input->facts.backward_repaired++;
}

/* Drop the packets that do not match from a batch; note a link type that can't be filtered. */
static int apply_filter(struct inorder *inorder, struct packet *batch, int count)
{
    struct source_facts *facts = &inorder->input->facts;
    int refused = -1;
    int kept = filter_apply(inorder->filter, batch, count, &refused);

    facts->filtered_out += (uint64_t)(count - kept);
    if (refused >= 0 && facts->warning[0] == '\0')
        snprintf(facts->warning, sizeof facts->warning,
                 "%.300s: packets of link type %d are left out: the filter does not fit them. "
                 "Use a filter that does, or none.",
                 inorder->input->title, refused);
    return kept;
}

/* Parse a batch straight into the ring behind the held packets and admit it.  Returns what parse
 * returned (before the filter). */
static int take_batch(struct inorder *inorder)
{
    struct input *input = inorder->input;
    unsigned end = (inorder->first + inorder->count) & (RING - 1);
    unsigned room = RING - inorder->count < RING - end ? RING - inorder->count : RING - end;
    struct packet *batch = &inorder->ring[end];
    int parsed = input->ops->parse(input, batch, (int)(room < BATCH ? room : BATCH));
    int kept = parsed;

    if (parsed <= 0)
        return parsed;
    input->facts.packets += (uint64_t)parsed;
    if (inorder->filter != NULL)
        kept = apply_filter(inorder, batch, parsed);
    for (int i = 0; i < kept; i++) {
        int64_t time_ns = batch[i].time_ns;

        inorder->held_bytes += batch[i].captured_bytes;
        if (time_ns >= inorder->newest_ns)
            inorder->newest_ns = time_ns;
        else
            admit_late(inorder);
        inorder->count++;
    }
    return parsed;
}

/* Offset of the first byte of the buffer that a held packet points to (or the head). */
static size_t pinned_from(struct inorder *inorder)
{
    const struct buffer *buffer = &inorder->input->buffer;
    size_t keep = buffer->head;

    for (unsigned i = 0; i < inorder->count; i++) {
        size_t offset = (size_t)(slot(inorder, i)->data - buffer->bytes);

        if (offset < keep)
            keep = offset;
    }
    return keep;
}

/* The held packets' bytes have moved: what was at from is now at to. */
static void rebase(struct inorder *inorder, const uint8_t *from, const uint8_t *to)
{
    for (unsigned i = 0; i < inorder->count; i++) {
        struct packet *packet = slot(inorder, i);

        packet->data = to + (packet->data - from);
    }
}

/* Move what is still needed to the front of the buffer, and let it grow if a record needs it. */
static void make_room(struct inorder *inorder, size_t keep, size_t space)
{
    struct buffer *buffer = &inorder->input->buffer;

    rebase(inorder, buffer->bytes + keep, buffer->bytes);
    buffer_compact(buffer, keep);
    if (buffer_space(buffer) >= space)
        return;
    uint8_t *old = buffer_grow(buffer, buffer->tail + space);
    rebase(inorder, old, buffer->bytes);
    free(old);
}

/* The input has ended: say what was left over, and let everything go out. */
static void finish(struct inorder *inorder, int ended)
{
    struct input *input = inorder->input;

    if (ended == SOURCE_END && !input->facts.truncated)
        input_note_cut(input);
    inorder->ended = ended;
    release_all(inorder);
}

/* Bring in more bytes.  Returns false when nothing came within 100 ms. */
static bool refill(struct inorder *inorder)
{
    struct input *input = inorder->input;
    struct buffer *buffer = &input->buffer;
    size_t missing = buffer_unparsed(buffer) < input->need_bytes
                         ? input->need_bytes - buffer_unparsed(buffer)
                         : 0;
    size_t space = missing > BUFFER_SPACE_MIN ? missing : BUFFER_SPACE_MIN;

    if (buffer_space(buffer) < space) {
        size_t keep = pinned_from(inorder);

        if (buffer->head - keep > PINNED_MAX) {
            release_all(inorder);
            return true;
        }
        make_room(inorder, keep, space);
    }
    long result = input->ops->fill(input);
    if (result == INPUT_IDLE)
        release_all(inorder);
    else if (result < 0)
        finish(inorder, result == INPUT_END ? SOURCE_END : SOURCE_FAILED);
    return result != INPUT_IDLE;
}

int inorder_read(struct inorder *inorder, struct packet **out, int max, bool may_fill)
{
    const unsigned to_end = RING - inorder->first;
    const unsigned most = (unsigned)max < to_end ? (unsigned)max : to_end;
    int fills = 0;

    for (;;) {
        const unsigned count = count_ripe(inorder, most);
        const int parsed = count < most && inorder->ended == 0 ? take_batch(inorder) : 0;

        if (parsed > 0)
            continue;
        if (parsed == INPUT_DAMAGED) {
            input_note_damage(inorder->input);
            finish(inorder, SOURCE_END);
            continue;
        }
        if (count > 0) {
            *out = let_go(inorder, count);
            return (int)count;
        }
        if (inorder->ended != 0)
            return inorder->ended;
        if (!may_fill)
            return INORDER_DRY;
        if (++fills > FRUITLESS_FILLS_MAX)
            return 0;
        if (!refill(inorder) && inorder->count == 0)
            return 0;
    }
}
