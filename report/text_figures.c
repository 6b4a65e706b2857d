/* --evidence: every number that a verdict's arithmetic uses, with the frames or fields that show
 * it, so that the sums can be done again by hand. */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/units.h"
#include "xmalloc.h"

#define INDENT 3
#define ROW_INDENT 5
#define NAME_WIDTH 27
#define FIGURE_WIDTH 15
#define LINK_WIDTH 16
#define PCT_WIDTH 10
#define NEEDED_WIDTH 24
#define WHERE_COLUMN (ROW_INDENT + 3 + NAME_WIDTH + FIGURE_WIDTH + 2)

/* One row: symbol, what it is, its value, and where it is seen (a format and its arguments). */
static void print_figure(FILE *out, char symbol, const char *name, struct units_text value,
                         const char *where)
{
    text_paragraph(out, ROW_INDENT, WHERE_COLUMN, "%c  %-*s%*s  %s", symbol, NAME_WIDTH, name,
                   FIGURE_WIDTH, value.text, where);
}

static void print_at_frame(FILE *out, char symbol, const char *name, struct units_text value,
                           uint64_t frame, const char *field)
{
    char *where = frame > 0 ? xasprintf("frame %s: %s", units_count(frame).text, field)
                            : xstrdup(field);

    print_figure(out, symbol, name, value, where);
    free(where);
}

static void print_window(const struct direction_result *d, FILE *out)
{
    if (d->rwnd_max_bytes != BYTES_UNKNOWN && d->window_scale_source != SCALE_UNKNOWN)
        print_at_frame(out, 'W', "receiver's largest window", units_bytes(d->rwnd_max_bytes),
                       d->rwnd_max_frame, "tcp.window_size");
    if (d->flight_max_bytes != BYTES_UNKNOWN)
        print_figure(out, 'F', "largest flight, at sender", units_bytes(d->flight_max_bytes),
                     "tcp.analysis.bytes_in_flight");
    if (d->smss > 0)
        print_figure(out, 'S', "full segment", units_bytes(d->smss), "tcp.len");
}

static void print_round_trips(const struct flow_result *flow, const struct direction_result *d,
                              FILE *out)
{
    char *where;

    if (d->rtt.samples > 0) {
        where = xasprintf("tcp.analysis.ack_rtt (%s)", units_count(d->rtt.samples).text);
        print_figure(out, 'R', "least round trip", units_duration(d->rtt.min_ns), where);
        print_figure(out, 'r', "median round trip", units_duration(d->rtt.p50_ns), "its median");
        free(where);
    }
    if (flow->handshake_rtt_ns != NS_UNKNOWN)
        print_figure(out, 'H', "handshake", units_duration(flow->handshake_rtt_ns),
                     "tcp.analysis.initial_rtt");
}

static void print_rate(const struct view *view, const struct transfer_result *t,
                       const struct direction_result *d, FILE *out)
{
    char *where = xasprintf("frames %s to %s: tcp.len",
                            units_count(d->first_data_frame).text,
                            units_count(d->last_data_frame).text);

    print_figure(out, 'B', "bytes", units_bytes(d->bytes), where);
    free(where);
    if (t->bulk_ns > 0) {
        print_figure(out, 'T', "first data to last ACK", units_duration(t->bulk_ns),
                     "frame.time_relative");
        print_figure(out, 'G', "measured: B / T",
                     units_rate_short(t->goodput_bytes_per_s, view->options->bits), "");
    }
}

/* The bounds are sums over the figures above. */
static void print_sums(const struct view *view, const struct verdict *v, FILE *out)
{
    static const struct {
        const char *bound, *sum;
    } sums[] = {
        {"window_over_rtt", "W / R"},
        {"slow_start", "IW doubled each R, to B"},
        {"loss_model", "1.22 S / (R sqrt p)"},
    };

    for (int i = 0; i < v->bound_count; i++)
        for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++)
            if (strcmp(v->bounds[i].name, sums[k].bound) == 0)
                print_figure(out, '=', sums[k].sum,
                             units_rate_short(v->bounds[i].bytes_per_s, view->options->bits),
                             "");
}

static void print_losses(const struct direction_result *d, FILE *out)
{
    if (d->retransmitted_segments > 0)
        print_figure(out, 'n', "sent again",
                     units_things(d->retransmitted_segments, "segment", "segments"),
                     "tcp.analysis.retransmission");
    if (d->loss_events > 0)
        print_figure(out, 'p', "loss events, by segments",
                     units_things(d->loss_events, "event", "events"),
                     "one for all resends of a repair");
}

/* What the window fills of links of 2, 20 and 200 Mbit/s, and of the one given: W / (R x rate). */
static void print_efficiencies(const struct verdict *v, FILE *out)
{
    if (v->efficiency_count == 0)
        return;
    text_paragraph(out, INDENT, INDENT,
                   "Of a link the largest window fills W / (R x rate), and what would fill it:");
    for (int i = 0; i < v->efficiency_count && i < VERDICT_EFFICIENCIES_MAX; i++) {
        const struct window_efficiency *e = &v->efficiencies[i];

        fprintf(out, "%*s", ROW_INDENT, "");
        text_left(out, units_rate_short(e->link_bytes_per_s, true).text, LINK_WIDTH);
        text_right(out, units_pct(100 * e->share).text, PCT_WIDTH);
        text_right(out, units_bytes((uint64_t)fmin(fmax(e->needed_bytes, 0), 1e18)).text,
                   NEEDED_WIDTH);
        fputc('\n', out);
    }
}

void text_figures(const struct view *view, const struct transfer_result *t,
                  const struct flow_result *flow, FILE *out)
{
    const struct direction_result *d = &flow->dir[t->direction];

    if (!view->options->evidence || d->data_segments == 0)
        return;
    text_paragraph(out, INDENT, INDENT, "Figures, and where each is seen:");
    print_window(d, out);
    print_round_trips(flow, d, out);
    print_rate(view, t, d, out);
    print_losses(d, out);
    print_sums(view, &t->verdict, out);
    print_efficiencies(&t->verdict, out);
}
