/* Building a verdict: each call adds one line, and drops it when the list is full. */
#ifndef TCPWHY_ANALYSIS_VERDICT_H
#define TCPWHY_ANALYSIS_VERDICT_H

#include "analysis/result.h"

/* The text of struct verdict's headline and text; both always end in 0. */
void verdict_set_headline(struct verdict *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void verdict_append_text(struct verdict *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A packet that supports the verdict; frame 0 (none) adds nothing.  fact is a FACT_ word. */
void verdict_add_evidence(struct verdict *v, uint64_t frame, int64_t time_ns, const char *fact,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));

/* An ADVICE_ word with its figure (BYTES_UNKNOWN = none) and prediction (< 0 = none). */
void verdict_add_advice(struct verdict *v, enum actor who, const char *change,
                        uint64_t value_bytes, double predicted_bytes_per_s, double predicted_s);

/* NOTE_ words. */
void verdict_rule_out(struct verdict *v, const char *note);
void verdict_leave_open(struct verdict *v, const char *note);

/* A bound by name (prefix and label are joined); a rate below 0 is unknown and adds nothing. */
void verdict_add_bound(struct verdict *v, const char *prefix, const char *label,
                       double bytes_per_s);

#endif
