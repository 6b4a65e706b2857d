#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "options_file.h"
#include "options_set.h"
#include "options_table.h"
#include "xmalloc.h"

/* getopt_long's value of a long option is this plus the number of its row. */
#define LONG_BASE 256

/* The table as getopt_long wants it. */
struct getopt_table {
    char letters[256];
    struct option *longs;
};

static void build_getopt(struct getopt_table *table)
{
    const struct option_row *row;
    int count = 0, used = 0;
    size_t at = 0;

    while (option_at(count) != NULL)
        count++;
    table->longs = xcalloc((size_t)count + 1, sizeof *table->longs);
    table->letters[at++] = ':'; /* a missing argument is ':', not '?' */
    for (int i = 0; (row = option_at(i)) != NULL; i++) {
        if (row->letter != 0) {
            table->letters[at++] = row->letter;
            if (option_needs_argument(row))
                table->letters[at++] = ':';
        }
        if (row->name != NULL)
            table->longs[used++] = (struct option){
                .name = row->name,
                .has_arg = option_needs_argument(row)   ? required_argument
                           : option_takes_argument(row) ? optional_argument
                                                        : no_argument,
                .val = LONG_BASE + i,
            };
    }
    table->letters[at] = '\0';
}

/* The row of a value that getopt_long returned or left in optopt; NULL when there is none. */
static const struct option_row *row_of(int value)
{
    const struct option_row *row;

    if (value >= LONG_BASE)
        return option_at(value - LONG_BASE);
    for (int i = 0; (row = option_at(i)) != NULL; i++)
        if (row->letter != 0 && row->letter == value)
            return row;
    return NULL;
}

/* One line for what getopt_long refused: ':' = no argument, '?' = anything else. */
static void explain_refusal(int refusal, const char *word, char *error)
{
    const struct option_row *row = optopt != 0 ? row_of(optopt) : NULL;
    char title[40] = "";

    if (row != NULL)
        option_title(row, title, sizeof title);
    if (refusal == ':' && row != NULL)
        snprintf(error, OPTIONS_ERROR_MAX, "%s: its argument is missing. Give %s.", title,
                 row->argument);
    else if (row != NULL)
        snprintf(error, OPTIONS_ERROR_MAX, "%.80s: it takes no argument. Leave it out.", word);
    else if (optopt != 0)
        snprintf(error, OPTIONS_ERROR_MAX, "-%c: there is no such option. tcpwhy -h lists them.",
                 optopt);
    else
        snprintf(error, OPTIONS_ERROR_MAX,
                 "%.80s: there is no such option, or several begin so. tcpwhy -h lists them.",
                 word);
}

/* Let a row take its argument; a fault's clause becomes a line with the option's name. */
static bool take_option(struct options *o, const struct option_row *row, const char *argument,
                        char error[OPTIONS_ERROR_MAX])
{
    char title[40], clause[OPTIONS_ERROR_MAX] = "";

    if (row->set(o, row, argument, clause))
        return true;
    option_title(row, title, sizeof title);
    snprintf(error, OPTIONS_ERROR_MAX, "%s: %.440s.", title, clause);
    return false;
}

/* "--check CAUSE": an optional argument in a word of its own, when that word names a cause. */
static const char *detached_argument(const struct option_row *row, int argc, char **argv)
{
    bool wanted = option_takes_argument(row) && !option_needs_argument(row) && optarg == NULL;

    return wanted && optind < argc && option_cause(argv[optind]) != 0 ? argv[optind++] : optarg;
}

static bool parse_words(int argc, char **argv, struct options *o, char error[OPTIONS_ERROR_MAX])
{
    struct getopt_table table;
    bool good = true;
    int value;

    build_getopt(&table);
    opterr = 0;
    optind = 0;
    while (good && (value = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
        const struct option_row *row = value == '?' || value == ':' ? NULL : row_of(value);

        if (row != NULL) {
            good = take_option(o, row, detached_argument(row, argc, argv), error);
        } else {
            explain_refusal(value, argv[optind - 1], error);
            good = false;
        }
    }
    free(table.longs);
    return good;
}

/* Without -r and -i the words up to the first that names no file are files; a single word is one
 * in any case, so that a mistyped name is answered as such.  Returns how many words that took. */
static int take_files(struct options *o, char **words, int count)
{
    struct stat status;
    int taken = 0;

    if (o->device != NULL || o->file_count > 0)
        return 0;
    while (taken < count && (count == 1 || stat(words[taken], &status) == 0))
        option_set_file(o, NULL, words[taken++], NULL);
    return taken;
}

/* Words joined by blanks; the caller frees them. */
static char *join_words(char **words, int count)
{
    char *text = xstrdup(words[0]);

    for (int i = 1; i < count; i++) {
        char *longer = xasprintf("%s %s", text, words[i]);

        free(text);
        text = longer;
    }
    return text;
}

/* Settle the filter from -f, -F or the trailing words. */
static bool take_filter(struct options *o, char **words, int count, char error[OPTIONS_ERROR_MAX])
{
    if ((o->filter_text != NULL) + (o->filter_file != NULL) + (count > 0) > 1) {
        snprintf(error, OPTIONS_ERROR_MAX,
                 "filter: it is given twice. Use one of -f, -F and trailing words.");
        return false;
    }
    if (count > 0)
        o->owned = join_words(words, count);
    else if (o->filter_file != NULL)
        o->owned = options_read_filter(o->filter_file, error);
    else if (o->filter_text != NULL)
        o->owned = xstrdup(o->filter_text);
    if (o->filter_file != NULL && o->owned == NULL)
        return false;
    if (o->owned != NULL && o->owned[0] != '\0') {
        o->source.filter = o->owned;
        o->report.filter = o->owned;
    }
    return true;
}

/* What fits no single row: options that exclude or need each other. */
static bool check_together(const struct options *o, char error[OPTIONS_ERROR_MAX])
{
    const char *text = NULL;

    if (o->action == ACTION_LIST_LINK_TYPES || o->action == ACTION_LIST_DEVICES)
        return true;
    if (o->device != NULL && o->file_count > 0)
        text = "-i and -r: they exclude each other. Use one of them.";
    else if (o->device == NULL && o->file_count == 0)
        text =
            "input: there is none. Name a file (-r FILE) or a device (-i IF); tcpwhy -h has all.";
    else if (o->save_path != NULL && strcmp(o->save_path, "-") == 0 &&
             (o->output_path == NULL || strcmp(o->output_path, "-") == 0))
        text = "-w -: standard output is the report's already. Send the report to a file with -o.";
    else if (o->device != NULL && o->source.follow)
        text = "--follow: it is for files. Leave it out with -i.";
    if (text != NULL)
        snprintf(error, OPTIONS_ERROR_MAX, "%s", text);
    return text == NULL;
}

/* True when --no-config stands among the options. */
static bool has_no_config(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--no-config") == 0)
            return true;
    return false;
}

bool options_parse(int argc, char **argv, struct options *out, char error[OPTIONS_ERROR_MAX])
{
    *out = (struct options){.format = "text", .source.link_type = -1};
    if (!has_no_config(argc, argv) && !options_read_settings(out, take_option, error))
        return false;
    if (!parse_words(argc, argv, out, error))
        return false;
    if (out->action == ACTION_HELP || out->action == ACTION_VERSION)
        return true;
    int files = take_files(out, argv + optind, argc - optind);
    if (!take_filter(out, argv + optind + files, argc - optind - files, error) ||
        !check_together(out, error))
        return false;
    out->analyzer.series = out->report.series;
    out->analyzer.events = out->report.events;
    out->analyzer.commands = out->report.evidence;
    out->analyzer.show_passwords = out->report.show_passwords;
    return true;
}

void options_free(struct options *options)
{
    free(options->files);
    free(options->owned);
    free(options->owned_settings);
}
