/* SipHash-1-3 (Aumasson and Bernstein 2012): a keyed hash that hostile flows cannot steer into
 * one slot of the table. */
#ifndef TCPWHY_ANALYSIS_SIPHASH_H
#define TCPWHY_ANALYSIS_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/* Hash of count 64-bit words under a 128-bit key. */
static inline uint64_t siphash_words(const uint64_t key[2], const uint64_t *words, size_t count);

#define SIPHASH_ROTATE(x, b) (((x) << (b)) | ((x) >> (64 - (b))))

struct siphash_state {
    uint64_t v0, v1, v2, v3;
};

static inline void siphash_round(struct siphash_state *s)
{
    s->v0 += s->v1;
    s->v1 = SIPHASH_ROTATE(s->v1, 13) ^ s->v0;
    s->v0 = SIPHASH_ROTATE(s->v0, 32);
    s->v2 += s->v3;
    s->v3 = SIPHASH_ROTATE(s->v3, 16) ^ s->v2;
    s->v0 += s->v3;
    s->v3 = SIPHASH_ROTATE(s->v3, 21) ^ s->v0;
    s->v2 += s->v1;
    s->v1 = SIPHASH_ROTATE(s->v1, 17) ^ s->v2;
    s->v2 = SIPHASH_ROTATE(s->v2, 32);
}

static inline uint64_t siphash_words(const uint64_t key[2], const uint64_t *words, size_t count)
{
    struct siphash_state s = {
        key[0] ^ 0x736f6d6570736575ULL,
        key[1] ^ 0x646f72616e646f6dULL,
        key[0] ^ 0x6c7967656e657261ULL,
        key[1] ^ 0x7465646279746573ULL,
    };
    uint64_t last = (uint64_t)(count * 8) << 56;

    for (size_t i = 0; i < count; i++) {
        s.v3 ^= words[i];
        siphash_round(&s);
        s.v0 ^= words[i];
    }
    s.v3 ^= last;
    siphash_round(&s);
    s.v0 ^= last;
    s.v2 ^= 0xff;
    siphash_round(&s);
    siphash_round(&s);
    siphash_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

#undef SIPHASH_ROTATE

#endif
