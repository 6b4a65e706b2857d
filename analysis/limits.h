/* The places where the time of one direction can go (CONTRACT.md section 3, limits_s). */
#ifndef TCPWHY_ANALYSIS_LIMITS_H
#define TCPWHY_ANALYSIS_LIMITS_H

enum limit {
    LIMIT_HANDSHAKE,
    LIMIT_TURN,  /* waiting for the other side's message, or its last acknowledgment */
    LIMIT_THINK, /* the far application answering */
    LIMIT_APP,   /* the sender had nothing to send */
    LIMIT_SEND_BUFFER,
    LIMIT_SLOW_START,
    LIMIT_CWND,
    LIMIT_LINK,
    LIMIT_RECOVERY,
    LIMIT_RTO,
    LIMIT_RWND,
    LIMIT_ZERO_WINDOW,
    LIMIT_NAGLE,
    LIMIT_UNKNOWN,
    LIMIT_COUNT
};

/* Name as in the JSON keys ("rwnd"). */
const char *limit_name(enum limit limit);

#endif
