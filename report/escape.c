#include "report/escape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "xmalloc.h"

#define ESCAPED_BYTE_MAX 4 /* \xNN */
#define NOT_UTF8 UINT32_MAX

/* A character of UTF-8 (RFC 3629 section 4): its value, or NOT_UTF8 with length 1.  text ends in
 * 0, which is never a continuation byte, so nothing beyond it is read. */
static uint32_t utf8_decode(const unsigned char *text, size_t *length)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = text[0];
    const size_t size = first < 0x80   ? 1
                        : first < 0xc0 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf8 ? 4
                                       : 0;
    uint32_t value = size <= 1 ? first : first & (0x7fU >> size);

    *length = 1;
    if (size == 0)
        return NOT_UTF8;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return NOT_UTF8;
        value = value << 6 | (text[i] & 0x3fU);
    }
    if (value < smallest[size] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return NOT_UTF8;
    *length = size;
    return value;
}

/* True for characters that a terminal would act on or that a reader would not see: C0 and C1
 * controls, bidirectional controls, zero-width and other format characters, tags. */
static bool is_unsafe(uint32_t value)
{
    static const struct {
        uint32_t first, last;
    } unsafe[] = {
        {0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad}, {0x061c, 0x061c},
        {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f},
        {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},
        {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff},
    };

    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++)
        if (value >= unsafe[i].first && value <= unsafe[i].last)
            return true;
    return false;
}

static char *append_bytes(char *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < count; i++) {
        *out++ = '\\';
        *out++ = 'x';
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 0xf];
    }
    return out;
}

static char *escape(const char *raw, bool visible_only)
{
    const size_t size = strlen(raw);
    char *text = xmalloc(size * ESCAPED_BYTE_MAX + 1), *out = text;
    size_t length;

    for (const unsigned char *in = (const unsigned char *)raw; *in != 0; in += length) {
        const uint32_t value = utf8_decode(in, &length);

        if (value == NOT_UTF8 || (value == '\\' && in[1] == 'x') ||
            (visible_only && is_unsafe(value))) {
            out = append_bytes(out, in, length);
        } else {
            memcpy(out, in, length);
            out += length;
        }
    }
    *out = '\0';
    return text;
}

char *escape_text(const char *raw)
{
    return escape(raw, true);
}

char *escape_json(const char *raw)
{
    return escape(raw, false);
}
