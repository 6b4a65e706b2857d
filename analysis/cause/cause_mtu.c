/* Causes 23 and 24: segments of full size vanish each time they are sent, smaller ones pass.  They
 * lead whatever the shares say, for a transfer that stands still has none. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"
#include "analysis/moment.h"

#define TRIES_LEAST 3      /* domain, section 6: lost three times or more */
#define TRIES_MANY 5
#define SYSTEMS_RTO_LEAST_S 0.2 /* domain, section 6: Linux; others have more */
#define BACKOFFS 7.0
#define ETHERNET_MSS 1460  /* RFC 879 with an MTU of 1500: above it are jumbo frames */
#define SHARE_LEAD_PCT 50

/* Time between the last acknowledgment and the last attempt; it lies beyond the elapsed time. */
static double stuck_ns(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    const int64_t since_ns = d->last_ack_ns != NS_UNKNOWN ? d->last_ack_ns : d->first_data_ns;

    return since_ns == NS_UNKNOWN || d->last_data_ns == NS_UNKNOWN
               ? 0
               : (double)d->last_data_ns - (double)since_ns;
}

/* True when most of the time was lost to it. */
static bool time_is_lost(const struct case_file *c)
{
    return case_loss_pct(c) >= SHARE_LEAD_PCT ||
           stuck_ns(c) * 100 >= SHARE_LEAD_PCT * (stuck_ns(c) + (double)c->data->elapsed_ns);
}

/* Nothing as large as what was sent again and again arrived at the first try, and something smaller
 * did: it was acknowledged, or the receiver reported it beyond the hole. */
static bool only_large_ones_vanish(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;

    if (loss->tries_most < TRIES_LEAST)
        return false;
    if (loss->passed_most_bytes != BYTES_UNKNOWN)
        return loss->passed_most_bytes < loss->tries_bytes;
    return c->data->sack_acks + c->data->dup_acks > 0;
}

/* Silence before the first data that the tap saw: since the handshake, or the peer's request. */
static int64_t silence_before_ns(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    const struct direction_result *peer = &c->flow->dir[d == &c->flow->dir[C2S] ? S2C : C2S];
    int64_t from_ns = later_ns(c->flow->start_ns, c->flow->handshake_rtt_ns);

    if (peer->first_data_ns != NS_UNKNOWN && peer->first_data_ns < d->first_data_ns)
        from_ns = peer->first_data_ns;
    return span_ns(from_ns, d->first_data_ns);
}

/* Beyond the narrow place its packets never pass the tap.  What shows there: silence while three
 * time-outs double (RFC 6298: 1 + 2 + 4 times a second, or what systems take for one, a fifth), then
 * segments below what the handshake allows, none larger ever, and losses before the tap from the
 * beginning on. */
static bool large_ones_vanish_before(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    const int64_t silence_ns = silence_before_ns(c);
    const double timeout_ns = 1e9 * fmax(case_rtt_min_s(c), SYSTEMS_RTO_LEAST_S);

    return case_both_syns_seen(c) && silence_ns != NS_UNKNOWN && d->loss.tries_most < TRIES_LEAST &&
           d->lost_upstream_segments >= TRIES_LEAST && d->pattern.mss_allowed > 0 &&
           d->max_payload_bytes < d->pattern.mss_allowed &&
           (double)silence_ns >= BACKOFFS * timeout_ns &&
           span_ns(d->first_data_ns, d->loss.first.time_ns) <= 2 * d->rtt.max_ns &&
           100 * (double)silence_ns + case_loss_pct(c) * (double)d->elapsed_ns >=
               SHARE_LEAD_PCT * ((double)silence_ns + (double)d->elapsed_ns);
}

static bool mtu_differs(const struct case_file *c)
{
    return c->data->loss.too_big_notices > 0 || c->data->loss.tries_bytes > ETHERNET_MSS;
}

static struct finding large_find(const struct case_file *c, bool wanted)
{
    const struct loss_facts *loss = &c->data->loss;
    struct finding f = {.share_pct = -1};

    f.found = wanted && only_large_ones_vanish(c) && time_is_lost(c);
    f.confidence = case_confidence(c,
                                   1 + (loss->tries_most >= TRIES_MANY) +
                                       (loss->passed_most_bytes != BYTES_UNKNOWN) +
                                       (loss->too_big_notices > 0),
                                   FAULT_HIDING);
    return f;
}

struct finding cause_black_hole_find(const struct case_file *c)
{
    struct finding f = large_find(c, !mtu_differs(c));

    if (!f.found && large_ones_vanish_before(c)) {
        f.found = true;
        f.confidence = case_confidence(c, 2, FAULT_HIDING);
    }
    return f;
}

struct finding cause_mtu_mismatch_find(const struct case_file *c)
{
    return large_find(c, mtu_differs(c));
}

static void append_sizes(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_append_text(v, "The same %s bytes were sent again %s times",
                        phrase_count(loss->tries_bytes).text, phrase_count(loss->tries_most).text);
    if (loss->passed_most_bytes != BYTES_UNKNOWN)
        verdict_append_text(v, "; the largest segment that arrived has %s",
                            phrase_count(loss->passed_most_bytes).text);
    verdict_append_text(v, ". The longest silence between attempts was %s.",
                        phrase_span(loss->silence_longest_ns).text);
}

/* The same from beyond the narrow place. */
static void append_silence(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;

    verdict_append_text(v,
                        "Nothing came for %s; then segments of at most %s bytes, where %s were "
                        "agreed on, and what was sent before them, %s segments, had to be sent "
                        "again: it was lost before this capture point.",
                        phrase_span(silence_before_ns(c)).text,
                        phrase_count(d->max_payload_bytes).text,
                        phrase_count(d->pattern.mss_allowed).text,
                        phrase_count(d->lost_upstream_segments).text);
}

static void add_size_evidence(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_add_evidence(v, loss->tries_frame, NS_UNKNOWN, FACT_SENT_AGAIN,
                         "resend number %s of the same %s bytes",
                         phrase_count(loss->tries_most).text, phrase_count(loss->tries_bytes).text);
    verdict_add_evidence(v, loss->too_big_frame, NS_UNKNOWN, FACT_TOO_BIG,
                         "a router says that a segment was too big");
    verdict_add_evidence(v, c->data->first_data_frame, c->data->first_data_ns, FACT_FIRST_DATA,
                         "first data");
}

void cause_black_hole_explain(const struct case_file *c, struct verdict *v)
{
    const uint64_t passed = large_ones_vanish_before(c) ? c->data->max_payload_bytes
                                                        : c->data->loss.passed_most_bytes;

    verdict_set_headline(v, "full-size packets vanish, and no router says that they are too big "
                            "(path MTU black hole)");
    if (large_ones_vanish_before(c))
        append_silence(c, v);
    else
        append_sizes(c, v);
    verdict_append_text(v, " No ICMP \"fragmentation needed\" came back.");
    add_size_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_ALLOW_ICMP, BYTES_UNKNOWN, -1, -1);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_CLAMP_MSS, passed, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_MTU_PROBING, BYTES_UNKNOWN, -1, -1);
}

void cause_mtu_mismatch_explain(const struct case_file *c, struct verdict *v)
{
    const struct loss_facts *loss = &c->data->loss;

    verdict_set_headline(v, "packets larger than the path takes: its MTU and the sender's differ");
    append_sizes(c, v);
    if (loss->too_big_notices > 0)
        verdict_append_text(v, " %s ICMP %s that they are too big",
                            phrase_count(loss->too_big_notices).text,
                            loss->too_big_notices == 1 ? "notice says" : "notices say");
    if (loss->too_big_mtu_bytes != BYTES_UNKNOWN)
        verdict_append_text(v, " for an MTU of %s", phrase_count(loss->too_big_mtu_bytes).text);
    if (loss->too_big_notices > 0)
        verdict_append_text(v, ", and the sender did not make them smaller.");
    else
        verdict_append_text(v, " They are jumbo frames, and some part of the path is not set for "
                               "them.");
    add_size_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_ALIGN_MTU, loss->too_big_mtu_bytes, -1, -1);
    verdict_add_advice(v, case_sender(c), ADVICE_MTU_PROBING, BYTES_UNKNOWN, -1, -1);
}
