/* needs: tests/trace.c tests/trace_host.c tests/trace_bulk.c tests/trace_check.c */
/* Which packets are one connection: reuse, VLANs, tunnels, handshakes that go their own way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trace.h"

static void exchange(struct trace *t, enum direction from, uint32_t bytes)
{
    trace_data(t, from, bytes);
    trace_wait_path(t);
    trace_ack(t, from == C2S ? S2C : C2S);
    trace_wait_path(t);
}

static void close_both(struct trace *t)
{
    trace_fin(t, C2S);
    trace_wait_path(t);
    trace_fin(t, S2C);
    trace_wait_path(t);
    trace_ack(t, C2S);
}

static void test_whole_connection(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    exchange(t, C2S, 5000);
    exchange(t, S2C, 7000);
    close_both(t);
    trace_result(t, &flow);
    assert_int_equal(flow.client.port, 40000);
    assert_int_equal(flow.server.port, 5001);
    assert_true(flow.role_known);
    assert_true(flow.handshake_seen);
    assert_false(flow.one_way);
    assert_int_equal(flow.state, FLOW_CLOSED);
    assert_int_equal(flow.first_frame, 1);
    assert_int_equal(flow.dir[C2S].bytes, 5000); /* neither SYN nor FIN is a byte */
    assert_int_equal(flow.dir[S2C].bytes, 7000);
    assert_int_equal(flow.dir[C2S].mss_option, 1460);
    assert_int_equal(flow.dir[C2S].smss, 1448);
    assert_true(flow.dir[C2S].fin && flow.dir[S2C].fin);
    assert_true(flow.dir[C2S].sack_permitted && flow.dir[C2S].timestamps);
}

/* From the middle: the end with the higher port is the client; the first byte seen is the first
 * of the stream that we know. */
static void test_mid_stream_start(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_begin_established(t, 900000, 4000);
    exchange(t, S2C, 7000);
    exchange(t, C2S, 5000);
    trace_result(t, &flow);
    assert_false(flow.role_known);
    assert_false(flow.handshake_seen);
    assert_int_equal(flow.client.port, 40000);
    assert_int_equal(flow.state, FLOW_OPEN);
    assert_int_equal(flow.dir[C2S].bytes, 5000);
    assert_int_equal(flow.dir[S2C].bytes, 7000);
    assert_int_equal(flow.dir[S2C].gap_bytes, 0);
    assert_false(flow.dir[C2S].syn_seen || flow.dir[S2C].syn_seen);
}

/* Only the server's frames were captured. */
static void test_one_direction_only(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    for (int i = 0; i < 20; i++)
        exchange(t, S2C, 4 * 1448);
    for (size_t i = 0; i < t->count; i++)
        t->packets[i].captured = t->packets[i].from == S2C;
    trace_result(t, &flow);
    assert_true(flow.one_way);
    assert_int_equal(flow.client.port, 40000); /* a SYN-ACK names its sender the server */
    assert_int_equal(flow.dir[S2C].bytes, 80 * 1448);
    assert_int_equal(flow.dir[S2C].retransmitted_segments, 0);
    assert_int_equal(flow.dir[S2C].rtt.samples, 0);
    assert_true(flow.dir[S2C].flight_max_bytes == BYTES_UNKNOWN);
    assert_true(flow.dir[S2C].rwnd_max_bytes == BYTES_UNKNOWN);
    assert_int_equal(flow.dir[C2S].packets, 0);
}

/* The SYN-ACK stands before the SYN in the file. */
static void test_syn_ack_first(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_handshake(t);
    t->packets[0].tap_ns += 50100 * US_NS;
    exchange(t, C2S, 3000);
    close_both(t);
    trace_result(t, &flow);
    assert_true(flow.role_known);
    assert_true(flow.handshake_seen);
    assert_int_equal(flow.client.port, 40000);
    assert_int_equal(flow.dir[C2S].bytes, 3000);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
    assert_int_equal(flow.syn_retransmissions, 0);
    assert_int_equal(flow.dir[C2S].window_scale_source, SCALE_OPTION);
}

/* TCP Fast Open (RFC 7413): 200 bytes ride on the SYN and are acknowledged by the SYN-ACK. */
static void test_data_on_syn(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_send(t, C2S, TCP_SYN, 0, 200);
    t->host[C2S].snd_nxt = 201;
    trace_wait_path(t);
    trace_syn_ack(t);
    trace_wait_path(t);
    trace_ack(t, C2S);
    exchange(t, C2S, 3000);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, 3200);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
    assert_int_equal(flow.dir[C2S].retransmitted_segments, 0);
}

/* Both ends send a SYN, both answer with a SYN-ACK (RFC 9293 figure 8). */
static void test_simultaneous_open(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_syn(t, C2S);
    trace_wait_us(t, 100);
    trace_syn(t, S2C);
    trace_wait_path(t);
    trace_send(t, C2S, TCP_SYN | TCP_ACK, 0, 0);
    trace_wait_us(t, 100);
    trace_send(t, S2C, TCP_SYN | TCP_ACK, 0, 0);
    trace_wait_path(t);
    exchange(t, C2S, 3000);
    exchange(t, S2C, 2000);
    trace_result(t, &flow);
    assert_int_equal(flow.dir[C2S].bytes, 3000);
    assert_int_equal(flow.dir[S2C].bytes, 2000);
    assert_int_equal(flow.dir[C2S].gap_bytes, 0);
}

static void test_half_open(void **state)
{
    struct trace *t = trace_new(NULL);
    struct flow_result flow;

    (void)state;
    trace_syn(t, C2S);
    trace_result(t, &flow);
    assert_int_equal(flow.state, FLOW_SYN_ONLY);
    assert_true(flow.role_known);
    assert_int_equal(flow.client.port, 40000);
    assert_int_equal(flow.dir[C2S].bytes, 0);
}

/* Run two traces into one analysis. */
static void run_two(struct trace *first, struct trace *second, struct trace_findings *found)
{
    struct trace *both[2] = {first, second};

    trace_analyze(both, 2, found);
    trace_free(first);
    trace_free(second);
}

static struct trace *make_simple(const struct trace_options *options, uint32_t bytes,
                                 bool handshake)
{
    struct trace *t = trace_new(options);

    if (handshake)
        trace_handshake(t);
    else
        trace_begin_established(t, 0, 0);
    for (uint32_t i = 0; i < 5; i++)
        exchange(t, C2S, bytes / 5);
    return t;
}

/* The port is used again with another ISN: a new connection. */
static void test_port_reuse(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_findings found;

    (void)state;
    struct trace *first = make_simple(&options, 5000, true);

    close_both(first);
    options.start_ns += 2000 * MS_NS;
    options.isn[C2S] += 77777777;
    options.isn[S2C] += 55555555;
    run_two(first, make_simple(&options, 8000, true), &found);
    assert_int_equal(found.flow_count, 2);
    assert_int_equal(found.flows[0].dir[C2S].bytes, 5000);
    assert_int_equal(found.flows[0].state, FLOW_CLOSED);
    assert_int_equal(found.flows[1].dir[C2S].bytes, 8000);
    assert_int_equal(found.flows[1].dir[C2S].retransmitted_segments, 0);
}

/* A tag in one direction only, or another tag each way (asymmetric mirror): one connection. */
static void test_vlan_of_one_flow(void **state)
{
    static const uint16_t tags[][2] = {{10, 0}, {0, 20}, {10, 20}};
    struct flow_result flow;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct trace_options options = trace_defaults();

        options.vlan[0] = tags[i][0];
        options.vlan[1] = tags[i][1];
        trace_result(make_simple(&options, 5000, true), &flow);
        assert_int_equal(flow.dir[C2S].bytes, 5000);
        assert_false(flow.one_way);
        assert_true(flow.handshake_seen);
        trace_result(make_simple(&options, 5000, false), &flow);
        assert_int_equal(flow.dir[C2S].bytes, 5000);
        assert_false(flow.one_way);
    }
}

/* The same addresses and ports on two VLANs at the same time, sequence numbers that do not fit
 * together: two connections. */
static void test_same_tuple_on_two_vlans(void **state)
{
    struct trace_findings found;

    (void)state;
    for (int handshake = 1; handshake >= 0; handshake--) {
        struct trace_options options = trace_defaults();

        options.vlan[0] = options.vlan[1] = 10;
        struct trace *first = make_simple(&options, 5000, handshake);

        options.vlan[0] = options.vlan[1] = 20;
        options.isn[C2S] += 1500000000;
        options.isn[S2C] += 1200000000;
        options.start_ns += 5 * MS_NS;
        run_two(first, make_simple(&options, 8000, handshake), &found);
        assert_int_equal(found.flow_count, 2);
        assert_int_equal(found.flows[0].dir[C2S].bytes, 5000);
        assert_int_equal(found.flows[1].dir[C2S].bytes, 8000);
        assert_int_equal(found.flows[0].vlan, 10);
        assert_int_equal(found.flows[1].vlan, 20);
        assert_int_equal(found.flows[0].dir[C2S].retransmitted_segments, 0);
        assert_int_equal(found.flows[1].dir[C2S].retransmitted_segments, 0);
    }
}

/* Tunnel ids always split. */
static void test_tunnels_split(void **state)
{
    struct trace_options options = trace_defaults();
    struct trace_findings found;

    (void)state;
    options.tunnel_id = 100;
    struct trace *first = make_simple(&options, 5000, true);

    options.tunnel_id = 200;
    options.start_ns += 3 * MS_NS;
    run_two(first, make_simple(&options, 8000, true), &found);
    assert_int_equal(found.flow_count, 2);
    assert_int_equal(found.flows[0].tunnel_id, 100);
    assert_int_equal(found.flows[0].dir[C2S].bytes, 5000);
    assert_int_equal(found.flows[1].tunnel_id, 200);
    assert_int_equal(found.flows[1].dir[C2S].bytes, 8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_connection),
        cmocka_unit_test(test_mid_stream_start),
        cmocka_unit_test(test_one_direction_only),
        cmocka_unit_test(test_syn_ack_first),
        cmocka_unit_test(test_data_on_syn),
        cmocka_unit_test(test_simultaneous_open),
        cmocka_unit_test(test_half_open),
        cmocka_unit_test(test_port_reuse),
        cmocka_unit_test(test_vlan_of_one_flow),
        cmocka_unit_test(test_same_tuple_on_two_vlans),
        cmocka_unit_test(test_tunnels_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
