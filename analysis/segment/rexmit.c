#include "analysis/segment/rexmit.h"

#include <stdlib.h>

#include "analysis/flow/seq.h"
#include "xmalloc.h"

#define MS ((int64_t)1000000)
/* RFC 6298 asks for 1 s; stacks in use take 200 ms (Linux, BSD 230, Windows 300). */
#define RTO_FLOOR_NS (200 * MS)
#define RTO_INITIAL_NS (1000 * MS)
#define TIMER_SLACK_PCT 90 /* a timer seen through the tap may look this much shorter */

int64_t rexmit_rto_of(int64_t srtt_ns, int64_t rttvar_ns)
{
    int64_t variance = 4 * rttvar_ns;

    return srtt_ns + (variance > RTO_FLOOR_NS ? variance : RTO_FLOOR_NS);
}

int64_t rexmit_rto_ns(const struct rexmit_facts *facts)
{
    if (facts->srtt_ns == NS_UNKNOWN) {
        if (facts->min_rtt_ns == NS_UNKNOWN)
            return RTO_INITIAL_NS;
        return facts->min_rtt_ns + RTO_FLOOR_NS;
    }
    return rexmit_rto_of(facts->srtt_ns, facts->rttvar_ns);
}

/* The least time after which a silence can be a time-out: max(200 ms, SRTT + 4 RTTVAR). */
static int64_t timeout_least_ns(const struct rexmit_facts *facts)
{
    int64_t least = RTO_FLOOR_NS;
    int64_t rtt = facts->srtt_ns != NS_UNKNOWN ? facts->srtt_ns : facts->min_rtt_ns;

    if (rtt != NS_UNKNOWN && rtt > least)
        least = rtt;
    return least * TIMER_SLACK_PCT / 100;
}

int64_t rexmit_silence_ns(const struct rexmit *rx, const struct rexmit_facts *facts)
{
    int64_t restarted = rx->last_sent_ns;

    if (rx->last_ack_ns + facts->near_ns > restarted)
        restarted = rx->last_ack_ns + facts->near_ns;
    return facts->now_ns - restarted;
}

/* Tail loss probe (RFC 8985 section 7): the highest segment alone, after 2 SRTT, plus the delayed
 * ACK allowance when it is the only one out, but no later than the time-out. */
static bool is_tail_probe(const struct rexmit *rx, const struct rexmit_facts *facts, uint64_t left,
                          uint64_t right, int64_t silence_ns)
{
    int64_t rtt = facts->srtt_ns != NS_UNKNOWN ? facts->srtt_ns : facts->min_rtt_ns;

    if (!facts->sack_permitted || right < facts->snd_nxt || rtt == NS_UNKNOWN || rx->recover != 0)
        return false;
    int64_t probe = 2 * rtt + (left <= facts->snd_una ? RTO_FLOOR_NS : 0);
    int64_t rto = rexmit_rto_ns(facts);
    if (probe > rto)
        probe = rto;
    return silence_ns * 100 >= probe * TIMER_SLACK_PCT - 100 * MS && silence_ns <= probe * 5 / 4 + 20 * MS;
}

/* Whether a signal for the segment at left can have reached the sender just now. */
static bool signalled(const struct rexmit *rx, const struct rexmit_facts *facts, uint64_t left)
{
    int64_t latest_ns = facts->near_ns + facts->near_ns / 2 + 100 * MS;

    if (facts->srtt_ns != NS_UNKNOWN && 2 * facts->srtt_ns > latest_ns)
        latest_ns = 2 * facts->srtt_ns;
    for (uint32_t i = 0; i < SIGNALS_REMEMBERED && i < rx->signal_count; i++)
        if (rx->signals[i].snd_una == left && facts->now_ns - rx->signals[i].time_ns <= latest_ns)
            return true;
    return false;
}

enum rexmit_trigger rexmit_trigger_of(const struct rexmit *rx, const struct rexmit_facts *facts,
                                      uint64_t left, uint64_t right)
{
    int64_t silence_ns = rexmit_silence_ns(rx, facts);
    bool in_episode = rx->recover != 0 && facts->snd_una < rx->recover;

    if (is_tail_probe(rx, facts, left, right, silence_ns) && rx->trigger_ns == NS_UNKNOWN)
        return REXMIT_TAIL_PROBE;
    if (silence_ns >= timeout_least_ns(facts) &&
        (left <= facts->snd_una || rx->trigger_ns == NS_UNKNOWN))
        return REXMIT_RTO;
    if (in_episode)
        return rx->timeout_episode ? REXMIT_RTO : REXMIT_FAST;
    if (rx->trigger_ns != NS_UNKNOWN)
        return REXMIT_FAST;
    /* the trigger passed a near leg ago; since then the late original may have ended it here */
    if (signalled(rx, facts, left))
        return REXMIT_FAST;
    /* RACK and early retransmit act on a single SACK or duplicate ACK (RFC 8985, RFC 5827) */
    if (rx->dup_acks > 0 || rx->high_sacked > left)
        return REXMIT_FAST;
    return REXMIT_UNKNOWN;
}

enum fill_verdict rexmit_judge_fill(const struct rexmit *rx, const struct ip_ids *ids,
                                    const struct rexmit_facts *facts, const struct hole *hole,
                                    const struct segment *seg)
{
    int order = 0;
    int64_t lag = facts->now_ns - hole->time_ns;

    if (lag < 0) /* it bears an earlier time than its successor: only the capture is out of order */
        return FILL_REORDERED;
    if ((seg->opt.present & TCP_OPT_TIMESTAMPS) != 0 && seg->opt.ts_val != hole->successor_ts_val)
        order = serial_after(seg->opt.ts_val, hole->successor_ts_val) ? 1 : -1;
    if (seg->ip_version == 4) {
        int by_id = ip_ids_order(ids, seg->ip_id, hole->successor_ip_id);
        if (order != 0 && by_id != 0 && order != by_id)
            return FILL_UNKNOWN;
        if (order == 0)
            order = by_id;
    }
    if (order > 0)
        return FILL_RESEND;
    if (order < 0)
        return FILL_REORDERED;
    /* gap seen, duplicate ACK passes a far leg later, resend a near leg after that: one full round
     * trip at least */
    if (facts->min_rtt_ns != NS_UNKNOWN)
        return lag < facts->min_rtt_ns * 95 / 100 ? FILL_REORDERED
               : rx->dup_acks > 0 || rx->high_sacked > 0 || rx->recover != 0 ||
                       rexmit_silence_ns(rx, facts) >= timeout_least_ns(facts)
                   ? FILL_RESEND
                   : FILL_UNKNOWN;
    return FILL_UNKNOWN;
}

void rexmit_triggered(struct rexmit *rx, uint64_t snd_una, int64_t time_ns)
{
    if (rx->trigger_ns != NS_UNKNOWN)
        return;
    rx->trigger_ns = time_ns;
    rx->signals[rx->signal_count++ % SIGNALS_REMEMBERED] = (struct rexmit_signal){snd_una, time_ns};
}

void rexmit_remember(struct rexmit *rx, const struct resend *resend)
{
    if (rx->resends == NULL)
        rx->resends = xcalloc(RESENDS_REMEMBERED, sizeof *rx->resends);
    rx->resends[rx->resend_count++ % RESENDS_REMEMBERED] = *resend;
    if (resend->has_ts && rx->undecided < RESENDS_REMEMBERED)
        rx->undecided++;
}

void rexmit_free(struct rexmit *rx)
{
    free(rx->resends);
    rx->resends = NULL;
    rx->resend_count = 0;
}

static uint32_t remembered(const struct rexmit *rx)
{
    return rx->resend_count < RESENDS_REMEMBERED ? rx->resend_count : RESENDS_REMEMBERED;
}

bool rexmit_dsack(struct rexmit *rx, uint64_t left, uint64_t right, uint32_t *segments)
{
    struct resend *latest = NULL;
    bool found = false;

    *segments = 0;
    for (uint32_t i = 0; i < remembered(rx); i++) {
        struct resend *resend = &rx->resends[i];
        if (resend->left >= right || resend->right <= left)
            continue;
        found = true;
        if (!resend->spurious && (latest == NULL || resend->time_ns > latest->time_ns))
            latest = resend;
    }
    if (latest != NULL) { /* one duplicate arrived: one resend was not needed */
        *segments = latest->segments;
        latest->spurious = true;
    }
    return found;
}

uint32_t rexmit_eifel(struct rexmit *rx, uint64_t old_una, uint64_t ack, uint32_t ts_ecr)
{
    struct resend *first = NULL;
    bool settled = false;

    for (uint32_t i = 0; i < remembered(rx); i++) {
        struct resend *resend = &rx->resends[i];
        /* only the segment at the left edge sets the echo (RFC 7323 section 4.3) */
        if (!resend->has_ts || resend->left != old_una || resend->right > ack)
            continue;
        settled |= resend->spurious;
        if (resend->original_seen && resend->ts_val != resend->original_ts_val &&
            serial_after(resend->ts_val, ts_ecr) &&
            (first == NULL || resend->time_ns < first->time_ns))
            first = resend;
        resend->has_ts = false;
        rx->undecided -= rx->undecided > 0;
    }
    if (first == NULL || settled)
        return 0;
    first->spurious = true;
    return first->segments;
}
