/* Byte images of capture files for the tests of the readers: build, write to a temporary file,
 * read back through a source.  Header only, so that each test program stays one file. */
#ifndef TCPWHY_TESTS_IMAGE_H
#define TCPWHY_TESTS_IMAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/source.h"
#include "xmalloc.h"

/* Bytes that grow; big says in which order the integers are written. */
struct image {
    uint8_t *bytes;
    size_t count, capacity;
    bool big;
};

static inline void image_bytes(struct image *image, const void *bytes, size_t count)
{
    if (image->count + count > image->capacity) {
        image->capacity = 2 * (image->count + count);
        image->bytes = xreallocarray(image->bytes, image->capacity, 1);
    }
    if (count > 0)
        memcpy(image->bytes + image->count, bytes, count);
    image->count += count;
}

static inline void image_integer(struct image *image, uint64_t value, unsigned width)
{
    uint8_t bytes[8];

    for (unsigned i = 0; i < width; i++)
        bytes[i] = (uint8_t)(value >> 8 * (image->big ? width - 1 - i : i));
    image_bytes(image, bytes, width);
}

static inline void image_u16(struct image *image, uint16_t value)
{
    image_integer(image, value, 2);
}

static inline void image_u32(struct image *image, uint32_t value)
{
    image_integer(image, value, 4);
}

static inline void image_u64(struct image *image, uint64_t value)
{
    image_integer(image, value, 8);
}

static inline void image_fill(struct image *image, uint8_t value, size_t count)
{
    while (count-- > 0)
        image_bytes(image, &value, 1);
}

static inline void image_free(struct image *image)
{
    free(image->bytes);
    *image = (struct image){NULL, 0, 0, false};
}

/* pcap file header: magic, version 2.4 unless another minor is given, snaplen 65535. */
static inline void image_pcap_header(struct image *image, uint32_t magic, uint16_t minor,
                                     uint32_t link_type)
{
    image_u32(image, magic);
    image_u16(image, 2);
    image_u16(image, minor);
    image_u64(image, 0);
    image_u32(image, 65535);
    image_u32(image, link_type);
}

/* pcap record of captured bytes, each of the value fill. */
static inline void image_pcap_record(struct image *image, uint32_t second, uint32_t fraction,
                                     uint32_t captured, uint32_t wire, uint8_t fill)
{
    image_u32(image, second);
    image_u32(image, fraction);
    image_u32(image, captured);
    image_u32(image, wire);
    image_fill(image, fill, captured);
}

/* An ordinary microsecond Ethernet file's header. */
static inline void image_pcap_usual(struct image *image)
{
    image_pcap_header(image, 0xa1b2c3d4, 4, 1);
}

/* Write to a new temporary file; the caller unlinks and frees the path. */
static inline char *image_write(const struct image *image)
{
    const char *folder = getenv("TMPDIR");
    char *path = xasprintf("%s/tcpwhy-test-XXXXXX", folder != NULL ? folder : "/tmp");
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, image->bytes, image->count), (ssize_t)image->count);
    close(fd);
    return path;
}

/* What a whole source gave: copies of the packets (data is not kept), the first four bytes of
 * each, and the facts of file 0. */
struct reading {
    bool opened;
    char error[SOURCE_ERROR_MAX];
    bool usage_error;
    int ended; /* SOURCE_END or SOURCE_FAILED */
    struct packet *packets;
    uint8_t (*starts)[4];
    size_t count;
    struct source_facts facts; /* without the strings that close frees: name */
};

static inline void reading_free(struct reading *reading)
{
    free(reading->packets);
    free(reading->starts);
    *reading = (struct reading){.opened = false};
}

static inline void reading_add(struct reading *reading, const struct packet *packet)
{
    uint8_t start[4] = {0, 0, 0, 0};

    memcpy(start, packet->data, packet->captured_bytes < 4 ? packet->captured_bytes : 4);
    reading->packets =
        xreallocarray(reading->packets, reading->count + 1, sizeof *reading->packets);
    reading->starts = xreallocarray(reading->starts, reading->count + 1, sizeof *reading->starts);
    reading->packets[reading->count] = *packet;
    memcpy(reading->starts[reading->count++], start, sizeof start);
}

/* Read files to their end. */
static inline struct reading read_paths(const char *const *paths, int count,
                                        const struct source_options *opt)
{
    struct reading reading = {.opened = false};
    struct source *source =
        source_open_files(paths, count, opt, reading.error, &reading.usage_error);
    struct packet *packets;
    int got;

    if (source == NULL)
        return reading;
    reading.opened = true;
    while ((got = source_read(source, &packets, 32)) >= 0)
        for (int i = 0; i < got; i++)
            reading_add(&reading, &packets[i]);
    reading.ended = got;
    reading.facts = *source_facts(source, 0);
    reading.facts.name = NULL;
    source_close(source);
    return reading;
}

/* Write an image, read it to its end, and free it. */
static inline struct reading read_image_with(struct image *image, const struct source_options *opt)
{
    char *path = image_write(image);
    const char *paths[] = {path};
    struct reading reading = read_paths(paths, 1, opt);

    unlink(path);
    free(path);
    image_free(image);
    return reading;
}

static inline struct reading read_image(struct image *image)
{
    return read_image_with(image, NULL);
}

#endif
