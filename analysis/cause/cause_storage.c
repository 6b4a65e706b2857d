/* Causes 15, 16 and 40: a disk of known rate, a cache that fills, and the work of FTP's ASCII type.
 * Each says more of a slow host than that it is slow. */
#include <math.h>
#include <string.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/case_window.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define NS_PER_S 1e9
#define SHARE_SECOND_PCT 25
#define SHARE_OVERWHELMING_PCT 80
#define KNEE_RATIO 0.7
#define KNEE_BUFFERS 4         /* less is what the socket buffer took, not a cache */
#define KNEE_ROUND_TRIPS 10
#define KNEE_SPREAD 0.5
#define HELD_AFTER 0.5
#define REPAIR_AFTER 0.1       /* losses at the knee: a policer, not a cache */

/* Time that the sending or the receiving host took, and which. */
struct host_share {
    double pct;
    bool receiver;
};

static struct host_share slow_host(const struct case_file *c)
{
    const double receiver = case_window_is_unread(c) ? case_window_held_pct(c) : 0;
    const double sender = c->share_pct[LIMIT_APP];

    return receiver >= sender ? (struct host_share){receiver, true}
                              : (struct host_share){sender, false};
}

static enum actor host_actor(const struct case_file *c, bool receiver)
{
    return receiver ? case_receiver(c) : case_sender(c);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* "/write" is about the end that receives, "/read" about the one that sends. */
static bool ceiling_applies(const struct ceiling *ceiling, bool receiver)
{
    return !ends_with(ceiling->label, receiver ? "/read" : "/write");
}

/* The given ceiling nearest to the rate that it is at; NULL = none. */
static const struct ceiling *reached_ceiling(const struct case_file *c, bool receiver)
{
    const double rate = case_goodput_bytes_per_s(c);
    const struct ceiling *best = NULL;

    for (int i = 0; i < c->options->ceiling_count && i < CEILINGS_MAX; i++) {
        const struct ceiling *ceiling = &c->options->ceilings[i];

        if (ceiling_applies(ceiling, receiver) && rate >= CEILING_LEAST * ceiling->bytes_per_s &&
            rate <= CEILING_MOST * ceiling->bytes_per_s &&
            (best == NULL ||
             fabs(rate - ceiling->bytes_per_s) < fabs(rate - best->bytes_per_s)))
            best = ceiling;
    }
    return best;
}

/* The lowest given ceiling above the one that is reached; NULL = none. */
static const struct ceiling *next_ceiling(const struct case_file *c, const struct ceiling *reached,
                                          bool receiver)
{
    const struct ceiling *next = NULL;

    for (int i = 0; i < c->options->ceiling_count && i < CEILINGS_MAX; i++) {
        const struct ceiling *ceiling = &c->options->ceilings[i];

        if (ceiling_applies(ceiling, receiver) && ceiling->bytes_per_s > reached->bytes_per_s &&
            (next == NULL || ceiling->bytes_per_s < next->bytes_per_s))
            next = ceiling;
    }
    return next;
}

struct finding cause_storage_ceiling_find(const struct case_file *c)
{
    const struct host_share host = slow_host(c);
    struct finding f = {.share_pct = host.pct};

    if (host.pct < SHARE_SECOND_PCT || reached_ceiling(c, host.receiver) == NULL)
        return f;
    f.found = f.may_lead = true;
    /* that two rates agree may be chance */
    f.confidence = case_confidence(c, 1 + (host.pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    return f;
}

/* With a faster disk: what the network allows, up to the next ceiling (NULL = none). */
static struct forecast forecast_below(const struct case_file *c, const struct ceiling *next)
{
    const struct forecast f = case_forecast(c, case_window_bytes(c));

    if (next == NULL || (bound_is_known(f.bytes_per_s) && f.bytes_per_s <= next->bytes_per_s))
        return f;
    return (struct forecast){next->bytes_per_s, (double)case_size_bytes(c) / next->bytes_per_s};
}

void cause_storage_ceiling_explain(const struct case_file *c, struct verdict *v)
{
    const struct host_share host = slow_host(c);
    const struct ceiling *reached = reached_ceiling(c, host.receiver);
    const struct ceiling *next = next_ceiling(c, reached, host.receiver);
    const double rate = case_goodput_bytes_per_s(c);
    const char *actor = case_actor_word(host_actor(c, host.receiver));
    struct forecast f;

    verdict_set_headline(v, "the %s's disk: the rate is %s of the ceiling given for it", actor,
                         phrase_pct(100 * rate / reached->bytes_per_s).text);
    verdict_append_text(v, "%s of the time the transfer waited for the %s (%s); it went at %s, and "
                           "the ceiling is %s.",
                        phrase_pct(host.pct).text, actor,
                        host.receiver ? "its window closed" : "it had nothing to send",
                        phrase_rate(rate).text, phrase_rate(reached->bytes_per_s).text);
    if (next != NULL)
        verdict_append_text(v, " The next ceiling given is %s.",
                            phrase_rate(next->bytes_per_s).text);
    case_window_add_evidence(c, v);
    f = forecast_below(c, next);
    verdict_add_advice(v, host_actor(c, host.receiver), ADVICE_STORAGE, BYTES_UNKNOWN,
                       f.bytes_per_s, f.seconds);
}

/* What stands after the knee and not before: the receiver's window, or a sender without data. */
static bool knee_at_receiver(const struct moves_knee *knee)
{
    return knee->after_closed >= HELD_AFTER && knee->before_closed < knee->after_closed / 2;
}

static bool knee_at_sender(const struct moves_knee *knee)
{
    return knee->after_app >= HELD_AFTER && knee->before_app < knee->after_app / 2;
}

static bool is_cache_knee(const struct case_file *c)
{
    const struct moves_knee *knee = &c->data->moves.knee;
    const double rtt_s = case_rtt_min_s(c);

    return knee->at_ns > 0 && rtt_s > 0 &&
           knee->after_bytes_per_s < KNEE_RATIO * knee->before_bytes_per_s &&
           knee->before_bytes > KNEE_BUFFERS * case_window_bytes(c) &&
           (double)knee->at_ns / NS_PER_S >= KNEE_ROUND_TRIPS * rtt_s &&
           knee->before_spread < KNEE_SPREAD && knee->after_spread < KNEE_SPREAD &&
           knee->after_repair < REPAIR_AFTER &&
           (knee_at_sender(knee) || (knee_at_receiver(knee) && case_window_is_unread(c)));
}

struct finding cause_cache_knee_find(const struct case_file *c)
{
    const struct moves_knee *knee = &c->data->moves.knee;
    const bool receiver = knee_at_receiver(knee);
    struct finding f = {
        .share_pct = receiver ? case_window_held_pct(c) : c->share_pct[LIMIT_APP],
    };

    if (f.share_pct < SHARE_SECOND_PCT || case_window_bytes(c) == 0 || !is_cache_knee(c))
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   1 + (knee->after_bytes_per_s < knee->before_bytes_per_s / 2) +
                                       (knee->before_spread < KNEE_SPREAD / 2 &&
                                        knee->after_spread < KNEE_SPREAD / 2),
                                   FAULT_ANY);
    return f;
}

void cause_cache_knee_explain(const struct case_file *c, struct verdict *v)
{
    const struct moves_knee *knee = &c->data->moves.knee;
    const bool receiver = knee_at_receiver(knee);
    const enum actor actor = host_actor(c, receiver);

    verdict_set_headline(v, "the %s's disk: fast while %s, slow after that",
                         case_actor_word(actor),
                         receiver ? "a cache took the data" : "the data came from a cache");
    verdict_append_text(v, "The first %s bytes went at %s, in %s; the rest at %s. From then on %s "
                           "%s of the time, before it %s. It is not a policer: nothing was lost.",
                        phrase_count(knee->before_bytes).text,
                        phrase_rate(knee->before_bytes_per_s).text,
                        phrase_span(knee->at_ns).text, phrase_rate(knee->after_bytes_per_s).text,
                        receiver ? "its window held the sender" : "it had nothing to send",
                        phrase_pct(100 * (receiver ? knee->after_closed : knee->after_app)).text,
                        phrase_pct(100 * (receiver ? knee->before_closed : knee->before_app)).text);
    verdict_add_evidence(v, knee->frame, NS_UNKNOWN, FACT_KNEE, "from here on at %s",
                         phrase_rate(knee->after_bytes_per_s).text);
    case_window_add_evidence(c, v);
    verdict_add_advice(v, actor, ADVICE_STORAGE, BYTES_UNKNOWN, knee->before_bytes_per_s,
                       (double)case_size_bytes(c) / knee->before_bytes_per_s);
}

/* Bytes on the wire are not those of the file: lines were converted (RFC 959 section 3.1.1.1). */
static bool size_was_converted(const struct case_file *c)
{
    return c->transfer->complete && c->transfer->expected_bytes != BYTES_UNKNOWN &&
           c->transfer->expected_bytes != 0 &&
           c->transfer->bytes != c->transfer->expected_bytes;
}

static bool moves_a_file(const char *verb)
{
    static const char *const verbs[] = {"RETR", "STOR", "STOU", "APPE"};

    for (size_t i = 0; verb != NULL && i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(verb, verbs[i]) == 0)
            return true;
    return false;
}

struct finding cause_ascii_type_find(const struct case_file *c)
{
    const struct host_share host = slow_host(c);
    struct finding f = {.share_pct = host.pct};

    if (!c->transfer->ascii_type || !moves_a_file(c->transfer->verb) ||
        host.pct < SHARE_SECOND_PCT)
        return f;
    f.found = true;
    f.may_lead = size_was_converted(c) && host.pct >= SHARE_OVERWHELMING_PCT;
    /* a slow disk behind the conversion would look the same */
    f.confidence = case_confidence(c, 1 + size_was_converted(c), FAULT_ANY);
    return f;
}

void cause_ascii_type_explain(const struct case_file *c, struct verdict *v)
{
    const struct host_share host = slow_host(c);
    const char *actor = case_actor_word(host_actor(c, host.receiver));

    verdict_set_headline(v, "the work of FTP's ASCII type on the %s", actor);
    verdict_append_text(v, "TYPE A was in force: each line is converted, a character at a time. "
                           "%s bytes passed for a file of %s, and %s of the time the transfer "
                           "waited for the %s. Measured %s.",
                        phrase_count(c->transfer->bytes).text,
                        phrase_count(c->transfer->expected_bytes).text, phrase_pct(host.pct).text,
                        actor, phrase_rate(case_goodput_bytes_per_s(c)).text);
    case_window_add_evidence(c, v);
    verdict_add_advice(v, ACTOR_CLIENT, ADVICE_BINARY_TYPE, BYTES_UNKNOWN, BOUND_UNKNOWN,
                       BOUND_UNKNOWN);
}
