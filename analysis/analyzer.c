#include "analysis/analyzer.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/session/bulk.h"
#include "analysis/cause/causes.h"
#include "analysis/connection/connection.h"
#include "analysis/connection/reaper.h"
#include "analysis/connection/routing.h"
#include "analysis/connection/steady.h"
#include "analysis/facts/streams.h"
#include "analysis/connection/summary.h"
#include "analysis/connection/tracker.h"
#include "xmalloc.h"

#define DEFAULT_MAX_FLOWS 1000000u
/* Keys hashed, slots and records on their way to the cache at a time. */
#define BATCH 32u
/* The details of so many flows stay in the cache by themselves. */
#define FEW_FLOWS 64u
/* The others' are sent for so many segments ahead: their records are there by then. */
#define DETAILS_AHEAD 12u

struct analyzer {
    struct analyzer_options options;
    struct tracker tracker;
    struct reaper reaper;
    struct event_log events;
};

static void forget_flow(void *context, struct flow *flow)
{
    struct analyzer *a = context;

    connection_finish(&a->tracker, flow);
    summary_free(flow->summary);
    flow->summary = NULL;
    flow->id = 0;
}

struct analyzer *analyzer_new(const struct analyzer_options *options)
{
    struct analyzer *a = xcalloc(1, sizeof *a);

    if (options != NULL)
        a->options = *options;
    if (a->options.max_flows == 0)
        a->options.max_flows = DEFAULT_MAX_FLOWS;
    a->tracker.flows = flow_table_new(a->options.max_flows, forget_flow, a);
    a->tracker.details = detail_pool_new();
    a->tracker.sessions = sessions_new(a->options.commands, a->options.show_passwords);
    a->tracker.events = a->options.events ? &a->events : NULL;
    a->tracker.series = a->options.series;
    a->tracker.counts.first_ns = a->tracker.counts.last_ns = NS_UNKNOWN;
    return a;
}

static void close_flow(struct analyzer *a, struct flow *flow)
{
    if (flow != NULL)
        connection_finish(&a->tracker, flow);
}

static void take(struct analyzer *a, struct flow *flow, enum direction dir,
                 const struct segment *seg)
{
    if (connection_segment(&a->tracker, flow, dir, seg) == CONNECTION_CLOSING &&
        (flow->marks & FLOW_CLOSING) == 0) {
        flow->marks |= FLOW_CLOSING;
        close_flow(a, reaper_add(&a->reaper, flow, seg->time_ns));
    }
}

/* Whether the flow with a segment's five-tuple is the segment's.  What is not plain, the table and
 * routing decide. */
static inline bool is_plain(const struct flow *flow, const struct segment *seg)
{
    return seg->vlan == 0 && (seg->flags & TCP_SYN) == 0 &&
           (flow->marks & (FLOW_REPLACED | FLOW_TAGGED)) == 0 && flow->id != 0;
}

/* A segment whose flow must be looked up or made. */
static void feed_looked_up(struct analyzer *a, const struct segment *seg)
{
    struct flow_key key;
    enum direction dir;
    struct flow *replaced;

    flow_key_of(a->tracker.flows, seg, &key);
    struct flow *flow = routing_flow(&a->tracker, &key, seg, &dir, &replaced);
    close_flow(a, replaced);
    take(a, flow, dir, seg);
}

static inline void prefetch_detail(const struct flow_hint *hint)
{
    if (hint->flow != NULL)
        detail_prefetch(hint->flow->detail);
}

static void feed_batch(struct analyzer *a, const struct segment *segments, size_t count)
{
    struct flow_hint hints[BATCH];

    flow_table_seek(a->tracker.flows, segments, count, hints);
    const size_t ahead = flow_table_count(a->tracker.flows) > FEW_FLOWS ? DETAILS_AHEAD : count;
    for (size_t i = 0; i < ahead && i < count && ahead < count; i++)
        prefetch_detail(&hints[i]);
    for (size_t i = 0; i < count; i++) {
        if (i + ahead < count)
            prefetch_detail(&hints[i + ahead]);
        struct flow *flow = hints[i].flow;
        const struct segment *seg = &segments[i];
        /* the segments before it in the batch may have given the record to another flow */
        if (flow == NULL || !flow_is_of(flow, hints[i].swapped, seg)) {
            feed_looked_up(a, seg);
            continue;
        }
        enum direction dir = flow_direction(flow, hints[i].swapped);
        if (steady_segment(&a->tracker, flow, dir, seg))
            continue;
        if (!is_plain(flow, seg)) {
            feed_looked_up(a, seg);
            continue;
        }
        routing_note_first(flow, dir, seg);
        take(a, flow, dir, seg);
    }
}

void analyzer_feed(struct analyzer *a, const struct segment *segments, size_t count)
{
    struct analysis_counts *counts = &a->tracker.counts;

    if (count == 0)
        return;
    if (counts->first_ns == NS_UNKNOWN)
        counts->first_ns = segments[0].time_ns;
    for (size_t i = 0; i < count; i += BATCH)
        feed_batch(a, &segments[i], count - i < BATCH ? count - i : BATCH);
    counts->segments += count;
    if (segments[count - 1].time_ns > counts->last_ns)
        counts->last_ns = segments[count - 1].time_ns;
    struct flow *flow;
    while ((flow = reaper_due(&a->reaper, counts->last_ns)) != NULL)
        close_flow(a, flow);
}

/* A router could not pass on a segment of a flow that is open: its sender must know. */
static void note_too_big(struct analyzer *a, const struct notice *notice)
{
    const struct segment quoted = {
        .src = notice->quoted_src, .dst = notice->quoted_dst,
        .src_port = notice->quoted_src_port, .dst_port = notice->quoted_dst_port};
    struct flow_key key;

    flow_key_of(a->tracker.flows, &quoted, &key);
    struct flow *flow = flow_table_find(a->tracker.flows, &key);
    if (flow == NULL || (flow->marks & FLOW_ENDED) != 0)
        return;
    struct detail *detail = detail_get(a->tracker.details, flow, true);
    if (detail != NULL)
        loss_note_too_big(&detail->side[flow_direction(flow, key.swapped)], notice->frame,
                          notice->mtu_bytes);
}

void analyzer_notice(struct analyzer *a, const struct notice *notice)
{
    struct analysis_counts *counts = &a->tracker.counts;

    switch (notice->kind) {
    case NOTICE_FRAGMENTATION_NEEDED:
        counts->icmp_fragmentation_needed++;
        note_too_big(a, notice);
        break;
    case NOTICE_UNREACHABLE:
        counts->icmp_unreachable++;
        break;
    case NOTICE_TIME_EXCEEDED:
    case NOTICE_OTHER_ICMP:
        counts->icmp_other++;
        break;
    case NOTICE_DNS_QUERY:
        counts->dns_queries++;
        break;
    case NOTICE_DNS_ANSWER:
        counts->dns_answers++;
        break;
    }
    sessions_notice(a->tracker.sessions, notice);
}

void analyzer_set_drops(struct analyzer *a, uint64_t drops)
{
    a->options.capture_drops = drops;
}

/* One acknowledgment may answer a SYN that passed elsewhere, and a FIN brings one more: three are
 * answers to data. */
#define ACKS_OF_DATA 3

static bool data_went_elsewhere(const struct flow *flow)
{
    return (flow->marks & (FLOW_BOTH_WAYS | FLOW_HAS_DATA)) == 0 &&
           (flow->half[C2S].acks >= ACKS_OF_DATA || flow->half[S2C].acks >= ACKS_OF_DATA);
}

/* Counts over all flows, once they have ended. */
static void count_flow(struct analysis_counts *counts, const struct flow *flow)
{
    counts->flows++;
    counts->one_way_flows += (flow->marks & FLOW_BOTH_WAYS) == 0;
    counts->unseen_data_flows += data_went_elsewhere(flow);
    counts->syn_missing_flows += (flow->marks & FLOW_SYN_SEEN) == 0;
    counts->unfollowed_flows += (flow->marks & FLOW_UNFOLLOWED) != 0;
    counts->rst_ignored += flow->rst_ignored;
    for (int dir = 0; dir < 2; dir++) {
        counts->implausible_segments += flow->half[dir].implausible_segments;
        counts->late_segments += flow->half[dir].late_segments;
    }
    summary_count(flow, counts);
}

static void lookup_flow(void *context, uint64_t id, struct flow_result *out)
{
    (void)analyzer_flow(context, id, out);
}

/* Say of each transfer which others shared its hosts and its time. */
static void match_streams(struct analyzer *a, struct flow_result *flow)
{
    size_t count = sessions_transfer_count(a->tracker.sessions), held = 0;
    struct stream *streams = xcalloc(count > 0 ? count : 1, sizeof *streams);

    for (size_t i = 0; i < count; i++) {
        struct transfer_result *transfer = sessions_transfer(a->tracker.sessions, i);
        transfer->parallel_streams = 0;
        transfer->parallel_bytes_per_s = -1;
        if (transfer->bulk_ns <= 0 || !analyzer_flow(a, transfer->flow_id, flow))
            continue;
        bool to_server = transfer->direction == C2S;
        streams[held++] = (struct stream){
            .sender = to_server ? flow->client.addr : flow->server.addr,
            .receiver = to_server ? flow->server.addr : flow->client.addr,
            .start_ns = transfer->bulk_start_ns,
            .span_ns = transfer->bulk_ns,
            .bytes = transfer->bytes,
            .index = i,
        };
    }
    streams_match(streams, held);
    for (size_t i = 0; i < held; i++) {
        struct transfer_result *transfer =
            sessions_transfer(a->tracker.sessions, streams[i].index);
        transfer->parallel_streams = streams[i].parallel;
        transfer->parallel_bytes_per_s = streams[i].bytes_per_s;
    }
    free(streams);
}

static void judge_transfers(struct analyzer *a)
{
    struct flow_result *flow = xmalloc(sizeof *flow);

    match_streams(a, flow);

    for (size_t i = 0; i < sessions_transfer_count(a->tracker.sessions); i++) {
        struct transfer_result *transfer = sessions_transfer(a->tracker.sessions, i);
        analyzer_flow(a, transfer->flow_id, flow);
        causes_judge(transfer, flow, &a->options, &transfer->verdict);
    }
    free(flow);
}

void analyzer_finish(struct analyzer *a)
{
    struct tracker *t = &a->tracker;
    struct flow_result *result = xmalloc(sizeof *result);
    struct bulk_list bulk = {0};

    flow_table_sort(t->flows);
    for (uint64_t id = 1; id <= flow_table_last_id(t->flows); id++) {
        struct flow *flow = flow_table_by_id(t->flows, id);
        if (flow == NULL)
            continue;
        connection_finish(t, flow);
        count_flow(&t->counts, flow);
        if ((flow->marks & FLOW_BULK) == 0)
            continue;
        summary_result(flow, result);
        bulk_add(&bulk, id, result->dir[C2S].bytes > result->dir[S2C].bytes
                                ? result->dir[C2S].bytes
                                : result->dir[S2C].bytes);
    }
    free(result);
    t->counts.evicted_flows = flow_table_evictions(t->flows);
    size_t count = bulk_choose(&bulk);
    t->counts.transfers_not_listed = bulk.left_out;
    sessions_finish(t->sessions, bulk.ids, count, lookup_flow, a);
    bulk_free(&bulk);
    judge_transfers(a);
    t->counts.transfers = sessions_transfer_count(t->sessions);
    t->counts.sessions = sessions_count(t->sessions);
    t->counts.commands_dropped = sessions_dropped(t->sessions);
    t->counts.events_dropped = a->events.dropped;
}

const struct analysis_counts *analyzer_counts(const struct analyzer *a)
{
    return &a->tracker.counts;
}

uint64_t analyzer_flow_count(const struct analyzer *a)
{
    return flow_table_last_id(a->tracker.flows);
}

bool analyzer_flow(const struct analyzer *a, uint64_t id, struct flow_result *out)
{
    const struct flow *flow = flow_table_by_id(a->tracker.flows, id);

    flow_table_prefetch(a->tracker.flows, id + 1);
    if (flow == NULL) {
        memset(out, 0, sizeof *out);
        return false;
    }
    summary_result(flow, out);
    return true;
}

size_t analyzer_transfer_count(const struct analyzer *a)
{
    return sessions_transfer_count(a->tracker.sessions);
}

const struct transfer_result *analyzer_transfer(const struct analyzer *a, size_t index)
{
    return sessions_transfer(a->tracker.sessions, index);
}

size_t analyzer_session_count(const struct analyzer *a)
{
    return sessions_count(a->tracker.sessions);
}

const struct session_result *analyzer_session(const struct analyzer *a, size_t index)
{
    return sessions_get(a->tracker.sessions, index);
}

size_t analyzer_event_count(const struct analyzer *a)
{
    return a->events.count;
}

const struct event_result *analyzer_event(const struct analyzer *a, size_t index)
{
    return &a->events.list[index];
}

void analyzer_free(struct analyzer *a)
{
    if (a == NULL)
        return;
    flow_table_sort(a->tracker.flows);
    for (uint64_t id = 1; id <= flow_table_last_id(a->tracker.flows); id++) {
        struct flow *flow = flow_table_by_id(a->tracker.flows, id);
        if (flow == NULL)
            continue;
        connection_finish(&a->tracker, flow);
        summary_free(flow->summary);
    }
    flow_table_free(a->tracker.flows);
    detail_pool_free(a->tracker.details);
    sessions_free(a->tracker.sessions);
    free(a->events.list);
    free(a);
}
