/* Senders whose departures follow a rate rather than acknowledgments: told by their round trips.
 *
 * BBR probes for bandwidth every eighth round trip with a quarter more in flight, and every ten
 * seconds empties the path to four segments for 200 ms; no loss makes a window fall.  A socket's
 * rate limit lets segments go evenly, with far less in flight than any window allows. */
#ifndef TCPWHY_ANALYSIS_PACING_H
#define TCPWHY_ANALYSIS_PACING_H

#include "analysis/cwnd_facts.h"
#include "analysis/replay/rounds.h"

struct pacing {
    double base;              /* segments in flight between probes; 0 = not known */
    uint32_t probe_rounds;    /* of the probe going on, 0 = none */
    uint32_t since_probe;     /* rounds since the last one began */
    uint32_t probes, regular; /* complete ones; those that came 6 to 10 rounds after another */
    int64_t dip_start_ns;     /* NS_UNKNOWN: not in one */
    int64_t first_dip_ns, last_dip_ns;
    uint32_t dips;
    /* even departures below every window */
    uint64_t rounds, even_rounds;
    uint64_t even_bytes;
    int64_t even_ns;
    uint64_t second_bytes; /* the rate over spans of a second: */
    int64_t second_ns;
    double rate_least, rate_most; /* bytes/s; 0 = no span yet */
};

void pacing_start(struct pacing *p);
/* A round trip is over; smss of its segments. */
void pacing_round(struct pacing *p, const struct round *round, uint32_t smss);
/* The window fell: what looked like a probe was growth. */
void pacing_fall(struct pacing *p);
/* Whether departures have shown probes of bandwidth, so that flight is no window. */
bool pacing_probes(const struct pacing *p);
/* Fill family and its confidence (for BBR), paced, rate and period. */
void pacing_facts(const struct pacing *p, struct cwnd_facts *out);

#endif
