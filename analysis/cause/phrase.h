/* Figures in words, for the sentences of verdicts: plain ASCII, digits in
 * groups of three. */
#ifndef TCPWHY_ANALYSIS_PHRASE_H
#define TCPWHY_ANALYSIS_PHRASE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/limits.h"

/* A short text by value, so that it can stand in an argument list. */
#define PHRASE_MAX 64
struct phrase {
    char text[PHRASE_MAX];
};

struct phrase phrase_count(uint64_t count);         /* "24,820" */
struct phrase phrase_rate(double bytes_per_s);      /* "88.6 kB/s", K = 1000; "unknown" */
struct phrase phrase_bits(double bytes_per_s);      /* "100 Mbit/s"; "unknown" */
struct phrase phrase_seconds(double seconds);       /* "280 ms", "0.430 ms", "9.88 s"; "unknown" */
struct phrase phrase_span(int64_t ns);              /* the same of nanoseconds */
struct phrase phrase_pct(double pct);               /* "62 %", below 10 one decimal */
struct phrase phrase_decimal(double value);         /* three significant digits: "3.27" */
/* "17 x MSS 1460", "5 x MSS 1456 + 912"; without smss the bytes alone. */
struct phrase phrase_window(uint64_t window_bytes, uint32_t smss);

/* What a sender waits for, in the report's words: "congestion window". */
const char *phrase_limit(enum limit limit);

/* Up to four limits of at least least_pct, the largest first: "congestion window 62 %, loss
 * recovery 20 %".  Empty when there is none.  Always ends in 0. */
void phrase_shares(const double share_pct[LIMIT_COUNT], double least_pct, char *out, size_t size);

#endif
