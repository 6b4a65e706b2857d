/* DNS over UDP: who asked for which name, and which addresses came back. */
#ifndef TCPWHY_CAPTURE_DNS_H
#define TCPWHY_CAPTURE_DNS_H

#include "capture/layers.h"

/* A message (RFC 1035 section 4.1) from src_port to dst_port: DECODE_NOTICE with l->notice filled
 * when its first question can be read, else skipped. */
enum decode_result dns_decode(struct layers *l, struct cursor c, uint16_t src_port,
                              uint16_t dst_port);

#endif
