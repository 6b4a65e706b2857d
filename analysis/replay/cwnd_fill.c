#include "analysis/replay/cwnd_steps.h"

void cwnd_fill(const struct replay *r, struct cwnd_facts *facts)
{
    const struct cwnd *c = &r->cwnd;

    if (c->most <= 0 || c->time_sum <= 0)
        return;
    *facts = cwnd_facts_none();
    facts->known = true;
    facts->exact = c->was_exact;
    if (c->initial_bytes > 0)
        facts->initial_bytes = c->initial_bytes; /* or BYTES_UNKNOWN */
    facts->min_bytes = (uint64_t)c->least;
    facts->mean_bytes = (uint64_t)(c->estimate_sum / c->time_sum);
    facts->max_bytes = (uint64_t)c->most;
    facts->last_bytes = (uint64_t)c->estimate;
    facts->ssthresh_bytes = cwnd_ssthresh_bytes(r);
    /* growth that ends for good is a buffer's or the data's doing; beyond ssthresh it goes on */
    if (c->peak_bytes == 0 && facts->ssthresh_bytes != BYTES_UNKNOWN &&
        c->proven_bytes < facts->ssthresh_bytes + r->smss)
        facts->ssthresh_bytes = BYTES_UNKNOWN;
    facts->error_bytes = (uint64_t)(c->error_sum / c->time_sum);
    for (int i = 0; i < CWND_FALLS; i++)
        facts->decreases[i] = c->decreases[i];
    facts->undone = c->undone;
    bool law_seen =
        c->predictions > 0 || c->sawtooth.votes[LAW_RENO] != c->sawtooth.votes[LAW_CUBIC];
    sawtooth_facts(&c->sawtooth, law_seen ? cwnd_law_of(c) : CWND_LAWS, cwnd_smss(r),
                   &facts->oscillation);
    facts->family = sawtooth_family(&c->sawtooth);
    facts->family_confidence = CONFIDENCE_MEDIUM;
    if (facts->family == CWND_RENO || facts->family == CWND_CUBIC)
        facts->family_confidence = sawtooth_confidence(&c->sawtooth);
    pacing_facts(&c->pacing, facts);
    if (facts->family == CWND_BBR)
        facts->ssthresh_bytes = BYTES_UNKNOWN; /* no loss or round sets one */
    facts->growth_ns = c->growth.ns;
    facts->growth_from_bytes = c->growth.from;
    facts->growth_to_bytes = c->growth.to;
    facts->growth_rounds = c->growth.rounds;
    facts->growth_from_frame = c->growth.from_frame;
    facts->growth_to_frame = c->growth.to_frame;
    for (int i = 0; i < CWND_FALLS; i++) {
        facts->slow_start_ns[i] = c->slow_start_ns[i];
        facts->avoidance_ns[i] = c->avoidance_ns[i];
    }
    facts->timeout_turns = c->timeout_turns;
    facts->idle_from_bytes = c->idle_from;
    facts->idle_to_bytes = c->idle_to;
    facts->idle_frame = c->idle_frame;
    facts->idle_at_ns = c->idle_at_ns;
    facts->timeout_at_ns = c->timeout_at_ns;
    facts->timeout_frame = c->timeout_frame;
}
