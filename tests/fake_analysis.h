/* An analysis that is written down instead of computed: a test of a report states what was found,
 * and reads what is said of it.  It stands in for analysis/analyzer.c at link time. */
#ifndef TCPWHY_TESTS_FAKE_ANALYSIS_H
#define TCPWHY_TESTS_FAKE_ANALYSIS_H

#include "report/report.h"

#define FAKE_MAX 8

struct analyzer {
    struct flow_result flows[FAKE_MAX]; /* flow id n is flows[(n - 1) % flow_kinds] */
    uint64_t flow_kinds, flow_count;
    struct transfer_result transfers[FAKE_MAX];
    size_t transfer_kinds, transfer_count; /* as flows: index % kinds */
    struct session_result sessions[2];
    size_t session_count;
    struct event_result events[FAKE_MAX];
    size_t event_count;
    struct analysis_counts counts;
};

struct fake {
    struct analyzer analysis;
    struct capture_file files[2];
    struct capture_info capture;
    struct report_options options;
    struct report_input input;
};

/* Flows and transfers of fake_open. */
enum {
    FAKE_CONTROL = 1, /* FTP control connection of session 1 */
    FAKE_GET = 2,     /* its data: 26,214,400 bytes at 280.6 ms with a window of 24,820 */
    FAKE_RESET = 3,   /* bulk data, reset by the client; closed windows, losses, a lossy capture */
    FAKE_UNKNOWN = 4, /* nothing is known */
    FAKE_SHORT = 5,   /* a short exchange, no transfer; IPv6 */
};

void fake_open(struct fake *fake);
/* The report in one format; the caller frees it. */
char *fake_report(const struct fake *fake, const char *format);

/* A direction's window oscillates as Reno's does: 23 cycles of 2.2 s, 48 to 24 segments of 1,460
 * bytes, over a queue of its own: idle 100 ms, loaded 190 ms, 12.5 Mbit/s. */
void fake_sawtooth(struct direction_result *d);

/* Only the first transfer remains, or none. */
void fake_keep_transfers(struct fake *fake, size_t count);

#endif
