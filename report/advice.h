/* The words of remedies (struct advice), for who can change it. */
#ifndef TCPWHY_REPORT_ADVICE_H
#define TCPWHY_REPORT_ADVICE_H

#include <stdbool.h>

#include "analysis/result.h"

/* True when the rate of the path is not known: what a verdict predicts is then the best case. */
bool advice_is_upper_bound(const struct verdict *verdict);

/* One sentence without a full stop: what to change where, with its value and what to expect of it.
 * The caller frees it. */
char *advice_sentence(const struct advice *advice, bool upper_bound, bool bits);

/* The names of the settings on common systems; NULL when there is none. */
const char *advice_settings(const struct advice *advice);

#endif
