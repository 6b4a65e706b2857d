/* Control payload in stream order, handed to a session layer that writes down what it gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/session/control_stream.h"
#include "tests/random.h"

#define CALLS_MAX 200
#define FLOW_ID 7

struct call {
    uint64_t offset, frame;
    uint32_t length;
    enum direction dir;
    bool urgent;
    int64_t time_ns;
};

/* Stands in for the session layer. */
struct sessions {
    struct call calls[CALLS_MAX];
    int count;
    int wanted;            /* calls after which it wants no more; 0 = all */
    uint8_t bytes[100000]; /* as handed on, by offset less START */
};

#define START ((uint64_t)1 << 32)

bool sessions_payload(struct sessions *s, uint64_t flow_id, enum direction dir, uint64_t offset,
                      const uint8_t *data, uint32_t length, bool urgent, int64_t time_ns,
                      uint64_t frame)
{
    assert_int_equal(flow_id, FLOW_ID);
    assert_true(length > 0);
    if (s->count < CALLS_MAX)
        s->calls[s->count] = (struct call){offset, frame, length, dir, urgent, time_ns};
    if (offset - START + length <= sizeof s->bytes)
        memcpy(&s->bytes[offset - START], data, length);
    s->count++;
    return s->wanted == 0 || s->count < s->wanted;
}

static struct sessions session;
static uint8_t text[100000]; /* byte i is i % 251 */

/* The segment that carries text[at..at+bytes), whole. */
static struct segment segment_of(uint32_t at, uint32_t bytes)
{
    struct segment seg = {
        .time_ns = 1000 + at,
        .frame = 10 + at,
        .payload = &text[at],
        .payload_bytes = bytes,
        .payload_captured = bytes,
        .flags = TCP_ACK,
    };

    return seg;
}

static bool add(struct control_stream *stream, uint32_t at, uint32_t bytes)
{
    struct segment seg = segment_of(at, bytes);

    return control_stream_add(stream, &session, FLOW_ID, C2S, START + at, &seg);
}

static int start(void **state)
{
    memset(&session, 0, sizeof session);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i % 251);
    *state = control_stream_new();
    return 0;
}

static int end(void **state)
{
    control_stream_free(*state);
    return 0;
}

static void check_call(int i, uint32_t at, uint32_t length)
{
    assert_int_equal(session.calls[i].offset, START + at);
    assert_int_equal(session.calls[i].length, length);
}

static void test_in_order(void **state)
{
    assert_true(add(*state, 100, 20)); /* the stream starts with what comes first */
    assert_true(add(*state, 120, 30));
    assert_int_equal(session.count, 2);
    check_call(0, 100, 20);
    check_call(1, 120, 30);
    assert_int_equal(session.calls[1].time_ns, 1120);
    assert_int_equal(session.calls[1].frame, 130);
    assert_memory_equal(&session.bytes[100], &text[100], 50);
}

/* A retransmission is not handed on again; of one with more data the new part is. */
static void test_repeats(void **state)
{
    add(*state, 100, 20);
    assert_true(add(*state, 100, 20));
    assert_true(add(*state, 105, 5));
    assert_int_equal(session.count, 1);
    assert_true(add(*state, 110, 30));
    assert_int_equal(session.count, 2);
    check_call(1, 120, 20);
    assert_memory_equal(&session.bytes[100], &text[100], 40);
}

/* Data from before the first segment seen is old. */
static void test_before_the_start(void **state)
{
    add(*state, 100, 20);
    assert_true(add(*state, 50, 10));
    assert_int_equal(session.count, 1);
}

/* Three pieces in the wrong order wait for the first; each keeps its own time and frame. */
static void test_out_of_order(void **state)
{
    add(*state, 100, 10);
    assert_true(add(*state, 130, 10));
    assert_true(add(*state, 120, 10));
    assert_true(add(*state, 120, 10)); /* and one of them twice */
    assert_int_equal(session.count, 1);
    assert_true(add(*state, 110, 10));
    assert_int_equal(session.count, 4);
    check_call(1, 110, 10);
    check_call(2, 120, 10);
    check_call(3, 130, 10);
    assert_int_equal(session.calls[3].frame, 140);
    assert_memory_equal(&session.bytes[100], &text[100], 40);
}

/* The two directions are streams of their own. */
static void test_directions(void **state)
{
    struct segment seg = segment_of(500, 10);

    add(*state, 100, 10);
    add(*state, 120, 10);
    assert_true(control_stream_add(*state, &session, FLOW_ID, S2C, START + 500, &seg));
    assert_int_equal(session.count, 2);
    assert_int_equal(session.calls[0].dir, C2S);
    assert_int_equal(session.calls[1].dir, S2C);
    check_call(1, 500, 10);
}

/* The peer acknowledged what was never captured: the piece above is handed on over the gap. */
static void test_acknowledged_gap(void **state)
{
    add(*state, 100, 10);
    add(*state, 120, 10);
    add(*state, 150, 10);
    assert_true(control_stream_acknowledged(*state, &session, FLOW_ID, C2S, START + 110));
    assert_int_equal(session.count, 1);
    assert_true(control_stream_acknowledged(*state, &session, FLOW_ID, C2S, START + 130));
    assert_int_equal(session.count, 2);
    check_call(1, 120, 10);
    assert_true(control_stream_acknowledged(*state, &session, FLOW_ID, S2C, START + 900));
    assert_int_equal(session.count, 2);
    assert_true(control_stream_acknowledged(*state, &session, FLOW_ID, C2S, START + 160));
    check_call(2, 150, 10);
    assert_true(add(*state, 110, 10)); /* too late */
    assert_int_equal(session.count, 3);
}

/* CONTROL_PIECES_MAX pieces wait; the next one ends the wait, and all go in order. */
static void test_bound(void **state)
{
    add(*state, 0, 10);
    for (uint32_t i = 0; i < CONTROL_PIECES_MAX; i++)
        assert_true(add(*state, 100 + 10 * i, 10));
    assert_int_equal(session.count, 1);
    assert_true(add(*state, 100 + 10 * CONTROL_PIECES_MAX, 10));
    assert_int_equal(session.count, 2 + CONTROL_PIECES_MAX);
    for (uint32_t i = 0; i <= CONTROL_PIECES_MAX; i++)
        check_call(1 + (int)i, 100 + 10 * i, 10);
    assert_true(add(*state, 110 + 10 * CONTROL_PIECES_MAX, 10)); /* and on it goes */
    assert_int_equal(session.count, 3 + CONTROL_PIECES_MAX);
}

/* The piece for which there is no place lies below those that wait: it comes before them. */
static void test_bound_lowest_last(void **state)
{
    add(*state, 0, 10);
    for (uint32_t i = 0; i < CONTROL_PIECES_MAX; i++)
        add(*state, 100 + 10 * i, 10);
    assert_true(add(*state, 50, 10));
    assert_int_equal(session.count, 2);
    check_call(1, 50, 10);
    assert_true(add(*state, 60, 40));
    assert_int_equal(session.count, 3 + CONTROL_PIECES_MAX);
    for (int i = 1; i < session.count; i++)
        assert_true(session.calls[i].offset > session.calls[i - 1].offset);
}

/* Of a piece that waits CONTROL_PIECE_BYTES are kept; what follows it is at its place. */
static void test_large_piece(void **state)
{
    add(*state, 0, 10);
    add(*state, 20, 5000);
    assert_true(add(*state, 10, 10));
    check_call(2, 20, CONTROL_PIECE_BYTES);
    assert_true(add(*state, 5020, 10));
    check_call(3, 5020, 10);
    assert_memory_equal(&session.bytes[0], &text[0], 20 + CONTROL_PIECE_BYTES);
}

/* Snapped frames: 30 of 100 bytes captured, then none of 50: the offsets go on as on the wire. */
static void test_snapped(void **state)
{
    struct segment seg = segment_of(0, 100);

    seg.payload_captured = 30;
    assert_true(control_stream_add(*state, &session, FLOW_ID, C2S, START, &seg));
    seg = segment_of(100, 50);
    seg.payload_captured = 0;
    seg.payload = NULL;
    assert_true(control_stream_add(*state, &session, FLOW_ID, C2S, START + 100, &seg));
    assert_true(add(*state, 150, 10));
    assert_int_equal(session.count, 2);
    check_call(0, 0, 30);
    check_call(1, 150, 10);
}

/* The same, out of order: a piece without captured bytes is kept as its place. */
static void test_snapped_out_of_order(void **state)
{
    struct segment seg = segment_of(20, 50);

    add(*state, 0, 10);
    seg.payload_captured = 0;
    seg.payload = NULL;
    assert_true(control_stream_add(*state, &session, FLOW_ID, C2S, START + 20, &seg));
    assert_true(add(*state, 10, 10));
    assert_true(add(*state, 70, 10));
    assert_int_equal(session.count, 3);
    check_call(2, 70, 10);
}

/* ABOR comes with URG (RFC 959 section 4.1.3): the mark goes along, also of a piece kept. */
static void test_urgent(void **state)
{
    struct segment seg = segment_of(20, 5);

    seg.flags |= TCP_URG;
    add(*state, 0, 10);
    control_stream_add(*state, &session, FLOW_ID, C2S, START + 20, &seg);
    add(*state, 10, 10);
    assert_int_equal(session.count, 3);
    assert_false(session.calls[1].urgent);
    assert_true(session.calls[2].urgent);
}

/* "No more" is passed on at once, also from within a row of waiting pieces. */
static void test_not_wanted(void **state)
{
    session.wanted = 3;
    assert_true(add(*state, 0, 10));
    assert_true(add(*state, 20, 10));
    assert_true(add(*state, 30, 10));
    assert_false(add(*state, 10, 10)); /* hands on 10 and 20; 30 is kept and freed at the end */
    assert_int_equal(session.count, 3);
}

/* Segments of a 20,000-byte stream in windows of 7, shuffled, repeated and of two sizes, so that 14
 * pieces wait at most: every byte once, in order, whatever the seed. */
static void test_shuffled(void **state)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed, expected = START;
        start(state);
        add(*state, 0, 1);
        for (uint32_t base = 1; base < 20000; base += 7 * 37) {
            for (uint32_t tries = 0; tries < 40; tries++) {
                uint32_t at = base + 37 * (uint32_t)random_below(&random, 7);
                add(*state, at, 37 + (uint32_t)random_below(&random, 2) * 5);
            }
            for (uint32_t i = 0; i < 7; i++)
                add(*state, base + 37 * i, 37);
        }
        assert_memory_equal(session.bytes, text, 20000);
        for (int i = 0; i < session.count && i < CALLS_MAX; i++) {
            assert_int_equal(session.calls[i].offset, expected);
            expected += session.calls[i].length;
        }
        end(state);
        *state = NULL;
    }
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(test_in_order),
        EACH(test_repeats),
        EACH(test_before_the_start),
        EACH(test_out_of_order),
        EACH(test_directions),
        EACH(test_acknowledged_gap),
        EACH(test_bound),
        EACH(test_bound_lowest_last),
        EACH(test_large_piece),
        EACH(test_snapped),
        EACH(test_snapped_out_of_order),
        EACH(test_urgent),
        EACH(test_not_wanted),
        cmocka_unit_test(test_shuffled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
