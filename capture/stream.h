/* The bytes of a file, a pipe or standard input, decompressed when their first bytes say that
 * they are gzip, zstd, xz or lz4. */
#ifndef TCPWHY_CAPTURE_STREAM_H
#define TCPWHY_CAPTURE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream;

#define STREAM_IDLE 0 /* nothing came within 100 ms; more may come */
#define STREAM_END (-1)
#define STREAM_DAMAGED (-2) /* cut or damaged compressed data: stream_fault says which */
#define STREAM_FAILED (-3)  /* the file can't be read further: stream_fault says why */

/* Open path, "-" is standard input.  follow: at the end of a regular file more may come.  NULL on
 * failure with one line in error. */
struct stream *stream_open(const char *path, bool follow, char *error, size_t error_size);
void stream_close(struct stream *stream);

/* Read up to size (> 0) bytes into out.  Returns their number or one of the values above. */
long stream_read(struct stream *stream, uint8_t *out, size_t size);

/* A clause such as "is cut inside its gzip data", after STREAM_DAMAGED or STREAM_FAILED. */
const char *stream_fault(const struct stream *stream);
/* "gzip", "zstd", "xz", "lz4", or NULL; known after the first bytes have been read. */
const char *stream_compression(const struct stream *stream);
/* Bytes read of the file as stored, and its size (0 = not known). */
uint64_t stream_bytes_read(const struct stream *stream);
uint64_t stream_bytes(const struct stream *stream);

#endif
