/* The reading of packets: source -> decode -> analyzer. */
#ifndef TCPWHY_RUN_H
#define TCPWHY_RUN_H

#include "analysis/analyzer.h"
#include "capture/decode.h"
#include "capture/save.h"
#include "capture/source.h"
#include "options.h"

/* What came of it. */
struct run {
    struct decode_counts counts;
    int64_t first_ns, last_ns;         /* of all packets; INT64_MIN = none */
    bool failed;                       /* a fault ended reading; the source's facts say which */
    char save_error[SOURCE_ERROR_MAX]; /* of -w; empty = none */
};

/* Read to the end, a limit (-c, --duration) or a signal, and feed the analyzer.  save may be
 * NULL; it is not closed. */
void run_read(struct source *source, struct analyzer *analyzer, struct save *save,
              const struct options *options, struct run *run);

#endif
