/* What pcapng says of one interface: link type, clock, losses; and the options of any block. */
#ifndef TCPWHY_CAPTURE_PCAPNG_INTERFACE_H
#define TCPWHY_CAPTURE_PCAPNG_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pcapng_interface {
    int32_t link_type;
    uint32_t snaplen_bytes; /* 0 = no limit */
    uint8_t fcs_bytes;
    uint8_t binary_exponent;   /* if_tsresol 2^-n: n; 0 = a power of ten */
    uint64_t ticks_per_second; /* power of ten */
    uint64_t tick_ns;          /* whole nanoseconds a tick, 0 = the slow way */
    int64_t offset_s;          /* if_tsoffset */
    uint64_t if_drop, os_drop; /* latest statistics */
};

/* Walks the options of a block; ends at the end of its bytes, at opt_endofopt, or at an option
 * that is longer than what is left. */
struct pcapng_options {
    const uint8_t *at;
    size_t left;
    bool swapped;
};

/* The next option, or false at the end. */
bool pcapng_option_next(struct pcapng_options *options, uint16_t *code, const uint8_t **value,
                        uint16_t *length);

/* Fill from the body (at least 8 bytes) of an Interface Description Block. */
void pcapng_interface_read(struct pcapng_interface *interface, const uint8_t *body, size_t bytes,
                           bool swapped);

/* Unix time of a time stamp, kept within +-4e18 ns so that differences cannot overflow. */
int64_t pcapng_interface_time_ns(const struct pcapng_interface *interface, uint64_t ticks);

#endif
