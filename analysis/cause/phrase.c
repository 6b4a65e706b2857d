#include "analysis/cause/phrase.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define SHARES_SHOWN 4

static const char *const limit_phrases[LIMIT_COUNT] = {
    [LIMIT_HANDSHAKE] = "handshake",
    [LIMIT_TURN] = "the other side's message",
    [LIMIT_THINK] = "the far application",
    [LIMIT_APP] = "nothing to send",
    [LIMIT_SEND_BUFFER] = "send buffer",
    [LIMIT_SLOW_START] = "slow start",
    [LIMIT_CWND] = "congestion window",
    [LIMIT_LINK] = "link rate",
    [LIMIT_RECOVERY] = "loss recovery",
    [LIMIT_RTO] = "retransmission time-out",
    [LIMIT_RWND] = "receive window",
    [LIMIT_ZERO_WINDOW] = "closed receive window",
    [LIMIT_NAGLE] = "Nagle and delayed ACK",
    [LIMIT_UNKNOWN] = "not known",
};

const char *phrase_limit(enum limit limit)
{
    return limit_phrases[limit];
}

struct phrase phrase_count(uint64_t count)
{
    struct phrase out;
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t used = 0;

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out.text[used++] = ',';
        out.text[used++] = digits[i];
    }
    out.text[used] = '\0';
    return out;
}

/* Three significant digits and a unit.  The thresholds are where rounding adds a digit. */
static struct phrase significant(double value, const char *unit)
{
    struct phrase out;
    const int decimals = value >= 99.95 || value == 0 ? 0
                         : value >= 9.995             ? 1
                         : value >= 0.9995            ? 2
                                                      : 3;

    snprintf(out.text, sizeof out.text, "%.*f%s", decimals, value, unit);
    return out;
}

/* Value with the first unit that leaves fewer than four digits before the point. */
static struct phrase with_unit(double value, const char *const units[5])
{
    int i = 0;

    if (!isfinite(value) || value < 0)
        return (struct phrase){"unknown"};
    for (; i < 4 && value >= 999.5; i++)
        value /= 1000;
    if (value >= 1e9)
        return (struct phrase){"beyond measure"};
    return significant(value, units[i]);
}

struct phrase phrase_rate(double bytes_per_s)
{
    static const char *const units[5] = {" B/s", " kB/s", " MB/s", " GB/s", " TB/s"};

    return with_unit(bytes_per_s, units);
}

struct phrase phrase_bits(double bytes_per_s)
{
    static const char *const units[5] = {" bit/s", " kbit/s", " Mbit/s", " Gbit/s", " Tbit/s"};

    return with_unit(bytes_per_s * 8, units);
}

struct phrase phrase_seconds(double seconds)
{
    if (!isfinite(seconds) || seconds < 0 || seconds >= 1e15)
        return (struct phrase){"unknown"};
    if (seconds < 0.9995)
        return significant(seconds * 1e3, " ms");
    return significant(seconds, " s");
}

struct phrase phrase_span(int64_t ns)
{
    return phrase_seconds((double)ns / 1e9);
}

struct phrase phrase_pct(double pct)
{
    struct phrase out;

    if (!isfinite(pct) || pct < 0 || pct > 999)
        return (struct phrase){"unknown"};
    snprintf(out.text, sizeof out.text, "%.*f %%", pct >= 9.95 || pct == 0 ? 0 : 1, pct);
    return out;
}

struct phrase phrase_decimal(double value)
{
    if (!isfinite(value) || value < 0 || value >= 1e15)
        return (struct phrase){"unknown"};
    return significant(value, "");
}

struct phrase phrase_window(uint64_t window_bytes, uint32_t smss)
{
    struct phrase out;

    if (smss == 0)
        return phrase_count(window_bytes);
    if (window_bytes % smss == 0)
        snprintf(out.text, sizeof out.text, "%" PRIu64 " x MSS %" PRIu32, window_bytes / smss,
                 smss);
    else
        snprintf(out.text, sizeof out.text, "%" PRIu64 " x MSS %" PRIu32 " + %" PRIu64,
                 window_bytes / smss, smss, window_bytes % smss);
    return out;
}

/* Index of the largest share of at least least_pct that is not shown yet, LIMIT_COUNT if none. */
static int next_largest(const double share_pct[LIMIT_COUNT], const bool shown[LIMIT_COUNT],
                        double least_pct)
{
    int best = LIMIT_COUNT;

    for (int i = 0; i < LIMIT_COUNT; i++)
        if (!shown[i] && share_pct[i] >= least_pct &&
            (best == LIMIT_COUNT || share_pct[i] > share_pct[best]))
            best = i;
    return best;
}

void phrase_shares(const double share_pct[LIMIT_COUNT], double least_pct, char *out, size_t size)
{
    bool shown[LIMIT_COUNT] = {false};
    size_t used = 0;

    out[0] = '\0';
    for (int n = 0; n < SHARES_SHOWN; n++) {
        const int limit = next_largest(share_pct, shown, least_pct);
        int written;

        if (limit == LIMIT_COUNT)
            return;
        shown[limit] = true;
        written = snprintf(out + used, size - used, "%s%s %s", n > 0 ? ", " : "",
                           limit_phrases[limit], phrase_pct(share_pct[limit]).text);
        if (written < 0 || (size_t)written >= size - used)
            return;
        used += (size_t)written;
    }
}
