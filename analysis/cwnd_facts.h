/* What a direction's packets say of its sender's congestion window (RFC 5681), as plain data.
 *
 * The window is never on the wire: everything here is an estimate with bounds.  Sizes are bytes of
 * stream, spans nanoseconds; unknown is BYTES_UNKNOWN, NS_UNKNOWN, or below 0 for doubles. */
#ifndef TCPWHY_ANALYSIS_CWND_FACTS_H
#define TCPWHY_ANALYSIS_CWND_FACTS_H

#include <stdbool.h>
#include <stdint.h>

/* Why the window became smaller. */
enum cwnd_decrease {
    CWND_FALL_LOSS,    /* entry into fast recovery (RFC 5681 section 3.2, RFC 6675), or a tail probe
                          that repaired a loss (RFC 8985) */
    CWND_FALL_TIMEOUT, /* retransmission time-out (RFC 6298); its back-offs count once */
    CWND_FALL_ECN,     /* answer to a congestion mark (RFC 3168): the sender's CWR flag */
    CWND_FALL_IDLE,    /* restart after idle (RFC 5681 section 4.1) */
    CWND_FALLS
};

/* What the sender's window was doing. */
enum cwnd_state {
    CWND_SLOW_START,
    CWND_AVOIDANCE,
    CWND_RECOVERY,     /* after a loss or a mark, until what was out then is acknowledged */
    CWND_LOSS,         /* the same after a time-out */
    CWND_IDLE_RESTART, /* from the end of an idle period to its first acknowledgment */
    CWND_APP_LIMITED,  /* not the limit: application or the receiver's window is */
    CWND_STATES
};
const char *cwnd_state_name(enum cwnd_state state); /* "slow_start", "avoidance", ... */

/* Congestion control by its behaviour.  A name needs at least three clean loss epochs. */
enum cwnd_family { CWND_UNKNOWN, CWND_LOSS_BASED, CWND_RENO, CWND_CUBIC, CWND_BBR, CWND_FAMILIES };
const char *cwnd_family_name(enum cwnd_family family); /* "unknown", "loss_based", "reno", ... */

/* The sawtooth: falls by loss, time-out or mark, without the one that ended the first slow start;
 * a cycle runs from one fall to the next. */
struct oscillation_facts {
    uint32_t cycles;
    uint32_t falls;                    /* cycles + 1, or 0 */
    uint32_t after_rtt_growth;         /* falls before which the round trip had grown: a queue */
    uint32_t clean_epochs;             /* cycles in which the window grew undisturbed */
    int64_t period_ns;                 /* mean; NS_UNKNOWN without a cycle */
    double period_rtts;                /* the same in round trips, < 0 */
    uint64_t peak_bytes, valley_bytes; /* means: before a fall, and after it */
    double beta;                       /* valley / peak, < 0 unknown */
    double growth_segments;            /* mean growth in one round trip of avoidance, < 0 unknown */
    double loss_rate;                  /* falls by the segments sent between them, < 0 unknown */
};

struct cwnd_facts {
    bool known;             /* false: nothing below is */
    bool exact;             /* by the flight at departure (timestamps, or a tap at the sender);
                                    else by the replica of a sender between its anchors */
    uint64_t initial_bytes; /* first flight, where the window held it back */
    uint64_t min_bytes, mean_bytes, max_bytes, last_bytes; /* of the estimate over time */
    uint64_t error_bytes;    /* mean distance from the estimate to its bounds */
    uint64_t ssthresh_bytes; /* last one set */
    uint32_t decreases[CWND_FALLS];
    uint32_t undone; /* of those, taken back: the resends were not needed */
    struct oscillation_facts oscillation;
    enum cwnd_family family;
    int32_t family_confidence; /* enum confidence */
    /* avoidance while the window was the limit and grew: for "how long does growth take" */
    int64_t growth_ns; /* longest stretch between falls; 0 = none */
    uint64_t growth_from_bytes, growth_to_bytes, growth_rounds;
    uint64_t growth_from_frame, growth_to_frame;
    /* departures shaped by a rate rather than by acknowledgments */
    bool paced;
    uint64_t pacing_bytes_per_s; /* BYTES_UNKNOWN */
    int64_t probe_period_ns; /* between dips to about four segments (BBR's ProbeRTT); NS_UNKNOWN */
    /* time that the regrown window held the sender after a decrease of each kind, until the next */
    int64_t slow_start_ns[CWND_FALLS], avoidance_ns[CWND_FALLS];
    uint32_t timeout_turns; /* time-outs with a turn of the conversation since the one before */
    uint64_t idle_from_bytes, idle_to_bytes; /* at the last restart after idle; 0 = none */
    uint64_t idle_frame, timeout_frame;      /* of the last decrease of its kind, 0 = none */
    int64_t idle_at_ns, timeout_at_ns;       /* when those frames passed */
};

/* Facts of a direction of which nothing is known. */
struct cwnd_facts cwnd_facts_none(void);

/* A row of the course of the window: from t_ns on (replay clock: departure, shifted by the empty
 * path to the tap).  A rise to the next row is gradual, a fall happens at its row. */
struct cwnd_row {
    int64_t t_ns;
    uint64_t low_bytes, estimate_bytes, high_bytes;
    uint64_t ssthresh_bytes; /* BYTES_UNKNOWN before the first */
    enum cwnd_state state;
};

struct cwnd_series {
    uint32_t count;
    const struct cwnd_row *rows; /* owned by the analyzer */
};

#endif
