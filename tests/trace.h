/* Traces for tests that read like packetdrill scripts: two hosts, a path between them, a tap on
 * the path.
 *
 * A script moves time forward and lets hosts send.  Everything is said in true time at the host
 * that sends; when a packet passes the tap, when it arrives, which acknowledgment, SACK blocks and
 * echoed timestamp (RFC 7323 section 4.3) the other host then sends follow from the path.  So the
 * same script shows the same connection at any tap, and only the truth has to be stated.
 *
 * Stream offsets count payload bytes: 0 is the first byte after the SYN. */
#ifndef TCPWHY_TESTS_TRACE_H
#define TCPWHY_TESTS_TRACE_H

#include "analysis/analyzer.h"

#define MS_NS INT64_C(1000000)
#define US_NS INT64_C(1000)
#define TRACE_NO_SCALE (-1)

enum ip_id_mode { IP_ID_COUNTER, IP_ID_ZERO, IP_ID_RANDOM };

/* What becomes of a packet. */
enum trace_fate {
    FATE_DELIVERED,
    FATE_LOST_UPSTREAM,   /* between its sender and the tap: not captured */
    FATE_LOST_DOWNSTREAM, /* captured, then lost */
    FATE_NOT_CAPTURED,    /* delivered, but the capture missed it */
};

enum trace_copy {
    COPY_NONE,
    COPY_MIRROR,    /* the same frame again */
    COPY_ROUTED,    /* TTL less one, other link addresses */
    COPY_VLAN,      /* the same packet with a VLAN tag */
    COPY_INTERFACE, /* the same frame on another interface */
};

struct trace_options {
    int64_t rtt_ns;
    double tap;       /* place of the tap on the path: 0 at the client, 1 at the server */
    uint32_t mss;     /* in both MSS options; 0 = none sent */
    bool timestamps, sack;
    int64_t tick_ns;  /* of both timestamp clocks */
    int wind_shift[2];        /* option of client and server, TRACE_NO_SCALE = none */
    uint32_t window_bytes[2]; /* that client and server advertise */
    enum ip_id_mode ip_id[2];
    uint32_t isn[2];
    uint16_t client_port, server_port;
    uint16_t vlan[2]; /* tag of client's and server's frames, 0 = none */
    uint32_t tunnel_id;
    int64_t start_ns;
    int64_t skew_ns[2]; /* added to the capture time of client's and server's frames */
    uint8_t hops;
};

struct trace_range {
    int64_t left, right;
    uint64_t stamp; /* when it last grew: newest block first (RFC 2018 section 4) */
};

#define TRACE_RANGES_MAX 256

/* A host; positions count the SYN: the SYN is 0, stream offset n is position n + 1. */
struct trace_host {
    int64_t snd_nxt, snd_una;
    int64_t send_limit; /* right edge of the window that the peer has advertised */
    int64_t rcv_nxt, last_ack_sent;
    uint32_t window_bytes, ts_recent;
    uint16_t next_ip_id;
    struct trace_range ranges[TRACE_RANGES_MAX]; /* received out of order */
    size_t range_count;
    struct trace_range dsack; /* to report in the next ACK; left == right: none */
    size_t first_pending;     /* index of the first packet not yet arrived here */
};

struct trace_packet {
    struct segment seg;
    enum direction from;
    int64_t left, right; /* positions */
    int64_t departed_ns, arrives_ns, tap_ns;
    bool captured, absorbed;
    enum trace_copy copy;
    int64_t copy_delay_ns;
};

struct trace {
    struct trace_options options;
    struct trace_host host[2]; /* by the direction that it sends in */
    struct trace_packet *packets;
    size_t count, capacity;
    int64_t now_ns;
    uint64_t stamp;
    uint32_t random;
    enum trace_fate fate; /* of the next fate_count packets */
    unsigned fate_count;
    int64_t delay_before_ns, delay_after_ns; /* of the next packet, before and after the tap */
    enum trace_copy copy;                    /* of every packet from now on */
    int64_t copy_delay_ns;
};

/* RTT 50 ms, tap at the client, MSS 1460, timestamps of 1 ms, SACK, scale 7 and a window of
 * 1 MiB both ways, counting IP IDs, ports 40000 and 5001. */
struct trace_options trace_defaults(void);
/* A connection that has not begun; NULL = defaults.  Released with trace_free. */
struct trace *trace_new(const struct trace_options *options);
void trace_free(struct trace *t);

void trace_wait_us(struct trace *t, int64_t us);
void trace_wait_ms(struct trace *t, int64_t ms);
/* Half a round trip; with a spare microsecond so that what was sent has arrived. */
void trace_wait_path(struct trace *t);

/* Payload bytes of a full segment: MSS less 12 bytes of timestamps. */
uint32_t trace_smss(const struct trace *t);

/* One segment with these flags at a stream offset (-1 = one before the first byte); ack, SACK and
 * timestamps as the host has them now.  Later changes through the returned segment are allowed
 * until the next call. */
struct segment *trace_send(struct trace *t, enum direction from, unsigned flags, int64_t offset,
                           uint32_t bytes);
void trace_syn(struct trace *t, enum direction from);
void trace_syn_ack(struct trace *t);
/* SYN, SYN-ACK, ACK at their right times; ends as the ACK leaves the client. */
void trace_handshake(struct trace *t);
/* The state after a handshake that nobody captured, the streams at these offsets. */
void trace_begin_established(struct trace *t, int64_t client_offset, int64_t server_offset);
/* New data in segments of at most the full size, 12 us apart. */
void trace_data(struct trace *t, enum direction from, uint32_t bytes);
/* New data in one frame whatever its size. */
struct segment *trace_frame(struct trace *t, enum direction from, uint32_t bytes);
/* New data with these bytes as payload; text must outlive the trace. */
void trace_text(struct trace *t, enum direction from, const char *text);
void trace_resend(struct trace *t, enum direction from, int64_t offset, uint32_t bytes);
/* A pure ACK of everything that has arrived, with SACK and D-SACK where due. */
struct segment *trace_ack(struct trace *t, enum direction from);
void trace_fin(struct trace *t, enum direction from);
struct segment *trace_rst(struct trace *t, enum direction from);
/* The window advertised from now on. */
void trace_window(struct trace *t, enum direction from, uint32_t bytes);
/* Next stream offset of new data. */
int64_t trace_offset(const struct trace *t, enum direction from);

/* Fate of the next count packets of whichever host. */
void trace_fate(struct trace *t, enum trace_fate fate, unsigned count);
/* The next packet travels longer, before or after the tap. */
void trace_delay(struct trace *t, int64_t before_tap_ns, int64_t after_tap_ns);
/* The capture holds the last packet twice; or every packet from now on. */
void trace_copy_last(struct trace *t, enum trace_copy copy, int64_t delay_ns);
void trace_copy_all(struct trace *t, enum trace_copy copy, int64_t delay_ns);
/* The network delivers the last packet a second time, so much later. */
void trace_duplicate_last(struct trace *t, int64_t delay_ns);

/* Let the next packet that has arrived at a host by now take effect; NULL = none left.  For
 * simulators; everything else calls it as needed. */
const struct trace_packet *trace_absorb(struct trace *t, enum direction host);
/* When the next packet arrives at this host; INT64_MAX = none under way. */
int64_t trace_next_arrival(const struct trace *t, enum direction host);

struct trace_loss {
    uint32_t segment; /* by number, 0 = the first of the bulk */
    enum trace_fate fate;
};

struct trace_bulk_options {
    enum direction from;
    uint32_t segments;      /* full-size segments to deliver */
    uint32_t cwnd_segments; /* constant limit of the sender; 0 = slow start from 10, no bound */
    uint32_t per_frame;     /* full-size segments in one frame of the capture; 0 = 1 */
    uint32_t reorder_every; /* every so many-th segment arrives reorder_ns late; 0 = none */
    int64_t reorder_ns;
    bool reorder_after_tap;
    bool ignore_holes; /* resend on time-out only (as RACK does within its reordering window) */
    const struct trace_loss *losses; /* of first transmissions */
    size_t loss_count;
    int64_t spacing_ns;     /* between segments on the sender's link; 0 = 12 us */
    int64_t rto_ns;         /* 0 = 300 ms */
};

/* What the simulated sender did. */
struct trace_bulk_result {
    uint64_t retransmitted, fast, timeouts, acks;
};

/* A sender with the whole stream at hand: SACK recovery (hole with three segments SACKed above),
 * time-out; the receiver acknowledges every second segment, or after 40 ms, and at once when
 * something is missing.  Ends when all is acknowledged at the sender.  result may be NULL. */
void trace_bulk(struct trace *t, const struct trace_bulk_options *options,
                struct trace_bulk_result *result);

#define TRACE_FLOWS_MAX 8
struct trace_findings {
    struct analysis_counts counts;
    uint64_t flow_count;
    struct flow_result flows[TRACE_FLOWS_MAX];
};

/* What the tap captured of one trace or several, in time order and fed in batches of 32; flows
 * come back in order of their first frame.  Fails the running test when an invariant of results
 * is broken (trace_check.c). */
void trace_feed(struct trace *const *traces, size_t count, struct analyzer *analyzer);
void trace_analyze(struct trace *const *traces, size_t count, struct trace_findings *findings);
/* For traces that must be one flow: that flow, and t is freed. */
void trace_result(struct trace *t, struct flow_result *flow);
/* What must hold for any flow: the times of limits sum to the elapsed time, counts fit. */
void trace_check_flow(const struct flow_result *flow);

#endif
