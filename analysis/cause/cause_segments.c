/* Causes 20 and 21: segments that are small for the path, and segments so large that few of them
 * fill the window. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/case_window.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
#define SHARE_OVERWHELMING_PCT 80
#define MSS_DEFAULT 536        /* RFC 9293 section 3.7.1; 512 and 536 off-net on old stacks */
#define MSS_IPV6_LEAST 1220    /* RFC 8200 section 5: every path takes 1280 */
#define MSS_ETHERNET 1460
#define MSS_USUAL 1360         /* tunnels leave 1360 to 1452 of Ethernet's 1460 */
#define FEW_SEGMENTS 4         /* below it delayed ACKs stop the flow: Moldeklev, Gunningberg 1995 */
#define STALLED 0.85           /* of W/R: more than the window's own arithmetic */

/* The smaller MSS option and whose it is; 0 = neither SYN has one. */
static uint32_t offered_mss(const struct case_file *c, enum direction *whose)
{
    const uint32_t client = c->flow->dir[C2S].mss_option, server = c->flow->dir[S2C].mss_option;

    *whose = client != 0 && (server == 0 || client <= server) ? C2S : S2C;
    return *whose == C2S ? client : server;
}

/* Time in which the rate goes with the segment size: growth by segments, and recovery from losses
 * (Mathis: MSS / (R sqrt p)). */
static double paced_by_mss_pct(const struct case_file *c)
{
    return fmin(100, c->share_pct[LIMIT_SLOW_START] + c->share_pct[LIMIT_CWND] +
                         c->share_pct[LIMIT_RECOVERY] + c->share_pct[LIMIT_RTO]);
}

struct finding cause_small_mss_find(const struct case_file *c)
{
    const uint32_t smss = c->data->smss;
    enum direction whose;
    const uint32_t offered = offered_mss(c, &whose), other = c->flow->dir[!whose].mss_option;
    const bool by_default = offered != 0 && offered <= MSS_DEFAULT && smss <= MSS_DEFAULT;
    const bool clamped = offered != 0 && offered < MSS_IPV6_LEAST && other >= MSS_USUAL &&
                         smss <= offered;
    struct finding f = {.share_pct = paced_by_mss_pct(c)};

    /* small segments of a program that writes little are not the path's: some must be full */
    if (f.share_pct < SHARE_SECOND_PCT || smss == 0 || !(by_default || clamped) ||
        c->data->full_segments * 2 < c->data->data_segments)
        return f;
    f.found = true;
    f.confidence = case_confidence(c, 1 + by_default + clamped, FAULT_ANY);
    return f;
}

void cause_small_mss_explain(const struct case_file *c, struct verdict *v)
{
    enum direction whose;
    const uint32_t offered = offered_mss(c, &whose);
    const double rate = case_goodput_bytes_per_s(c), gain = MSS_ETHERNET / (double)c->data->smss;

    verdict_set_headline(v, "small segments: the %s asks for %s bytes at most",
                         case_actor_word(case_end(c, whose)), phrase_count(offered).text);
    verdict_append_text(v, "Congestion windows grow by segments and losses cost by segments: in "
                           "segments of %s bytes instead of %s, %s of the time went %s times as "
                           "slowly. Measured %s.",
                        phrase_count(c->data->smss).text, phrase_count(MSS_ETHERNET).text,
                        phrase_pct(paced_by_mss_pct(c)).text, phrase_decimal(gain).text,
                        phrase_rate(rate).text);
    verdict_add_evidence(v, c->flow->dir[whose].syn_frame, NS_UNKNOWN, FACT_SMALL_MSS,
                         "MSS option %s", phrase_count(offered).text);
    verdict_add_advice(v, case_end(c, whose), ADVICE_MSS, MSS_ETHERNET, rate * gain,
                       (double)case_size_bytes(c) / (rate * gain));
}

static bool few_fill_the_window(const struct case_file *c)
{
    return c->data->smss > 0 && case_window_bytes(c) > 0 &&
           case_window_bytes(c) < FEW_SEGMENTS * (uint64_t)c->data->smss;
}

/* With Ethernet's segments a window of fewer than four is first of all a small window, unless the
 * rate is below even that. */
struct finding cause_few_segments_find(const struct case_file *c)
{
    const double share_pct = c->share_pct[LIMIT_RWND], rtt_s = case_rtt_min_s(c);
    const double open = bounds_window_bytes_per_s((double)case_window_bytes(c), rtt_s);
    const bool stalls = bound_is_known(open) && case_goodput_bytes_per_s(c) < STALLED * open;
    struct finding f = {.share_pct = share_pct};

    if (share_pct < SHARE_SECOND_PCT || !few_fill_the_window(c) || case_window_is_unread(c) ||
        case_window_is_exceeded(c) || cause_scaling_stripped_find(c).may_lead ||
        !(c->data->smss > MSS_ETHERNET || stalls))
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   (share_pct >= SHARE_OVERWHELMING_PCT) + stalls +
                                       case_both_syns_seen(c),
                                   FAULT_ANY);
    return f;
}

void cause_few_segments_explain(const struct case_file *c, struct verdict *v)
{
    const double segments = (double)case_window_bytes(c) / c->data->smss;
    const double rtt_s = case_rtt_effective_s(c);

    verdict_set_headline(v, "the %s's receive window holds only %s segments",
                         case_actor_word(case_receiver(c)), phrase_decimal(segments).text);
    verdict_append_text(v, "%s bytes are %s. With fewer than four in flight each delayed ACK and "
                           "each rule against small segments stops the flow. ",
                        phrase_count(case_window_bytes(c)).text,
                        phrase_window(case_window_bytes(c), c->data->smss).text);
    if (rtt_s > 0)
        verdict_append_text(v, "Round trip %s, ", phrase_seconds(rtt_s).text);
    verdict_append_text(v, "measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    case_window_add_evidence(c, v);
    case_window_add_syns(c, v);
    case_window_advise(c, case_window_is_at_16_bits(c), v);
    if (c->data->smss > MSS_ETHERNET)
        verdict_add_advice(v, case_sender(c), ADVICE_SMALLER_MTU, BYTES_UNKNOWN, BOUND_UNKNOWN,
                           BOUND_UNKNOWN);
}
