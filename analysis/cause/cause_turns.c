/* Causes 28 and 29: the transfer goes in turns, a round trip each, or the server thinks. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"
#include "analysis/moment.h"

#define SHARE_SECOND_PCT 25
#define SHARE_TURNS_PCT 70 /* domain, row 28 */
#define SHARE_OVERWHELMING_PCT 90
#define TURNS_LEAST 5
/* Each turn of a transfer in turns carries its part; of a dialogue before the data, next to none. */
#define ONE_MESSAGE 0.9
#define TURNS_ENOUGH 20
#define NS_PER_S 1e9

/* Time that the server took from a request to the first byte of its answer: seen from the client's
 * data it is beyond the round trip, in the server's own data it is before the departure. */
static int64_t think_ns(const struct case_file *c)
{
    return c->transfer->direction == S2C ? c->data->waits.answer_ns : c->data->waits.think_ns;
}

static double pct_of_elapsed(const struct case_file *c, int64_t ns)
{
    return c->data->elapsed_ns > 0 && ns > 0
               ? fmin(100, 100 * (double)ns / (double)c->data->elapsed_ns)
               : 0;
}

double case_turn_bytes(const struct case_file *c)
{
    const uint64_t turns = c->data->waits.turns;

    return turns < TURNS_LEAST ? BOUND_UNKNOWN : (double)c->data->bytes / (double)(turns + 1);
}

/* The turns are the cause: a round trip each, and the peer's thinking. */
static bool turns_prevail(const struct case_file *c)
{
    return c->share_pct[LIMIT_TURN] + pct_of_elapsed(c, think_ns(c)) >= SHARE_TURNS_PCT;
}

double case_dialogue_pct(const struct case_file *c)
{
    const struct wait_facts *waits = &c->data->waits;

    if (waits->turns < TURNS_LEAST || turns_prevail(c) ||
        (double)waits->message_most_bytes < ONE_MESSAGE * (double)c->data->bytes)
        return 0;
    /* the way of the last acknowledgment is no turn */
    return fmin(c->share_pct[LIMIT_TURN], pct_of_elapsed(c, waits->turn_ns));
}

struct finding cause_turn_limited_find(const struct case_file *c)
{
    const double share_pct = c->share_pct[LIMIT_TURN];
    struct finding f = {.share_pct = share_pct};

    if (share_pct < SHARE_SECOND_PCT || c->data->waits.turns < TURNS_LEAST)
        return f;
    f.found = true;
    f.may_lead = turns_prevail(c);
    f.confidence = case_confidence(c,
                                   1 + (share_pct >= SHARE_OVERWHELMING_PCT) +
                                       (c->data->waits.turns >= TURNS_ENOUGH),
                                   FAULT_ANY);
    return f;
}

struct finding cause_think_time_find(const struct case_file *c)
{
    struct finding f = {.share_pct = pct_of_elapsed(c, think_ns(c))};

    if (f.share_pct < SHARE_SECOND_PCT || c->data->waits.turns < TURNS_LEAST)
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   1 + (f.share_pct >= SHARE_TURNS_PCT) +
                                       (c->data->waits.turns >= TURNS_ENOUGH),
                                   FAULT_ANY);
    return f;
}

static void append_turns(const struct case_file *c, struct verdict *v)
{
    const struct wait_facts *waits = &c->data->waits;
    const double rtt_s = case_rtt_min_s(c), turns = (double)waits->turns;
    const double think_s = (double)think_ns(c) / NS_PER_S / turns;
    const double per_turn_s = rtt_s > 0 ? rtt_s + think_s : BOUND_UNKNOWN;

    verdict_append_text(v, "%s turns of %s bytes on average, each at least a round trip of %s",
                        phrase_count(waits->turns).text,
                        phrase_count((uint64_t)case_turn_bytes(c)).text, phrase_seconds(rtt_s).text);
    verdict_append_text(v, " and %s until the answer begins", phrase_seconds(think_s).text);
    if (per_turn_s > 0)
        verdict_append_text(v, ": %s at most",
                            phrase_rate(case_turn_bytes(c) / per_turn_s).text);
    verdict_append_text(v, ". Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
}

static void add_wait_evidence(const struct case_file *c, enum limit limit, struct verdict *v)
{
    const struct limit_span *worst = &c->data->worst[limit];

    verdict_add_evidence(v, worst->from_frame, worst->start_ns, FACT_TURN_WAIT,
                         "the longest stretch of waiting for the other side begins");
    verdict_add_evidence(v, worst->to_frame, later_ns(worst->start_ns, worst->duration_ns), FACT_TURN_WAIT,
                         "%s of it, up to here", phrase_span(worst->duration_ns).text);
}

/* Time with so many times fewer turns, each of so many times the bytes. */
static struct forecast fewer_turns(const struct case_file *c, double factor)
{
    const double elapsed_s = (double)c->data->elapsed_ns / NS_PER_S;
    const double turn_s = (double)c->data->limit_ns[LIMIT_TURN] / NS_PER_S;
    const double seconds = elapsed_s - turn_s * (1 - 1 / factor);

    if (!(seconds > 0))
        return (struct forecast){BOUND_UNKNOWN, BOUND_UNKNOWN};
    return (struct forecast){(double)c->data->bytes / seconds, seconds};
}

void cause_turn_limited_explain(const struct case_file *c, struct verdict *v)
{
    const struct forecast f = fewer_turns(c, 4);

    verdict_set_headline(v, "request and answer in turns: a round trip for every %s bytes",
                         phrase_count((uint64_t)case_turn_bytes(c)).text);
    append_turns(c, v);
    add_wait_evidence(c, LIMIT_TURN, v);
    verdict_add_advice(v, ACTOR_CLIENT, ADVICE_LARGER_TURNS, (uint64_t)(4 * case_turn_bytes(c)),
                       f.bytes_per_s, f.seconds);
    verdict_add_advice(v, ACTOR_CLIENT, ADVICE_PIPELINE, BYTES_UNKNOWN, -1, -1);
}

void cause_think_time_explain(const struct case_file *c, struct verdict *v)
{
    const double rest_s = ((double)c->data->elapsed_ns - (double)think_ns(c)) / NS_PER_S;

    verdict_set_headline(v, "the server thinks: %s from a request to the first byte of its answer",
                         phrase_span(think_ns(c) / (int64_t)c->data->waits.turns).text);
    append_turns(c, v);
    add_wait_evidence(c, c->transfer->direction == S2C ? LIMIT_APP : LIMIT_THINK, v);
    verdict_add_advice(v, case_end(c, S2C), ADVICE_SERVER_TIME, BYTES_UNKNOWN,
                       rest_s > 0 ? (double)c->data->bytes / rest_s : BOUND_UNKNOWN,
                       rest_s > 0 ? rest_s : BOUND_UNKNOWN);
}
