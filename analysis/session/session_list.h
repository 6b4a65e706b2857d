/* Results of all sessions, put together once at the end of the capture. */
#ifndef TCPWHY_ANALYSIS_SESSION_LIST_H
#define TCPWHY_ANALYSIS_SESSION_LIST_H

#include "analysis/session/dialogue.h"
#include "analysis/session/sessions.h"

/* Transfers listed at most, FTP's first; a result takes about 5 KiB. */
#define SESSION_LIST_TRANSFERS_MAX 20000u

struct flow_owner {
    uint64_t flow_id, session_id;
};

struct session_list {
    struct transfer_result **transfers; /* in order of start */
    size_t transfer_count, transfer_capacity;
    struct session_result *sessions;
    size_t session_count, session_capacity;
    uint64_t *ids; /* all flow_ids and transfer_ids of sessions */
    struct flow_owner *owners; /* in order of flow id */
    size_t owner_count, owner_capacity;
    uint64_t dropped; /* bulk transfers beyond the bound */
};

struct flow_source {
    sessions_flow_lookup *lookup;
    void *context;
};

/* From dialogues in order of their flows.  They must outlive the list: it uses their names and
 * lines. */
void session_list_build(struct session_list *list, struct dialogue *const *dialogues,
                        size_t count, const struct flow_source *flows);
/* For dialects: the session of a control flow, with its id and control_flow_id set and the flow
 * owned; the pointer holds until the next one is added. */
struct session_result *session_list_add_session(struct session_list *list, uint64_t flow_id);
/* For dialects: a transfer to be filled in, its session_id too. */
struct transfer_result *session_list_add_transfer(struct session_list *list);
/* For dialects: a flow belongs to a session. */
void session_list_own(struct session_list *list, uint64_t flow_id, uint64_t session_id);
/* Flows that no session owns become transfers; then all get their order and numbers. */
void session_list_finish(struct session_list *list, const uint64_t *bulk_flow_ids,
                         size_t bulk_count, const struct flow_source *flows);
/* 0 = none. */
uint64_t session_list_owner(const struct session_list *list, uint64_t flow_id);
void session_list_free(struct session_list *list);

#endif
