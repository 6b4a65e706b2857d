/* Outputs: a const table of formats over the finished analysis. */
#ifndef TCPWHY_REPORT_REPORT_H
#define TCPWHY_REPORT_REPORT_H

#include <stdio.h>

#include "analysis/analyzer.h"
#include "report/capture_info.h"

struct report_options {
    uint64_t only_flow;     /* --flow N, 0 = all */
    const char *match;      /* --match WORDS, NULL = all */
    bool series, evidence, events, mask, show_passwords;
    bool bits;              /* --units bits */
    bool quiet, verbose;
    const char *filter;     /* shown in capture.filter; NULL */
};

struct report_input {
    const struct analyzer *analysis;
    const struct capture_info *capture;
    const struct report_options *options;
};

/* One output format. */
struct report_format {
    const char *name;        /* "text", "json", "jsonl", "csv" */
    const char *description;
    /* Write the whole report; returns 0, or -1 with errno set when writing failed. */
    int (*write)(const struct report_input *input, FILE *out);
};

/* Format by name, NULL when there is none; and the i-th format (NULL after the last). */
const struct report_format *report_format_find(const char *name);
const struct report_format *report_format_at(int i);

#endif
