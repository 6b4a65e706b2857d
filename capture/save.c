#include "capture/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/link_names.h"
#include "xmalloc.h"

#define NS_PER_S 1000000000
#define SNAPLEN 262144u
#define PCAP_MAGIC_NSEC 0xa1b23c4du
/* pcapng block types and the option that says nanoseconds (draft-ietf-opsawg-pcapng section 4) */
#define BLOCK_SECTION 0x0a0d0d0au
#define BLOCK_SECTION_ORDER 0x1a2b3c4du
#define BLOCK_INTERFACE 1u
#define BLOCK_PACKET 6u
#define OPTION_RESOLUTION (9u | 1u << 16)
#define RESOLUTION_NSEC 9u

struct save {
    FILE *file;
    char *path;
    bool pcapng, failed;
    int link_types[SOURCE_LINK_TYPES_MAX]; /* of pcapng's interfaces; of pcap the first counts */
    int link_type_count;
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

struct save *save_open(const char *path, char error[SOURCE_ERROR_MAX])
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");

    if (file == NULL) {
        snprintf(error, SOURCE_ERROR_MAX, "%.300s: %s. Name a file that can be written.", path,
                 strerror(errno));
        return NULL;
    }
    struct save *save = xcalloc(1, sizeof *save);
    save->file = file;
    save->path = xstrdup(path);
    save->pcapng = ends_with(path, ".pcapng");
    return save;
}

/* Words in the host's byte order, as both formats allow. */
static void put_words(struct save *save, const uint32_t *words, size_t count)
{
    fwrite(words, sizeof *words, count, save->file);
}

static void put_pcap_header(struct save *save, int link_type)
{
    const uint16_t version[2] = {2, 4};
    const uint32_t magic = PCAP_MAGIC_NSEC;
    const uint32_t rest[] = {0, 0, SNAPLEN, (uint32_t)link_type};

    put_words(save, &magic, 1);
    fwrite(version, sizeof version, 1, save->file);
    put_words(save, rest, 4);
}

static void put_section(struct save *save)
{
    const uint16_t version[2] = {1, 0};
    const uint32_t head[] = {BLOCK_SECTION, 28, BLOCK_SECTION_ORDER};
    const uint32_t rest[] = {UINT32_MAX, UINT32_MAX, 28}; /* length of the section: not known */

    put_words(save, head, 3);
    fwrite(version, sizeof version, 1, save->file);
    put_words(save, rest, 3);
}

static void put_interface(struct save *save, int link_type)
{
    const uint16_t link[2] = {(uint16_t)link_type, 0};
    const uint32_t head[] = {BLOCK_INTERFACE, 32};
    const uint32_t rest[] = {SNAPLEN, OPTION_RESOLUTION, RESOLUTION_NSEC, 0, 32};

    put_words(save, head, 2);
    fwrite(link, sizeof link, 1, save->file);
    put_words(save, rest, 5);
}

/* Number of the interface for a link type, announced at its first packet; -1 with one line in
 * error when the file can't hold it. */
static int interface_of(struct save *save, int link_type, char error[SOURCE_ERROR_MAX])
{
    int number = 0;

    while (number < save->link_type_count && save->link_types[number] != link_type)
        number++;
    if (number < save->link_type_count)
        return number;
    if (number == SOURCE_LINK_TYPES_MAX || (number == 1 && !save->pcapng)) {
        const char *name = link_type_name(link_type);

        snprintf(error, SOURCE_ERROR_MAX,
                 "%.200s: it cannot hold packets of another link type (%s, %d) too. Give it a name "
                 "that ends in .pcapng.",
                 save->path, name != NULL ? name : "unknown", link_type);
        return -1;
    }
    if (number == 0 && save->pcapng)
        put_section(save);
    if (save->pcapng)
        put_interface(save, link_type);
    else
        put_pcap_header(save, link_type);
    save->link_types[save->link_type_count++] = link_type;
    return number;
}

static void put_packet(struct save *save, const struct packet *packet, int interface)
{
    static const uint8_t padding[4] = {0};
    uint64_t time_ns = packet->time_ns > 0 ? (uint64_t)packet->time_ns : 0;
    uint32_t captured = packet->captured_bytes, wire = packet->wire_bytes;

    if (!save->pcapng) {
        const uint32_t head[] = {(uint32_t)(time_ns / NS_PER_S), (uint32_t)(time_ns % NS_PER_S),
                                 captured, wire};

        put_words(save, head, 4);
        fwrite(packet->data, 1, captured, save->file);
        return;
    }
    uint32_t padded = (captured + 3) & ~3u, length = 32 + padded;
    const uint32_t head[] = {
        BLOCK_PACKET, length, (uint32_t)interface, (uint32_t)(time_ns >> 32), (uint32_t)time_ns,
        captured,     wire};

    put_words(save, head, 7);
    fwrite(packet->data, 1, captured, save->file);
    fwrite(padding, 1, padded - captured, save->file);
    put_words(save, &length, 1);
}

/* Remember a failed write; errno says why. */
static bool note_failure(struct save *save, char error[SOURCE_ERROR_MAX])
{
    save->failed = true;
    snprintf(error, SOURCE_ERROR_MAX, "%.300s: %s. What was written before is kept.", save->path,
             strerror(errno));
    return false;
}

bool save_packets(struct save *save, const struct packet *packets, int count,
                  char error[SOURCE_ERROR_MAX])
{
    for (int i = 0; i < count && !save->failed; i++) {
        int interface = interface_of(save, packets[i].link_type, error);

        if (interface < 0) {
            save->failed = true;
            return false;
        }
        put_packet(save, &packets[i], interface);
        if (ferror(save->file))
            return note_failure(save, error);
    }
    return !save->failed;
}

bool save_close(struct save *save, char error[SOURCE_ERROR_MAX])
{
    bool good = true;

    if (save == NULL)
        return true;
    if (save->link_type_count == 0 && !save->failed) { /* no packet: still a capture file */
        if (save->pcapng)
            put_section(save);
        else
            put_pcap_header(save, 1);
    }
    if (fflush(save->file) != 0 && !save->failed)
        good = note_failure(save, error);
    if (save->file != stdout)
        fclose(save->file);
    free(save->path);
    free(save);
    return good;
}
