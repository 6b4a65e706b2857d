/* Collects pattern_facts.h of one direction. */
#ifndef TCPWHY_ANALYSIS_PATTERN_H
#define TCPWHY_ANALYSIS_PATTERN_H

#include "analysis/result.h"

/* The facts of a direction that was not followed. */
void pattern_unknown(struct pattern_facts *out);

#endif
