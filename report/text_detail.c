/* Below the answer, with -v, --evidence or --flow: phases, time table, facts, evidence, and what
 * one capture cannot know. */
#include "report/text.h"

#include <stdlib.h>

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
    struct flow_result *flow = xcalloc(1, sizeof *flow);

    print_phases(t, out);
    if (text_data_flow(view, t, flow)) {
        text_time_table(&flow->dir[t->direction], out);
        text_direction_facts(view, flow, t->direction, out);
    }
    text_evidence(view, &t->verdict, out);
    if (flow->id != 0)
        text_figures(view, t, flow, out);
    print_unknown(&t->verdict, out);
    free(flow);
}
