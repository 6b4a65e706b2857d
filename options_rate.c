#include "options_rate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 31
#define RATE_MAX 1e15

/* What may follow the prefix, and how many of it make a byte. */
struct rate_unit {
    const char *name;
    double per_byte;
};

static const struct rate_unit units[] = {
    {"", 8},      {"b", 8},      {"bit", 8}, {"bits", 8}, {"bps", 8}, {"b/s", 8},
    {"bit/s", 8}, {"bits/s", 8}, {"B", 1},   {"B/s", 1},  {"Bps", 1},
};

/* Factor of a decimal prefix, or of a binary one ("Ki"); *text moves behind it. */
static double take_prefix(const char **text)
{
    static const char letters[] = "kmgt";
    const char *found = **text == '\0' ? NULL : strchr(letters, **text | 0x20);
    double factor = 1;

    if (found == NULL)
        return 1;
    (*text)++;
    double step = **text == 'i' ? 1024 : 1000;
    *text += **text == 'i';
    for (const char *letter = letters; letter <= found; letter++)
        factor *= step;
    return factor;
}

bool rate_parse(const char *text, double *bytes_per_s)
{
    size_t digits = strspn(text, "0123456789.");
    char number[NUMBER_MAX + 1];
    char *end;

    if (digits == 0 || digits > NUMBER_MAX)
        return false;
    memcpy(number, text, digits);
    number[digits] = '\0';
    double value = strtod(number, &end);
    if (*end != '\0')
        return false;
    const char *unit = text + digits;
    unit += *unit == ' ';
    value *= take_prefix(&unit);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        if (!(value > 0 && value <= RATE_MAX))
            return false;
        *bytes_per_s = value / units[i].per_byte;
        return true;
    }
    return false;
}

/* The direction at the end of a ceiling's rate ("/read", "/write"), or "". */
static const char *direction_of(const char *rate)
{
    const char *slash = strrchr(rate, '/');

    return slash != NULL && (strcmp(slash, "/read") == 0 || strcmp(slash, "/write") == 0) ? slash
                                                                                          : "";
}

bool ceiling_parse(const char *text, struct ceiling *out, char *error, size_t error_size)
{
    const char *equals = strchr(text, '=');

    if (equals == NULL || equals == text) {
        snprintf(error, error_size, "\"%.80s\" is not LABEL=RATE. Write it like disk=11520KB/write",
                 text);
        return false;
    }
    const char *direction = direction_of(equals + 1);
    size_t label = (size_t)(equals - text), rate = strlen(equals + 1) - strlen(direction);
    char copy[64];

    if (label + strlen(direction) >= sizeof out->label) {
        snprintf(error, error_size, "the label of \"%.80s\" is too long. Use at most %zu bytes",
                 text, sizeof out->label - 1 - strlen(direction));
        return false;
    }
    snprintf(copy, sizeof copy, "%.*s", (int)(rate < sizeof copy ? rate : sizeof copy - 1),
             equals + 1);
    if (rate >= sizeof copy || !rate_parse(copy, &out->bytes_per_s)) {
        snprintf(error, error_size, "\"%.80s\" is not a rate. Write 2M, 100Mbit, 18MB/s or 11520KB",
                 equals + 1);
        return false;
    }
    snprintf(out->label, sizeof out->label, "%.*s%s", (int)label, text, direction);
    return true;
}
