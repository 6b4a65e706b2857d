#include "analysis/facts/knee.h"

#include <math.h>

#define NS_PER_S 1e9
#define BINS_LEAST 8u

static void merge_bins(struct knee *knee)
{
    for (unsigned i = 0; i < KNEE_BINS / 2; i++) {
        const struct knee_bin a = knee->bins[2 * i], b = knee->bins[2 * i + 1];

        knee->bins[i] = (struct knee_bin){
            a.bytes + b.bytes,         a.closed_ns + b.closed_ns, a.app_ns + b.app_ns,
            a.repair_ns + b.repair_ns, a.frame != 0 ? a.frame : b.frame,
        };
    }
    for (unsigned i = KNEE_BINS / 2; i < KNEE_BINS; i++)
        knee->bins[i] = (struct knee_bin){0};
    knee->width_ns *= 2;
}

static void add_part(struct knee_bin *bin, const struct round *round, double part)
{
    const int64_t *limit_ns = round->limit_ns;

    bin->bytes += (float)(part * (double)(round->una_end - round->una_start));
    bin->closed_ns += (float)(part * (double)(limit_ns[LIMIT_RWND] + limit_ns[LIMIT_ZERO_WINDOW]));
    bin->app_ns += (float)(part * (double)limit_ns[LIMIT_APP]);
    bin->repair_ns += (float)(part * (double)(limit_ns[LIMIT_RECOVERY] + limit_ns[LIMIT_RTO]));
}

void knee_round(struct knee *knee, const struct round *round)
{
    const int64_t length_ns = round->end_ns - round->start_ns;

    if (length_ns <= 0 || round->una_end < round->una_start ||
        (knee->width_ns != 0 && round->start_ns < knee->end_ns))
        return;
    if (knee->width_ns == 0) {
        knee->width_ns = KNEE_FIRST_BIN_NS;
        knee->start_ns = round->start_ns;
    }
    while ((round->end_ns - 1 - knee->start_ns) / knee->width_ns >= (int64_t)KNEE_BINS)
        merge_bins(knee);
    knee->end_ns = round->end_ns;
    unsigned first = (unsigned)((round->start_ns - knee->start_ns) / knee->width_ns);
    unsigned last = (unsigned)((round->end_ns - 1 - knee->start_ns) / knee->width_ns);

    if (knee->bins[first].frame == 0)
        knee->bins[first].frame = round->first_frame;
    for (unsigned i = first; i <= last; i++) {
        int64_t from_ns = knee->start_ns + (int64_t)i * knee->width_ns;
        int64_t to_ns = round->end_ns - from_ns < knee->width_ns ? round->end_ns
                                                                 : from_ns + knee->width_ns;

        from_ns = from_ns > round->start_ns ? from_ns : round->start_ns;
        add_part(&knee->bins[i], round, (double)(to_ns - from_ns) / (double)length_ns);
    }
}

/* Sum of squared deviations of bins [from, to) from their mean, and the mean. */
static double squares(const struct knee *knee, unsigned from, unsigned to, double *mean)
{
    double sum = 0, squared = 0;

    for (unsigned i = from; i < to; i++) {
        const double bytes = (double)knee->bins[i].bytes;

        sum += bytes;
        squared += bytes * bytes;
    }
    *mean = sum / (to - from);
    return squared - sum * *mean;
}

/* Mean deviation from the mean, as a share of it. */
static double spread(const struct knee *knee, unsigned from, unsigned to, double mean)
{
    double sum = 0;

    for (unsigned i = from; i < to; i++)
        sum += fabs((double)knee->bins[i].bytes - mean);
    return mean > 0 ? sum / (to - from) / mean : 1;
}

static struct knee_bin total(const struct knee *knee, unsigned from, unsigned to)
{
    struct knee_bin sum = {0};

    for (unsigned i = from; i < to; i++) {
        sum.bytes += knee->bins[i].bytes;
        sum.closed_ns += knee->bins[i].closed_ns;
        sum.app_ns += knee->bins[i].app_ns;
        sum.repair_ns += knee->bins[i].repair_ns;
        if (sum.frame == 0)
            sum.frame = knee->bins[i].frame;
    }
    return sum;
}

static void describe(const struct knee *knee, unsigned split, unsigned count,
                     struct moves_knee *out)
{
    const struct knee_bin before = total(knee, 0, split), after = total(knee, split, count);
    const double width_ns = (double)knee->width_ns;
    const double before_ns = split * width_ns, after_ns = (count - split) * width_ns;

    out->before_bytes = (uint64_t)before.bytes;
    out->at_ns = (int64_t)split * knee->width_ns;
    out->before_bytes_per_s = (double)before.bytes * NS_PER_S / before_ns;
    out->after_bytes_per_s = (double)after.bytes * NS_PER_S / after_ns;
    out->before_spread = spread(knee, 0, split, (double)before.bytes / split);
    out->after_spread = spread(knee, split, count, (double)after.bytes / (count - split));
    out->before_closed = (double)before.closed_ns / before_ns;
    out->after_closed = (double)after.closed_ns / after_ns;
    out->before_app = (double)before.app_ns / before_ns;
    out->after_app = (double)after.app_ns / after_ns;
    out->after_repair = (double)after.repair_ns / after_ns;
    out->frame = after.frame;
}

void knee_find(const struct knee *knee, struct moves_knee *out)
{
    double best = INFINITY, mean;
    unsigned count, split = 0;

    if (knee->width_ns == 0)
        return;
    count = (unsigned)((knee->end_ns - knee->start_ns) / knee->width_ns); /* whole bins */
    if (count < BINS_LEAST)
        return;
    for (unsigned i = 1; i < count; i++) {
        const double sum = squares(knee, 0, i, &mean) + squares(knee, i, count, &mean);

        if (sum < best) {
            best = sum;
            split = i;
        }
    }
    describe(knee, split, count, out);
}
