/* Flows that may turn out to be control connections: remembered from their first packet to their
 * first payload, which usually settles it.  Bounded: a flood of new flows displaces the oldest,
 * and those on FTP's own ports have a place of their own. */
#ifndef TCPWHY_ANALYSIS_CANDIDATES_H
#define TCPWHY_ANALYSIS_CANDIDATES_H

#include "analysis/session/pairing.h"

/* Flow ids are consecutive numbers, so each row holds the newest flows: powers of two. */
#define CANDIDATES_MAX 16384u
#define CANDIDATES_FTP_MAX 4096u
/* Pieces of payload that may pass before a flow without a SYN says what it is. */
#define CANDIDATE_CHANCES 8

enum candidate_answer {
    CANDIDATE_NO,    /* not FTP, or unknown: no more payload is wanted */
    CANDIDATE_WAIT,  /* cannot tell yet */
    CANDIDATE_READ,  /* read it as a dialogue */
    CANDIDATE_TLS,   /* implicit FTPS */
};

struct candidates;

struct candidates *candidates_new(void);
void candidates_free(struct candidates *c);

void candidates_add(struct candidates *c, const struct pairing_flow *flow);

/* What the next piece of a flow's payload shows.  *flow is who it is unless the answer is NO,
 * *known_port whether its port is FTP's.  Only WAIT keeps the candidate. */
enum candidate_answer candidates_judge(struct candidates *c, uint64_t flow_id, bool from_server,
                                       const uint8_t *data, uint32_t length,
                                       struct pairing_flow *flow, bool *known_port);

#endif
