/* Where the time of a transfer went, in one line of words and one bar, and its longest silences. */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/cause/phrase.h"
#include "report/units.h"
#include "xmalloc.h"

#define INDENT 3
#define SHARES_SHOWN 4
#define SHARE_SHOWN_PCT 0.05
#define BAR_WIDTH (TEXT_WIDTH - INDENT - 2)
/* One character for each share shown, in the order of the line above the bar, and the rest. */
#define BAR_MARKS "#=-+."
#define STALLS_SHOWN 3

struct share {
    const char *name;
    double pct;
};

static int compare_shares(const void *left, const void *right)
{
    const struct share *a = left, *b = right;

    return a->pct > b->pct ? -1 : a->pct < b->pct;
}

/* How many of the shares, sorted here, are worth a name. */
static int sort_shares(struct share *shares, int count)
{
    int shown = 0;

    qsort(shares, (size_t)count, sizeof *shares, compare_shares);
    while (shown < count && shown < SHARES_SHOWN && shares[shown].pct >= SHARE_SHOWN_PCT)
        shown++;
    return shown;
}

/* The largest shares, the rest as "other"; with marks each stands for its part of the bar.  Nothing
 * when there is no share. */
static void print_shares(const char *label, const struct share *shares, int count, int shown,
                         const char *marks, FILE *out)
{
    struct text_list list = {NULL};
    double other = 0;

    for (int i = 0; i < shown; i++)
        text_list_add(&list, ", ", "%.*s%s%s %s", marks != NULL, marks != NULL ? marks + i : "",
                      marks != NULL ? " " : "", shares[i].name, units_pct(shares[i].pct).text);
    for (int i = shown; i < count; i++)
        other += shares[i].pct;
    if (list.text == NULL)
        return;
    if (other >= SHARE_SHOWN_PCT)
        text_list_add(&list, ", ", "other %s", units_pct(other).text);
    text_paragraph(out, INDENT, INDENT, "%s: %s.", label, list.text);
    free(list.text);
}

/* Every share has at least one column, so that a small one is not lost. */
static void print_bar(const struct share *shares, int shown, FILE *out)
{
    char bar[BAR_WIDTH + 1];
    double end_pct = 0;
    int filled = 0;

    for (int i = 0; i < shown; i++) {
        const int left_for_others = shown - 1 - i;
        int end;

        end_pct += shares[i].pct;
        end = (int)lround(fmin(end_pct, 100) / 100 * BAR_WIDTH);
        end = end > filled ? end : filled + 1;
        while (filled < end && filled < BAR_WIDTH - left_for_others)
            bar[filled++] = BAR_MARKS[i];
    }
    while (filled < BAR_WIDTH)
        bar[filled++] = BAR_MARKS[SHARES_SHOWN];
    bar[filled] = '\0';
    fprintf(out, "%*s[%s]\n", INDENT, "", bar);
}

/* Phases of one kind, as the commands before and after a data connection, count together. */
void text_phase_shares(const struct transfer_result *t, FILE *out)
{
    struct share shares[PHASE_KINDS];
    const int64_t whole_ns = phases_span_ns(t->phases, t->phase_count, t->duration_ns);

    for (int i = 0; i < PHASE_KINDS; i++)
        shares[i] = (struct share){text_phase((enum phase_kind)i), 0};
    for (int i = 0; i < t->phase_count && i < TRANSFER_PHASES_MAX; i++)
        shares[t->phases[i].kind].pct += units_share_pct(t->phases[i].duration_ns, whole_ns);
    print_shares("Time", shares, PHASE_KINDS, sort_shares(shares, PHASE_KINDS), NULL, out);
}

void text_waits(const struct direction_result *d, bool bar, FILE *out)
{
    struct share shares[LIMIT_COUNT];
    int shown;

    for (int i = 0; i < LIMIT_COUNT; i++)
        shares[i] = (struct share){phrase_limit((enum limit)i),
                                   units_share_pct(d->limit_ns[i], d->elapsed_ns)};
    shown = sort_shares(shares, LIMIT_COUNT);
    bar = bar && shown > 1;
    print_shares("Bulk waited for", shares, LIMIT_COUNT, shown, bar ? BAR_MARKS : NULL, out);
    if (bar)
        print_bar(shares, shown, out);
}

/* "1.20 s (retransmission time-out, to frame 501)" */
static void list_stall(struct text_list *list, const struct stall *s)
{
    text_list_add(list, ", ", "%s (%s", units_duration(s->duration_ns).text, phrase_limit(s->limit));
    if (s->to_frame > 0)
        text_list_add(list, ", ", "to frame %s", units_count(s->to_frame).text);
    text_list_add(list, "", ")");
}

void text_stalls(const struct view *view, const struct direction_result *d, FILE *out)
{
    const uint32_t most = view->options->verbose ? STALLS_MAX : STALLS_SHOWN;
    const struct wait_facts *w = &d->waits;
    struct text_list list = {NULL};

    if (w->stall_count == 0)
        return;
    for (uint32_t i = 0; i < w->stall_count && i < most; i++)
        list_stall(&list, &w->stalls[i]);
    text_paragraph(out, INDENT, INDENT, "Silences of more than two round trips: %s; longest %s.",
                   units_count(w->stalls_seen).text, list.text);
    free(list.text);
}
