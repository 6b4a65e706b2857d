/* The capture as reports show it: plain values copied from the source and the decoder by the
 * program's main, so that report/ does not include capture/. */
#ifndef TCPWHY_REPORT_CAPTURE_INFO_H
#define TCPWHY_REPORT_CAPTURE_INFO_H

#include <stdbool.h>
#include <stdint.h>

#define CAPTURE_LINK_TYPES_MAX 16
#define CAPTURE_SKIP_MAX 16

struct capture_file {
    const char *name, *format, *compression; /* compression NULL = none */
    const char *link_types[CAPTURE_LINK_TYPES_MAX];
    int link_type_count;
    uint32_t snaplen_bytes; /* 0 = unknown */
    uint64_t packets;
    bool truncated;
    const char *warning;    /* NULL = none */
};

struct capture_skip {
    const char *name; /* "not_ip" ... */
    uint64_t count;
};

struct capture_info {
    const struct capture_file *files;
    int file_count;
    const char *tool_version;
    uint64_t packets, tcp_segments, captured_bytes, wire_bytes;
    bool drops_known;
    uint64_t dropped_kernel, dropped_interface;
    uint64_t clock_backward_repaired, clock_backward_steps;
    int64_t clock_backward_max_ns;
    uint64_t cut_headers, checksum_bad, tcp_fragments, length_from_frame, without_time;
    uint64_t udp, icmp, arp;
    struct capture_skip skips[CAPTURE_SKIP_MAX];
    int skip_count;
    int64_t first_ns, last_ns; /* of all packets; INT64_MIN = none */
};

#endif
