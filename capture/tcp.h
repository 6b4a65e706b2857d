/* The TCP header and its options. */
#ifndef TCPWHY_CAPTURE_TCP_H
#define TCPWHY_CAPTURE_TCP_H

#include "capture/layers.h"

/* Fill l->seg from a TCP header (RFC 9293 section 3.1) and what the layers around it said. */
enum decode_result tcp_decode(struct layers *l, struct cursor c);

/* The option list (RFC 9293 section 3.1) as far as it is there; what is cut or of impossible length
 * sets TCP_OPT_CUT and, where the next option cannot be found, ends the walk. */
void tcp_read_options(struct cursor c, struct tcp_options *opt);

#endif
