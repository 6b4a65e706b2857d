/* What a row of the option table does with its argument; all are option_row.set. */
#ifndef TCPWHY_OPTIONS_SET_H
#define TCPWHY_OPTIONS_SET_H

#include "options_table.h"

#define OPTION_SETTER(name)                                                                        \
    bool option_set_##name(struct options *o, const struct option_row *row, const char *argument,  \
                           char error[OPTIONS_ERROR_MAX])

OPTION_SETTER(flag);      /* bool: true */
OPTION_SETTER(value);     /* an enum: row->low */
OPTION_SETTER(word);      /* const char *: row->text */
OPTION_SETTER(text);      /* const char *: the argument */
OPTION_SETTER(int);       /* int in row->low .. row->high */
OPTION_SETTER(count);     /* uint64_t in row->low .. row->high */
OPTION_SETTER(seconds);   /* double > 0 */
OPTION_SETTER(rate);      /* double, bytes per second */
OPTION_SETTER(snaplen);   /* int; 0 = whole packets */
OPTION_SETTER(direction); /* -Q */
OPTION_SETTER(link_type); /* -y */
OPTION_SETTER(file);      /* one more -r */
OPTION_SETTER(format);    /* -T */
OPTION_SETTER(units);     /* --units */
OPTION_SETTER(color);     /* --color */
OPTION_SETTER(ceiling);   /* one more --ceiling */
OPTION_SETTER(check);     /* --check with or without a cause */
OPTION_SETTER(later);     /* refused: not part of this version */

#undef OPTION_SETTER

/* The cause with this slug or number, 0 = none. */
int option_cause(const char *word);

#endif
