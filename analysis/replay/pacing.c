#include "analysis/replay/pacing.h"

/* BBR (Cardwell et al. 2016, and its Internet-Draft): a cycle of eight round trips with a pacing
 * gain of 5/4 in one of them; ProbeRTT holds four segments for 200 ms, every 10 s. */
#define PROBE_LEAST 1.10   /* of the base: half of what a probe adds */
#define PROBE_OVER 1.06    /* back where it was */
#define PROBE_ROUNDS_MAX 3 /* its queue drains in the next round trip */
#define CYCLE_LEAST 6u
#define CYCLE_MOST 10u
#define DIP_SEGMENTS 5.0 /* four, and one being sent */
#define DIP_FROM 12.0    /* below three times that a dip is no dip */
#define DIP_LEAST_NS ((int64_t)150 * 1000000)
#define DIP_PERIOD_LEAST_NS ((int64_t)9 * 1000000000)
#define DIP_PERIOD_MOST_NS ((int64_t)13 * 1000000000)
#define PROBES_LEAST 6u /* regular ones that a name needs */
/* Evenness of a paced sender: catalogue row 50, rate flat within 2 %. */
#define RATE_SPAN_NS ((int64_t)1000000000)
#define RATE_FLAT 1.04
#define EVEN_ROUNDS_LEAST 20u

void pacing_start(struct pacing *p)
{
    p->dip_start_ns = p->first_dip_ns = p->last_dip_ns = NS_UNKNOWN;
}

void pacing_fall(struct pacing *p)
{
    p->base = 0;
    p->probe_rounds = p->since_probe = 0;
}

static void probe_is_over(struct pacing *p)
{
    uint32_t cycle = p->since_probe;

    p->regular += p->probes > 0 && cycle >= CYCLE_LEAST && cycle <= CYCLE_MOST;
    p->probes++;
    p->since_probe = p->probe_rounds;
    p->probe_rounds = 0;
}

static void follow_probes(struct pacing *p, double flight)
{
    p->since_probe += p->probe_rounds == 0;
    if (p->base <= 0) {
        p->base = flight;
    } else if (flight >= p->base * PROBE_LEAST) {
        if (++p->probe_rounds > PROBE_ROUNDS_MAX) { /* growth */
            p->base = flight;
            p->probe_rounds = 0;
        }
    } else if (flight <= p->base * PROBE_OVER) {
        if (p->probe_rounds > 0)
            probe_is_over(p);
        p->base += (flight - p->base) / 4;
    }
}

static void end_dip(struct pacing *p, int64_t now_ns, double flight)
{
    int64_t start_ns = p->dip_start_ns;

    p->dip_start_ns = NS_UNKNOWN;
    if (now_ns - start_ns < DIP_LEAST_NS || flight * 2 < p->base)
        return;
    if (p->dips++ == 0)
        p->first_dip_ns = start_ns;
    p->last_dip_ns = start_ns;
}

/* True when a round belongs to a dip: it is no measure of the base then. */
static bool follow_dips(struct pacing *p, const struct round *round, double flight)
{
    if (flight <= DIP_SEGMENTS && p->base >= DIP_FROM) {
        if (p->dip_start_ns == NS_UNKNOWN)
            p->dip_start_ns = round->start_ns;
        return true;
    }
    if (p->dip_start_ns != NS_UNKNOWN)
        end_dip(p, round->start_ns, flight);
    return false;
}

static void follow_rate(struct pacing *p, const struct round *round, uint32_t smss)
{
    uint64_t spread = round->flight_max_bytes - round->flight_min_bytes;
    int64_t length_ns = round->end_ns - round->start_ns;

    p->rounds++;
    if (round->limit_ns[LIMIT_APP] * 2 < length_ns || round->departures < 4 ||
        spread > 2 * (uint64_t)smss || round->flight_min_bytes == BYTES_UNKNOWN)
        return;
    p->even_rounds++;
    p->even_bytes += round->sent_bytes;
    p->even_ns += length_ns;
    p->second_bytes += round->sent_bytes;
    p->second_ns += length_ns;
    if (p->second_ns < RATE_SPAN_NS)
        return;
    double rate = (double)p->second_bytes * 1e9 / (double)p->second_ns;
    if (p->rate_most <= 0 || rate < p->rate_least)
        p->rate_least = rate;
    if (rate > p->rate_most)
        p->rate_most = rate;
    p->second_bytes = 0;
    p->second_ns = 0;
}

void pacing_round(struct pacing *p, const struct round *round, uint32_t smss)
{
    if (round->departures == 0 || smss == 0)
        return;
    follow_rate(p, round, smss);
    if (round->recovery || round->window_full || round->partial > 0) {
        pacing_fall(p);
        p->dip_start_ns = NS_UNKNOWN;
        return;
    }
    double flight = (double)round->flight_max_bytes / smss;
    if (!follow_dips(p, round, flight))
        follow_probes(p, flight);
}

bool pacing_probes(const struct pacing *p)
{
    return p->regular >= 3 && p->regular * 2 >= p->probes;
}

static bool dips_are_regular(const struct pacing *p)
{
    if (p->dips < 2)
        return false;
    int64_t period_ns = (p->last_dip_ns - p->first_dip_ns) / (p->dips - 1);
    return period_ns >= DIP_PERIOD_LEAST_NS && period_ns <= DIP_PERIOD_MOST_NS;
}

void pacing_facts(const struct pacing *p, struct cwnd_facts *out)
{
    bool probing = p->regular >= PROBES_LEAST && p->regular * 3 >= p->probes * 2;
    bool dipping = dips_are_regular(p);

    if (dipping)
        out->probe_period_ns = (p->last_dip_ns - p->first_dip_ns) / (p->dips - 1);
    if (probing && (dipping || p->dips > 0)) {
        out->family = CWND_BBR;
        out->family_confidence = CONFIDENCE_HIGH;
    } else if (probing && p->regular >= 2 * PROBES_LEAST) {
        out->family = CWND_BBR;
        out->family_confidence = CONFIDENCE_MEDIUM;
    }
    if (p->even_rounds >= EVEN_ROUNDS_LEAST && p->even_rounds * 10 >= p->rounds * 9 &&
        p->rate_least > 0 && p->rate_most <= p->rate_least * RATE_FLAT) {
        out->paced = true;
        out->pacing_bytes_per_s = (uint64_t)((double)p->even_bytes * 1e9 / (double)p->even_ns);
    }
    if (out->family == CWND_BBR)
        out->paced = true;
}
