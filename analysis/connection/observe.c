#include "analysis/connection/observe.h"

#include "analysis/connection/tracker.h"

void observe_rounds(struct flow *flow, enum direction dir)
{
    struct side *side = &flow->detail->side[dir];
    const struct replay *r = &side->replay;
    enum scale_source source;
    int scale = window_scale(&side->window, &flow->half[dir], &flow->half[direction_other(dir)],
                             &source);

    if (source == SCALE_AT_LEAST)
        scale = -1;

    if (r->rounds - side->rounds_observed > ROUNDS_KEPT)
        side->rounds_observed = r->rounds - ROUNDS_KEPT;
    for (; side->rounds_observed < r->rounds; side->rounds_observed++) {
        const struct round *round = &r->closed[side->rounds_observed % ROUNDS_KEPT];
        if (side->pattern != NULL)
            pattern_take_round(side->pattern, round);
        loss_observe_round(flow, dir, round);
        window_round_seen(&side->window, &flow->half[dir], round->flight_max_bytes);
        moves_round(&side->moves, &side->window, &flow->half[dir], r, round, scale);
        path_take_round(&side->path, round, side->rttvar_ns, side->counts.retransmitted > 0);
    }
}
