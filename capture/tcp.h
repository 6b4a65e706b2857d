/* The TCP header and its options. */
#ifndef TCPWHY_CAPTURE_TCP_H
#define TCPWHY_CAPTURE_TCP_H

#include "capture/layers.h"

/* Fill l->seg from a TCP header (RFC 9293 section 3.1) and what the layers around it said. */
enum decode_result tcp_decode(struct layers *l, struct cursor c);

#endif
