#include "report/address.h"

#define GROUPS 8

static char *append_byte(char *out, unsigned int value)
{
    if (value >= 100)
        *out++ = (char)('0' + value / 100);
    if (value >= 10)
        *out++ = (char)('0' + value / 10 % 10);
    *out++ = (char)('0' + value % 10);
    return out;
}

/* Hexadecimal without leading zeros (RFC 5952 sections 4.1 and 4.3). */
static char *append_group(char *out, unsigned int value)
{
    static const char digits[] = "0123456789abcdef";

    for (int shift = 12; shift >= 0; shift -= 4)
        if (shift == 0 || value >> shift != 0)
            *out++ = digits[value >> shift & 0xf];
    return out;
}

static unsigned int group_at(const struct ip_addr *addr, int i)
{
    return (unsigned int)addr->bytes[2 * i] << 8 | addr->bytes[2 * i + 1];
}

/* The first of the longest runs of two or more zero groups (RFC 5952 section 4.2); returns its
 * length, 0 = none. */
static int longest_zeros(const struct ip_addr *addr, int *first)
{
    int best = 1, run = 0;

    *first = GROUPS;
    for (int i = 0; i < GROUPS; i++) {
        run = group_at(addr, i) == 0 ? run + 1 : 0;
        if (run > best) {
            best = run;
            *first = i - run + 1;
        }
    }
    return best > 1 ? best : 0;
}

static char *append_v6(char *out, const struct ip_addr *addr)
{
    int first;
    const int zeros = longest_zeros(addr, &first);

    for (int i = 0; i < GROUPS; i++) {
        if (i == first) {
            *out++ = ':';
            *out++ = ':';
            i += zeros - 1;
            continue;
        }
        if (i > 0 && i != first + zeros)
            *out++ = ':';
        out = append_group(out, group_at(addr, i));
    }
    return out;
}

size_t address_format(const struct ip_addr *addr, char text[ADDRESS_TEXT_MAX])
{
    char *out = text;

    if (ip_addr_is_v4(addr)) {
        for (int i = 12; i < 16; i++) {
            if (i > 12)
                *out++ = '.';
            out = append_byte(out, addr->bytes[i]);
        }
    } else {
        out = append_v6(out, addr);
    }
    *out = '\0';
    return (size_t)(out - text);
}
