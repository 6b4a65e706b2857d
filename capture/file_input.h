/* A capture file as an input: its stream, and the reader that its first bytes ask for. */
#ifndef TCPWHY_CAPTURE_FILE_INPUT_H
#define TCPWHY_CAPTURE_FILE_INPUT_H

#include "capture/input.h"

/* A reader of one file format. */
struct file_format {
    /* True when a file with these first bytes is of this format. */
    bool (*matches)(const uint8_t *first, size_t count);
    /* Read the file header at buffer.head, fill facts.format and what it says of link type and
     * snaplen, advance head.  Returns the reader's state, or NULL with a clause in
     * input->damage. */
    void *(*open)(struct input *input);
    /* As input_ops.parse. */
    int (*parse)(void *reader, struct input *input, struct packet *out, int max);
    void (*close)(void *reader);
};

/* Open path ("-" is standard input), recognise it and read its header.  NULL on failure with one
 * line in error. */
struct input *file_input_open(const char *path, bool follow, char error[SOURCE_ERROR_MAX]);

#endif
