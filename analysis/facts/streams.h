/* Which transfers ran at the same time from the same host to the same host. */
#ifndef TCPWHY_ANALYSIS_STREAMS_H
#define TCPWHY_ANALYSIS_STREAMS_H

#include "analysis/result.h"

struct stream {
    struct ip_addr sender, receiver;
    int64_t start_ns, span_ns; /* of its data; span > 0 */
    uint64_t bytes;
    uint32_t parallel;         /* out: streams that were there for half of its time, with itself */
    double bytes_per_s;        /* out: of all together in its time */
    size_t index;              /* the caller's */
};

/* Fill what is marked out; the order changes.  Time grows with the square of the streams between
 * one pair of hosts: at most 5000 are judged (bulk.h). */
void streams_match(struct stream *streams, size_t count);

#endif
