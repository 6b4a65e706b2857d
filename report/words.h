/* The words of enumerations and of events, as they stand in JSON and CSV. */
#ifndef TCPWHY_REPORT_WORDS_H
#define TCPWHY_REPORT_WORDS_H

#include "analysis/result.h"

const char *words_state(enum flow_state state);          /* "closed" */
const char *words_position(enum tap_position position);  /* "client" */
const char *words_confidence(enum confidence confidence); /* "high" */
const char *words_actor(enum actor actor);               /* "server" */
const char *words_direction(enum direction direction);   /* "c2s" */
const char *words_ender(enum ender ender);               /* "client"; NULL = unknown */
const char *words_congestion(enum congestion_signature signature); /* "self"; NULL = unknown */

const char *words_event_kind(enum event_kind kind);      /* "zero_window" */
const char *words_event_level(const struct event_result *event); /* "warning" */
/* One sentence without a full stop. */
struct words_text {
    char text[120];
};
struct words_text words_event_text(const struct event_result *event);

#endif
