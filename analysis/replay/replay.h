/* One direction of data replayed at its sender's time.
 *
 * A capture stands anywhere between the two ends.  Data passes it after it was sent, and
 * acknowledgments pass it before the sender has them.  The replay moves acknowledgments to the
 * time at which they were acted upon: by the timestamp echo that data carries (RFC 7323: TSecr
 * names the last acknowledgment that its sender had seen, exact at any tap), else by the leg
 * between tap and sender.  Then every instant from the first departure to the last acknowledgment
 * is given to the limit that held the sender, and the sum is the elapsed time exactly.
 *
 * The clock of the replay is the tap's for data on an empty path: departure plus a constant. */
#ifndef TCPWHY_ANALYSIS_REPLAY_H
#define TCPWHY_ANALYSIS_REPLAY_H

#include <stdbool.h>

#include "analysis/replay/cwnd.h"
#include "analysis/replay/held.h"
#include "analysis/result.h"
#include "analysis/replay/rounds.h"
#include "analysis/flow/seq.h"

/* Acknowledgments between tap and sender; past this many the oldest is applied at once. */
#define REPLAY_EVENTS_MAX 8192u
/* Segments of a run without news that are kept one by one: a window of 64 KB at an MSS of 536. */
#define REPLAY_QUIET_MAX 128u

/* Something that passed the tap on its way to the sender. */
struct ack_event {
    int64_t time_ns;
    uint64_t ack;     /* stream offset */
    uint64_t edge;    /* right edge of the window, 0 = unknown */
    uint64_t sacked;  /* bytes above ack that the receiver has, as far as it said */
    uint32_t ts_val;
    uint32_t rtt_us;  /* sample of the round trip that it gave, 0 = none */
    bool has_ts, zero_window, carries_data;
    bool undoes;      /* shows that the resends of the episode were not needed */
    bool duplicate;   /* it may let data go though it acknowledges nothing new: limited transmit (RFC
                         3042), recovery by SACK (RFC 6675) */
};

enum departure_kind {
    DEPARTURE_NEW,
    DEPARTURE_RESEND,         /* fast retransmission and its like */
    DEPARTURE_TAIL_PROBE,     /* ends a silence of about two round trips (RFC 8985) */
    DEPARTURE_TIMEOUT,        /* ends a silence of RTO length */
    DEPARTURE_TIMEOUT_RESEND, /* follows within the episode */
    DEPARTURE_PROBE,          /* window probe or keep-alive: no data moved */
};

/* A data segment passing the tap. */
struct departure {
    int64_t tap_ns;       /* when it passed */
    int64_t sent_ns;      /* its departure on the replay's clock, <= tap_ns */
    uint64_t left, right;
    uint64_t frame;
    uint32_t smss;
    bool full;            /* as large as the path lets it be: does not end a message */
    uint32_t ts_ecr;
    bool has_echo;
    bool reduced;         /* carries the CWR flag: the window was made smaller (RFC 3168) */
    enum departure_kind kind;
};

/* What may have held the sender since its last departure; decided at the next one. */
enum pending_kind {
    PENDING_OPEN, PENDING_IDLE, PENDING_TURN, PENDING_THINK, PENDING_RWND, PENDING_ZERO, PENDING_KINDS
};

/* Decisions about held time (analysis/replay/held.h) that the series has not seen. */
#define REPLAY_DECISIONS 12u

struct replay {
    struct ack_event *ring;
    uint32_t capacity, head, count;
    uint32_t quiet_run;        /* events in a row that brought no news */

    bool started;
    int64_t loaded_near_ns;    /* near leg with its queue, where data shows it; 0 = not known */
    int64_t loaded_near_at_ns; /* when the tap saw that last */
    uint64_t una, edge, nxt;   /* as the sender had them; edge 0 = unknown: no bound */
    bool zero_window;
    bool applied_ts;           /* last_applied_ts is of an acknowledgment acted upon */
    uint32_t last_applied_ts;
    int64_t first_ns, now_ns;  /* everything before now_ns is accounted for */
    int64_t given_ns;          /* the time up to here is given to limits, or held; since then it is
                                  pending, by kinds */
    int64_t pending_ns[PENDING_KINDS];
    int64_t last_departure_ns; /* of data, replay clock */
    int64_t previous_departure_ns; /* of the data before that, and its frame */
    uint64_t previous_frame;
    int64_t released_ns;       /* last acknowledgment acted upon since then; NS_UNKNOWN */
    bool window_blocked;       /* the acknowledgment that released data found the window full */
    bool last_was_partial;     /* the last departure ended a message */
    bool peer_spoke;           /* data came from the peer since then */
    uint32_t smss;
    uint64_t last_flight;      /* after the last departure */
    int64_t min_rtt_ns;        /* of the path, at the last departure; NS_UNKNOWN */

    bool slow_start;
    int slow_rounds;           /* rounds in a row without exponential growth */
    uint64_t round_end, previous_flight_max;
    struct round round;        /* the open one; its limit_ns are those of the replay at its start */
    struct round closed[ROUNDS_KEPT]; /* round n is closed[n % ROUNDS_KEPT] */
    uint64_t rounds, rounds_window_full, idle_restarts;
    uint64_t recover;          /* RFC 6582: recovery lasts until this is acknowledged; 0 = none */
    bool after_timeout;

    uint64_t first_left;       /* stream offset at the start */
    uint64_t message_left;     /* of the latest departure that answered the peer, or the start */
    uint64_t initial_window;   /* sent before the first acknowledgment came; 0 = not known */
    uint64_t flight_sum, flight_count, flight_max;
    int64_t window_full_ns;
    int64_t limit_ns[LIMIT_COUNT];
    struct limit_span worst[LIMIT_COUNT];
    struct limit_span run;     /* of one limit, still going on */
    enum limit run_limit;
    bool run_open;
    struct held held;          /* not in limit_ns before it is decided */
    struct limit_span held_run; /* of one limit of held time, still going on */
    enum limit held_run_limit;
    struct held_decision decisions[REPLAY_DECISIONS]; /* since the series took them */
    uint32_t decision_count;
    struct wait_facts waits;
    int64_t longest_silence_ns;
    uint64_t longest_silence_frame;
    uint64_t last_frame;
    struct cwnd cwnd;          /* as the sender had it, an estimate */
    int64_t covered_ns;        /* replay time of the last acknowledgment of new data */
};

/* What the replay needs to know of the path now. */
struct replay_path {
    int64_t near_ns;           /* tap to sender and back, minimum; 0 when unknown */
    int64_t min_rtt_ns;        /* whole path; NS_UNKNOWN */
    int64_t tick_ns;           /* resolution of sent_ns, 0 = that of the tap */
    int64_t rto_ns;            /* estimate */
    bool unplaced;             /* nothing tells how far the sender is: what it had seen when data
                                  without an echo left is not known */
};

/* True when it is not known what the sender of d had seen. */
static inline bool replay_is_unplaced(const struct departure *d, const struct replay_path *path)
{
    return path->unplaced && !d->has_echo;
}

/* Begin at the first data segment that is followed; earlier_ns is the time already past since the
 * first data of the direction (given to unknown). */
void replay_start(struct replay *r, int64_t sent_ns, int64_t earlier_ns, uint64_t una,
                  uint64_t edge);
/* Room for one more event: the ring grows, at its bound the oldest one is applied. */
void replay_make_room(struct replay *r, int64_t near_ns);

static inline struct ack_event *replay_event_at(const struct replay *r, uint32_t i)
{
    return &r->ring[(r->head + i) & (r->capacity - 1)];
}

/* Place of the next acknowledgment that passes the tap, to be filled in at once.  With news false
 * it acknowledges nothing that the one before did not: data of a peer that is listened to.  Such
 * runs are kept whole up to a message's length; of longer ones the begin and the latest count, so
 * that a side that only listens costs neither memory nor cache. */
static inline struct ack_event *replay_next_event(struct replay *r, int64_t near_ns, bool news)
{
    if (!news && r->quiet_run >= REPLAY_QUIET_MAX && r->count > 0)
        return replay_event_at(r, r->count - 1);
    r->quiet_run = news ? 0 : r->quiet_run + 1;
    if (r->count == r->capacity)
        replay_make_room(r, near_ns);
    return replay_event_at(r, r->count++);
}

/* An acknowledgment passes the tap. */
static inline void replay_ack(struct replay *r, const struct ack_event *event,
                              const struct replay_path *path)
{
    *replay_next_event(r, path->near_ns, true) = *event;
}

/* A data segment passes the tap; returns the flight size at its departure, itself included. */
uint64_t replay_departure(struct replay *r, const struct departure *d,
                          const struct replay_path *path);
/* No more segments: account for the time up to the last acknowledgment. */
void replay_finish(struct replay *r, const struct replay_path *path);
/* Time since the event whose TSval equals ts_ecr passed the tap: a sample of the near leg;
 * NS_UNKNOWN when there is none. */
static inline int64_t replay_near_sample_ns(const struct replay *r, uint32_t ts_ecr,
                                            int64_t time_ns)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const struct ack_event *event = replay_event_at(r, i);
        if (!event->has_ts || serial_after(event->ts_val, ts_ecr))
            break;
        if (event->ts_val == ts_ecr)
            return time_ns - event->time_ns;
    }
    return NS_UNKNOWN;
}

void replay_free(struct replay *r);

#endif
