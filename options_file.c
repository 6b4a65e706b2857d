#include "options_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

/* Bound on a settings or filter file. */
#define FILE_MAX ((size_t)64 << 10)
#define BLANKS " \t\r"

/* The text of a small file, which the caller frees; NULL with one line in error. */
static char *read_file(const char *path, char error[OPTIONS_ERROR_MAX])
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (file != NULL) {
        text = xmalloc(FILE_MAX + 1);
        size = fread(text, 1, FILE_MAX + 1, file);
    }
    if (file == NULL || ferror(file)) {
        snprintf(error, OPTIONS_ERROR_MAX, "%.300s: %s. Check the path.", path, strerror(errno));
    } else if (size > FILE_MAX || memchr(text, '\0', size) != NULL) {
        snprintf(error, OPTIONS_ERROR_MAX,
                 "%.300s: this is no short text file. Check what it holds.", path);
    } else {
        text[size] = '\0';
        fclose(file);
        return text;
    }
    if (file != NULL)
        fclose(file);
    free(text);
    return NULL;
}

char *options_read_filter(const char *path, char error[OPTIONS_ERROR_MAX])
{
    char *text = read_file(path, error);

    char *at = text != NULL ? strchr(text, '#') : NULL;
    for (; at != NULL; at = strchr(at, '#'))
        memset(at, ' ', strcspn(at, "\n"));
    return text;
}

/* Path of the settings file, which the caller frees; NULL when there is no home. */
static char *settings_path(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

    if (config != NULL && config[0] == '/')
        return xasprintf("%s/tcpwhy/options", config);
    return home != NULL && home[0] == '/' ? xasprintf("%s/.config/tcpwhy/options", home) : NULL;
}

/* Cut blanks at both ends, in place. */
static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    for (size_t end = strlen(text); end > 0 && strchr(BLANKS, text[end - 1]) != NULL; end--)
        text[end - 1] = '\0';
    return text;
}

/* One line: nothing, or an option. */
static bool take_line(struct options *o, char *line, options_take *take,
                      char error[OPTIONS_ERROR_MAX])
{
    char *name = trim(line);

    if (*name == '\0' || *name == '#')
        return true;
    name += strncmp(name, "--", 2) == 0 ? 2 : 0;
    char *value = name + strcspn(name, "=" BLANKS);
    char *argument = NULL;
    if (*value != '\0') { /* "name=value", "name = value" or "name value" */
        size_t between = strspn(value, BLANKS);

        between += value[between] == '=';
        argument = trim(value + between);
        *value = '\0';
    }
    const struct option_row *row = option_find(name);
    if (row == NULL)
        snprintf(error, OPTIONS_ERROR_MAX, "%.80s: there is no such option. tcpwhy -h lists them.",
                 name);
    else if (argument != NULL && !option_takes_argument(row))
        snprintf(error, OPTIONS_ERROR_MAX, "--%s: it takes no argument. Leave it out.", name);
    else if (argument == NULL && option_needs_argument(row))
        snprintf(error, OPTIONS_ERROR_MAX, "--%s: its argument is missing. Give %s.", name,
                 row->argument);
    else
        return take(o, row, argument, error);
    return false;
}

/* Every line of the text, which is cut up and must stay as long as the options. */
static bool take_text(struct options *o, char *text, const char *path, options_take *take,
                      char error[OPTIONS_ERROR_MAX])
{
    char reason[OPTIONS_ERROR_MAX];
    int number = 1;

    for (char *line = text, *next; line != NULL; line = next, number++) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (!take_line(o, line, take, reason)) {
            snprintf(error, OPTIONS_ERROR_MAX, "%.200s line %d: %.280s", path, number, reason);
            return false;
        }
    }
    return true;
}

bool options_read_settings(struct options *o, options_take *take, char error[OPTIONS_ERROR_MAX])
{
    char *path = settings_path();
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    bool good = true;

    if (file != NULL) {
        fclose(file);
        o->owned_settings = read_file(path, error);
        good = o->owned_settings != NULL && take_text(o, o->owned_settings, path, take, error);
    }
    free(path);
    return good;
}
