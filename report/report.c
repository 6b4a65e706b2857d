#include "report/report.h"

#include <errno.h>
#include <string.h>

#include "report/formats.h"

static const struct report_format *const formats[] = {
    &report_text,
    &report_json,
    &report_jsonl,
    &report_csv,
};

#define FORMAT_COUNT ((int)(sizeof formats / sizeof formats[0]))

const struct report_format *report_format_find(const char *name)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

const struct report_format *report_format_at(int i)
{
    return i >= 0 && i < FORMAT_COUNT ? formats[i] : NULL;
}

int report_end(FILE *out)
{
    if (fflush(out) != 0)
        return -1;
    if (!ferror(out))
        return 0;
    if (errno == 0)
        errno = EIO; /* an earlier write failed; what it said is gone */
    return -1;
}
