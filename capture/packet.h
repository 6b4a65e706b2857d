/* One captured packet as a source delivers it: bytes, lengths, time, link type. */
#ifndef TCPWHY_CAPTURE_PACKET_H
#define TCPWHY_CAPTURE_PACKET_H

#include <stdint.h>

/* Time of a packet whose block carries none (pcapng simple packet blocks). */
#define PACKET_TIME_UNKNOWN INT64_MIN

struct packet {
    const uint8_t *data;  /* valid until the next read from its source */
    int64_t time_ns;      /* Unix time, or PACKET_TIME_UNKNOWN before source.c has filled it in */
    uint64_t frame;       /* 1-based, in the order of its own file, before any filter */
    uint32_t captured_bytes;
    uint32_t wire_bytes;  /* >= captured_bytes */
    int32_t link_type;    /* LINKTYPE_ value of the savefile registry */
    uint16_t interface;   /* number within its file */
    uint16_t source;      /* number of the file */
    uint8_t direction;    /* 0 unknown, 1 inbound, 2 outbound (pcapng epb_flags) */
    uint8_t fcs_bytes;    /* trailing FCS bytes if the file says so, else 0 */
};

#endif
