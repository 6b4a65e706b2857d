#include "capture/checksum.h"

#define PROTOCOL_TCP 6

/* One's complement sums do not depend on byte order (RFC 1071 section 2): words are added as the
 * host loads them, 32 bits at a time. */
static uint64_t add_bytes(uint64_t sum, const uint8_t *bytes, uint32_t size)
{
    uint32_t word;

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

bool checksum_tcp_good(const struct layers *l, const uint8_t *tcp, uint32_t size)
{
    uint32_t addr_bytes = l->ip_version == 4 ? 4 : 16;
    /* RFC 9293 section 3.1 and RFC 8200 section 8.1 add the same: length and protocol */
    uint8_t tail[8] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8),
                       (uint8_t)size, 0, 0, 0, PROTOCOL_TCP};
    uint64_t sum = add_bytes(0, layers_ip_src(l), addr_bytes);

    sum = add_bytes(sum, layers_ip_dst(l), addr_bytes);
    sum = add_bytes(sum, tail, sizeof tail);
    return fold(add_bytes(sum, tcp, size)) == 0xffff;
}
