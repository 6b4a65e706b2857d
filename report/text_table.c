/* Many transfers: a line each in one table of 80 columns; the ends stand behind it, or once above
 * it when they are the same for all. */
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#include "report/units.h"
#include "xmalloc.h"

#define GAP "  "
#define TITLE_LEAST 12

enum column {
    COL_ID,
    COL_TITLE,
    COL_BYTES,
    COL_TIME,
    COL_RATE,
    COL_CAUSE,
    COL_SHARE,
    COL_ENDS,
    COLS
};

static const struct {
    const char *heading;
    bool right; /* aligned */
} columns[COLS] = {
    [COL_ID] = {"id", true},      [COL_TITLE] = {"transfer", false},
    [COL_BYTES] = {"bytes", true}, [COL_TIME] = {"time", true},
    [COL_RATE] = {"rate", true},  [COL_CAUSE] = {"cause", false},
    [COL_SHARE] = {"share", true}, [COL_ENDS] = {"from > to", false},
};

struct table {
    int width[COLS];
    uint64_t wanted, shown;
    char *common_ends; /* NULL when transfers have different ends */
};

/* The cells of one row; the caller frees each. */
static void fill_row(const struct view *view, const struct transfer_result *t, char *cells[COLS])
{
    const double rate = t->duration_ns > 0 ? (double)t->bytes * 1e9 / (double)t->duration_ns : -1;

    cells[COL_ID] = xstrdup(units_count(t->id).text);
    cells[COL_TITLE] = text_transfer_title(view, t);
    cells[COL_ENDS] = text_transfer_ends(view, t);
    cells[COL_BYTES] = xstrdup(units_count(t->bytes).text);
    cells[COL_TIME] = xstrdup(units_duration(t->duration_ns).text);
    cells[COL_RATE] = xstrdup(units_rate_short(rate, view->options->bits).text);
    cells[COL_CAUSE] = xstrdup(t->verdict.cause != NULL ? t->verdict.cause : "unknown");
    cells[COL_SHARE] =
        xstrdup(t->verdict.share_pct >= 0 ? units_pct(t->verdict.share_pct).text : "-");
}

static void free_row(char *cells[COLS])
{
    for (int i = 0; i < COLS; i++)
        free(cells[i]);
}

/* First pass: how many, how wide, and whether one pair of ends fits all. */
static void measure_row(const struct view *view, const struct transfer_result *t,
                        struct table *table)
{
    char *cells[COLS];

    fill_row(view, t, cells);
    for (int i = 0; i < COLS; i++)
        if (text_columns(cells[i]) > table->width[i])
            table->width[i] = text_columns(cells[i]);
    if (table->shown++ == 0) {
        table->common_ends = xstrdup(cells[COL_ENDS]);
    } else if (table->common_ends != NULL && strcmp(table->common_ends, cells[COL_ENDS]) != 0) {
        free(table->common_ends);
        table->common_ends = NULL;
    }
    free_row(cells);
}

/* The title gives way so that the table without the ends fits the line. */
static void fit_title(struct table *table)
{
    int others = 0, room;

    for (int i = 0; i < COL_ENDS; i++)
        others += (i > 0 ? text_columns(GAP) : 0) + (i != COL_TITLE ? table->width[i] : 0);
    room = TEXT_WIDTH - others > TITLE_LEAST ? TEXT_WIDTH - others : TITLE_LEAST;
    if (table->width[COL_TITLE] > room)
        table->width[COL_TITLE] = room;
}

static void print_cells(const struct table *table, const char *const cells[COLS], FILE *out)
{
    for (int i = 0; i < COLS; i++) {
        if (i == COL_ENDS && table->common_ends != NULL)
            break;
        if (i > 0)
            fputs(GAP, out);
        if (columns[i].right)
            text_right(out, cells[i], table->width[i]);
        else
            text_left(out, cells[i], i < COL_ENDS ? table->width[i] : 0);
    }
    fputc('\n', out);
}

static void print_heading(const struct table *table, FILE *out)
{
    const char *cells[COLS];

    for (int i = 0; i < COLS; i++)
        cells[i] = columns[i].heading;
    if (table->common_ends != NULL)
        text_paragraph(out, 0, 2, "All from %s:", table->common_ends);
    print_cells(table, cells, out);
}

static void print_row(const struct view *view, const struct transfer_result *t,
                      const struct table *table, FILE *out)
{
    char *cells[COLS];

    fill_row(view, t, cells);
    text_shorten(cells[COL_TITLE], table->width[COL_TITLE]);
    print_cells(table, (const char *const *)cells, out);
    free_row(cells);
}

void text_transfer_table(const struct view *view, FILE *out)
{
    const size_t count = analyzer_transfer_count(view->analysis);
    const uint64_t most = view->options->verbose ? UINT64_MAX : TEXT_LIST_MAX;
    struct table table = {.common_ends = NULL};
    uint64_t printed = 0;

    for (int i = 0; i < COLS; i++)
        table.width[i] = text_columns(columns[i].heading);
    for (size_t i = 0; i < count; i++) {
        const struct transfer_result *t = analyzer_transfer(view->analysis, i);

        if (!view_wants_transfer(view, t))
            continue;
        if (table.wanted++ < most)
            measure_row(view, t, &table);
    }
    fit_title(&table);
    print_heading(&table, out);
    for (size_t i = 0; i < count && printed < table.shown && !ferror(out); i++) {
        const struct transfer_result *t = analyzer_transfer(view->analysis, i);

        if (!view_wants_transfer(view, t))
            continue;
        print_row(view, t, &table, out);
        printed++;
    }
    if (table.wanted > table.shown)
        fprintf(out, "... and %s more (use -v or -T csv)\n",
                units_count(table.wanted - table.shown).text);
    free(table.common_ends);
}
