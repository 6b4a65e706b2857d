/* Cause 62: the link is full, and nothing else is in the way. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define FULL_LEAST 0.90
#define FULL_MOST_STANDARD 1.01 /* faster than a standard link: it is another link */
#define FULL_MOST_GIVEN 1.05    /* faster than --link: the figure given is not the link's */
#define OTHER_LIMIT_MOST_PCT 25
#define LINK_SHARE_FLAT_PCT 50
#define SHARE_OVERWHELMING_PCT 80
#define ROUNDS_ENOUGH 20
#define FLAT_TOLERANCE 0.10

/* Ethernet rates in bytes a second: 10, 100 and 1000 Mbit/s. */
static const double standard_links[] = {10e6 / 8, 100e6 / 8, 1000e6 / 8};

/* What the transfer fills. */
struct filled {
    enum { FILLED_NOTHING, FILLED_GIVEN, FILLED_STANDARD, FILLED_PATH } kind;
    double link_bytes_per_s;    /* gross rate; of a path, unknown */
    double payload_bytes_per_s; /* that it carries at most */
};

static bool link_is_given(const struct case_file *c)
{
    return c->options->link_bytes_per_s > 0;
}

static bool rate_fills(const struct case_file *c, double payload_bytes_per_s, double most)
{
    const double rate = case_goodput_bytes_per_s(c);

    return payload_bytes_per_s > 0 && rate >= FULL_LEAST * payload_bytes_per_s &&
           rate <= most * payload_bytes_per_s;
}

/* The link given, else a standard one that fits, else what the path was seen to pass. */
static struct filled filled_link(const struct case_file *c)
{
    const size_t count = sizeof standard_links / sizeof standard_links[0];
    const double *links = link_is_given(c) ? &c->options->link_bytes_per_s : standard_links;
    const double most = link_is_given(c) ? FULL_MOST_GIVEN : FULL_MOST_STANDARD;
    const double path = c->data->path.capacity_bytes_per_s;

    for (size_t i = 0; i < (link_is_given(c) ? 1 : count); i++) {
        const double payload = case_link_payload_bytes_per_s(c, links[i]);

        if (rate_fills(c, payload, most))
            return (struct filled){link_is_given(c) ? FILLED_GIVEN : FILLED_STANDARD, links[i],
                                   payload};
    }
    if (!link_is_given(c) && rate_fills(c, path, FULL_MOST_GIVEN))
        return (struct filled){FILLED_PATH, BOUND_UNKNOWN, path};
    return (struct filled){FILLED_NOTHING, BOUND_UNKNOWN, BOUND_UNKNOWN};
}

/* What a full link implies: its rate, the congestion window that found it, and with a link that
 * the user gave, a window that just fills it.  Where only the path's own rate is known, time at that
 * rate is for the cause that names the link. */
static bool implied_by_full_link(const struct filled *filled, int limit)
{
    return (limit == LIMIT_LINK && filled->kind != FILLED_PATH) || limit == LIMIT_CWND ||
           limit == LIMIT_SLOW_START || (limit == LIMIT_RWND && filled->kind == FILLED_GIVEN);
}

static bool another_limit_matters(const struct case_file *c, const struct filled *filled)
{
    for (int i = 0; i < LIMIT_COUNT; i++)
        if (!implied_by_full_link(filled, i) && c->share_pct[i] > OTHER_LIMIT_MOST_PCT)
            return true;
    return false;
}

/* True when at least half of the time, to the end or to a last short part, went at one rate. */
static bool rate_is_flat(const struct case_file *c)
{
    const struct moves_knee *knee = &c->data->moves.knee;

    if (knee->at_ns <= 0)
        return false;
    if (knee->at_ns <= c->data->elapsed_ns / 2)
        return knee->after_spread <= FLAT_TOLERANCE;
    return knee->before_spread <= FLAT_TOLERANCE &&
           fabs(knee->after_bytes_per_s / knee->before_bytes_per_s - 1) <= FLAT_TOLERANCE;
}

struct finding cause_healthy_find(const struct case_file *c)
{
    const struct filled filled = filled_link(c);
    const bool flat = rate_is_flat(c), given = filled.kind == FILLED_GIVEN;
    const bool at_link = c->share_pct[LIMIT_LINK] >= LINK_SHARE_FLAT_PCT;
    const bool at_path = filled.kind == FILLED_PATH && flat;
    struct finding f = {.share_pct = -1};
    double implied_pct;

    /* losses tell of a full queue: something could be cured, if only the queue */
    if (!c->data->limits_followed || filled.kind == FILLED_NOTHING ||
        another_limit_matters(c, &filled) || !(given || at_link || at_path) ||
        (!given && c->data->loss_events > 0))
        return f;
    implied_pct = c->share_pct[LIMIT_LINK] + c->share_pct[LIMIT_CWND] +
                  c->share_pct[LIMIT_SLOW_START] + c->share_pct[LIMIT_RWND];
    f.found = true;
    f.confidence = case_confidence(c,
                                   given + flat + at_link + (implied_pct >= SHARE_OVERWHELMING_PCT) +
                                       (c->data->rounds >= ROUNDS_ENOUGH),
                                   FAULT_ANY);
    /* A match with a standard rate may be chance: one run at 94 Mbit/s proves no 100 Mbit/s hop. */
    if (!given && f.confidence > CONFIDENCE_MEDIUM)
        f.confidence = CONFIDENCE_MEDIUM;
    return f;
}

/* The lowest of the other bounds: what a faster link would meet next. */
static void append_next_limit(const struct case_file *c, double payload, struct verdict *v)
{
    const double window =
        bounds_window_bytes_per_s((double)case_window_bytes(c), case_rtt_min_s(c));
    const double loss = case_loss_bytes_per_s(c);

    if (bound_is_known(loss) && loss > payload && !(bound_is_known(window) && window < loss))
        verdict_append_text(v, " On a faster link its losses would be next: %s.",
                            phrase_rate(loss).text);
    else if (window > payload)
        verdict_append_text(v, " On a faster link the receive window would be next: it allows %s.",
                            phrase_rate(window).text);
}

void cause_healthy_explain(const struct case_file *c, struct verdict *v)
{
    const struct filled filled = filled_link(c);
    const double rate = case_goodput_bytes_per_s(c), payload = filled.payload_bytes_per_s;

    if (filled.kind == FILLED_PATH) {
        verdict_set_headline(v, "nothing to cure at the ends: it fills %s of what the path passes",
                             phrase_pct(100 * rate / payload).text);
        verdict_append_text(v, "While a queue stood before its slowest hop, the path passed %s. "
                               "Measured %s.",
                            phrase_rate(payload).text, phrase_rate(rate).text);
    } else {
        verdict_set_headline(v, "nothing to cure: it fills %s of what a link of %s can carry",
                             phrase_pct(100 * rate / payload).text,
                             phrase_bits(filled.link_bytes_per_s).text);
        verdict_append_text(v, "In segments of %s bytes such a link carries %s of payload at most. "
                               "Measured %s.",
                            phrase_count(c->data->smss).text, phrase_rate(payload).text,
                            phrase_rate(rate).text);
    }
    if (filled.kind == FILLED_STANDARD)
        verdict_append_text(v, " That there is such a link on the path is inferred from the rate "
                               "(--link says it).");
    append_next_limit(c, payload, v);
    verdict_add_evidence(v, c->data->first_data_frame, c->data->first_data_ns, FACT_FIRST_DATA,
                         "first data");
    verdict_add_evidence(v, c->data->last_data_frame, c->data->last_data_ns, FACT_LAST_DATA,
                         "last data");
}
