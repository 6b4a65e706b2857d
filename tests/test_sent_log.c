/* The log of what a sender has outstanding, alone and against a plain model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/segment/sent_log.h"
#include "tests/random.h"

/* count segments of 100 bytes from offset 1000. */
static void push_segments(struct sent_log *log, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sent_log_push(log, 1000 + 100 * (uint64_t)i, 1100 + 100 * (uint64_t)i)->time_ns = i;
}

static void test_empty(void **state)
{
    struct sent_log log = {0};
    struct sent newest;
    bool resent = true;

    (void)state;
    assert_false(sent_log_acknowledge(&log, 5000, &newest, &resent));
    assert_false(resent);
    assert_null(sent_log_find(&log, 0, UINT64_MAX));
    assert_int_equal(sent_log_sack(&log, 0, UINT64_MAX), 0);
    assert_int_equal(sent_log_memory(&log), 0);
    sent_log_free(&log);
}

/* An acknowledgment of three of five segments: the third is the newest; two stay. */
static void test_acknowledge(void **state)
{
    struct sent_log log = {0};
    struct sent newest;
    bool resent = true;

    (void)state;
    push_segments(&log, 5);
    assert_true(sent_log_acknowledge(&log, 1300, &newest, &resent));
    assert_int_equal(newest.left, 1200);
    assert_int_equal(newest.right, 1300);
    assert_int_equal(newest.time_ns, 2);
    assert_false(resent);
    assert_int_equal(log.count, 2);
    assert_int_equal(sent_log_at(&log, 0)->left, 1300);
    assert_false(sent_log_acknowledge(&log, 1300, &newest, &resent)); /* again: nothing new */
    assert_int_equal(log.count, 2);
    sent_log_free(&log);
}

/* A super-segment acknowledged in parts (the receiver saw segments of 1,448 bytes). */
static void test_acknowledge_in_parts(void **state)
{
    struct sent_log log = {0};
    struct sent newest;
    bool resent;

    (void)state;
    sent_log_push(&log, 1000, 1000 + 10 * 1448);
    assert_true(sent_log_acknowledge(&log, 1000 + 2 * 1448, &newest, &resent));
    assert_int_equal(log.count, 1);
    assert_int_equal(sent_log_at(&log, 0)->left, 1000 + 2 * 1448);
    assert_true(sent_log_acknowledge(&log, 1000 + 10 * 1448, &newest, &resent));
    assert_int_equal(log.count, 0);
    sent_log_free(&log);
}

/* An acknowledgment above all that is logged: the byte before it is in no entry. */
static void test_acknowledge_beyond(void **state)
{
    struct sent_log log = {0};
    struct sent newest;
    bool resent;

    (void)state;
    push_segments(&log, 3);
    assert_false(sent_log_acknowledge(&log, 1301, &newest, &resent));
    assert_int_equal(log.count, 0);
    sent_log_free(&log);
}

/* Karn's rule needs to know that any of the segments was sent twice, not the newest alone. */
static void test_acknowledge_tells_resent(void **state)
{
    static const uint8_t marks[] = {SENT_RESENT, SENT_FILLED, SENT_SACKED};
    struct sent newest;
    bool resent;

    (void)state;
    for (size_t i = 0; i < sizeof marks; i++) {
        struct sent_log log = {0};
        push_segments(&log, 3);
        sent_log_at(&log, 0)->marks = marks[i];
        assert_true(sent_log_acknowledge(&log, 1300, &newest, &resent));
        assert_int_equal(resent, marks[i] != SENT_SACKED);
        sent_log_free(&log);
    }
}

static void test_find_and_next(void **state)
{
    struct sent_log log = {0};
    const struct sent *entry;

    (void)state;
    sent_log_push(&log, 1000, 1100);
    sent_log_push(&log, 1100, 1200);
    sent_log_push(&log, 1300, 1400);
    assert_null(sent_log_find(&log, 900, 1000));
    assert_null(sent_log_find(&log, 1200, 1300));
    assert_null(sent_log_find(&log, 1400, 1500));
    assert_int_equal(sent_log_find(&log, 900, 1001)->left, 1000);
    assert_int_equal(sent_log_find(&log, 1199, 1400)->left, 1100);
    entry = sent_log_find(&log, 1200, 1301);
    assert_int_equal(entry->left, 1300);
    assert_null(sent_log_next(&log, entry));
    entry = sent_log_next(&log, sent_log_find(&log, 1000, 1001));
    assert_int_equal(entry->left, 1100);
    sent_log_free(&log);
}

/* RFC 2018 blocks: whole entries only, each counted once. */
static void test_sack(void **state)
{
    struct sent_log log = {0};

    (void)state;
    push_segments(&log, 10);
    assert_int_equal(sent_log_sack(&log, 1200, 1400), 200);
    assert_int_equal(sent_log_sack(&log, 1200, 1500), 100); /* the block grew by one */
    assert_int_equal(sent_log_sack(&log, 1200, 1500), 0);
    assert_int_equal(sent_log_sack(&log, 1650, 1799), 0); /* no entry lies wholly inside */
    assert_int_equal(sent_log_sack(&log, 5000, 6000), 0);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(sent_log_at(&log, i)->marks, i >= 2 && i <= 4 ? SENT_SACKED : 0);
    sent_log_free(&log);
}

static void test_insert(void **state)
{
    struct sent_log log = {0};

    (void)state;
    sent_log_push(&log, 1100, 1200)->time_ns = 7;
    sent_log_push(&log, 1300, 1400)->time_ns = 8;
    sent_log_insert(&log, 1000, 1100); /* first, in the middle, last */
    assert_int_equal(sent_log_insert(&log, 1200, 1300)->time_ns, 0);
    sent_log_insert(&log, 1400, 1500);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(sent_log_at(&log, i)->left, 1000 + 100 * i);
    assert_int_equal(sent_log_at(&log, 1)->time_ns, 7);
    assert_int_equal(sent_log_at(&log, 3)->time_ns, 8);
    sent_log_free(&log);
}

/* 100,000 segments and no acknowledgment: the newest SENT_LOG_MAX stay, memory is bounded. */
static void test_bound(void **state)
{
    struct sent_log log = {0};

    (void)state;
    push_segments(&log, 100000);
    assert_int_equal(log.count, SENT_LOG_MAX);
    assert_int_equal(sent_log_memory(&log), SENT_LOG_MAX * sizeof(struct sent));
    assert_int_equal(sent_log_at(&log, 0)->time_ns, 100000 - SENT_LOG_MAX);
    assert_int_equal(sent_log_at(&log, SENT_LOG_MAX - 1)->time_ns, 99999);
    sent_log_insert(&log, 0, 10); /* the lowest makes room for one lower still */
    assert_int_equal(log.count, SENT_LOG_MAX);
    assert_int_equal(sent_log_at(&log, 0)->left, 0);
    sent_log_free(&log);
}

/* The model: one byte of marks for each unit of stream, and who owns it.  Units are 10 bytes,
 * segments 1 to 8 units; offsets only rise, so a window of the array is looked at. */
#define MODEL_UNITS 400000u
#define OPERATIONS 100000u

struct model {
    uint32_t owner[MODEL_UNITS]; /* 0 = not logged, else number of its entry */
    uint8_t sacked[MODEL_UNITS];
    uint32_t una, nxt, entries;
};

static void model_put(struct model *m, uint32_t left, uint32_t right)
{
    m->entries++;
    for (uint32_t u = left; u < right; u++)
        m->owner[u] = m->entries;
}

/* Entries of the model from una on, one by one, against the log. */
static void check_equal(const struct model *m, const struct sent_log *log)
{
    uint32_t place = 0;

    for (uint32_t u = m->una; u < m->nxt;) {
        uint32_t right = u + 1;
        while (right < m->nxt && m->owner[right] == m->owner[u])
            right++;
        if (m->owner[u] != 0) {
            const struct sent *entry = sent_log_at(log, place++);
            assert_int_equal(entry->left, 10 * u);
            assert_int_equal(entry->right, 10 * right);
            assert_int_equal((entry->marks & SENT_SACKED) != 0, m->sacked[u]);
            assert_int_equal(entry->ts_val, m->owner[u]);
        }
        u = right;
    }
    assert_int_equal(place, log->count);
}

/* First hole of at least one unit at or above `from`; 0 = none. */
static uint32_t model_hole(const struct model *m, uint32_t from, uint32_t *right)
{
    while (from < m->nxt && m->owner[from] != 0)
        from++;
    for (*right = from; *right < m->nxt && m->owner[*right] == 0 && *right - from < 4;)
        ++*right;
    return *right == from ? 0 : from;
}

static uint64_t model_sack(struct model *m, uint32_t left, uint32_t right)
{
    uint64_t marked = 0;

    for (uint32_t u = left; u < right && u < m->nxt;) {
        uint32_t end = u + 1;
        while (end < m->nxt && m->owner[end] == m->owner[u])
            end++;
        bool whole = u == m->una || m->owner[u - 1] != m->owner[u];
        if (m->owner[u] != 0 && whole && end <= right && !m->sacked[u]) {
            marked += 10 * (uint64_t)(end - u);
            for (uint32_t v = u; v < end; v++)
                m->sacked[v] = 1;
        }
        u = end;
    }
    return marked;
}

static void step_acknowledge(struct model *m, struct sent_log *log, uint32_t ack)
{
    struct sent newest;
    bool resent;
    bool expected = ack > m->una && m->owner[ack - 1] != 0;

    assert_int_equal(sent_log_acknowledge(log, 10 * (uint64_t)ack, &newest, &resent), expected);
    if (expected)
        assert_int_equal(newest.ts_val, m->owner[ack - 1]);
    m->una = ack;
}

static void step(struct model *m, struct sent_log *log, uint64_t *seed)
{
    uint32_t right, left = m->una + (uint32_t)random_below(seed, m->nxt - m->una + 1);

    switch (random_below(seed, 8)) {
    case 0: step_acknowledge(m, log, m->una + (left - m->una) / 4); return;
    case 1:
        right = left + (uint32_t)random_below(seed, 30);
        assert_int_equal(sent_log_sack(log, 10 * (uint64_t)left, 10 * (uint64_t)right),
                         model_sack(m, left, right));
        return;
    case 2:
        left = model_hole(m, left, &right);
        if (left != 0) {
            sent_log_insert(log, 10 * (uint64_t)left, 10 * (uint64_t)right)->ts_val =
                m->entries + 1;
            model_put(m, left, right);
        }
        return;
    case 3:
        for (right = left; right < m->nxt && m->owner[right] == 0;)
            right++;
        const struct sent *entry = sent_log_find(log, 10 * (uint64_t)left, UINT64_MAX);
        assert_int_equal(entry == NULL, right == m->nxt);
        if (entry != NULL)
            assert_int_equal(entry->ts_val, m->owner[right]);
        return;
    default:
        left = m->nxt + (random_below(seed, 10) == 0 ? (uint32_t)random_below(seed, 6) : 0);
        right = left + 1 + (uint32_t)random_below(seed, 8);
        sent_log_push(log, 10 * (uint64_t)left, 10 * (uint64_t)right)->ts_val = m->entries + 1;
        model_put(m, left, right);
        m->nxt = right;
    }
}

static void test_against_model(void **state)
{
    static struct model m;
    struct sent_log log = {0};
    uint64_t seed = 42;

    (void)state;
    m.una = m.nxt = 100;
    for (uint32_t i = 0; i < OPERATIONS && m.nxt + 20 < MODEL_UNITS; i++) {
        step(&m, &log, &seed);
        if (m.nxt - m.una > 3000)
            step_acknowledge(&m, &log, m.nxt - 100);
        if (i % 50 == 0)
            check_equal(&m, &log);
    }
    check_equal(&m, &log);
    assert_true(m.entries > 50000);
    sent_log_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_acknowledge),
        cmocka_unit_test(test_acknowledge_in_parts),
        cmocka_unit_test(test_acknowledge_beyond),
        cmocka_unit_test(test_acknowledge_tells_resent),
        cmocka_unit_test(test_find_and_next),
        cmocka_unit_test(test_sack),
        cmocka_unit_test(test_insert),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_against_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
