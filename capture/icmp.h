/* ICMP and ICMPv6 errors that quote a TCP header. */
#ifndef TCPWHY_CAPTURE_ICMP_H
#define TCPWHY_CAPTURE_ICMP_H

#include "capture/layers.h"

/* DECODE_NOTICE with l->notice filled, or skipped: anything but an error about TCP whose ports and
 * sequence number are quoted. */
enum decode_result icmp_decode(struct layers *l, struct cursor c);
enum decode_result icmpv6_decode(struct layers *l, struct cursor c);

#endif
