/* The one table of options: what is accepted, what it sets, what help and manual call it. */
#ifndef TCPWHY_OPTIONS_TABLE_H
#define TCPWHY_OPTIONS_TABLE_H

#include "options.h"

enum option_group {
    GROUP_INPUT,
    GROUP_DEVICE,
    GROUP_OUTPUT,
    GROUP_KNOWN,
    GROUP_SCRIPTS,
    GROUP_SCREEN,
    GROUP_OTHER,
    GROUP_COUNT
};

struct option_row {
    char letter;          /* 0 = none */
    const char *name;     /* long name, NULL = none */
    const char *argument; /* NULL = none; in brackets: optional; "a|b": one of these words */
    enum option_group group;
    const char *help;
    /* Take the option; argument is NULL when there is none.  False: a clause in error says what
     * is wrong with the argument ("\"x\" is not a number. Write ..."). */
    bool (*set)(struct options *o, const struct option_row *row, const char *argument,
                char error[OPTIONS_ERROR_MAX]);
    size_t field;         /* offset in struct options of what set fills */
    int64_t low, high;    /* smallest and largest number, or the value to set */
    const char *text;     /* the word to set */
};

/* Row i, NULL behind the last one. */
const struct option_row *option_at(int i);
/* The row with this long name, NULL when there is none. */
const struct option_row *option_find(const char *name);
/* As the user writes it: "--link" or "-i". */
void option_title(const struct option_row *row, char *title, size_t size);
/* Whether an argument must be there, and whether it may be. */
bool option_needs_argument(const struct option_row *row);
bool option_takes_argument(const struct option_row *row);

#endif
