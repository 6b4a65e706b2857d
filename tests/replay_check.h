/* What holds of every replay: each instant has one owner. */
#ifndef TCPWHY_TESTS_REPLAY_CHECK_H
#define TCPWHY_TESTS_REPLAY_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/replay/replay.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)
#define SECOND ((int64_t)1000000000)
#define MSS 1448u
#define BASE ((uint64_t)1 << 32)
#define RTT (50 * MS)
#define EPOCH_NS (1700000000 * SECOND) /* of the simulated clocks */

static inline int64_t sum_of_limits(const struct replay *r)
{
    int64_t sum_ns = 0;

    for (int i = 0; i < LIMIT_COUNT; i++) {
        assert_true(r->limit_ns[i] >= 0);
        sum_ns += r->limit_ns[i];
    }
    return sum_ns;
}

/* Every instant has one owner (CONTRACT.md section 3): what is decided, what is held until rounds
 * decide it and what is pending make the time from the first data to now. */
static inline void check_sum(const struct replay *r)
{
    int64_t pending_ns = 0;

    for (int i = 0; i < PENDING_KINDS; i++) {
        assert_true(r->pending_ns[i] >= 0);
        pending_ns += r->pending_ns[i];
    }
    assert_true(r->held.open_ns >= 0);
    assert_true(sum_of_limits(r) + r->held.open_ns + pending_ns == r->now_ns - r->first_ns);
}

/* At the end nothing is pending. */
static inline void finish(struct replay *r, const struct replay_path *path)
{
    replay_finish(r, path);
    check_sum(r);
    assert_int_equal(r->held.open_ns, 0);
    assert_true(sum_of_limits(r) == r->now_ns - r->first_ns);
}

static inline double share_pct(const struct replay *r, enum limit limit)
{
    int64_t elapsed_ns = r->now_ns - r->first_ns;

    return elapsed_ns == 0 ? 0 : 100.0 * (double)r->limit_ns[limit] / (double)elapsed_ns;
}

#endif
