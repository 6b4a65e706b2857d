#include "tests/image.h"

#include <lz4frame.h>
#include <lzma.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#define PACKETS 3000

/* Each packs count bytes as one member at the end of out. */
static void pack_gzip(struct image *out, const uint8_t *bytes, size_t count)
{
    z_stream zlib = {.next_in = bytes, .avail_in = (uInt)count};
    size_t room = count + 1024;
    uint8_t *packed = xmalloc(room);

    assert_int_equal(deflateInit2(&zlib, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    zlib.next_out = packed;
    zlib.avail_out = (uInt)room;
    assert_int_equal(deflate(&zlib, Z_FINISH), Z_STREAM_END);
    image_bytes(out, packed, room - zlib.avail_out);
    deflateEnd(&zlib);
    free(packed);
}

static void pack_zstd(struct image *out, const uint8_t *bytes, size_t count)
{
    size_t room = ZSTD_compressBound(count);
    uint8_t *packed = xmalloc(room);
    size_t made = ZSTD_compress(packed, room, bytes, count, 3);

    assert_false(ZSTD_isError(made));
    image_bytes(out, packed, made);
    free(packed);
}

static void pack_xz(struct image *out, const uint8_t *bytes, size_t count)
{
    size_t room = lzma_stream_buffer_bound(count), made = 0;
    uint8_t *packed = xmalloc(room);

    assert_int_equal(
        lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes, count, packed, &made, room),
        LZMA_OK);
    image_bytes(out, packed, made);
    free(packed);
}

static void pack_lz4(struct image *out, const uint8_t *bytes, size_t count)
{
    LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
    preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    size_t room = LZ4F_compressFrameBound(count, &preferences);
    uint8_t *packed = xmalloc(room);
    size_t made = LZ4F_compressFrame(packed, room, bytes, count, &preferences);

    assert_false(LZ4F_isError(made));
    image_bytes(out, packed, made);
    free(packed);
}

static const struct {
    const char *name;
    void (*pack)(struct image *out, const uint8_t *bytes, size_t count);
} packers[] = {{"gzip", pack_gzip}, {"zstd", pack_zstd}, {"xz", pack_xz}, {"lz4", pack_lz4}};

#define PACKERS (sizeof packers / sizeof packers[0])

/* 3,000 packets of 400 bytes: more than one buffer's worth. */
static struct image plain_file(void)
{
    struct image image = {.big = false};

    image_pcap_usual(&image);
    for (uint32_t i = 0; i < PACKETS; i++)
        image_pcap_record(&image, 1000 + i, i, 400, 400, (uint8_t)(i * 37));
    return image;
}

static void expect_all_packets(const struct reading *reading, const char *name)
{
    assert_true(reading->opened);
    assert_string_equal(reading->facts.compression, name);
    assert_string_equal(reading->facts.format, "pcap");
    assert_int_equal(reading->count, PACKETS);
    assert_int_equal(reading->ended, SOURCE_END);
    for (uint32_t i = 0; i < PACKETS; i++)
        assert_int_equal(reading->starts[i][3], (uint8_t)(i * 37));
}

static void each_form_is_unpacked(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKERS; i++) {
        struct image plain = plain_file(), packed = {.big = false};

        packers[i].pack(&packed, plain.bytes, plain.count);
        size_t stored = packed.count;
        struct reading reading = read_image(&packed);

        expect_all_packets(&reading, packers[i].name);
        assert_string_equal(reading.facts.warning, "");
        assert_int_equal(reading.facts.file_bytes, stored);
        assert_int_equal(reading.facts.file_bytes_read, stored);
        reading_free(&reading);
        image_free(&plain);
    }
}

/* gzip a >> f; gzip b >> f: the members follow each other, cut inside a packet. */
static void members_follow_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKERS; i++) {
        struct image plain = plain_file(), packed = {.big = false};

        packers[i].pack(&packed, plain.bytes, 1001);
        packers[i].pack(&packed, plain.bytes + 1001, 600000);
        packers[i].pack(&packed, plain.bytes + 601001, plain.count - 601001);
        struct reading reading = read_image(&packed);

        expect_all_packets(&reading, packers[i].name);
        assert_string_equal(reading.facts.warning, "");
        reading_free(&reading);
        image_free(&plain);
    }
}

static void cut_data_give_what_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKERS; i++) {
        struct image plain = plain_file(), packed = {.big = false};
        char piece[64];

        packers[i].pack(&packed, plain.bytes, 800000);
        packers[i].pack(&packed, plain.bytes + 800000, plain.count - 800000);
        packed.count -= 9;
        struct reading reading = read_image(&packed);

        assert_true(reading.count >= 1900); /* the first member holds 1,923 packets */
        assert_int_equal(reading.ended, SOURCE_END);
        assert_true(reading.facts.truncated);
        snprintf(piece, sizeof piece, ": is cut inside its %s data after packet ", packers[i].name);
        assert_non_null(strstr(reading.facts.warning, piece));
        reading_free(&reading);
        image_free(&plain);
    }
}

/* A flipped check at the end: gzip and xz (CRC), lz4 (content checksum). */
static void damaged_data_are_said(void **state)
{
    static const size_t from_end[] = {6, 0, 0, 2};

    (void)state;
    for (size_t i = 0; i < PACKERS; i++) {
        struct image plain = plain_file(), packed = {.big = false};
        char piece[64];

        if (from_end[i] == 0) {
            image_free(&plain);
            continue;
        }
        packers[i].pack(&packed, plain.bytes, plain.count);
        packed.bytes[packed.count - from_end[i]] ^= 0x55;
        struct reading reading = read_image(&packed);

        assert_int_equal(reading.ended, SOURCE_END);
        assert_true(reading.facts.truncated);
        snprintf(piece, sizeof piece, ": has damaged %s data (", packers[i].name);
        assert_non_null(strstr(reading.facts.warning, piece));
        reading_free(&reading);
        image_free(&plain);
    }
}

/* Zeros behind a gzip member, as tapes and block devices leave them, are no damage. */
static void padding_behind_gzip_is_ignored(void **state)
{
    (void)state;
    struct image plain = plain_file(), packed = {.big = false};

    pack_gzip(&packed, plain.bytes, plain.count);
    image_fill(&packed, 0, 512);
    struct reading reading = read_image(&packed);

    expect_all_packets(&reading, "gzip");
    assert_string_equal(reading.facts.warning, "");
    reading_free(&reading);
    image_free(&plain);
}

static void empty_when_unpacked(void **state)
{
    (void)state;
    struct image packed = {.big = false};

    pack_gzip(&packed, (const uint8_t *)"", 0);
    struct reading reading = read_image(&packed);

    assert_false(reading.opened);
    assert_non_null(strstr(reading.error, ": is empty (0 bytes when unpacked)."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_is_unpacked),
        cmocka_unit_test(members_follow_each_other),
        cmocka_unit_test(cut_data_give_what_is_there),
        cmocka_unit_test(damaged_data_are_said),
        cmocka_unit_test(padding_behind_gzip_is_ignored),
        cmocka_unit_test(empty_when_unpacked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
