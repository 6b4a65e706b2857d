/* pcapng blocks for the tests that build such files byte by byte. */
#ifndef TCPWHY_TESTS_PCAPNG_IMAGE_H
#define TCPWHY_TESTS_PCAPNG_IMAGE_H

#include "tests/image.h"

#define BLOCK_SECTION 0x0a0d0d0a
#define BLOCK_INTERFACE 1
#define BLOCK_PACKET 2
#define BLOCK_SIMPLE 3
#define BLOCK_NAMES 4
#define BLOCK_STATISTICS 5
#define BLOCK_ENHANCED 6

/* Start of a block; block_end writes both lengths. */
static inline size_t block_begin(struct image *image, uint32_t type)
{
    size_t start = image->count;

    image_u32(image, type);
    image_u32(image, 0);
    return start;
}

static inline void block_end(struct image *image, size_t start)
{
    struct image length = {.big = image->big};

    image_fill(image, 0, (4 - image->count % 4) % 4);
    image_u32(&length, (uint32_t)(image->count + 4 - start));
    image_bytes(image, length.bytes, 4);
    memcpy(image->bytes + start + 4, length.bytes, 4);
    image_free(&length);
}

static inline void put_section(struct image *image)
{
    size_t start = block_begin(image, BLOCK_SECTION);

    image_u32(image, 0x1a2b3c4d);
    image_u16(image, 1);
    image_u16(image, 0);
    image_u64(image, UINT64_MAX);
    block_end(image, start);
}

static inline void put_option(struct image *image, uint16_t code, const void *value,
                              uint16_t length)
{
    image_u16(image, code);
    image_u16(image, length);
    image_bytes(image, value, length);
    image_fill(image, 0, (4 - length % 4u) % 4);
}

/* An interface with at most one option of one byte (code 0 = none). */
static inline void put_interface(struct image *image, uint16_t link_type, uint32_t snaplen,
                                 uint16_t code, uint8_t value)
{
    size_t start = block_begin(image, BLOCK_INTERFACE);

    image_u16(image, link_type);
    image_u16(image, 0);
    image_u32(image, snaplen);
    if (code != 0) {
        put_option(image, code, &value, 1);
        put_option(image, 0, "", 0);
    }
    block_end(image, start);
}

/* An enhanced packet block; flags 0 = without the option. */
static inline void put_packet(struct image *image, uint32_t interface, uint64_t ticks,
                              uint32_t captured, uint32_t wire, uint8_t fill, uint32_t flags)
{
    size_t start = block_begin(image, BLOCK_ENHANCED);

    image_u32(image, interface);
    image_u32(image, (uint32_t)(ticks >> 32));
    image_u32(image, (uint32_t)ticks);
    image_u32(image, captured);
    image_u32(image, wire);
    image_fill(image, fill, captured);
    image_fill(image, 0, (4 - captured % 4u) % 4);
    if (flags != 0) {
        image_u16(image, 2);
        image_u16(image, 4);
        image_u32(image, flags);
        image_u32(image, 0);
    }
    block_end(image, start);
}

static inline void put_simple(struct image *image, uint32_t wire, uint32_t captured, uint8_t fill)
{
    size_t start = block_begin(image, BLOCK_SIMPLE);

    image_u32(image, wire);
    image_fill(image, fill, captured);
    block_end(image, start);
}

/* isb_ifdrop (5) and isb_osdrop (7). */
static inline void put_statistics(struct image *image, uint32_t interface, uint64_t if_drop,
                                  uint64_t os_drop)
{
    size_t start = block_begin(image, BLOCK_STATISTICS);

    image_u32(image, interface);
    image_u64(image, 0);
    image_u16(image, 5);
    image_u16(image, 8);
    image_u64(image, if_drop);
    image_u16(image, 7);
    image_u16(image, 8);
    image_u64(image, os_drop);
    image_u32(image, 0);
    block_end(image, start);
}

#endif
