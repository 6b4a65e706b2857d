#include "capture/checksum.h"

#include <endian.h>
#include <string.h>

#define PROTOCOL_TCP 6

typedef uint64_t lanes __attribute__((vector_size(16)));

/* Both halves of each 64-bit word of 16 bytes. */
static inline lanes halves_of(const uint8_t *bytes)
{
    const lanes low_half = {UINT32_MAX, UINT32_MAX};
    lanes words;

    memcpy(&words, bytes, sizeof words);
    return (words & low_half) + (words >> 32);
}

/* One's complement sums do not depend on byte order (RFC 1071 section 2): words are added as the
 * host loads them, 32 bytes at a time in two sums of two lanes. */
static uint64_t add_bytes(uint64_t sum, const uint8_t *bytes, uint32_t size)
{
    lanes even = {0, 0}, odd = {0, 0};
    uint64_t words;
    uint32_t word;

    for (; size >= 32; bytes += 32, size -= 32) {
        even += halves_of(bytes);
        odd += halves_of(bytes + 16);
    }
    even += odd;
    sum += even[0] + even[1]; /* each below 2^33 * 2^26: no carry is lost */
    for (; size >= 8; bytes += 8, size -= 8) {
        memcpy(&words, bytes, 8);
        sum += (words & UINT32_MAX) + (words >> 32);
    }
    if (size >= 4) {
        memcpy(&word, bytes, 4);
        sum += word;
        bytes += 4;
        size -= 4;
    }
    if (size > 0) {
        word = 0;
        memcpy(&word, bytes, size);
        sum += word;
    }
    return sum;
}

static uint16_t fold(uint64_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
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
