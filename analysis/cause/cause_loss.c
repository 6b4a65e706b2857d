/* Causes 7, 8 and 9: packets that vanish without a queue, a queue that overflows, and a rate limit
 * that drops.  Which of them it is, is loss_owner.c's answer; the share is what repair and regrowth
 * of the window took. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_OVERWHELMING_PCT 80
#define SIGN_PART 0.75     /* of the events for which the round trip before is known */
#define EVENTS_ENOUGH 10   /* fewer: a count, not a probability */
#define MODEL_FACTOR 2.0   /* domain, row 7 */
#define SHAPE_BELOW 0.95   /* of a policer's rate: its bucket then never runs dry */

void cause_loss_add_evidence(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_add_evidence(v, loss->first.frame, loss->first.time_ns, FACT_FIRST_LOSS,
                         "first resend of the first loss event: %s lost",
                         phrase_count(loss->first.segments).text);
    if (loss->worst.frame != loss->first.frame)
        verdict_add_evidence(v, loss->worst.frame, loss->worst.time_ns, FACT_WORST_LOSS,
                             "first resend of the event that took longest: %s lost, %s",
                             phrase_count(loss->worst.segments).text,
                             phrase_span(loss->worst.repair_ns).text);
    verdict_add_evidence(v, loss->silence_frame, NS_UNKNOWN, FACT_TIMEOUT,
                         "ends the longest silence before a resend: %s",
                         phrase_span(loss->silence_longest_ns).text);
    verdict_add_evidence(v, loss->ecn_frame, NS_UNKNOWN, FACT_CONGESTION_MARK,
                         "the sender says that it cut its window upon a mark");
}

static double seconds_of(const struct case_file *c, double pct)
{
    return pct / 100 * (double)c->data->elapsed_ns / 1e9;
}

void cause_loss_append_cost(const struct case_file *c, struct verdict *v)
{
    const struct loss_share share = case_loss_share(c);
    const double repair_s = seconds_of(c, share.repair_pct);
    const double regrowth_s = seconds_of(c, share.regrowth_pct + share.mark_pct);

    verdict_append_text(v, " %s cost %s of %s",
                        c->data->loss.events + c->data->loss.ecn_cuts == 1 ? "It" : "They",
                        phrase_seconds(repair_s + regrowth_s).text,
                        phrase_span(c->data->elapsed_ns).text);
    if (share.repair_pct > 0)
        verdict_append_text(v, ": %s of repair, and %s", phrase_seconds(repair_s).text,
                            phrase_seconds(regrowth_s).text);
    verdict_append_text(v, " until the window had grown again.");
}

static void append_count(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;
    const double segments = case_full_segments(c);

    verdict_append_text(v, "%s %s, %s lost", phrase_count(loss->events).text,
                        loss->events == 1 ? "loss event" : "loss events",
                        phrase_count(loss->segments).text);
    if (segments > 0)
        verdict_append_text(v, " of %s segments", phrase_count((uint64_t)segments).text);
}

static bool model_agrees(const struct case_file *c)
{
    const double model = case_loss_bytes_per_s(c), rate = case_goodput_bytes_per_s(c);

    return model > 0 && rate <= MODEL_FACTOR * model && rate * MODEL_FACTOR >= model;
}

static struct finding loss_find(const struct case_file *c, int id, int signs)
{
    struct finding f = {.share_pct = -1};

    if (case_loss_cause(c) != id)
        return f;
    f.share_pct = case_loss_pct(c);
    f.lead_pct = case_loss_lead_pct(c);
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c, signs + (f.share_pct >= SHARE_OVERWHELMING_PCT),
                                   FAULT_ANY & ~FAULT_POSITION);
    return f;
}

/* True when that part of the events whose round trip is known looks the same. */
static bool most_are(const struct loss_facts *loss, uint64_t alike)
{
    return (double)alike >= SIGN_PART * (double)(loss->with_queue + loss->without_queue);
}

struct finding cause_random_loss_find(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    struct finding f = loss_find(c, 7, most_are(loss, loss->without_queue) +
                                           (loss->events >= EVENTS_ENOUGH) + model_agrees(c));

    if (!most_are(loss, loss->without_queue)) /* a good part came with a queue */
        f.confidence = CONFIDENCE_LOW;
    return f;
}

/* The model's rate from ten events on. */
static void append_model(const struct case_file *c, struct verdict *v)
{
    const double model = case_loss_bytes_per_s(c);

    if (model > 0)
        verdict_append_text(v, " So many events allow %s (Mathis, PFTK).",
                            phrase_rate(model).text);
    verdict_append_text(v, " Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
}

/* Reno adds a segment a round trip: half a window comes back in half a window of round trips. */
static void append_regrowth(const struct case_file *c, struct verdict *v)
{
    const uint64_t flight = c->data->loss.flight_before_mean_bytes;
    const double rtt_s = case_rtt_min_s(c);

    if (flight == BYTES_UNKNOWN || c->data->smss == 0 || rtt_s <= 0 || flight < 2 * c->data->smss)
        return;
    const double rounds = (double)flight / c->data->smss / 2;
    verdict_append_text(v, " Half of a window of %s segments comes back in %s round trips, %s, "
                           "with Reno.",
                        phrase_count(flight / c->data->smss).text,
                        phrase_count((uint64_t)ceil(rounds)).text,
                        phrase_seconds(rounds * rtt_s).text);
}

void cause_random_loss_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;
    const struct forecast f = case_forecast_lossless(c);

    verdict_set_headline(v, "packets that vanish on the path without a full queue");
    append_count(c, v);
    verdict_append_text(v, "; before %s of %s the round trip had not grown (%s on average, "
                           "idle %s).",
                        phrase_count(loss->without_queue).text,
                        phrase_count(loss->with_queue + loss->without_queue).text,
                        phrase_span(loss->rtt_before_mean_ns).text,
                        phrase_seconds(case_rtt_min_s(c)).text);
    cause_loss_append_cost(c, v);
    append_regrowth(c, v);
    append_model(c, v);
    cause_loss_add_evidence(c, v);
    verdict_rule_out(v, NOTE_FULL_QUEUE);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_FIND_LOSS, BYTES_UNKNOWN, f.bytes_per_s, f.seconds);
    verdict_add_advice(v, case_sender(c), ADVICE_LOSS_TOLERANT, BYTES_UNKNOWN, -1, -1);
}

struct finding cause_congestion_loss_find(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;

    return loss_find(c, 8, (loss->events > 0 && most_are(loss, loss->with_queue)) +
                               (loss->with_queue >= 3) + (loss->ecn_cuts >= 3) +
                               (loss->in_slow_start > 0));
}

void cause_congestion_loss_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;
    const bool marks = loss->ecn_cuts > 0;

    verdict_set_headline(v, loss->events > 0 ? "a queue on the path that overflows"
                                             : "a queue on the path that marks congestion");
    if (loss->events > 0)
        append_count(c, v);
    if (marks)
        verdict_append_text(v, "%s%s cuts of the window upon marks (ECN)",
                            loss->events > 0 ? "; " : "", phrase_count(loss->ecn_cuts).text);
    if (loss->with_queue > 0)
        verdict_append_text(v, "; before %s of %s the round trip had grown to %s (idle %s)",
                            phrase_count(loss->with_queue).text,
                            phrase_count(loss->with_queue + loss->without_queue).text,
                            phrase_span(loss->rtt_before_mean_ns).text,
                            phrase_seconds(case_rtt_min_s(c)).text);
    else if (case_losses_are_regular(c))
        verdict_append_text(v, "; they come at even distances, as those of a short queue that is "
                               "full do");
    verdict_append_text(v, ".");
    if (loss->in_slow_start > 0 && loss->burst_most_segments > 1)
        verdict_append_text(v, " Slow start overshot: up to %s segments lost at once.",
                            phrase_count(loss->burst_most_segments).text);
    cause_loss_append_cost(c, v);
    verdict_append_text(v, " Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    cause_loss_add_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, marks ? ADVICE_CAPACITY : ADVICE_QUEUE_MANAGEMENT,
                       BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_PACING, BYTES_UNKNOWN, -1, -1);
}

struct finding cause_policer_find(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;

    return loss_find(c, 9, 1 + (loss->bucket_empty == loss->bucket_events) +
                               (loss->with_queue == 0));
}

void cause_policer_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;
    const double rate = (double)loss->steady_bytes_per_s;

    verdict_set_headline(v, "a rate limit of %s that drops what exceeds it (policer)",
                         phrase_rate(rate).text);
    append_count(c, v);
    verdict_append_text(v, "; from the first to the last %s pass, and a bucket filled at that rate "
                           "is empty at %s of the %s between. Up to %s pass for a while; the round "
                           "trip stays at %s (idle %s): no queue.",
                        phrase_rate(rate).text, phrase_count(loss->bucket_empty).text,
                        phrase_count(loss->bucket_events).text,
                        phrase_rate((double)loss->peak_bytes_per_s).text,
                        phrase_span(loss->rtt_before_mean_ns).text,
                        phrase_seconds(case_rtt_min_s(c)).text);
    cause_loss_append_cost(c, v);
    cause_loss_add_evidence(c, v);
    verdict_rule_out(v, NOTE_FULL_QUEUE);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_POLICER_RATE, BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_SHAPE, (uint64_t)(SHAPE_BELOW * rate), -1, -1);
}
