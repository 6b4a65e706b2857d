#include "analysis/limits.h"

const char *limit_name(enum limit limit)
{
    static const char *const names[LIMIT_COUNT] = {
        [LIMIT_HANDSHAKE] = "handshake",
        [LIMIT_TURN] = "turn",
        [LIMIT_THINK] = "think",
        [LIMIT_APP] = "app",
        [LIMIT_SEND_BUFFER] = "send_buffer",
        [LIMIT_SLOW_START] = "slow_start",
        [LIMIT_CWND] = "cwnd",
        [LIMIT_LINK] = "link",
        [LIMIT_RECOVERY] = "recovery",
        [LIMIT_RTO] = "rto",
        [LIMIT_RWND] = "rwnd",
        [LIMIT_ZERO_WINDOW] = "zero_window",
        [LIMIT_NAGLE] = "nagle",
        [LIMIT_UNKNOWN] = "unknown",
    };

    return limit < LIMIT_COUNT ? names[limit] : "unknown";
}
