/* The models of bounds.h applied to a case: what each would have allowed, and what comes next. */
#include <math.h>
#include <stddef.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/verdict.h"

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

/* One page each turn: a round trip and what the other side thinks. */
static double page_per_turn(const struct case_file *c)
{
    const struct wait_facts *waits = &c->data->waits;
    const double rtt_s = case_rtt_min_s(c);
    const int64_t think_ns =
        c->transfer->direction == S2C ? waits->answer_ns : waits->think_ns;

    if (case_turn_bytes(c) < 0 || rtt_s <= 0)
        return BOUND_UNKNOWN;
    return case_turn_bytes(c) / (rtt_s + (double)think_ns / 1e9 / (double)waits->turns);
}

static double send_buffer_over_rtt(const struct case_file *c)
{
    return bounds_window_bytes_per_s((double)c->data->waits.plateau_bytes, case_rtt_min_s(c));
}

/* The bound that held: the smallest within 15 % of the measured rate, as near as a window over a
 * round trip, which has queues and slow start in it, comes to the rate that it causes. */
#define HOLDS_WITHIN 0.15

static void mark_holding(const struct case_file *c, struct verdict *v)
{
    const double rate = case_goodput_bytes_per_s(c);
    struct bound *holding = NULL;

    for (int i = 0; i < v->bound_count; i++) {
        struct bound *b = &v->bounds[i];

        if (fabs(rate - b->bytes_per_s) <= HOLDS_WITHIN * b->bytes_per_s &&
            (holding == NULL || b->bytes_per_s < holding->bytes_per_s))
            holding = b;
    }
    if (holding != NULL)
        holding->holds = true;
}

void cause_bounds_fill(const struct case_file *c, struct verdict *v)
{
    const double rtt_s = case_rtt_min_s(c), size_bytes = (double)case_size_bytes(c);
    const struct analyzer_options *o = c->options;

    verdict_add_bound(v, "", "window_over_rtt",
                      bounds_window_bytes_per_s((double)case_window_bytes(c), rtt_s));
    verdict_add_bound(v, "", "send_buffer_over_rtt", send_buffer_over_rtt(c));
    verdict_add_bound(v, "", "page_per_turn", page_per_turn(c));
    verdict_add_bound(v, "", "slow_start",
                      bounds_slow_start_bytes_per_s(size_bytes,
                                                    (double)case_initial_window_bytes(c),
                                                    SLOW_START_GROWTH, rtt_s));
    verdict_add_bound(v, "", "loss_model", case_loss_bytes_per_s(c));
    verdict_add_bound(v, "", "cubic_model", case_cubic_bytes_per_s(c));
    verdict_add_bound(v, "", "bottleneck", c->data->path.capacity_bytes_per_s);
    verdict_add_bound(v, "", "link", case_link_payload_bytes_per_s(c, o->link_bytes_per_s));
    for (int i = 0; i < o->ceiling_count && i < CEILINGS_MAX; i++)
        verdict_add_bound(v, "ceiling:", o->ceilings[i].label, o->ceilings[i].bytes_per_s);
    fill_efficiencies(c, v);
    mark_holding(c, v);
}

/* Steady rates that a connection cannot exceed, and whether several connections share one. */
enum steady { STEADY_WINDOW, STEADY_SEND_BUFFER, STEADY_LOSS, STEADY_BOTTLENECK, STEADY_LINK, STEADY_KINDS };

static const char *const steady_names[STEADY_KINDS] = {
    [STEADY_WINDOW] = "window_over_rtt", [STEADY_SEND_BUFFER] = "send_buffer_over_rtt",
    [STEADY_LOSS] = "loss_model",        [STEADY_BOTTLENECK] = "bottleneck",
    [STEADY_LINK] = "link",
};

/* Factors by which a change moves each of them; INFINITY: it falls away.  With half of the round
 * trip a window brings twice the rate, and the loss model as well. */
static const struct {
    const char *change;
    double factor[STEADY_KINDS];
} changes[] = {
    {"larger_window", {INFINITY, 1, 1, 1, 1}}, {"larger_send_buffer", {1, INFINITY, 1, 1, 1}},
    {"no_loss", {1, 1, INFINITY, 1, 1}},       {"four_streams", {4, 4, 4, 1, 1}},
    {"half_rtt", {2, 2, 2, 1, 1}},
};

void cause_what_if_fill(const struct case_file *c, struct verdict *v)
{
    const double now[STEADY_KINDS] = {
        bounds_window_bytes_per_s((double)case_window_bytes(c), case_rtt_min_s(c)),
        send_buffer_over_rtt(c),
        case_loss_bytes_per_s(c),
        c->data->path.capacity_bytes_per_s,
        case_link_payload_bytes_per_s(c, c->options->link_bytes_per_s),
    };

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        double before = BOUND_UNKNOWN, after = BOUND_UNKNOWN;
        const char *next = NULL;

        for (int kind = 0; kind < STEADY_KINDS; kind++) {
            if (!(now[kind] > 0))
                continue;
            const double moved = now[kind] * changes[i].factor[kind];
            before = lower_known(before, now[kind]);
            if (isfinite(moved) && (after < 0 || moved < after)) {
                after = moved;
                next = steady_names[kind];
            }
        }
        const struct forecast f = forecast_at(c, after);
        if (before < 0 || after <= before || f.bytes_per_s < 0)
            continue;
        v->what_ifs[v->what_if_count++] =
            (struct what_if){changes[i].change, f.bytes_per_s, f.seconds, next};
    }
}
