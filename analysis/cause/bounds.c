#include "analysis/cause/bounds.h"

#include <math.h>
#include <stddef.h>

#define PAGE_BYTES 4096

/* True when all count values are finite and above 0: the models divide and take logarithms. */
static bool all_positive(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]) || values[i] <= 0)
            return false;
    return true;
}

/* A model's result, or BOUND_UNKNOWN where extreme inputs drove it out of range. */
static double finite_or_unknown(double value)
{
    return isfinite(value) && value >= 0 ? value : BOUND_UNKNOWN;
}

double bounds_window_bytes_per_s(double window_bytes, double rtt_s)
{
    if (!all_positive((const double[]){window_bytes, rtt_s}, 2))
        return BOUND_UNKNOWN;
    return finite_or_unknown(window_bytes / rtt_s);
}

uint64_t bounds_whole_segments_bytes(uint64_t window_bytes, uint32_t smss)
{
    if (smss == 0 || window_bytes < smss)
        return window_bytes;
    return window_bytes - window_bytes % smss;
}

/* With segments above a page some multiple of 4096 always fits, so a guess would say nothing. */
uint64_t bounds_buffer_guess_bytes(uint64_t window_bytes, uint32_t smss)
{
    uint64_t above, power = 1, pages;

    if (smss == 0 || smss > PAGE_BYTES || window_bytes < smss || window_bytes % smss != 0 ||
        window_bytes > UINT64_MAX / 2)
        return 0;
    above = window_bytes - smss; /* the buffer is in (above, window_bytes] */
    while (power <= above)
        power *= 2;
    if (power <= window_bytes)
        return power;
    pages = (above / PAGE_BYTES + 1) * PAGE_BYTES;
    return pages <= window_bytes ? pages : 0;
}

double bounds_needed_window_bytes(double bytes_per_s, double rtt_s)
{
    if (!all_positive((const double[]){bytes_per_s, rtt_s}, 2))
        return BOUND_UNKNOWN;
    /* The product of two rounded decimals may lie a hair above a whole number of bytes. */
    return finite_or_unknown(ceil(bytes_per_s * rtt_s - 1e-6));
}

double bounds_window_efficiency(double window_bytes, double rtt_s, double link_bytes_per_s)
{
    const double rate = bounds_window_bytes_per_s(window_bytes, rtt_s);

    if (rate < 0 || !all_positive((const double[]){link_bytes_per_s}, 1))
        return BOUND_UNKNOWN;
    return fmin(1, rate / link_bytes_per_s);
}

uint64_t bounds_initial_window_bytes(uint32_t smss)
{
    const uint64_t ten = (uint64_t)smss * 10, two = (uint64_t)smss * 2;
    const uint64_t most = two > 14600 ? two : 14600;

    return ten < most ? ten : most;
}

double bounds_slow_start_rounds(double flight_bytes, double initial_bytes, double growth)
{
    if (!all_positive((const double[]){flight_bytes, initial_bytes, growth - 1}, 3))
        return BOUND_UNKNOWN;
    if (flight_bytes <= initial_bytes)
        return 0;
    return finite_or_unknown(log(flight_bytes / initial_bytes) / log(growth));
}

/* Sum of the geometric series of flights below the last. */
double bounds_slow_start_sent_bytes(double flight_bytes, double initial_bytes, double growth)
{
    if (!all_positive((const double[]){flight_bytes, initial_bytes, growth - 1}, 3))
        return BOUND_UNKNOWN;
    if (flight_bytes <= initial_bytes)
        return 0;
    return finite_or_unknown((flight_bytes - initial_bytes) / (growth - 1));
}

/* Rounds to deliver S from IW: log_g(1 + S (g-1) / IW), at least one (Cardwell, Savage, Anderson,
 * INFOCOM 2000, equation 12). */
double bounds_slow_start_bytes_per_s(double size_bytes, double initial_bytes, double growth,
                                     double rtt_s)
{
    double rounds;

    if (!all_positive((const double[]){size_bytes, initial_bytes, growth - 1, rtt_s}, 4))
        return BOUND_UNKNOWN;
    rounds = log1p(size_bytes * (growth - 1) / initial_bytes) / log(growth);
    if (rounds < 1)
        rounds = 1;
    return finite_or_unknown(size_bytes / (rounds * rtt_s));
}

double bounds_mathis_bytes_per_s(double smss, double rtt_s, double loss, double k)
{
    if (!all_positive((const double[]){smss, rtt_s, loss, k}, 4))
        return BOUND_UNKNOWN;
    return finite_or_unknown(k * smss / (rtt_s * sqrt(loss)));
}

double bounds_pftk_bytes_per_s(double smss, double rtt_s, double loss, double rto_s,
                               double segments_per_ack, double window_bytes)
{
    double recovery, timeouts, rate, cap;

    if (!all_positive((const double[]){smss, rtt_s, loss, rto_s, segments_per_ack}, 5))
        return BOUND_UNKNOWN;
    recovery = rtt_s * sqrt(2 * segments_per_ack * loss / 3);
    timeouts = rto_s * fmin(1, 3 * sqrt(3 * segments_per_ack * loss / 8)) * loss *
               (1 + 32 * loss * loss);
    rate = finite_or_unknown(smss / (recovery + timeouts));
    cap = bounds_window_bytes_per_s(window_bytes, rtt_s);
    return bound_is_known(cap) && cap < rate ? cap : rate;
}

double bounds_cubic_bytes_per_s(double smss, double rtt_s, double loss)
{
    static const double c = 0.4, beta = 0.7, alpha = 3 * (1 - 0.7) / (1 + 0.7);
    double own, friendly;

    if (!all_positive((const double[]){smss, rtt_s, loss}, 3))
        return BOUND_UNKNOWN;
    own = pow(c * (3 + beta) / (4 * (1 - beta)), 0.25) * smss / (pow(rtt_s, 0.25) * pow(loss, 0.75));
    friendly = sqrt(alpha * (1 + beta) / (2 * (1 - beta) * loss)) * smss / rtt_s;
    return finite_or_unknown(fmax(own, friendly));
}

double bounds_payload_share(double smss, double header_bytes, double overhead_bytes)
{
    if (!all_positive((const double[]){smss, header_bytes}, 2) || !isfinite(overhead_bytes) ||
        overhead_bytes < 0)
        return BOUND_UNKNOWN;
    return finite_or_unknown(smss / (smss + header_bytes + overhead_bytes));
}

double bounds_transfer_s(double size_bytes, double initial_bytes, double growth, double rtt_s,
                         double full_bytes_per_s)
{
    double flight_bytes, sent_bytes;

    if (!all_positive((const double[]){size_bytes, initial_bytes, growth - 1, rtt_s,
                                       full_bytes_per_s}, 5))
        return BOUND_UNKNOWN;
    flight_bytes = fmax(full_bytes_per_s * rtt_s, initial_bytes);
    sent_bytes = bounds_slow_start_sent_bytes(flight_bytes, initial_bytes, growth);
    if (size_bytes <= sent_bytes) /* over before the flight has grown so far */
        return finite_or_unknown(size_bytes / bounds_slow_start_bytes_per_s(
                                                  size_bytes, initial_bytes, growth, rtt_s));
    return finite_or_unknown(bounds_slow_start_rounds(flight_bytes, initial_bytes, growth) * rtt_s +
                             (size_bytes - sent_bytes) / full_bytes_per_s);
}
