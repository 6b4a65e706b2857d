/* Figures with their units for people: decimal prefixes, never "-0", never above 100 %. */
#ifndef TCPWHY_REPORT_UNITS_H
#define TCPWHY_REPORT_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* A short text by value, so that it can stand in an argument list. */
#define UNITS_TEXT_MAX 80
struct units_text {
    char text[UNITS_TEXT_MAX];
};

struct units_text units_count(uint64_t count); /* "41,022" */
struct units_text units_things(uint64_t count, const char *one, const char *many); /* "1 flow" */
struct units_text units_bytes(uint64_t bytes); /* "26,214,400 bytes"; BYTES_UNKNOWN "unknown" */
/* "86.5 kB/s (0.692 Mbit/s)", the other way round with bits; below 0: "unknown". */
struct units_text units_rate(double bytes_per_s, bool bits);
/* The same without what stands in brackets, for columns. */
struct units_text units_rate_short(double bytes_per_s, bool bits);
/* "0.430 ms", "280 ms", "9.88 s", "303.2 s", "1 h 02 min"; below 0: "unknown". */
struct units_text units_duration(int64_t ns);
struct units_text units_seconds(double seconds);
/* "98.2 %", held within 0..100; "< 0.1 %" for what is more than nothing; "unknown". */
struct units_text units_pct(double pct);

/* 100 part / whole within 0..100; 0 when whole is not positive. */
double units_share_pct(int64_t part, int64_t whole);

#endif
