/* Addresses as text, fast: a row for each of a million flows is no place for printf. */
#ifndef TCPWHY_REPORT_ADDRESS_H
#define TCPWHY_REPORT_ADDRESS_H

#include <stddef.h>

#include "analysis/result.h"

#define ADDRESS_TEXT_MAX 48

/* "192.0.2.10", or IPv6 as RFC 5952 writes it; returns the length, text ends in 0. */
size_t address_format(const struct ip_addr *addr, char text[ADDRESS_TEXT_MAX]);

#endif
