/* The models of bounds.h applied to a case: what each would have allowed, and what comes next. */
#include <math.h>

#include "analysis/bounds.h"
#include "analysis/cause.h"
#include "analysis/verdict.h"

/* The lower of two rates, where an unknown one does not bind. */
static double lower_known(double a, double b)
{
    if (!bound_is_known(a))
        return b;
    return bound_is_known(b) && b < a ? b : a;
}

struct forecast case_forecast(const struct case_file *c, uint64_t window_bytes)
{
    const double rtt_s = case_rtt_min_s(c), size_bytes = (double)case_size_bytes(c);
    const double whole_bytes = (double)bounds_whole_segments_bytes(window_bytes, c->data->smss);
    double full = bounds_window_bytes_per_s(whole_bytes, rtt_s);
    struct forecast f;

    full = lower_known(full, case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s));
    full = lower_known(full, case_loss_bytes_per_s(c));
    f.seconds = bounds_transfer_s(size_bytes, (double)case_initial_window_bytes(c),
                                  SLOW_START_GROWTH_DELAYED_ACK, rtt_s, full);
    f.bytes_per_s = f.seconds > 0 ? size_bytes / f.seconds : BOUND_UNKNOWN;
    if (f.bytes_per_s > case_goodput_bytes_per_s(c) && isfinite(f.bytes_per_s))
        return f;
    return (struct forecast){BOUND_UNKNOWN, BOUND_UNKNOWN};
}

void cause_bounds_fill(const struct case_file *c, struct verdict *v)
{
    const double rtt_s = case_rtt_min_s(c), size_bytes = (double)case_size_bytes(c);
    const struct analyzer_options *o = c->options;

    verdict_add_bound(v, "", "window_over_rtt",
                      bounds_window_bytes_per_s((double)case_window_bytes(c), rtt_s));
    verdict_add_bound(v, "", "slow_start",
                      bounds_slow_start_bytes_per_s(size_bytes,
                                                    (double)case_initial_window_bytes(c),
                                                    SLOW_START_GROWTH, rtt_s));
    verdict_add_bound(v, "", "loss_model", case_loss_bytes_per_s(c));
    verdict_add_bound(v, "", "link", case_link_payload_bytes_per_s(c, o->link_bytes_per_s));
    for (int i = 0; i < o->ceiling_count && i < CEILINGS_MAX; i++)
        verdict_add_bound(v, "ceiling:", o->ceilings[i].label, o->ceilings[i].bytes_per_s);
}
