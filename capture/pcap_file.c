#include "capture/pcap_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/bytes.h"
#include "xmalloc.h"

#define FILE_HEADER_BYTES 24
#define RECORD_HEADER_BYTES 16
#define MODIFIED_HEADER_BYTES 24 /* Kuznetzov: and interface, protocol, packet type */

#define MAGIC_USEC 0xa1b2c3d4u
#define MAGIC_NSEC 0xa1b23c4du
#define MAGIC_MODIFIED 0xa1b2cd34u

/* Upper bits of the link type word: FCS length in 16-bit units, if the flag says so. */
#define LINK_TYPE_MASK 0x03ffffffu
#define LINK_FCS_PRESENT 0x04000000u
#define LINK_FCS_SHIFT 28

struct pcap_reader {
    bool swapped;
    bool modified; /* Kuznetzov's records */
    bool
        lengths_reversed; /* version 2.3 and older: the two lengths may stand the other way round */
    uint8_t fcs_bytes;
    uint32_t header_bytes; /* of a record */
    int64_t fraction_ns;   /* unit of the second time word: 1000 or 1 */
    int32_t link_type;
};

static bool pcap_matches(const uint8_t *first, size_t count)
{
    if (count < 4)
        return false;
    uint32_t magic = bytes_load32(first, false), other = __builtin_bswap32(magic);

    return magic == MAGIC_USEC || magic == MAGIC_NSEC || magic == MAGIC_MODIFIED ||
           other == MAGIC_USEC || other == MAGIC_NSEC || other == MAGIC_MODIFIED;
}

/* DLT values that old systems wrote where the registry has another number. */
static int32_t registered_link_type(uint32_t link_type)
{
    static const struct {
        uint32_t written;
        int32_t registered;
    } renamed[] = {{11, 100} /* ATM_RFC1483 */,  {12, 101} /* RAW */,
                   {14, 101} /* RAW, OpenBSD */, {15, 102} /* SLIP_BSDOS */,
                   {16, 103} /* PPP_BSDOS */,    {19, 106} /* ATM_CLIP */};

    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (renamed[i].written == link_type)
            return renamed[i].registered;
    return (int32_t)link_type;
}

/* The link type for an SNMP ifType that AIX tcpdump writes, or -1. */
static int32_t aix_link_type(uint32_t if_type)
{
    switch (if_type) {
    case 6: return 1;   /* Ethernet */
    case 9: return 6;   /* Token Ring */
    case 15: return 10; /* FDDI */
    case 24: return 0;  /* loopback */
    default: return -1;
    }
}

/* True when the records at hand are microsecond ones: AIX counts nanoseconds, so at least eight
 * records over two seconds without one fraction above 999,999 were not written by it. */
static bool fractions_are_usec(const uint8_t *bytes, size_t count, bool swapped)
{
    uint32_t first_second = 0, second = 0;
    size_t at = 0;
    int records = 0;

    while (count - at >= RECORD_HEADER_BYTES) {
        uint32_t a = bytes_load32(bytes + at + 8, swapped);
        uint32_t b = bytes_load32(bytes + at + 12, swapped);
        uint32_t captured = a < b ? a : b;

        if (bytes_load32(bytes + at + 4, swapped) > 999999)
            return false;
        second = bytes_load32(bytes + at, swapped);
        if (records++ == 0)
            first_second = second;
        if (captured > count - at - RECORD_HEADER_BYTES)
            break;
        at += RECORD_HEADER_BYTES + captured;
    }
    return records >= 8 && second >= first_second + 2;
}

/* What version and link type mean together: AIX writes version 2.2 with ifTypes, and so did old
 * libpcap with ordinary link types. */
static void apply_version(struct pcap_reader *reader, struct input *input, uint32_t link)
{
    const struct buffer *buffer = &input->buffer;
    const uint8_t *header = buffer->bytes + buffer->head;
    uint16_t major = bytes_load16(header + 4, reader->swapped);
    uint16_t minor = bytes_load16(header + 6, reader->swapped);
    int32_t aix = aix_link_type(link);

    reader->lengths_reversed = (major == 2 && minor <= 3) || major == 543;
    if (major == 2 && minor == 2 && aix >= 0 && reader->fraction_ns == 1000 &&
        !fractions_are_usec(header + FILE_HEADER_BYTES, buffer_unparsed(buffer) - FILE_HEADER_BYTES,
                            reader->swapped)) {
        input->facts.format = "pcap-aix";
        reader->fraction_ns = 1;
        reader->link_type = aix;
    }
}

static void *pcap_open(struct input *input)
{
    const uint8_t *header = input->buffer.bytes + input->buffer.head;

    if (buffer_unparsed(&input->buffer) < FILE_HEADER_BYTES) {
        snprintf(input->damage, sizeof input->damage, "is cut inside its file header");
        return NULL;
    }
    struct pcap_reader *reader = xcalloc(1, sizeof *reader);
    uint32_t magic = bytes_load32(header, false);
    reader->swapped = magic != MAGIC_USEC && magic != MAGIC_NSEC && magic != MAGIC_MODIFIED;
    magic = bytes_load32(header, reader->swapped);
    reader->modified = magic == MAGIC_MODIFIED;
    reader->header_bytes = reader->modified ? MODIFIED_HEADER_BYTES : RECORD_HEADER_BYTES;
    reader->fraction_ns = magic == MAGIC_NSEC ? 1 : 1000;
    input->facts.format = magic == MAGIC_NSEC ? "pcap-nsec"
                          : reader->modified  ? "pcap-modified"
                                              : "pcap";
    input->facts.snaplen_bytes = bytes_load32(header + 16, reader->swapped);
    uint32_t link = bytes_load32(header + 20, reader->swapped);
    if (link & LINK_FCS_PRESENT)
        reader->fcs_bytes = (uint8_t)(2 * (link >> LINK_FCS_SHIFT));
    reader->link_type = registered_link_type(link & LINK_TYPE_MASK);
    apply_version(reader, input, link);
    input_add_link_type(input, reader->link_type);
    input->buffer.head += FILE_HEADER_BYTES;
    return reader;
}

/* What only Kuznetzov's records carry: the interface, and the kernel's packet type (PACKET_OUTGOING
 * is 4, the values below it are received ones). */
static void fill_modified(struct packet *packet, const uint8_t *header, bool swapped)
{
    packet->interface = (uint16_t)bytes_load32(header + 16, swapped);
    packet->direction = header[22] == 4 ? 2 : header[22] < 4 ? 1 : 0;
}

/* The loop over whole records; swapped is a constant in each of its two callers, so that the byte
 * order costs nothing per packet. */
static inline int parse_records(const struct pcap_reader *reader, struct input *input,
                                struct packet *out, int max, const bool swapped)
{
    struct buffer *buffer = &input->buffer;
    const uint8_t *at = buffer->bytes + buffer->head, *end = buffer->bytes + buffer->tail;
    const size_t header_bytes = reader->header_bytes;
    int count = 0;

    input->need_bytes = 0;
    for (; count < max && (size_t)(end - at) >= header_bytes; count++) {
        uint32_t captured = bytes_load32(at + 8, swapped), wire = bytes_load32(at + 12, swapped);

        if (captured > wire) {
            uint32_t smaller = wire;

            wire = captured;
            if (reader->lengths_reversed)
                captured = smaller;
        }
        if (captured > BUFFER_PACKET_MAX) {
            snprintf(input->damage, sizeof input->damage, "a captured length of %" PRIu32 " bytes",
                     captured);
            count = count > 0 ? count : INPUT_DAMAGED;
            break;
        }
        if ((size_t)(end - at) - header_bytes < captured) {
            input->need_bytes = header_bytes + captured;
            input->need_header_bytes = header_bytes;
            break;
        }
        out[count] = (struct packet){
            .data = at + header_bytes,
            .time_ns = (int64_t)bytes_load32(at, swapped) * 1000000000 +
                       (int64_t)bytes_load32(at + 4, swapped) * reader->fraction_ns,
            .frame = ++input->frames,
            .captured_bytes = captured,
            .wire_bytes = wire,
            .link_type = reader->link_type,
            .source = input->number,
            .fcs_bytes = reader->fcs_bytes,
        };
        if (reader->modified)
            fill_modified(&out[count], at, swapped);
        at += header_bytes + captured;
    }
    buffer->head = (size_t)(at - buffer->bytes);
    return count;
}

static int pcap_parse(void *data, struct input *input, struct packet *out, int max)
{
    const struct pcap_reader *reader = data;

    return reader->swapped ? parse_records(reader, input, out, max, true)
                           : parse_records(reader, input, out, max, false);
}

const struct file_format pcap_file_format = {pcap_matches, pcap_open, pcap_parse, free};
