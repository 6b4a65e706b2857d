/* What could be reached at most, each bound beside the measured rate; and what a change would
 * bring. */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice.h"
#include "report/escape.h"
#include "report/units.h"
#include "xmalloc.h"

#define INDENT 3
#define ROW_INDENT 5
#define NAME_WIDTH 27
#define CHANGE_WIDTH 19
#define FIGURE_WIDTH 11
#define BAR_WIDTH 23
/* The longest bar is at most so many times the measured rate: what is beyond ends in '>', so that
 * the bounds near the measured rate can be told apart. */
#define BAR_REACH 4

/* A bound by its stable name; ceilings are "ceiling:LABEL" with the user's label.  The caller frees
 * it. */
static char *bound_words(const char *name)
{
    static const struct {
        const char *name, *words;
    } bounds[] = {
        {"window_over_rtt", "window each round trip"}, {"page_per_turn", "one page each turn"},
        {"loss_model", "losses seen"},                 {"slow_start", "slow start all the way"},
        {"link", "link rate given"},                   {"bottleneck", "what the bottleneck passes"},
        {"cubic_model", "losses seen, with CUBIC"},
        {"send_buffer_over_rtt", "send buffer each round trip"},
    };
    char *escaped;

    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (strcmp(bounds[i].name, name) == 0)
            return xstrdup(bounds[i].words);
    escaped = escape_text(name);
    text_shorten(escaped, NAME_WIDTH);
    return escaped;
}

/* What a full bar stands for: the largest rate, within reach of the measured one. */
static double full_bar_bytes_per_s(const struct transfer_result *t)
{
    double largest = t->goodput_bytes_per_s;

    for (int i = 0; i < t->verdict.bound_count; i++)
        largest = fmax(largest, t->verdict.bounds[i].bytes_per_s);
    if (t->goodput_bytes_per_s > 0)
        largest = fmin(largest, BAR_REACH * t->goodput_bytes_per_s);
    return largest;
}

static void print_row(const struct view *view, const char *words, double bytes_per_s,
                      double full_bytes_per_s, bool holds, FILE *out)
{
    const double cells = full_bytes_per_s > 0 ? BAR_WIDTH * (bytes_per_s / full_bytes_per_s) : 0;

    fprintf(out, "%*s", ROW_INDENT, "");
    text_left(out, words, NAME_WIDTH);
    text_right(out, units_rate_short(bytes_per_s, view->options->bits).text, FIGURE_WIDTH);
    fputs("  ", out);
    for (int i = 0; i < BAR_WIDTH && (i == 0 || i + 0.5 <= cells); i++)
        fputc('#', out);
    fprintf(out, "%s%s\n", cells > BAR_WIDTH + 0.5 ? ">" : "", holds ? "  it held" : "");
}

static int compare_bounds(const void *left, const void *right)
{
    const struct bound *a = left, *b = right;

    return a->bytes_per_s < b->bytes_per_s ? -1 : a->bytes_per_s > b->bytes_per_s;
}

void text_bounds(const struct view *view, const struct transfer_result *t, FILE *out)
{
    const double full = full_bar_bytes_per_s(t);
    struct bound bounds[VERDICT_BOUNDS_MAX];

    if (t->verdict.bound_count == 0 || !(t->goodput_bytes_per_s >= 0))
        return;
    memcpy(bounds, t->verdict.bounds, sizeof bounds);
    qsort(bounds, (size_t)t->verdict.bound_count, sizeof *bounds, compare_bounds);
    text_paragraph(out, INDENT, INDENT, "Measured, and possible at most:");
    print_row(view, "measured", t->goodput_bytes_per_s, full, false, out);
    for (int i = 0; i < t->verdict.bound_count; i++) {
        char *words = bound_words(bounds[i].name);

        print_row(view, words, bounds[i].bytes_per_s, full, bounds[i].holds, out);
        free(words);
    }
}

static const char *change_words(const char *change)
{
    static const struct {
        const char *change, *words;
    } changes[] = {
        {"larger_window", "a larger window"}, {"larger_send_buffer", "a larger send buffer"},
        {"no_loss", "no losses"},             {"four_streams", "four connections"},
        {"half_rtt", "half the round trip"},
    };

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        if (strcmp(changes[i].change, change) == 0)
            return changes[i].words;
    return change;
}

void text_what_ifs(const struct view *view, const struct verdict *v, FILE *out)
{
    if (v->what_if_count == 0)
        return;
    text_paragraph(out, INDENT, INDENT, "What if, %s:",
                   advice_is_upper_bound(v) ? "at best" : "about");
    for (int i = 0; i < v->what_if_count && i < VERDICT_WHAT_IFS_MAX; i++) {
        const struct what_if *w = &v->what_ifs[i];
        char *next = w->next != NULL ? bound_words(w->next) : NULL;

        fprintf(out, "%*s", ROW_INDENT, "");
        text_left(out, change_words(w->change), CHANGE_WIDTH);
        text_right(out, units_rate_short(w->bytes_per_s, view->options->bits).text, FIGURE_WIDTH);
        text_right(out, units_seconds(w->seconds).text, FIGURE_WIDTH);
        fprintf(out, "%s%s\n", next != NULL ? "  then " : "", next != NULL ? next : "");
        free(next);
    }
}
