#include "capture/pcapng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/bytes.h"
#include "capture/pcapng_interface.h"
#include "xmalloc.h"

#define BLOCK_SECTION 0x0a0d0d0au
#define BLOCK_INTERFACE 1u
#define BLOCK_PACKET 2u /* obsolete */
#define BLOCK_SIMPLE 3u
#define BLOCK_STATISTICS 5u
#define BLOCK_ENHANCED 6u

#define ORDER_MAGIC 0x1a2b3c4du
#define BLOCK_BYTES_MIN 12 /* type, length, length again */
#define BLOCK_BYTES_MAX (BUFFER_PACKET_MAX + 65536)
#define PACKET_HEADER_BYTES 28 /* of an enhanced or an obsolete packet block, type and length too */
#define SIMPLE_HEADER_BYTES 12
/* packet.interface counts over all sections and has 16 bits */
#define INTERFACES_MAX 65535u

#define OPTION_PACKET_FLAGS 2
#define OPTION_ISB_IFDROP 5
#define OPTION_ISB_OSDROP 7

struct pcapng_reader {
    bool swapped;
    uint64_t skip_bytes; /* of a block that is passed over */
    int64_t last_time_ns;
    struct pcapng_interface *interfaces; /* of the section */
    uint32_t interface_count, interface_capacity;
    uint32_t interface_base; /* interfaces of the sections before */
};

/* One block that is whole in the buffer. */
struct block {
    const uint8_t *bytes; /* from its type on */
    uint32_t type, total;
};

static bool pcapng_matches(const uint8_t *first, size_t count)
{
    return count >= 12 && bytes_load32(first, false) == BLOCK_SECTION &&
           (bytes_load32(first + 8, false) == ORDER_MAGIC ||
            bytes_load32(first + 8, true) == ORDER_MAGIC);
}

static void *pcapng_open(struct input *input)
{
    struct pcapng_reader *reader = xcalloc(1, sizeof *reader);

    input->facts.format = "pcapng";
    return reader;
}

static void pcapng_close(void *data)
{
    struct pcapng_reader *reader = data;

    free(reader->interfaces);
    free(reader);
}

/* A new section: its interfaces are numbered from 0 again, in its own byte order. */
static bool read_section(struct pcapng_reader *reader, struct input *input,
                         const struct block *block)
{
    uint16_t major = block->total >= 28 ? bytes_load16(block->bytes + 12, reader->swapped) : 0;

    if (major != 1) {
        snprintf(input->damage, sizeof input->damage, "a section of pcapng version %u", major);
        return false;
    }
    reader->interface_base += reader->interface_count;
    reader->interface_count = 0;
    return true;
}

static bool read_interface(struct pcapng_reader *reader, struct input *input,
                           const struct block *block)
{
    if (block->total < 20 || reader->interface_base + reader->interface_count >= INTERFACES_MAX) {
        snprintf(input->damage, sizeof input->damage, "%s",
                 block->total < 20 ? "an interface block that is too short"
                                   : "more than 65535 interfaces");
        return false;
    }
    if (reader->interface_count == reader->interface_capacity) {
        reader->interface_capacity = reader->interface_capacity * 2 + 4;
        reader->interfaces = xreallocarray(reader->interfaces, reader->interface_capacity,
                                           sizeof *reader->interfaces);
    }
    struct pcapng_interface *interface = &reader->interfaces[reader->interface_count++];
    pcapng_interface_read(interface, block->bytes + 8, block->total - BLOCK_BYTES_MIN,
                          reader->swapped);
    input_add_link_type(input, interface->link_type);
    if (interface->snaplen_bytes > input->facts.snaplen_bytes)
        input->facts.snaplen_bytes = interface->snaplen_bytes;
    return true;
}

/* Interface statistics are running totals: the latest of each interface counts. */
static void read_statistics(struct pcapng_reader *reader, struct input *input,
                            const struct block *block)
{
    struct source_facts *facts = &input->facts;
    const uint8_t *value;
    uint16_t code, length;

    if (block->total < 24)
        return;
    uint32_t id = bytes_load32(block->bytes + 8, reader->swapped);
    if (id >= reader->interface_count)
        return;
    struct pcapng_interface *interface = &reader->interfaces[id];
    struct pcapng_options options = {block->bytes + 20, block->total - 24, reader->swapped};
    while (pcapng_option_next(&options, &code, &value, &length)) {
        if ((code != OPTION_ISB_IFDROP && code != OPTION_ISB_OSDROP) || length < 8)
            continue;
        bool by_interface = code == OPTION_ISB_IFDROP;
        uint64_t *latest = by_interface ? &interface->if_drop : &interface->os_drop;
        uint64_t *sum = by_interface ? &facts->dropped_interface : &facts->dropped_kernel;
        uint64_t drops = bytes_load64(value, reader->swapped);

        *sum += drops - *latest;
        *latest = drops;
        facts->drops_known = true;
    }
}

/* epb_flags: bits 0-1 direction, bits 5-8 FCS length in bytes. */
static void read_packet_options(const struct pcapng_reader *reader, const uint8_t *at, size_t left,
                                struct packet *packet)
{
    struct pcapng_options options = {at, left, reader->swapped};
    const uint8_t *value;
    uint16_t code, length;

    while (pcapng_option_next(&options, &code, &value, &length)) {
        if (code != OPTION_PACKET_FLAGS || length < 4)
            continue;
        uint32_t flags = bytes_load32(value, reader->swapped);

        packet->direction = (uint8_t)((flags & 3) == 3 ? 0 : flags & 3);
        if ((flags >> 5 & 15) != 0)
            packet->fcs_bytes = (uint8_t)(flags >> 5 & 15);
    }
}

/* An enhanced or an obsolete packet block: they differ in the interface's width only. */
static bool read_packet(struct pcapng_reader *reader, struct input *input,
                        const struct block *block, struct packet *packet)
{
    const bool swapped = reader->swapped;
    const uint8_t *bytes = block->bytes;
    const uint32_t room = block->total - PACKET_HEADER_BYTES - 4;
    uint32_t id = block->type == BLOCK_ENHANCED ? bytes_load32(bytes + 8, swapped)
                                                : bytes_load16(bytes + 8, swapped);

    if (block->total < PACKET_HEADER_BYTES + 4 || id >= reader->interface_count ||
        bytes_load32(bytes + 20, swapped) > room) {
        snprintf(input->damage, sizeof input->damage, "%s",
                 block->total < PACKET_HEADER_BYTES + 4 ? "a packet block that is too short"
                 : id >= reader->interface_count        ? "a packet of an interface not described"
                                                        : "a packet longer than its block");
        return false;
    }
    const struct pcapng_interface *interface = &reader->interfaces[id];
    uint64_t ticks =
        (uint64_t)bytes_load32(bytes + 12, swapped) << 32 | bytes_load32(bytes + 16, swapped);
    uint32_t captured = bytes_load32(bytes + 20, swapped);
    uint32_t wire = bytes_load32(bytes + 24, swapped);
    uint32_t padded = (captured + 3) & ~3u;

    *packet = (struct packet){
        .data = bytes + PACKET_HEADER_BYTES,
        .time_ns = pcapng_interface_time_ns(interface, ticks),
        .captured_bytes = captured,
        .wire_bytes = wire > captured ? wire : captured,
        .link_type = interface->link_type,
        .interface = (uint16_t)(reader->interface_base + id),
        .fcs_bytes = interface->fcs_bytes,
    };
    reader->last_time_ns = packet->time_ns;
    if (padded < room)
        read_packet_options(reader, bytes + PACKET_HEADER_BYTES + padded, room - padded, packet);
    return true;
}

/* A simple packet block: of interface 0, without a time; it gets that of the packet before. */
static bool read_simple(struct pcapng_reader *reader, struct input *input,
                        const struct block *block, struct packet *packet)
{
    if (block->total < SIMPLE_HEADER_BYTES + 4 || reader->interface_count == 0) {
        snprintf(input->damage, sizeof input->damage, "%s",
                 reader->interface_count == 0 ? "a packet of an interface not described"
                                              : "a packet block that is too short");
        return false;
    }
    const struct pcapng_interface *interface = &reader->interfaces[0];
    uint32_t wire = bytes_load32(block->bytes + 8, reader->swapped);
    uint32_t captured = block->total - SIMPLE_HEADER_BYTES - 4;

    if (captured > wire)
        captured = wire;
    if (interface->snaplen_bytes != 0 && captured > interface->snaplen_bytes)
        captured = interface->snaplen_bytes;
    *packet = (struct packet){
        .data = block->bytes + SIMPLE_HEADER_BYTES,
        .time_ns = reader->last_time_ns,
        .captured_bytes = captured,
        .wire_bytes = wire,
        .link_type = interface->link_type,
        .interface = (uint16_t)reader->interface_base,
        .fcs_bytes = interface->fcs_bytes,
    };
    input->facts.without_time++;
    return true;
}

/* True for blocks that are read; the others are passed over without being kept. */
static bool block_is_read(uint32_t type)
{
    return type == BLOCK_ENHANCED || type == BLOCK_SECTION || type == BLOCK_INTERFACE ||
           type == BLOCK_PACKET || type == BLOCK_SIMPLE || type == BLOCK_STATISTICS;
}

/* Pass over bytes of a skipped block, as many as are there. */
static bool skip_ahead(struct pcapng_reader *reader, struct input *input)
{
    size_t there = buffer_unparsed(&input->buffer);
    size_t step = there < reader->skip_bytes ? there : (size_t)reader->skip_bytes;

    input->buffer.head += step;
    reader->skip_bytes -= step;
    if (reader->skip_bytes == 0)
        return true;
    input->need_bytes = reader->skip_bytes < BUFFER_BLOCK ? (size_t)reader->skip_bytes : 1;
    input->need_header_bytes = 0;
    return false;
}

enum step { STEP_BLOCK, STEP_SKIPPED, STEP_MORE, STEP_DAMAGED };

/* Find the block at the head.  A section header sets the byte order before its length is read. */
static enum step find_block(struct pcapng_reader *reader, struct input *input, struct block *block)
{
    const uint8_t *bytes = input->buffer.bytes + input->buffer.head;
    size_t there = buffer_unparsed(&input->buffer);

    if (there < BLOCK_BYTES_MIN)
        return STEP_MORE;
    block->bytes = bytes;
    block->type = bytes_load32(bytes, reader->swapped);
    if (block->type == BLOCK_SECTION)
        reader->swapped = bytes_load32(bytes + 8, false) != ORDER_MAGIC;
    block->total = bytes_load32(bytes + 4, reader->swapped);
    uint32_t whole = (block->total + 3) & ~3u;
    bool order_known =
        block->type != BLOCK_SECTION || bytes_load32(bytes + 8, reader->swapped) == ORDER_MAGIC;
    if (block->total < BLOCK_BYTES_MIN || whole < block->total || !order_known ||
        (block_is_read(block->type) && block->total > BLOCK_BYTES_MAX)) {
        snprintf(input->damage, sizeof input->damage,
                 "a block of type %" PRIu32 " and %" PRIu32 " bytes", block->type, block->total);
        return STEP_DAMAGED;
    }
    if (!block_is_read(block->type)) {
        reader->skip_bytes = whole;
        return STEP_SKIPPED;
    }
    if (there < whole) {
        input->need_bytes = whole;
        input->need_header_bytes = 8;
        return STEP_MORE;
    }
    if (bytes_load32(bytes + whole - 4, reader->swapped) != block->total) {
        snprintf(input->damage, sizeof input->damage, "a block whose two lengths differ");
        return STEP_DAMAGED;
    }
    block->total = whole;
    return STEP_BLOCK;
}

/* Act on one block; *filled says that *packet is a packet.  False = damaged. */
static bool read_block(struct pcapng_reader *reader, struct input *input, const struct block *block,
                       struct packet *packet, bool *filled)
{
    *filled = false;
    switch (block->type) {
    case BLOCK_ENHANCED:
    case BLOCK_PACKET: return *filled = read_packet(reader, input, block, packet);
    case BLOCK_SIMPLE: return *filled = read_simple(reader, input, block, packet);
    case BLOCK_SECTION: return read_section(reader, input, block);
    case BLOCK_INTERFACE: return read_interface(reader, input, block);
    default: read_statistics(reader, input, block); return true;
    }
}

static int pcapng_parse(void *data, struct input *input, struct packet *out, int max)
{
    struct pcapng_reader *reader = data;
    int count = 0;

    input->need_bytes = 0;
    while (count < max) {
        struct block block;
        bool filled;

        if (reader->skip_bytes > 0 && !skip_ahead(reader, input))
            break;
        enum step step = find_block(reader, input, &block);
        if (step == STEP_SKIPPED)
            continue;
        if (step == STEP_MORE)
            break;
        if (step == STEP_DAMAGED || !read_block(reader, input, &block, &out[count], &filled))
            return count > 0 ? count : INPUT_DAMAGED;
        if (filled) {
            out[count].source = input->number;
            out[count++].frame = ++input->frames;
        }
        input->buffer.head += block.total;
    }
    return count;
}

const struct file_format pcapng_format = {pcapng_matches, pcapng_open, pcapng_parse, pcapng_close};
