/* Causes 18 and 19: the sending program writes small pieces, or pieces that end in a small segment
 * whose acknowledgment it then waits for. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define NS_PER_S 1e9
#define SHARE_SECOND_PCT 25
#define SHARE_LEAD_PCT 50
/* Half of a full Ethernet segment: on links with larger ones a piece of that size is not small. */
#define SMALL_MOST_BYTES 730
#define MOSTLY 0.5
#define NEARLY_ALL 0.9
#define EXCHANGE_MOST_PCT 25
#define MESSAGES_LEAST 20
#define GAPS_LEAST 10
#define TIMER_PART 0.1
/* Several pieces out at once: the program does not wait for the next one to have something. */
#define SEGMENTS_PER_BURST 2
/* What to write at once: a common buffer size, in whole segments. */
#define WRITE_WANTED_BYTES 32768

static double part_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* Time in which the sender, and not the receiver or the path's losses, decided what leaves. */
static double sender_held_pct(const struct case_file *c)
{
    return c->share_pct[LIMIT_APP] + c->share_pct[LIMIT_NAGLE] + c->share_pct[LIMIT_SEND_BUFFER] +
           c->share_pct[LIMIT_CWND] + c->share_pct[LIMIT_SLOW_START];
}

static bool is_exchange(const struct case_file *c)
{
    return c->share_pct[LIMIT_TURN] + c->share_pct[LIMIT_THINK] > EXCHANGE_MOST_PCT;
}

static double pushed_part(const struct case_file *c)
{
    return part_of(c->data->push_segments, c->data->data_segments);
}

static uint64_t whole_segments_bytes(const struct case_file *c)
{
    const uint64_t smss = c->data->pattern.mss_allowed;

    return smss > 0 ? (WRITE_WANTED_BYTES + smss - 1) / smss * smss : BYTES_UNKNOWN;
}

struct finding cause_tinygrams_find(const struct case_file *c)
{
    const struct pattern_facts *p = &c->data->pattern;
    struct finding f = {.share_pct = sender_held_pct(c) + c->share_pct[LIMIT_LINK]};

    if (!p->known || f.share_pct < SHARE_SECOND_PCT || is_exchange(c) ||
        p->payload_median_bytes * 2u >= p->mss_allowed ||
        p->payload_median_bytes >= SMALL_MOST_BYTES ||
        part_of(p->small_segments, p->segments) <= MOSTLY || pushed_part(c) <= MOSTLY ||
        p->segments < SEGMENTS_PER_BURST * p->bursts)
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   1 + (part_of(p->small_segments, p->segments) >= NEARLY_ALL) +
                                       (pushed_part(c) >= NEARLY_ALL) + case_both_syns_seen(c),
                                   FAULT_ANY);
    return f;
}

/* The same number of segments a second, full ones; the link, where known, in the way. */
static struct forecast forecast_full_segments(const struct case_file *c)
{
    const struct pattern_facts *p = &c->data->pattern;
    const double link = case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);
    double rate = case_goodput_bytes_per_s(c) * p->mss_allowed / p->payload_median_bytes;

    if (bound_is_known(link) && link < rate)
        rate = link;
    if (!(rate > case_goodput_bytes_per_s(c)) || !isfinite(rate))
        return (struct forecast){BOUND_UNKNOWN, BOUND_UNKNOWN};
    return (struct forecast){rate, (double)case_size_bytes(c) / rate};
}

void cause_tinygrams_explain(const struct case_file *c, struct verdict *v)
{
    const struct pattern_facts *p = &c->data->pattern;
    const struct forecast f = forecast_full_segments(c);

    verdict_set_headline(v, "the %s's program writes small pieces",
                         case_actor_word(case_sender(c)));
    verdict_append_text(v,
                        "Half of the segments carry %s bytes or less, where %s would fit; %s of "
                        "them are below half of that, and %s are marked as the end of a write "
                        "(PSH).",
                        phrase_count(p->payload_median_bytes).text,
                        phrase_count(p->mss_allowed).text,
                        phrase_pct(100 * part_of(p->small_segments, p->segments)).text,
                        phrase_pct(100 * pushed_part(c)).text);
    verdict_append_text(v, " %s segments carried %s bytes: %s a second. Full ones would be %s.",
                        phrase_count(p->segments).text, phrase_count(c->data->bytes).text,
                        phrase_decimal((double)p->segments / ((double)c->data->elapsed_ns / NS_PER_S))
                            .text,
                        phrase_count(c->data->bytes / p->mss_allowed + 1).text);
    verdict_add_evidence(v, p->message_to_frame, NS_UNKNOWN, FACT_SMALL_WRITE,
                         "a piece of the most frequent size, %s bytes",
                         phrase_count(p->message_size_bytes).text);
    verdict_add_evidence(v, c->data->first_data_frame, c->data->first_data_ns, FACT_FIRST_DATA,
                         "first data");
    verdict_add_advice(v, case_sender(c), ADVICE_WRITE_SIZE, whole_segments_bytes(c), f.bytes_per_s,
                       f.seconds);
}

/* The part of the silences' time that a receiver's delayed acknowledgments made. */
static double delayed_part(const struct lock_step_facts *l)
{
    return l->total_ns > 0 ? (double)l->held_ns / (double)l->total_ns : 0;
}

/* Share of the time that the lock-step took: never more than what its limits were given. */
static double lock_step_pct(const struct case_file *c)
{
    const double gaps_pct = 100 * (double)c->data->pattern.lock_step.total_ns /
                            (double)(c->data->elapsed_ns > 0 ? c->data->elapsed_ns : 1);

    return fmin(gaps_pct, sender_held_pct(c));
}

struct finding cause_write_remainder_find(const struct case_file *c)
{
    const struct pattern_facts *p = &c->data->pattern;
    const struct lock_step_facts *l = &p->lock_step;
    struct finding f = {.share_pct = lock_step_pct(c)};

    if (!p->known || f.share_pct < SHARE_SECOND_PCT || is_exchange(c) || p->write_bytes == 0 ||
        c->data->smss == 0 || p->write_bytes % c->data->smss == 0 ||
        c->data->smss % p->write_bytes == 0 /* segments are whole writes */ ||
        p->messages < MESSAGES_LEAST || l->gaps < GAPS_LEAST ||
        part_of(p->write_explains_bytes, c->data->bytes) < MOSTLY ||
        part_of(l->after_partial + l->before_partial, l->gaps) < MOSTLY)
        return f;
    f.found = true;
    /* where delayed acknowledgments make the silences, and what Nagle's algorithm holds back explains
     * most of the time, that pair is the name (17) */
    f.may_lead = c->share_pct[LIMIT_NAGLE] < SHARE_LEAD_PCT ||
                 delayed_part(l) < MOSTLY;
    f.confidence = case_confidence(
        c,
        1 + (part_of(p->write_explains_bytes, c->data->bytes) >= NEARLY_ALL) +
            (delayed_part(l) >= NEARLY_ALL) + case_both_syns_seen(c),
        FAULT_ANY);
    return f;
}

/* Without the silences, each of which still costs no round trip. */
static struct forecast forecast_without_gaps(const struct case_file *c)
{
    const double elapsed_s = (double)c->data->elapsed_ns / NS_PER_S;
    const double seconds = elapsed_s * (1 - lock_step_pct(c) / 100);

    if (!(seconds > 0) || seconds >= elapsed_s)
        return (struct forecast){BOUND_UNKNOWN, BOUND_UNKNOWN};
    return (struct forecast){(double)c->data->bytes / seconds, seconds};
}

static void append_gaps(const struct case_file *c, struct verdict *v)
{
    static const int timers_ms[ACK_TIMERS] = {
        [ACK_TIMER_40] = 40, [ACK_TIMER_50] = 50, [ACK_TIMER_100] = 100, [ACK_TIMER_200] = 200};
    const struct lock_step_facts *l = &c->data->pattern.lock_step;

    verdict_append_text(v,
                        " %s times it then sent nothing until that was acknowledged: %s of %s in "
                        "all.",
                        phrase_count(l->gaps).text, phrase_span(l->total_ns).text,
                        phrase_span(c->data->elapsed_ns).text);
    for (int i = 0; i < ACK_TIMERS; i++)
        if (part_of(l->held[i], l->gaps) >= TIMER_PART)
            verdict_append_text(v, " %s of these silences last as long as the receiver's delay of "
                                   "acknowledgments, %d ms.", phrase_count(l->held[i]).text,
                                timers_ms[i]);
}

void cause_write_remainder_explain(const struct case_file *c, struct verdict *v)
{
    const struct pattern_facts *p = &c->data->pattern;
    const struct lock_step_facts *l = &p->lock_step;
    const struct forecast f = forecast_without_gaps(c);

    verdict_set_headline(v, "the %s's program writes %s bytes at a time, which leaves a small "
                            "segment to wait for", case_actor_word(case_sender(c)),
                         phrase_count(p->write_bytes).text);
    verdict_append_text(v, "%s bytes are %s; %s of the bytes came so.",
                        phrase_count(p->write_bytes).text,
                        phrase_window(p->write_bytes, c->data->smss).text,
                        phrase_pct(100 * part_of(p->write_explains_bytes, c->data->bytes)).text);
    append_gaps(c, v);
    verdict_add_evidence(v, p->message_from_frame, NS_UNKNOWN, FACT_WRITE_START,
                         "a write of %s bytes begins", phrase_count(p->message_size_bytes).text);
    verdict_add_evidence(v, p->message_to_frame, NS_UNKNOWN, FACT_WRITE_END,
                         "its last segment, below the full size");
    verdict_add_evidence(v, l->worst_to_frame, l->worst_start_ns, FACT_LOCK_STEP,
                         "the longest silence of this kind: %s, up to here",
                         phrase_span(l->worst_ns).text);
    verdict_add_advice(v, case_sender(c), ADVICE_WRITE_SIZE, whole_segments_bytes(c), f.bytes_per_s,
                       f.seconds);
    verdict_add_advice(v, case_sender(c), ADVICE_NODELAY, BYTES_UNKNOWN, -1, -1);
    if (delayed_part(l) >= MOSTLY)
        verdict_add_advice(v, case_receiver(c), ADVICE_DELAYED_ACK, BYTES_UNKNOWN, f.bytes_per_s,
                           f.seconds);
}
