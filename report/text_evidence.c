/* --evidence: the packets behind a verdict, each with what to look at. */
#include "report/text.h"

#include <stdlib.h>

#include "report/proof.h"
#include "report/units.h"
#include "xmalloc.h"

#define INDENT 3
#define ROW_INDENT 5

/* "frame 13, at 1.41 s"; the caller frees it. */
static char *place(const struct view *view, const struct evidence *e)
{
    const int64_t at_ns = view_since_start(view, e->time_ns);

    if (at_ns == NS_UNKNOWN)
        return xasprintf("frame %s", units_count(e->frame).text);
    return xasprintf("frame %s, at %s", units_count(e->frame).text, units_duration(at_ns).text);
}

static void print_one(const struct view *view, const struct evidence *e, FILE *out)
{
    const char *fields = proof_fields(e->fact);
    char *where = place(view, e);

    text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "%s: %s", where, e->text);
    if (fields != NULL)
        text_paragraph(out, ROW_INDENT + 2, ROW_INDENT + 4, "-Y %s  %s",
                       proof_filter(e->frame).text, fields);
    free(where);
}

void text_evidence(const struct view *view, const struct verdict *v, FILE *out)
{
    if (!view->options->evidence || v->evidence_count == 0)
        return;
    text_paragraph(out, INDENT, INDENT,
                   "Evidence; to check it: tshark -r FILE -Y FILTER -T fields -e FIELD ...");
    for (int i = 0; i < v->evidence_count; i++)
        print_one(view, &v->evidence[i], out);
}
