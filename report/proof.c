#include "report/proof.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analysis/cause/note_codes.h"

#define TIME_AND_PLACE "frame.time_relative tcp.seq tcp.len"
#define WINDOW_AND_TIME "frame.time_relative tcp.ack tcp.window_size"

static const struct proof {
    const char *fact, *fields;
} proofs[] = {
    {FACT_NO_WINDOW_SCALE, "tcp.flags.syn tcp.options.wscale.shift"},
    {FACT_WINDOW_SCALE, "tcp.flags.syn tcp.options.wscale.shift"},
    {FACT_LARGEST_WINDOW, "tcp.window_size tcp.window_size_value"},
    {FACT_WINDOW_FULL, TIME_AND_PLACE " tcp.ack"},
    {FACT_FIRST_DATA, TIME_AND_PLACE},
    {FACT_LAST_DATA, TIME_AND_PLACE},
    {FACT_SLOW_START, TIME_AND_PLACE},
    {FACT_EVEN_DEPARTURES, TIME_AND_PLACE},
    {FACT_IDLE_RESTART, TIME_AND_PLACE},
    {FACT_WINDOW_GROWTH, TIME_AND_PLACE},
    {FACT_LONGEST_WAIT, TIME_AND_PLACE " tcp.ack"},
    {FACT_ABORT_COMMAND, "ftp.request.command"},
    {FACT_REPLY, "ftp.response.code ftp.response.arg"},
    {FACT_FIRST_LOSS, TIME_AND_PLACE " tcp.ack"},
    {FACT_WORST_LOSS, TIME_AND_PLACE " tcp.ack"},
    {FACT_TIMEOUT, TIME_AND_PLACE " tcp.time_delta"},
    {FACT_CONGESTION_MARK, "tcp.flags.cwr tcp.flags.ece ip.dsfield.ecn"},
    {FACT_SENT_AGAIN, TIME_AND_PLACE},
    {FACT_TOO_BIG, "icmp.type icmp.code icmp.mtu icmpv6.type icmpv6.mtu"},
    {FACT_UNNEEDED_RESEND, TIME_AND_PLACE " tcp.ack"},
    {FACT_LATE, TIME_AND_PLACE},
    {FACT_NO_SACK, "tcp.flags.syn tcp.options.sack_perm"},
    {FACT_FIN, "tcp.flags.fin"},
    {FACT_KNEE, TIME_AND_PLACE},
    {FACT_SACK_RENEGED, "tcp.ack tcp.options.sack_le tcp.options.sack_re"},
    {FACT_SMALL_INCREMENT, WINDOW_AND_TIME},
    {FACT_SMALL_MSS, "tcp.flags.syn tcp.options.mss_val"},
    {FACT_WINDOW_CLOSED, WINDOW_AND_TIME},
    {FACT_WINDOW_GREW, TIME_AND_PLACE},
    {FACT_WINDOW_OPENED, WINDOW_AND_TIME},
    {FACT_WINDOW_SHRUNK, WINDOW_AND_TIME},
    {FACT_WINDOW_STEP, WINDOW_AND_TIME},
    {FACT_BOTTLENECK_BUSY, TIME_AND_PLACE " tcp.ack"},
    {FACT_PLATEAU, TIME_AND_PLACE " tcp.ack"},
    {FACT_SENDER_IDLE, TIME_AND_PLACE " tcp.time_delta"},
    {FACT_NAGLE_WAIT, TIME_AND_PLACE " tcp.time_delta"},
    {FACT_ENCRYPTED, TIME_AND_PLACE},
    {FACT_TURN_WAIT, TIME_AND_PLACE " tcp.time_delta"},
    {FACT_RST, "tcp.flags.reset"},
    {FACT_SMALL_WRITE, TIME_AND_PLACE " tcp.flags.push"},
    {FACT_WRITE_START, TIME_AND_PLACE},
    {FACT_WRITE_END, TIME_AND_PLACE " tcp.flags.push"},
    {FACT_LOCK_STEP, TIME_AND_PLACE " tcp.time_delta"},
    {FACT_FAR_ANSWER, "ip.ttl ipv6.hlim tcp.flags"},
    {FACT_NEAR_ANSWER, "ip.ttl ipv6.hlim tcp.flags"},
};

const char *proof_fields(const char *fact)
{
    for (size_t i = 0; fact != NULL && i < sizeof proofs / sizeof proofs[0]; i++)
        if (strcmp(proofs[i].fact, fact) == 0)
            return proofs[i].fields;
    return NULL;
}

struct units_text proof_filter(uint64_t frame)
{
    struct units_text out;

    snprintf(out.text, sizeof out.text, "frame.number==%" PRIu64, frame);
    return out;
}
