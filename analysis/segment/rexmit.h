/* Why bytes pass the tap that are not new: retransmission (and what set it off), spurious
 * retransmission, reordering, network duplicate.
 *
 * The rules weigh evidence, not constants: TSval and IP ID say which of two segments was sent
 * first; a gap that is filled sooner than one full round trip cannot have caused a resend; D-SACK
 * (RFC 2883) and the timestamp echo (Eifel, RFC 3522) say which copy the receiver took.  Where
 * nothing speaks, the label is unknown. */
#ifndef TCPWHY_ANALYSIS_REXMIT_H
#define TCPWHY_ANALYSIS_REXMIT_H

#include <stdbool.h>

#include "analysis/segment/holes.h"
#include "analysis/segment/ip_id.h"
#include "analysis/result.h"
#include "analysis/segment/sent_log.h"

#define RESENDS_REMEMBERED 64u
#define SIGNALS_REMEMBERED 8u

/* A retransmission whose need is not decided yet. */
struct resend {
    uint64_t left, right;
    int64_t time_ns;
    uint32_t ts_val, original_ts_val;
    uint32_t segments;
    bool original_seen, has_ts, spurious;
};

/* Three duplicate ACKs, or SACK to the same effect, on their way to the sender. */
struct rexmit_signal {
    uint64_t snd_una;
    int64_t time_ns;
};

struct sack_range {
    uint64_t left, right;
};

struct rexmit {
    struct resend *resends;    /* ring of RESENDS_REMEMBERED, NULL until the first */
    uint32_t resend_count;     /* ever */
    uint32_t undecided;        /* of those, still open to Eifel */
    struct sack_range blocks[4]; /* last SACK blocks, to mark only what is new in the next */
    uint32_t dup_acks;         /* in a row, for the present snd_una */
    int64_t trigger_ns;        /* when three duplicate ACKs or their SACK worth had passed */
    struct rexmit_signal signals[SIGNALS_REMEMBERED]; /* ring: kept when an episode is over here */
    uint32_t signal_count;     /* ever */
    uint64_t sacked_bytes;     /* above snd_una, present */
    uint64_t high_sacked;
    bool undo_due;             /* the episode was not needed; the sender has still to be told */
    uint64_t recover;          /* loss episode lasts until this is acknowledged; 0 = none */
    bool timeout_episode;
    uint32_t event_losses;     /* resends of the episode that are taken to have been needed */
    int64_t last_sent_ns;      /* last transmission of the sender, at the tap */
    int64_t last_ack_ns;       /* last acknowledgment that moved snd_una or carried SACK */
    uint32_t hidden_segments;  /* visible first copies judged to be resends: lost upstream */
};

/* What is known of path and sender when a range is judged. */
struct rexmit_facts {
    int64_t now_ns;
    int64_t near_ns;           /* 0 = unknown or at the sender */
    int64_t min_rtt_ns;        /* NS_UNKNOWN */
    int64_t srtt_ns, rttvar_ns; /* NS_UNKNOWN without samples */
    uint64_t snd_una, snd_nxt;
    uint32_t smss;
    bool sack_permitted;
};

/* Retransmission time-out of RFC 6298 with the 200 ms floor that stacks in use apply to its
 * variance term; 1 s (RFC 6298 section 2.1) without samples. */
int64_t rexmit_rto_ns(const struct rexmit_facts *facts);
/* The same of a smoothed round trip and its variance. */
int64_t rexmit_rto_of(int64_t srtt_ns, int64_t rttvar_ns);

/* How long nothing has passed in either direction that would restart the sender's timer. */
int64_t rexmit_silence_ns(const struct rexmit *rx, const struct rexmit_facts *facts);

/* What set off a retransmission of [left, right). */
enum rexmit_trigger rexmit_trigger_of(const struct rexmit *rx, const struct rexmit_facts *facts,
                                      uint64_t left, uint64_t right);

enum fill_verdict { FILL_REORDERED, FILL_RESEND, FILL_UNKNOWN };

/* Whether a segment that fills a hole was sent late (resend of a loss upstream) or came late. */
enum fill_verdict rexmit_judge_fill(const struct rexmit *rx, const struct ip_ids *ids,
                                    const struct rexmit_facts *facts, const struct hole *hole,
                                    const struct segment *seg);

/* Three duplicate ACKs, or SACK to the same effect, have passed for the data above snd_una. */
void rexmit_triggered(struct rexmit *rx, uint64_t snd_una, int64_t time_ns);

/* Remember a retransmission until its need is known. */
void rexmit_remember(struct rexmit *rx, const struct resend *resend);

/* Free what rexmit_remember allocated. */
void rexmit_free(struct rexmit *rx);

/* A D-SACK block for [left, right): *segments receives the retransmitted segments now known to
 * have been unneeded.  Returns false when none was remembered: the network made the copy. */
bool rexmit_dsack(struct rexmit *rx, uint64_t left, uint64_t right, uint32_t *segments);

/* An acknowledgment moves from old_una to ack echoing ts_ecr: returns the retransmitted segments
 * that Eifel shows to have been unneeded: the first resend of the range, unless a D-SACK has
 * spoken for it already. */
uint32_t rexmit_eifel(struct rexmit *rx, uint64_t old_una, uint64_t ack, uint32_t ts_ecr);

#endif
