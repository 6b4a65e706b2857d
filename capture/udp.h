/* UDP: not analysed itself, but the carrier of tunnels and of DNS. */
#ifndef TCPWHY_CAPTURE_UDP_H
#define TCPWHY_CAPTURE_UDP_H

#include "capture/layers.h"

/* Open what is carried on a port known for it; everything else counts as SKIP_NOT_TCP. */
enum decode_result udp_decode(struct layers *l, struct cursor c);
/* The datagram carries nothing for us. */
enum decode_result udp_skip(struct layers *l);

#endif
