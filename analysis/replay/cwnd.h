/* The congestion window of a direction's sender, followed by its replay (cwnd_track.h).
 *
 * What was in flight after a departure is the least that the window can have been; while the
 * window is what holds the sender back it is the window.  The flight is exact where data echoes
 * timestamps or where the tap stands at the sender; elsewhere models of the sender carry the window
 * from one loss to the next, where the resend tells what was in flight. */
#ifndef TCPWHY_ANALYSIS_CWND_H
#define TCPWHY_ANALYSIS_CWND_H

#include <stdbool.h>

#include "analysis/cwnd_facts.h"
#include "analysis/replay/cwnd_model.h"
#include "analysis/replay/pacing.h"
#include "analysis/replay/sawtooth.h"

struct cwnd_rows;

enum cwnd_phase {
    CWND_PHASE_OPEN,
    CWND_PHASE_RECOVERY, /* until what was out at the fall is acknowledged */
    CWND_PHASE_LOSS,     /* the same after a time-out */
    CWND_PHASE_IDLE,     /* from the end of an idle period to the first acknowledgment */
};

struct cwnd {
    /* new data beyond this flight raises the estimate; UINT64_MAX: not in this phase */
    uint64_t gate_bytes;
    enum cwnd_phase phase;
    bool exact;             /* the flight is */
    bool was_exact;         /* all of the time so far */
    bool limited;           /* the window was the limit in the last round */
    bool window_full;       /* the receiver's was */
    bool settling;          /* first round after recovery: shows where the fall ended */
    bool settling_marked;   /* after a fall by mark, with nothing lost */
    bool fall_clean;        /* the window was the limit at the fall, and it was a loss or mark */
    uint64_t sacked_bytes;  /* above una, as the sender knew */
    uint64_t proven_bytes;  /* largest flight since the last fall */
    uint64_t peak_bytes;    /* before the last fall */
    uint64_t restart_bytes; /* IDLE: what a restart leaves */
    uint64_t valley_bytes;  /* flight as the first acknowledgment after recovery came */
    uint64_t until;         /* RECOVERY, LOSS: over when this is acknowledged */
    uint64_t resent_right;  /* end of what was sent again beyond `until` */
    uint64_t delivered;     /* since the fall */
    uint64_t modelled_una;  /* models have taken in growth up to here */
    uint64_t initial_bytes; /* 0 = not known */
    uint64_t burst_left;    /* stream offset at which nothing was outstanding last */
    int64_t burst_ns;       /* since when */
    uint64_t burst_bytes;   /* sent from there before the first acknowledgment */
    bool burst_full;        /* it ended with a full segment: more may have waited */
    uint64_t before_burst;  /* proven until then */
    uint64_t slow_una, slow_flight; /* at the last growth of the flight as in slow start */
    uint64_t slow_top;              /* flight up to which it grew as in slow start */
    double estimate, low, high;     /* bytes, now */
    struct cwnd_model model[CWND_LAWS];
    double misses[CWND_LAWS]; /* sum of relative errors of predicted peaks */
    uint32_t predictions;
    int64_t min_rtt_ns, round_ns; /* NS_UNKNOWN; length of the last round */
    uint64_t previous_top;        /* proven at the end of the round before */
    /* course so far */
    int64_t since_ns; /* the estimate holds since then; NS_UNKNOWN: not begun */
    double time_sum, estimate_sum, error_sum, least, most;
    uint32_t decreases[CWND_FALLS], undone;
    uint64_t idle_frame, timeout_frame;
    int64_t idle_at_ns, timeout_at_ns;
    bool fell; /* the last decrease was of this kind: */
    enum cwnd_decrease last_fall;
    int64_t slow_start_ns[CWND_FALLS], avoidance_ns[CWND_FALLS];
    int64_t turn_ns; /* spent in turns at the last time-out */
    uint32_t timeout_turns;
    uint64_t idle_from, idle_to;
    int64_t growth_start_ns;
    uint64_t growth_from, growth_from_frame, growth_rounds;
    struct {
        int64_t ns;
        uint64_t from, to, rounds, from_frame, to_frame;
    } growth; /* longest stretch of avoidance so far */
    struct sawtooth sawtooth;
    struct pacing pacing;
    struct cwnd_rows *rows; /* NULL unless asked for */
};

#endif
