/* What comes off the wire is shown without acting on a terminal or misleading its reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "report/escape.h"

static void check_text(const char *raw, const char *expected)
{
    char *text = escape_text(raw);

    assert_string_equal(text, expected);
    free(text);
}

static void check_json(const char *raw, const char *expected)
{
    char *text = escape_json(raw);

    assert_string_equal(text, expected);
    free(text);
}

static void plain_names_stay(void **state)
{
    (void)state;
    check_text("", "");
    check_text("run0412.db", "run0412.db");
    check_text("C:\\data\\b c", "C:\\data\\b c");
    check_text("r\xc3\xa9sum\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x93\x81",
               "r\xc3\xa9sum\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x93\x81");
}

static void controls_become_hexadecimal(void **state)
{
    (void)state;
    check_text("a\033[2Jb", "a\\x1b[2Jb");
    check_text("a\r\n\tb\x7f", "a\\x0d\\x0a\\x09b\\x7f");
    check_text("\xc2\x9b" "31m", "\\xc2\\x9b31m"); /* U+009B: CSI in one character */
}

static void invisible_and_turning_characters_become_hexadecimal(void **state)
{
    (void)state;
    check_text("a\xe2\x80\xae" "gpj.exe", "a\\xe2\\x80\\xaegpj.exe"); /* U+202E right to left */
    check_text("a\xe2\x81\xa6z", "a\\xe2\\x81\\xa6z");                /* U+2066 isolate */
    check_text("a\xe2\x80\x8bz", "a\\xe2\\x80\\x8bz");                /* U+200B zero width */
    check_text("\xef\xbb\xbfz", "\\xef\\xbb\\xbfz");                  /* U+FEFF */
    check_text("\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81");           /* U+E0041 tag */
}

/* RFC 3629: overlong forms, surrogates, values above U+10FFFF and cut sequences are not UTF-8. */
static void what_is_not_utf8_becomes_hexadecimal(void **state)
{
    static const char *const cases[][2] = {
        {"\xff", "\\xff"},
        {"\x80", "\\x80"},
        {"\xc0\x80", "\\xc0\\x80"},
        {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"a\xe2\x82", "a\\xe2\\x82"},
        {"a\xe2z", "a\\xe2z"},
        {"\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_text(cases[i][0], cases[i][1]);
        check_json(cases[i][0], cases[i][1]);
    }
}

static void an_escape_can_not_be_forged(void **state)
{
    (void)state;
    check_text("\\x41", "\\x5cx41");
    check_json("\\x41", "\\x5cx41");
    check_text("\\\\x", "\\\\x5cx");
}

static void json_keeps_valid_characters(void **state)
{
    (void)state;
    check_json("a\033\xe2\x80\xae", "a\033\xe2\x80\xae"); /* the JSON writer says \u001b, \u202e */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names_stay),
        cmocka_unit_test(controls_become_hexadecimal),
        cmocka_unit_test(invisible_and_turning_characters_become_hexadecimal),
        cmocka_unit_test(what_is_not_utf8_becomes_hexadecimal),
        cmocka_unit_test(an_escape_can_not_be_forged),
        cmocka_unit_test(json_keeps_valid_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
