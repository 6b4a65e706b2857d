/* needs: tests/trace.c tests/trace_host.c tests/trace_check.c tests/trace_bulk.c tests/trace_writes.c */
/* Connections that share hosts and time, and a connection that a box splits: what only whole
 * captures show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/facts/streams.h"
#include "tests/trace_writes.h"

#define S_NS (1000 * MS_NS)

enum { SPLIT_TCP = 52 };

static struct stream stream_of(uint8_t receiver, int64_t start_s, int64_t span_s, uint64_t bytes)
{
    const uint8_t from[4] = {192, 0, 2, 1}, to[4] = {198, 51, 100, receiver};

    return (struct stream){.sender = ip_addr_from_v4(from), .receiver = ip_addr_from_v4(to),
                           .start_ns = start_s * S_NS, .span_ns = span_s * S_NS, .bytes = bytes,
                           .index = receiver * 100u + (size_t)start_s};
}

static const struct stream *find(const struct stream *streams, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (streams[i].index == index)
            return &streams[i];
    return NULL;
}

/* Two at once, one that overlaps by a tenth, one to another host, one the other way. */
static void streams_are_matched_by_hosts_and_time(void **state)
{
    struct stream streams[] = {
        stream_of(2, 0, 10, 10000000), stream_of(2, 1, 10, 20000000), stream_of(2, 9, 10, 5000000),
        stream_of(3, 0, 10, 90000000), stream_of(2, 2, 10, 7000000),
    };
    const size_t count = sizeof streams / sizeof streams[0];

    (void)state;
    streams[4].sender = streams[0].receiver;
    streams[4].receiver = streams[0].sender;
    streams_match(streams, count);
    const struct stream *first = find(streams, count, 200);
    assert_int_equal(first->parallel, 2);
    /* 10 MB, 9 s of 2 MB/s, 1 s of 0.5 MB/s, in 10 s */
    assert_true(first->bytes_per_s > 2.84e6 && first->bytes_per_s < 2.86e6);
    assert_int_equal(find(streams, count, 209)->parallel, 1);
    assert_int_equal(find(streams, count, 300)->parallel, 1);
    assert_int_equal(find(streams, count, 202)->parallel, 1);
    streams_match(streams, 0);
}

/* Three at once are counted, and their rates added; one alone is one. */
static void streams_of_a_capture(void **state)
{
    struct trace *traces[3];
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 400, .write_bytes = 14480, .flight_bytes = 40544,
                                     .send_buffer_bytes = 65536, .spacing_ns = 1800 * US_NS};

    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        size_t count = alone ? 1 : 3;
        for (size_t i = 0; i < count; i++) {
            o.client_port = (uint16_t)(40000 + i);
            traces[i] = trace_new(&o);
            trace_handshake(traces[i]);
            trace_writes(traces[i], &w, NULL);
        }
        struct analyzer *a = analyzer_new(NULL);
        trace_feed(traces, count, a);
        analyzer_finish(a);
        assert_int_equal(analyzer_transfer_count(a), count);
        for (size_t i = 0; i < count; i++) {
            const struct transfer_result *t = analyzer_transfer(a, i);
            assert_int_equal(t->parallel_streams, count);
            double ratio = t->parallel_bytes_per_s / t->goodput_bytes_per_s;
            assert_true(ratio > 0.98 * (double)count && ratio < 1.02 * (double)count);
        }
        analyzer_free(a);
        for (size_t i = 0; i < count; i++)
            trace_free(traces[i]);
    }
}

/* The box lets the SYN through to a server 600 ms away and answers the data itself, 12 ms away and
 * six hops nearer, with a window of 8192. */
static const struct verdict *split_at(double tap, bool nearer, struct transfer_result *transfer)
{
    struct trace_options o = trace_defaults();
    struct trace_writes_options w = {.writes = 200, .write_bytes = 8192};

    o.tap = tap;
    o.rtt_ns = 12 * MS_NS;
    o.window_bytes[1] = 8192;
    struct trace *t = trace_new(&o);
    trace_syn(t, C2S);
    trace_wait_ms(t, 594);
    trace_syn_ack(t);
    t->packets[t->count - 1].seg.ttl = (uint8_t)(t->packets[t->count - 1].seg.ttl - (nearer ? 6 : 0));
    trace_wait_path(t);
    trace_ack(t, C2S);
    trace_writes(t, &w, NULL);
    struct analyzer *a = analyzer_new(NULL);
    trace_feed(&t, 1, a);
    analyzer_finish(a);
    assert_int_equal(analyzer_transfer_count(a), 1);
    *transfer = *analyzer_transfer(a, 0);
    analyzer_free(a);
    trace_free(t);
    return &transfer->verdict;
}

static void split_connection(void **state)
{
    struct transfer_result transfer;

    (void)state;
    assert_int_equal(split_at(0, true, &transfer)->cause_id, SPLIT_TCP);
    assert_int_equal(split_at(0.4, true, &transfer)->cause_id, SPLIT_TCP);
    /* the server took its time to accept */
    assert_int_not_equal(split_at(0, false, &transfer)->cause_id, SPLIT_TCP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_matched_by_hosts_and_time),
        cmocka_unit_test(streams_of_a_capture),
        cmocka_unit_test(split_connection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
