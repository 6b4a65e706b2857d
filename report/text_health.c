/* The first line of the report, and the last ones when the capture has faults. */
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#include "report/capture_health.h"
#include "report/escape.h"
#include "report/notes.h"
#include "report/units.h"

static const char *usable_words(enum health_verdict verdict)
{
    static const char *const words[] = {
        [HEALTH_GOOD] = "capture usable",
        [HEALTH_DEGRADED] = "capture degraded",
        [HEALTH_UNFIT] = "capture unfit",
    };

    return words[verdict];
}

/* Of a single file its name without folders. */
static const char *short_name(const struct capture_info *c, const char *source)
{
    const char *slash = strrchr(source, '/');

    return c->file_count == 1 && slash != NULL && slash[1] != '\0' ? slash + 1 : source;
}

void text_first_line(const struct view *view, FILE *out)
{
    const struct capture_info *c = view->capture;
    const struct health_result health = capture_health(view);
    const int64_t duration_ns = capture_duration_ns(c);
    char *source = capture_source(c), *escaped = escape_text(short_name(c, source));
    struct text_list list = {NULL};

    text_list_add(&list, "", "%s", units_things(c->packets, "packet", "packets").text);
    if (duration_ns != NS_UNKNOWN)
        text_list_add(&list, ", ", "%s", units_duration(duration_ns).text);
    text_list_add(&list, ", ", "%s", units_things(analyzer_transfer_count(view->analysis),
                                                  "transfer", "transfers").text);
    if (c->drops_known) /* most file formats do not record it */
        text_list_add(&list, ", ", "%s dropped",
                      units_count(c->dropped_kernel + c->dropped_interface).text);
    text_paragraph(out, 0, 2, "%s: %s, %s", escaped, list.text, usable_words(health.verdict));
    free(list.text);
    free(source);
    free(escaped);
}

/* Faults always; notes, which lower no confidence, with -v. */
void text_health(const struct view *view, FILE *out)
{
    const struct health_result health = capture_health(view);
    const enum health_verdict least = view->options->verbose ? HEALTH_NOTE : HEALTH_DEGRADED;
    const struct analysis_counts *n = analyzer_counts(view->analysis);

    for (int i = 0; i < health.problem_count; i++) {
        const struct health_problem *p = &health.problems[i];
        char *text = notes_health(p->id, p->count);

        if (p->weight >= least)
            text_paragraph(out, 0, 2, "Capture: %s", text);
        free(text);
    }
    if (n->transfers_not_listed > 0)
        text_paragraph(out, 0, 2, "%s with bulk data beyond those judged: see -T csv.",
                       units_things(n->transfers_not_listed, "connection", "connections").text);
}
