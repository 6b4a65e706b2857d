/* The formats, each defined in its own file, for the table in report.c; and how each ends. */
#ifndef TCPWHY_REPORT_FORMATS_H
#define TCPWHY_REPORT_FORMATS_H

#include "report/report.h"

extern const struct report_format report_text;
extern const struct report_format report_json;
extern const struct report_format report_jsonl;
extern const struct report_format report_csv;

/* Flush: 0, or -1 with errno set when any write to out failed. */
int report_end(FILE *out);

#endif
