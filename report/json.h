/* The objects of the JSON report (docs/tcpwhy.schema.json), one function a kind; each returns a new
 * object that the caller releases with json_decref. */
#ifndef TCPWHY_REPORT_JSON_H
#define TCPWHY_REPORT_JSON_H

#include <jansson.h>

#include "report/view.h"

json_t *json_capture(const struct view *view);
json_t *json_health(const struct view *view);
json_t *json_flow(const struct view *view, const struct flow_result *flow);
json_t *json_session(const struct view *view, const struct session_result *session);
json_t *json_transfer(const struct view *view, const struct transfer_result *transfer);
json_t *json_event(const struct view *view, const struct event_result *event);

/* Parts that several of them have. */
json_t *json_endpoint(const struct view *view, const struct endpoint *end);
json_t *json_direction(const struct view *view, const struct flow_result *flow,
                       enum direction direction);
json_t *json_series(const struct view *view, const struct series_result *series);
json_t *json_cwnd_series(const struct view *view, const struct cwnd_series *series);
/* Members about a sender's congestion window, and about its path, put into its direction. */
void json_put_sender(json_t *direction, const struct cwnd_facts *cwnd);
void json_put_path(const struct view *view, json_t *direction,
                   const struct direction_result *d);
/* Phases with their share of whole_ns. */
json_t *json_phases(const struct view *view, const struct phase *phases, int count,
                    int64_t whole_ns);

#endif
