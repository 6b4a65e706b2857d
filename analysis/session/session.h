/* One session as the report shows it. */
#ifndef TCPWHY_ANALYSIS_SESSION_H
#define TCPWHY_ANALYSIS_SESSION_H

#include "analysis/session/ftp.h"
#include "analysis/result.h"

/* From the dialogue and its control flow: all but ids of the session, of flows and transfers. */
void session_from_ftp(const struct ftp_dialogue *d, const struct flow_result *control,
                      struct session_result *out);

#endif
