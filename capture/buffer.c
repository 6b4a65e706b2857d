#include "capture/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

/* Four blocks: what is carried over is moved once in three or four reads. */
#define BUFFER_INITIAL ((size_t)1 << 20)

void buffer_init(struct buffer *buffer)
{
    buffer->bytes = xmalloc(BUFFER_INITIAL);
    buffer->capacity = BUFFER_INITIAL;
    buffer->head = 0;
    buffer->tail = 0;
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){NULL, 0, 0, 0};
}

void buffer_compact(struct buffer *buffer, size_t keep)
{
    size_t kept = buffer->tail - keep;

    if (kept > 0 && keep > 0)
        memmove(buffer->bytes, buffer->bytes + keep, kept);
    buffer->head -= keep;
    buffer->tail = kept;
}

uint8_t *buffer_grow(struct buffer *buffer, size_t capacity)
{
    uint8_t *old = buffer->bytes;

    buffer->bytes = xmalloc(capacity);
    memcpy(buffer->bytes, old, buffer->tail);
    buffer->capacity = capacity;
    return old;
}
