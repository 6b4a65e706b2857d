/* A program that writes pieces to a connection, and what TCP makes of them: segments by Nagle's
 * algorithm, a send buffer that holds the program up, a receiver that delays acknowledgments. */
#ifndef TCPWHY_TESTS_TRACE_WRITES_H
#define TCPWHY_TESTS_TRACE_WRITES_H

#include "tests/trace.h"

struct trace_writes_options {
    enum direction from;
    uint32_t writes, write_bytes;
    const uint32_t *sizes;      /* of the writes in turn, when they differ; NULL = write_bytes */
    uint32_t size_count;
    int64_t write_ns;           /* what the program needs for a piece before it writes it */
    uint32_t send_buffer_bytes; /* a write waits until it fits; 0 = any size fits */
    uint32_t wait_every;        /* after so many writes the program waits for all to be acknowledged;
                                   0 = never */
    uint32_t flight_bytes;      /* bound on what is out (a congestion window); 0 = none */
    bool nodelay;               /* a piece below a full segment leaves at once (TCP_NODELAY) */
    uint32_t ack_segments;      /* an ACK for so many; 0 = 2 (RFC 1122) */
    int64_t ack_delay_ns;       /* for fewer; 0 = 40 ms */
    int64_t spacing_ns;         /* between segments on the sender's link; 0 = 12 us */
    /* queues before and after the tap that ACKs and data meet, once two fifths of the writes are done */
    int64_t ack_queue_ns[2], data_queue_ns[2];
};

struct trace_writes_result {
    uint64_t segments, acks, delayed_acks; /* those sent by the receiver's timer */
};

/* Runs until all is acknowledged at the sender.  result may be NULL. */
void trace_writes(struct trace *t, const struct trace_writes_options *options,
                  struct trace_writes_result *result);

#endif
