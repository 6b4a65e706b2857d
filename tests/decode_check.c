#include "tests/decode_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "xmalloc.h"

struct decoded *decode_bytes(int link_type, const uint8_t *bytes, size_t captured,
                             size_t wire_bytes)
{
    struct decoded *decoded = xcalloc(1, sizeof *decoded);
    uint64_t sum = 0;

    decoded->bytes = captured > 0 ? xmalloc(captured) : NULL;
    if (captured > 0)
        memcpy(decoded->bytes, bytes, captured);
    decoded->packet = (struct packet){
        .data = decoded->bytes,
        .time_ns = 1000000007,
        .frame = 5,
        .captured_bytes = (uint32_t)captured,
        .wire_bytes = (uint32_t)wire_bytes,
        .link_type = link_type,
        .interface = 3,
        .source = 2,
    };
    decoded->result = decode_packet(&decoded->packet, true, &decoded->counts, &decoded->seg,
                                    &decoded->notice);
    for (int i = 0; i < SKIP_REASONS; i++)
        sum += decoded->counts.skipped[i];
    assert_int_equal(decoded->counts.packets, 1);
    assert_int_equal(decoded->counts.segments + sum, 1);
    assert_int_equal(decoded->counts.segments, decoded->result == DECODE_SEGMENT);
    assert_int_equal(decoded->counts.notices, decoded->result == DECODE_NOTICE);
    return decoded;
}

void decoded_free(struct decoded *decoded)
{
    free(decoded->bytes);
    free(decoded);
}

enum skip_reason decoded_reason(const struct decoded *decoded)
{
    int reason = 0;

    assert_int_not_equal(decoded->result, DECODE_SEGMENT);
    while (decoded->counts.skipped[reason] == 0)
        reason++;
    return (enum skip_reason)reason;
}

static void check_addrs(const struct segment *seg, int ip_version)
{
    static const uint8_t src4[4] = {192, 0, 2, 1}, dst4[4] = {198, 51, 100, 2};
    static const struct ip_addr ipv6[2] = {{{0x20, 0x01, 0x0d, 0xb8, [15] = 1}},
                                           {{0x20, 0x01, 0x0d, 0xb8, [15] = 2}}};
    struct ip_addr ipv4[2] = {ip_addr_from_v4(src4), ip_addr_from_v4(dst4)};
    const struct ip_addr *expected = ip_version == 4 ? ipv4 : ipv6;

    assert_int_equal(seg->ip_version, ip_version);
    assert_memory_equal(&seg->src, &expected[0], sizeof seg->src);
    assert_memory_equal(&seg->dst, &expected[1], sizeof seg->dst);
}

void check_segment_of(const struct decoded *decoded, int ip_version)
{
    const struct segment *seg = &decoded->seg;

    assert_int_equal(decoded->result, DECODE_SEGMENT);
    check_addrs(seg, ip_version);
    assert_int_equal(seg->src_port, 4321);
    assert_int_equal(seg->dst_port, 20);
    assert_int_equal(seg->seq, 0x01020304);
    assert_int_equal(seg->ack, 0x0a0b0c0d);
    assert_int_equal(seg->flags, TCP_PSH | TCP_ACK);
    assert_int_equal(seg->wnd, 24820);
    assert_int_equal(seg->urgent, 0);
    assert_int_equal(seg->ttl, ip_version == 4 ? 60 : 61);
    assert_int_equal(seg->ip_id, ip_version == 4 ? 0x1234 : 0);
    assert_int_equal(seg->ecn, 2);
    assert_int_equal(seg->payload_bytes, 6);
    assert_int_equal(seg->payload_captured, 6);
    assert_memory_equal(seg->payload, "abcdef", 6);
    assert_int_equal(seg->opt.present, 0);
    assert_int_equal(seg->opt.sack_count, 0);
    assert_int_equal(seg->marks & ~SEGMENT_TUNNELLED, 0);
    assert_int_equal(seg->time_ns, 1000000007);
    assert_int_equal(seg->frame, 5);
    assert_int_equal(seg->interface, 3);
    assert_int_equal(seg->source, 2);
    assert_int_equal(seg->captured_bytes, decoded->packet.captured_bytes);
    assert_int_equal(seg->wire_bytes, decoded->packet.wire_bytes);
    assert_int_equal(decoded->counts.checksum_bad, 0);
}

/* A beginning of a packet gives the same numbers and no byte of payload that is not there. */
static void check_beginning(const struct decoded *decoded)
{
    const struct segment *seg = &decoded->seg;

    if (decoded->result != DECODE_SEGMENT)
        return;
    assert_int_equal(seg->src_port, 4321);
    assert_int_equal(seg->seq, 0x01020304);
    assert_int_equal(seg->wnd, 24820);
    assert_true(seg->payload_captured <= seg->payload_bytes);
    assert_true(seg->payload + seg->payload_captured <=
                decoded->bytes + decoded->packet.captured_bytes);
}

void check_beginnings(int link_type, const uint8_t *bytes, size_t size)
{
    for (size_t captured = 0; captured <= size; captured++) {
        decoded_free(decode_bytes(link_type, bytes, captured, size));
        decoded_free(decode_bytes(link_type, bytes, captured, captured));
    }
}

static void check_case(const struct decode_case *c)
{
    struct decoded *decoded = decode_bytes(c->link_type, c->bytes, c->size, c->size);

    check_segment_of(decoded, c->ip_version);
    decoded_free(decoded);
    for (size_t captured = 0; captured < c->size; captured++) {
        decoded = decode_bytes(c->link_type, c->bytes, captured, c->size);
        check_beginning(decoded);
        decoded_free(decoded);
        decoded = decode_bytes(c->link_type, c->bytes, captured, captured);
        check_beginning(decoded);
        decoded_free(decoded);
    }
}

void check_cases(const struct decode_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        print_message("  %s\n", cases[i].what); /* what a failure below is about */
        check_case(&cases[i]);
    }
}
