/* Begin and end of a connection: SYN, SYN-ACK, the first ACK, RST, FIN. */
#ifndef TCPWHY_ANALYSIS_HANDSHAKE_H
#define TCPWHY_ANALYSIS_HANDSHAKE_H

#include "analysis/connection/tracker.h"

/* True when a SYN begins another connection than the one that holds its five-tuple. */
bool handshake_is_new(const struct flow *flow, enum direction dir, const struct segment *seg);

/* Take a SYN or SYN-ACK.  Returns false when it does not belong (another ISN than the one agreed). */
bool handshake_syn(struct tracker *t, struct flow *flow, enum direction dir,
                   const struct segment *seg);

/* The first ACK from the client: completes the handshake RTT and settles the server's ISN. */
void handshake_first_ack(struct flow *flow, const struct segment *seg);

/* Take a RST; one that lies outside the window is counted and ignored (RFC 5961). */
void handshake_rst(struct tracker *t, struct flow *flow, enum direction dir,
                   const struct segment *seg);

#endif
