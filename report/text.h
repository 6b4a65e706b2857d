/* The parts of the text report, each in its own file. */
#ifndef TCPWHY_REPORT_TEXT_H
#define TCPWHY_REPORT_TEXT_H

#include "report/text_out.h"
#include "report/view.h"

#define TEXT_LIST_MAX 50 /* rows of any list, without -v */

/* text_names.c; the caller frees each. */
char *text_transfer_title(const struct view *view, const struct transfer_result *t);
/* "192.0.2.10 > 198.51.100.20", in the way of the data; with ports for what is not FTP. */
char *text_transfer_ends(const struct view *view, const struct transfer_result *t);
char *text_endpoint(const struct view *view, const struct endpoint *end);
/* "26,214,400 bytes", "10 of 26,214,400 bytes" when it stopped before its end. */
char *text_transfer_bytes(const struct transfer_result *t);
const char *text_phase(enum phase_kind kind);

/* Flow of a transfer's data into *flow; false when it is not in the capture. */
bool text_data_flow(const struct view *view, const struct transfer_result *t,
                    struct flow_result *flow);

/* text_transfer.c: the answer for one transfer, on one screen; in a list of several without its
 * charts.  With -q what, why and what to try. */
void text_transfer(const struct view *view, const struct transfer_result *t, bool alone, FILE *out);
/* text_waits.c: shares of the phases, and of what the sender waited for, with or without a bar. */
void text_phase_shares(const struct transfer_result *t, FILE *out);
void text_waits(const struct direction_result *d, bool bar, FILE *out);
/* The longest silences of its sender; nothing when there was none. */
void text_stalls(const struct view *view, const struct direction_result *d, FILE *out);
/* text_bounds.c: what could be reached at most, beside the measured rate. */
void text_bounds(const struct view *view, const struct transfer_result *t, FILE *out);
/* What a change would bring, and what limits next; nothing where no model says so. */
void text_what_ifs(const struct view *view, const struct verdict *v, FILE *out);
/* text_evidence.c: with --evidence, each packet of the verdict and what to look at. */
void text_evidence(const struct view *view, const struct verdict *v, FILE *out);
/* text_figures.c: with --evidence, each number of its arithmetic and where that is seen. */
void text_figures(const struct view *view, const struct transfer_result *t,
                  const struct flow_result *flow, FILE *out);
/* text_detail.c: everything else that is known of it. */
void text_transfer_detail(const struct view *view, const struct transfer_result *t, FILE *out);
/* text_facts.c: the time table and the other facts of one direction. */
void text_time_table(const struct direction_result *d, FILE *out);
void text_direction_facts(const struct view *view, const struct flow_result *flow,
                          enum direction direction, FILE *out);
/* text_window.c: the congestion window and the path, a line each; their other figures.  Nothing
 * where nothing is known. */
void text_window(const struct view *view, const struct direction_result *d, FILE *out);
void text_path(const struct view *view, const struct direction_result *d, FILE *out);
void text_sender_facts(const struct view *view, const struct direction_result *d, FILE *out);

/* text_table.c: a line for each transfer that is wanted. */
void text_transfer_table(const struct view *view, FILE *out);
/* text_flow.c: connections that are no transfer; sessions; events. */
void text_other_flows(const struct view *view, bool list, FILE *out);
void text_one_flow(const struct view *view, FILE *out);
void text_sessions(const struct view *view, FILE *out);
void text_events(const struct view *view, FILE *out);

/* text_health.c: the first line, and the last ones. */
void text_first_line(const struct view *view, FILE *out);
void text_health(const struct view *view, FILE *out);

#endif
