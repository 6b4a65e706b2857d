/* The answer of --check as an exit status. */
#ifndef TCPWHY_CHECK_H
#define TCPWHY_CHECK_H

#include "analysis/analyzer.h"

#define EXIT_DONE 0
#define EXIT_COULD_NOT 1
#define EXIT_USAGE 2
#define EXIT_LIMITED 3
#define EXIT_NO_EVIDENCE 4

/* EXIT_LIMITED when a transfer is limited by cause (0 = by any that slows one), EXIT_NO_EVIDENCE
 * when no transfer could be judged, else EXIT_DONE.  only_flow: of that connection (0 = all). */
int check_exit_status(const struct analyzer *analysis, int cause, uint64_t only_flow);

/* The same by the causes of count transfers alone. */
int check_causes(const int *cause_ids, size_t count, int cause);

#endif
