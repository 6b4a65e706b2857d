/* Can this capture carry conclusions?  One judgement over its counters. */
#ifndef TCPWHY_ANALYSIS_HEALTH_H
#define TCPWHY_ANALYSIS_HEALTH_H

#include "analysis/result.h"

/* What the capture itself knows, as plain values. */
struct health_input {
    const struct analysis_counts *counts;
    uint64_t dropped; /* by kernel and interface, as far as known */
    uint64_t clock_backward_steps;
    uint64_t cut_headers;
    uint64_t without_time;
    uint64_t unsupported_link; /* packets of link types without a decoder */
    uint64_t truncated_files;
};

/* The least of them decides: a note lowers nothing. */
enum health_verdict { HEALTH_NOTE, HEALTH_GOOD = HEALTH_NOTE, HEALTH_DEGRADED, HEALTH_UNFIT };

struct health_problem {
    const char *id; /* stable word */
    uint64_t count; /* packets, flows or bytes, > 0 */
    enum health_verdict weight;
};

#define HEALTH_PROBLEMS_MAX 16
struct health_result {
    enum health_verdict verdict;
    int problem_count;
    struct health_problem problems[HEALTH_PROBLEMS_MAX]; /* in the order of the table */
};

/* Unfit: data in one direction only in every flow, or more than 5 % of the data not captured.
 * Degraded: dropped packets, more than 0.1 % of the data not captured, time that runs backwards,
 * cut headers, packets without time, a file cut at its end, or most flows without their SYN. */
struct health_result health_judge(const struct health_input *in);

/* "good", "degraded", "unfit". */
const char *health_verdict_name(enum health_verdict verdict);

#endif
