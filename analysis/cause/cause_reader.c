/* Causes 13 and 22: the receiving program does not take its data out of the buffer fast enough, and
 * a window that opens in crumbs. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/case_window.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define NS_PER_S 1e9
#define SHARE_SECOND_PCT 25
#define SHARE_OVERWHELMING_PCT 80
#define STEPS_ENOUGH 5
#define CLOSED_OFTEN 3
#define REACHES_WINDOW 0.85  /* the window, not the reader, explains a rate above this of W/R */
#define READ_TOLERANCE 0.05
#define STEPS_TOLERANCE 0.5
#define SILLY_ENOUGH 10

/* Rate that the largest window would allow; < 0 = unknown. */
static double open_bytes_per_s(const struct case_file *c)
{
    return bounds_window_bytes_per_s((double)case_window_bytes(c), case_rtt_min_s(c));
}

/* True when most steps of the edge follow each other at one interval. */
static bool reads_evenly(const struct moves_steps *steps)
{
    return steps->even_count >= STEPS_ENOUGH && steps->even_count * 3 >= steps->count * 2;
}

/* Another cause names what the reader waits for, or what it does to the window. */
static bool is_told_by_another(const struct case_file *c)
{
    return cause_storage_ceiling_find(c).may_lead || cause_cache_knee_find(c).may_lead ||
           cause_silly_window_find(c).may_lead || cause_autotuning_shut_off_find(c).may_lead ||
           cause_window_shrink_find(c).may_lead;
}

struct finding cause_receiver_slow_find(const struct case_file *c)
{
    const struct moves_facts *m = &c->data->moves;
    const double held_pct = case_window_held_pct(c), open = open_bytes_per_s(c);
    const double rate = case_goodput_bytes_per_s(c);
    const bool closes = m->sink.episodes >= CLOSED_OFTEN &&
                        m->sink.late_openings * 2 >= m->sink.episodes;
    const bool steps = m->steps.count >= STEPS_ENOUGH;
    struct finding f = {.share_pct = held_pct};
    int signs;

    if (held_pct < SHARE_SECOND_PCT || !case_window_is_unread(c) || case_window_is_exceeded(c) ||
        !(rate > 0) || (bound_is_known(open) && rate >= REACHES_WINDOW * open) ||
        is_told_by_another(c))
        return f;
    signs = closes + reads_evenly(&m->steps) + (held_pct >= SHARE_OVERWHELMING_PCT) +
            (bound_is_known(open) && rate < open / 2);
    f.found = true;
    f.may_lead = closes || steps;
    f.confidence = case_confidence(c, signs, FAULT_ANY & ~(unsigned int)FAULT_FEW_ROUNDS);
    return f;
}

/* The power of two that a block is, give or take what the buffer's accounts add; 0 = none. */
static uint64_t read_size_bytes(double block_bytes)
{
    const double power = exp2(round(log2(block_bytes)));

    return block_bytes >= 512 && fabs(block_bytes - power) <= READ_TOLERANCE * power
               ? (uint64_t)power
               : 0;
}

static void append_rhythm(const struct case_file *c, struct verdict *v)
{
    const struct moves_steps *steps = &c->data->moves.steps;
    if (steps->count < STEPS_ENOUGH)
        return;
    const bool even = reads_evenly(steps);
    const uint64_t count = even ? steps->even_count : steps->count;
    const double block = (double)(even ? steps->even_bytes : steps->bytes) / (double)count;
    const int64_t interval_ns = (even ? steps->even_span_ns : steps->span_ns) / (int64_t)count;
    const uint64_t read = even ? read_size_bytes(block) : 0;
    const double rate = block / ((double)interval_ns / NS_PER_S);
    const double goodput = case_goodput_bytes_per_s(c);

    /* steps across one long pause tell nothing of how it reads otherwise */
    if (rate < goodput * (1 - STEPS_TOLERANCE) || rate > goodput * (1 + STEPS_TOLERANCE))
        return;
    verdict_append_text(v, " It opens by %s bytes %s %s", phrase_count((uint64_t)block).text,
                        even ? "every" : "on average every", phrase_span(interval_ns).text);
    if (read != 0)
        verdict_append_text(v, ", as for a program that reads %s at a time",
                            phrase_count(read).text);
    verdict_append_text(v, ": %s.", phrase_rate(rate).text);
}

static void add_reader_evidence(const struct case_file *c, struct verdict *v)
{
    const struct moves_facts *m = &c->data->moves;

    verdict_add_evidence(v, c->data->rwnd_max_frame, NS_UNKNOWN, FACT_LARGEST_WINDOW,
                         "the largest window: %s bytes", phrase_count(case_window_bytes(c)).text);
    verdict_add_evidence(v, m->sink.longest_from_frame, NS_UNKNOWN, FACT_WINDOW_CLOSED,
                         "below two segments from here on, for %s",
                         phrase_span(m->sink.longest_low_ns).text);
    verdict_add_evidence(v, m->sink.longest_to_frame, NS_UNKNOWN, FACT_WINDOW_OPENED,
                         "up to here: bytes were read");
    verdict_add_evidence(v, m->steps.first_frame, NS_UNKNOWN, FACT_WINDOW_STEP,
                         "the first of %s steps by which it opens",
                         phrase_count(m->steps.count).text);
    verdict_add_evidence(v, m->steps.last_frame, NS_UNKNOWN, FACT_WINDOW_STEP, "the last of them");
}

static void advise_reader(const struct case_file *c, struct verdict *v)
{
    const struct forecast f = case_forecast(c, case_window_bytes(c));

    verdict_add_advice(v, case_receiver(c), ADVICE_RECEIVING_PROGRAM, BYTES_UNKNOWN, f.bytes_per_s,
                       f.seconds);
}

void cause_receiver_slow_explain(const struct case_file *c, struct verdict *v)
{
    const struct moves_sink *sink = &c->data->moves.sink;
    const double open = open_bytes_per_s(c);

    verdict_set_headline(v, "the receiving program on the %s: it reads too slowly, and its window "
                            "%s",
                         case_actor_word(case_receiver(c)),
                         sink->episodes > 0 ? "closes" : "stays low");
    if (sink->episodes == 1)
        verdict_append_text(v, "The window was below two segments once, for %s",
                            phrase_span(sink->low_ns).text);
    else if (sink->episodes > 0)
        verdict_append_text(v, "The window was below two segments for %s (%s times, at most %s)",
                            phrase_span(sink->low_ns).text, phrase_count(sink->episodes).text,
                            phrase_span(sink->longest_low_ns).text);
    else
        verdict_append_text(v, "The window never closed, but was");
    verdict_append_text(v, "%s well below its largest, %s bytes, for %s of the time.",
                        sink->episodes > 0 ? " and" : "",
                        phrase_count(case_window_bytes(c)).text,
                        phrase_pct(case_window_sunk_pct(c)).text);
    append_rhythm(c, v);
    verdict_append_text(v, " Measured %s", phrase_rate(case_goodput_bytes_per_s(c)).text);
    if (bound_is_known(open))
        verdict_append_text(v, "; kept open, the window allows %s", phrase_rate(open).text);
    verdict_append_text(v, ".");
    add_reader_evidence(c, v);
    advise_reader(c, v);
}

/* Most segments are small while the window is full: it opens by less than a segment, and what fits
 * is sent (RFC 9293 section 3.8.6.2, RFC 813). */
struct finding cause_silly_window_find(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    const struct moves_silly *silly = &d->moves.silly;
    const double held_pct = case_window_held_pct(c);
    struct finding f = {.share_pct = held_pct};

    if (held_pct < SHARE_SECOND_PCT || silly->increments < SILLY_ENOUGH ||
        silly->rounds < SILLY_ENOUGH || silly->rounds * 2 < d->rounds_window_full ||
        d->data_segments == 0 || d->bytes / d->data_segments * 2 > d->smss)
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   2 + (held_pct >= SHARE_OVERWHELMING_PCT) -
                                       (silly->rounds * 4 < d->rounds_window_full * 3),
                                   FAULT_ANY);
    return f;
}

void cause_silly_window_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct moves_silly *silly = &d->moves.silly;

    verdict_set_headline(v, "the %s's window opens in crumbs (silly window)",
                         case_actor_word(case_receiver(c)));
    verdict_append_text(v, "%s times it opened by less than a segment to a sender that was waiting, "
                           "and in %s of %s full round trips most segments were small: %s bytes on "
                           "average, where the path takes %s. A receiver should wait until half of "
                           "the buffer or a whole segment is free (RFC 9293 section 3.8.6.2).",
                        phrase_count(silly->increments).text, phrase_count(silly->rounds).text,
                        phrase_count(d->rounds_window_full).text,
                        phrase_count(d->bytes / d->data_segments).text,
                        phrase_count(d->smss).text);
    verdict_append_text(v, " Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    verdict_add_evidence(v, silly->frame, NS_UNKNOWN, FACT_SMALL_INCREMENT,
                         "the first such opening");
    case_window_add_evidence(c, v);
    verdict_add_advice(v, case_receiver(c), ADVICE_READ_SIZE, BYTES_UNKNOWN, BOUND_UNKNOWN,
                       BOUND_UNKNOWN);
    verdict_add_advice(v, case_receiver(c), ADVICE_UPDATE_STACK, BYTES_UNKNOWN, BOUND_UNKNOWN,
                       BOUND_UNKNOWN);
}
