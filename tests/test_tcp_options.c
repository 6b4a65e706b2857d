/* needs: tests/decode_check.c */
/* TCP options, whole, malformed and cut by the snaplen; flags; the checksum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/decode_check.h"

#define ETHERNET 1
#define RAW 101
#define TCP_AT 20

/* IPv4 and a TCP header with these options and no payload; flags are SYN. */
#define SYN_WITH(options_bytes, ...) \
    BYTES(0x45, 0, 0, 40 + (options_bytes), 0, 1, 0x40, 0, 64, 6, 0, 0, 192, 0, 2, 1, 198, 51, \
          100, 2, 0x10, 0xe1, 0x00, 0x14, 1, 2, 3, 4, 0, 0, 0, 0, (5 + (options_bytes) / 4) << 4, \
          0x02, 0x60, 0xf4, 0, 0, 0, 0, __VA_ARGS__)

static const struct {
    const char *what;
    struct tcp_options opt;
    const uint8_t *bytes;
    size_t size;
} rows[] = {
    {"MSS 1460, SACK permitted, timestamps, window scale 7: a Linux SYN",
     {.present = TCP_OPT_MSS | TCP_OPT_SACK_PERMITTED | TCP_OPT_TIMESTAMPS | TCP_OPT_WIND_SHIFT,
      .mss = 1460, .wind_shift = 7, .ts_val = 0x01020304, .ts_ecr = 0},
     SYN_WITH(20, 2, 4, 5, 0xb4, 4, 2, 8, 10, 1, 2, 3, 4, 0, 0, 0, 0, 1, 3, 3, 7)},
    {"MSS alone", {.present = TCP_OPT_MSS, .mss = 512}, SYN_WITH(4, 2, 4, 2, 0)},
    {"window scale 15 is kept as sent", {.present = TCP_OPT_WIND_SHIFT, .wind_shift = 15},
     SYN_WITH(4, 1, 3, 3, 15)},
    {"aligned timestamps",
     {.present = TCP_OPT_TIMESTAMPS, .ts_val = 0x0a0b0c0d, .ts_ecr = 0xfffffffe},
     SYN_WITH(12, 1, 1, 8, 10, 0xa, 0xb, 0xc, 0xd, 0xff, 0xff, 0xff, 0xfe)},
    {"timestamps, then one SACK block",
     {.present = TCP_OPT_TIMESTAMPS | TCP_OPT_SACK, .ts_val = 5, .ts_ecr = 6, .sack_count = 1,
      .sack = {{0x10, 0x20}}},
     SYN_WITH(24, 1, 1, 8, 10, 0, 0, 0, 5, 0, 0, 0, 6, 1, 1, 5, 10, 0, 0, 0, 0x10, 0, 0, 0, 0x20)},
    {"timestamps, then SACK of a length that it cannot have",
     {.present = TCP_OPT_TIMESTAMPS | TCP_OPT_CUT, .ts_val = 5, .ts_ecr = 6},
     SYN_WITH(24, 1, 1, 8, 10, 0, 0, 0, 5, 0, 0, 0, 6, 1, 1, 5, 9, 0, 0, 0, 0, 0, 0, 0, 0)},
    {"timestamps, then two SACK blocks",
     {.present = TCP_OPT_TIMESTAMPS | TCP_OPT_SACK, .ts_val = 5, .ts_ecr = 6, .sack_count = 2,
      .sack = {{1, 2}, {3, 4}}},
     SYN_WITH(32, 1, 1, 8, 10, 0, 0, 0, 5, 0, 0, 0, 6, 1, 1, 5, 18, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
              3, 0, 0, 0, 4)},
    {"four SACK blocks",
     {.present = TCP_OPT_SACK, .sack_count = 4, .sack = {{1, 2}, {3, 4}, {5, 6}, {0xffffffff, 8}}},
     SYN_WITH(36, 1, 1, 5, 34, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0,
              6, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 8)},
    {"an empty SACK option", {.present = TCP_OPT_SACK, .sack_count = 0}, SYN_WITH(4, 1, 1, 5, 2)},
    {"fast open cookie", {.present = TCP_OPT_FAST_OPEN}, SYN_WITH(8, 34, 6, 1, 2, 3, 4, 1, 1)},
    {"fast open, experimental", {.present = TCP_OPT_FAST_OPEN},
     SYN_WITH(4, 254, 4, 0xf9, 0x89)},
    {"another experiment", {.present = 0}, SYN_WITH(4, 254, 4, 0x12, 0x34)},
    {"multipath capable", {.present = TCP_OPT_MULTIPATH}, SYN_WITH(4, 30, 4, 0, 0x81)},
    {"MD5 signature, then MSS", {.present = TCP_OPT_MSS, .mss = 1},
     SYN_WITH(24, 19, 18, ZEROS_16, 2, 4, 0, 1, 0, 0)},
    {"what follows the end is not read", {.present = 0}, SYN_WITH(8, 0, 2, 4, 5, 0xb4, 1, 1, 1)},
    {"length 0", {.present = TCP_OPT_CUT}, SYN_WITH(4, 2, 0, 5, 0xb4)},
    {"length 1", {.present = TCP_OPT_CUT}, SYN_WITH(4, 8, 1, 1, 1)},
    {"length beyond the header", {.present = TCP_OPT_CUT}, SYN_WITH(4, 2, 5, 5, 0xb4)},
    {"a kind without length at the end", {.present = TCP_OPT_CUT}, SYN_WITH(4, 1, 1, 1, 8)},
    {"MSS of 3 bytes, then window scale", {.present = TCP_OPT_CUT | TCP_OPT_WIND_SHIFT,
      .wind_shift = 2}, SYN_WITH(8, 2, 3, 5, 3, 3, 2, 0, 0)},
    {"SACK of 9 bytes", {.present = TCP_OPT_CUT},
     SYN_WITH(12, 5, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)},
};

static void check_options(const struct tcp_options *opt, const struct tcp_options *expected)
{
    assert_int_equal(opt->present, expected->present);
    assert_int_equal(opt->mss, expected->mss);
    assert_int_equal(opt->wind_shift, expected->wind_shift);
    assert_int_equal(opt->ts_val, expected->ts_val);
    assert_int_equal(opt->ts_ecr, expected->ts_ecr);
    assert_int_equal(opt->sack_count, expected->sack_count);
    for (int i = 0; i < opt->sack_count; i++) {
        assert_int_equal(opt->sack[i].left, expected->sack[i].left);
        assert_int_equal(opt->sack[i].right, expected->sack[i].right);
    }
}

static void check_packet(int32_t link_type, const uint8_t *bytes, size_t size,
                         const struct tcp_options *expected)
{
    struct decoded *decoded = decode_bytes(link_type, bytes, size, size);

    assert_int_equal(decoded->result, DECODE_SEGMENT);
    check_options(&decoded->seg.opt, expected);
    assert_int_equal(decoded->seg.payload_bytes, 0);
    assert_int_equal(decoded->seg.marks & SEGMENT_CUT, 0);
    decoded_free(decoded);
}

/* By the general way, and the short one that frames of Ethernet take. */
static void options_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t frame[14 + 20 + 60] = {[12] = 8};

        print_message("  %s\n", rows[i].what);
        memcpy(frame + 14, rows[i].bytes, rows[i].size);
        check_packet(RAW, rows[i].bytes, rows[i].size, &rows[i].opt);
        check_packet(ETHERNET, frame, 14 + rows[i].size, &rows[i].opt);
    }
}

/* A snaplen inside the options keeps what is before it, says so, and knows the payload's size. */
static void cut_options_are_marked(void **state)
{
    const uint8_t *syn = rows[0].bytes;

    (void)state;
    for (size_t captured = 40; captured < rows[0].size; captured++) {
        struct decoded *decoded = decode_bytes(RAW, syn, captured, rows[0].size);
        const struct tcp_options *opt = &decoded->seg.opt;
        unsigned expected = TCP_OPT_CUT | (captured >= 44 ? TCP_OPT_MSS : 0) |
                            (captured >= 46 ? TCP_OPT_SACK_PERMITTED : 0) |
                            (captured >= 56 ? TCP_OPT_TIMESTAMPS : 0);

        assert_int_equal(decoded->result, DECODE_SEGMENT);
        assert_int_equal(opt->present, expected);
        assert_int_equal(opt->mss, captured >= 44 ? 1460 : 0);
        assert_int_equal(decoded->seg.marks, SEGMENT_CUT);
        assert_int_equal(decoded->counts.cut_headers, 1);
        assert_int_equal(decoded->seg.payload_bytes, 0);
        assert_int_equal(decoded->seg.payload_captured, 0);
        decoded_free(decoded);
    }
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_beginnings(RAW, rows[i].bytes, rows[i].size);
}

/* Fewer than the 20 bytes of the fixed header: what is missing is 0 and marked. */
static void a_header_of_16_bytes_is_enough(void **state)
{
    static const uint8_t packet[] = {IPV4_TCP};

    (void)state;
    struct decoded *decoded = decode_bytes(RAW, packet, TCP_AT + 16, sizeof packet);
    assert_int_equal(decoded->result, DECODE_SEGMENT);
    assert_int_equal(decoded->seg.wnd, 24820);
    assert_int_equal(decoded->seg.checksum, 0);
    assert_int_equal(decoded->seg.marks, SEGMENT_CUT);
    assert_int_equal(decoded->seg.opt.present, 0); /* data offset 5: there are none */
    assert_int_equal(decoded->seg.payload_bytes, 6);
    assert_int_equal(decoded->seg.payload_captured, 0);
    decoded_free(decoded);
    decoded = decode_bytes(RAW, packet, TCP_AT + 20, sizeof packet);
    assert_int_equal(decoded->seg.checksum, 0x0d5b);
    assert_int_equal(decoded->seg.marks, 0);
    assert_int_equal(decoded->counts.cut_headers, 0);
    decoded_free(decoded);
}

/* All nine control bits, the urgent pointer, and none of the reserved bits. */
static void flags_are_nine_bits(void **state)
{
    uint8_t packet[] = {IPV4_TCP};

    (void)state;
    packet[TCP_AT + 12] = 0x5f;
    packet[TCP_AT + 13] = 0xff;
    packet[TCP_AT + 18] = 0x12;
    packet[TCP_AT + 19] = 0x34;
    struct decoded *decoded = decode_bytes(RAW, packet, sizeof packet, sizeof packet);
    assert_int_equal(decoded->seg.flags, 0x1ff);
    assert_int_equal(decoded->seg.urgent, 0x1234);
    decoded_free(decoded);
}

/* A wrong checksum marks and counts, never drops; it is not looked at when payload is missing or
 * nobody asks. */
static void bad_checksums_are_marked(void **state)
{
    uint8_t packet[] = {IPV4_TCP}, odd[] = {IPV4_TCP};
    struct decode_counts counts = {0};
    struct segment seg;
    struct notice notice;

    (void)state;
    packet[sizeof packet - 1] ^= 1;
    struct decoded *decoded = decode_bytes(RAW, packet, sizeof packet, sizeof packet);
    assert_int_equal(decoded->result, DECODE_SEGMENT);
    assert_int_equal(decoded->seg.marks, SEGMENT_CHECKSUM_BAD);
    assert_int_equal(decoded->counts.checksum_bad, 1);
    decoded_free(decoded);
    decoded = decode_bytes(RAW, packet, sizeof packet - 1, sizeof packet);
    assert_int_equal(decoded->seg.marks, 0);
    decoded_free(decoded);

    struct packet whole = {.data = packet, .captured_bytes = sizeof packet,
                           .wire_bytes = sizeof packet, .link_type = RAW};
    assert_int_equal(decode_packet(&whole, false, &counts, &seg, &notice), DECODE_SEGMENT);
    assert_int_equal(seg.marks, 0);
    assert_int_equal(counts.checksum_bad, 0);

    /* one byte less of payload: 'f' (a low byte) and 1 of the length leave the sum: +0x67 */
    odd[3] = 45;
    odd[TCP_AT + 16] = 0x0d;
    odd[TCP_AT + 17] = 0x5b + 0x67;
    decoded = decode_bytes(RAW, odd, sizeof odd - 1, sizeof odd - 1);
    assert_int_equal(decoded->seg.payload_bytes, 5);
    assert_int_equal(decoded->seg.marks, 0);
    decoded_free(decoded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_read),
        cmocka_unit_test(cut_options_are_marked),
        cmocka_unit_test(a_header_of_16_bytes_is_enough),
        cmocka_unit_test(flags_are_nine_bits),
        cmocka_unit_test(bad_checksums_are_marked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
