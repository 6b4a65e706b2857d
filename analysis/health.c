#include "analysis/health.h"

#define GAP_UNFIT 0.05
#define GAP_DEGRADED 0.001

/* Share (0..1) of the data that receivers acknowledged but the capture lacks. */
static double gap_share(const struct analysis_counts *n)
{
    const double gap = (double)n->gap_bytes;

    return gap > 0 ? gap / (gap + (double)n->data_bytes) : 0;
}

/* Each function gives the count of one problem (0 = it is not there) and may raise its weight. */
static uint64_t only_one_direction(const struct health_input *in, enum health_verdict *weight)
{
    const struct analysis_counts *n = in->counts;

    *weight = HEALTH_UNFIT;
    return n->data_bytes + n->unseen_data_flows > 0 && n->one_way_flows >= n->flows ? n->flows : 0;
}

static uint64_t gaps(const struct health_input *in, enum health_verdict *weight)
{
    const double share = gap_share(in->counts);

    *weight = share > GAP_UNFIT      ? HEALTH_UNFIT
              : share > GAP_DEGRADED ? HEALTH_DEGRADED
                                     : HEALTH_NOTE;
    return in->counts->gap_bytes;
}

static uint64_t dropped(const struct health_input *in, enum health_verdict *weight)
{
    *weight = HEALTH_DEGRADED;
    return in->dropped;
}

static uint64_t truncated(const struct health_input *in, enum health_verdict *weight)
{
    *weight = HEALTH_DEGRADED;
    return in->truncated_files;
}

static uint64_t clock_backward(const struct health_input *in, enum health_verdict *weight)
{
    *weight = HEALTH_DEGRADED;
    return in->clock_backward_steps;
}

static uint64_t without_time(const struct health_input *in, enum health_verdict *weight)
{
    *weight = HEALTH_DEGRADED;
    return in->without_time;
}

static uint64_t cut_headers(const struct health_input *in, enum health_verdict *weight)
{
    *weight = HEALTH_DEGRADED;
    return in->cut_headers;
}

/* A few connections that began before the capture are normal; most of them are not. */
static uint64_t syn_missing(const struct health_input *in, enum health_verdict *weight)
{
    const struct analysis_counts *n = in->counts;

    *weight = n->syn_missing_flows > n->flows / 2 ? HEALTH_DEGRADED : HEALTH_NOTE;
    return n->syn_missing_flows;
}

static uint64_t unsupported_link(const struct health_input *in, enum health_verdict *weight)
{
    (void)weight;
    return in->unsupported_link;
}

static uint64_t duplicates(const struct health_input *in, enum health_verdict *weight)
{
    (void)weight;
    return in->counts->duplicate_frames;
}

static uint64_t super_segments(const struct health_input *in, enum health_verdict *weight)
{
    (void)weight;
    return in->counts->super_segments;
}

static uint64_t evicted(const struct health_input *in, enum health_verdict *weight)
{
    (void)weight;
    return in->counts->evicted_flows;
}

static uint64_t unfollowed(const struct health_input *in, enum health_verdict *weight)
{
    (void)weight;
    return in->counts->unfollowed_flows;
}

static const struct {
    const char *id;
    uint64_t (*count)(const struct health_input *in, enum health_verdict *weight);
} checks[] = {
    {"only_one_direction", only_one_direction},
    {"gaps", gaps},
    {"dropped", dropped},
    {"truncated", truncated},
    {"clock_backward", clock_backward},
    {"without_time", without_time},
    {"cut_headers", cut_headers},
    {"syn_missing", syn_missing},
    {"unsupported_link", unsupported_link},
    {"duplicates", duplicates},
    {"super_segments", super_segments},
    {"evicted_flows", evicted},
    {"unfollowed_flows", unfollowed},
};

_Static_assert(sizeof checks / sizeof checks[0] <= HEALTH_PROBLEMS_MAX, "room for every problem");

struct health_result health_judge(const struct health_input *in)
{
    struct health_result out = {.verdict = HEALTH_GOOD};

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        enum health_verdict weight = HEALTH_NOTE;
        const uint64_t count = checks[i].count(in, &weight);

        if (count == 0)
            continue;
        out.problems[out.problem_count++] = (struct health_problem){checks[i].id, count, weight};
        if (weight > out.verdict)
            out.verdict = weight;
    }
    return out;
}

const char *health_verdict_name(enum health_verdict verdict)
{
    static const char *const names[] = {
        [HEALTH_GOOD] = "good", [HEALTH_DEGRADED] = "degraded", [HEALTH_UNFIT] = "unfit"};

    return names[verdict];
}
