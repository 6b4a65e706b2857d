/* Decoders of compressed data: one const table entry for each of gzip, zstd, xz and lz4 (frame
 * format), recognised by their first bytes. */
#ifndef TCPWHY_CAPTURE_COMPRESSED_H
#define TCPWHY_CAPTURE_COMPRESSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODEC_MAGIC_MAX 6

/* One step: decode advances in and out and lowers the counts by what it used. */
struct codec_io {
    const uint8_t *in;
    size_t in_bytes;
    bool in_end; /* no more than these will come */
    uint8_t *out;
    size_t out_bytes;
    const char *reason; /* of CODEC_DAMAGED, in the library's words */
};

enum codec_result {
    CODEC_MORE,     /* inside a member */
    CODEC_BOUNDARY, /* a member is complete; another may follow */
    CODEC_DAMAGED,
};

struct codec {
    const char *name;
    uint8_t magic[CODEC_MAGIC_MAX];
    size_t magic_bytes;
    void *(*start)(void); /* NULL = no memory */
    enum codec_result (*decode)(void *state, struct codec_io *io);
    void (*stop)(void *state);
};

/* The decoder for data that begins with these bytes, or NULL. */
const struct codec *codec_find(const uint8_t *first, size_t count);

#endif
