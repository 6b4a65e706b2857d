/* One transfer as the report shows it, from what the control connection said and what the data
 * connection carried. */
#ifndef TCPWHY_ANALYSIS_TRANSFER_H
#define TCPWHY_ANALYSIS_TRANSFER_H

#include "analysis/session/ftp.h"
#include "analysis/result.h"

/* A transfer of an FTP session; flow is its data connection, NULL = none seen.  ended_by is in
 * the roles of the control connection: in active mode its client is the data flow's server.  id
 * and session_id are left 0, the verdict zeroed. */
void transfer_from_ftp(const struct ftp_dialogue *d, const struct ftp_transfer *ftp,
                       const struct flow_result *flow, struct transfer_result *out);

/* A flow with bulk data that belongs to no session; ended_by in the roles of the flow. */
void transfer_from_bulk(const struct flow_result *flow, struct transfer_result *out);

#endif
