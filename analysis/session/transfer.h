/* One transfer as the report shows it: what every protocol's transfers have in common, and those
 * of connections that belong to no session. */
#ifndef TCPWHY_ANALYSIS_TRANSFER_H
#define TCPWHY_ANALYSIS_TRANSFER_H

#include "analysis/result.h"

/* Everything unknown, the verdict zeroed. */
void transfer_clear(struct transfer_result *out);

/* Flow, bytes, time and rate of the data in out->direction. */
void transfer_fill_data(struct transfer_result *out, const struct flow_result *flow);
/* From out->start_ns to end_ns, which may be unknown: 0. */
void transfer_fill_duration(struct transfer_result *out, int64_t end_ns);
/* End of the data; NS_UNKNOWN without. */
int64_t transfer_bulk_end(const struct transfer_result *out);
/* End of the handshake of a connection, NS_UNKNOWN without one. */
int64_t transfer_handshake_end(const struct flow_result *flow);

/* The end (by what it sends) that stopped first, with FIN or RST.  False when neither did. */
bool transfer_first_stop(const struct flow_result *flow, enum direction *end);
/* Did the end that receives, or a reset by the sender, stop the data?  False where the sender's FIN
 * may be among what the capture lacks. */
bool transfer_was_cut_off(const struct flow_result *flow, enum direction data);

/* A flow with bulk data that belongs to no session; ended_by in the roles of the flow. */
void transfer_from_bulk(const struct flow_result *flow, struct transfer_result *out);

#endif
