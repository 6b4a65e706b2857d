/* The one way to read packet bytes: a bounded cursor.  Take n bytes or get "no". */
#ifndef TCPWHY_CAPTURE_CURSOR_H
#define TCPWHY_CAPTURE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/bytes.h"

/* A position in a packet.  captured bytes can be read there; wire bytes stood there on the wire.
 * Passed by value, so that a guess that fails leaves the caller's position where it was. */
struct cursor {
    const uint8_t *at;
    uint32_t captured;
    uint32_t wire; /* >= captured */
};

/* Bytes that can still be read. */
static inline uint32_t cursor_remaining(const struct cursor *c)
{
    return c->captured;
}

/* The next n bytes without moving, or NULL when fewer remain.  n == 0 always succeeds. */
static inline const uint8_t *cursor_peek(const struct cursor *c, uint32_t n)
{
    return n <= c->captured ? c->at : NULL;
}

/* The next n bytes, and the cursor stands behind them; or NULL, and it has not moved.  Taking all
 * that remains succeeds and leaves 0; n == 0 always succeeds. */
static inline const uint8_t *cursor_take(struct cursor *c, uint32_t n)
{
    const uint8_t *bytes = c->at;

    if (n > c->captured)
        return NULL;
    c->at += n;
    c->captured -= n;
    c->wire -= n;
    return bytes;
}

/* Like cursor_take() without a use for the bytes. */
static inline bool cursor_skip(struct cursor *c, uint32_t n)
{
    return cursor_take(c, n) != NULL;
}

/* Big-endian reads: true and *value, or false with cursor and *value as they were. */
static inline bool cursor_u8(struct cursor *c, uint8_t *value)
{
    const uint8_t *bytes = cursor_take(c, 1);

    if (bytes != NULL)
        *value = bytes[0];
    return bytes != NULL;
}

static inline bool cursor_u16(struct cursor *c, uint16_t *value)
{
    const uint8_t *bytes = cursor_take(c, 2);

    if (bytes != NULL)
        *value = bytes_load16_big(bytes);
    return bytes != NULL;
}

static inline bool cursor_u32(struct cursor *c, uint32_t *value)
{
    const uint8_t *bytes = cursor_take(c, 4);

    if (bytes != NULL)
        *value = bytes_load32_big(bytes);
    return bytes != NULL;
}

/* The same in little-endian order. */
static inline bool cursor_le16(struct cursor *c, uint16_t *value)
{
    const uint8_t *bytes = cursor_take(c, 2);

    if (bytes != NULL)
        *value = bytes_load16_little(bytes);
    return bytes != NULL;
}

static inline bool cursor_le32(struct cursor *c, uint32_t *value)
{
    const uint8_t *bytes = cursor_take(c, 4);

    if (bytes != NULL)
        *value = bytes_load32_little(bytes);
    return bytes != NULL;
}

/* Drop what lies beyond the next n bytes (padding, trailers); n beyond the end changes nothing. */
static inline void cursor_limit(struct cursor *c, uint32_t n)
{
    if (n < c->wire)
        c->wire = n;
    if (n < c->captured)
        c->captured = n;
}

/* Believe a header that says n bytes follow, also where the frame is said to be shorter: files
 * exist whose wire length is only what was kept. */
static inline void cursor_set_wire(struct cursor *c, uint32_t n)
{
    c->wire = n;
    if (n < c->captured)
        c->captured = n;
}

/* Move behind n bytes of which not all are captured (n <= wire): nothing can be read there. */
static inline void cursor_cut(struct cursor *c, uint32_t n)
{
    c->at += c->captured;
    c->captured = 0;
    c->wire -= n;
}

/* Drop n bytes at the end of the wire length (an FCS). */
static inline void cursor_trim_end(struct cursor *c, uint32_t n)
{
    if (n <= c->wire)
        cursor_limit(c, c->wire - n);
}

#endif
