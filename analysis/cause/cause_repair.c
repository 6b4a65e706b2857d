/* Causes 10 and 11: losses that are repaired badly, by time-outs or one a round trip. */
#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_OVERWHELMING_PCT 80
#define TIMEOUTS_ENOUGH 3

struct finding cause_rto_stalls_find(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    struct finding f = {.share_pct = -1};

    if (case_loss_cause(c) != 10)
        return f;
    f.share_pct = case_loss_pct(c);
    f.lead_pct = case_loss_lead_pct(c);
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   1 + (loss->timeouts >= TIMEOUTS_ENOUGH) +
                                       (loss->silence_longest_ns >= 1000000000) +
                                       (f.share_pct >= SHARE_OVERWHELMING_PCT),
                                   FAULT_ANY & ~FAULT_POSITION);
    return f;
}

void cause_rto_stalls_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;
    const struct forecast f = case_forecast_lossless(c);

    verdict_set_headline(v, "silences until the sender's retransmission timer runs out");
    verdict_append_text(v, "%s %s in %s, the longest silence %s (round trip %s)",
                        phrase_count(loss->timeouts).text,
                        loss->timeouts == 1 ? "time-out" : "time-outs",
                        phrase_span(c->data->elapsed_ns).text,
                        phrase_span(loss->silence_longest_ns).text,
                        phrase_seconds(case_rtt_min_s(c)).text);
    if (loss->backoffs_most > 1)
        verdict_append_text(v, ", up to %s in a row without progress",
                            phrase_count(loss->backoffs_most).text);
    verdict_append_text(v, "; %s %s in %s %s. After each the window begins again at one segment.",
                        phrase_count(loss->segments).text,
                        loss->segments == 1 ? "segment lost" : "segments lost",
                        phrase_count(loss->events).text,
                        loss->events == 1 ? "loss event" : "loss events");
    cause_loss_append_cost(c, v);
    verdict_append_text(v, " Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    cause_loss_add_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_FIND_LOSS, BYTES_UNKNOWN, f.bytes_per_s, f.seconds);
    verdict_add_advice(v, case_sender(c), ADVICE_TAIL_LOSS, BYTES_UNKNOWN, -1, -1);
}

struct finding cause_no_sack_find(const struct case_file *c)
{
    struct finding f = {.share_pct = -1};

    if (case_loss_cause(c) != 11)
        return f;
    f.share_pct = case_loss_pct(c);
    f.lead_pct = case_loss_lead_pct(c);
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c, 2 + (f.share_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    return f;
}

/* The end that keeps SACK off: the client when it does not offer it, for the server may only answer
 * (RFC 2018 section 2). */
static enum direction who_lacks_sack(const struct case_file *c)
{
    return c->flow->dir[C2S].syn_has_sack ? S2C : C2S;
}

void cause_no_sack_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;
    const enum direction lacks = who_lacks_sack(c);
    const double rtt_s = case_rtt_min_s(c);

    verdict_set_headline(v, "losses repaired one a round trip: the %s does not offer selective "
                            "acknowledgments (SACK)",
                         case_actor_word(case_end(c, lacks)));
    verdict_append_text(v, "%s segments lost in %s events, up to %s of one window. Without SACK "
                           "the sender learns of one a round trip: %s of them waited for the one "
                           "before, %s x %s = %s.",
                        phrase_count(loss->segments).text, phrase_count(loss->events).text,
                        phrase_count(loss->burst_most_segments).text,
                        phrase_count(loss->one_a_round_trip_segments).text,
                        phrase_count(loss->one_a_round_trip_segments).text,
                        phrase_seconds(rtt_s).text,
                        phrase_seconds((double)loss->one_a_round_trip_segments * rtt_s).text);
    cause_loss_append_cost(c, v);
    verdict_add_evidence(v, c->flow->dir[lacks].syn_frame, NS_UNKNOWN, FACT_NO_SACK,
                         "the %s has no SACK-permitted option", lacks == C2S ? "SYN" : "SYN-ACK");
    cause_loss_add_evidence(c, v);
    verdict_add_advice(v, case_end(c, lacks), ADVICE_SACK, BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_FIND_LOSS, BYTES_UNKNOWN, -1, -1);
}
