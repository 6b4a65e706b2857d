/* Names of link types as libpcap prints them ("EN10MB"), for messages and reports. */
#ifndef TCPWHY_CAPTURE_LINK_NAMES_H
#define TCPWHY_CAPTURE_LINK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Name of a LINKTYPE_ value, or NULL when it has none here. */
const char *link_type_name(int link_type);
/* True when decode_packet() can open packets of this type. */
bool link_type_supported(int link_type);
/* Comma-separated names of all supported types into text (cut to size). */
void link_type_list(char *text, size_t size);

#endif
