/* Sun snoop files, version 2 (RFC 1761). */
#ifndef TCPWHY_CAPTURE_SNOOP_H
#define TCPWHY_CAPTURE_SNOOP_H

#include "capture/file_input.h"

extern const struct file_format snoop_format;

#endif
