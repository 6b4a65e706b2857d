/* Options from files: the settings of the user, a filter. */
#ifndef TCPWHY_OPTIONS_FILE_H
#define TCPWHY_OPTIONS_FILE_H

#include "options_table.h"

/* Lets a row take its argument, one line in error when it can't. */
typedef bool options_take(struct options *o, const struct option_row *row, const char *argument,
                          char error[OPTIONS_ERROR_MAX]);

/* Read $XDG_CONFIG_HOME/tcpwhy/options (or ~/.config/tcpwhy/options) when there is one: one long
 * option a line, "name", "name=value" or "name value"; # begins a comment.  False with one line in
 * error. */
bool options_read_settings(struct options *o, options_take *take, char error[OPTIONS_ERROR_MAX]);

/* The filter in a file, which the caller frees; # begins a comment.  NULL with one line in
 * error. */
char *options_read_filter(const char *path, char error[OPTIONS_ERROR_MAX]);

#endif
