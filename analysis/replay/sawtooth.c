#include "analysis/replay/sawtooth.h"

#include <math.h>

#include "analysis/result.h"

/* Clean falls that a name needs (Gordon and Nebby names need as many epochs). */
#define FALLS_LEAST 3u
/* A fall whose end differs by law by less than this many segments votes for none. */
#define APART_LEAST 2.0
/* Windows are whole segments, and the first acknowledgment may have let one more go. */
#define VOTE_WITHIN 1.0
/* All together: ten falls, each with one and a half segments between the laws, and their sum within a
 * quarter of that of one law.  A fall may be off by a segment; ten that are off alike are not. */
#define TOGETHER_LEAST 10u
#define TOGETHER_APART_LEAST 1.5
#define TOGETHER_PART 0.25

void sawtooth_fall(struct sawtooth *s, int64_t time_ns, uint64_t offset, bool rtt_grew)
{
    if (s->falls++ == 0) {
        s->first_ns = time_ns;
        s->first_offset = offset;
    }
    s->last_ns = time_ns;
    s->last_offset = offset;
    s->after_rtt_growth += rtt_grew;
}

void sawtooth_settle(struct sawtooth *s, double peak, double valley, double smss, bool clean)
{
    double reno = cwnd_model_ssthresh(LAW_RENO, peak), cubic = cwnd_model_ssthresh(LAW_CUBIC, peak);
    bool as_reno = fabs(valley - reno) <= VOTE_WITHIN,
         as_cubic = fabs(valley - cubic) <= VOTE_WITHIN;

    if (clean && cubic - reno >= APART_LEAST + VOTE_WITHIN) {
        s->votes[LAW_RENO] += as_reno;
        s->votes[LAW_CUBIC] += as_cubic;
        s->other_votes += !as_reno && !as_cubic;
    }
    if (clean) {
        s->apart_sum += cubic - reno;
        s->reno_miss_sum += valley - reno;
    }
    if (as_reno || as_cubic) /* what was measured is a law's to the segment */
        valley = fabs(valley - reno) < fabs(valley - cubic) ? reno : cubic;
    s->valleys++;
    if (!clean) {
        s->other_peak_sum += peak * smss;
        s->other_valley_sum[LAW_RENO] += reno * smss;
        s->other_valley_sum[LAW_CUBIC] += cubic * smss;
        return;
    }
    s->clean++;
    s->peak_sum += peak * smss;
    s->valley_sum += valley * smss;
}

void sawtooth_predicted(struct sawtooth *s, double reno, double cubic, double peak)
{
    bool as_reno = fabs(reno - peak) <= VOTE_WITHIN + 0.5; /* the prediction is no whole number */
    bool as_cubic = fabs(cubic - peak) <= VOTE_WITHIN + 0.5;

    if (fabs(reno - cubic) < APART_LEAST + VOTE_WITHIN)
        return;
    s->votes[LAW_RENO] += as_reno;
    s->votes[LAW_CUBIC] += as_cubic;
    s->other_votes += !as_reno && !as_cubic;
}

void sawtooth_round(struct sawtooth *s, double growth_segments, int64_t length_ns)
{
    s->growth_sum += growth_segments;
    s->growth_rounds++;
    s->round_sum_ns += length_ns;
    s->rounds++;
}

/* Of the falls that vote, nearly all for one law; or two thirds, and none for the other. */
static bool is_elected(uint32_t votes, uint32_t against, uint32_t all)
{
    return votes >= FALLS_LEAST && (votes * 5 >= all * 4 || (against == 0 && votes * 3 >= all * 2));
}

/* Windows of a few segments, where one fall tells nothing: all clean falls together. */
static bool together_as(const struct sawtooth *s, double miss)
{
    return s->clean >= TOGETHER_LEAST && s->apart_sum >= TOGETHER_APART_LEAST * s->clean &&
           fabs(miss) <= TOGETHER_PART * s->apart_sum;
}

enum cwnd_family sawtooth_family(const struct sawtooth *s)
{
    uint32_t reno = s->votes[LAW_RENO], cubic = s->votes[LAW_CUBIC];
    uint32_t all = reno + cubic + s->other_votes;
    double growth = s->growth_rounds > 0 ? s->growth_sum / (double)s->growth_rounds : -1;
    bool silent = all < FALLS_LEAST;

    if (s->falls == 0)
        return CWND_UNKNOWN;
    /* one segment a round trip, half of one with delayed acknowledgments */
    if ((is_elected(reno, cubic, all) || (silent && together_as(s, s->reno_miss_sum))) &&
        growth <= 1.5)
        return CWND_RENO;
    if (is_elected(cubic, reno, all) ||
        (silent && together_as(s, s->reno_miss_sum - s->apart_sum)))
        return CWND_CUBIC;
    return CWND_LOSS_BASED;
}

int32_t sawtooth_confidence(const struct sawtooth *s)
{
    uint32_t reno = s->votes[LAW_RENO], cubic = s->votes[LAW_CUBIC];
    uint32_t least = reno < cubic ? reno : cubic, most = reno < cubic ? cubic : reno;

    return least + s->other_votes == 0 && most >= 2 * FALLS_LEAST ? CONFIDENCE_HIGH
                                                                  : CONFIDENCE_MEDIUM;
}

void sawtooth_facts(const struct sawtooth *s, enum cwnd_law law, double smss,
                    struct oscillation_facts *out)
{
    double peaks = s->peak_sum, valleys = s->valley_sum;
    uint32_t count = s->clean;

    if (s->falls == 0)
        return;
    out->falls = s->falls;
    out->cycles = s->falls - 1;
    out->after_rtt_growth = s->after_rtt_growth;
    out->clean_epochs = s->clean;
    if (law != CWND_LAWS) {
        peaks += s->other_peak_sum;
        valleys += s->other_valley_sum[law];
        count = s->valleys;
    }
    if (count > 0 && peaks > 0) {
        out->peak_bytes = (uint64_t)(peaks / count);
        out->valley_bytes = (uint64_t)(valleys / count);
        out->beta = valleys / peaks;
    }
    if (s->growth_rounds > 0)
        out->growth_segments = s->growth_sum / (double)s->growth_rounds;
    if (out->cycles == 0)
        return;
    out->period_ns = (s->last_ns - s->first_ns) / out->cycles;
    if (s->rounds > 0 && s->round_sum_ns > 0)
        out->period_rtts = (double)out->period_ns * (double)s->rounds / (double)s->round_sum_ns;
    if (s->last_offset > s->first_offset && smss > 0)
        out->loss_rate = out->cycles * smss / (double)(s->last_offset - s->first_offset);
}
