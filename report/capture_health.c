#include "report/capture_health.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

uint64_t capture_skipped(const struct capture_info *capture, const char *reason)
{
    for (int i = 0; i < capture->skip_count; i++)
        if (strcmp(capture->skips[i].name, reason) == 0)
            return capture->skips[i].count;
    return 0;
}

static uint64_t truncated_files(const struct capture_info *capture)
{
    uint64_t count = 0;

    for (int i = 0; i < capture->file_count; i++)
        count += capture->files[i].truncated;
    return count;
}

bool capture_is_truncated(const struct capture_info *capture)
{
    return truncated_files(capture) > 0;
}

struct health_result capture_health(const struct view *view)
{
    const struct capture_info *c = view->capture;
    const struct health_input in = {
        .counts = analyzer_counts(view->analysis),
        .dropped = c->drops_known ? c->dropped_kernel + c->dropped_interface : 0,
        .clock_backward_steps = c->clock_backward_steps,
        .cut_headers = c->cut_headers,
        .without_time = c->without_time,
        .unsupported_link = capture_skipped(c, "unsupported_link"),
        .truncated_files = truncated_files(c),
    };

    return health_judge(&in);
}

char *capture_source(const struct capture_info *capture)
{
    char *joined = xstrdup(capture->file_count > 0 ? capture->files[0].name : "");

    for (int i = 1; i < capture->file_count; i++) {
        char *longer = xasprintf("%s, %s", joined, capture->files[i].name);

        free(joined);
        joined = longer;
    }
    return joined;
}

int64_t capture_duration_ns(const struct capture_info *capture)
{
    int64_t duration_ns;

    if (capture->first_ns == NS_UNKNOWN || capture->last_ns == NS_UNKNOWN ||
        __builtin_sub_overflow(capture->last_ns, capture->first_ns, &duration_ns))
        return NS_UNKNOWN;
    return duration_ns;
}
