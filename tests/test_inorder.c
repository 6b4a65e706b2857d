#include "tests/image.h"

#define MS 1000u /* in microseconds, the unit of the records here */

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

static void expect_frames(const struct reading *reading, const uint64_t *frames, size_t count)
{
    assert_int_equal(reading->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(reading->packets[i].frame, frames[i]);
        assert_int_equal(reading->starts[i][0], (uint8_t)frames[i]);
    }
}

/* Steps back of up to 10 ms are put in order; frame numbers stay those of the file. */
static void small_steps_are_repaired(void **state)
{
    static const uint32_t times[] = {100 * MS, 110 * MS, 104 * MS, 100 * MS, 111 * MS, 130 * MS};
    static const uint64_t frames[] = {1, 4, 3, 2, 5, 6};
    struct image image = file_of(times, 6);

    (void)state;
    struct reading reading = read_image(&image);
    expect_frames(&reading, frames, 6);
    assert_int_equal(reading.facts.backward_repaired, 2);
    assert_int_equal(reading.facts.backward_steps, 0);
    assert_int_equal(reading.facts.backward_max_ns, 0);
    reading_free(&reading);
}

/* A step of more than 10 ms is counted and left where it is, and order goes on from there. */
static void large_steps_stay_as_they_came(void **state)
{
    static const uint32_t times[] = {500 * MS, 505 * MS, 502 * MS, 100 * MS,
                                     103 * MS, 101 * MS, 200 * MS, 189 * MS};
    static const uint64_t frames[] = {1, 3, 2, 4, 6, 5, 7, 8};
    struct image image = file_of(times, 8);

    (void)state;
    struct reading reading = read_image(&image);
    expect_frames(&reading, frames, 8);
    assert_int_equal(reading.facts.backward_repaired, 2);
    assert_int_equal(reading.facts.backward_steps, 2);
    assert_int_equal(reading.facts.backward_max_ns, INT64_C(405000000));
    reading_free(&reading);
}

/* 1,500 packets in 5 ms, then one that belongs before them: only 1,024 are held, so it comes
 * late, and is counted. */
static void lateness_beyond_what_is_held(void **state)
{
    struct image image = {.big = false};
    size_t late = 0;

    (void)state;
    image_pcap_usual(&image);
    for (uint32_t i = 0; i < 1500; i++)
        put(&image, 100 * MS + i * 3, 1);
    put(&image, 100 * MS - 1, 2);
    put(&image, 200 * MS, 3);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 1502);
    while (reading.packets[late].frame != 1501)
        late++;
    assert_in_range(late, 1, 1500 - 1023);
    assert_int_equal(reading.facts.backward_steps, 1);
    assert_int_equal(reading.facts.backward_repaired, 0);
    assert_int_equal(reading.facts.backward_max_ns,
                     reading.packets[late - 1].time_ns - reading.packets[late].time_ns);
    reading_free(&reading);
}

/* Packets shuffled within 5 ms over many buffers' worth: all come out in order, each with its own
 * bytes, frame numbers complete. */
static void shuffled_over_many_buffers(void **state)
{
    enum { COUNT = 40000 };
    struct image image = {.big = false};
    uint32_t random = 1;
    uint64_t sum = 0;

    (void)state;
    image_pcap_usual(&image);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t time_us;

        random = random * 1664525 + 1013904223;
        time_us = 1000000 + i * 50 + (random >> 16) % (5 * MS);
        image_pcap_record(&image, time_us / 1000000, time_us % 1000000, 40 + random % 300, 400,
                          (uint8_t)time_us);
    }
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(i == 0 || reading.packets[i].time_ns >= reading.packets[i - 1].time_ns);
        assert_int_equal(reading.starts[i][3], (uint8_t)(reading.packets[i].time_ns / 1000));
        sum += reading.packets[i].frame;
    }
    assert_int_equal(sum, (uint64_t)COUNT * (COUNT + 1) / 2);
    assert_int_equal(reading.facts.backward_steps, 0);
    reading_free(&reading);
}

/* One packet 9 ms ahead of 30,000 that share one time pins its bytes: it is let go, and all
 * packets come, in bounded memory. */
static void packet_that_pins_the_buffer(void **state)
{
    struct image image = {.big = false};

    (void)state;
    image_pcap_usual(&image);
    put(&image, 109 * MS, 1);
    for (uint32_t i = 0; i < 30000; i++)
        put(&image, 100 * MS, 2);
    struct reading reading = read_image(&image);

    assert_int_equal(reading.count, 30001);
    assert_int_equal(reading.facts.backward_steps + reading.facts.backward_repaired, 30000);
    for (size_t i = 0; i < reading.count; i++)
        assert_int_equal(reading.starts[i][0], reading.packets[i].frame == 1 ? 1 : 2);
    reading_free(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_steps_are_repaired),
        cmocka_unit_test(large_steps_stay_as_they_came),
        cmocka_unit_test(lateness_beyond_what_is_held),
        cmocka_unit_test(shuffled_over_many_buffers),
        cmocka_unit_test(packet_that_pins_the_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
