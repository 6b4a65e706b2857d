/* A pcap filter expression, compiled for each link type that comes up. */
#ifndef TCPWHY_CAPTURE_FILTER_H
#define TCPWHY_CAPTURE_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/packet.h"

struct filter;

/* expression is copied. */
struct filter *filter_new(const char *expression);
void filter_free(struct filter *filter);

/* Compile for one link type (again is cheap).  False: error (size bytes) holds libpcap's words;
 * packets of this type never match then. */
bool filter_compile(struct filter *filter, int link_type, char *error, size_t size);

/* Keep the packets that match, in order, at the front of packets[0..count).  Returns how many.
 * *refused is set to a link type that the expression cannot be compiled for, when one comes up. */
int filter_apply(struct filter *filter, struct packet *packets, int count, int *refused);

/* Write one line that refuses the expression for libpcap's reason. */
void filter_explain(const char *expression, const char *reason, char *error, size_t size);

#endif
