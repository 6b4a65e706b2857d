/* Holes below a direction's edge, alone and against a plain model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/holes.h"
#include "tests/random.h"

static void check_hole(const struct holes *holes, uint32_t i, uint64_t left, uint64_t right)
{
    assert_int_equal(holes->list[i].left, left);
    assert_int_equal(holes->list[i].right, right);
}

static void test_empty(void **state)
{
    struct holes holes = {0};
    struct hole first;

    (void)state;
    assert_int_equal(holes_fill(&holes, 0, UINT64_MAX, &first), 0);
    assert_int_equal(holes_bytes_below(&holes, UINT64_MAX), 0);
    holes_free(&holes);
}

/* A new hole is zeroed but for its edges, whatever its place in memory held before. */
static void test_add(void **state)
{
    struct holes holes = {0};
    struct hole first;

    (void)state;
    holes_add(&holes, 1000, 2000)->acknowledged = true;
    holes_fill(&holes, 1000, 2000, &first);
    assert_true(first.acknowledged);
    struct hole *hole = holes_add(&holes, 3000, 3500);
    assert_false(hole->acknowledged);
    assert_int_equal(hole->time_ns, 0);
    holes_add(&holes, 5000, 5001);
    holes_add_below(&holes, 100, 200);
    assert_int_equal(holes.count, 3);
    assert_int_equal(holes.bytes, 601);
    check_hole(&holes, 0, 100, 200);
    check_hole(&holes, 1, 3000, 3500);
    check_hole(&holes, 2, 5000, 5001);
    holes_free(&holes);
}

/* The four ways to take a range out of [1000, 2000): whole, low end, high end, middle. */
static void test_fill_one(void **state)
{
    static const struct {
        uint64_t left, right, filled;
        uint32_t count;
        uint64_t edges[4];
    } rows[] = {
        {1000, 2000, 1000, 0, {0}},
        {500, 2500, 1000, 0, {0}},
        {1000, 1400, 400, 1, {1400, 2000}},
        {900, 1400, 400, 1, {1400, 2000}},
        {1400, 2000, 600, 1, {1000, 1400}},
        {1400, 2600, 600, 1, {1000, 1400}},
        {1400, 1500, 100, 2, {1000, 1400, 1500, 2000}},
        {500, 1000, 0, 1, {1000, 2000}},
        {2000, 2500, 0, 1, {1000, 2000}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct holes holes = {0};
        struct hole first = {0};
        holes_add(&holes, 1000, 2000)->successor_ts_val = 77;
        assert_int_equal(holes_fill(&holes, rows[i].left, rows[i].right, &first), rows[i].filled);
        assert_int_equal(holes.count, rows[i].count);
        assert_int_equal(holes.bytes, 1000 - rows[i].filled);
        assert_int_equal(first.successor_ts_val, rows[i].filled > 0 ? 77 : 0);
        for (uint32_t h = 0; h < holes.count; h++) {
            check_hole(&holes, h, rows[i].edges[2 * h], rows[i].edges[2 * h + 1]);
            assert_int_equal(holes.list[h].successor_ts_val, 77); /* both halves keep the facts */
        }
        holes_free(&holes);
    }
}

/* One resend over several holes: *first is the lowest, as it was. */
static void test_fill_several(void **state)
{
    struct holes holes = {0};
    struct hole first;

    (void)state;
    for (uint64_t i = 0; i < 5; i++)
        holes_add(&holes, 1000 * i, 1000 * i + 100)->time_ns = (int64_t)i;
    assert_int_equal(holes_fill(&holes, 1050, 3020, &first), 50 + 100 + 20);
    assert_int_equal(first.time_ns, 1);
    assert_int_equal(first.left, 1000);
    assert_int_equal(first.right, 1100);
    assert_int_equal(holes.count, 4);
    assert_int_equal(holes.bytes, 500 - 170);
    check_hole(&holes, 0, 0, 100);
    check_hole(&holes, 1, 1000, 1050);
    check_hole(&holes, 2, 3020, 3100);
    check_hole(&holes, 3, 4000, 4100);
    holes_free(&holes);
}

static void test_bytes_below(void **state)
{
    struct holes holes = {0};

    (void)state;
    holes_add(&holes, 1000, 1100);
    holes_add(&holes, 2000, 2300);
    assert_int_equal(holes_bytes_below(&holes, 1000), 0);
    assert_int_equal(holes_bytes_below(&holes, 1001), 1);
    assert_int_equal(holes_bytes_below(&holes, 1500), 100);
    assert_int_equal(holes_bytes_below(&holes, 2100), 200);
    assert_int_equal(holes_bytes_below(&holes, 9000), 400);
    holes_free(&holes);
}

/* Past HOLES_MAX the lowest is given up; its bytes are counted, none are lost or counted twice. */
static void test_bound(void **state)
{
    struct holes holes = {0};

    (void)state;
    for (uint64_t i = 0; i < HOLES_MAX + 100; i++)
        holes_add(&holes, 1000 * i, 1000 * i + 10);
    assert_int_equal(holes.count, HOLES_MAX);
    assert_int_equal(holes.capacity, HOLES_MAX);
    assert_int_equal(holes.bytes, 10 * HOLES_MAX);
    assert_int_equal(holes.given_up_bytes, 10 * 100);
    assert_int_equal(holes.list[0].left, 1000 * 100);
    holes_add_below(&holes, 1, 4);
    assert_int_equal(holes.count, HOLES_MAX);
    assert_int_equal(holes.bytes + holes.given_up_bytes, 10 * (HOLES_MAX + 100) + 3);
    holes_free(&holes);
}

/* A fill that would make one hole into two when all places are taken. */
static void test_bound_at_a_split(void **state)
{
    struct holes holes = {0};
    struct hole first;

    (void)state;
    for (uint64_t i = 0; i < HOLES_MAX; i++)
        holes_add(&holes, 1000 * i, 1000 * i + 100);
    assert_int_equal(holes_fill(&holes, 5040, 5050, &first), 10);
    assert_int_equal(holes.count, HOLES_MAX);
    assert_int_equal(holes.bytes + holes.given_up_bytes, 100 * HOLES_MAX - 10);
    assert_int_equal(holes_bytes_below(&holes, UINT64_MAX), holes.bytes);
    holes_free(&holes);
}

/* The model: one flag for each byte of the stream. */
#define MODEL_BYTES 2000000u
#define OPERATIONS 100000u

struct model {
    uint8_t open[MODEL_BYTES];
    uint32_t nxt, low;
    uint64_t bytes;
};

static void check_equal(const struct model *m, const struct holes *holes)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < holes->count; i++) {
        const struct hole *hole = &holes->list[i];
        assert_true(hole->left < hole->right && hole->right <= m->nxt);
        assert_true(i == 0 || hole[-1].right <= hole->left);
        for (uint64_t b = hole->left; b < hole->right; b++)
            assert_true(m->open[b]);
        bytes += hole->right - hole->left;
    }
    assert_int_equal(bytes, m->bytes);
    assert_int_equal(bytes, holes->bytes);
}

static void model_fill(struct model *m, struct holes *holes, uint32_t left, uint32_t right)
{
    uint32_t first_open = right, filled = 0;
    struct hole first;

    for (uint32_t b = right; b-- > left;) {
        if (!m->open[b])
            continue;
        first_open = b;
        filled++;
        m->open[b] = 0;
    }
    m->bytes -= filled;
    assert_int_equal(holes_fill(holes, left, right, &first), filled);
    if (filled > 0)
        assert_true(first.left <= first_open && first_open < first.right);
}

static void model_open(struct model *m, uint32_t left, uint32_t right)
{
    for (uint32_t b = left; b < right; b++)
        m->open[b] = 1;
    m->bytes += right - left;
}

static void step(struct model *m, struct holes *holes, uint64_t *seed)
{
    uint32_t length = 1 + (uint32_t)random_below(seed, 40), recent = m->nxt - m->low, left;

    switch (random_below(seed, 8)) {
    case 0: /* data skips bytes, then comes */
    case 1:
        holes_add(holes, m->nxt, m->nxt + length);
        model_open(m, m->nxt, m->nxt + length);
        m->nxt += length;
        break;
    case 2: m->nxt += length; break;
    case 3:
        left = m->low + (uint32_t)random_below(seed, recent + 1);
        uint64_t below = 0;
        for (uint32_t i = 0; i < holes->count; i++)
            for (uint64_t b = holes->list[i].left; b < holes->list[i].right; b++)
                below += b < left;
        assert_int_equal(holes_bytes_below(holes, left), below);
        break;
    default:
        left = m->low + (uint32_t)random_below(seed, recent + 1);
        model_fill(m, holes, left, left + 3 * length);
    }
    if (holes->count > 300) { /* the old ones are filled in one go: the bound has its own test */
        model_fill(m, holes, 0, m->nxt - recent / 2);
        m->low = m->nxt - recent / 2;
    }
}

static void test_against_model(void **state)
{
    static struct model m;
    struct holes holes = {0};
    uint64_t seed = 7;
    uint32_t most = 0;

    (void)state;
    for (uint32_t i = 0; i < OPERATIONS && m.nxt + 200 < MODEL_BYTES; i++) {
        step(&m, &holes, &seed);
        if (holes.count > most)
            most = holes.count;
        if (m.nxt - m.low > 6000)
            m.low = m.nxt - 6000;
        if (i % 20 == 0)
            check_equal(&m, &holes);
    }
    check_equal(&m, &holes);
    assert_true(most > 50);
    assert_int_equal(holes.given_up_bytes, 0);
    holes_free(&holes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_fill_one),
        cmocka_unit_test(test_fill_several),
        cmocka_unit_test(test_bytes_below),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_bound_at_a_split),
        cmocka_unit_test(test_against_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
