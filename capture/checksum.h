/* The Internet checksum of TCP (RFC 1071, RFC 9293 section 3.1). */
#ifndef TCPWHY_CAPTURE_CHECKSUM_H
#define TCPWHY_CAPTURE_CHECKSUM_H

#include "capture/layers.h"

/* True when size bytes of TCP header and payload agree with their checksum under the pseudo header
 * of the innermost IP header of l. */
bool checksum_tcp_good(const struct layers *l, const uint8_t *tcp, uint32_t size);

#endif
