/* Classic pcap: both byte orders, micro- and nanoseconds, Kuznetzov's modified records, AIX. */
#ifndef TCPWHY_CAPTURE_PCAP_FILE_H
#define TCPWHY_CAPTURE_PCAP_FILE_H

#include "capture/file_input.h"

extern const struct file_format pcap_file_format;

#endif
