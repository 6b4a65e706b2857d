#include "analysis/connection/detail.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/session/control_stream.h"
#include "xmalloc.h"

/* Bound: about 270 MB of fixed state, 40 MB more when all send much both ways (pattern.h).  An
 * analysis with more large flows open at once follows the first ones and counts the rest as not
 * followed. */
#define DETAILS_MAX 16384u

struct detail_pool *detail_pool_new(void)
{
    return xcalloc(1, sizeof(struct detail_pool));
}

void detail_pool_free(struct detail_pool *pool)
{
    if (pool == NULL)
        return;
    while (pool->free_list != NULL) {
        struct detail *detail = pool->free_list;
        pool->free_list = detail->next_free;
        free(detail);
    }
    free(pool);
}

static void side_init(struct side *side)
{
    side->srtt_ns = side->rttvar_ns = side->rto_ns = NS_UNKNOWN;
    side->window.zero_since_ns = NS_UNKNOWN;
    side->rexmit.trigger_ns = NS_UNKNOWN;
    side->rexmit.last_sent_ns = side->rexmit.last_ack_ns = INT64_MIN / 2;
    side->replay.released_ns = NS_UNKNOWN;
}

struct detail *detail_get(struct detail_pool *pool, struct flow *flow, bool urgent)
{
    if (flow->detail != NULL)
        return flow->detail;
    if (!urgent && !detail_earned(pool, flow))
        return NULL;
    if ((flow->marks & (FLOW_ENDED | FLOW_UNFOLLOWED)) != 0)
        return NULL;
    if (pool->in_use >= DETAILS_MAX) {
        flow->marks |= FLOW_UNFOLLOWED;
        return NULL;
    }
    struct detail *detail = pool->free_list;
    if (detail != NULL) {
        pool->free_list = detail->next_free;
        memset(detail, 0, sizeof *detail);
    } else {
        detail = xcalloc(1, sizeof *detail);
    }
    side_init(&detail->side[C2S]);
    side_init(&detail->side[S2C]);
    pool->in_use++;
    flow->detail = detail;
    return detail;
}

static void side_free(struct side *side)
{
    sent_log_free(&side->sent);
    holes_free(&side->holes);
    replay_free(&side->replay);
    rexmit_free(&side->rexmit);
    quantiles_free(&side->rtt);
    pattern_free(side->pattern);
    loss_free(side->loss);
}

void detail_release(struct detail_pool *pool, struct flow *flow)
{
    struct detail *detail = flow->detail;

    if (detail == NULL)
        return;
    side_free(&detail->side[C2S]);
    side_free(&detail->side[S2C]);
    control_stream_free(detail->control);
    detail->next_free = pool->free_list;
    pool->free_list = detail;
    pool->in_use--;
    flow->detail = NULL;
}
