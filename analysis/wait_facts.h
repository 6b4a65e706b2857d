/* Single waits of one direction's sender: the longest silences, waits for the peer's message, and
 * partial segments that waited for an acknowledgment. */
#ifndef TCPWHY_ANALYSIS_WAIT_FACTS_H
#define TCPWHY_ANALYSIS_WAIT_FACTS_H

#include <stdint.h>

#include "analysis/limits.h"

/* Silences kept: the longest ones. */
#define STALLS_MAX 8

/* Nothing departed for more than two round trips (TAPO, Zhou et al. 2015: min(2 SRTT, RTO)), or
 * 200 ms where the round trip is not known. */
struct stall {
    int64_t start_ns, duration_ns;   /* sender's time */
    uint64_t from_frame, to_frame;   /* departures before and after */
    enum limit limit;                /* that had most of it */
    uint32_t reserved;
};

struct wait_facts {
    uint64_t turns;            /* departures that answered data of the peer */
    uint64_t message_most_bytes; /* the most that went without an answer to the peer in between */
    int64_t turn_ns;           /* waiting for the peer's messages, its thinking included */
    int64_t think_ns;          /* of that, beyond a round trip: the peer's application */
    int64_t answer_ns;         /* from the peer's last data to the departure: this sender's own */
    uint64_t plateau_low_bytes, plateau_bytes; /* flight of the longest time of a send buffer, smallest
                                  and largest in its round trips; 0 = none */
    int64_t plateau_ns;
    uint64_t nagle_waits;      /* a partial segment waited for all outstanding to be acknowledged */
    uint64_t nagle_delayed;    /* of those, longer than a round trip by a delayed ACK's 35 ms and more */
    int64_t nagle_longest_ns;
    uint64_t nagle_frame;      /* that ended the longest */
    uint64_t stalls_seen;      /* ever; the longest are kept */
    uint32_t stall_count;
    uint32_t reserved;
    struct stall stalls[STALLS_MAX]; /* longest first */
};

#endif
