#include "analysis/replay/cwnd_steps.h"

#include <math.h>

#include "analysis/replay/cwnd_rows.h"

/* Least width of the interval around a prediction, as a share: the goal for its median. */
#define WIDTH_LEAST 0.05

double cwnd_smss(const struct replay *r)
{
    return r->smss > 0 ? (double)r->smss : 1.0;
}

/* The law that has been right so far. */
enum cwnd_law cwnd_law_of(const struct cwnd *c)
{
    const uint32_t *votes = c->sawtooth.votes;

    if (votes[LAW_RENO] != votes[LAW_CUBIC])
        return votes[LAW_RENO] > votes[LAW_CUBIC] ? LAW_RENO : LAW_CUBIC;
    return c->predictions > 0 && c->misses[LAW_RENO] < c->misses[LAW_CUBIC] ? LAW_RENO : LAW_CUBIC;
}

static enum cwnd_state state_of(const struct replay *r)
{
    const struct cwnd *c = &r->cwnd;

    switch (c->phase) {
    case CWND_PHASE_RECOVERY: return CWND_RECOVERY;
    case CWND_PHASE_LOSS: return CWND_LOSS;
    case CWND_PHASE_IDLE: return CWND_IDLE_RESTART;
    case CWND_PHASE_OPEN: break;
    }
    if (!c->limited)
        return CWND_APP_LIMITED;
    return r->slow_start ? CWND_SLOW_START : CWND_AVOIDANCE;
}

uint64_t cwnd_ssthresh_bytes(const struct replay *r)
{
    double ssthresh = r->cwnd.model[cwnd_law_of(&r->cwnd)].ssthresh;

    return ssthresh > 0 ? (uint64_t)(ssthresh * cwnd_smss(r)) : BYTES_UNKNOWN;
}

/* The estimate has held up to now. */
void cwnd_settle_time(struct replay *r)
{
    struct cwnd *c = &r->cwnd;

    if (c->since_ns != NS_UNKNOWN && r->now_ns > c->since_ns && c->estimate > 0) {
        double span = (double)(r->now_ns - c->since_ns);
        c->time_sum += span;
        c->estimate_sum += span * c->estimate;
        c->error_sum += span * fmax(c->high - c->estimate, c->estimate - c->low);
    }
    c->since_ns = r->now_ns;
}

/* The window has these bounds since at_ns, which is now or shortly before. */
static void set_at(struct replay *r, int64_t at_ns, double low, double estimate, double high)
{
    struct cwnd *c = &r->cwnd;

    cwnd_settle_time(r);
    c->low = fmax(0, fmin(low, estimate));
    c->estimate = estimate;
    c->high = fmax(high, estimate);
    if (c->most == 0 || estimate < c->least)
        c->least = estimate;
    c->most = fmax(c->most, estimate);
    c->was_exact &= c->exact;
    if (c->rows == NULL)
        return;
    struct cwnd_row row = {
        .t_ns = at_ns,
        .low_bytes = (uint64_t)c->low,
        .estimate_bytes = (uint64_t)c->estimate,
        .high_bytes = (uint64_t)c->high,
        .ssthresh_bytes = cwnd_ssthresh_bytes(r),
        .state = state_of(r),
    };
    cwnd_rows_add(c->rows, &row, cwnd_smss(r));
}

void cwnd_set(struct replay *r, double low, double estimate, double high)
{
    set_at(r, r->now_ns, low, estimate, high);
}

/* The larger and the smaller window of the two laws, bytes. */
double cwnd_most(const struct replay *r)
{
    const struct cwnd_model *m = r->cwnd.model;

    return fmax(m[LAW_RENO].window, m[LAW_CUBIC].window) * cwnd_smss(r);
}

double cwnd_least(const struct replay *r)
{
    const struct cwnd_model *m = r->cwnd.model;

    return fmin(m[LAW_RENO].window, m[LAW_CUBIC].window) * cwnd_smss(r);
}

/* What is said while the window is open: by the flight, or by the models.  A window grows as an
 * acknowledgment comes, the data that shows it may leave later: the last one's time is that. */
void cwnd_set_open(struct replay *r)
{
    int64_t at_ns = r->covered_ns;

    struct cwnd *c = &r->cwnd;
    double proven = (double)c->proven_bytes, segment = cwnd_smss(r);

    if (c->exact) {
        /* which acknowledgment a departure answers is known to the segment, its time to a tick */
        double high = proven + segment, low = fmin(proven, c->estimate) - segment;
        set_at(r, at_ns, fmax(low, 0), proven,
               c->limited ? high : fmax(high, cwnd_most(r) + segment));
        return;
    }
    double width = CWND_WIDTH_AT_FIRST;
    enum cwnd_law law = cwnd_law_of(c);
    if (c->predictions >= 3)
        width = fmax(WIDTH_LEAST, 2 * c->misses[law] / c->predictions);
    double estimate = fmax(proven, c->model[law].window * segment);
    if (c->window_full) /* the receiver's window held it: no more than that was needed */
        estimate = proven;
    double low = cwnd_least(r) * (1 - width), high = cwnd_most(r) * (1 + width);
    if (c->predictions >= 3) {
        low = estimate * (1 - width);
        high = estimate * (1 + width);
    }
    if (c->model[law].ssthresh <= 0) /* slow start may have ended unseen */
        low = proven;
    /* windows are whole segments, and which acknowledgment comes next is known to one */
    set_at(r, at_ns, fmax(low, proven) - segment, estimate, fmax(high, estimate) + segment);
}
