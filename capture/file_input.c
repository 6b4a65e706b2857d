#include "capture/file_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/foreign.h"
#include "capture/pcap_file.h"
#include "capture/pcapng.h"
#include "capture/snoop.h"
#include "capture/stream.h"
#include "xmalloc.h"

/* Enough for every file header; a pipe may hold no more than this for a long time. */
#define FIRST_BYTES 24
/* A growing file may be empty when it is opened: wait so many times 100 ms for its header. */
#define EMPTY_WAITS 100

struct file_input {
    struct stream *stream;
    const struct file_format *format;
    void *reader;
    bool follow;
};

static const struct file_format *const formats[] = {&pcap_file_format, &pcapng_format,
                                                    &snoop_format};

static long file_fill(struct input *input)
{
    struct file_input *file = input->state;
    struct buffer *buffer = &input->buffer;
    long count = stream_read(file->stream, buffer->bytes + buffer->tail, BUFFER_BLOCK);

    input->facts.file_bytes_read = stream_bytes_read(file->stream);
    input->facts.compression = stream_compression(file->stream);
    if (count > 0) {
        buffer->tail += (size_t)count;
        return count;
    }
    if (count == STREAM_IDLE)
        return INPUT_IDLE;
    if (count == STREAM_END)
        return INPUT_END;
    input->facts.truncated = true;
    snprintf(input->facts.warning, sizeof input->facts.warning,
             "%.280s: %s after packet %" PRIu64 ". The report covers what is there.", input->title,
             stream_fault(file->stream), input->frames);
    return count == STREAM_DAMAGED ? INPUT_END : INPUT_FAILED;
}

static int file_parse(struct input *input, struct packet *out, int max)
{
    struct file_input *file = input->state;

    return file->format->parse(file->reader, input, out, max);
}

static void file_close(struct input *input)
{
    struct file_input *file = input->state;

    if (file->format != NULL)
        file->format->close(file->reader);
    stream_close(file->stream);
    free(file);
}

static const struct input_ops file_ops = {file_fill, file_parse, file_close};

/* Fill until the file header is there or the file has ended. */
static long fill_first(struct input *input)
{
    const struct file_input *file = input->state;
    long result = INPUT_IDLE;
    int waits = 0;

    while (buffer_unparsed(&input->buffer) < FIRST_BYTES) {
        result = file_fill(input);
        if (result < 0 || (result == INPUT_IDLE && file->follow && ++waits > EMPTY_WAITS))
            break;
    }
    return result;
}

/* Choose the reader and let it read the file header; false with one line in error. */
static bool recognise(struct input *input, char error[SOURCE_ERROR_MAX])
{
    struct file_input *file = input->state;
    const uint8_t *first = input->buffer.bytes;
    long result = fill_first(input);
    size_t count = buffer_unparsed(&input->buffer);

    if (count == 0 && (result == INPUT_FAILED || input->facts.truncated)) {
        snprintf(error, SOURCE_ERROR_MAX, "%.300s: %s. Check the file.", input->title,
                 stream_fault(file->stream));
        return false;
    }
    if (count == 0) {
        snprintf(error, SOURCE_ERROR_MAX,
                 "%.300s: is empty (0 bytes%s). Check that the capture wrote anything.",
                 input->title, input->facts.compression != NULL ? " when unpacked" : "");
        return false;
    }
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && file->format == NULL; i++)
        if (formats[i]->matches(first, count))
            file->format = formats[i];
    if (file->format == NULL) {
        foreign_explain(input->name, first, count, error, SOURCE_ERROR_MAX);
        return false;
    }
    file->reader = file->format->open(input);
    if (file->reader == NULL) {
        file->format = NULL;
        snprintf(error, SOURCE_ERROR_MAX, "%.300s: %s. Capture again or convert it with editcap.",
                 input->name, input->damage);
        return false;
    }
    return true;
}

struct input *file_input_open(const char *path, bool follow, char error[SOURCE_ERROR_MAX])
{
    struct stream *stream = stream_open(path, follow, error, SOURCE_ERROR_MAX);

    if (stream == NULL)
        return NULL;
    struct file_input *file = xcalloc(1, sizeof *file);
    file->stream = stream;
    file->follow = follow;
    struct input *input = input_new(&file_ops, file, path);
    input->facts.file_bytes = stream_bytes(stream);
    if (!recognise(input, error)) {
        input_free(input);
        return NULL;
    }
    return input;
}
