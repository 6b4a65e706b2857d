#include "capture/checksum.h"

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
    uint32_t word;

    for (; size >= 32; bytes += 32, size -= 32) {
        even += halves_of(bytes);
        odd += halves_of(bytes + 16);
    }
    even += odd;
    sum += even[0] + even[1]; /* each below 2^33 * 2^26: no carry is lost */
    for (; size >= 4; bytes += 4, size -= 4) {
        memcpy(&word, bytes, 4);
        sum += word;
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

bool checksum_tcp_good(const uint8_t *src, const uint8_t *dst, uint32_t addr_bytes,
                       const uint8_t *tcp, uint32_t size)
{
    /* RFC 9293 section 3.1 and RFC 8200 section 8.1 add the same: length and protocol */
    uint8_t tail[8] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8),
                       (uint8_t)size, 0, 0, 0, PROTOCOL_TCP};
    uint64_t sum = add_bytes(0, src, addr_bytes);

    sum = add_bytes(sum, dst, addr_bytes);
    sum = add_bytes(sum, tail, sizeof tail);
    return fold(add_bytes(sum, tcp, size)) == 0xffff;
}
