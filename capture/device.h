/* Capture devices through libpcap: opening one with all its settings, and the words for what can
 * go wrong.  The lists are declared in capture/source.h. */
#ifndef TCPWHY_CAPTURE_DEVICE_H
#define TCPWHY_CAPTURE_DEVICE_H

#include <pcap.h>
#include <stdbool.h>

#include "capture/source.h"

/* Open and activate a device in non-blocking mode, filter and direction set in the kernel.
 * block_timeout_ms is how long the kernel may collect packets.  NULL on failure with one line in
 * error; *usage_error is set when an option is at fault. */
pcap_t *device_open(const char *device, const struct source_options *opt, int block_timeout_ms,
                    char error[SOURCE_ERROR_MAX], bool *usage_error);

#endif
