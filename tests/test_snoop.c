#include "tests/image.h"

#define SECOND 1111111111u /* 2005-03-18 01:58:31 UTC */
#define SECOND_NS ((int64_t)SECOND * 1000000000)

/* RFC 1761: "snoop", version 2, datalink type; all big-endian. */
static void put_header(struct image *image, uint32_t version, uint32_t datalink)
{
    image->big = true;
    image_bytes(image, "snoop\0\0\0", 8);
    image_u32(image, version);
    image_u32(image, datalink);
}

/* A record with pad bytes behind the packet. */
static void put_record(struct image *image, uint32_t wire, uint32_t captured, uint32_t pad,
                       uint32_t drops, uint32_t fraction, uint8_t fill)
{
    image_u32(image, wire);
    image_u32(image, captured);
    image_u32(image, 24 + captured + pad);
    image_u32(image, drops);
    image_u32(image, SECOND);
    image_u32(image, fraction);
    image_fill(image, fill, captured);
    image_fill(image, 0, pad);
}

static void records_with_padding_and_drops(void **state)
{
    (void)state;
    struct image image = {.big = true};

    put_header(&image, 2, 4);
    put_record(&image, 1514, 61, 3, 0, 123456, 0xaa);
    put_record(&image, 60, 60, 0, 17, 123457, 0xbb);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 2);
    assert_string_equal(reading.facts.format, "snoop");
    assert_int_equal(reading.packets[0].captured_bytes, 61);
    assert_int_equal(reading.packets[0].wire_bytes, 1514);
    assert_int_equal(reading.packets[0].time_ns, SECOND_NS + 123456000);
    assert_int_equal(reading.packets[0].link_type, 1);
    assert_int_equal(reading.starts[1][0], 0xbb);
    assert_int_equal(reading.packets[1].frame, 2);
    assert_true(reading.facts.drops_known);
    assert_int_equal(reading.facts.dropped_kernel, 17);
    reading_free(&reading);
}

/* Datalink type of RFC 1761 and the link type it is. */
static void datalink_types(void **state)
{
    static const struct {
        uint32_t datalink;
        int link_type;
    } cases[] = {{0, 1}, {2, 6}, {4, 1}, {8, 10}, {18, 123}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image = {.big = true};

        put_header(&image, 2, cases[i].datalink);
        put_record(&image, 60, 60, 0, 0, 0, 1);
        struct reading reading = read_image(&image);

        assert_int_equal(reading.packets[0].link_type, cases[i].link_type);
        reading_free(&reading);
    }
}

static void unknown_datalink_is_refused(void **state)
{
    (void)state;
    struct image image = {.big = true};

    put_header(&image, 2, 5); /* HDLC, without a description of its frames */
    put_record(&image, 60, 60, 0, 0, 0, 1);
    struct reading reading = read_image(&image);

    assert_false(reading.opened);
    assert_non_null(strstr(reading.error, "snoop file of datalink type 5"));
}

static void record_length_below_packet_is_damage(void **state)
{
    (void)state;
    struct image image = {.big = true};

    put_header(&image, 2, 4);
    put_record(&image, 60, 60, 0, 0, 0, 1);
    image_u32(&image, 60);
    image_u32(&image, 60);
    image_u32(&image, 80); /* less than 24 + 60 */
    image_fill(&image, 0, 200);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 1);
    assert_true(reading.facts.truncated);
    assert_non_null(strstr(reading.facts.warning,
                           "is damaged after packet 1 (a record of 80 bytes with a captured length "
                           "of 60)"));
    reading_free(&reading);
}

static void cut_record(void **state)
{
    (void)state;
    struct image image = {.big = true};

    put_header(&image, 2, 4);
    put_record(&image, 60, 60, 0, 0, 0, 1);
    image.count -= 20;
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 0);
    assert_non_null(strstr(reading.facts.warning, "before the first packet (40 of 60 bytes"));
    reading_free(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_with_padding_and_drops),
        cmocka_unit_test(datalink_types),
        cmocka_unit_test(unknown_datalink_is_refused),
        cmocka_unit_test(record_length_below_packet_is_damage),
        cmocka_unit_test(cut_record),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
