#include "options_set.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/cause/causes.h"
#include "capture/link.h"
#include "capture/link_names.h"
#include "options_rate.h"
#include "xmalloc.h"

/* What -s 0 stands for, as in tcpdump. */
#define SNAPLEN_WHOLE 262144

static void *field_of(struct options *o, const struct option_row *row)
{
    return (char *)o + row->field;
}

bool option_set_flag(struct options *o, const struct option_row *row, const char *argument,
                     char error[OPTIONS_ERROR_MAX])
{
    (void)argument;
    (void)error;
    *(bool *)field_of(o, row) = true;
    return true;
}

bool option_set_value(struct options *o, const struct option_row *row, const char *argument,
                      char error[OPTIONS_ERROR_MAX])
{
    unsigned value = (unsigned)row->low;

    (void)argument;
    (void)error;
    memcpy(field_of(o, row), &value, sizeof value);
    return true;
}

bool option_set_word(struct options *o, const struct option_row *row, const char *argument,
                     char error[OPTIONS_ERROR_MAX])
{
    (void)argument;
    (void)error;
    *(const char **)field_of(o, row) = row->text;
    return true;
}

bool option_set_text(struct options *o, const struct option_row *row, const char *argument,
                     char error[OPTIONS_ERROR_MAX])
{
    if (*argument == '\0') {
        snprintf(error, OPTIONS_ERROR_MAX, "its argument is empty. Give %s", row->argument);
        return false;
    }
    *(const char **)field_of(o, row) = argument;
    return true;
}

/* Whole number in low..high; false with a clause in error. */
static bool parse_number(const struct option_row *row, const char *argument, int64_t *value,
                         char *error)
{
    char *end;

    errno = 0;
    long long number = strtoll(argument, &end, 10);
    if (end == argument || *end != '\0' || errno != 0 || number < row->low || number > row->high) {
        snprintf(error, OPTIONS_ERROR_MAX,
                 "\"%.80s\" is not a number that fits. Give %" PRId64 " to %" PRId64, argument,
                 row->low, row->high);
        return false;
    }
    *value = number;
    return true;
}

bool option_set_int(struct options *o, const struct option_row *row, const char *argument,
                    char error[OPTIONS_ERROR_MAX])
{
    int64_t value;

    if (!parse_number(row, argument, &value, error))
        return false;
    *(int *)field_of(o, row) = (int)value;
    return true;
}

bool option_set_count(struct options *o, const struct option_row *row, const char *argument,
                      char error[OPTIONS_ERROR_MAX])
{
    int64_t value;

    if (!parse_number(row, argument, &value, error))
        return false;
    *(uint64_t *)field_of(o, row) = (uint64_t)value;
    return true;
}

bool option_set_seconds(struct options *o, const struct option_row *row, const char *argument,
                        char error[OPTIONS_ERROR_MAX])
{
    char *end;
    double value = strtod(argument, &end);

    if (end == argument || *end != '\0' || !(value > 0 && value <= (double)row->high)) {
        snprintf(error, OPTIONS_ERROR_MAX,
                 "\"%.80s\" is not a time. Give seconds above 0 and up to %" PRId64, argument,
                 row->high);
        return false;
    }
    *(double *)field_of(o, row) = value;
    return true;
}

bool option_set_rate(struct options *o, const struct option_row *row, const char *argument,
                     char error[OPTIONS_ERROR_MAX])
{
    if (rate_parse(argument, field_of(o, row)))
        return true;
    snprintf(error, OPTIONS_ERROR_MAX,
             "\"%.80s\" is not a rate. Write 2M or 100Mbit (bits), 18MB/s or 11520KB (bytes)",
             argument);
    return false;
}

bool option_set_snaplen(struct options *o, const struct option_row *row, const char *argument,
                        char error[OPTIONS_ERROR_MAX])
{
    if (!option_set_int(o, row, argument, error))
        return false;
    if (o->source.snaplen_bytes == 0)
        o->source.snaplen_bytes = SNAPLEN_WHOLE;
    return true;
}

/* Position of the argument among the words "a|b|c" of its row; -1 with a clause in error. */
static int find_choice(const struct option_row *row, const char *argument, char *error)
{
    const char *word = row->argument;

    for (int i = 0;; i++) {
        size_t length = strcspn(word, "|");

        if (strlen(argument) == length && memcmp(argument, word, length) == 0)
            return i;
        if (word[length] == '\0')
            break;
        word += length + 1;
    }
    snprintf(error, OPTIONS_ERROR_MAX, "\"%.80s\" is not known. Give one of %s", argument,
             row->argument);
    return -1;
}

bool option_set_direction(struct options *o, const struct option_row *row, const char *argument,
                          char error[OPTIONS_ERROR_MAX])
{
    static const int directions[] = {1, 2, 0}; /* in, out, inout */
    int choice = find_choice(row, argument, error);

    if (choice >= 0)
        o->source.direction = directions[choice];
    return choice >= 0;
}

bool option_set_link_type(struct options *o, const struct option_row *row, const char *argument,
                          char error[OPTIONS_ERROR_MAX])
{
    (void)row;
    for (int i = 0; i < link_type_count(); i++) {
        const char *name = link_type_name(i);

        if (name != NULL && strcasecmp(name, argument) == 0) {
            o->source.link_type = i;
            return true;
        }
    }
    snprintf(error, OPTIONS_ERROR_MAX,
             "\"%.80s\" is no link type that can be read. tcpwhy -L lists them", argument);
    return false;
}

bool option_set_file(struct options *o, const struct option_row *row, const char *argument,
                     char error[OPTIONS_ERROR_MAX])
{
    (void)row;
    (void)error;
    o->files = xreallocarray(o->files, (size_t)o->file_count + 1, sizeof *o->files);
    o->files[o->file_count++] = argument;
    return true;
}

bool option_set_format(struct options *o, const struct option_row *row, const char *argument,
                       char error[OPTIONS_ERROR_MAX])
{
    if (find_choice(row, argument, error) < 0)
        return false;
    if (strcmp(argument, "html") == 0 || strcmp(argument, "svg") == 0) {
        snprintf(error, OPTIONS_ERROR_MAX,
                 "%s is not part of this version. Use text, json, jsonl or csv", argument);
        return false;
    }
    o->format = argument;
    return true;
}

bool option_set_units(struct options *o, const struct option_row *row, const char *argument,
                      char error[OPTIONS_ERROR_MAX])
{
    int choice = find_choice(row, argument, error);

    o->report.bits = choice == 1;
    return choice >= 0;
}

bool option_set_color(struct options *o, const struct option_row *row, const char *argument,
                      char error[OPTIONS_ERROR_MAX])
{
    int choice = find_choice(row, argument, error);

    (void)o;
    if (choice == 1)
        snprintf(error, OPTIONS_ERROR_MAX,
                 "always is not part of this version: the report has no colours. Leave it out");
    return choice == 0 || choice == 2;
}

bool option_set_ceiling(struct options *o, const struct option_row *row, const char *argument,
                        char error[OPTIONS_ERROR_MAX])
{
    struct analyzer_options *a = &o->analyzer;

    (void)row;
    if (a->ceiling_count == CEILINGS_MAX) {
        snprintf(error, OPTIONS_ERROR_MAX, "there are too many. Give at most %d", CEILINGS_MAX);
        return false;
    }
    if (!ceiling_parse(argument, &a->ceilings[a->ceiling_count], error, OPTIONS_ERROR_MAX))
        return false;
    a->ceiling_count++;
    return true;
}

int option_cause(const char *word)
{
    char *end;
    long number = strtol(word, &end, 10);

    if (end == word || *end != '\0')
        return cause_id(word);
    return number >= 1 && number <= CAUSE_ID_MAX ? (int)number : 0;
}

bool option_set_check(struct options *o, const struct option_row *row, const char *argument,
                      char error[OPTIONS_ERROR_MAX])
{
    (void)row;
    o->check = true;
    o->check_cause = 0;
    if (argument == NULL)
        return true;
    o->check_cause = option_cause(argument);
    if (o->check_cause == 0)
        snprintf(error, OPTIONS_ERROR_MAX,
                 "\"%.80s\" is no cause. Give a name such as receive_window or its number, 1 to %d",
                 argument, CAUSE_ID_MAX);
    return o->check_cause != 0;
}

bool option_set_later(struct options *o, const struct option_row *row, const char *argument,
                      char error[OPTIONS_ERROR_MAX])
{
    (void)o;
    (void)row;
    (void)argument;
    snprintf(error, OPTIONS_ERROR_MAX,
             "is not part of this version. Use the report: tcpwhy -r FILE");
    return false;
}
