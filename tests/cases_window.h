/* Cases for the tests of causes about the receiver's window and what reads behind it. */
#ifndef TCPWHY_TESTS_CASES_WINDOW_H
#define TCPWHY_TESTS_CASES_WINDOW_H

#include "tests/cases.h"

/* All of the elapsed time anew, nothing said of limits. */
static inline void given_no_shares(struct given *g)
{
    struct direction_result *d = given_data(g);

    for (int i = 0; i < LIMIT_COUNT; i++)
        d->limit_ns[i] = 0;
    d->limit_ns[LIMIT_UNKNOWN] = d->elapsed_ns;
}

static inline void given_window(struct given *g, uint64_t bytes)
{
    struct direction_result *d = given_data(g);

    d->rwnd_min_bytes = d->rwnd_mean_bytes = d->rwnd_max_bytes = bytes;
    d->moves.followed = 1;
    d->moves.growth.from_bytes = d->moves.growth.to_bytes = bytes;
}

/* 1,536,000 bytes to a program that reads 32 KiB every 250 ms, RTT 40 ms, window 80,480: 131 kB/s
 * where the window would allow 2 MB/s.  As in the lab: 33 % closed, 65 % at the edge. */
static inline struct given given_slow_reader(void)
{
    struct given g = given_transfer(1536000, 11700, 40);
    struct direction_result *d = given_data(&g);
    struct moves_facts *m = &d->moves;

    given_window(&g, 80480);
    d->rwnd_min_bytes = 0;
    d->rwnd_mean_bytes = 29914;
    d->zero_window_episodes = 22;
    d->zero_window_ns = 3800 * MS;
    d->rounds = 50;
    d->rounds_window_full = 44;
    m->sink.episodes = m->sink.late_openings = 44;
    m->sink.sunk_ns = 11600 * MS;
    m->sink.low_ns = 7280 * MS;
    m->sink.longest_low_ns = 170 * MS;
    m->sink.longest_from_frame = 1047;
    m->sink.longest_to_frame = 1048;
    m->steps = (struct moves_steps){45, 45 * 33388, 45 * 254 * MS, 42, 42 * 32785, 42 * 250 * MS,
                                    108, 1185};
    given_share(&g, LIMIT_RWND, 65);
    given_share(&g, LIMIT_ZERO_WINDOW, 33);
    return g;
}

/* The same where the sender has nothing to send for 90 % of the time, its window open. */
static inline struct given given_slow_sender(void)
{
    struct given g = given_transfer(1536000, 11700, 40);

    given_window(&g, 80480);
    given_share(&g, LIMIT_APP, 90);
    return g;
}

#endif
