/* Cause 47: the path is full, but with several connections of the same two hosts. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
#define SHARE_LEAD_PCT 50
#define STREAMS_LEAST 2
#define FULL_LEAST 0.90
#define FULL_MOST 1.05
/* One of them has clearly less than all together. */
#define OWN_MOST 0.75

/* What the path gave to all together fills the link that the user gave. */
static bool sum_fills_link(const struct case_file *c)
{
    const double link = case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);
    const double sum = c->transfer->parallel_bytes_per_s;

    return bound_is_known(link) && sum >= FULL_LEAST * link && sum <= FULL_MOST * link;
}

struct finding cause_shared_by_streams_find(const struct case_file *c)
{
    const struct transfer_result *t = c->transfer;
    struct finding f = {.share_pct = c->share_pct[LIMIT_LINK] + c->share_pct[LIMIT_CWND] +
                                     c->share_pct[LIMIT_RECOVERY]};
    const bool full = sum_fills_link(c), queue = c->share_pct[LIMIT_LINK] >= SHARE_LEAD_PCT;

    if (t->parallel_streams < STREAMS_LEAST || f.share_pct < SHARE_SECOND_PCT || !(full || queue) ||
        !(case_goodput_bytes_per_s(c) <= OWN_MOST * t->parallel_bytes_per_s))
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c, 1 + full + queue, FAULT_ANY);
    return f;
}

void cause_shared_by_streams_explain(const struct case_file *c, struct verdict *v)
{
    const struct transfer_result *t = c->transfer;
    const struct direction_result *d = c->data;
    const double sum = t->parallel_bytes_per_s, own = case_goodput_bytes_per_s(c);

    verdict_set_headline(v, "the path is shared with %s more connection%s between the same two hosts",
                         phrase_count(t->parallel_streams - 1).text,
                         t->parallel_streams == 2 ? "" : "s");
    verdict_append_text(v, "Together they carry %s, this one %s: %s of it",
                        phrase_rate(sum).text, phrase_rate(own).text,
                        phrase_pct(100 * own / sum).text);
    verdict_append_text(v, ", where an equal part for each of %s is %s.",
                        phrase_count(t->parallel_streams).text,
                        phrase_pct(100.0 / t->parallel_streams).text);
    if (sum_fills_link(c))
        verdict_append_text(v, " The sum fills the link of %s.",
                            phrase_bits(c->options->link_bytes_per_s).text);
    verdict_add_evidence(v, d->first_data_frame, d->first_data_ns, FACT_FIRST_DATA, "first data");
    verdict_add_evidence(v, d->last_data_frame, d->last_data_ns, FACT_LAST_DATA, "last data");
    verdict_add_advice(v, ACTOR_CLIENT, ADVICE_FEWER_STREAMS, BYTES_UNKNOWN, sum,
                       (double)case_size_bytes(c) / sum);
}
