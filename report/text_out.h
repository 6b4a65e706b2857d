/* Lines of a text report: 80 columns, broken at blanks, continued under a hanging indent. */
#ifndef TCPWHY_REPORT_TEXT_OUT_H
#define TCPWHY_REPORT_TEXT_OUT_H

#include <stddef.h>
#include <stdio.h>

#define TEXT_WIDTH 80

/* One paragraph: its first line starts at column indent, the others at hang.  A word wider than a
 * line stands alone on one. */
void text_paragraph(FILE *out, int indent, int hang, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Columns that text takes: characters of UTF-8, each counted as one. */
int text_columns(const char *text);
/* Cut text after columns - 3 columns and end it in "...", when it is wider than columns. */
void text_shorten(char *text, int columns);
/* text with blanks up to a width: after it, or before it. */
void text_left(FILE *out, const char *text, int width);
void text_right(FILE *out, const char *text, int width);

/* A list that grows: "a", "a, b".  Owns text (NULL while empty); free it after use. */
struct text_list {
    char *text;
};
void text_list_add(struct text_list *list, const char *separator, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
