/* Drive one file reader over bytes in memory, in pieces, through the in-order stage. */
#ifndef TCPWHY_TESTS_FUZZ_MEMORY_INPUT_H
#define TCPWHY_TESTS_FUZZ_MEMORY_INPUT_H

#include <stdlib.h>
#include <string.h>

#include "capture/file_input.h"
#include "capture/inorder.h"
#include "xmalloc.h"

struct memory_input {
    const struct file_format *format;
    void *reader;
    const uint8_t *bytes;
    size_t left;
};

/* Uneven pieces, so that records are cut at every place. */
static inline long memory_fill(struct input *input)
{
    struct memory_input *memory = input->state;
    size_t piece = memory->left < 61 ? memory->left : 61;

    if (piece == 0)
        return INPUT_END;
    memcpy(input->buffer.bytes + input->buffer.tail, memory->bytes, piece);
    input->buffer.tail += piece;
    memory->bytes += piece;
    memory->left -= piece;
    return (long)piece;
}

static inline int memory_parse(struct input *input, struct packet *out, int max)
{
    struct memory_input *memory = input->state;

    return memory->format->parse(memory->reader, input, out, max);
}

static inline void memory_close(struct input *input)
{
    struct memory_input *memory = input->state;

    if (memory->reader != NULL)
        memory->format->close(memory->reader);
    free(memory);
}

/* Read every byte of every packet; trap on what a source must never hand out. */
static inline void check_packets(const struct packet *packets, int count)
{
    for (int i = 0; i < count; i++) {
        volatile uint8_t last = 0;

        for (uint32_t j = 0; j < packets[i].captured_bytes; j++)
            last = packets[i].data[j];
        (void)last;
        if (packets[i].wire_bytes < packets[i].captured_bytes || packets[i].frame == 0 ||
            packets[i].time_ns == PACKET_TIME_UNKNOWN)
            abort();
    }
}

static inline void fuzz_format(const struct file_format *format, const uint8_t *bytes, size_t size)
{
    static const struct input_ops ops = {memory_fill, memory_parse, memory_close};
    struct memory_input *memory = xcalloc(1, sizeof *memory);
    struct input *input = input_new(&ops, memory, "memory");
    struct packet *packets;
    int count;

    memory->format = format;
    memory->bytes = bytes;
    memory->left = size;
    while (buffer_unparsed(&input->buffer) < 24 && memory_fill(input) > 0)
        ;
    if (!format->matches(input->buffer.bytes, buffer_unparsed(&input->buffer)) ||
        (memory->reader = format->open(input)) == NULL) {
        input_free(input);
        return;
    }
    struct inorder *inorder = inorder_new(input, NULL);
    while ((count = inorder_read(inorder, &packets, 32, true)) >= 0)
        check_packets(packets, count);
    inorder_free(inorder);
}

#endif
