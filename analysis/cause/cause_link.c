/* Causes 12 and 44: the bottleneck was busy, and the queue that the transfer itself kept there. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"
#include "analysis/moment.h"

#define SHARE_SECOND_PCT 25
#define SHARE_OVERWHELMING_PCT 80
#define LINK_REACHED 0.9     /* domain, row 12 */
#define CLASS_MOST 1.01      /* faster than a class of link: it is another one */
#define ROUNDS_ENOUGH 20
#define BLOAT_FACTOR 4.0     /* domain, row 44: the round trip under load against the empty one */
#define POLICER 9

/* Payload that the bottleneck passes, as the round trips showed it; < 0 = not shown. */
static double capacity(const struct case_file *c)
{
    return c->data->path.capacity_bytes_per_s;
}

/* Payload that the given link carries; < 0 = none given. */
static double given_ceiling(const struct case_file *c)
{
    return case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);
}

/* The class of Ethernet whose payload the bottleneck passes; 0 = none. */
static double link_class(const struct case_file *c)
{
    static const double classes[] = {10e6 / 8, 100e6 / 8, 1000e6 / 8, 10000e6 / 8};

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const double ceiling = case_link_payload_bytes_per_s(c, classes[i]);
        if (capacity(c) >= LINK_REACHED * ceiling && capacity(c) <= CLASS_MOST * ceiling)
            return classes[i];
    }
    return 0;
}

/* A link that is given is reached only at nine tenths of it: a bottleneck below is another place. */
static bool rate_is_shown(const struct case_file *c)
{
    return capacity(c) > 0 ||
           (given_ceiling(c) > 0 && case_goodput_bytes_per_s(c) >= LINK_REACHED * given_ceiling(c));
}

bool case_link_is_full(const struct case_file *c)
{
    return c->data->path.utilisation >= LINK_REACHED ||
           (given_ceiling(c) > 0 && case_goodput_bytes_per_s(c) >= LINK_REACHED * given_ceiling(c));
}

/* A window that only keeps the queue of a full bottleneck is no limit of its own. */
static double link_share_pct(const struct case_file *c)
{
    return fmin(100, c->share_pct[LIMIT_LINK] + (case_link_is_full(c) ? c->share_pct[LIMIT_RWND] : 0));
}

/* What losses cost, as far as their events or the time of their repair tell. */
static double losses_pct(const struct case_file *c)
{
    return fmax(case_loss_pct(c), c->share_pct[LIMIT_RECOVERY] + c->share_pct[LIMIT_RTO]);
}

static struct finding link_find(const struct case_file *c)
{
    const double share_pct = link_share_pct(c);
    struct finding f = {.share_pct = share_pct};

    if (share_pct < SHARE_SECOND_PCT || !rate_is_shown(c) || case_loss_cause(c) == POLICER)
        return f;
    f.found = true;
    /* with losses and a link that is not full, the losses are what can be cured: unless they cost
     * less than a second cause */
    f.may_lead = case_link_is_full(c) || losses_pct(c) < SHARE_SECOND_PCT;
    f.confidence = case_confidence(c,
                                   (share_pct >= SHARE_OVERWHELMING_PCT) +
                                       (c->data->rounds >= ROUNDS_ENOUGH) +
                                       (given_ceiling(c) > 0 || link_class(c) > 0) +
                                       (c->data->path.signature == CONGESTION_SELF_INDUCED),
                                   FAULT_ANY & ~(unsigned int)FAULT_POSITION);
    return f;
}

static bool queue_is_bloated(const struct case_file *c)
{
    const struct path_facts *path = &c->data->path;

    return c->data->loss_events == 0 && path->min_rtt_ns > 0 && path->loaded_rtt_p95_ns > 0 &&
           (double)path->loaded_rtt_p95_ns > BLOAT_FACTOR * (double)path->min_rtt_ns;
}

struct finding cause_bufferbloat_find(const struct case_file *c)
{
    if (!queue_is_bloated(c))
        return (struct finding){.share_pct = -1};
    return link_find(c);
}

struct finding cause_link_rate_find(const struct case_file *c)
{
    return link_find(c);
}

/* What the bottleneck passes, and how that is known. */
static void append_capacity(const struct case_file *c, struct verdict *v)
{
    const double ceiling = given_ceiling(c), rate = capacity(c), class = link_class(c);

    if (rate > 0)
        verdict_append_text(v, "It passes %s of payload: the rate stood there while more in flight "
                               "only lengthened the round trip",
                            phrase_rate(rate).text);
    if (ceiling > 0)
        verdict_append_text(v, "%s the link of %s carries %s in segments of %s bytes",
                            rate > 0 ? "; " : "", phrase_bits(c->options->link_bytes_per_s).text,
                            phrase_rate(ceiling).text, phrase_count(c->data->smss).text);
    else if (class > 0)
        verdict_append_text(v, ", what a link of %s carries in segments of %s bytes",
                            phrase_bits(class).text, phrase_count(c->data->smss).text);
    verdict_append_text(v, ". Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
}

static void append_queue(const struct case_file *c, struct verdict *v)
{
    const struct path_facts *path = &c->data->path;

    if (path->loaded_rtt_p50_ns > 0 && path->min_rtt_ns > 0)
        verdict_append_text(v, " Round trip %s empty, %s under load (95 %% below %s): %s of queue.",
                            phrase_span(path->min_rtt_ns).text,
                            phrase_span(path->loaded_rtt_p50_ns).text,
                            phrase_span(path->loaded_rtt_p95_ns).text,
                            phrase_span(path->queue_p50_ns).text);
}

static void add_link_evidence(const struct case_file *c, struct verdict *v)
{
    const enum limit limit = c->share_pct[LIMIT_LINK] > 0 ? LIMIT_LINK : LIMIT_RWND;
    const struct limit_span *worst = &c->data->worst[limit];

    verdict_add_evidence(v, worst->from_frame, worst->start_ns, FACT_BOTTLENECK_BUSY,
                         "the longest time at the bottleneck's rate begins");
    verdict_add_evidence(v, worst->to_frame, later_ns(worst->start_ns, worst->duration_ns),
                         FACT_BOTTLENECK_BUSY, "%s at the bottleneck's rate, up to here",
                         phrase_span(worst->duration_ns).text);
}

void cause_link_rate_explain(const struct case_file *c, struct verdict *v)
{
    if (given_ceiling(c) > 0 && case_goodput_bytes_per_s(c) >= LINK_REACHED * given_ceiling(c))
        verdict_set_headline(v, "the link: it carries what it can");
    else
        verdict_set_headline(v, "the narrowest place of the path: a link, a shaper or a host that "
                                "passes %s",
                             phrase_rate(capacity(c)).text);
    append_capacity(c, v);
    append_queue(c, v);
    add_link_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_CAPACITY, BYTES_UNKNOWN, -1, -1);
}

void cause_bufferbloat_explain(const struct case_file *c, struct verdict *v)
{
    const struct path_facts *path = &c->data->path;
    const double bdp = capacity(c) * (double)path->min_rtt_ns / 1e9;

    verdict_set_headline(v, "a long queue at the narrowest place of the path, kept full by this "
                            "transfer");
    append_capacity(c, v);
    append_queue(c, v);
    if (bdp > 0 && c->data->flight_max_bytes != BYTES_UNKNOWN)
        verdict_append_text(v, " The empty path holds %s bytes, up to %s were in flight.",
                            phrase_count((uint64_t)bdp).text,
                            phrase_count(c->data->flight_max_bytes).text);
    add_link_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_QUEUE_MANAGEMENT, BYTES_UNKNOWN, -1, -1);
}
