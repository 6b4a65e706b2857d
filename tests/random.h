/* Random numbers for tests: the same sequence for the same seed on every machine (SplitMix64 of
 * Steele, Lea and Flood 2014). */
#ifndef TCPWHY_TESTS_RANDOM_H
#define TCPWHY_TESTS_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* A number of 0..below-1; below is small, so that the bias does not matter. */
static inline uint64_t random_below(uint64_t *state, uint64_t below)
{
    return random_next(state) % below;
}

#endif
