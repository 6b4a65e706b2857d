#include "tests/image.h"

/* 2005-03-18 01:58:31 UTC, any second will do. */
#define SECOND 1111111111u
#define SECOND_NS ((int64_t)SECOND * 1000000000)

#define MAGIC_USEC 0xa1b2c3d4u
#define MAGIC_NSEC 0xa1b23c4du
#define MAGIC_MODIFIED 0xa1b2cd34u

static void both_byte_orders_and_resolutions(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        for (int nano = 0; nano < 2; nano++) {
            struct image image = {.big = order == 1};

            image_pcap_header(&image, nano ? MAGIC_NSEC : MAGIC_USEC, 4, 1);
            image_pcap_record(&image, SECOND, 123456, 60, 1514, 0xab);
            image_pcap_record(&image, SECOND + 1, 7, 0, 0, 0);
            struct reading reading = read_image(&image);

            assert_true(reading.opened);
            assert_int_equal(reading.count, 2);
            assert_string_equal(reading.facts.format, nano ? "pcap-nsec" : "pcap");
            assert_int_equal(reading.packets[0].time_ns, SECOND_NS + (nano ? 123456 : 123456000));
            assert_int_equal(reading.packets[0].captured_bytes, 60);
            assert_int_equal(reading.packets[0].wire_bytes, 1514);
            assert_int_equal(reading.packets[0].frame, 1);
            assert_int_equal(reading.packets[0].link_type, 1);
            assert_int_equal(reading.starts[0][0], 0xab);
            assert_int_equal(reading.packets[1].captured_bytes, 0);
            assert_int_equal(reading.packets[1].frame, 2);
            assert_int_equal(reading.facts.snaplen_bytes, 65535);
            assert_false(reading.facts.truncated);
            assert_string_equal(reading.facts.warning, "");
            reading_free(&reading);
        }
    }
}

/* Record header of 24 bytes: interface 3, protocol 0x0800, packet type 4 = PACKET_OUTGOING. */
static void kuznetzov_modified_records(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_header(&image, MAGIC_MODIFIED, 4, 101);
    for (int i = 0; i < 2; i++) {
        image_u32(&image, SECOND);
        image_u32(&image, 5);
        image_u32(&image, 2);
        image_u32(&image, 40);
        image_u32(&image, 3);
        image_u16(&image, 0x0800);
        image_bytes(&image, i == 0 ? "\4\0" : "\0\0", 2);
        image_bytes(&image, "\x45\0", 2);
    }
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 2);
    assert_string_equal(reading.facts.format, "pcap-modified");
    assert_int_equal(reading.packets[0].time_ns, SECOND_NS + 5000);
    assert_int_equal(reading.packets[0].interface, 3);
    assert_int_equal(reading.packets[0].direction, 2);
    assert_int_equal(reading.packets[1].direction, 1);
    assert_int_equal(reading.starts[1][0], 0x45);
    reading_free(&reading);
}

/* AIX tcpdump: version 2.2, SNMP ifTypes, nanoseconds. */
static void aix_interface_types(void **state)
{
    static const struct {
        uint32_t if_type;
        int link_type;
    } cases[] = {{6, 1}, {9, 6}, {15, 10}, {24, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image = {.big = true};

        image_pcap_header(&image, MAGIC_USEC, 2, cases[i].if_type);
        image_pcap_record(&image, SECOND, 999000001, 60, 60, 1);
        struct reading reading = read_image(&image);

        assert_int_equal(reading.count, 1);
        assert_string_equal(reading.facts.format, "pcap-aix");
        assert_int_equal(reading.packets[0].link_type, cases[i].link_type);
        assert_int_equal(reading.facts.link_types[0], cases[i].link_type);
        assert_int_equal(reading.packets[0].time_ns, SECOND_NS + 999000001);
        reading_free(&reading);
    }
}

/* Old libpcap also wrote version 2.2: link type 6 is Token Ring when eight records over two
 * seconds have no fraction that only nanoseconds can have. */
static void version_2_2_of_old_libpcap(void **state)
{
    (void)state;
    struct image ring = {.big = true}, ether = {.big = true};

    image_pcap_header(&ring, MAGIC_USEC, 2, 6);
    for (uint32_t i = 0; i < 8; i++)
        image_pcap_record(&ring, SECOND + i, 100000 * i, 60, 60, 1);
    struct reading reading = read_image(&ring);
    assert_string_equal(reading.facts.format, "pcap");
    assert_int_equal(reading.packets[0].link_type, 6);
    assert_int_equal(reading.packets[1].time_ns, SECOND_NS + 1100000000);
    reading_free(&reading);

    image_pcap_header(&ether, MAGIC_USEC, 2, 1);
    image_pcap_record(&ether, SECOND, 817738, 68, 68, 1);
    reading = read_image(&ether);
    assert_string_equal(reading.facts.format, "pcap");
    assert_int_equal(reading.packets[0].link_type, 1);
    assert_int_equal(reading.packets[0].time_ns, SECOND_NS + 817738000);
    reading_free(&reading);
}

/* Before version 2.3 the lengths stood the other way round: 82 on the wire, 68 captured. */
static void lengths_reversed_in_old_versions(void **state)
{
    (void)state;
    for (uint16_t minor = 2; minor <= 3; minor++) {
        struct image image = {.big = true};

        image_pcap_header(&image, MAGIC_USEC, minor, 1);
        image_u32(&image, SECOND);
        image_u32(&image, 0);
        image_u32(&image, 82);
        image_u32(&image, 68);
        image_fill(&image, 7, 68);
        image_pcap_record(&image, SECOND, 1, 60, 60, 8);
        struct reading reading = read_image(&image);

        assert_int_equal(reading.count, 2);
        assert_int_equal(reading.packets[0].captured_bytes, 68);
        assert_int_equal(reading.packets[0].wire_bytes, 82);
        assert_int_equal(reading.starts[1][0], 8);
        reading_free(&reading);
    }
}

/* A wire length below the captured one is an error of the writer: the larger counts. */
static void wire_length_below_captured(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    image_pcap_record(&image, SECOND, 0, 60, 20, 1);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.packets[0].captured_bytes, 60);
    assert_int_equal(reading.packets[0].wire_bytes, 60);
    reading_free(&reading);
}

/* 1,234,567 us are 1.234567 s: carried over, not refused. */
static void fraction_above_one_second(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    image_pcap_record(&image, SECOND, 1234567, 20, 20, 1);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.packets[0].time_ns, SECOND_NS + 1234567000);
    reading_free(&reading);
}

/* Link type word 0x24000001: Ethernet with the FCS length given, 2 * 16 bits. */
static void fcs_length_in_the_link_type(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_header(&image, MAGIC_USEC, 4, 0x24000001);
    image_pcap_record(&image, SECOND, 0, 64, 64, 1);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.packets[0].link_type, 1);
    assert_int_equal(reading.packets[0].fcs_bytes, 4);
    reading_free(&reading);
}

/* DLT_RAW is 12 or 14 on the systems that wrote it; the registry says 101. */
static void old_dlt_values_are_registered_ones(void **state)
{
    (void)state;
    for (uint32_t written = 12; written <= 14; written += 2) {
        struct image image = {.big = false};

        image_pcap_header(&image, MAGIC_USEC, 4, written);
        image_pcap_record(&image, SECOND, 0, 40, 40, 0x45);
        struct reading reading = read_image(&image);

        assert_int_equal(reading.packets[0].link_type, 101);
        reading_free(&reading);
    }
}

/* BIG TCP: one packet of 1 MiB, larger than what the buffer holds at first. */
static void packet_larger_than_the_buffer(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    image_pcap_record(&image, SECOND, 0, 60, 60, 1);
    image_pcap_record(&image, SECOND, 1, 1 << 20, 1 << 20, 2);
    image_pcap_record(&image, SECOND, 2, 16 << 20, 16 << 20, 3);
    image_pcap_record(&image, SECOND, 3, 60, 60, 4);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 4);
    assert_int_equal(reading.packets[2].captured_bytes, 16 << 20);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(reading.starts[i][0], i + 1);
    assert_false(reading.facts.truncated);
    reading_free(&reading);
}

static void cut_inside_a_packet(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    image_pcap_record(&image, SECOND, 0, 60, 60, 1);
    image_pcap_record(&image, SECOND, 1, 66, 66, 2);
    image.count -= 38;
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.ended, SOURCE_END);
    assert_true(reading.facts.truncated);
    assert_non_null(strstr(reading.facts.warning, ": is cut after packet 1 (28 of 66 bytes of the "
                                                  "next). The report covers what is there."));
    reading_free(&reading);
}

static void cut_inside_a_record_header(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    image_u32(&image, SECOND);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 0);
    assert_int_equal(reading.ended, SOURCE_END);
    assert_non_null(
        strstr(reading.facts.warning, "cut before the first packet (4 bytes of the next header)"));
    reading_free(&reading);
}

static void absurd_length_is_damage(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    image_pcap_record(&image, SECOND, 0, 60, 60, 1);
    image_u64(&image, SECOND);
    image_u32(&image, 0xfffffff0);
    image_u32(&image, 60);
    image_fill(&image, 0, 100);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.ended, SOURCE_END);
    assert_true(reading.facts.truncated);
    assert_non_null(strstr(reading.facts.warning, "is damaged after packet 1 (a captured length of "
                                                  "4294967280 bytes)"));
    reading_free(&reading);
}

static void header_only_has_no_packets(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    struct reading reading = read_image(&image);

    assert_true(reading.opened);
    assert_int_equal(reading.count, 0);
    assert_int_equal(reading.ended, SOURCE_END);
    assert_false(reading.facts.truncated);
    reading_free(&reading);
}

static void cut_file_header_is_refused(void **state)
{
    (void)state;
    struct image image = {.big = false};

    image_pcap_usual(&image);
    image.count = 20;
    struct reading reading = read_image(&image);

    assert_false(reading.opened);
    assert_non_null(strstr(reading.error, "is cut inside its file header"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_byte_orders_and_resolutions),
        cmocka_unit_test(kuznetzov_modified_records),
        cmocka_unit_test(aix_interface_types),
        cmocka_unit_test(version_2_2_of_old_libpcap),
        cmocka_unit_test(lengths_reversed_in_old_versions),
        cmocka_unit_test(wire_length_below_captured),
        cmocka_unit_test(fraction_above_one_second),
        cmocka_unit_test(fcs_length_in_the_link_type),
        cmocka_unit_test(old_dlt_values_are_registered_ones),
        cmocka_unit_test(packet_larger_than_the_buffer),
        cmocka_unit_test(cut_inside_a_packet),
        cmocka_unit_test(cut_inside_a_record_header),
        cmocka_unit_test(absurd_length_is_damage),
        cmocka_unit_test(header_only_has_no_packets),
        cmocka_unit_test(cut_file_header_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
