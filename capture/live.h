/* Packets of a device through libpcap.  The filter, the snaplen and the direction are set in the
 * kernel; the packets are copied into the input's buffer and go the same way as a file's. */
#ifndef TCPWHY_CAPTURE_LIVE_H
#define TCPWHY_CAPTURE_LIVE_H

#include "capture/input.h"

/* Open a device and drop privileges.  NULL on failure, then error holds one line and *usage_error
 * is true when the filter or an option is at fault. */
struct input *live_open(const char *device, const struct source_options *opt,
                        char error[SOURCE_ERROR_MAX], bool *usage_error);

#endif
