/* Which cause the losses of a case have, and what they cost: one answer for all causes of losses,
 * so that their shares are never counted twice. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"

/* Flach et al., SIGCOMM 2016: a fifth of the losses may find tokens or a grown round trip. */
#define POLICER_MATCH 0.8
#define POLICER_QUEUE_MOST 0.2
/* Five events between first and last: with fewer, any losses may lie on a line. */
#define POLICER_EVENTS_LEAST 5
/* A bucket lets more than its rate pass before it is empty; a full link never does. */
#define POLICER_PEAK 1.1
/* A sawtooth from a half to the whole has a mean of three quarters: 4/3, and its repairs. */
#define SAWTOOTH_PEAK 1.5
#define HALF 0.5
/* Of the flight that ends slow start: a few segments may be anyone's. */
#define OVERSHOOT_LEAST 0.2
#define OVERSHOOT_MOST 0.6
#define BUCKET_EVENTS_LEAST 3
#define FILL_SEGMENTS_LEAST 10
#define SHARE_SECOND_PCT 25
/* Domain, row 41: a local path of the 100 Mbit/s class, both directions loaded. */
#define DUPLEX_RTT_MOST_S 0.010
#define DUPLEX_EVENTS_LEAST 10
#define DUPLEX_MATCH 0.9
#define DUPLEX_OTHER_PART 4 /* the other direction has a quarter of the data segments or more */
#define FAST_ETHERNET_BYTES_PER_S 12.5e6

static double pct_of(const struct case_file *c, double ns)
{
    return c->data->elapsed_ns > 0 ? 100 * fmax(0, ns) / (double)c->data->elapsed_ns : 0;
}

/* What scales sums of facts that may not exceed the time given to their limits. */
static double within(double sum_pct, double limit_pct)
{
    return sum_pct > limit_pct ? limit_pct / sum_pct : 1;
}

struct loss_share case_loss_share(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    const struct loss_cost *repaired = &loss->cost[LOSS_REPAIRED];
    const struct loss_cost *timeout = &loss->cost[LOSS_TIMEOUT];
    const struct loss_cost *spurious = &loss->cost[LOSS_SPURIOUS];
    const double repair = (double)repaired->repair_ns + (double)timeout->repair_ns;
    const double regrowth = (double)repaired->regrowth_ns + (double)timeout->regrowth_ns;
    const double marks = (double)loss->ecn_regrowth_ns;
    /* each of these is part of the time that its limits were given */
    const double repair_scale = within(pct_of(c, repair + (double)spurious->repair_ns),
                                       c->share_pct[LIMIT_RECOVERY] + c->share_pct[LIMIT_RTO]);
    const double regrowth_scale =
        within(pct_of(c, regrowth + (double)spurious->regrowth_ns + marks),
               c->share_pct[LIMIT_SLOW_START] + c->share_pct[LIMIT_CWND]);

    return (struct loss_share){
        .repair_pct = repair_scale * pct_of(c, repair),
        .regrowth_pct = regrowth_scale * pct_of(c, regrowth),
        .timeout_pct = repair_scale * pct_of(c, (double)timeout->repair_ns) +
                       regrowth_scale * pct_of(c, (double)timeout->regrowth_ns),
        .mark_pct = regrowth_scale * pct_of(c, marks),
        .spurious_pct = repair_scale * pct_of(c, (double)spurious->repair_ns) +
                        regrowth_scale * pct_of(c, (double)spurious->regrowth_ns),
    };
}

double case_loss_pct(const struct case_file *c)
{
    const struct loss_share share = case_loss_share(c);

    return fmin(100, share.repair_pct + share.regrowth_pct + share.mark_pct);
}

double case_loss_lead_pct(const struct case_file *c)
{
    const double pct = case_loss_pct(c), link_pct = c->share_pct[LIMIT_LINK];

    if (pct < SHARE_SECOND_PCT || case_link_is_full(c) || link_pct >= 100)
        return 0;
    return fmin(100, 100 * pct / (100 - link_pct));
}

/* True when the losses are those of a full bucket of tokens at a steady rate, as far as time and
 * bytes say. */
static bool rate_is_steady(const struct loss_facts *loss)
{
    return loss->steady_bytes_per_s != BYTES_UNKNOWN &&
           loss->bucket_events >= POLICER_EVENTS_LEAST &&
           (double)loss->bucket_empty >= POLICER_MATCH * (double)loss->bucket_events;
}

static bool passed_faster(const struct loss_facts *loss)
{
    return loss->peak_bytes_per_s != BYTES_UNKNOWN &&
           (double)loss->peak_bytes_per_s >= POLICER_PEAK * (double)loss->steady_bytes_per_s;
}

/* Faster than a window that is halved at a full link with no queue at all lets the mean fall behind
 * the link: it grows from a half to the whole of it. */
static bool passed_far_faster(const struct loss_facts *loss)
{
    return loss->steady_bytes_per_s != BYTES_UNKNOWN && loss->peak_bytes_per_s != BYTES_UNKNOWN &&
           (double)loss->peak_bytes_per_s >= SAWTOOTH_PEAK * (double)loss->steady_bytes_per_s;
}

/* True when the losses come as regularly as a window that grows until something is full makes them.
 * Losses that strike each packet alike leave gaps of an exponential distribution; of 1,000 such
 * runs of gaps one varies as little as this (tests/score/spread.py draws them). */
static bool losses_are_regular(const struct loss_facts *loss)
{
    static const struct {
        uint64_t gaps;
        double variation;
    } rows[] = {{128, 0.774}, {64, 0.695}, {48, 0.653}, {32, 0.596}, {24, 0.543}, {16, 0.470},
                {12, 0.403},  {10, 0.349}, {8, 0.294},  {6, 0.207},  {5, 0.144},  {4, 0.088}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (loss->gaps >= rows[i].gaps)
            return loss->gap_variation >= 0 && loss->gap_variation <= rows[i].variation;
    return false;
}

enum fills { FILLS_VARY, FILLS_ALIKE, FILLS_EQUAL };

/* Is as much out at each loss as path and queue take?  A window that grows by a constant a round
 * trip and falls to 0.7 at random losses (to a half it varies more) has so little spread in one of
 * 1,000 runs, or in one of 100 (tests/score/spread.py draws them). */
static enum fills compare_fills(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    static const struct {
        uint64_t fills;
        double equal, alike;
    } rows[] = {{32, 0.189, 0.221}, {24, 0.166, 0.199}, {16, 0.135, 0.166}, {12, 0.112, 0.143},
                {10, 0.097, 0.127}, {8, 0.077, 0.108},  {6, 0.052, 0.084},  {5, 0.037, 0.067},
                {4, 0.022, 0.046},  {3, 0.0066, 0.022}};

    /* what a buffer holds back is as much each time, and a few segments cannot differ by parts */
    if (loss->fill_variation < 0 || c->data->rounds_window_full * 10 >= c->data->rounds ||
        c->share_pct[LIMIT_SEND_BUFFER] >= SHARE_SECOND_PCT ||
        loss->flight_before_mean_bytes < FILL_SEGMENTS_LEAST * (uint64_t)c->data->smss)
        return FILLS_VARY;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (loss->fills < rows[i].fills)
            continue;
        if (loss->fill_variation <= rows[i].equal)
            return FILLS_EQUAL;
        return loss->fill_variation <= rows[i].alike ? FILLS_ALIKE : FILLS_VARY;
    }
    return FILLS_VARY;
}

/* Slow start brings a bottleneck twice what it passes (RFC 5681 section 3.1), so a queue that is
 * full drops half of a flight; a bucket without tokens drops all but its rate. */
static bool overshoot_filled_a_queue(const struct loss_facts *loss)
{
    return loss->overshoot_part >= OVERSHOOT_LEAST && loss->overshoot_part <= OVERSHOOT_MOST;
}

static bool overshoot_emptied_a_bucket(const struct loss_facts *loss)
{
    return loss->overshoot_part > OVERSHOOT_MOST && loss->events >= BUCKET_EVENTS_LEAST &&
           passed_far_faster(loss);
}

static bool is_policer(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;

    return loss->with_queue < loss->without_queue &&
           (double)loss->with_queue <= POLICER_QUEUE_MOST * (double)loss->events &&
           ((rate_is_steady(loss) && passed_faster(loss)) || overshoot_emptied_a_bucket(loss) ||
            (losses_are_regular(loss) && passed_far_faster(loss)));
}

/* Without SACK (RFC 2018) a sender learns of one loss a round trip (RFC 6582). */
static bool is_no_sack(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    const double slow_s = (double)loss->one_a_round_trip_segments * case_rtt_min_s(c);

    return case_both_syns_seen(c) && !c->data->sack_permitted &&
           100 * slow_s * 1e9 >= HALF * case_loss_pct(c) * (double)c->data->elapsed_ns;
}

/* Frames of one end collide at the half-duplex end of a link only while it sends itself: on a short
 * path of Fast Ethernet's rate at most, losses fall where both directions carry data. */
static bool is_duplex(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    const struct direction_result *other = &c->flow->dir[c->data == &c->flow->dir[C2S] ? S2C : C2S];
    const double rtt_s = case_rtt_min_s(c);

    return rtt_s > 0 && rtt_s <= DUPLEX_RTT_MOST_S && loss->events >= DUPLEX_EVENTS_LEAST &&
           loss->with_queue == 0 && loss->without_queue > 0 &&
           other->data_segments * DUPLEX_OTHER_PART >= c->data->data_segments &&
           (double)loss->while_peer_sent >= DUPLEX_MATCH * (double)loss->events &&
           loss->peak_bytes_per_s != BYTES_UNKNOWN &&
           (double)loss->peak_bytes_per_s <= FAST_ETHERNET_BYTES_PER_S;
}

static bool is_timeouts(const struct case_file *c)
{
    return c->data->loss.timeouts > 0 &&
           case_loss_share(c).timeout_pct >= HALF * case_loss_pct(c);
}

/* More losses came with a full queue than without; where as many, what they cost decides. */
static bool queue_prevails(const struct loss_facts *loss)
{
    if (loss->events <= 2 && overshoot_filled_a_queue(loss))
        return true; /* no pattern against it */
    if (loss->with_queue != loss->without_queue)
        return loss->with_queue > loss->without_queue;
    return loss->with_queue_ns > loss->without_queue_ns;
}

/* A queue that overflows, or marks.  One event alone is no pattern, but for the overshoot that ends
 * slow start.  A queue that is short, or kept so by its manager (RFC 7567), hardly shows in the
 * round trip: then losses come regularly, or at equal windows, or at the steady rate of a full link,
 * which never let more pass. */
static bool is_congestion(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;
    const struct loss_share share = case_loss_share(c);

    if (share.mark_pct > share.repair_pct + share.regrowth_pct)
        return true;
    if (loss->events > 0 && queue_prevails(loss))
        return loss->with_queue >= 2 || loss->in_slow_start > 0;
    return losses_are_regular(loss) || compare_fills(c) == FILLS_EQUAL ||
           (rate_is_steady(loss) && !passed_faster(loss));
}

static bool is_random(const struct case_file *c)
{
    const struct loss_facts *loss = &c->data->loss;

    return loss->without_queue > 0 && !queue_prevails(loss) && !losses_are_regular(loss) &&
           compare_fills(c) == FILLS_VARY;
}

/* More out than the receiver's window lets be: the sender's time was not followed rightly (its
 * timestamps echo nothing new, say), and no share of it tells anything. */
static bool replay_contradicts_itself(const struct case_file *c)
{
    return c->data->window_scale_source == SCALE_OPTION && case_window_bytes(c) > 0 &&
           c->data->flight_max_bytes != BYTES_UNKNOWN &&
           c->data->flight_max_bytes / 2 > case_window_bytes(c);
}

bool case_losses_are_regular(const struct case_file *c)
{
    return losses_are_regular(&c->data->loss);
}

int case_loss_cause(const struct case_file *c)
{
    static const struct {
        int id;
        bool (*holds)(const struct case_file *c);
    } owners[] = {
        {9, is_policer},   {11, is_no_sack},   {41, is_duplex},
        {10, is_timeouts}, {8, is_congestion}, {7, is_random},
    };

    if (c->data->loss.events + c->data->loss.ecn_cuts == 0 || !(case_loss_pct(c) > 0) ||
        replay_contradicts_itself(c))
        return 0;
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++)
        if (owners[i].holds(c))
            return owners[i].id;
    return 0;
}
