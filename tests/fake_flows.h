/* The flows of the written-down analysis (fake_analysis.h). */
#ifndef TCPWHY_TESTS_FAKE_FLOWS_H
#define TCPWHY_TESTS_FAKE_FLOWS_H

#include "analysis/result.h"

#define FAKE_START_NS INT64_C(1700000000123456789) /* 2023-11-14T22:13:20.123456789Z */

/* Fill the five flows that fake_analysis.h names. */
void fake_flows_fill(struct flow_result *flows);

#endif
