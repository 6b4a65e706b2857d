/* -T csv: RFC 4180, a header with units, one row a flow.  A million rows are formatted by hand into
 * one buffer: printf would cost more than the analysis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats.h"
#include "report/view.h"
#include "report/words.h"
#include "xmalloc.h"

#define BUFFER_SIZE 65536
#define ROW_MAX 2048 /* every field is a number, an address or a word of ours */

struct row {
    char *start, *end; /* in a buffer with room for ROW_MAX */
};

static void put_separator(struct row *row)
{
    *row->end++ = ',';
}

/* A word of ours: no comma, quote or line end, so nothing needs quotes. */
static void put_word(struct row *row, const char *word)
{
    if (word != NULL) {
        const size_t length = strlen(word);

        memcpy(row->end, word, length);
        row->end += length;
    }
    put_separator(row);
}

static char *append_long(char *out, uint64_t value)
{
    char digits[20];
    int count = 0;

    for (; value > UINT32_MAX; value /= 10)
        digits[count++] = (char)('0' + value % 10);
    for (uint32_t rest = (uint32_t)value; rest != 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    while (count > 0)
        *out++ = digits[--count];
    return out;
}

static inline char *append_digits(char *out, uint64_t value)
{
    if (value >= 10)
        return append_long(out, value);
    *out = (char)('0' + value); /* most fields of a short connection */
    return out + 1;
}

static inline void put_count(struct row *row, uint64_t count)
{
    row->end = append_digits(row->end, count);
    put_separator(row);
}

/* Unknown is an empty field. */
static void put_known(struct row *row, uint64_t value, bool known)
{
    if (known)
        put_count(row, value);
    else
        put_separator(row);
}

#define DECIMALS_MAX 9

/* The fraction of a number, rest / 10^decimals, without zeros at its end. */
static void put_fraction(struct row *row, uint32_t rest, int decimals)
{
    for (; rest % 10 == 0; decimals--)
        rest /= 10;
    *row->end = '.';
    for (int i = decimals; i > 0; i--, rest /= 10)
        row->end[i] = (char)('0' + rest % 10);
    row->end += decimals + 1;
}

/* value / 10^decimals; below 0 (NS_UNKNOWN too) is unknown.  In line: a division by a constant is
 * none. */
static inline __attribute__((always_inline)) void
put_decimal(struct row *row, int64_t value, const int decimals)
{
    static const uint32_t scales[DECIMALS_MAX + 1] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    uint32_t rest;

    if (value < 0) {
        put_separator(row);
        return;
    }
    rest = (uint32_t)((uint64_t)value % scales[decimals]);
    row->end = append_digits(row->end, (uint64_t)value / scales[decimals]);
    if (rest != 0)
        put_fraction(row, rest, decimals);
    put_separator(row);
}

static void put_seconds(struct row *row, int64_t ns)
{
    put_decimal(row, ns, 9);
}

static void put_ms(struct row *row, int64_t ns)
{
    put_decimal(row, ns, 6);
}

/* To 0.1; below 0 is unknown. */
static void put_pct(struct row *row, double pct)
{
    put_decimal(row, pct >= 0 ? (int64_t)(10 * fmin(pct, 100) + 0.5) : -1, 1);
}

static void put_endpoint(struct row *row, const struct view *view, const struct endpoint *end)
{
    row->end += view_address(view, &end->addr, row->end);
    put_separator(row);
    put_count(row, end->port);
}

/* Whole bytes a second; below 0 and beyond all reason is unknown. */
static void put_rate(struct row *row, double bytes_per_s)
{
    const bool known = bytes_per_s >= 0 && bytes_per_s < 1e18;

    put_known(row, known ? (uint64_t)(bytes_per_s + 0.5) : 0, known);
}

static void put_goodput(struct row *row, const struct direction_result *d)
{
    put_rate(row, d->elapsed_ns > 0 ? (double)d->bytes * 1e9 / (double)d->elapsed_ns : -1);
}

/* The limit that owns most of the direction's time, and its share. */
static void put_largest_limit(struct row *row, const struct direction_result *d)
{
    int largest = 0;

    for (int i = 1; i < LIMIT_COUNT; i++)
        if (d->limit_ns[i] > d->limit_ns[largest])
            largest = i;
    if (d->elapsed_ns <= 0 || d->limit_ns[largest] <= 0) {
        put_separator(row);
        put_separator(row);
        return;
    }
    put_word(row, limit_name((enum limit)largest));
    put_pct(row, 100 * ((double)d->limit_ns[largest] / (double)d->elapsed_ns));
}

static void put_direction(struct row *row, const struct direction_result *d)
{
    const bool window_known =
        d->window_scale_source != SCALE_UNKNOWN && d->rwnd_max_bytes != BYTES_UNKNOWN;

    put_count(row, d->packets);
    put_count(row, d->data_segments);
    put_count(row, d->bytes);
    put_count(row, d->gap_bytes);
    put_seconds(row, d->elapsed_ns);
    put_goodput(row, d);
    put_known(row, d->smss, d->smss > 0);
    put_known(row, (uint64_t)d->window_scale, d->window_scale >= 0);
    put_count(row, d->retransmitted_segments);
    put_count(row, d->loss_events);
    put_count(row, d->reordered_segments);
    put_ms(row, d->rtt.samples > 0 ? d->rtt.min_ns : NS_UNKNOWN);
    put_ms(row, d->rtt.samples > 0 ? d->rtt.p50_ns : NS_UNKNOWN);
    put_known(row, d->rwnd_max_bytes, window_known);
    put_seconds(row, d->zero_window_ns);
    put_known(row, d->flight_max_bytes, d->flight_max_bytes != BYTES_UNKNOWN);
    put_largest_limit(row, d);
    put_known(row, d->cwnd.mean_bytes, d->cwnd.mean_bytes != BYTES_UNKNOWN);
    put_known(row, d->cwnd.max_bytes, d->cwnd.max_bytes != BYTES_UNKNOWN);
    put_known(row, d->cwnd.oscillation.cycles, d->cwnd.known);
    put_word(row, d->cwnd.known ? cwnd_family_name(d->cwnd.family) : NULL);
    put_ms(row, d->path.queue_p50_ns);
    put_rate(row, d->path.capacity_bytes_per_s);
}

#define DIRECTION_COLUMNS(d)                                                                       \
    d "_packets," d "_data_segments," d "_bytes," d "_gap_bytes," d "_elapsed_s,"                  \
    d "_goodput_bytes_per_s," d "_smss_bytes," d "_window_scale," d "_retransmitted_segments,"     \
    d "_loss_events," d "_reordered_segments," d "_rtt_min_ms," d "_rtt_p50_ms,"                   \
    d "_rwnd_max_bytes," d "_zero_window_s," d "_flight_max_bytes," d "_largest_limit,"            \
    d "_largest_limit_pct," d "_cwnd_mean_bytes," d "_cwnd_max_bytes," d "_cwnd_cycles,"           \
    d "_congestion_control," d "_queue_p50_ms," d "_capacity_bytes_per_s"

static const char header[] =
    "id,client_addr,client_port,server_addr,server_port,role_known,state,protocol,transfer_id,"
    "cause,cause_share_pct,confidence,second_cause,start_s,duration_s,position,handshake_rtt_ms," DIRECTION_COLUMNS("c2s") ","
    DIRECTION_COLUMNS("s2c") "\r\n";

/* Of the transfer that the flow carried; empty without one. */
static void put_verdict(struct row *row, const struct transfer_result *t)
{
    const struct verdict *v = t != NULL ? &t->verdict : NULL;

    put_known(row, v != NULL ? t->id : 0, v != NULL);
    put_word(row, v == NULL ? NULL : v->cause != NULL ? v->cause : "unknown");
    put_pct(row, v != NULL ? v->share_pct : -1);
    put_word(row, v != NULL ? words_confidence(v->confidence) : NULL);
    put_word(row, v != NULL ? v->second_cause : NULL);
}

static void put_flow(struct row *row, const struct view *view, const struct flow_result *f)
{
    put_count(row, f->id);
    put_endpoint(row, view, &f->client);
    put_endpoint(row, view, &f->server);
    put_word(row, f->role_known ? "true" : "false");
    put_word(row, words_state(f->state));
    put_word(row, view_protocol_of_flow(view, f->id));
    put_verdict(row, view_transfer_of_flow(view, f->id));
    put_seconds(row, view_since_start(view, f->start_ns));
    put_seconds(row, f->end_ns - f->start_ns);
    put_word(row, words_position(f->position));
    put_ms(row, f->handshake_rtt_ns);
    put_direction(row, &f->dir[C2S]);
    put_direction(row, &f->dir[S2C]);
    row->end[-1] = '\r'; /* in place of the last comma */
    *row->end++ = '\n';
}

static void write_rows(const struct view *view, FILE *out)
{
    const uint64_t count = analyzer_flow_count(view->analysis);
    const bool all = view_wants_all(view);
    struct flow_result *flow = xmalloc(sizeof *flow);
    char *buffer = xmalloc(BUFFER_SIZE);
    struct row row = {buffer, buffer};

    for (uint64_t id = 1; id <= count && !ferror(out); id++) {
        if (!analyzer_flow(view->analysis, id, flow) || (!all && !view_wants_flow(view, flow)))
            continue;
        put_flow(&row, view, flow);
        if (row.end - row.start > BUFFER_SIZE - ROW_MAX) {
            fwrite(row.start, 1, (size_t)(row.end - row.start), out);
            row.end = row.start;
        }
    }
    fwrite(row.start, 1, (size_t)(row.end - row.start), out);
    free(buffer);
    free(flow);
}

static int write_csv(const struct report_input *input, FILE *out)
{
    struct view view;

    view_open(&view, input);
    fwrite(header, 1, sizeof header - 1, out);
    write_rows(&view, out);
    view_close(&view);
    return report_end(out);
}

const struct report_format report_csv = {"csv", "one row a flow, RFC 4180", write_csv};
