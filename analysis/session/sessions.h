/* Application dialogues over flows: FTP control connections, their data connections, and the
 * transfers that come of them.  The connection layer calls in as flows start and as payload
 * arrives in order; at the end it asks for transfers, giving access to flow results. */
#ifndef TCPWHY_ANALYSIS_SESSIONS_H
#define TCPWHY_ANALYSIS_SESSIONS_H

#include "analysis/result.h"

struct sessions;

struct sessions *sessions_new(bool keep_commands, bool show_passwords);
void sessions_free(struct sessions *s);

/* A flow began (SYN, or its first segment when no SYN was seen: role_known false).  client is the
 * end that sent the SYN, or the higher port.  Returns true when its payload should be handed to
 * sessions_payload: it may be a control connection. */
bool sessions_flow_start(struct sessions *s, uint64_t flow_id, const struct endpoint *client,
                         const struct endpoint *server, bool role_known, int64_t time_ns,
                         uint64_t frame);

/* Payload of a possible control connection, in stream order without repeats.  offset is the
 * 64-bit stream offset of data[0]; a jump says that bytes are missing (captured bytes may also be
 * fewer than sent).  urgent: the segment carried URG.  Returns false when no more payload of this
 * flow is wanted (it is not a control connection). */
bool sessions_payload(struct sessions *s, uint64_t flow_id, enum direction dir, uint64_t offset,
                      const uint8_t *data, uint32_t length, bool urgent, int64_t time_ns,
                      uint64_t frame);

/* DNS messages, for the name look-up phase. */
void sessions_notice(struct sessions *s, const struct notice *notice);

/* Access to flow results for sessions_finish: fills *out for flow id. */
typedef void sessions_flow_lookup(void *context, uint64_t flow_id, struct flow_result *out);

/* Pair, complete and list sessions and transfers.  bulk_flow_ids are the flows that carried bulk
 * data, in order of start; those that no session claims become "bulk" transfers.  Verdicts are
 * left zeroed.  Call once. */
void sessions_finish(struct sessions *s, const uint64_t *bulk_flow_ids, size_t bulk_count,
                     sessions_flow_lookup *lookup, void *context);

size_t sessions_transfer_count(const struct sessions *s);
struct transfer_result *sessions_transfer(struct sessions *s, size_t index);
size_t sessions_count(const struct sessions *s);
const struct session_result *sessions_get(const struct sessions *s, size_t index);
/* Id of the session that owns a flow (control or data), 0 = none. */
uint64_t sessions_of_flow(const struct sessions *s, uint64_t flow_id);
/* Commands or expectations not kept because a bound was reached. */
uint64_t sessions_dropped(const struct sessions *s);

#endif
