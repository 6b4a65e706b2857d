/* What an analysis has found: plain values that reports and screens read and never compute.
 *
 * Words are CONTRACT.md section 2: everything in dir[C2S] concerns the data that the client sends
 * and the server's answers to it (acknowledgments, window).  Times are Unix nanoseconds, spans are
 * nanoseconds.  Unknown is a named value, never 0. */
#ifndef TCPWHY_ANALYSIS_RESULT_H
#define TCPWHY_ANALYSIS_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/cwnd_facts.h"
#include "analysis/limits.h"
#include "analysis/path_facts.h"
#include "analysis/loss_facts.h"
#include "analysis/moves_facts.h"
#include "analysis/pattern_facts.h"
#include "analysis/wait_facts.h"
#include "capture/segment.h"

#define NS_UNKNOWN INT64_MIN
#define BYTES_UNKNOWN UINT64_MAX

enum direction { C2S, S2C };

/* Where the number in window_scale comes from. */
enum scale_source {
    SCALE_UNKNOWN,  /* window fields cannot be turned into bytes: all rwnd figures unknown */
    SCALE_OPTION,   /* both SYNs seen: the advertiser's option (0 when either lacks it) */
    SCALE_EXACT,    /* no SYN; derived from window movements */
    SCALE_AT_LEAST, /* no SYN; the smallest scale that the flight seen permits */
};

enum rexmit_trigger { REXMIT_FAST, REXMIT_RTO, REXMIT_TAIL_PROBE, REXMIT_SYN, REXMIT_UNKNOWN, REXMIT_TRIGGERS };

/* Longest stretch of one limit in a direction, with the frames at its ends; frames 0 = none. */
struct limit_span {
    int64_t start_ns, duration_ns;
    uint64_t from_frame, to_frame;
};

/* Distribution of one kind of sample; all fields NS_UNKNOWN when samples == 0. */
struct sample_summary {
    int64_t min_ns, p50_ns, p95_ns, max_ns;
    uint64_t samples;
};

/* Flow-level series: a bucket of one plotted direction. */
struct series_bucket {
    uint64_t bytes;
    uint32_t flight_min_bytes, flight_max_bytes; /* flight_min UINT32_MAX = no sample */
    uint32_t rwnd_min_bytes;                     /* UINT32_MAX = no sample */
    uint32_t cwnd_bytes;                         /* 0 = no estimate */
    uint32_t rtt_min_us, rtt_max_us;             /* rtt_min UINT32_MAX = no sample */
    uint32_t retransmitted_segments;
    uint32_t limit_us[LIMIT_COUNT];
};

struct series_result {
    int64_t start_ns, bucket_ns;
    uint32_t count;
    const struct series_bucket *buckets; /* owned by the analyzer */
};

struct direction_result {
    /* counts of frames of this sender (copies excluded) */
    uint64_t packets, data_segments;
    uint64_t bytes;              /* distinct stream bytes seen or acknowledged-and-seen, no SYN/FIN */
    uint64_t stream_bytes;       /* sequence range covered, no SYN/FIN: at least bytes + gap_bytes */
    uint64_t gap_bytes;          /* acknowledged by the peer but never captured */
    /* negotiated */
    uint32_t mss_option;         /* of this sender's SYN; 0 = none or no SYN seen */
    uint32_t smss;               /* segment size it sends with, 0 = no data */
    int32_t window_scale;        /* of the receiver's window (the peer's option), -1 unknown */
    enum scale_source window_scale_source;
    bool syn_seen;               /* the SYN or SYN-ACK of this sender */
    bool syn_cut;                /* its options were not captured whole: one not seen may be there */
    bool syn_has_wind_shift, syn_has_sack, syn_has_timestamps;
    bool sack_permitted, timestamps, ecn; /* in force on the connection; timestamps: seen */
    uint64_t syn_frame;
    /* retransmissions, loss, order */
    uint64_t retransmitted_segments; /* seen by the capture or proven upstream: what the sender's
                                        kernel counts; super-segments count by smss */
    uint64_t retransmitted_bytes;
    uint64_t retransmissions[REXMIT_TRIGGERS];
    uint64_t spurious_retransmissions;
    uint64_t loss_events, lost_downstream_segments, lost_upstream_segments;
    uint64_t reordered_segments, network_duplicates;
    uint64_t duplicate_frames;       /* the same packet captured again */
    uint64_t keep_alives, window_probes;
    uint64_t late_segments;          /* after the end of the connection: counted, not believed */
    uint64_t implausible_segments;   /* sequence numbers that cannot belong: injected, stale */
    uint64_t unneeded_overlap_bytes;
    /* answers to this data */
    uint64_t dup_acks, sack_acks, dsack_acks;
    uint64_t acks;                   /* pure ACKs for this data */
    uint64_t window_updates;
    uint64_t window_shrunk;          /* right edge moved left */
    /* receiver's window for this data, scaled; min..max are BYTES_UNKNOWN when unknown.
     * Windows in SYN segments are never scaled and not counted here. */
    uint64_t rwnd_min_bytes, rwnd_mean_bytes, rwnd_max_bytes;
    uint64_t rwnd_syn_bytes;         /* window of the receiver's SYN, unscaled; BYTES_UNKNOWN */
    uint64_t rwnd_max_frame;
    uint64_t zero_window_episodes;
    int64_t zero_window_ns;          /* from the advertisement of 0 to the next non-zero one */
    int64_t window_full_ns;          /* sender clock: less than one smss of the window free */
    uint64_t rounds, rounds_window_full; /* round trips of data; those that met the window's edge */
    /* flight at the sender */
    uint64_t flight_mean_bytes, flight_max_bytes; /* BYTES_UNKNOWN when no acknowledgments seen */
    uint64_t initial_window_bytes;   /* first flight before any acknowledgment; 0 unknown */
    /* round trip of this data, whole path, as the sender sees it */
    struct sample_summary rtt;
    int64_t near_min_ns, far_min_ns; /* legs tap->sender and tap->receiver; NS_UNKNOWN */
    struct cwnd_facts cwnd;          /* estimates */
    uint64_t idle_restarts;
    /* times */
    int64_t first_data_ns, last_data_ns; /* at the tap; NS_UNKNOWN without data */
    uint64_t first_data_frame, last_data_frame;
    int64_t last_ack_ns;                 /* last acknowledgment that covered new data; NS_UNKNOWN */
    int64_t elapsed_ns;                  /* == sum of limit_ns: first data to last ack, sender clock */
    int64_t limit_ns[LIMIT_COUNT];
    struct limit_span worst[LIMIT_COUNT];
    int64_t longest_silence_ns;          /* between data departures while the flow was open */
    uint64_t longest_silence_frame;      /* the frame that ended it */
    bool fin, rst;
    int64_t fin_ns, rst_ns;
    uint64_t fin_frame, rst_frame;
    bool limits_followed;                /* false: too many flows at once, limits are all unknown */
    uint64_t full_segments;              /* data segments of smss size */
    uint64_t push_segments, urgent_segments;
    uint64_t super_segments;             /* larger than the peer's MSS option: offload */
    uint64_t max_payload_bytes;
    uint64_t ce_marked, ece_seen;
    struct path_facts path;
    struct loss_facts loss;          /* what its losses looked like */
    struct moves_facts moves;            /* how the window moved */
    struct pattern_facts pattern;
    struct wait_facts waits;
};

enum flow_state { FLOW_SYN_ONLY, FLOW_OPEN, FLOW_CLOSED, FLOW_RESET };
enum tap_position { TAP_UNKNOWN, TAP_CLIENT, TAP_SERVER, TAP_MIDDLE };

struct endpoint {
    struct ip_addr addr;
    uint16_t port;
};

struct flow_result {
    uint64_t id; /* 1-based, order of first packet */
    struct endpoint client, server;
    uint32_t tunnel_id;
    uint16_t vlan;
    uint16_t source; /* file that its first packet came from */
    bool role_known; /* a SYN said who is the client */
    bool one_way;    /* packets in one direction only */
    enum flow_state state;
    int64_t start_ns, end_ns; /* first and last frame */
    uint64_t first_frame, last_frame;
    enum tap_position position;
    int64_t client_leg_ns, server_leg_ns, handshake_rtt_ns; /* NS_UNKNOWN */
    uint64_t syn_retransmissions;
    uint64_t rst_ignored;     /* resets outside the window: injected or stale */
    bool handshake_seen;      /* SYN and SYN-ACK */
    bool evicted;             /* closed early to bound memory */
    uint8_t client_ttl, server_ttl; /* smallest seen at the tap, 0 = none */
    struct direction_result dir[2];
    struct series_result series[2]; /* count 0 unless asked for */
    struct cwnd_series cwnd_series[2]; /* the same */
};

/* One packet that supports a sentence. */
#define EVIDENCE_TEXT_MAX 120
struct evidence {
    uint64_t frame;
    int64_t time_ns;
    const char *fact; /* stable word, e.g. "no_window_scale" */
    char text[EVIDENCE_TEXT_MAX];
};

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };
enum actor { ACTOR_CLIENT, ACTOR_SERVER, ACTOR_NETWORK, ACTOR_CAPTURE };

/* A change that would help; the words are report/advice.c's. */
struct advice {
    enum actor who;
    const char *change;             /* stable word: "receive_buffer", "window_scaling", ... */
    uint64_t value_bytes;           /* BYTES_UNKNOWN = no figure */
    double predicted_bytes_per_s;   /* < 0 = no prediction */
    double predicted_s;             /* < 0 = no prediction */
};

#define BOUND_NAME_MAX 40
struct bound {
    char name[BOUND_NAME_MAX];      /* window_over_rtt, slow_start, loss_model, link, ceiling:LABEL */
    double bytes_per_s;
    bool holds;                     /* the smallest that the measured rate comes near */
};

/* What the largest window fills of a link, and what would fill it; the round trip is the smallest. */
struct window_efficiency {
    double link_bytes_per_s;
    double share;                   /* 0..1 */
    double needed_bytes;            /* link_bytes_per_s x round trip */
};

/* What a change would bring, by the models of the bounds. */
struct what_if {
    const char *change;             /* "larger_window", "larger_send_buffer", "no_loss",
                                       "four_streams", "half_rtt" */
    double bytes_per_s, seconds;    /* of the whole transfer */
    const char *next;               /* name of the bound that takes over; NULL = none is known */
};

#define VERDICT_WHAT_IFS_MAX 5
#define VERDICT_TEXT_MAX 480
#define VERDICT_NOTES_MAX 8
#define VERDICT_EVIDENCE_MAX 8
#define VERDICT_ADVICE_MAX 4
#define VERDICT_EFFICIENCIES_MAX 4
#define VERDICT_BOUNDS_MAX 24
#define VERDICT_EFFICIENCIES_MAX 4
struct verdict {
    int cause_id;                   /* row of the catalogue; 0 = unknown */
    const char *cause;              /* slug: "receive_window" ..., "unknown" */
    double share_pct;               /* of the bulk time that it explains; < 0 = no share */
    enum confidence confidence;
    char headline[VERDICT_TEXT_MAX]; /* one sentence: who and what */
    char text[VERDICT_TEXT_MAX];     /* the arithmetic */
    int second_cause_id;             /* 0 = none */
    const char *second_cause;        /* NULL = none */
    double second_share_pct;
    int ruled_out_count, unknown_count, evidence_count, advice_count, bound_count;
    const char *ruled_out[VERDICT_NOTES_MAX]; /* stable words: "loss", "sender", ... */
    const char *unknown[VERDICT_NOTES_MAX];   /* stable words: "one_way_delay", ... */
    struct evidence evidence[VERDICT_EVIDENCE_MAX];
    struct advice advice[VERDICT_ADVICE_MAX];
    struct bound bounds[VERDICT_BOUNDS_MAX];
    int efficiency_count;            /* 0 where window or round trip is unknown */
    struct window_efficiency efficiencies[VERDICT_EFFICIENCIES_MAX]; /* 2, 20, 200 Mbit/s, --link */
    int what_if_count;
    struct what_if what_ifs[VERDICT_WHAT_IFS_MAX];
};

enum phase_kind {
    PHASE_NAME_LOOKUP, PHASE_CONNECT, PHASE_GREETING, PHASE_LOGIN, PHASE_COMMAND,
    PHASE_DATA_CONNECT, PHASE_OPEN, PHASE_SLOW_START, PHASE_BULK, PHASE_TAIL, PHASE_CLOSE,
    PHASE_ABORT, PHASE_KINDS
};
const char *phase_name(enum phase_kind kind);

struct phase {
    enum phase_kind kind;
    int64_t start_ns, duration_ns;
};

/* Time from the first phase's start to the last one's end, at least least_ns: what shares of phases
 * are shares of (a close comes after the end of the data). */
static inline int64_t phases_span_ns(const struct phase *phases, int count, int64_t least_ns)
{
    for (int i = 0; i < count; i++) {
        int64_t span = phases[i].start_ns + phases[i].duration_ns - phases[0].start_ns;
        least_ns = span > least_ns ? span : least_ns;
    }
    return least_ns;
}

#define TRANSFER_NAME_MAX 1024
#define TRANSFER_PHASES_MAX 16
enum ender { ENDED_UNKNOWN, ENDED_BY_CLIENT, ENDED_BY_SERVER };

struct transfer_result {
    uint64_t id;               /* 1-based, in order of start */
    const char *protocol;      /* "ftp", "ftps", "bulk" */
    const char *verb;          /* "RETR", "STOR", "LIST", ...; NULL for bulk */
    char name[TRANSFER_NAME_MAX + 1]; /* as on the wire, any bytes but 0; escaped by the report */
    enum direction direction;  /* of the data, in the words of the data flow */
    bool passive;              /* FTP: PASV, EPSV or LPSV */
    bool ascii_type;           /* FTP: TYPE A in force */
    uint64_t flow_id;          /* data flow; 0 = none seen */
    uint64_t control_flow_id;  /* 0 = none */
    uint64_t session_id;       /* 0 = none */
    uint64_t bytes;            /* delivered on the data flow */
    uint64_t expected_bytes;   /* from 150 or SIZE minus REST; BYTES_UNKNOWN */
    bool complete;
    bool complete_known;
    enum ender ended_by;       /* who stopped first, for transfers that did not complete */
    int final_reply;           /* FTP: 226, 426, ...; 0 = none seen */
    uint64_t final_reply_frame, abort_frame; /* ABOR, 0 = none */
    int64_t start_ns, duration_ns;           /* first command or SYN to the end of data */
    double goodput_bytes_per_s;              /* over first data to last acknowledgment; < 0 unknown */
    int64_t bulk_start_ns, bulk_ns;          /* of the data, without set-up and close */
    int phase_count;
    struct phase phases[TRANSFER_PHASES_MAX];
    /* connections with bulk data from the same host to the same host, itself included, that were
     * there for half of its time and more; what they carried together in that time */
    uint32_t parallel_streams;
    double parallel_bytes_per_s; /* < 0 = unknown */
    struct verdict verdict;
};

struct command_result {
    int64_t time_ns;
    uint64_t frame;
    bool from_server;
    const char *text; /* one line, passwords already replaced by **** unless show_pass */
};

struct session_result {
    uint64_t id;
    const char *protocol; /* "ftp", "ftps" */
    struct endpoint client, server;
    uint64_t control_flow_id;
    const char *user;     /* NULL = none seen */
    uint64_t turns;
    double turns_per_s, turn_bytes_mean, rtt_share_pct; /* < 0 unknown */
    int64_t think_ns;
    int64_t start_ns, end_ns;
    size_t flow_count, transfer_count, command_count;
    const uint64_t *flow_ids, *transfer_ids;
    const struct command_result *commands;
    int phase_count;
    struct phase phases[TRANSFER_PHASES_MAX];
};

enum event_kind {
    EVENT_FLOW_START, EVENT_FLOW_END, EVENT_RESET, EVENT_RETRANSMISSION, EVENT_TIMEOUT,
    EVENT_ZERO_WINDOW, EVENT_WINDOW_OPEN, EVENT_GAP, EVENT_IDLE_RESTART, EVENT_ICMP,
    EVENT_CLOCK_STEP, EVENT_KINDS
};
enum event_level { LEVEL_INFO, LEVEL_NOTICE, LEVEL_WARNING };

struct event_result {
    int64_t time_ns;
    uint64_t frame, flow_id;
    enum event_kind kind;
    enum direction direction;
    uint64_t value; /* bytes, nanoseconds or MTU by kind */
};

/* Counters of the analysis as a whole; the capture's own are source_facts and decode_counts. */
struct analysis_counts {
    uint64_t segments, flows, transfers, sessions;
    uint64_t duplicate_frames, duplicate_mirror, duplicate_routed, duplicate_vlan, duplicate_interface;
    uint64_t super_segments, one_way_flows, syn_missing_flows, gap_bytes, data_bytes;
    uint64_t unseen_data_flows; /* one way, and it acknowledges: the data went past elsewhere */
    uint64_t transfers_not_listed; /* bulk flows beyond those judged */
    uint64_t evicted_flows, unfollowed_flows, rst_ignored, implausible_segments, late_segments;
    uint64_t icmp_fragmentation_needed, icmp_unreachable, icmp_other, dns_queries, dns_answers;
    uint64_t events_dropped, commands_dropped;
    int64_t first_ns, last_ns;
};

#endif
