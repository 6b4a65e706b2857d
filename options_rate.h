/* Rates as users write them, and the ceilings made of them. */
#ifndef TCPWHY_OPTIONS_RATE_H
#define TCPWHY_OPTIONS_RATE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/analyzer.h"

/* "2M", "100Mbit", "64kbit/s": bits per second; "18MB/s", "11520KB": bytes per second, K = 1000
 * (KiB, MiB, GiB: 1024).  A bare number is bits per second.  True with *bytes_per_s > 0, or false
 * and *bytes_per_s as it was. */
bool rate_parse(const char *text, double *bytes_per_s);

/* "LABEL=RATE", "LABEL=RATE/read" or "LABEL=RATE/write"; the direction becomes the end of the
 * ceiling's label ("disk/write").  False, with one line in error, when it is not of that form. */
bool ceiling_parse(const char *text, struct ceiling *out, char *error, size_t error_size);

#endif
