/* Collects what each loss of a direction looked like (analysis/loss_facts.h).  Fed on resends,
 * late segments, marks and once a round trip; nothing per packet. */
#ifndef TCPWHY_ANALYSIS_LOSS_H
#define TCPWHY_ANALYSIS_LOSS_H

#include <stdbool.h>

#include "analysis/replay/replay.h"

/* Bound on events kept of one direction; past it every second one is forgotten, and so on. */
#define LOSS_EVENTS_KEPT 256u

struct flow;
struct side;

struct loss_event {
    int64_t passed_ns;     /* at the tap: when the first lost segment passed, or was missed */
    uint64_t left;         /* stream offset of its first lost byte */
    uint64_t recover;      /* end of what was out: losses below it are the same event's */
    int64_t rtt_ns;        /* before it; NS_UNKNOWN */
    int64_t cost_ns;       /* repair and regrowth */
    uint64_t flight_bytes; /* when its first resend left */
    uint32_t segments;     /* lost; 0 = none of its resends was needed */
    bool slow_start;
};

/* Of a direction with losses, late segments or marks. */
struct loss_log {
    struct loss_facts facts; /* sums so far */
    struct loss_event *events;
    uint32_t count, stride, skipped; /* every stride-th event is kept */
    /* the last event */
    struct loss_event event;
    struct loss_span span;
    enum loss_kind kind;
    bool open;               /* not yet added to the sums */
    bool peer_sent;
    uint64_t recover;        /* data that was out at its first resend ends here */
    uint64_t flight_bytes;
    uint64_t rtt_samples;    /* of the direction at its start */
    int64_t repair_start_ns; /* limits recovery and rto at its start */
    int64_t regrowth_ns;
    uint64_t rounds;         /* of the replay at its start */
    bool regrowing, by_mark; /* the window is below what it was; because of a mark */
    uint64_t window_before_bytes, idle_restarts;
    uint64_t flight_sum_bytes;
    bool resent;             /* since the receiver last had all in order */
    /* time-outs in a row */
    uint64_t backoffs, timeout_left;
    uint64_t tries_left;     /* where the bytes of facts.tries_most begin */
};

/* Of each direction: figures of its round trips. */
struct loss_rounds {
    uint64_t previous_bytes;
    int64_t previous_ns;
    uint32_t since_recovery; /* round trips */
    uint64_t peak_bytes_per_s;
    uint32_t timed, jittery;
    int64_t srtt_most_ns;    /* at the end of a round trip; 0 = none */
};

struct loss_resend {
    uint64_t left, right;
    int64_t first_ns;      /* when the bytes passed first, or their successor without them */
    int64_t silence_ns;    /* that it ended, 0 = none of a time-out's length */
    uint32_t segments;
    uint32_t tries;        /* resends of these bytes that the tap saw, this one included */
    bool needed;           /* as far as known now */
    bool fast;             /* set off by acknowledgments */
};

/* A resend passes the tap; called before the replay has it depart. */
void loss_note_resend(struct flow *flow, enum direction dir, const struct segment *seg,
                      const struct loss_resend *resend);
/* Resends of the last event turn out not to have been needed. */
void loss_note_unneeded(struct side *side, uint32_t segments);
/* A segment passes after others that were sent later. */
void loss_note_late(struct flow *flow, enum direction dir, const struct segment *seg,
                    uint64_t extent_bytes, int64_t late_ns);
/* A hole that the receiver reported has closed. */
void loss_note_healed(struct side *side);
/* The sender says that it has cut its window upon a mark (CWR). */
void loss_note_mark(struct flow *flow, enum direction dir, const struct segment *seg);
/* A router says that a segment of this direction was too big; mtu_bytes 0 = not said. */
void loss_note_too_big(struct side *side, uint64_t frame, uint32_t mtu_bytes);
/* A round trip has closed. */
void loss_observe_round(struct flow *flow, enum direction dir, const struct round *round);
/* Enter what a round waited for the window while that was below what it had been
 * (loss_rounds.c). */
void loss_count_regrowth(const struct flow *flow, enum direction dir, const struct round *round);
/* No more segments: the last event is over. */
void loss_finish(struct flow *flow, enum direction dir);
/* The facts after that.  Returns false, *facts untouched, when there is nothing but
 * unknowns. */
bool loss_summary(const struct flow *flow, enum direction dir, struct loss_facts *facts);
void loss_free(struct loss_log *log);

#endif
