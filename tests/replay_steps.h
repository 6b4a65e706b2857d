/* Events given to a replay one by one, at the sender's own tap: RTT 50 ms.  Time is in milliseconds
 * since the first data. */
#ifndef TCPWHY_TESTS_REPLAY_STEPS_H
#define TCPWHY_TESTS_REPLAY_STEPS_H

#include <string.h>

#include "tests/replay_check.h"

static const struct replay_path at_sender = {.min_rtt_ns = RTT, .rto_ns = 250 * MS};

static inline void begin(struct replay *r, uint64_t window)
{
    memset(r, 0, sizeof *r);
    replay_start(r, EPOCH_NS, 0, BASE, BASE + window);
}

static inline void send_along(struct replay *r, int64_t at_ms, uint64_t left, uint32_t bytes,
                              enum departure_kind kind, const struct replay_path *path)
{
    int64_t before_ns = r->now_ns;
    struct departure d = {
        .tap_ns = EPOCH_NS + at_ms * MS,
        .sent_ns = EPOCH_NS + at_ms * MS,
        .left = BASE + left,
        .right = BASE + left + bytes,
        .frame = (uint64_t)at_ms + 1,
        .smss = MSS,
        .full = bytes >= MSS,
        .kind = kind,
    };

    replay_departure(r, &d, path);
    assert_true(r->now_ns >= before_ns);
    check_sum(r);
}

static inline void send_kind(struct replay *r, int64_t at_ms, uint64_t left, uint32_t bytes,
                             enum departure_kind kind)
{
    send_along(r, at_ms, left, bytes, kind, &at_sender);
}

static inline void send_segments(struct replay *r, int64_t at_ms, uint64_t left, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        send_kind(r, at_ms, left + (uint64_t)i * MSS, MSS, DEPARTURE_NEW);
}

static inline void acknowledge(struct replay *r, int64_t at_ms, uint64_t ack, uint64_t window,
                        bool carries_data)
{
    struct ack_event event = {
        .time_ns = EPOCH_NS + at_ms * MS,
        .ack = BASE + ack,
        .edge = BASE + ack + window,
        .zero_window = window == 0,
        .carries_data = carries_data,
    };

    replay_ack(r, &event, &at_sender);
}

#define OPEN_WINDOW 10000000u

#endif
