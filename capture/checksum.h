/* The Internet checksum of TCP (RFC 1071, RFC 9293 section 3.1). */
#ifndef TCPWHY_CAPTURE_CHECKSUM_H
#define TCPWHY_CAPTURE_CHECKSUM_H

#include <stdbool.h>
#include <stdint.h>

/* True when size bytes of TCP header and payload agree with their checksum under the pseudo header
 * of two addresses of addr_bytes each. */
bool checksum_tcp_good(const uint8_t *src, const uint8_t *dst, uint32_t addr_bytes,
                       const uint8_t *tcp, uint32_t size);

#endif
