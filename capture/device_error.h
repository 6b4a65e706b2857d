/* Why a device could not be opened, and what to do. */
#ifndef TCPWHY_CAPTURE_DEVICE_ERROR_H
#define TCPWHY_CAPTURE_DEVICE_ERROR_H

#include "capture/source.h"

/* One line for a status of pcap_activate below 0; reason is libpcap's text. */
void device_explain(const char *device, int status, const char *reason,
                    char error[SOURCE_ERROR_MAX]);

#endif
