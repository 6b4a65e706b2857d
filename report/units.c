#include "report/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/cause/phrase.h"
#include "analysis/result.h"

static struct units_text from_phrase(struct phrase phrase)
{
    struct units_text out;

    _Static_assert(PHRASE_MAX <= UNITS_TEXT_MAX, "a phrase fits");
    memcpy(out.text, phrase.text, sizeof phrase.text);
    return out;
}

struct units_text units_count(uint64_t count)
{
    return from_phrase(phrase_count(count));
}

struct units_text units_things(uint64_t count, const char *one, const char *many)
{
    struct units_text out;

    snprintf(out.text, sizeof out.text, "%s %s", phrase_count(count).text,
             count == 1 ? one : many);
    return out;
}

struct units_text units_bytes(uint64_t bytes)
{
    if (bytes == BYTES_UNKNOWN)
        return (struct units_text){"unknown"};
    return units_things(bytes, "byte", "bytes");
}

/* Link rates are known in Mbit/s: kept down to 0.1, so that the two compare at a glance. */
static struct phrase rate_in_bits(double bytes_per_s)
{
    const double mbit = bytes_per_s * 8 / 1e6;
    struct phrase out;

    if (!(mbit >= 0.09995 && mbit < 0.9995))
        return phrase_bits(bytes_per_s);
    snprintf(out.text, sizeof out.text, "%.3f Mbit/s", mbit);
    return out;
}

struct units_text units_rate_short(double bytes_per_s, bool bits)
{
    return from_phrase(bits ? rate_in_bits(bytes_per_s) : phrase_rate(bytes_per_s));
}

struct units_text units_rate(double bytes_per_s, bool bits)
{
    struct units_text out;

    if (!isfinite(bytes_per_s) || bytes_per_s < 0)
        return (struct units_text){"unknown"};
    snprintf(out.text, sizeof out.text, "%.38s (%.38s)",
             units_rate_short(bytes_per_s, bits).text, units_rate_short(bytes_per_s, !bits).text);
    return out;
}

struct units_text units_seconds(double seconds)
{
    struct units_text out;

    if (!isfinite(seconds) || seconds < 0 || seconds > 1e12)
        return (struct units_text){"unknown"};
    if (seconds == 0)
        return (struct units_text){"0 s"};
    if (seconds < 99.95)
        return from_phrase(phrase_seconds(seconds));
    if (seconds < 3599.5)
        snprintf(out.text, sizeof out.text, "%.1f s", seconds);
    else
        snprintf(out.text, sizeof out.text, "%lld h %02lld min",
                 (long long)((seconds + 30) / 3600), (long long)((seconds + 30) / 60) % 60);
    return out;
}

struct units_text units_duration(int64_t ns)
{
    return units_seconds((double)ns / 1e9);
}

struct units_text units_pct(double pct)
{
    struct units_text out;

    if (!isfinite(pct))
        return (struct units_text){"unknown"};
    if (pct >= 100)
        return (struct units_text){"100 %"};
    if (pct <= 0)
        return (struct units_text){"0 %"};
    if (pct < 0.05)
        return (struct units_text){"< 0.1 %"};
    /* what is less than all never reads as all */
    snprintf(out.text, sizeof out.text, "%.1f %%", fmin(pct, 99.9));
    return out;
}

double units_share_pct(int64_t part, int64_t whole)
{
    if (whole <= 0 || part <= 0)
        return 0;
    return fmin(100, 100 * ((double)part / (double)whole));
}
