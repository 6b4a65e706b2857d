/* What is known of one direction of a connection: where its time went, and the plain figures. */
#include "report/text.h"

#include <stdlib.h>

#include "analysis/cause/phrase.h"
#include "report/units.h"
#include "report/words.h"
#include "xmalloc.h"

#define INDENT 3
#define ROW_INDENT 5
#define NAME_WIDTH 24
#define FIGURE_WIDTH 12
#define PCT_WIDTH 8

void text_time_table(const struct direction_result *d, FILE *out)
{
    if (d->elapsed_ns <= 0)
        return;
    text_paragraph(out, INDENT, INDENT, "Where %s went, first data to last acknowledgment "
                   "(longest stretch, and the frame that ended it):",
                   units_duration(d->elapsed_ns).text);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        const struct limit_span *worst = &d->worst[i];

        if (d->limit_ns[i] <= 0)
            continue;
        fprintf(out, "%*s", ROW_INDENT, "");
        text_left(out, phrase_limit((enum limit)i), NAME_WIDTH);
        text_right(out, units_duration(d->limit_ns[i]).text, FIGURE_WIDTH);
        text_right(out, units_pct(units_share_pct(d->limit_ns[i], d->elapsed_ns)).text, PCT_WIDTH);
        if (worst->duration_ns > 0 && worst->to_frame > 0)
            fprintf(out, "  max %s, frame %s", units_duration(worst->duration_ns).text,
                    units_count(worst->to_frame).text);
        fputc('\n', out);
    }
}

static void print_round_trips(const struct direction_result *d, FILE *out)
{
    const struct sample_summary *rtt = &d->rtt;

    if (rtt->samples > 0)
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2,
                       "Round trip: least %s, median %s, 95 %% below %s, most %s (%s).",
                       units_duration(rtt->min_ns).text, units_duration(rtt->p50_ns).text,
                       units_duration(rtt->p95_ns).text, units_duration(rtt->max_ns).text,
                       units_things(rtt->samples, "sample", "samples").text);
    else
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "Round trip: not known.");
}

static const char *scale_words(enum scale_source source)
{
    static const char *const words[] = {
        [SCALE_UNKNOWN] = "not known",
        [SCALE_OPTION] = "from the SYNs",
        [SCALE_EXACT] = "derived from how the window moved",
        [SCALE_AT_LEAST] = "at least, no SYN in the capture",
    };

    return words[source];
}

static void print_window(const struct direction_result *d, FILE *out)
{
    if (d->window_scale_source == SCALE_UNKNOWN || d->rwnd_max_bytes == BYTES_UNKNOWN)
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2,
                       "Receiver's window: not known in bytes (no SYN, no scale).");
    else
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2,
                       "Receiver's window: %s to %s, mean %s; scale %d (%s).",
                       units_count(d->rwnd_min_bytes).text, units_bytes(d->rwnd_max_bytes).text,
                       units_count(d->rwnd_mean_bytes).text, (int)d->window_scale,
                       scale_words(d->window_scale_source));
    if (d->zero_window_episodes > 0)
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "Window closed %s, for %s in all.",
                       units_things(d->zero_window_episodes, "time", "times").text,
                       units_duration(d->zero_window_ns).text);
    if (d->rounds > 0 && d->rounds_window_full > 0)
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "Window full in %s of %s.",
                       units_count(d->rounds_window_full).text,
                       units_things(d->rounds, "round trip", "round trips").text);
}

static void print_flight(const struct direction_result *d, FILE *out)
{
    if (d->flight_max_bytes != BYTES_UNKNOWN)
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2,
                       "In flight: mean %s, most %s; segments of %s.",
                       d->flight_mean_bytes != BYTES_UNKNOWN
                           ? units_count(d->flight_mean_bytes).text
                           : "not known",
                       units_bytes(d->flight_max_bytes).text, units_bytes(d->smss).text);
}

static void print_repairs(const struct direction_result *d, FILE *out)
{
    struct text_list list = {NULL};
    const uint64_t *by = d->retransmissions;

    text_list_add(&list, "", "Sent again: %s of %s",
                  units_count(d->retransmitted_segments).text,
                  units_things(d->data_segments, "data packet", "data packets").text);
    if (by[REXMIT_FAST] > 0)
        text_list_add(&list, ", ", "%s fast", units_count(by[REXMIT_FAST]).text);
    if (by[REXMIT_RTO] > 0)
        text_list_add(&list, ", ", "%s after a time-out", units_count(by[REXMIT_RTO]).text);
    if (by[REXMIT_TAIL_PROBE] > 0)
        text_list_add(&list, ", ", "%s as a tail probe", units_count(by[REXMIT_TAIL_PROBE]).text);
    if (by[REXMIT_UNKNOWN] > 0)
        text_list_add(&list, ", ", "%s not known why", units_count(by[REXMIT_UNKNOWN]).text);
    if (d->spurious_retransmissions > 0)
        text_list_add(&list, ", ", "%s needlessly", units_count(d->spurious_retransmissions).text);
    if (d->loss_events > 0)
        text_list_add(&list, "; ", "%s",
                      units_things(d->loss_events, "loss event", "loss events").text);
    if (d->reordered_segments > 0)
        text_list_add(&list, "; ", "%s out of order", units_count(d->reordered_segments).text);
    if (d->gap_bytes > 0)
        text_list_add(&list, "; ", "%s not captured", units_bytes(d->gap_bytes).text);
    text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "%s.", list.text);
    free(list.text);
}

static void print_vantage(const struct flow_result *flow, FILE *out)
{
    struct text_list list = {NULL};

    if (flow->position == TAP_UNKNOWN)
        text_list_add(&list, "", "Captured at a place that is not known");
    else
        text_list_add(&list, "", "Captured %s%s", flow->position == TAP_MIDDLE ? "between the two"
                                                                               : "near the ",
                      flow->position == TAP_MIDDLE ? "" : words_position(flow->position));
    if (flow->client_leg_ns >= 0 && flow->server_leg_ns >= 0)
        text_list_add(&list, ", ", "%s to the client and back, %s to the server",
                      units_duration(flow->client_leg_ns).text,
                      units_duration(flow->server_leg_ns).text);
    text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "%s.", list.text);
    free(list.text);
}

void text_direction_facts(const struct view *view, const struct flow_result *flow,
                          enum direction direction, FILE *out)
{
    const struct direction_result *d = &flow->dir[direction];

    text_paragraph(out, INDENT, INDENT, "Other facts:");
    print_round_trips(d, out);
    print_window(d, out);
    print_flight(d, out);
    text_sender_facts(view, d, out);
    print_repairs(d, out);
    text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "SACK %s, timestamps %s, ECN %s.",
                   d->sack_permitted ? "in force" : "not in force",
                   d->timestamps ? "in use" : "not in use", d->ecn ? "in force" : "not in force");
    print_vantage(flow, out);
    if (d->longest_silence_ns > 0 && d->longest_silence_frame > 0)
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2,
                       "Longest silence of the sender: %s, before frame %s.",
                       units_duration(d->longest_silence_ns).text,
                       units_count(d->longest_silence_frame).text);
}
