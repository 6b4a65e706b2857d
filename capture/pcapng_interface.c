#include "capture/pcapng_interface.h"

#include "capture/bytes.h"

#define OPTION_END 0
#define OPTION_IF_TSRESOL 9
#define OPTION_IF_FCSLEN 13
#define OPTION_IF_TSOFFSET 14

#define NS_PER_S 1000000000
#define TIME_LIMIT_S 4000000000LL /* +-4e18 ns */

bool pcapng_option_next(struct pcapng_options *options, uint16_t *code, const uint8_t **value,
                        uint16_t *length)
{
    if (options->left < 4)
        return false;
    *code = bytes_load16(options->at, options->swapped);
    *length = bytes_load16(options->at + 2, options->swapped);
    *value = options->at + 4;
    size_t padded = ((size_t)*length + 3) & ~(size_t)3;
    if (*code == OPTION_END || *length > options->left - 4)
        return false;
    if (padded > options->left - 4)
        padded = options->left - 4;
    options->at += 4 + padded;
    options->left -= 4 + padded;
    return true;
}

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;

    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* if_tsresol: the high bit says power of two, the rest is the negative exponent.  Exponents beyond
 * what 64 bits can count (10^-19, 2^-63) are taken as these. */
static void set_resolution(struct pcapng_interface *interface, uint8_t value)
{
    unsigned exponent = value & 0x7f;

    interface->binary_exponent = 0;
    interface->tick_ns = 0;
    interface->ticks_per_second = 1;
    if ((value & 0x80) != 0 && exponent > 0) {
        interface->binary_exponent = (uint8_t)(exponent < 63 ? exponent : 63);
        return;
    }
    if (value & 0x80)
        exponent = 0;
    interface->ticks_per_second = power_of_ten(exponent < 19 ? exponent : 19);
    if (exponent <= 9)
        interface->tick_ns = power_of_ten(9 - exponent);
}

void pcapng_interface_read(struct pcapng_interface *interface, const uint8_t *body, size_t bytes,
                           bool swapped)
{
    struct pcapng_options options = {body + 8, bytes - 8, swapped};
    const uint8_t *value;
    uint16_t code, length;

    *interface = (struct pcapng_interface){.link_type = bytes_load16(body, swapped),
                                           .snaplen_bytes = bytes_load32(body + 4, swapped)};
    set_resolution(interface, 6);
    while (pcapng_option_next(&options, &code, &value, &length)) {
        if (code == OPTION_IF_TSRESOL && length >= 1)
            set_resolution(interface, value[0]);
        else if (code == OPTION_IF_TSOFFSET && length >= 8)
            interface->offset_s = (int64_t)bytes_load64(value, swapped);
        else if (code == OPTION_IF_FCSLEN && length >= 1)
            /* in bits by the specification, in bytes by some writers */
            interface->fcs_bytes = (uint8_t)(value[0] >= 8 ? value[0] / 8 : value[0]);
    }
}

/* Nanoseconds of a part of a second. */
static int64_t fraction_ns(const struct pcapng_interface *interface, uint64_t fraction)
{
    unsigned exponent = interface->binary_exponent;

    if (exponent == 0) {
        if (interface->ticks_per_second <= NS_PER_S)
            return (int64_t)(fraction * (NS_PER_S / interface->ticks_per_second));
        return (int64_t)(fraction / (interface->ticks_per_second / NS_PER_S));
    }
    if (exponent > 32) {
        fraction >>= exponent - 32;
        exponent = 32;
    }
    return (int64_t)((fraction * NS_PER_S) >> exponent);
}

int64_t pcapng_interface_time_ns(const struct pcapng_interface *interface, uint64_t ticks)
{
    if (interface->tick_ns != 0 && interface->offset_s == 0 &&
        ticks <= (uint64_t)TIME_LIMIT_S * NS_PER_S / interface->tick_ns)
        return (int64_t)(ticks * interface->tick_ns);

    unsigned exponent = interface->binary_exponent;
    uint64_t seconds = exponent != 0 ? ticks >> exponent : ticks / interface->ticks_per_second;
    uint64_t fraction = exponent != 0 ? ticks & ((UINT64_C(1) << exponent) - 1)
                                      : ticks % interface->ticks_per_second;
    int64_t offset = interface->offset_s;

    if (offset > TIME_LIMIT_S)
        offset = TIME_LIMIT_S;
    if (offset < -TIME_LIMIT_S)
        offset = -TIME_LIMIT_S;
    if (seconds > 2 * (uint64_t)TIME_LIMIT_S)
        seconds = 2 * (uint64_t)TIME_LIMIT_S;
    int64_t total = (int64_t)seconds + offset;
    if (total >= TIME_LIMIT_S)
        return TIME_LIMIT_S * NS_PER_S;
    if (total < -TIME_LIMIT_S)
        return -TIME_LIMIT_S * NS_PER_S;
    return total * NS_PER_S + fraction_ns(interface, fraction);
}
