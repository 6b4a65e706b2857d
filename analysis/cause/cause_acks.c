/* Causes 42 and 43: acknowledgments wait in a queue on their way, or come for many segments at
 * once. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
#define QUEUE_LEAST_NS 5000000
#define QUEUE_LEAST_TICKS 4
#define QUEUE_OF_INFLATION 0.6
#define INFLATED 1.5
#define LOSS_SMALL_PCT 5
#define STRETCH_SEGMENTS 4
#define SAMPLES_LEAST 20
#define JUMPS_LEAST 4
/* No receiver's merging of segments makes more of one (IP length), so an acknowledgment for more
 * was held or thinned on its way. */
#define MERGED_MOST_BYTES 65535
#define LONG_PATH_S 0.010

/* Time in which a round trip later was what let the sender go on. */
static double round_trip_held_pct(const struct case_file *c)
{
    return c->share_pct[LIMIT_RWND] + c->share_pct[LIMIT_CWND] + c->share_pct[LIMIT_SLOW_START] +
           c->share_pct[LIMIT_SEND_BUFFER] + c->share_pct[LIMIT_LINK];
}

/* The part of the round trip that acknowledgments spend in a queue, 0 = none that is known. */
static double queue_part(const struct case_file *c)
{
    const struct ack_pattern_facts *a = &c->data->pattern.acks;
    const struct sample_summary *rtt = &c->data->rtt;

    if (!c->data->pattern.known || a->queue_p50_ns < QUEUE_LEAST_NS || rtt->samples == 0 ||
        a->queue_tick_ns <= 0 || a->queue_p50_ns < QUEUE_LEAST_TICKS * a->queue_tick_ns ||
        (double)rtt->p50_ns < INFLATED * (double)rtt->min_ns ||
        (double)a->queue_p50_ns < QUEUE_OF_INFLATION * ((double)rtt->p50_ns - (double)rtt->min_ns))
        return 0;
    return fmin(1, (double)a->queue_p50_ns / (double)rtt->p50_ns);
}

static bool acks_are_stretched(const struct case_file *c)
{
    const struct pattern_facts *p = &c->data->pattern;

    return p->known && p->acks.rounds >= SAMPLES_LEAST && c->data->smss > 0 &&
           p->acks.covered_p50_bytes != BYTES_UNKNOWN &&
           p->acks.covered_p50_bytes > STRETCH_SEGMENTS * (uint64_t)c->data->smss;
}

struct finding cause_ack_path_find(const struct case_file *c)
{
    const struct ack_pattern_facts *a = &c->data->pattern.acks;
    struct finding f = {.share_pct = round_trip_held_pct(c) * queue_part(c)};

    if (f.share_pct < SHARE_SECOND_PCT ||
        c->share_pct[LIMIT_RECOVERY] + c->share_pct[LIMIT_RTO] > LOSS_SMALL_PCT)
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   1 + (a->rounds >= SAMPLES_LEAST) + (a->stretch >= JUMPS_LEAST) +
                                       case_both_syns_seen(c),
                                   FAULT_ANY);
    return f;
}

void cause_ack_path_explain(const struct case_file *c, struct verdict *v)
{
    const struct ack_pattern_facts *a = &c->data->pattern.acks;
    const struct direction_result *d = c->data;
    const double part = queue_part(c);
    double rate = case_goodput_bytes_per_s(c) / (1 - fmin(part, 0.99));

    verdict_set_headline(v, "acknowledgments wait in a queue on their way from the %s",
                         case_actor_word(case_receiver(c)));
    verdict_append_text(v,
                        "By the clocks in the packets they wait %s (95 %%: %s) of a round trip of "
                        "%s, which is %s when empty: the data itself waits little.",
                        phrase_span(a->queue_p50_ns).text, phrase_span(a->queue_p95_ns).text,
                        phrase_span(d->rtt.p50_ns).text, phrase_span(d->rtt.min_ns).text);
    if (a->stretch >= JUMPS_LEAST)
        verdict_append_text(v, " %s of %s acknowledgments cover more than four segments: others "
                               "were lost or held.", phrase_count(a->stretch).text,
                            phrase_count(a->acks).text);
    verdict_append_text(v, " Something else fills the way back from the %s.",
                        case_actor_word(case_receiver(c)));
    verdict_add_evidence(v, d->first_data_frame, d->first_data_ns, FACT_FIRST_DATA, "first data");
    verdict_add_evidence(v, d->last_data_frame, d->last_data_ns, FACT_LAST_DATA, "last data");
    const double link = case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s);
    if (bound_is_known(link) && link < rate)
        rate = link;
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_ACK_PRIORITY, BYTES_UNKNOWN, rate,
                       (double)case_size_bytes(c) / rate);
}

/* It slows the growth of a window that counts acknowledgments, and makes bursts: a colour of those,
 * unless one acknowledgment covers half of what is out and cannot be a receiver's merging. */
struct finding cause_stretch_acks_find(const struct case_file *c)
{
    const struct ack_pattern_facts *a = &c->data->pattern.acks;
    struct finding f = {.share_pct = c->share_pct[LIMIT_CWND] + c->share_pct[LIMIT_SLOW_START] +
                                     c->share_pct[LIMIT_LINK]};

    if (!acks_are_stretched(c) || queue_part(c) > 0 || f.share_pct < SHARE_SECOND_PCT)
        return f;
    f.found = true;
    f.may_lead = c->data->loss_events == 0 && a->covered_p50_bytes > MERGED_MOST_BYTES &&
                 case_rtt_min_s(c) >= LONG_PATH_S && c->data->flight_mean_bytes != BYTES_UNKNOWN &&
                 a->covered_p50_bytes >= c->data->flight_mean_bytes / 2;
    f.confidence = case_confidence(c, 1 + (a->stretch * 10 >= a->acks * 9) + case_both_syns_seen(c),
                                   FAULT_ANY);
    return f;
}

void cause_stretch_acks_explain(const struct case_file *c, struct verdict *v)
{
    const struct ack_pattern_facts *a = &c->data->pattern.acks;
    const struct direction_result *d = c->data;

    verdict_set_headline(v, "the %s acknowledges many segments at once",
                         case_actor_word(case_receiver(c)));
    verdict_append_text(v,
                        "An acknowledgment covers %s bytes (%s), where one for every second segment "
                        "is usual; %s of %s cover more than four segments.",
                        phrase_count(a->covered_p50_bytes).text,
                        phrase_window(a->covered_p50_bytes, d->smss).text,
                        phrase_count(a->stretch).text, phrase_count(a->acks).text);
    verdict_append_text(v, " The sender has %s bytes out, so it goes on in bursts of that size, "
                           "and a window that grows by acknowledgments grows slowly.",
                        phrase_count(d->flight_mean_bytes).text);
    verdict_add_evidence(v, d->worst[LIMIT_CWND].to_frame, d->worst[LIMIT_CWND].start_ns,
                         FACT_LONGEST_WAIT, "longest wait for an acknowledgment, up to here");
    verdict_add_advice(v, case_receiver(c), ADVICE_COALESCING, BYTES_UNKNOWN, -1, -1);
}
