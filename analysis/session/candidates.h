/* Flows whose protocol is not known yet: remembered from their first packet to their first
 * payload, which usually settles it.  Bounded: a flood of new flows displaces the oldest, and
 * those on a port that a protocol calls its own have a place of their own. */
#ifndef TCPWHY_ANALYSIS_CANDIDATES_H
#define TCPWHY_ANALYSIS_CANDIDATES_H

#include "analysis/session/dialogue.h"

/* Flow ids are consecutive numbers, so each row holds the newest flows: powers of two. */
#define CANDIDATES_MAX 16384u
#define CANDIDATES_PORT_MAX 4096u
/* Pieces of payload that may pass before a flow must have said what it is. */
#define CANDIDATE_CHANCES 8

struct candidates;

struct candidates *candidates_new(void);
void candidates_free(struct candidates *c);

void candidates_add(struct candidates *c, const struct pairing_flow *flow);

/* What the next piece of a flow's payload shows: DIALECT_READ sets *dialect, *flow and
 * *known_port.  Only DIALECT_WAIT keeps the candidate. */
enum dialect_answer candidates_judge(struct candidates *c, uint64_t flow_id, bool from_server,
                                     const uint8_t *data, uint32_t length,
                                     const struct dialect **dialect, struct pairing_flow *flow,
                                     bool *known_port);

#endif
