/* The sender's congestion window and the path under it: a line each in the answer, more below. */
#include "report/text.h"

#include <math.h>
#include <stdlib.h>

#include "report/units.h"
#include "report/words.h"
#include "xmalloc.h"

#define INDENT 3
#define ROW_INDENT 5
/* Fewer cycles are no sawtooth: they are named by their falls. */
#define CYCLES_SHOWN 2
/* The share of the time that makes a second cause. */
#define SHARE_SHOWN_PCT 25
/* A queue below this part of the empty round trip changes nothing that a reader would see. */
#define QUEUE_SHOWN 0.2

static uint64_t whole_segments(uint64_t bytes, uint32_t smss)
{
    return smss > 0 ? (bytes + smss / 2) / smss : 0;
}

static struct units_text segments(uint64_t bytes, uint32_t smss) /* "48 segments" */
{
    return units_things(whole_segments(bytes, smss), "segment", "segments");
}

static const char *family_words(const struct cwnd_facts *c)
{
    static const char *const words[CWND_FAMILIES] = {
        [CWND_UNKNOWN] = NULL,   [CWND_LOSS_BASED] = "loss-based", [CWND_RENO] = "Reno",
        [CWND_CUBIC] = "CUBIC", [CWND_BBR] = "BBR",
    };

    return words[c->family];
}

/* "3 falls by loss, 1 by a time-out"; nothing when it never fell. */
static void list_falls(struct text_list *list, const struct cwnd_facts *c)
{
    static const char *const reasons[CWND_FALLS] = {
        [CWND_FALL_LOSS] = "by loss",
        [CWND_FALL_TIMEOUT] = "by a time-out",
        [CWND_FALL_ECN] = "by a congestion mark",
        [CWND_FALL_IDLE] = "after idle time",
    };
    bool first = true;

    for (int i = 0; i < CWND_FALLS; i++) {
        if (c->decreases[i] == 0)
            continue;
        if (first)
            text_list_add(list, "; ", "%s %s", units_things(c->decreases[i], "fall", "falls").text,
                          reasons[i]);
        else
            text_list_add(list, ", ", "%s %s", units_count(c->decreases[i]).text, reasons[i]);
        first = false;
    }
    if (c->undone > 0)
        text_list_add(list, ", ", "%s taken back", units_count(c->undone).text);
}

/* Before how many falls a queue stood: of the losses where they were judged, as the answer does
 * ("before 13 of 13 the round trip had not grown"); else by the round trip alone. */
static void list_queues(struct text_list *list, const struct direction_result *d)
{
    const struct oscillation_facts *o = &d->cwnd.oscillation;
    const uint64_t judged = d->loss.with_queue + d->loss.without_queue;
    const bool by_loss = judged > 0 && d->cwnd.decreases[CWND_FALL_ECN] == 0;
    const uint64_t queued = by_loss ? d->loss.with_queue : o->after_rtt_growth;
    const uint64_t all = by_loss ? judged : o->falls;
    const char *what = by_loss ? "losses" : "falls";

    if (queued == 0 || queued == all)
        text_list_add(list, "; ", "a queue before %s %s %s", queued == 0 ? "none of" : "all",
                      units_count(all).text, what);
    else
        text_list_add(list, "; ", "a queue before %s of %s %s", units_count(queued).text,
                      units_count(all).text, what);
}

/* "sawtooth: 23 cycles of 2.20 s (15 round trips), 48 -> 24 segments, beta 0.50" */
static void list_sawtooth(struct text_list *list, const struct direction_result *d)
{
    const struct oscillation_facts *o = &d->cwnd.oscillation;

    text_list_add(list, "", "sawtooth: %s of %s", units_things(o->cycles, "cycle", "cycles").text,
                  units_duration(o->period_ns).text);
    if (o->period_rtts >= 0)
        text_list_add(list, " ", "(%.0f round trips)", o->period_rtts);
    if (o->peak_bytes != BYTES_UNKNOWN && o->valley_bytes != BYTES_UNKNOWN)
        text_list_add(list, ", ", "%s -> %s",
                      units_count(whole_segments(o->peak_bytes, d->smss)).text,
                      segments(o->valley_bytes, d->smss).text);
    if (o->beta >= 0)
        text_list_add(list, ", ", "beta %.2f", o->beta);
    list_queues(list, d);
}

static void list_window(struct text_list *list, const struct direction_result *d)
{
    const struct cwnd_facts *c = &d->cwnd;

    if (c->initial_bytes != BYTES_UNKNOWN)
        text_list_add(list, "", "%s at first", segments(c->initial_bytes, d->smss).text);
    if (c->max_bytes != BYTES_UNKNOWN)
        text_list_add(list, ", ", "%s at most", segments(c->max_bytes, d->smss).text);
    list_falls(list, c);
}

/* True when the window held the transfer: elsewhere it is only known to be larger than what was in
 * flight. */
static bool window_matters(const struct direction_result *d)
{
    static const enum limit by_window[] = {LIMIT_SLOW_START, LIMIT_CWND, LIMIT_RECOVERY, LIMIT_RTO,
                                           LIMIT_LINK};
    int64_t held_ns = 0;

    for (size_t i = 0; i < sizeof by_window / sizeof by_window[0]; i++)
        held_ns += d->limit_ns[by_window[i]];
    return d->cwnd.paced || units_share_pct(held_ns, d->elapsed_ns) >= SHARE_SHOWN_PCT;
}

void text_window(const struct view *view, const struct direction_result *d, FILE *out)
{
    const struct cwnd_facts *c = &d->cwnd;
    const char *family = family_words(c);
    struct text_list list = {NULL};

    if (!c->known || !window_matters(d))
        return;
    if (c->paced && c->pacing_bytes_per_s != BYTES_UNKNOWN)
        text_list_add(&list, "", "packets leave at a rate of their own, %s",
                      units_rate_short((double)c->pacing_bytes_per_s, view->options->bits).text);
    else if (c->oscillation.cycles >= CYCLES_SHOWN)
        list_sawtooth(&list, d);
    else
        list_window(&list, d);
    if (list.text != NULL)
        text_paragraph(out, INDENT, INDENT, "Congestion window: %s%s%s.", list.text,
                       family != NULL ? ": " : "", family != NULL ? family : "");
    free(list.text);
}

void text_path(const struct view *view, const struct direction_result *d, FILE *out)
{
    const struct path_facts *p = &d->path;
    struct text_list list = {NULL};

    if (p->queue_p50_ns < 0 || p->min_rtt_ns <= 0 || /* 0: below the resolution of the clock */
        (p->capacity_bytes_per_s < 0 &&
         (double)p->queue_p50_ns < QUEUE_SHOWN * (double)p->min_rtt_ns))
        return;
    text_list_add(&list, "", "round trip %s empty, %s under load: a queue of %s",
                  units_duration(p->min_rtt_ns).text, units_duration(p->loaded_rtt_p50_ns).text,
                  units_duration(p->queue_p50_ns).text);
    if (p->signature != CONGESTION_UNKNOWN)
        text_list_add(&list, ", ", "%s",
                      p->signature == CONGESTION_SELF_INDUCED
                          ? "which this transfer filled itself"
                          : "which stood there before");
    if (p->capacity_bytes_per_s >= 0)
        text_list_add(&list, "; ", "bottleneck %s",
                      units_rate_short(p->capacity_bytes_per_s, view->options->bits).text);
    if (p->capacity_bytes_per_s >= 0 && p->utilisation >= 0)
        text_list_add(&list, ", ", "used to %s", units_pct(100 * p->utilisation).text);
    text_paragraph(out, INDENT, INDENT, "Path: %s.", list.text);
    free(list.text);
}

static void print_estimate(const struct direction_result *d, FILE *out)
{
    const struct cwnd_facts *c = &d->cwnd;
    struct text_list list = {NULL};

    if (c->initial_bytes != BYTES_UNKNOWN)
        text_list_add(&list, "", "%s at first", units_count(c->initial_bytes).text);
    text_list_add(&list, ", ", "%s to %s, mean %s", units_count(c->min_bytes).text,
                  units_bytes(c->max_bytes).text, units_count(c->mean_bytes).text);
    if (c->error_bytes != BYTES_UNKNOWN)
        text_list_add(&list, ", ", "give or take %s", units_bytes(c->error_bytes).text);
    if (c->ssthresh_bytes != BYTES_UNKNOWN)
        text_list_add(&list, "; ", "last ssthresh %s", units_count(c->ssthresh_bytes).text);
    list_falls(&list, c);
    text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "Congestion window (estimate by %s): %s.",
                   c->exact ? "the flight at departure" : "a replica of the sender", list.text);
    free(list.text);
}

static void print_oscillation(const struct oscillation_facts *o, FILE *out)
{
    struct text_list list = {NULL};

    if (o->cycles == 0)
        return;
    text_list_add(&list, "", "%s, %s of them undisturbed",
                  units_things(o->cycles, "cycle", "cycles").text,
                  units_count(o->clean_epochs).text);
    if (o->growth_segments >= 0)
        text_list_add(&list, ", ", "growth of %.2f segments a round trip", o->growth_segments);
    if (o->loss_rate > 0)
        text_list_add(&list, ", ", "one fall in %s segments",
                      units_count((uint64_t)llround(1 / o->loss_rate)).text);
    text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "Oscillation: %s.", list.text);
    free(list.text);
}

static void print_queues(const struct view *view, const struct direction_result *d, FILE *out)
{
    const struct path_facts *p = &d->path;
    struct text_list list = {NULL};

    if (p->queue_p95_ns >= 0)
        text_list_add(&list, "", "queue 95 %% below %s", units_duration(p->queue_p95_ns).text);
    if (p->forward_queue_max_ns >= 0)
        text_list_add(&list, ", ", "from the sender to here at most %s",
                      units_duration(p->forward_queue_max_ns).text);
    if (d->pattern.known && d->pattern.acks.queue_p95_ns >= 0)
        text_list_add(&list, ", ", "of acknowledgments %s",
                      units_duration(d->pattern.acks.queue_p95_ns).text);
    if (p->jitter_ns >= 0)
        text_list_add(&list, ", ", "jitter %s", units_duration(p->jitter_ns).text);
    if (p->delivery_max_bytes_per_s >= 0)
        text_list_add(&list, ", ", "delivered at most %s",
                      units_rate_short(p->delivery_max_bytes_per_s, view->options->bits).text);
    if (p->step_count > 0)
        text_list_add(&list, ", ", "the smallest round trip moved from %s to %s",
                      units_duration(p->steps[0].from_ns).text,
                      units_duration(p->steps[0].to_ns).text);
    if (list.text != NULL)
        text_paragraph(out, ROW_INDENT, ROW_INDENT + 2, "Path: %s.", list.text);
    free(list.text);
}

void text_sender_facts(const struct view *view, const struct direction_result *d, FILE *out)
{
    if (d->cwnd.known && d->cwnd.max_bytes != BYTES_UNKNOWN) {
        print_estimate(d, out);
        print_oscillation(&d->cwnd.oscillation, out);
    }
    print_queues(view, d, out);
}
