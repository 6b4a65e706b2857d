#include "capture/snoop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/bytes.h"
#include "xmalloc.h"

#define FILE_HEADER_BYTES 16
#define RECORD_HEADER_BYTES 24

struct snoop_reader {
    int32_t link_type;
};

static bool snoop_matches(const uint8_t *first, size_t count)
{
    /* other versions are Shomiti's and lie differently */
    return count >= 12 && memcmp(first, "snoop\0\0\0\0\0\0\2", 12) == 0;
}

/* LINKTYPE_ value for a datalink type of RFC 1761, or -1. */
static int32_t snoop_link_type(uint32_t datalink)
{
    static const struct {
        uint32_t datalink;
        int32_t link_type;
    } map[] = {{0, 1} /* 802.3 */, {2, 6} /* Token Ring */, {4, 1} /* Ethernet */,
               {8, 10} /* FDDI */, {18, 123} /* SunATM */,  {26, 242} /* IPoIB */};

    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (map[i].datalink == datalink)
            return map[i].link_type;
    return -1;
}

static void *snoop_open(struct input *input)
{
    const uint8_t *header = input->buffer.bytes + input->buffer.head;

    if (buffer_unparsed(&input->buffer) < FILE_HEADER_BYTES) {
        snprintf(input->damage, sizeof input->damage, "is cut inside its file header");
        return NULL;
    }
    uint32_t datalink = bytes_load32_big(header + 12);
    int32_t link_type = snoop_link_type(datalink);
    if (link_type < 0) {
        snprintf(input->damage, sizeof input->damage,
                 "is a snoop file of datalink type %" PRIu32 ", which is not read here", datalink);
        return NULL;
    }
    struct snoop_reader *reader = xcalloc(1, sizeof *reader);
    reader->link_type = link_type;
    input->facts.format = "snoop";
    input_add_link_type(input, link_type);
    input->buffer.head += FILE_HEADER_BYTES;
    return reader;
}

/* Fill one packet from a whole record (RFC 1761: original length, included length, record length,
 * cumulative drops, seconds, microseconds). */
static void snoop_fill(const struct snoop_reader *reader, struct input *input,
                       const uint8_t *record, struct packet *packet)
{
    uint32_t wire = bytes_load32_big(record), captured = bytes_load32_big(record + 4);
    uint32_t drops = bytes_load32_big(record + 12);

    *packet = (struct packet){
        .data = record + RECORD_HEADER_BYTES,
        .time_ns = (int64_t)bytes_load32_big(record + 16) * 1000000000 +
                   (int64_t)bytes_load32_big(record + 20) * 1000,
        .frame = ++input->frames,
        .captured_bytes = captured,
        .wire_bytes = wire > captured ? wire : captured,
        .link_type = reader->link_type,
        .source = input->number,
    };
    input->facts.drops_known = true;
    if (drops > input->facts.dropped_kernel)
        input->facts.dropped_kernel = drops;
}

static int snoop_parse(void *data, struct input *input, struct packet *out, int max)
{
    struct buffer *buffer = &input->buffer;
    int count = 0;

    input->need_bytes = 0;
    while (count < max && buffer_unparsed(buffer) >= RECORD_HEADER_BYTES) {
        const uint8_t *record = buffer->bytes + buffer->head;
        uint32_t captured = bytes_load32_big(record + 4), whole = bytes_load32_big(record + 8);

        if (captured > BUFFER_PACKET_MAX || whole < RECORD_HEADER_BYTES ||
            whole - RECORD_HEADER_BYTES < captured ||
            whole - RECORD_HEADER_BYTES > BUFFER_PACKET_MAX + 64) {
            snprintf(input->damage, sizeof input->damage,
                     "a record of %" PRIu32 " bytes with a captured length of %" PRIu32, whole,
                     captured);
            return count > 0 ? count : INPUT_DAMAGED;
        }
        if (buffer_unparsed(buffer) < whole) {
            input->need_bytes = whole;
            input->need_header_bytes = RECORD_HEADER_BYTES;
            break;
        }
        snoop_fill(data, input, record, &out[count++]);
        buffer->head += whole;
    }
    return count;
}

const struct file_format snoop_format = {snoop_matches, snoop_open, snoop_parse, free};
