/* Signals that end the reading of packets.  The report still comes; a second one of the same kind
 * ends the program at once. */
#ifndef TCPWHY_STOP_H
#define TCPWHY_STOP_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP only set a mark, and SIGPIPE does nothing. */
void stop_install(void);
/* True once one of them came. */
bool stop_requested(void);
/* End by the signal when it was SIGTERM or SIGHUP, so that the parent sees it; else return. */
void stop_reraise(void);

#endif
