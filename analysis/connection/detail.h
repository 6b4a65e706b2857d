/* What an interesting flow needs beyond struct flow: scoreboard, holes, replay, clocks, counts.
 *
 * A pool gives details freely while few are in use, then only to flows that have shown enough
 * data, and none past its bound; flows without one are counted as not followed. */
#ifndef TCPWHY_ANALYSIS_DETAIL_H
#define TCPWHY_ANALYSIS_DETAIL_H

#include "analysis/segment/copies.h"
#include "analysis/flow/flow.h"
#include "analysis/segment/holes.h"
#include "analysis/segment/ip_id.h"
#include "analysis/facts/pattern.h"
#include "analysis/connection/loss.h"
#include "analysis/facts/moves.h"
#include "analysis/facts/path.h"
#include "analysis/segment/quantiles.h"
#include "analysis/replay/replay.h"
#include "analysis/segment/rexmit.h"
#include "analysis/segment/sent_log.h"
#include "analysis/segment/ts_clock.h"
#include "analysis/segment/window.h"

struct series;
struct control_stream;

/* Counts of one direction that few flows have. */
struct side_counts {
    uint64_t retransmitted_bytes;
    uint32_t triggers[REXMIT_TRIGGERS];
    uint32_t retransmitted, spurious, lost_downstream, lost_upstream;
    uint32_t reordered, network_duplicates, duplicate_frames;
    uint32_t keep_alives, window_probes;
    uint32_t dup_acks, sack_acks, dsack_acks;
    uint32_t super_segments, ce_marked, ece_seen, pushes, urgent;
};

struct side {
    struct side_counts counts;
    struct sent_log sent;
    struct holes holes;
    struct replay replay;
    uint64_t rounds_observed; /* of the replay's rounds, by observe.h */
    struct window window;
    struct moves moves;
    struct ts_clock clock;   /* of this direction's sender */
    struct ip_ids ids;       /* of this direction's sender */
    struct rexmit rexmit;
    struct path path;
    struct quantiles rtt;    /* whole path, as this direction's sender sees it */
    struct loss_log *loss;   /* NULL until a loss, a mark or disorder */
    struct loss_rounds loss_rounds;
    uint32_t passed_most_bytes; /* largest segment acknowledged that was sent once */
    int64_t srtt_ns, rttvar_ns; /* RFC 6298, NS_UNKNOWN before the first sample */
    int64_t rto_ns;          /* estimate, NS_UNKNOWN before the first sample */
    uint32_t ack_rtt_us;     /* sample of the acknowledgment at hand, 0 = none */
    uint32_t last_echo;      /* newest TSecr that gave a sample of the near leg */
    uint8_t echoes_late;     /* in a row, of data that ought to echo a later acknowledgment */
    bool leg_assumed;        /* samples were taken for a sender beside the tap, without a sample of it */
    bool echo_stuck;         /* its TSecr does not say what it has seen: RFC 1323's letter */
    uint64_t last_data_frame;
    int64_t last_packet_ns;
    uint64_t probe_offset;   /* of a byte sent beyond a closed window, not acknowledged yet; 0 = none */
    uint32_t duplicates_to_report; /* network duplicates seen here whose D-SACK may still come */
    struct series *series;   /* NULL unless asked for */
    struct pattern *pattern; /* NULL until more than an initial window was sent */
    uint64_t first_bytes_frame, ttl_other_frame;
    uint32_t ttl_other_segments; /* not with the TTL of the first one */
    uint8_t first_bytes;     /* enum first_bytes */
    uint8_t ttl_other;
};

struct detail {
    struct side side[2];
    uint64_t last_frame;
    uint8_t run_dir, run_full; /* data segments in a row in one direction; full-size ones of them */
    uint16_t run_segments;
    struct copies copies;
    struct control_stream *control; /* NULL unless a control connection */
    struct detail *next_free;
};

struct detail_pool {
    struct detail *free_list;
    uint64_t in_use;
};

/* A flow may have a detail from its first segment on while few are in use: they stay in the cache,
 * and what is followed is followed whole.  Else it must have met a loss or disorder, or have sent
 * enough for a cause to be named at all (CONTRACT: 50 full-size segments). */
#define DETAILS_FREELY_GIVEN 128u
#define DETAIL_EARNED_SEGMENTS 50u

/* True when a flow without detail may have one. */
static inline bool detail_earned(const struct detail_pool *pool, const struct flow *flow)
{
    const struct half *c2s = &flow->half[C2S], *s2c = &flow->half[S2C];

    return c2s->data_segments >= DETAIL_EARNED_SEGMENTS ||
           s2c->data_segments >= DETAIL_EARNED_SEGMENTS ||
           (pool->in_use < DETAILS_FREELY_GIVEN && c2s->packets + s2c->packets == 0);
}

struct detail_pool *detail_pool_new(void);
void detail_pool_free(struct detail_pool *pool);

/* Detail of a flow, made now if it has none and may have one; NULL otherwise.  urgent: something
 * happened that needs it (loss, a control connection). */
struct detail *detail_get(struct detail_pool *pool, struct flow *flow, bool urgent);
/* Bring the parts of a detail that every segment touches towards the cache; NULL is fine. */
static inline void detail_prefetch(const struct detail *detail)
{
    if (detail == NULL)
        return;
    for (int dir = 0; dir < 2; dir++) {
        __builtin_prefetch(&detail->side[dir].sent);
        __builtin_prefetch(&detail->side[dir].replay);
        __builtin_prefetch(&detail->side[dir].replay.pending_ns);
        __builtin_prefetch(&detail->side[dir].window);
    }
    __builtin_prefetch(detail->copies.tags);
    __builtin_prefetch(&detail->copies.tags[16]);
}

/* Give a flow's detail back; everything that it owns but the series is freed. */
void detail_release(struct detail_pool *pool, struct flow *flow);

#endif
