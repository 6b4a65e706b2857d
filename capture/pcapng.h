/* pcapng: sections of either byte order, interfaces with their own link types and clocks. */
#ifndef TCPWHY_CAPTURE_PCAPNG_H
#define TCPWHY_CAPTURE_PCAPNG_H

#include "capture/file_input.h"

extern const struct file_format pcapng_format;

#endif
