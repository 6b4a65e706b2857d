/* -T text: the answer on one screen; with -v, --evidence or --flow what it rests on. */
#include "report/text.h"

#include <string.h>

#include "report/formats.h"

#define WORST_SHOWN 3

static uint64_t count_wanted(const struct view *view, const struct transfer_result **last)
{
    uint64_t count = 0;

    for (size_t i = 0; i < analyzer_transfer_count(view->analysis); i++) {
        const struct transfer_result *t = analyzer_transfer(view->analysis, i);

        if (view_wants_transfer(view, t)) {
            *last = t;
            count++;
        }
    }
    return count;
}

/* True when nobody needs to look at it: fast enough, or too short to say; its row is enough. */
static bool is_calm(const struct transfer_result *t)
{
    return t->verdict.cause != NULL && (strcmp(t->verdict.cause, "healthy") == 0 ||
                                        strcmp(t->verdict.cause, "too_short") == 0);
}

static bool is_worse(const struct transfer_result *a, const struct transfer_result *b)
{
    if (is_calm(a) != is_calm(b))
        return is_calm(b);
    return a->duration_ns > b->duration_ns;
}

/* Put t among the worst so far, which are in order and end in NULL. */
static void insert_worst(const struct transfer_result *worst[WORST_SHOWN],
                         const struct transfer_result *t)
{
    for (int i = 0; i < WORST_SHOWN; i++) {
        if (worst[i] == NULL || is_worse(t, worst[i])) {
            const struct transfer_result *next = worst[i];

            worst[i] = t;
            t = next;
        }
        if (t == NULL)
            return;
    }
}

static bool wants_detail(const struct view *view)
{
    const struct report_options *o = view->options;

    return o->verbose || o->evidence || (o->only_flow != 0 && !o->quiet);
}

static void print_worst(const struct view *view, FILE *out)
{
    const struct transfer_result *worst[WORST_SHOWN] = {NULL};

    for (size_t i = 0; i < analyzer_transfer_count(view->analysis); i++) {
        const struct transfer_result *t = analyzer_transfer(view->analysis, i);

        if (view_wants_transfer(view, t) && (!is_calm(t) || wants_detail(view)))
            insert_worst(worst, t);
    }
    for (int i = 0; i < WORST_SHOWN && worst[i] != NULL; i++) {
        fputc('\n', out);
        text_transfer(view, worst[i], wants_detail(view), out);
        if (wants_detail(view))
            text_transfer_detail(view, worst[i], out);
    }
}

static void print_transfers(const struct view *view, FILE *out)
{
    const struct transfer_result *only = NULL;
    const uint64_t count = count_wanted(view, &only);

    if (count == 1) {
        text_transfer(view, only, true, out);
        if (wants_detail(view))
            text_transfer_detail(view, only, out);
        else if (!view->options->quiet)
            text_paragraph(out, 3, 3, "More: -v; every packet behind it: --evidence.");
    } else if (count > 1) {
        text_transfer_table(view, out);
        if (!view->options->quiet)
            print_worst(view, out);
    } else if (view->options->only_flow != 0) {
        text_one_flow(view, out);
    } else {
        text_paragraph(out, 0, 2, view_wants_all(view)
                                      ? "No transfer: no connection carried bulk data."
                                      : "No transfer matches.");
    }
    if (view->options->only_flow == 0 && !view->options->quiet)
        text_other_flows(view, view->options->verbose || count == 0, out);
    if (view->options->verbose || view->options->evidence || count == 0)
        text_sessions(view, out);
}

static int write_text(const struct report_input *input, FILE *out)
{
    struct view view;

    view_open(&view, input);
    text_first_line(&view, out);
    print_transfers(&view, out);
    if (input->options->events)
        text_events(&view, out);
    text_health(&view, out);
    view_close(&view);
    return report_end(out);
}

const struct report_format report_text = {
    "text", "who was slow, and why, in lines of 80 columns", write_text};
