/* What the command line asks for.  Every option is a row of the table in options_table.c, which
 * also makes the help. */
#ifndef TCPWHY_OPTIONS_H
#define TCPWHY_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/analyzer.h"
#include "capture/source.h"
#include "report/report.h"

#define OPTIONS_ERROR_MAX 512

enum options_action {
    ACTION_REPORT,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST_DEVICES,
    ACTION_LIST_LINK_TYPES,
};

/* Whether the progress of reading is shown on stderr. */
enum options_progress { PROGRESS_ON_TERMINAL, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct options {
    enum options_action action;
    const char *device;       /* -i; NULL = files */
    const char **files;       /* -r, or the words that name files */
    int file_count;
    const char *save_path;    /* -w; NULL = none */
    const char *output_path;  /* -o; NULL = standard output */
    const char *format;       /* -T: name of a report format */
    const char *filter_text;  /* -f */
    const char *filter_file;  /* -F */
    double duration_s;        /* 0 = no limit */
    bool check;               /* --check */
    int check_cause;          /* its cause, 0 = any that slows a transfer */
    bool strict;
    enum options_progress progress;
    bool accepted;            /* what is the default already (-n, --report, ...) */
    struct source_options source;
    struct analyzer_options analyzer;
    struct report_options report;
    char *owned;              /* filter text and settings that pointers above lead to */
    char *owned_settings;
};

/* Read the settings file (unless --no-config) and the command line.  False, with one line in error
 * ("WHAT: WHY. What to do."), for what cannot be used; free the result in both cases. */
bool options_parse(int argc, char **argv, struct options *out, char error[OPTIONS_ERROR_MAX]);
void options_free(struct options *options);

/* The help text: use, every option by group, rates, exit status. */
void options_print_help(FILE *out);

#endif
