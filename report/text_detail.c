/* Below the ten lines: phases, time table, bounds, facts, evidence, and what one capture cannot
 * know. */
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/notes.h"
#include "report/units.h"
#include "xmalloc.h"

#define INDENT 3
#define ROW_INDENT 5
#define NAME_WIDTH 24
#define FIGURE_WIDTH 12
#define PCT_WIDTH 8

static void print_phases(const struct transfer_result *t, FILE *out)
{
    if (t->phase_count == 0)
        return;
    const int64_t whole_ns = phases_span_ns(t->phases, t->phase_count, t->duration_ns);
    text_paragraph(out, INDENT, INDENT, "Phases of %s:", units_duration(whole_ns).text);
    for (int i = 0; i < t->phase_count && i < TRANSFER_PHASES_MAX; i++) {
        const struct phase *phase = &t->phases[i];

        fprintf(out, "%*s", ROW_INDENT, "");
        text_left(out, text_phase(phase->kind), NAME_WIDTH);
        text_right(out, units_duration(phase->duration_ns).text, FIGURE_WIDTH);
        text_right(out, units_pct(units_share_pct(phase->duration_ns, whole_ns)).text,
                   PCT_WIDTH);
        fputc('\n', out);
    }
}

/* A bound by its stable name; ceilings are "ceiling:LABEL" with the user's label. */
static char *bound_words(const char *name)
{
    static const struct {
        const char *name, *words;
    } bounds[] = {
        {"window_over_rtt", "window each round trip"}, {"page_per_turn", "one page each turn"},
        {"loss_model", "losses seen"},                 {"slow_start", "slow start all the way"},
        {"link", "link rate given"},
    };

    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (strcmp(bounds[i].name, name) == 0)
            return xstrdup(bounds[i].words);
    return escape_text(name);
}

static void print_bounds(const struct view *view, const struct transfer_result *t, FILE *out)
{
    const struct verdict *v = &t->verdict;

    if (v->bound_count == 0)
        return;
    text_paragraph(out, INDENT, INDENT, "What could be reached at most; measured %s:",
                   units_rate_short(t->goodput_bytes_per_s, view->options->bits).text);
    for (int i = 0; i < v->bound_count; i++) {
        char *words = bound_words(v->bounds[i].name);

        fprintf(out, "%*s", ROW_INDENT, "");
        text_left(out, words, NAME_WIDTH);
        text_right(out, units_rate_short(v->bounds[i].bytes_per_s, view->options->bits).text,
                   FIGURE_WIDTH);
        fputc('\n', out);
        free(words);
    }
}

static void print_evidence(const struct view *view, const struct verdict *v, FILE *out)
{
    if (!view->options->evidence || v->evidence_count == 0)
        return;
    text_paragraph(out, INDENT, INDENT, "Evidence:");
    for (int i = 0; i < v->evidence_count; i++) {
        const struct evidence *e = &v->evidence[i];
        const int64_t at_ns = view_since_start(view, e->time_ns);

        if (at_ns != NS_UNKNOWN)
            text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "frame %s, at %s: %s",
                           units_count(e->frame).text, units_duration(at_ns).text, e->text);
        else
            text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "frame %s: %s",
                           units_count(e->frame).text, e->text);
    }
}

static void print_unknown(const struct verdict *v, FILE *out)
{
    if (v->unknown_count == 0)
        return;
    text_paragraph(out, INDENT, INDENT, "What this capture cannot tell:");
    for (int i = 0; i < v->unknown_count; i++) {
        const char *sentence = notes_unknown(v->unknown[i]);

        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "%s",
                       sentence != NULL ? sentence : v->unknown[i]);
    }
}

void text_transfer_detail(const struct view *view, const struct transfer_result *t, FILE *out)
{
    struct flow_result *flow = xmalloc(sizeof *flow);

    print_phases(t, out);
    if (text_data_flow(view, t, flow)) {
        text_time_table(&flow->dir[t->direction], out);
        print_bounds(view, t, out);
        text_direction_facts(flow, t->direction, out);
    }
    print_evidence(view, &t->verdict, out);
    print_unknown(&t->verdict, out);
    free(flow);
}
