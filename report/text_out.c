#include "report/text_out.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

/* vprintf into a string that the caller frees. */
static char *format_text(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

static char *format_text(const char *format, va_list args)
{
    va_list again;
    char *text;
    int length;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    if (length < 0) {
        va_end(again);
        return xstrdup("");
    }
    text = xmalloc((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

static int columns_of(const char *text, size_t bytes)
{
    int columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

int text_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

/* Length of what must stay on one line: a word, a number with the unit that follows it, or a mark
 * with the word that it stands for. */
static size_t unbroken_length(const char *text)
{
    const bool mark = ispunct((unsigned char)text[0]) && text[1] == ' ';
    const size_t start = mark && isalpha((unsigned char)text[2]) ? 2 : 0;
    size_t length = start + strcspn(text + start, " ");

    while (length > 0 && isdigit((unsigned char)text[length - 1]) && text[length] == ' ' &&
           (isalpha((unsigned char)text[length + 1]) || text[length + 1] == '%'))
        length += 1 + strcspn(text + length + 1, " ");
    return length;
}

/* Several blanks between two words are kept, unless the line breaks there. */
static void print_wrapped(FILE *out, int indent, int hang, const char *text)
{
    int column = fprintf(out, "%*s", indent, "");
    size_t blanks = 0;

    while (*text != '\0') {
        const size_t length = unbroken_length(text);
        const int width = columns_of(text, length);

        if (blanks > 0 && column + (int)blanks + width > TEXT_WIDTH) {
            fprintf(out, "\n%*s", hang, "");
            column = hang;
            blanks = 0;
        }
        fprintf(out, "%*s%.*s", (int)blanks, "", (int)length, text);
        column += (int)blanks + width;
        text += length;
        blanks = strspn(text, " ");
        text += blanks;
    }
    fputc('\n', out);
}

void text_paragraph(FILE *out, int indent, int hang, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = format_text(format, args);
    va_end(args);
    print_wrapped(out, indent, hang, text);
    free(text);
}

void text_shorten(char *text, int columns)
{
    char *cut = text;

    if (text_columns(text) <= columns)
        return;
    for (int left = columns - 3; left > 0; left--)
        do
            cut++;
        while (((unsigned char)*cut & 0xc0) == 0x80);
    memcpy(cut, "...", 4); /* at least four characters follow cut */
}

void text_left(FILE *out, const char *text, int width)
{
    const int blanks = width - text_columns(text);

    fprintf(out, "%s%*s", text, blanks > 0 ? blanks : 0, "");
}

void text_right(FILE *out, const char *text, int width)
{
    const int blanks = width - text_columns(text);

    fprintf(out, "%*s%s", blanks > 0 ? blanks : 0, "", text);
}

void text_list_add(struct text_list *list, const char *separator, const char *format, ...)
{
    va_list args;
    char *item, *longer;

    va_start(args, format);
    item = format_text(format, args);
    va_end(args);
    if (list->text == NULL) {
        list->text = item;
        return;
    }
    longer = xasprintf("%s%s%s", list->text, separator, item);
    free(list->text);
    free(item);
    list->text = longer;
}
