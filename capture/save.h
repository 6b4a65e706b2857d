/* Packets into a capture file: pcap with nanosecond times (one link type), or pcapng when the
 * file's name ends in .pcapng (any number of them). */
#ifndef TCPWHY_CAPTURE_SAVE_H
#define TCPWHY_CAPTURE_SAVE_H

#include <stdbool.h>

#include "capture/packet.h"
#include "capture/source.h"

struct save;

/* Create path ("-" is standard output); the file's header is written with the first packet.  NULL
 * on failure with one line in error. */
struct save *save_open(const char *path, char error[SOURCE_ERROR_MAX]);

/* Write packets.  False, with one line in error, when that failed; nothing more is written then. */
bool save_packets(struct save *save, const struct packet *packets, int count,
                  char error[SOURCE_ERROR_MAX]);

/* Write what is still buffered and close; NULL is allowed.  False with one line in error. */
bool save_close(struct save *save, char error[SOURCE_ERROR_MAX]);

#endif
