/* Causes 48, 49 and 57: a window that the receiver sizes itself and that grows too slowly or stops,
 * one that is small for good after it closed, and one whose edge goes back. */
#include "analysis/cause/bounds.h"
#include "analysis/cause/case_window.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
#define SHARE_OVERWHELMING_PCT 80
#define GROWN_TIMES 4   /* below that it is the first data opening a fixed buffer's window */
#define GROWTH_ROUNDS 3
#define ROUNDS_ENOUGH 10
#define SHRINKS_ENOUGH 10
#define RENEGED_OFTEN 3

static bool has_grown(const struct moves_growth *growth)
{
    return growth->from_bytes > 0 && growth->to_bytes >= GROWN_TIMES * growth->from_bytes &&
           growth->rounds >= GROWTH_ROUNDS;
}

/* Full in at least half of the round trips in which it grew: the growth held the sender. */
static bool growth_held(const struct moves_growth *growth)
{
    return growth->full_rounds * 2 >= growth->rounds;
}

static bool cap_held(const struct moves_growth *growth)
{
    return growth->rounds_after >= ROUNDS_ENOUGH &&
           growth->full_rounds_after * 2 >= growth->rounds_after;
}

struct finding cause_autotuning_find(const struct case_file *c)
{
    const struct moves_growth *growth = &c->data->moves.growth;
    const double share_pct = c->share_pct[LIMIT_RWND];
    struct finding f = {.share_pct = share_pct};

    if (share_pct < SHARE_SECOND_PCT || !has_grown(growth) || case_window_is_unread(c) ||
        case_window_is_exceeded(c) ||
        (case_window_scaling_is_refused(c) && case_window_is_at_16_bits(c)) ||
        !((growth_held(growth) && case_window_may_bind(c)) ||
          (cap_held(growth) && case_window_arithmetic_holds(c))))
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   growth_held(growth) + cap_held(growth) +
                                       (share_pct >= SHARE_OVERWHELMING_PCT) +
                                       case_both_syns_seen(c),
                                   FAULT_ANY);
    return f;
}

void cause_autotuning_explain(const struct case_file *c, struct verdict *v)
{
    const struct moves_growth *growth = &c->data->moves.growth;
    const char *receiver = case_actor_word(case_receiver(c));

    if (cap_held(growth))
        verdict_set_headline(v, "the %s's receive window: it grew with the data and stopped at %s "
                                "bytes",
                             receiver, phrase_count(growth->to_bytes).text);
    else
        verdict_set_headline(v, "the %s's receive window: it grows with the data, but too slowly",
                             receiver);
    verdict_append_text(v, "From %s to %s bytes in %s round trips and %s, %s of them full. ",
                        phrase_count(growth->from_bytes).text, phrase_count(growth->to_bytes).text,
                        phrase_count(growth->rounds).text, phrase_span(growth->span_ns).text,
                        phrase_count(growth->full_rounds).text);
    case_window_append_arithmetic(c, v);
    verdict_add_evidence(v, growth->last_frame, NS_UNKNOWN, FACT_WINDOW_GREW,
                         "in this round trip it grew for the last time");
    case_window_add_evidence(c, v);
    case_window_add_syns(c, v);
    case_window_advise(c, false, v);
}

struct finding cause_autotuning_shut_off_find(const struct case_file *c)
{
    const struct moves_collapse *collapse = &c->data->moves.collapse;
    const double share_pct = case_window_held_pct(c);
    struct finding f = {.share_pct = share_pct};

    if (share_pct < SHARE_SECOND_PCT || collapse->frame == 0 ||
        collapse->rounds < ROUNDS_ENOUGH || collapse->full_rounds * 2 < collapse->rounds ||
        case_window_is_exceeded(c))
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   1 + (share_pct >= SHARE_OVERWHELMING_PCT) +
                                       (collapse->full_rounds * 10 >= collapse->rounds * 9),
                                   FAULT_ANY);
    return f;
}

void cause_autotuning_shut_off_explain(const struct case_file *c, struct verdict *v)
{
    const struct moves_collapse *collapse = &c->data->moves.collapse;
    const double rtt_s = case_rtt_min_s(c);
    const struct forecast f = case_forecast(c, collapse->from_bytes);

    verdict_set_headline(v, "the %s's receive window: small for good after it had closed once",
                         case_actor_word(case_receiver(c)));
    verdict_append_text(v, "It had been %s bytes, closed, and was %s bytes at most in the %s round "
                           "trips since, full in %s of them.",
                        phrase_count(collapse->from_bytes).text,
                        phrase_count(collapse->to_bytes).text, phrase_count(collapse->rounds).text,
                        phrase_count(collapse->full_rounds).text);
    if (rtt_s > 0)
        verdict_append_text(v, " With %s round trip that is %s at most, where %s had been possible.",
                            phrase_seconds(rtt_s).text,
                            phrase_rate((double)collapse->to_bytes / rtt_s).text,
                            phrase_rate((double)collapse->from_bytes / rtt_s).text);
    verdict_append_text(v, " Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    verdict_add_evidence(v, collapse->frame, NS_UNKNOWN, FACT_WINDOW_CLOSED,
                         "the last time that it closed");
    case_window_add_evidence(c, v);
    verdict_add_advice(v, case_receiver(c), ADVICE_RECEIVING_PROGRAM, BYTES_UNKNOWN, f.bytes_per_s,
                       f.seconds);
    verdict_add_advice(v, case_receiver(c), ADVICE_RECEIVE_BUFFER, collapse->from_bytes,
                       f.bytes_per_s, f.seconds);
}

/* Shrinking in one of two round trips at the edge, by two segments and more. */
static bool shrinks_often(const struct case_file *c)
{
    const struct moves_shrink *shrink = &c->data->moves.shrink;

    return shrink->count >= SHRINKS_ENOUGH && shrink->count * 2 >= c->data->rounds_window_full &&
           shrink->bytes >= shrink->count * 2 * (uint64_t)c->data->smss;
}

struct finding cause_window_shrink_find(const struct case_file *c)
{
    const double held_pct = case_window_held_pct(c);
    const double repair_pct = c->share_pct[LIMIT_RECOVERY] + c->share_pct[LIMIT_RTO];
    const bool reneges = c->data->moves.renege.count >= RENEGED_OFTEN;
    struct finding f = {.share_pct = held_pct};

    if (shrinks_often(c) && held_pct >= SHARE_SECOND_PCT) {
        f.found = f.may_lead = true;
        f.confidence = case_confidence(c, 2 + (held_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    } else if (reneges && repair_pct >= SHARE_SECOND_PCT) {
        f.share_pct = repair_pct;
        f.found = true;
        f.confidence = case_confidence(c, 2, FAULT_ANY);
    }
    return f;
}

void cause_window_shrink_explain(const struct case_file *c, struct verdict *v)
{
    const struct moves_shrink *shrink = &c->data->moves.shrink;
    const struct moves_renege *renege = &c->data->moves.renege;

    verdict_set_headline(v, "the %s takes back window that it has offered",
                         case_actor_word(case_receiver(c)));
    verdict_append_text(v, "The right edge of its window moved back %s times, by %s bytes in all "
                           "and %s at most, which RFC 9293 section 3.8.6 strongly discourages: data "
                           "under way is then refused or held back.",
                        phrase_count(shrink->count).text, phrase_count(shrink->bytes).text,
                        phrase_count(shrink->largest_bytes).text);
    if (renege->count > 0)
        verdict_append_text(v, " %s times it threw away data that it had reported (SACK).",
                            phrase_count(renege->count).text);
    verdict_append_text(v, " Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    verdict_add_evidence(v, shrink->frame, NS_UNKNOWN, FACT_WINDOW_SHRUNK,
                         "moved back by %s bytes, the most",
                         phrase_count(shrink->largest_bytes).text);
    verdict_add_evidence(v, renege->frame, NS_UNKNOWN, FACT_SACK_RENEGED,
                         "acknowledges up to data reported before, not beyond");
    case_window_add_evidence(c, v);
    verdict_add_advice(v, case_receiver(c), ADVICE_UPDATE_STACK, BYTES_UNKNOWN, BOUND_UNKNOWN,
                       BOUND_UNKNOWN);
}
