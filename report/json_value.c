#include "report/json_value.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/result.h"
#include "report/escape.h"

void json_put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new_nocheck(object, key, value);
}

void json_put_null(json_t *object, const char *key)
{
    json_put(object, key, json_null());
}

void json_put_bool(json_t *object, const char *key, bool value)
{
    json_put(object, key, json_boolean(value));
}

void json_put_word(json_t *object, const char *key, const char *word)
{
    json_put(object, key, word != NULL ? json_string_nocheck(word) : json_null());
}

json_t *json_text(const char *text)
{
    char *escaped = escape_json(text);
    json_t *value = json_string_nocheck(escaped);

    free(escaped);
    return value;
}

void json_put_text(json_t *object, const char *key, const char *text)
{
    json_put(object, key, text != NULL ? json_text(text) : json_null());
}

void json_put_count(json_t *object, const char *key, uint64_t count)
{
    json_put(object, key, json_integer(count <= INT64_MAX ? (json_int_t)count : INT64_MAX));
}

void json_put_bytes(json_t *object, const char *key, uint64_t bytes)
{
    if (bytes == BYTES_UNKNOWN)
        json_put_null(object, key);
    else
        json_put_count(object, key, bytes);
}

void json_put_id(json_t *object, const char *key, uint64_t id)
{
    if (id == 0)
        json_put_null(object, key);
    else
        json_put_count(object, key, id);
}

void json_put_seconds(json_t *object, const char *key, int64_t ns)
{
    if (ns < 0) /* NS_UNKNOWN is too */
        json_put_null(object, key);
    else
        json_put(object, key, json_real((double)ns / 1e9));
}

void json_put_ms(json_t *object, const char *key, int64_t ns)
{
    if (ns < 0)
        json_put_null(object, key);
    else
        json_put(object, key, json_real((double)ns / 1e6));
}

/* Value rounded to steps a unit; below 0 or not finite: null. */
static void put_rounded(json_t *object, const char *key, double value, double steps)
{
    if (!isfinite(value) || value < 0)
        json_put_null(object, key);
    else if (value >= 1e12)
        json_put(object, key, json_real(value));
    else
        json_put(object, key, json_real(fabs(round(value * steps) / steps)));
}

void json_put_rate(json_t *object, const char *key, double bytes_per_s)
{
    put_rounded(object, key, bytes_per_s, 10);
}

void json_put_figure(json_t *object, const char *key, double value)
{
    put_rounded(object, key, value, 1000);
}

void json_put_fine(json_t *object, const char *key, double value)
{
    put_rounded(object, key, value, 1e9);
}

void json_put_pct(json_t *object, const char *key, double pct)
{
    put_rounded(object, key, pct > 100 ? 100 : pct, 1000);
}
