/* DNS look-ups of the last seconds, to say what a connection waited for before its SYN. */
#ifndef TCPWHY_ANALYSIS_LOOKUPS_H
#define TCPWHY_ANALYSIS_LOOKUPS_H

#include "analysis/moment.h"

/* Questions and answers remembered, newest replace oldest. */
#define LOOKUPS_KEPT 64
/* An answer older than this has nothing to do with a connection; neither has its question. */
#define LOOKUPS_ANSWER_NS (5 * INT64_C(1000000000))
#define LOOKUPS_QUESTION_NS (60 * INT64_C(1000000000))

struct lookups;

struct lookups *lookups_new(void);
void lookups_free(struct lookups *l);
void lookups_notice(struct lookups *l, const struct notice *notice);

/* The look-up by client that gave the address of server shortly before a SYN at before_ns: from
 * the first question for that name to the answer.  False when there was none. */
bool lookups_find(const struct lookups *l, const struct ip_addr *client,
                  const struct ip_addr *server, int64_t before_ns, struct phase *phase);

#endif
