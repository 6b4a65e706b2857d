/* What every output needs beside the analysis itself: which flows and transfers are asked for, what
 * things are called, and which transfer and session a flow belongs to. */
#ifndef TCPWHY_REPORT_VIEW_H
#define TCPWHY_REPORT_VIEW_H

#include "report/address.h"
#include "report/report.h"

struct mask;
struct flow_owner;

struct view {
    const struct analyzer *analysis;
    const struct capture_info *capture;
    const struct report_options *options;
    int64_t origin_ns;          /* time 0 of the report: the capture's first packet */
    struct mask *mask;          /* NULL = names are shown */
    struct flow_owner *transfer_owners, *session_owners; /* sorted by flow */
    size_t transfer_owner_count, session_owner_count;
};

void view_open(struct view *view, const struct report_input *input);
void view_close(struct view *view);

/* Nanoseconds since the start of the report; NS_UNKNOWN stays.  What lies before it (a clock that
 * ran backwards, a departure that the sender's clock places before its first frame) is 0. */
int64_t view_since_start(const struct view *view, int64_t time_ns);

/* The transfer whose data a flow carried, NULL = none; the session that it belongs to, 0 = none. */
const struct transfer_result *view_transfer_of_flow(const struct view *view, uint64_t flow_id);
const struct session_result *view_session_of_flow(const struct view *view, uint64_t flow_id);

/* "192.0.2.10", or "host-1". */
size_t view_address(const struct view *view, const struct ip_addr *addr,
                    char text[ADDRESS_TEXT_MAX]);
/* File and user name as they came, or "file-1", "user-1"; the caller frees it.  NULL in, NULL
 * out; no name ("") stays none. */
char *view_file_name(const struct view *view, const char *name);
char *view_user_name(const struct view *view, const char *user);
/* Control line: with a mask only its command or reply code; the caller frees it. */
char *view_command(const struct view *view, const struct command_result *command);
/* Protocol of a flow: of its session or transfer; NULL = not known. */
const char *view_protocol_of_flow(const struct view *view, uint64_t flow_id);

/* True when --flow and --match let it through. */
bool view_wants_transfer(const struct view *view, const struct transfer_result *t);
bool view_wants_flow(const struct view *view, const struct flow_result *f);
bool view_wants_session(const struct view *view, const struct session_result *s);
/* True when all are wanted: nobody needs to ask one by one. */
bool view_wants_all(const struct view *view);

#endif
