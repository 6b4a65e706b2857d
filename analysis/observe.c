#include "analysis/observe.h"

void observe_rounds(struct flow *flow, enum direction dir)
{
    struct side *side = &flow->detail->side[dir];
    const struct replay *r = &side->replay;

    if (r->rounds - side->rounds_observed > ROUNDS_KEPT)
        side->rounds_observed = r->rounds - ROUNDS_KEPT;
    for (; side->rounds_observed < r->rounds; side->rounds_observed++) {
        const struct round *round = &r->closed[side->rounds_observed % ROUNDS_KEPT];
        if (side->pattern != NULL)
            pattern_take_round(side->pattern, round);
        loss_observe_round(flow, dir, round);
    }
}
