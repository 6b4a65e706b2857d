/* Addresses of data connections in FTP's five notations. */
#include <arpa/inet.h>
#include <string.h>

#include "analysis/session/ftp_parse.h"

/* A long address (RFC 1639): af, length, 16 bytes, port length, 2 bytes. */
#define NUMBERS_MAX 21

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Numbers 0..255 with commas between them from here on, at most max; spaces may follow a comma.
 * Returns how many, 0 when one is too large. */
static size_t read_numbers(const char *text, uint8_t *numbers, size_t max)
{
    size_t count = 0;

    while (count < max && is_digit(*text)) {
        unsigned value = 0;

        for (; is_digit(*text) && value <= 255; text++)
            value = value * 10 + (unsigned)(*text - '0');
        if (value > 255)
            return 0;
        numbers[count++] = (uint8_t)value;
        if (*text != ',')
            break;
        do {
            text++;
        } while (*text == ' ');
    }
    return count;
}

static bool set_address(struct ftp_address *address, const struct ip_addr *addr, unsigned port)
{
    static const uint8_t any_v4[4] = {0, 0, 0, 0};
    static const struct ip_addr any = {{0}};
    struct ip_addr mapped_any = ip_addr_from_v4(any_v4);

    address->addr = *addr;
    address->addr_known = !ip_addr_equal(addr, &any) && !ip_addr_equal(addr, &mapped_any);
    address->port = (uint16_t)port;
    return port != 0;
}

/* h1,h2,h3,h4,p1,p2 (RFC 959 section 4.1.2). */
static bool from_short(const uint8_t *n, size_t count, struct ftp_address *address)
{
    struct ip_addr addr;

    if (count < 6)
        return false;
    addr = ip_addr_from_v4(n);
    return set_address(address, &addr, n[4] * 256U + n[5]);
}

/* 4,4,h1..h4,2,p1,p2 or 6,16,h1..h16,2,p1,p2 (RFC 1639). */
static bool from_long(const uint8_t *n, size_t count, struct ftp_address *address)
{
    struct ip_addr addr;

    if (count >= 9 && n[0] == 4 && n[1] == 4 && n[6] == 2) {
        addr = ip_addr_from_v4(n + 2);
        return set_address(address, &addr, n[7] * 256U + n[8]);
    }
    if (count >= 21 && n[0] == 6 && n[1] == 16 && n[18] == 2) {
        memcpy(addr.bytes, n + 2, sizeof addr.bytes);
        return set_address(address, &addr, n[19] * 256U + n[20]);
    }
    return false;
}

/* The text between two delimiters as an address; "" is none. */
static bool read_host(const char *text, size_t length, struct ip_addr *addr)
{
    char host[INET6_ADDRSTRLEN];
    uint8_t v4[4];

    if (length >= sizeof host)
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    if (inet_pton(AF_INET, host, v4) == 1) {
        *addr = ip_addr_from_v4(v4);
        return true;
    }
    return inet_pton(AF_INET6, host, addr->bytes) == 1;
}

/* |family|address|port| with any delimiter of 33..126, family and address may be empty
 * (RFC 2428). */
static bool read_extended(const char *text, struct ftp_address *address)
{
    char delimiter = text[0];
    const char *host, *port;
    struct ip_addr addr = {{0}};
    unsigned value = 0;

    if (delimiter < 33 || delimiter > 126 || is_digit(delimiter))
        return false;
    host = strchr(text + 1, delimiter);
    port = host ? strchr(host + 1, delimiter) : NULL;
    if (!port || host - text > 2)
        return false;
    if (port > host + 1 && !read_host(host + 1, (size_t)(port - host - 1), &addr))
        return false;
    for (port++; is_digit(*port) && value <= 65535; port++)
        value = value * 10 + (unsigned)(*port - '0');
    if (*port != delimiter || value > 65535)
        return false;
    return set_address(address, &addr, value);
}

bool ftp_parse_passive(int code, const char *text, struct ftp_address *address)
{
    uint8_t numbers[NUMBERS_MAX];

    /* The wording is free and parentheses are not promised: the whole line is searched. */
    for (const char *at = text; *at; at++) {
        if (code == 229) {
            if (read_extended(at, address))
                return true;
        } else if (is_digit(*at) && (at == text || !is_digit(at[-1]))) {
            size_t count = read_numbers(at, numbers, NUMBERS_MAX);

            if (code == 227 ? from_short(numbers, count, address)
                            : from_long(numbers, count, address))
                return true;
        }
    }
    return false;
}

bool ftp_parse_active(enum ftp_verb_id verb, const char *argument, struct ftp_address *address)
{
    uint8_t numbers[NUMBERS_MAX];
    size_t count;

    while (*argument == ' ')
        argument++;
    if (verb == FTP_EPRT)
        return read_extended(argument, address) && address->addr_known;
    count = read_numbers(argument, numbers, NUMBERS_MAX);
    return verb == FTP_PORT ? from_short(numbers, count, address)
                            : from_long(numbers, count, address);
}
