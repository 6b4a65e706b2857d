/* Cause 61: the capture does not carry a verdict. */
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define GAP_SHARE_UNFIT 0.05
#define GAP_SHARE_DEGRADED 0.001
#define SHARE_LEAD_PCT 50

static bool any_limit_reaches(const struct case_file *c, double pct)
{
    for (int i = 0; i < LIMIT_COUNT; i++)
        if (i != LIMIT_UNKNOWN && c->share_pct[i] >= pct)
            return true;
    return false;
}

/* Gaps are bytes that the receiver acknowledged: they arrived, so they are the capture's loss and
 * not the network's. */
static bool gaps_are_unfit(const struct case_file *c)
{
    const double gap = case_gap_share(c);

    return gap > GAP_SHARE_UNFIT ||
           (gap > GAP_SHARE_DEGRADED && !any_limit_reaches(c, SHARE_LEAD_PCT));
}

struct finding cause_capture_unfit_find(const struct case_file *c)
{
    struct finding f = {.share_pct = -1};

    if (!case_has_flow(c))
        return f;
    f.found = c->flow->one_way || !c->data->limits_followed || gaps_are_unfit(c);
    f.confidence = case_gap_share(c) > GAP_SHARE_UNFIT || c->flow->one_way ||
                           !c->data->limits_followed
                       ? CONFIDENCE_HIGH
                       : CONFIDENCE_MEDIUM;
    return f;
}

void cause_capture_unfit_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;

    verdict_set_headline(v, "the capture cannot tell");
    if (c->flow->one_way)
        verdict_append_text(v, "Only one direction of this connection is in the capture.");
    else if (!d->limits_followed)
        verdict_append_text(v, "Too many connections were open at once: where the time of this "
                               "one went was not followed.");
    else
        verdict_append_text(v, "%s bytes (%s) arrived at the receiver but are not in the capture.",
                            phrase_count(d->gap_bytes).text,
                            phrase_pct(100 * case_gap_share(c)).text);
    verdict_append_text(v, " It shows %s bytes in %s.", phrase_count(d->bytes).text,
                        phrase_span(d->elapsed_ns).text);
    verdict_add_evidence(v, d->first_data_frame, d->first_data_ns, FACT_FIRST_DATA, "first data");
    verdict_add_evidence(v, d->last_data_frame, d->last_data_ns, FACT_LAST_DATA, "last data");
    verdict_add_advice(v, ACTOR_CAPTURE, ADVICE_RECAPTURE, BYTES_UNKNOWN, -1, -1);
}
