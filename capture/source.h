/* Where packets come from: capture files (several are merged in time order), a pipe, or a
 * device.  A source repairs time that runs backwards by up to 10 ms and counts larger steps. */
#ifndef TCPWHY_CAPTURE_SOURCE_H
#define TCPWHY_CAPTURE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/packet.h"

#define SOURCE_ERROR_MAX 512
#define SOURCE_LINK_TYPES_MAX 16

struct source;

struct source_options {
    const char *filter;     /* pcap filter expression, NULL = all; compiled per link type */
    bool follow;            /* wait at the end of a growing file */
    uint64_t max_packets;   /* stop after so many that pass the filter; 0 = no limit */
    /* device only */
    int snaplen_bytes;      /* 0 = default (128) */
    int buffer_kib;         /* 0 = default (64 MiB) */
    bool no_promiscuous;
    int direction;          /* 0 both, 1 in, 2 out */
    int link_type;          /* -1 = the device's default */
    const char *timestamp_type;
    const char *drop_to_user; /* -Z; NULL = SUDO_UID's user when run by sudo */
};

/* What is known about one file or device; grows while it is read. */
struct source_facts {
    const char *name;         /* path, "-" or device */
    const char *format;       /* "pcap", "pcap-nsec", "pcap-modified", "pcap-aix", "pcapng", "snoop", "live" */
    const char *compression;  /* NULL, "gzip", "zstd", "xz", "lz4" */
    int link_types[SOURCE_LINK_TYPES_MAX];
    int link_type_count;
    uint32_t snaplen_bytes;   /* the largest seen; 0 = unknown or unlimited */
    uint64_t packets;         /* read, before the filter */
    uint64_t filtered_out;
    uint64_t file_bytes_read; /* of the file as stored */
    uint64_t file_bytes;      /* size if known, else 0 */
    bool truncated;           /* ends inside a packet or block, or is damaged */
    char warning[SOURCE_ERROR_MAX]; /* empty, or one line: WHAT: WHY. What to do. */
    bool drops_known;
    uint64_t dropped_kernel, dropped_interface;
    uint64_t backward_repaired; /* packets put back in order (within 10 ms) */
    uint64_t backward_steps;    /* larger steps, left as they came */
    int64_t backward_max_ns;
    uint64_t without_time;      /* packets that carry no time stamp */
};

/* Open files for one merged analysis; path "-" is standard input.  NULL on failure, then error
 * holds one line without the program's name ("WHAT: WHY. What to do.") and *usage_error is true
 * when the fault is the filter.  opt may be NULL. */
struct source *source_open_files(const char *const *paths, int count,
                                 const struct source_options *opt, char error[SOURCE_ERROR_MAX],
                                 bool *usage_error);

/* Open a device.  Privileges are dropped to the invoking user before this returns. */
struct source *source_open_device(const char *device, const struct source_options *opt,
                                  char error[SOURCE_ERROR_MAX], bool *usage_error);

#define SOURCE_END (-1)
#define SOURCE_FAILED (-2)

/* Most packets of one call of source_read. */
#define SOURCE_READ_MAX 128

/* Up to max packets (1..SOURCE_READ_MAX) in time order: *out receives where they are.  Returns their
 * number; 0 when nothing came within 100 ms (device, pipe, growing file); SOURCE_END at the end;
 * SOURCE_FAILED after a fault that ended reading (the facts' warning says which).  The packets and
 * their bytes stay valid until the next call; the caller may write into the packets. */
int source_read(struct source *source, struct packet **out, int max);

/* Number of files, and what is known of file i; valid until source_close. */
int source_count(const struct source *source);
const struct source_facts *source_facts(const struct source *source, int i);

void source_close(struct source *source);

/* One line for each capture device on stdout-ready form: "NAME  description"; the caller frees
 * the text; NULL with error filled when devices cannot be listed. */
char *source_list_devices(char error[SOURCE_ERROR_MAX]);
/* Link types that a device offers, one a line ("NAME  description"); NULL on error. */
char *source_list_link_types(const char *device, char error[SOURCE_ERROR_MAX]);

#endif
