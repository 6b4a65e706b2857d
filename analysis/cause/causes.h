/* Why a transfer was as fast as it was: one const table of causes, one function a cause. */
#ifndef TCPWHY_ANALYSIS_CAUSES_H
#define TCPWHY_ANALYSIS_CAUSES_H

#include "analysis/analyzer.h"
#include "analysis/result.h"

/* What a cause may look at. */
struct case_file {
    const struct transfer_result *transfer;
    const struct flow_result *flow;          /* data flow */
    const struct direction_result *data;     /* &flow->dir[transfer->direction] */
    const struct analyzer_options *options;  /* what the user knows: link, ceilings, drops */
    double share_pct[LIMIT_COUNT];           /* of data->elapsed_ns */
};

/* Judge a transfer: fills *verdict whole.  Never names a cause that the evidence does not carry:
 * cause_id 0 ("unknown") with the measured shares instead.  flow NULL: the data connection was not
 * seen; options NULL: nothing is given.  The headline is one sentence without a full stop, the
 * text whole sentences; neither holds bytes off the wire.  An evidence's time is NS_UNKNOWN where
 * only its frame is known.  The words of notes, advice and facts are in note_codes.h. */
void causes_judge(const struct transfer_result *transfer, const struct flow_result *flow,
                  const struct analyzer_options *options, struct verdict *verdict);

/* Slug of a row of the catalogue ("receive_window"), NULL when id is not in 1..63; and back
 * (0 = no such slug).  All 63 names are known, whether or not built yet. */
const char *cause_slug(int cause_id);
int cause_id(const char *slug);
/* Bound on the catalogue's ids. */
#define CAUSE_ID_MAX 63

#endif
