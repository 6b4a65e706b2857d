/* What is said on stderr: one line each, "tcpwhy: WHAT: WHY. What to do." */
#ifndef TCPWHY_MESSAGES_H
#define TCPWHY_MESSAGES_H

#include <stdbool.h>

#include "capture/source.h"
#include "run.h"

/* An error, and a warning.  Control bytes (of file names, say) are shown as '?'. */
void message_error(const char *text);
void message_warning(const char *text);

/* After reading: the files' warnings, and why there is nothing to judge when there is not.
 * False when the link type is the reason: then there is no report. */
bool messages_after_reading(const struct source *source, const struct run *run, bool filtered);

#endif
