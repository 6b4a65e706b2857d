/* Causes 41, 54 and 56: what the losses and delays say of the path itself.  One flow proves none of
 * them; 54 and 56 only stand second. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define ROUNDS_LEAST 20
#define JITTERY_PART 0.5
#define LOSS_RARE 1e-3
#define STEP_NEAR_NS INT64_C(2000000000)

struct finding cause_duplex_mismatch_find(const struct case_file *c)
{
    struct finding f = {.share_pct = -1};

    if (case_loss_cause(c) != 41)
        return f;
    f.share_pct = case_loss_pct(c);
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c, 1, FAULT_ANY); /* the hosts' own counters decide */
    return f;
}

void cause_duplex_mismatch_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_set_headline(v, "losses while both directions are busy: perhaps the two ends of a link "
                            "differ in duplex");
    verdict_append_text(v, "%s of %s loss events fell within a round trip (%s) of data the other "
                           "way, %s segments in all, none with a queue.",
                        phrase_count(loss->while_peer_sent).text, phrase_count(loss->events).text,
                        phrase_seconds(case_rtt_min_s(c)).text, phrase_count(loss->segments).text);
    cause_loss_append_cost(c, v);
    cause_loss_add_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_DUPLEX, BYTES_UNKNOWN, -1, -1);
}

/* A link that repeats frames itself (radio) hides losses and shows them as delay: the round trip
 * triples within one round trip of full segments, and hardly anything is lost. */
struct finding cause_link_layer_find(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    const double segments = case_full_segments(c);
    struct finding f = {.share_pct = -1};

    f.found = loss->rounds_timed >= ROUNDS_LEAST &&
              (double)loss->rounds_jittery >= JITTERY_PART * (double)loss->rounds_timed &&
              segments > 0 && (double)loss->events <= LOSS_RARE * segments;
    if (f.found)
        f.share_pct = c->share_pct[LIMIT_CWND] + c->share_pct[LIMIT_LINK];
    f.confidence = case_confidence(c, 1, FAULT_ANY);
    return f;
}

void cause_link_layer_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_set_headline(v, "a link that repeats lost frames itself (radio)");
    verdict_append_text(v, "In %s of %s round trips the delay tripled and fell again; %s %s.",
                        phrase_count(loss->rounds_jittery).text,
                        phrase_count(loss->rounds_timed).text, phrase_count(loss->events).text,
                        loss->events == 1 ? "loss event" : "loss events");
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_RADIO, BYTES_UNKNOWN, -1, -1);
}

/* True when losses began near a time at which the smallest round trip moved for good. */
static bool loss_at_step(const struct case_file *c)
{
    const struct path_facts *path = &c->data->path;
    const struct loss_span *worst = &c->data->loss.worst;

    for (uint32_t i = 0; i < path->step_count && i < PATH_STEPS_MAX; i++)
        if (worst->frame != 0 &&
            fabs((double)worst->time_ns - (double)path->steps[i].time_ns) <= STEP_NEAR_NS)
            return true;
    return false;
}

struct finding cause_path_change_find(const struct case_file *c)
{
    struct finding f = {.share_pct = -1};

    if (!loss_at_step(c))
        return f;
    f.found = true;
    f.share_pct = case_loss_pct(c);
    f.confidence = case_confidence(c, 1 + (c->data->path.ttl_changes > 0), FAULT_ANY);
    return f;
}

void cause_path_change_explain(const struct case_file *c, struct verdict *v)
{
    const struct path_step *step = &c->data->path.steps[0];

    verdict_set_headline(v, "the path changed during the transfer");
    verdict_append_text(v, "The smallest round trip moved from %s to %s, with losses at that time.",
                        phrase_span(step->from_ns).text, phrase_span(step->to_ns).text);
    cause_loss_add_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_ROUTING, BYTES_UNKNOWN, -1, -1);
}
