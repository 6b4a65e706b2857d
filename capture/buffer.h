/* The bytes of one input: read at the tail, parsed at the head.  Packets point into it, so bytes
 * move only when source.c says so (buffer_compact), never while the buffer is filled. */
#ifndef TCPWHY_CAPTURE_BUFFER_H
#define TCPWHY_CAPTURE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

/* What one read(2) asks for: large enough to be cheap, small enough to stay in the L2 cache. */
#define BUFFER_BLOCK ((size_t)256 << 10)
/* Free space at the tail that a fill may rely on: one block and one device packet's header. */
#define BUFFER_SPACE_MIN (BUFFER_BLOCK + 4096)
/* A captured length above this is damage, not a packet (BIG TCP stays below 1 MiB). */
#define BUFFER_PACKET_MAX ((uint32_t)16 << 20)

struct buffer {
    uint8_t *bytes;
    size_t capacity;
    size_t head; /* next byte to parse; bytes before it may still be pointed to by packets */
    size_t tail; /* end of the bytes that are there */
};

void buffer_init(struct buffer *buffer);
void buffer_free(struct buffer *buffer);

/* Bytes not parsed yet. */
static inline size_t buffer_unparsed(const struct buffer *buffer)
{
    return buffer->tail - buffer->head;
}

/* Free bytes at the tail. */
static inline size_t buffer_space(const struct buffer *buffer)
{
    return buffer->capacity - buffer->tail;
}

/* Drop all bytes before offset keep (<= head): what was at offset o is then at o - keep. */
void buffer_compact(struct buffer *buffer, size_t keep);
/* Move to a block of capacity bytes (more than now) and return the old block, still as it was,
 * for the caller to free when nothing points into it any more. */
uint8_t *buffer_grow(struct buffer *buffer, size_t capacity);

#endif
