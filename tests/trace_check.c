/* What the tap of a trace captured, fed to an analyzer, and the invariants of every result. */
#include "tests/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "xmalloc.h"

#define BATCH 32

static size_t trace_add_capture(const struct trace *t, struct segment *out)
{
    size_t n = 0;

    for (size_t i = 0; i < t->count; i++) {
        const struct trace_packet *packet = &t->packets[i];

        if (!packet->captured)
            continue;
        out[n] = packet->seg;
        out[n++].time_ns = packet->tap_ns + t->options.skew_ns[packet->from];
        if (packet->copy == COPY_NONE)
            continue;
        struct segment *copy = &out[n++];

        *copy = out[n - 2];
        copy->time_ns += packet->copy_delay_ns;
        if (packet->copy == COPY_ROUTED) {
            copy->ttl--;
            copy->link_hash = ~copy->link_hash;
        } else if (packet->copy == COPY_VLAN) {
            copy->vlan = 99;
            copy->vlan_depth = 1;
        } else if (packet->copy == COPY_INTERFACE) {
            copy->interface = 1;
        }
    }
    return n;
}

/* By time; frame holds the order of sending until numbers are given. */
static int trace_compare_segments(const void *left, const void *right)
{
    const struct segment *a = left, *b = right;

    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->frame < b->frame ? -1 : a->frame > b->frame;
}

void trace_feed(struct trace *const *traces, size_t count, struct analyzer *analyzer)
{
    size_t n = 0, total = 1;

    for (size_t i = 0; i < count; i++)
        total += 2 * traces[i]->count;
    struct segment *segments = xcalloc(total, sizeof *segments);

    for (size_t i = 0; i < count; i++)
        n += trace_add_capture(traces[i], segments + n);
    for (size_t i = 0; i < n; i++)
        segments[i].frame = i;
    qsort(segments, n, sizeof *segments, trace_compare_segments);
    for (size_t i = 0; i < n; i++)
        segments[i].frame = i + 1;
    for (size_t i = 0; i < n; i += BATCH)
        analyzer_feed(analyzer, segments + i, n - i < BATCH ? n - i : BATCH);
    free(segments);
}

static void trace_check_direction(const struct direction_result *dir)
{
    int64_t sum = 0;
    uint64_t triggers = 0;

    for (int i = 0; i < LIMIT_COUNT; i++) {
        assert_true(dir->limit_ns[i] >= 0);
        sum += dir->limit_ns[i];
    }
    assert_int_equal(sum, dir->elapsed_ns);
    for (int i = 0; i < REXMIT_TRIGGERS; i++)
        triggers += dir->retransmissions[i];
    assert_int_equal(triggers, dir->retransmitted_segments);
    assert_true(dir->spurious_retransmissions <= dir->retransmitted_segments);
    assert_int_equal(dir->bytes + dir->gap_bytes, dir->stream_bytes);
    assert_true(dir->data_segments <= dir->packets);
    assert_true(dir->window_full_ns >= 0 && dir->window_full_ns <= dir->elapsed_ns);
    assert_true(dir->zero_window_ns >= 0);
    if (dir->rtt.samples != 0) {
        assert_true(dir->rtt.min_ns >= 0);
        assert_true(dir->rtt.min_ns <= dir->rtt.p50_ns && dir->rtt.p50_ns <= dir->rtt.p95_ns);
        assert_true(dir->rtt.p95_ns <= dir->rtt.max_ns);
    } else {
        assert_true(dir->rtt.min_ns == NS_UNKNOWN && dir->rtt.max_ns == NS_UNKNOWN);
    }
}

void trace_check_flow(const struct flow_result *flow)
{
    trace_check_direction(&flow->dir[C2S]);
    trace_check_direction(&flow->dir[S2C]);
    assert_true(flow->start_ns <= flow->end_ns);
    assert_true(flow->first_frame >= 1 && flow->first_frame <= flow->last_frame);
}

void trace_analyze(struct trace *const *traces, size_t count, struct trace_findings *findings)
{
    struct analyzer_options options = {.max_flows = 0};
    struct analyzer *analyzer = analyzer_new(&options);

    trace_feed(traces, count, analyzer);
    analyzer_finish(analyzer);
    memset(findings, 0, sizeof *findings);
    findings->counts = *analyzer_counts(analyzer);
    findings->flow_count = analyzer_flow_count(analyzer);
    for (uint64_t id = 1; id <= findings->flow_count && id <= TRACE_FLOWS_MAX; id++) {
        analyzer_flow(analyzer, id, &findings->flows[id - 1]);
        trace_check_flow(&findings->flows[id - 1]);
    }
    analyzer_free(analyzer);
}

void trace_result(struct trace *t, struct flow_result *flow)
{
    struct trace_findings findings;

    trace_analyze(&t, 1, &findings);
    trace_free(t);
    assert_int_equal(findings.flow_count, 1);
    *flow = findings.flows[0];
}
