/* The cursor gives n bytes or "no", and never moves on "no". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "capture/cursor.h"

static const uint8_t bytes[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};

static void reads_are_big_or_little_endian(void **state)
{
    struct cursor c = {bytes, 8, 8};
    uint32_t u32 = 0;
    uint16_t u16 = 0;
    uint8_t u8 = 0;

    (void)state;
    assert_true(cursor_u8(&c, &u8) && cursor_u16(&c, &u16) && cursor_u32(&c, &u32));
    assert_int_equal(u8, 0x01);
    assert_int_equal(u16, 0x0203);
    assert_int_equal(u32, 0x04050607);
    c = (struct cursor){bytes, 8, 8};
    assert_true(cursor_le16(&c, &u16) && cursor_le32(&c, &u32));
    assert_int_equal(u16, 0x0201);
    assert_int_equal(u32, 0x06050403);
}

static void the_end_is_reached_but_not_passed(void **state)
{
    struct cursor c = {bytes, 3, 5};
    uint32_t u32 = 42;
    uint16_t u16 = 42;
    uint8_t u8 = 42;

    (void)state;
    assert_false(cursor_u32(&c, &u32));
    assert_false(cursor_le32(&c, &u32));
    assert_null(cursor_take(&c, 4));
    assert_null(cursor_take(&c, UINT32_MAX));
    assert_int_equal(u32, 42);
    assert_ptr_equal(c.at, bytes);
    assert_ptr_equal(cursor_take(&c, 3), bytes);
    assert_int_equal(cursor_remaining(&c), 0);
    assert_int_equal(c.wire, 2);
    assert_false(cursor_u8(&c, &u8) || cursor_u16(&c, &u16) || cursor_le16(&c, &u16));
    assert_int_equal(u8, 42);
    assert_int_equal(u16, 42);
    assert_non_null(cursor_peek(&c, 0));
    assert_non_null(cursor_take(&c, 0));
}

static void limits_shorten_both_lengths(void **state)
{
    struct cursor c = {bytes, 6, 8};

    (void)state;
    cursor_limit(&c, 9);
    assert_int_equal(c.captured, 6);
    assert_int_equal(c.wire, 8);
    cursor_trim_end(&c, 1);
    assert_int_equal(c.captured, 6);
    assert_int_equal(c.wire, 7);
    cursor_trim_end(&c, 8); /* more than there is: nothing is known of the end */
    assert_int_equal(c.wire, 7);
    cursor_limit(&c, 4);
    assert_int_equal(c.captured, 4);
    assert_int_equal(c.wire, 4);
}

/* A header's own length may exceed what the file says of the frame; what can be read does not. */
static void a_header_sets_the_wire_length(void **state)
{
    struct cursor c = {bytes, 6, 6};

    (void)state;
    cursor_set_wire(&c, 100);
    assert_int_equal(c.captured, 6);
    assert_int_equal(c.wire, 100);
    cursor_set_wire(&c, 2);
    assert_int_equal(c.captured, 2);
    assert_int_equal(c.wire, 2);
}

static void a_cut_leaves_nothing_to_read(void **state)
{
    struct cursor c = {bytes, 3, 8};

    (void)state;
    cursor_cut(&c, 5);
    assert_ptr_equal(c.at, bytes + 3);
    assert_int_equal(c.captured, 0);
    assert_int_equal(c.wire, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_are_big_or_little_endian),
        cmocka_unit_test(the_end_is_reached_but_not_passed),
        cmocka_unit_test(limits_shorten_both_lengths),
        cmocka_unit_test(a_header_sets_the_wire_length),
        cmocka_unit_test(a_cut_leaves_nothing_to_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
