/* Packets written as bytes, and what decoding must make of them.  IPV4_TCP and IPV6_TCP are one
 * segment, the same but for its addresses: port 4321 to 20, seq 0x01020304, ack 0x0a0b0c0d,
 * PSH ACK, window 24820, "abcdef", checksum right; ECT(0), TTL 60 and id 0x1234 or hop limit 61. */
#ifndef TCPWHY_TESTS_DECODE_CHECK_H
#define TCPWHY_TESTS_DECODE_CHECK_H

#include "capture/decode.h"

/* 192.0.2.1 > 198.51.100.2, protocol 6, total length 46 */
#define IPV4_HEADER \
    0x45, 0x02, 0x00, 0x2e, 0x12, 0x34, 0x00, 0x00, 0x3c, 0x06, 0x80, 0x5d, \
    0xc0, 0x00, 0x02, 0x01, 0xc6, 0x33, 0x64, 0x02
#define IPV4_TCP \
    IPV4_HEADER, \
    0x10, 0xe1, 0x00, 0x14, 0x01, 0x02, 0x03, 0x04, 0x0a, 0x0b, 0x0c, 0x0d, \
    0x50, 0x18, 0x60, 0xf4, 0x0d, 0x5b, 0x00, 0x00, 'a', 'b', 'c', 'd', 'e', 'f'
#define IPV4_TCP_BYTES 46

/* 2001:db8::1, 2001:db8::2 */
#define IPV6_ADDRS \
    0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, \
    0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02
#define TCP_OVER_IPV6 \
    0x10, 0xe1, 0x00, 0x14, 0x01, 0x02, 0x03, 0x04, 0x0a, 0x0b, 0x0c, 0x0d, \
    0x50, 0x18, 0x60, 0xf4, 0x9e, 0x1d, 0x00, 0x00, 'a', 'b', 'c', 'd', 'e', 'f'
#define IPV6_TCP 0x60, 0x20, 0x00, 0x00, 0x00, 0x1a, 0x06, 0x3d, IPV6_ADDRS, TCP_OVER_IPV6
#define IPV6_TCP_BYTES 66

/* 02:00:00:00:00:02 < 02:00:00:00:00:01 */
#define MACS 0x02, 0, 0, 0, 0, 0x02, 0x02, 0, 0, 0, 0, 0x01
#define LLC_SNAP_IPV4 0xaa, 0xaa, 0x03, 0x00, 0x00, 0x00, 0x08, 0x00
#define LLC_SNAP_IPV6 0xaa, 0xaa, 0x03, 0x00, 0x00, 0x00, 0x86, 0xdd
#define ZEROS_8 0, 0, 0, 0, 0, 0, 0, 0
#define ZEROS_16 ZEROS_8, ZEROS_8

/* The pointer and the size of a byte list, for two neighbouring fields. */
#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* A packet that holds IPV4_TCP or IPV6_TCP (ip_version says which). */
struct decode_case {
    const char *what;
    int link_type;
    int ip_version;
    const uint8_t *bytes;
    size_t size;
};

struct decoded {
    uint8_t *bytes; /* exactly the captured ones: a sanitizer sees a read beyond them */
    struct packet packet;
    struct decode_counts counts;
    struct segment seg;
    struct notice notice;
    enum decode_result result;
};

/* Decode captured of the bytes of a packet that had wire_bytes; released by decoded_free.  Checks
 * that the packet is counted exactly once. */
struct decoded *decode_bytes(int link_type, const uint8_t *bytes, size_t captured,
                             size_t wire_bytes);
void decoded_free(struct decoded *decoded);
/* The reason that a skipped packet or a notice is counted under. */
enum skip_reason decoded_reason(const struct decoded *decoded);

/* The segment is the one of IPV4_TCP or IPV6_TCP, whole. */
void check_segment_of(const struct decoded *decoded, int ip_version);
/* Each case decodes to its segment; each of its beginnings, as a snaplen would leave it and as a
 * shorter packet, decodes to the same segment with less payload or is skipped. */
void check_cases(const struct decode_case *cases, size_t count);
/* Every beginning of a packet is decoded without a fault and counted once. */
void check_beginnings(int link_type, const uint8_t *bytes, size_t size);

#endif
