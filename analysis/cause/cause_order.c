/* Causes 45 and 46: resends that were not needed, because packets came out of order or for another
 * reason.  The share is what these episodes took. */
#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_OVERWHELMING_PCT 80
#define SPURIOUS_ENOUGH 3
#define HEALED_ENOUGH 3

/* Holes that close by themselves, as often as resends that were not needed: the network changes the
 * order, and the sender takes it for loss. */
static bool order_is_lost(const struct loss_facts *loss)
{
    return loss->healed + loss->late_three >= HEALED_ENOUGH &&
           loss->healed + loss->late_three >= loss->cost[LOSS_SPURIOUS].events;
}

static struct finding spurious_find(const struct case_file *c, bool wanted)
{
    const struct loss_facts *loss = &c->data->loss;
    struct finding f = {.share_pct = -1};

    if (!wanted || loss->cost[LOSS_SPURIOUS].events == 0)
        return f;
    f.share_pct = case_loss_share(c).spurious_pct;
    f.found = f.may_lead = f.share_pct > 0;
    f.confidence = case_confidence(c,
                                   1 + (loss->cost[LOSS_SPURIOUS].events >= SPURIOUS_ENOUGH) +
                                       (f.share_pct >= SHARE_OVERWHELMING_PCT),
                                   FAULT_ANY & ~FAULT_POSITION);
    return f;
}

struct finding cause_reordering_find(const struct case_file *c)
{
    return spurious_find(c, order_is_lost(&c->data->loss));
}

struct finding cause_spurious_find(const struct case_file *c)
{
    return spurious_find(c, !order_is_lost(&c->data->loss));
}

static void append_unneeded(const struct case_file *c, struct verdict *v)
{
    const struct loss_cost *cost = &c->data->loss.cost[LOSS_SPURIOUS];
    const double part = case_loss_share(c).spurious_pct / 100;

    verdict_append_text(v, "%s resends in %s episodes were not needed: the receiver had the data. "
                           "They cost %s of %s, for the sender takes each for a loss and cuts its "
                           "window.",
                        phrase_count(c->data->spurious_retransmissions).text,
                        phrase_count(cost->events).text,
                        phrase_seconds(part * (double)c->data->elapsed_ns / 1e9).text,
                        phrase_span(c->data->elapsed_ns).text);
}

static void add_order_evidence(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_add_evidence(v, loss->spurious_frame, NS_UNKNOWN, FACT_UNNEEDED_RESEND,
                         "first resend that was not needed");
    verdict_add_evidence(v, loss->late_frame, NS_UNKNOWN, FACT_LATE,
                         "came %s after its successor", phrase_span(loss->late_most_ns).text);
}

void cause_reordering_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_set_headline(v, "packets that arrive out of order and are taken for lost");
    append_unneeded(c, v);
    verdict_append_text(v, " %s holes at the receiver closed without a resend",
                        phrase_count(loss->healed).text);
    if (loss->late_most_ns != NS_UNKNOWN)
        verdict_append_text(v, "; packets came up to %s late, with up to %s bytes before them",
                            phrase_span(loss->late_most_ns).text,
                            phrase_count(loss->late_most_bytes).text);
    verdict_append_text(v, ". Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    add_order_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_KEEP_ORDER, BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_REORDER_TOLERANT, BYTES_UNKNOWN, -1, -1);
}

void cause_spurious_explain(const struct case_file *c, struct verdict *v)
{
    verdict_set_headline(v, "resends that were not needed");
    append_unneeded(c, v);
    if (c->data->rtt.samples > 0)
        verdict_append_text(v, " The round trip went from %s to %s: a timer set by the short ones "
                               "runs out in the long ones.",
                            phrase_span(c->data->rtt.min_ns).text,
                            phrase_span(c->data->rtt.max_ns).text);
    add_order_evidence(c, v);
    verdict_add_advice(v, case_sender(c), ADVICE_RTO_LEAST, BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_REORDER_TOLERANT, BYTES_UNKNOWN, -1, -1);
}
