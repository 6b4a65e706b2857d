/* Cause 52: a box between the ends acknowledges for the receiver. */
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
/* Row 52 of the catalogue; below 10 ms a host's own time at accept is as long as a path. */
#define RTT_RATIO 2
#define HANDSHAKE_LEAST_NS 10000000
#define ROUNDS_LEAST 10

/* Data is answered in less than half of the time that the handshake took, over many round trips, and
 * no SYN was sent twice. */
static bool answered_too_soon(const struct case_file *c)
{
    const struct pattern_facts *p = &c->data->pattern;

    return p->known && p->data_rtt_min_ns > 0 && c->data->rounds >= ROUNDS_LEAST &&
           c->flow->handshake_seen && c->flow->syn_retransmissions == 0 &&
           c->flow->handshake_rtt_ns >= HANDSHAKE_LEAST_NS &&
           p->data_rtt_min_ns < c->flow->handshake_rtt_ns / RTT_RATIO;
}

static const struct direction_result *receiver_side(const struct case_file *c)
{
    return &c->flow->dir[c->data == &c->flow->dir[C2S] ? S2C : C2S];
}

/* What answers the data has another distance, in hops, than what answered the SYN. */
static bool comes_from_elsewhere(const struct case_file *c)
{
    const struct direction_result *r = receiver_side(c);

    return r->syn_seen && r->pattern.ttl_other != 0 &&
           r->pattern.ttl_other_segments * 10 >= r->packets * 8;
}

struct finding cause_split_tcp_find(const struct case_file *c)
{
    struct finding f = {.share_pct = c->share_pct[LIMIT_RWND] + c->share_pct[LIMIT_ZERO_WINDOW]};
    const double sender_pct = c->share_pct[LIMIT_CWND] + c->share_pct[LIMIT_SLOW_START] +
                              c->share_pct[LIMIT_SEND_BUFFER];

    if (!case_both_syns_seen(c) || !answered_too_soon(c) || !comes_from_elsewhere(c))
        return f;
    /* the box's own window says that what lies behind it is slower; all else it only colours */
    f.may_lead = f.share_pct >= SHARE_SECOND_PCT;
    f.share_pct += f.may_lead ? 0 : sender_pct;
    f.found = f.share_pct >= SHARE_SECOND_PCT;
    f.confidence = case_confidence(c, 2, FAULT_ANY);
    return f;
}

void cause_split_tcp_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *r = receiver_side(c);
    const struct pattern_facts *p = &c->data->pattern;
    const char *receiver = case_actor_word(case_receiver(c));

    verdict_set_headline(v, "a box before the %s acknowledges for it, and takes no more", receiver);
    verdict_append_text(v,
                        "The handshake took %s; data is acknowledged after %s, before it can have "
                        "been at the %s and back. The answers come with TTL %u, the %s's first "
                        "packet with %u. What holds the box up lies behind it, and is not in this "
                        "capture.",
                        phrase_span(c->flow->handshake_rtt_ns).text,
                        phrase_span(p->data_rtt_min_ns).text, receiver, r->pattern.ttl_other,
                        receiver, r->pattern.ttl_first);
    verdict_add_evidence(v, r->syn_frame, NS_UNKNOWN, FACT_FAR_ANSWER,
                         "the %s's own answer, TTL %u", receiver, r->pattern.ttl_first);
    verdict_add_evidence(v, r->pattern.ttl_other_frame, NS_UNKNOWN, FACT_NEAR_ANSWER,
                         "the first answer with TTL %u", r->pattern.ttl_other);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_BOTH_LEGS, BYTES_UNKNOWN, -1, -1);
}
