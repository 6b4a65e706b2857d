#include "capture/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/buffer.h"
#include "capture/compressed.h"
#include "xmalloc.h"

#define WAIT_MS 100

struct stream {
    int fd;
    bool regular; /* a regular file: its end is known */
    bool follow;
    bool known; /* the first bytes have been looked at */
    uint64_t bytes_read, bytes;
    uint8_t first[CODEC_MAGIC_MAX];
    size_t first_count, first_used;
    const struct codec *codec; /* NULL = plain */
    void *codec_state;
    bool codec_failed;   /* damage was met: the decoder must not be called again */
    bool codec_boundary; /* between two compressed members: an end is no cut */
    bool packed_end;
    uint8_t *packed; /* compressed bytes [packed_head, packed_tail) not decoded yet */
    size_t packed_head, packed_tail;
    char fault[96];
};

/* What to do about a file that can't be opened. */
static const char *remedy(int number)
{
    switch (number) {
    case ENOENT: return "Check the path";
    case EACCES:
    case EPERM: return "Read it as a user who may";
    case EMFILE:
    case ENFILE: return "Raise ulimit -n or merge the files first (mergecap -w all.pcapng ...)";
    default: return "Check the file";
    }
}

struct stream *stream_open(const char *path, bool follow, char *error, size_t error_size)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;

    if (fd < 0 || fstat(fd, &status) != 0) {
        snprintf(error, error_size, "%.300s: %s. %s.", path, strerror(errno), remedy(errno));
        if (fd >= 0 && !standard)
            close(fd);
        return NULL;
    }
    if (S_ISDIR(status.st_mode)) {
        snprintf(error, error_size, "%.300s: is a directory. Name the capture files in it.", path);
        if (!standard)
            close(fd);
        return NULL;
    }
    struct stream *stream = xcalloc(1, sizeof *stream);
    stream->fd = fd;
    stream->regular = S_ISREG(status.st_mode);
    stream->follow = follow && stream->regular;
    stream->bytes = stream->regular && status.st_size > 0 ? (uint64_t)status.st_size : 0;
    return stream;
}

void stream_close(struct stream *stream)
{
    if (stream == NULL)
        return;
    if (stream->codec != NULL)
        stream->codec->stop(stream->codec_state);
    free(stream->packed);
    if (stream->fd != STDIN_FILENO)
        close(stream->fd);
    free(stream);
}

/* Bytes as stored: their number, or STREAM_IDLE, STREAM_END, STREAM_FAILED. */
static long read_stored(struct stream *stream, uint8_t *out, size_t size)
{
    if (!stream->regular) {
        struct pollfd waited = {.fd = stream->fd, .events = POLLIN};

        if (poll(&waited, 1, WAIT_MS) <= 0)
            return STREAM_IDLE;
    }
    ssize_t count = read(stream->fd, out, size < BUFFER_BLOCK ? size : BUFFER_BLOCK);
    if (count > 0) {
        stream->bytes_read += (uint64_t)count;
        return (long)count;
    }
    if (count == 0 && stream->follow) {
        poll(NULL, 0, WAIT_MS);
        return STREAM_IDLE;
    }
    if (count == 0)
        return STREAM_END;
    if (errno == EINTR || errno == EAGAIN)
        return STREAM_IDLE;
    snprintf(stream->fault, sizeof stream->fault, "cannot be read further (%.60s)",
             strerror(errno));
    return STREAM_FAILED;
}

/* Look at the first bytes and start a decoder if they ask for one.  Returns 1 when done, or what
 * read_stored said. */
static long recognise(struct stream *stream)
{
    while (stream->first_count < sizeof stream->first) {
        long count = read_stored(stream, stream->first + stream->first_count,
                                 sizeof stream->first - stream->first_count);

        if (count == STREAM_END)
            break;
        if (count <= 0)
            return count;
        stream->first_count += (size_t)count;
    }
    stream->known = true;
    stream->codec = codec_find(stream->first, stream->first_count);
    if (stream->codec != NULL) {
        stream->codec_state = stream->codec->start();
        if (stream->codec_state == NULL) {
            snprintf(stream->fault, sizeof stream->fault, "cannot be unpacked (no memory left)");
            stream->codec = NULL;
            return STREAM_FAILED;
        }
        stream->packed = xmalloc(BUFFER_BLOCK);
        memcpy(stream->packed, stream->first, stream->first_count);
        stream->packed_tail = stream->first_count;
    }
    return 1;
}

/* One step of the decoder.  Returns the bytes put out, 0 when it wants more, STREAM_END for
 * bytes behind the last member that are none, STREAM_DAMAGED. */
static long decode_step(struct stream *stream, uint8_t *out, size_t size)
{
    struct codec_io io = {.in = stream->packed + stream->packed_head,
                          .in_bytes = stream->packed_tail - stream->packed_head,
                          .in_end = stream->packed_end,
                          .out = out,
                          .out_bytes = size,
                          .reason = ""};
    size_t offered = io.in_bytes;

    if (stream->codec_failed)
        return STREAM_DAMAGED;
    enum codec_result result = stream->codec->decode(stream->codec_state, &io);
    size_t consumed = offered - io.in_bytes, produced = size - io.out_bytes;

    stream->packed_head += consumed;
    if (result == CODEC_DAMAGED) {
        stream->codec_failed = true;
        if (stream->codec_boundary && produced == 0)
            return STREAM_END;
        snprintf(stream->fault, sizeof stream->fault, "has damaged %s data (%.40s)",
                 stream->codec->name, io.reason);
        return produced > 0 ? (long)produced : STREAM_DAMAGED;
    }
    if (consumed > 0 || produced > 0 || result == CODEC_BOUNDARY)
        stream->codec_boundary = result == CODEC_BOUNDARY;
    return (long)produced;
}

/* Decompressed bytes, as stream_read returns them. */
static long read_decoded(struct stream *stream, uint8_t *out, size_t size)
{
    for (;;) {
        size_t head = stream->packed_head;
        long count = decode_step(stream, out, size);

        if (count != 0)
            return count;
        if (stream->packed_head < stream->packed_tail && stream->packed_head > head)
            continue;
        if (stream->packed_end) {
            if (stream->codec_boundary)
                return STREAM_END;
            snprintf(stream->fault, sizeof stream->fault, "is cut inside its %s data",
                     stream->codec->name);
            return STREAM_DAMAGED;
        }
        size_t left = stream->packed_tail - stream->packed_head;
        memmove(stream->packed, stream->packed + stream->packed_head, left);
        stream->packed_head = 0;
        stream->packed_tail = left;
        count = read_stored(stream, stream->packed + left, BUFFER_BLOCK - left);
        if (count == STREAM_END)
            stream->packed_end = true;
        else if (count <= 0)
            return count;
        else
            stream->packed_tail += (size_t)count;
    }
}

long stream_read(struct stream *stream, uint8_t *out, size_t size)
{
    if (!stream->known) {
        long result = recognise(stream);

        if (result <= 0)
            return result;
    }
    if (stream->codec != NULL)
        return read_decoded(stream, out, size);
    if (stream->first_used < stream->first_count) {
        size_t count = stream->first_count - stream->first_used;

        if (count > size)
            count = size;
        memcpy(out, stream->first + stream->first_used, count);
        stream->first_used += count;
        return (long)count;
    }
    return read_stored(stream, out, size);
}

const char *stream_fault(const struct stream *stream)
{
    return stream->fault;
}

const char *stream_compression(const struct stream *stream)
{
    return stream->codec != NULL ? stream->codec->name : NULL;
}

uint64_t stream_bytes_read(const struct stream *stream)
{
    return stream->bytes_read;
}

uint64_t stream_bytes(const struct stream *stream)
{
    return stream->bytes;
}
