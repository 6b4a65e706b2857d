/* The models of bounds.h applied to a case: what each would have allowed, and what comes next. */
#include <math.h>
#include <stddef.h>

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

/* The whole transfer at a steady rate of at most full bytes/s, after slow start. */
static struct forecast forecast_at(const struct case_file *c, double full)
{
    const double rtt_s = case_rtt_min_s(c), size_bytes = (double)case_size_bytes(c);
    struct forecast f;

    f.seconds = bounds_transfer_s(size_bytes, (double)case_initial_window_bytes(c),
                                  SLOW_START_GROWTH_DELAYED_ACK, rtt_s, full);
    f.bytes_per_s = f.seconds > 0 ? size_bytes / f.seconds : BOUND_UNKNOWN;
    if (f.bytes_per_s > case_goodput_bytes_per_s(c) && isfinite(f.bytes_per_s))
        return f;
    return (struct forecast){BOUND_UNKNOWN, BOUND_UNKNOWN};
}

/* The lowest of a full window each round trip, the given link and the capacity that the path has
 * shown. */
static double window_and_path_bytes_per_s(const struct case_file *c, uint64_t window_bytes)
{
    const double whole_bytes = (double)bounds_whole_segments_bytes(window_bytes, c->data->smss);
    const double capacity = c->data->path.capacity_bytes_per_s;
    const double path =
        lower_known(case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s),
                    capacity > 0 ? capacity : BOUND_UNKNOWN);

    return lower_known(bounds_window_bytes_per_s(whole_bytes, case_rtt_min_s(c)), path);
}

struct forecast case_forecast(const struct case_file *c, uint64_t window_bytes)
{
    return forecast_at(c, lower_known(window_and_path_bytes_per_s(c, window_bytes),
                                      case_loss_bytes_per_s(c)));
}

struct forecast case_forecast_lossless(const struct case_file *c)
{
    return forecast_at(c, window_and_path_bytes_per_s(c, case_window_bytes(c)));
}

/* The table of window against link that transfers over long paths are planned by. */
static void fill_efficiencies(const struct case_file *c, struct verdict *v)
{
    const double links[] = {2e6 / 8, 20e6 / 8, 200e6 / 8, c->options->link_bytes_per_s};
    const double window = (double)case_window_bytes(c), rtt_s = case_rtt_min_s(c);

    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        const double share = bounds_window_efficiency(window, rtt_s, links[i]);

        if (bound_is_known(share))
            v->efficiencies[v->efficiency_count++] = (struct window_efficiency){
                links[i], share, bounds_needed_window_bytes(links[i], rtt_s)};
    }
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
    fill_efficiencies(c, v);
}
