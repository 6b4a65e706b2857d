/* A point of the capture: when, and which frame; and spans between times that can be unknown. */
#ifndef TCPWHY_ANALYSIS_MOMENT_H
#define TCPWHY_ANALYSIS_MOMENT_H

#include "analysis/result.h"

struct moment {
    int64_t time_ns;
    uint64_t frame; /* 0 = it never came, and time_ns means nothing */
};

/* The moment's time, NS_UNKNOWN when it never came. */
static inline int64_t moment_ns(const struct moment *moment)
{
    return moment->frame != 0 ? moment->time_ns : NS_UNKNOWN;
}

/* Nanoseconds from one time to another; NS_UNKNOWN when either is unknown or the order is wrong.
 * Capture times are input: the difference of two of them may not fit. */
static inline int64_t span_ns(int64_t from_ns, int64_t to_ns)
{
    int64_t span;

    if (from_ns == NS_UNKNOWN || to_ns == NS_UNKNOWN)
        return NS_UNKNOWN;
    if (__builtin_sub_overflow(to_ns, from_ns, &span) || span < 0)
        return NS_UNKNOWN;
    return span;
}

/* The time a known span after another; NS_UNKNOWN when either is unknown. */
static inline int64_t later_ns(int64_t from_ns, int64_t span)
{
    int64_t time;

    if (from_ns == NS_UNKNOWN || span == NS_UNKNOWN)
        return NS_UNKNOWN;
    return __builtin_add_overflow(from_ns, span, &time) ? NS_UNKNOWN : time;
}

#endif
