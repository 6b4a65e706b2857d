/* The answer for one transfer: what it was, who was slow, the arithmetic, what to try. */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice.h"
#include "report/cause_words.h"
#include "report/notes.h"
#include "report/units.h"
#include "report/words.h"
#include "xmalloc.h"

#define INDENT 3
#define EVIDENCE_SHOWN 2
#define RATE_DIFFERS 0.02

static void print_title(const struct view *view, const struct transfer_result *t, FILE *out)
{
    char *title = text_transfer_title(view, t), *ends = text_transfer_ends(view, t);
    char *bytes = text_transfer_bytes(t);

    text_paragraph(out, 0, INDENT, "%s  %s  %s   %s%s%s", units_count(t->id).text, title, ends,
                   bytes, t->duration_ns >= 0 ? " in " : "",
                   t->duration_ns >= 0 ? units_duration(t->duration_ns).text : "");
    free(title);
    free(ends);
    free(bytes);
}

/* How a transfer ended, "" when it is whole; the caller frees it. */
static char *ending(const struct transfer_result *t)
{
    const char *ender = words_ender(t->ended_by);

    if (!t->complete_known || t->complete)
        return xstrdup("");
    if (ender == NULL)
        return xstrdup(", not complete");
    return xasprintf(", not complete: stopped by the %s", ender);
}

/* The rate over all its time (bytes / seconds of the line above), and of the data alone where the
 * rest made a difference; the caller frees it. */
static char *rates(const struct view *view, const struct transfer_result *t)
{
    const bool bits = view->options->bits;
    const double data = t->goodput_bytes_per_s;
    const double overall =
        t->duration_ns > 0 ? (double)t->bytes * 1e9 / (double)t->duration_ns : data;

    if (overall < 0)
        return xstrdup("rate not known");
    if (data < 0 || fabs(data - overall) <= RATE_DIFFERS * overall)
        return xstrdup(units_rate(overall, bits).text);
    return xasprintf("%s; while data flowed %s", units_rate(overall, bits).text,
                     units_rate_short(data, bits).text);
}

static void print_rate(const struct view *view, const struct transfer_result *t, FILE *out)
{
    const char *confidence = words_confidence(t->verdict.confidence);
    char *rate = rates(view, t), *end = ending(t);
    const int blanks = TEXT_WIDTH - INDENT - text_columns(rate) - text_columns(end) -
                       text_columns("confidence ") - text_columns(confidence);

    if (blanks >= 2) {
        text_paragraph(out, INDENT, INDENT, "%s%s%*sconfidence %s", rate, end, blanks, "",
                       confidence);
    } else {
        text_paragraph(out, INDENT, INDENT, "%s%s", rate, end);
        text_paragraph(out, INDENT, INDENT, "confidence %s", confidence);
    }
    free(rate);
    free(end);
}

static void print_why(const struct verdict *v, FILE *out)
{
    char *share = v->share_pct >= 0
                      ? xasprintf(" (%s of the time)", units_pct(v->share_pct).text)
                      : xstrdup("");

    text_paragraph(out, INDENT, INDENT, "Why: %s%s.%s%s", v->headline, share,
                   v->text[0] != '\0' ? " " : "", v->text);
    if (v->second_cause != NULL)
        text_paragraph(out, INDENT, INDENT, "Also: %s (%s, %s of the time).",
                       cause_words(v->second_cause), v->second_cause,
                       units_pct(v->second_share_pct).text);
    free(share);
}

static void print_ruled_out(const struct verdict *v, FILE *out)
{
    struct text_list list = {NULL};

    for (int i = 0; i < v->ruled_out_count; i++)
        text_list_add(&list, ", ", "%s", notes_ruled_out(v->ruled_out[i]));
    if (list.text != NULL)
        text_paragraph(out, INDENT, INDENT, "Not the cause: %s.", list.text);
    free(list.text);
}

/* In a few words; -v has the sentences. */
static void print_unknown(const struct verdict *v, FILE *out)
{
    struct text_list list = {NULL};

    for (int i = 0; i < v->unknown_count; i++)
        text_list_add(&list, ", ", "%s", notes_unknown_short(v->unknown[i]));
    if (list.text != NULL)
        text_paragraph(out, INDENT, INDENT, "Not known: %s.", list.text);
    free(list.text);
}

static void print_advice(const struct view *view, const struct verdict *v, FILE *out)
{
    const bool settings = view->options->evidence || view->options->verbose;

    for (int i = 0; i < v->advice_count; i++) {
        char *sentence =
            advice_sentence(&v->advice[i], advice_is_upper_bound(v), view->options->bits);
        const char *names = advice_settings(&v->advice[i]);

        text_paragraph(out, INDENT, INDENT, "Try: %s.", sentence);
        if (settings && names != NULL)
            text_paragraph(out, INDENT, INDENT, "Settings: %s", names);
        free(sentence);
    }
}

/* The first packets that prove it; --evidence lists all of them further below. */
static void print_evidence(const struct view *view, const struct verdict *v, FILE *out)
{
    struct text_list list = {NULL};

    if (view->options->evidence)
        return;
    for (int i = 0; i < v->evidence_count && i < EVIDENCE_SHOWN; i++)
        text_list_add(&list, "; ", "frame %s: %s", units_count(v->evidence[i].frame).text,
                      v->evidence[i].text);
    if (list.text != NULL)
        text_paragraph(out, INDENT, INDENT, "Evidence: %s.", list.text);
    free(list.text);
}

/* Where much of the packets is missing nothing measured stands; where a few are, most does. */
static bool capture_is_unfit(const struct verdict *v)
{
    return v->cause != NULL && strcmp(v->cause, "capture_unfit") == 0 &&
           v->confidence == CONFIDENCE_HIGH;
}

/* What the packets say of the sender and the path; nothing without the data connection. */
static void print_data(const struct view *view, const struct transfer_result *t, bool bar,
                       FILE *out)
{
    struct flow_result *flow = xmalloc(sizeof *flow);

    if (text_data_flow(view, t, flow) && !capture_is_unfit(&t->verdict)) {
        text_waits(&flow->dir[t->direction], bar, out);
        text_stalls(view, &flow->dir[t->direction], out);
        text_window(view, &flow->dir[t->direction], out);
        text_path(view, &flow->dir[t->direction], out);
    }
    free(flow);
}

void text_transfer(const struct view *view, const struct transfer_result *t, bool alone, FILE *out)
{
    print_title(view, t, out);
    print_rate(view, t, out);
    print_why(&t->verdict, out);
    print_advice(view, &t->verdict, out);
    if (view->options->quiet)
        return;
    text_phase_shares(t, out);
    print_data(view, t, alone, out);
    if (alone) {
        text_bounds(view, t, out);
        text_what_ifs(view, &t->verdict, out);
    }
    print_ruled_out(&t->verdict, out);
    if (alone)
        print_unknown(&t->verdict, out);
    print_evidence(view, &t->verdict, out);
}
