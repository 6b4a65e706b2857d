#include "capture/checksum.h"

#include <endian.h>
#include <string.h>

#define PROTOCOL_TCP 6

/* One's complement sums do not depend on byte order (RFC 1071 section 2): words are added as the
 * host loads them, and what overflows 64 bits is carried around. */
static inline uint64_t add_word(uint64_t sum, uint64_t word)
{
    uint64_t total = sum + word;

    return total + (total < word);
}

static inline uint64_t load(const uint8_t *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t add_bytes(uint64_t sum, const uint8_t *bytes, uint32_t size)
{
    uint64_t other = 0, rest = 0;
    uint32_t word;

    for (; size >= 32; bytes += 32, size -= 32) {
        sum = add_word(add_word(sum, load(bytes)), load(bytes + 8));
        other = add_word(add_word(other, load(bytes + 16)), load(bytes + 24));
    }
    for (; size >= 8; bytes += 8, size -= 8)
        sum = add_word(sum, load(bytes));
    if (size >= 4) {
        memcpy(&word, bytes, sizeof word);
        sum = add_word(sum, word);
        bytes += 4;
        size -= 4;
    }
    if (size > 0)
        memcpy(&rest, bytes, size);
    return add_word(add_word(sum, rest), other);
}

static uint16_t fold(uint64_t sum)
{
    sum = (sum & UINT32_MAX) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)((sum & 0xffff) + (sum >> 16));
}

/* Sum of an address of 4 or 16 bytes. */
static inline uint64_t add_address(uint64_t sum, const uint8_t *addr, uint32_t size)
{
    uint32_t word;

    for (uint32_t i = 0; i < size; i += 4) {
        memcpy(&word, addr + i, 4);
        sum += word;
    }
    return sum;
}

bool checksum_tcp_good(const uint8_t *src, const uint8_t *dst, uint32_t addr_bytes,
                       const uint8_t *tcp, uint32_t size)
{
    /* RFC 9293 section 3.1 and RFC 8200 section 8.1 add the same: length and protocol */
    uint64_t sum = (uint64_t)htobe32(size) + htobe32(PROTOCOL_TCP);

    sum = add_address(sum, src, addr_bytes);
    sum = add_address(sum, dst, addr_bytes);
    return fold(add_bytes(sum, tcp, size)) == 0xffff;
}
