/* Time series of one plotted direction: at most 512 buckets; when they are full, neighbours merge
 * and the width doubles, so that a transfer of any length keeps its whole course. */
#ifndef TCPWHY_ANALYSIS_SERIES_H
#define TCPWHY_ANALYSIS_SERIES_H

#include "analysis/replay/replay.h"
#include "analysis/result.h"

#define SERIES_BUCKETS 512u
#define SERIES_FIRST_BUCKET_NS ((int64_t)10 * 1000000)

struct series;

/* A series that starts at start_ns.  Owned by the caller until series_free. */
struct series *series_new(int64_t start_ns);
void series_free(struct series *series);

/* Samples; a NULL series takes none. */
void series_departure(struct series *series, int64_t time_ns, const struct replay *replay,
                      uint64_t bytes, uint64_t flight_bytes);
/* Give the time that the replay has decided since the last call to its limits: what depended on
 * round trips to the buckets of those, the rest to that of time_ns. */
void series_limits(struct series *series, struct replay *replay, int64_t time_ns);
void series_rtt(struct series *series, int64_t time_ns, int64_t rtt_ns);
void series_retransmission(struct series *series, int64_t time_ns, uint32_t segments);

void series_get(const struct series *series, struct series_result *out);

#endif
