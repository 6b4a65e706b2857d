/* Causes 26 and 27: the congestion window starts again from its beginning, after idle time or after
 * a time-out of each transaction.  The two look alike but for the retransmission. */
#include <math.h>

#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
#define SHARE_LEAD_PCT 50
#define SHARE_OVERWHELMING_PCT 80
/* Time-outs in turns of their own: less is chance. */
#define RESETS_LEAST 3

/* Percent of the time that regrowth in slow start after falls of a kind took. */
static double regrowth_pct(const struct case_file *c, enum cwnd_decrease kind)
{
    const struct direction_result *d = c->data;

    return d->cwnd.known && d->elapsed_ns > 0
               ? fmin(100, 100 * (double)d->cwnd.slow_start_ns[kind] / (double)d->elapsed_ns)
               : 0;
}

/* Round trips of doubling from one window to another. */
static double rounds_between(uint64_t from_bytes, uint64_t to_bytes)
{
    return from_bytes > 0 && to_bytes > from_bytes ? log2((double)to_bytes / (double)from_bytes)
                                                   : 0;
}

/* The pauses are the program's: what asks for a cause is the time in which there was data to send.
 * Of what the pauses cost, themselves included, the growth after them must be a second cause's
 * share: else the pauses alone are the answer. */
struct finding cause_idle_restart_find(const struct case_file *c)
{
    const struct cwnd_facts *w = &c->data->cwnd;
    const double regrowth = regrowth_pct(c, CWND_FALL_IDLE), pauses = c->share_pct[LIMIT_APP];
    struct finding f = {.share_pct = regrowth,
                        .lead_pct = pauses < 100 ? fmin(100, 100 * regrowth / (100 - pauses)) : 0};

    /* without the drop it was a pause, not a restart */
    if (!w->known || w->decreases[CWND_FALL_IDLE] == 0 || f.lead_pct < SHARE_SECOND_PCT ||
        100 * regrowth < SHARE_SECOND_PCT * (regrowth + pauses) ||
        w->idle_to_bytes >= w->idle_from_bytes)
        return f;
    f.found = true;
    f.may_lead = f.lead_pct >= SHARE_LEAD_PCT;
    f.confidence = case_confidence(c, 1 + (w->decreases[CWND_FALL_IDLE] > 1) + w->exact, FAULT_ANY);
    return f;
}

void cause_idle_restart_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct cwnd_facts *w = &d->cwnd;
    const uint32_t times = w->decreases[CWND_FALL_IDLE];

    verdict_set_headline(v, "the congestion window starts anew after each pause");
    verdict_append_text(
        v,
        "%s time%s the %s had nothing to send for longer than its time-out and then began with "
        "%s bytes instead of %s: %s round trips of %s to grow back, %s in all, of %s with data to "
        "send. Nothing was sent again, so it was no loss.",
        phrase_count(times).text, times == 1 ? "" : "s", case_actor_word(case_sender(c)),
        phrase_count(w->idle_to_bytes).text, phrase_count(w->idle_from_bytes).text,
        phrase_decimal(rounds_between(w->idle_to_bytes, w->idle_from_bytes)).text,
        phrase_seconds(case_rtt_effective_s(c)).text,
        phrase_span(w->slow_start_ns[CWND_FALL_IDLE]).text,
        phrase_span(d->elapsed_ns - d->limit_ns[LIMIT_APP]).text);
    verdict_add_evidence(v, w->idle_frame, w->idle_at_ns, FACT_IDLE_RESTART,
                         "first data after the last pause");
    verdict_add_advice(v, case_sender(c), ADVICE_SLOW_START_AFTER_IDLE, BYTES_UNKNOWN, -1, -1);
}

struct finding cause_cwnd_reset_find(const struct case_file *c)
{
    const struct cwnd_facts *w = &c->data->cwnd;
    struct finding f = {.share_pct = regrowth_pct(c, CWND_FALL_TIMEOUT)};

    if (!w->known || w->timeout_turns < RESETS_LEAST || f.share_pct < SHARE_SECOND_PCT)
        return f;
    f.found = true;
    f.may_lead = f.share_pct >= SHARE_LEAD_PCT;
    f.confidence = case_confidence(c, 2 + (f.share_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    return f;
}

void cause_cwnd_reset_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct cwnd_facts *w = &d->cwnd;

    verdict_set_headline(
        v, "a loss in each transaction sets the congestion window back to one segment");
    verdict_append_text(
        v,
        "%s time-outs in transactions of their own; each begins again with %s bytes, and %s "
        "round trips of %s bring back %s. Growth after time-outs took %s of %s. A segment was "
        "sent again each time, so it was no restart after idle time.",
        phrase_count(w->timeout_turns).text, phrase_count(d->smss).text,
        phrase_decimal(rounds_between(d->smss, w->max_bytes)).text,
        phrase_seconds(case_rtt_effective_s(c)).text, phrase_count(w->max_bytes).text,
        phrase_span(w->slow_start_ns[CWND_FALL_TIMEOUT]).text, phrase_span(d->elapsed_ns).text);
    verdict_add_evidence(v, w->timeout_frame, w->timeout_at_ns, FACT_TIMEOUT,
                         "the resend of the last time-out");
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_FIND_LOSS, BYTES_UNKNOWN, -1, -1);
}
