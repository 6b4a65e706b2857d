/* The capture as a whole: its judgement, and what its files have in common. */
#ifndef TCPWHY_REPORT_CAPTURE_HEALTH_H
#define TCPWHY_REPORT_CAPTURE_HEALTH_H

#include "analysis/health.h"
#include "report/view.h"

struct health_result capture_health(const struct view *view);
/* Packets skipped for one reason ("not_ip"), 0 when the capture has no such count. */
uint64_t capture_skipped(const struct capture_info *capture, const char *reason);
bool capture_is_truncated(const struct capture_info *capture);
/* Names of the files joined by ", "; as they are, not escaped.  The caller frees it. */
char *capture_source(const struct capture_info *capture);
/* First to last packet; NS_UNKNOWN without packets. */
int64_t capture_duration_ns(const struct capture_info *capture);

#endif
