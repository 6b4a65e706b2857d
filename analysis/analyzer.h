/* The facade of analysis/: segments in, results out.
 *
 * Feed segments in time order; call analyzer_finish once at the end of the capture; then read
 * results.  No printing, no clock, no globals: two analyzers can live in one process.  Memory is
 * bounded by max_flows (README, limits). */
#ifndef TCPWHY_ANALYSIS_ANALYZER_H
#define TCPWHY_ANALYSIS_ANALYZER_H

#include "analysis/result.h"

struct analyzer;

#define CEILINGS_MAX 16
struct ceiling {
    char label[BOUND_NAME_MAX - 8];
    double bytes_per_s;
};

struct analyzer_options {
    uint64_t max_flows;           /* 0 = 1,000,000 */
    bool series;                  /* keep time series of flows with bulk data */
    bool events;                  /* keep events */
    bool commands;                /* keep control lines */
    bool show_passwords;
    double link_bytes_per_s;      /* --link as a gross bit rate / 8; 0 = not given */
    struct ceiling ceilings[CEILINGS_MAX];
    int ceiling_count;
    uint64_t capture_drops;       /* set by analyzer_set_drops while reading */
};

struct analyzer *analyzer_new(const struct analyzer_options *options);

/* Take count segments in time order.  Payload pointers are not kept. */
void analyzer_feed(struct analyzer *a, const struct segment *segments, size_t count);
void analyzer_notice(struct analyzer *a, const struct notice *notice);
/* Packets that the capture lost, in all so far: lowers the confidence of verdicts. */
void analyzer_set_drops(struct analyzer *a, uint64_t drops);

/* End of the capture: close what is open, pair sessions, judge.  Call once. */
void analyzer_finish(struct analyzer *a);

const struct analysis_counts *analyzer_counts(const struct analyzer *a);
uint64_t analyzer_flow_count(const struct analyzer *a);
/* Copy the result of flow id (1..count) into *out.  Returns false, with *out zeroed, when there is
 * none: the flow was evicted to bound memory. */
bool analyzer_flow(const struct analyzer *a, uint64_t id, struct flow_result *out);
size_t analyzer_transfer_count(const struct analyzer *a);
const struct transfer_result *analyzer_transfer(const struct analyzer *a, size_t index);
size_t analyzer_session_count(const struct analyzer *a);
const struct session_result *analyzer_session(const struct analyzer *a, size_t index);
size_t analyzer_event_count(const struct analyzer *a);
const struct event_result *analyzer_event(const struct analyzer *a, size_t index);

void analyzer_free(struct analyzer *a);

#endif
