#include "tests/image.h"

#include <fcntl.h>
#include <time.h>

#define CORPUS "../shared/corpus/"

/* A record at so many microseconds. */
static void put(struct image *image, uint32_t time_us, uint8_t fill)
{
    image_pcap_record(image, time_us / 1000000, time_us % 1000000, 60, 60, fill);
}

static struct image file_of(const uint32_t *times_us, size_t count)
{
    struct image image = {.big = false};

    image_pcap_usual(&image);
    for (size_t i = 0; i < count; i++)
        put(&image, times_us[i], (uint8_t)(i + 1));
    return image;
}

/* By time; equal times by file; frames of each packet's own file. */
static void several_files_are_merged(void **state)
{
    static const uint32_t a[] = {1000, 3000, 5000, 5000}, b[] = {2000, 3000, 9000}, c[] = {500};
    static const uint32_t expected[][2] = {{2, 1}, {0, 1}, {1, 1}, {0, 2},
                                           {1, 2}, {0, 3}, {0, 4}, {1, 3}};
    struct image images[] = {file_of(a, 4), file_of(b, 3), file_of(c, 1)};
    const char *paths[3];
    char *written[3];

    (void)state;
    for (size_t i = 0; i < 3; i++)
        paths[i] = written[i] = image_write(&images[i]);
    struct reading reading = read_paths(paths, 3, NULL);

    assert_int_equal(reading.count, 8);
    assert_int_equal(reading.ended, SOURCE_END);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(reading.packets[i].source, expected[i][0]);
        assert_int_equal(reading.packets[i].frame, expected[i][1]);
    }
    assert_int_equal(reading.facts.packets, 4);
    reading_free(&reading);
    for (size_t i = 0; i < 3; i++) {
        unlink(written[i]);
        free(written[i]);
        image_free(&images[i]);
    }
}

/* Two long files merged: bytes stay right while both buffers move. */
static void long_files_are_merged(void **state)
{
    enum { COUNT = 20000 };
    const char *paths[2];
    char *written[2];

    (void)state;
    for (uint32_t f = 0; f < 2; f++) {
        struct image image = {.big = false};

        image_pcap_usual(&image);
        for (uint32_t i = 0; i < COUNT; i++)
            put(&image, 1000000 + i * (100 + f) + f, (uint8_t)(i + f * 7));
        paths[f] = written[f] = image_write(&image);
        image_free(&image);
    }
    struct reading reading = read_paths(paths, 2, NULL);

    assert_int_equal(reading.count, 2 * COUNT);
    for (size_t i = 0; i < reading.count; i++) {
        const struct packet *packet = &reading.packets[i];

        assert_true(i == 0 || packet->time_ns >= reading.packets[i - 1].time_ns);
        assert_int_equal(reading.starts[i][0], (uint8_t)(packet->frame - 1 + packet->source * 7u));
    }
    reading_free(&reading);
    for (size_t i = 0; i < 2; i++) {
        unlink(written[i]);
        free(written[i]);
    }
}

/* IP 10.0.0.1.21 > 10.0.0.2.1024: Flags [S], seq 1, win 1000, length 0 */
static const uint8_t tcp_port_21[] = {
    0x45, 0,  0, 40, 0, 1, 0, 0, 64, 6, 0x66, 0xcd, 10,   0, 0,    1,    10, 0, 0, 2, /* IPv4 */
    0,    21, 4, 0,  0, 0, 0, 1, 0,  0, 0,    0,    0x50, 2, 0x03, 0xe8, 0,  0, 0, 0};

static void put_packet_21(struct image *image, bool ethernet, uint8_t port)
{
    static const uint8_t header[14] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0};
    uint32_t captured = (uint32_t)sizeof tcp_port_21 + (ethernet ? 14 : 0);

    image_pcap_record(image, 1, 0, 0, 0, 0);
    image->count -= 8;
    image_u32(image, captured);
    image_u32(image, captured);
    if (ethernet)
        image_bytes(image, header, sizeof header);
    image_bytes(image, tcp_port_21, sizeof tcp_port_21);
    image->bytes[image->count - 19] = port;
}

/* On Ethernet and on raw IP (link type 101, DLT 12): frames 2 and 3 of 4 are FTP. */
static void filter_fits_the_link_type(void **state)
{
    const struct source_options options = {.filter = "tcp port 21"};

    (void)state;
    for (int ethernet = 0; ethernet < 2; ethernet++) {
        static const uint8_t ports[] = {80, 21, 21, 80};
        struct image image = {.big = false};

        image_pcap_header(&image, 0xa1b2c3d4, 4, ethernet ? 1 : 101);
        for (size_t i = 0; i < 4; i++)
            put_packet_21(&image, ethernet, ports[i]);
        struct reading reading = read_image_with(&image, &options);

        assert_int_equal(reading.count, 2);
        assert_int_equal(reading.packets[0].frame, 2);
        assert_int_equal(reading.packets[1].frame, 3);
        assert_int_equal(reading.facts.packets, 4);
        assert_int_equal(reading.facts.filtered_out, 2);
        reading_free(&reading);
    }
}

static void bad_filter_is_a_usage_error(void **state)
{
    static const uint32_t times[] = {1};
    const struct source_options options = {.filter = "tcp prot 21"};
    struct image image = file_of(times, 1);

    (void)state;
    struct reading reading = read_image_with(&image, &options);
    assert_false(reading.opened);
    assert_true(reading.usage_error);
    assert_string_equal(reading.error, "filter: \"tcp prot 21\" is not accepted: syntax error. See "
                                       "pcap-filter(7) for the syntax.");
}

/* "ether host" cannot be asked of raw IP: that file's packets are left out and a warning says so;
 * the other file's still come. */
static void filter_that_fits_one_link_type_only(void **state)
{
    const struct source_options options = {.filter = "ether src 2:0:0:0:0:2"};
    const char *paths[2];
    char *written[2];

    (void)state;
    for (int f = 0; f < 2; f++) {
        struct image image = {.big = false};

        image_pcap_header(&image, 0xa1b2c3d4, 4, f == 1 ? 1 : 101);
        put_packet_21(&image, f == 1, 21);
        paths[f] = written[f] = image_write(&image);
        image_free(&image);
    }
    struct reading reading = read_paths(paths, 2, &options);
    assert_int_equal(reading.count, 1);
    assert_int_equal(reading.packets[0].source, 1);
    assert_int_equal(reading.facts.filtered_out, 1);
    assert_non_null(strstr(reading.facts.warning, "link type 101 are left out"));
    reading_free(&reading);
    for (size_t i = 0; i < 2; i++) {
        unlink(written[i]);
        free(written[i]);
    }
}

static void packet_limit(void **state)
{
    static const uint32_t times[] = {1, 2, 3, 4, 5};
    const struct source_options options = {.max_packets = 3};
    struct image image = file_of(times, 5);

    (void)state;
    struct reading reading = read_image_with(&image, &options);
    assert_int_equal(reading.count, 3);
    assert_int_equal(reading.ended, SOURCE_END);
    reading_free(&reading);
}

static void standard_input_once(void **state)
{
    const char *paths[] = {"-", "-"};

    (void)state;
    struct reading reading = read_paths(paths, 2, NULL);
    assert_false(reading.opened);
    assert_true(reading.usage_error);
    assert_string_equal(reading.error, "standard input: is named 2 times. It can be read once.");
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Read once from a source to which nothing comes: 0, after about 100 ms. */
static void expect_idle(struct source *source)
{
    struct packet *packets;
    int64_t start = now_ms();

    assert_int_equal(source_read(source, &packets, 8), 0);
    assert_in_range(now_ms() - start, 80, 2000);
}

static void expect_one(struct source *source, uint64_t frame)
{
    struct packet *packets;

    assert_int_equal(source_read(source, &packets, 8), 1);
    assert_int_equal(packets[0].frame, frame);
    assert_int_equal(packets[0].data[0], frame);
}

static void pipe_that_pauses(void **state)
{
    static const uint32_t times[] = {1000, 2000};
    struct image image = file_of(times, 2);
    char error[SOURCE_ERROR_MAX], path[32];
    const char *paths[] = {path};
    struct packet *packets;
    bool usage_error;
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(write(ends[1], image.bytes, 24), 24);
    struct source *source = source_open_files(paths, 1, NULL, error, &usage_error);
    assert_non_null(source);
    expect_idle(source);
    assert_int_equal(write(ends[1], image.bytes + 24, 76), 76);
    expect_one(source, 1);
    assert_int_equal(write(ends[1], image.bytes + 100, 40), 40); /* half of the second */
    expect_idle(source);
    assert_int_equal(write(ends[1], image.bytes + 140, 36), 36);
    expect_one(source, 2);
    close(ends[1]);
    assert_int_equal(source_read(source, &packets, 8), SOURCE_END);
    assert_int_equal(source_facts(source, 0)->file_bytes, 0);
    assert_int_equal(source_facts(source, 0)->file_bytes_read, 176);
    source_close(source);
    close(ends[0]);
    image_free(&image);
}

static void growing_file(void **state)
{
    static const uint32_t times[] = {1000, 2000};
    const struct source_options options = {.follow = true};
    struct image image = file_of(times, 2), begun = {.big = false};
    char error[SOURCE_ERROR_MAX];
    bool usage_error;

    (void)state;
    image_bytes(&begun, image.bytes, 100);
    char *path = image_write(&begun);
    const char *paths[] = {path};
    struct source *source = source_open_files(paths, 1, &options, error, &usage_error);
    assert_non_null(source);
    expect_one(source, 1);
    expect_idle(source);
    int fd = open(path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, image.bytes + 100, 30), 30);
    expect_idle(source);
    assert_int_equal(write(fd, image.bytes + 130, 46), 46);
    expect_one(source, 2);
    expect_idle(source);
    close(fd);
    assert_false(source_facts(source, 0)->truncated);
    source_close(source);
    unlink(path);
    free(path);
    image_free(&image);
    image_free(&begun);
}

/* One line of expected.tsv: the file, and its number of packets by capinfos ("?" = unreadable). */
static void check_corpus_file(const char *name, const char *packets)
{
    char path[512];
    const char *paths[] = {path};

    snprintf(path, sizeof path, CORPUS "%s", name);
    struct reading reading = read_paths(paths, 1, NULL);
    if (strcmp(name, "formats/erf-5.erf") == 0 || strcmp(name, "formats/etherpeek-reno.gz") == 0) {
        assert_false(reading.opened);
        assert_non_null(
            strstr(reading.error, "which is not read here. Convert it: editcap -F pcap"));
        assert_null(strchr(reading.error, '\n'));
        return;
    }
    if (!reading.opened)
        fail_msg("%s", reading.error);
    if (packets[0] >= '0' && packets[0] <= '9' && reading.count != strtoul(packets, NULL, 10))
        fail_msg("%s: %zu packets, capinfos counts %s", name, reading.count, packets);
    assert_int_equal(reading.ended, SOURCE_END);
    assert_int_equal(reading.facts.packets, reading.count);
    reading_free(&reading);
}

static void corpus_opens_with_the_right_counts(void **state)
{
    FILE *list = fopen(CORPUS "expected.tsv", "r");
    char line[4096];
    int files = 0;

    (void)state;
    if (list == NULL) {
        print_message("skipped: no public captures at " CORPUS "\n");
        skip();
    }
    assert_non_null(fgets(line, sizeof line, list)); /* the headings */
    while (fgets(line, sizeof line, list) != NULL) {
        char *rest = line, *columns[6];

        for (size_t i = 0; i < 6; i++)
            columns[i] = strsep(&rest, "\t");
        assert_non_null(columns[5]);
        check_corpus_file(columns[0], columns[5]);
        files++;
    }
    fclose(list);
    assert_in_range(files, 1, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_files_are_merged),
        cmocka_unit_test(long_files_are_merged),
        cmocka_unit_test(filter_fits_the_link_type),
        cmocka_unit_test(bad_filter_is_a_usage_error),
        cmocka_unit_test(filter_that_fits_one_link_type_only),
        cmocka_unit_test(packet_limit),
        cmocka_unit_test(standard_input_once),
        cmocka_unit_test(pipe_that_pauses),
        cmocka_unit_test(growing_file),
        cmocka_unit_test(corpus_opens_with_the_right_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
