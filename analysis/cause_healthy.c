/* Cause 62: the link is full, and nothing else is in the way. */
#include <math.h>

#include "analysis/bounds.h"
#include "analysis/cause.h"
#include "analysis/note_codes.h"
#include "analysis/phrase.h"
#include "analysis/verdict.h"

#define FULL_LEAST 0.90
#define FULL_MOST_STANDARD 1.01 /* faster than a standard link: it is another link */
#define FULL_MOST_GIVEN 1.05    /* faster than --link: the figure given is not the link's */
#define OTHER_LIMIT_MOST_PCT 25
#define LINK_SHARE_FLAT_PCT 50
#define SHARE_OVERWHELMING_PCT 80
#define ROUNDS_ENOUGH 20
#define FLAT_PARTS 8
#define FLAT_TOLERANCE 0.10

/* Ethernet rates in bytes a second: 10, 100 and 1000 Mbit/s. */
static const double standard_links[] = {10e6 / 8, 100e6 / 8, 1000e6 / 8};

static bool link_is_given(const struct case_file *c)
{
    return c->options->link_bytes_per_s > 0;
}

/* The link that the transfer fills: the one given, else the standard one that fits; 0 = none. */
static double filled_link_bytes_per_s(const struct case_file *c)
{
    const double rate = case_goodput_bytes_per_s(c);
    const size_t count = sizeof standard_links / sizeof standard_links[0];
    const double *links = link_is_given(c) ? &c->options->link_bytes_per_s : standard_links;
    const double most = link_is_given(c) ? FULL_MOST_GIVEN : FULL_MOST_STANDARD;

    for (size_t i = 0; i < (link_is_given(c) ? 1 : count); i++) {
        const double ceiling = case_link_payload_bytes_per_s(c, links[i]);

        if (ceiling > 0 && rate >= FULL_LEAST * ceiling && rate <= most * ceiling)
            return links[i];
    }
    return 0;
}

/* What a full link implies: its rate, the congestion window that found it, and with a link that
 * the user gave, a window that just fills it. */
static bool implied_by_full_link(const struct case_file *c, int limit)
{
    return limit == LIMIT_LINK || limit == LIMIT_CWND || limit == LIMIT_SLOW_START ||
           (limit == LIMIT_RWND && link_is_given(c));
}

static bool another_limit_matters(const struct case_file *c)
{
    for (int i = 0; i < LIMIT_COUNT; i++)
        if (!implied_by_full_link(c, i) && c->share_pct[i] > OTHER_LIMIT_MOST_PCT)
            return true;
    return false;
}

static double bytes_of_part(const struct series_result *s, uint32_t first, uint32_t count)
{
    double sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += (double)s->buckets[first + i].bytes;
    return sum;
}

/* True when the middle half of the series, in eight parts, never leaves its mean by 10 %. */
static bool series_is_flat(const struct series_result *s)
{
    const uint32_t per_part = s->count / (2 * FLAT_PARTS), first = s->count / 4;
    double mean;

    if (per_part == 0 || s->buckets == NULL)
        return false;
    mean = bytes_of_part(s, first, per_part * FLAT_PARTS) / FLAT_PARTS;
    for (uint32_t part = 0; part < FLAT_PARTS; part++)
        if (fabs(bytes_of_part(s, first + part * per_part, per_part) - mean) >
            FLAT_TOLERANCE * mean)
            return false;
    return mean > 0;
}

struct finding cause_healthy_find(const struct case_file *c)
{
    const bool flat = series_is_flat(&c->flow->series[c->transfer->direction == S2C ? S2C : C2S]);
    const bool at_link = c->share_pct[LIMIT_LINK] >= LINK_SHARE_FLAT_PCT;
    struct finding f = {.share_pct = -1};
    double implied_pct;

    if (!c->data->limits_followed || another_limit_matters(c) ||
        !(filled_link_bytes_per_s(c) > 0) || !(link_is_given(c) || flat || at_link))
        return f;
    implied_pct = c->share_pct[LIMIT_LINK] + c->share_pct[LIMIT_CWND] +
                  c->share_pct[LIMIT_SLOW_START] + c->share_pct[LIMIT_RWND];
    f.found = true;
    f.confidence = case_confidence(c,
                                   link_is_given(c) + flat + at_link +
                                       (implied_pct >= SHARE_OVERWHELMING_PCT) +
                                       (c->data->rounds >= ROUNDS_ENOUGH),
                                   FAULT_ANY);
    /* A match with a standard rate may be chance: one run at 94 Mbit/s proves no 100 Mbit/s hop. */
    if (!link_is_given(c) && f.confidence > CONFIDENCE_MEDIUM)
        f.confidence = CONFIDENCE_MEDIUM;
    return f;
}

void cause_healthy_explain(const struct case_file *c, struct verdict *v)
{
    const double link = filled_link_bytes_per_s(c), rate = case_goodput_bytes_per_s(c);
    const double ceiling = case_link_payload_bytes_per_s(c, link);
    const double window_rate =
        bounds_window_bytes_per_s((double)case_window_bytes(c), case_rtt_min_s(c));

    verdict_set_headline(v, "nothing to cure: it fills %s of what a link of %s can carry",
                         phrase_pct(100 * rate / ceiling).text, phrase_bits(link).text);
    verdict_append_text(v, "In segments of %s bytes such a link carries %s of payload at most. "
                           "Measured %s.",
                        phrase_count(c->data->smss).text, phrase_rate(ceiling).text,
                        phrase_rate(rate).text);
    if (!link_is_given(c))
        verdict_append_text(v, " That there is such a link on the path is inferred from the rate "
                               "(--link says it).");
    if (window_rate > ceiling)
        verdict_append_text(v, " The receive window would allow %s.",
                            phrase_rate(window_rate).text);
    verdict_add_evidence(v, c->data->first_data_frame, c->data->first_data_ns, FACT_FIRST_DATA,
                         "first data");
    verdict_add_evidence(v, c->data->last_data_frame, c->data->last_data_ns, FACT_LAST_DATA,
                         "last data");
}
