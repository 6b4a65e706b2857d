#include "tests/pcapng_image.h"

#define SECOND 1111111111u /* 2005-03-18 01:58:31 UTC */
#define SECOND_NS ((int64_t)SECOND * 1000000000)
#define NS_PER_S INT64_C(1000000000)

#define IF_TSRESOL 9
#define IF_FCSLEN 13
#define IF_TSOFFSET 14

static uint64_t usec(uint32_t second, uint32_t fraction)
{
    return (uint64_t)second * 1000000 + fraction;
}

static void both_byte_orders(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        struct image image = {.big = big == 1};

        put_section(&image);
        put_interface(&image, 1, 96, 0, 0);
        put_packet(&image, 0, usec(SECOND, 654321), 61, 1514, 0xcd, 0);
        struct reading reading = read_image(&image);

        assert_int_equal(reading.count, 1);
        assert_string_equal(reading.facts.format, "pcapng");
        assert_int_equal(reading.packets[0].time_ns, SECOND_NS + 654321000);
        assert_int_equal(reading.packets[0].captured_bytes, 61);
        assert_int_equal(reading.packets[0].wire_bytes, 1514);
        assert_int_equal(reading.packets[0].frame, 1);
        assert_int_equal(reading.starts[0][0], 0xcd);
        assert_int_equal(reading.facts.snaplen_bytes, 96);
        assert_false(reading.facts.truncated);
        assert_false(reading.facts.drops_known);
        reading_free(&reading);
    }
}

/* Interfaces with their own link types; the second section, in the other byte order, numbers its
 * interfaces from 0 again, and they stay told apart. */
static void sections_and_interfaces(void **state)
{
    (void)state;
    struct image image = {.big = false};

    put_section(&image);
    put_interface(&image, 1, 0, 0, 0);
    put_interface(&image, 113, 0, 0, 0);
    put_packet(&image, 1, usec(SECOND, 0), 20, 20, 1, 0);
    put_packet(&image, 0, usec(SECOND, 1), 20, 20, 2, 0);
    image.big = true;
    put_section(&image);
    put_interface(&image, 101, 0, 0, 0);
    put_packet(&image, 0, usec(SECOND, 2), 20, 20, 3, 0);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 3);
    assert_int_equal(reading.packets[0].link_type, 113);
    assert_int_equal(reading.packets[0].interface, 1);
    assert_int_equal(reading.packets[1].link_type, 1);
    assert_int_equal(reading.packets[1].interface, 0);
    assert_int_equal(reading.packets[2].link_type, 101);
    assert_int_equal(reading.packets[2].interface, 2);
    assert_int_equal(reading.packets[2].frame, 3);
    assert_int_equal(reading.facts.link_type_count, 3);
    reading_free(&reading);
}

/* Half a second and some in each resolution: value of if_tsresol, ticks, nanoseconds. */
static void time_resolutions(void **state)
{
    static const struct {
        uint8_t resolution;
        uint64_t ticks;
        int64_t time_ns;
    } cases[] = {
        {0, 7, 7 * NS_PER_S},                                         /* seconds */
        {3, 7500, 7 * NS_PER_S + 500000000},                          /* milliseconds */
        {6, 7500001, 7 * NS_PER_S + 500001000},                       /* the default */
        {9, 7500000001, 7 * NS_PER_S + 500000001},                    /* nanoseconds */
        {12, 7500000001999, 7 * NS_PER_S + 500000001},                /* picoseconds, cut */
        {19, UINT64_C(15000000000000000000), NS_PER_S + 500000000},   /* 1.5 s */
        {0x80, 7, 7 * NS_PER_S},                                      /* 2^0 */
        {0x81, 15, 7 * NS_PER_S + 500000000},                         /* 2^-1 */
        {0x80 | 20, (7 << 20) + (1 << 18), 7 * NS_PER_S + 250000000}, /* 2^-20 */
        {0x80 | 40, (UINT64_C(7) << 40) + (UINT64_C(3) << 38), 7 * NS_PER_S + 750000000},
        {0x80 | 63, UINT64_C(3) << 62, NS_PER_S + 500000000}, /* 1.5 s */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image = {.big = false};

        put_section(&image);
        put_interface(&image, 1, 0, IF_TSRESOL, cases[i].resolution);
        put_packet(&image, 0, cases[i].ticks, 4, 4, 1, 0);
        struct reading reading = read_image(&image);

        assert_int_equal(reading.count, 1);
        assert_int_equal(reading.packets[0].time_ns, cases[i].time_ns);
        reading_free(&reading);
    }
}

/* if_tsoffset is added; absurd stamps and offsets stay within +-4e18 ns. */
static void time_offsets_and_limits(void **state)
{
    static const struct {
        int64_t offset;
        uint64_t ticks;
        int64_t time_ns;
    } cases[] = {{SECOND, 250000, SECOND_NS + 250000000},
                 {-1, 250000, -750000000},
                 {0, UINT64_MAX, INT64_C(4000000000) * NS_PER_S},
                 {INT64_MAX, UINT64_MAX, INT64_C(4000000000) * NS_PER_S},
                 {INT64_MIN, 0, -INT64_C(4000000000) * NS_PER_S}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image = {.big = false};
        size_t start;

        put_section(&image);
        start = block_begin(&image, BLOCK_INTERFACE);
        image_u32(&image, 1);
        image_u32(&image, 0);
        image_u16(&image, IF_TSOFFSET);
        image_u16(&image, 8);
        image_u64(&image, (uint64_t)cases[i].offset);
        block_end(&image, start);
        put_packet(&image, 0, cases[i].ticks, 4, 4, 1, 0);
        struct reading reading = read_image(&image);

        assert_int_equal(reading.count, 1);
        assert_int_equal(reading.packets[0].time_ns, cases[i].time_ns);
        reading_free(&reading);
    }
}

/* epb_flags 0x82: outbound, FCS of 4 bytes; 0x01: inbound.  if_fcslen is in bits. */
static void direction_and_fcs(void **state)
{
    (void)state;
    struct image image = {.big = false};

    put_section(&image);
    put_interface(&image, 1, 0, IF_FCSLEN, 16);
    put_packet(&image, 0, 0, 62, 62, 1, 0x82);
    put_packet(&image, 0, 0, 62, 62, 1, 0x01);
    put_packet(&image, 0, 0, 62, 62, 1, 0);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.packets[0].direction, 2);
    assert_int_equal(reading.packets[0].fcs_bytes, 4);
    assert_int_equal(reading.packets[1].direction, 1);
    assert_int_equal(reading.packets[1].fcs_bytes, 2);
    assert_int_equal(reading.packets[2].direction, 0);
    reading_free(&reading);
}

/* No time in a simple block: that of the packet before it; its captured length is the least of
 * wire length, snaplen and block. */
static void simple_packets(void **state)
{
    (void)state;
    struct image image = {.big = true};

    put_section(&image);
    put_interface(&image, 1, 50, 0, 0);
    put_simple(&image, 20, 20, 1);
    put_packet(&image, 0, usec(SECOND, 5), 40, 40, 2, 0);
    put_simple(&image, 1514, 52, 3);
    put_simple(&image, 5, 5, 4);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 4);
    assert_int_equal(reading.packets[0].time_ns, 0);
    assert_int_equal(reading.packets[0].captured_bytes, 20);
    assert_int_equal(reading.packets[2].time_ns, SECOND_NS + 5000);
    assert_int_equal(reading.packets[2].captured_bytes, 50);
    assert_int_equal(reading.packets[2].wire_bytes, 1514);
    assert_int_equal(reading.packets[3].captured_bytes, 5);
    assert_int_equal(reading.facts.without_time, 3);
    reading_free(&reading);
}

/* The obsolete block: 16-bit interface, 16-bit drops, then as the enhanced one. */
static void obsolete_packet_block(void **state)
{
    (void)state;
    struct image image = {.big = true};
    size_t start;

    put_section(&image);
    put_interface(&image, 1, 0, 0, 0);
    put_interface(&image, 9, 0, 0, 0);
    start = block_begin(&image, BLOCK_PACKET);
    image_u16(&image, 1);
    image_u16(&image, 0xffff);
    image_u32(&image, (uint32_t)(usec(SECOND, 9) >> 32));
    image_u32(&image, (uint32_t)usec(SECOND, 9));
    image_u32(&image, 3);
    image_u32(&image, 30);
    image_bytes(&image, "\xff\x03\x21", 3); /* PPP, IPv4 */
    block_end(&image, start);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.packets[0].link_type, 9);
    assert_int_equal(reading.packets[0].time_ns, SECOND_NS + 9000);
    assert_int_equal(reading.packets[0].captured_bytes, 3);
    assert_int_equal(reading.packets[0].wire_bytes, 30);
    reading_free(&reading);
}

/* Statistics are running totals: the last of each interface counts, and interfaces add up. */
static void drop_counts(void **state)
{
    (void)state;
    struct image image = {.big = false};

    put_section(&image);
    put_interface(&image, 1, 0, 0, 0);
    put_interface(&image, 1, 0, 0, 0);
    put_statistics(&image, 0, 3, 10);
    put_statistics(&image, 0, 5, 11);
    put_statistics(&image, 1, 100, 1000);
    put_statistics(&image, 7, 1, 1); /* no such interface */
    struct reading reading = read_image(&image);

    assert_true(reading.facts.drops_known);
    assert_int_equal(reading.facts.dropped_interface, 105);
    assert_int_equal(reading.facts.dropped_kernel, 1011);
    reading_free(&reading);
}

/* Names, secrets and unknown blocks are passed over, also one larger than the buffer. */
static void unknown_blocks_are_skipped(void **state)
{
    (void)state;
    struct image image = {.big = false};
    size_t start;

    put_section(&image);
    put_interface(&image, 1, 0, 0, 0);
    start = block_begin(&image, BLOCK_NAMES);
    image_fill(&image, 0xee, 3 << 20);
    block_end(&image, start);
    start = block_begin(&image, 0x80000bad);
    block_end(&image, start);
    put_packet(&image, 0, 1, 4, 4, 9, 0);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.starts[0][0], 9);
    assert_false(reading.facts.truncated);
    reading_free(&reading);
}

/* An option that claims more bytes than its block has ends the options, nothing else. */
static void option_longer_than_its_block(void **state)
{
    (void)state;
    struct image image = {.big = false};
    size_t start;

    put_section(&image);
    start = block_begin(&image, BLOCK_INTERFACE);
    image_u32(&image, 1);
    image_u32(&image, 0);
    image_u16(&image, IF_TSRESOL);
    image_u16(&image, 0xffff);
    image_u32(&image, 9);
    block_end(&image, start);
    put_packet(&image, 0, usec(SECOND, 0), 4, 4, 9, 0);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.packets[0].time_ns, SECOND_NS);
    reading_free(&reading);
}

/* Read what was put so far, and expect one packet and this piece in the warning. */
static void expect_damage(struct image *image, const char *piece)
{
    struct reading reading = read_image(image);

    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.ended, SOURCE_END);
    assert_true(reading.facts.truncated);
    assert_non_null(strstr(reading.facts.warning, piece));
    reading_free(&reading);
}

static struct image one_packet(void)
{
    struct image image = {.big = false};

    put_section(&image);
    put_interface(&image, 1, 0, 0, 0);
    put_packet(&image, 0, usec(SECOND, 0), 4, 4, 1, 0);
    return image;
}

static void damaged_blocks(void **state)
{
    (void)state;
    struct image image = one_packet();
    put_packet(&image, 5, 0, 4, 4, 1, 0);
    expect_damage(&image, "after packet 1 (a packet of an interface not described)");

    image = one_packet();
    put_packet(&image, 0, 0, 4, 4, 1, 0);
    image.bytes[image.count - 16] = 200; /* captured length 200 in a block of 36 bytes */
    expect_damage(&image, "(a packet longer than its block)");

    image = one_packet();
    put_packet(&image, 0, 0, 4, 4, 1, 0);
    image.bytes[image.count - 2] = 1;
    expect_damage(&image, "(a block whose two lengths differ)");

    image = one_packet();
    image_u32(&image, BLOCK_ENHANCED);
    image_u32(&image, 8);
    image_u32(&image, 8);
    expect_damage(&image, "(a block of type 6 and 8 bytes)");

    image = one_packet();
    image_u32(&image, BLOCK_ENHANCED);
    image_u32(&image, 0x40000000);
    image_u32(&image, 0);
    expect_damage(&image, "(a block of type 6 and 1073741824 bytes)");

    image = one_packet();
    size_t start = block_begin(&image, BLOCK_ENHANCED);
    block_end(&image, start);
    expect_damage(&image, "(a packet block that is too short)");
}

static void cut_blocks(void **state)
{
    (void)state;
    struct image image = one_packet();
    put_packet(&image, 0, 0, 60, 60, 1, 0);
    image.count -= 10;
    expect_damage(&image, "is cut after packet 1 (74 of 84 bytes of the next)");

    image = one_packet();
    size_t start = block_begin(&image, BLOCK_NAMES);
    image_fill(&image, 0, 100);
    block_end(&image, start);
    image.count -= 20;
    expect_damage(&image, "is cut after packet 1");
}

/* A packet before any interface: nothing can be said about it. */
static void packet_without_interface(void **state)
{
    (void)state;
    struct image image = {.big = false};

    put_section(&image);
    put_simple(&image, 4, 4, 1);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 0);
    assert_non_null(strstr(reading.facts.warning, "before the first packet (a packet of an "
                                                  "interface not described)"));
    reading_free(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_byte_orders),
        cmocka_unit_test(sections_and_interfaces),
        cmocka_unit_test(time_resolutions),
        cmocka_unit_test(time_offsets_and_limits),
        cmocka_unit_test(direction_and_fcs),
        cmocka_unit_test(simple_packets),
        cmocka_unit_test(obsolete_packet_block),
        cmocka_unit_test(drop_counts),
        cmocka_unit_test(unknown_blocks_are_skipped),
        cmocka_unit_test(option_longer_than_its_block),
        cmocka_unit_test(damaged_blocks),
        cmocka_unit_test(cut_blocks),
        cmocka_unit_test(packet_without_interface),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
