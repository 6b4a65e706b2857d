/* The keyed hash of flows: its sums, and that no pattern of keys piles up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/flow/flow_hash.h"
#include "tests/random.h"

#define KEYS 100000u

/* Multipliers (i + 1) * 0x9e3779b97f4a7c15; addresses whose characters read the same in both byte
 * orders.  The sums are Python's. */
static void test_known_sums(void **state)
{
    static const uint8_t v4_low[4] = {10, 0, 0, 10}, v4_high[4] = {192, 2, 2, 192};
    const struct flow_hash_rest rest = {21 | 40000u << 16, 7, 101};
    struct ip_addr low = ip_addr_from_v4(v4_low), high = ip_addr_from_v4(v4_high);
    struct flow_hash hash;

    (void)state;
    for (unsigned i = 0; i < 12; i++)
        hash.v6[i] = (i + 1) * 0x9e3779b97f4a7c15ULL;
    memcpy(hash.v4, hash.v6, sizeof hash.v4);
    assert_int_equal(flow_hash_v4(&hash, &low, &high, rest), 0x3a5ebe86);
    for (int i = 0; i < 16; i++) {
        low.bytes[i] = 0x20;
        high.bytes[i] = i < 12 ? 0x20 : 0xff;
    }
    assert_int_equal(flow_hash_v6(&hash, &low, &high, rest), 0x92839819);
}

static int compare(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Hashes that another key has as well. */
static unsigned collisions(uint32_t *hashes)
{
    unsigned count = 0;

    qsort(hashes, KEYS, sizeof *hashes, compare);
    for (unsigned i = 1; i < KEYS; i++)
        count += hashes[i] == hashes[i - 1];
    return count;
}

/* Of n keys in a row, whichever part of them counts up, n^2 / 2^33 pairs are expected to meet: 1.2
 * of 100,000, 23 in 20 draws of multipliers.  60 would be no chance. */
static void test_rows_of_keys(void **state)
{
    static uint32_t hashes[KEYS];
    uint64_t seed = 1;
    unsigned met[3] = {0};

    (void)state;
    for (int draw = 0; draw < 20; draw++) {
        struct flow_hash hash;
        uint64_t words[sizeof hash / sizeof(uint64_t)];
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            words[i] = random_next(&seed);
        memcpy(&hash, words, sizeof hash);
        for (int part = 0; part < 3; part++) {
            for (uint32_t i = 0; i < KEYS; i++) {
                uint8_t bytes[4] = {10, (uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i};
                uint8_t to[4] = {192, 0, 2, 1};
                struct ip_addr low = ip_addr_from_v4(bytes), high = ip_addr_from_v4(to);
                struct flow_hash_rest rest = {part == 1 ? i : 80, part == 2 ? i : 0, 0};
                hashes[i] = flow_hash_v4(&hash, &low, &high, rest);
                if (part == 1)
                    hashes[i] = flow_hash_v6(&hash, &low, &high, rest);
            }
            met[part] += collisions(hashes);
        }
    }
    for (int part = 0; part < 3; part++)
        assert_in_range(met[part], 0, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_sums),
        cmocka_unit_test(test_rows_of_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
