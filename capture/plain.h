/* The short way for what nearly every packet of a capture is. */
#ifndef TCPWHY_CAPTURE_PLAIN_H
#define TCPWHY_CAPTURE_PLAIN_H

#include "capture/decode.h"

/* Fill a segment from an Ethernet frame with IPv4 and TCP, no tag, no IP options, no fragment, and
 * no TCP options but aligned timestamps, all headers captured.  Returns false for anything else:
 * then the segment holds nothing of use. */
bool plain_decode(const struct packet *packet, bool verify_checksums,
                  struct decode_counts *counts, struct segment *seg);

#endif
