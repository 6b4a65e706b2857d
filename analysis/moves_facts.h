/* How the window that a receiver advertised for one direction of data moved: how it grew, sank,
 * closed and opened again, and whether its right edge ever went back.
 *
 * Only the receiver's segments and the replay's round trips are used, so the facts are the same at
 * any capture point.  Bytes are scaled.  Counts and spans of what did not happen are 0. */
#ifndef TCPWHY_ANALYSIS_MOVES_FACTS_H
#define TCPWHY_ANALYSIS_MOVES_FACTS_H

#include <stdint.h>

/* Growth of the largest window yet: a stack that sizes its buffer by what it reads (dynamic right
 * sizing: Fisk and Feng 2001; RFC 1323 scaled windows), or one that opens its window as data
 * comes.  A round counts when the window grew by at least one segment in it. */
struct moves_growth {
    uint64_t from_bytes, to_bytes;   /* first open window after the handshake, largest; 0 = none */
    uint64_t rounds, full_rounds;    /* round trips that it grew in; of those, at the window's edge */
    int64_t span_ns;                 /* from the first data to the end of the last of them */
    uint64_t last_frame;             /* last departure of that round */
    uint64_t rounds_after, full_rounds_after; /* round trips since; those at the window's edge */
};

/* A window well below the largest: bytes lie in the receiver's buffer that nobody has read.  Well
 * below is three quarters of the largest, and at least three segments less. */
struct moves_sink {
    uint64_t episodes;               /* went below two segments while sunk, zero included */
    uint64_t late_openings;          /* of those, opened later than a round trip after */
    int64_t sunk_ns, low_ns;         /* time sunk; below two segments */
    int64_t longest_low_ns;
    uint64_t longest_from_frame, longest_to_frame; /* acknowledgments that closed and opened it */
};

/* Steps of the right edge while the window is sunk: what the reading program takes out.  A step is
 * an advance of a segment or more since the last step. */
struct moves_steps {
    uint64_t count, bytes;           /* steps with one before them, what they freed */
    int64_t span_ns;                 /* sum of the intervals from step to step */
    uint64_t even_count, even_bytes; /* of those, steps as long after the one before, give or take a */
    int64_t even_span_ns;            /* quarter, as that one after its own: a rhythm */
    uint64_t first_frame, last_frame;
};

/* After a zero window it never came back to more than a quarter of what it had been. */
struct moves_collapse {
    uint64_t from_bytes, to_bytes;   /* largest before the last zero window, largest since */
    uint64_t rounds, full_rounds;    /* round trips since, those at the window's edge */
    uint64_t frame;                  /* advertisement of the last zero window; 0 = none */
};

/* The right edge went back by more than the unit of the window field (RFC 9293 section 3.8.6
 * discourages it). */
struct moves_shrink {
    uint64_t count, bytes, largest_bytes;
    uint64_t frame;                  /* of the largest */
};

/* Data that was reported in SACK blocks and thrown away (RFC 2018 section 8). */
struct moves_renege {
    uint64_t count, frame;           /* frame of the first */
};

/* Silly window (RFC 9293 section 3.8.6.2): small advances of the edge to a sender that waits for
 * them, and round trips at the edge in which most segments were small. */
struct moves_silly {
    uint64_t increments, rounds, frame;
};

/* More in flight than the largest window seen allows: the window is not what it seems (RFC 7323
 * section 2: a scale that was changed or taken out on the way). */
struct moves_over {
    uint64_t rounds, flight_bytes;   /* round trips with it, largest flight of those */
    uint64_t frame;
};

/* One change of the delivery rate that splits the transfer in two: the best split of its course
 * in bins.  All 0 where the course is too short to be split. */
struct moves_knee {
    uint64_t before_bytes;           /* delivered until then */
    int64_t at_ns;                   /* since the first data */
    double before_bytes_per_s, after_bytes_per_s;
    double before_spread, after_spread; /* mean deviation of the bins' rates from these, 0..1 */
    double before_closed, after_closed; /* share (0..1) of time held by the window */
    double before_app, after_app;       /* share of time with nothing to send */
    double after_repair;                /* share of time in recovery and time-outs */
    uint64_t frame;                  /* first departure after it */
};

struct moves_facts {
    uint64_t followed;               /* 0 = nothing of this is known */
    struct moves_growth growth;
    struct moves_sink sink;
    struct moves_steps steps;
    struct moves_collapse collapse;
    struct moves_shrink shrink;
    struct moves_renege renege;
    struct moves_silly silly;
    struct moves_over over;
    struct moves_knee knee;
};

#endif
