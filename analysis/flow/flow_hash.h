/* Keyed hash of a flow's key: multilinear (Lemire and Kaser 2014, "Strongly universal string
 * hashing is fast", theorem 3.1).  A sum of products of 32-bit characters with random 64-bit
 * multipliers, of which the upper half counts.
 *
 * The hashes of any two keys chosen without knowledge of the multipliers are independent and
 * uniform, so that whoever writes a capture cannot steer flows into one place of the table.  It
 * does not hide the multipliers from someone who sees hashes; no hash ever leaves the process. */
#ifndef TCPWHY_ANALYSIS_FLOW_HASH_H
#define TCPWHY_ANALYSIS_FLOW_HASH_H

#include <string.h>

#include "capture/segment.h"

struct flow_hash {
    uint64_t v4[6], v6[12]; /* random multipliers; the last one is added */
};

/* What is hashed besides the addresses: ports, tunnel, VLAN that splits. */
struct flow_hash_rest {
    uint32_t ports, tunnel_id, vlan_split;
};

static inline uint32_t flow_hash_character(const uint8_t *bytes)
{
    uint32_t character;

    memcpy(&character, bytes, sizeof character);
    return character;
}

/* Of a key with two IPv4 addresses: one character each. */
static inline uint32_t flow_hash_v4(const struct flow_hash *hash, const struct ip_addr *low,
                                    const struct ip_addr *high, struct flow_hash_rest rest)
{
    const uint64_t *m = hash->v4;

    return (uint32_t)((m[0] * flow_hash_character(low->bytes + 12) +
                       m[1] * flow_hash_character(high->bytes + 12) + m[2] * rest.ports +
                       m[3] * rest.tunnel_id + m[4] * rest.vlan_split + m[5]) >> 32);
}

/* Of a key with any other addresses: four characters each. */
static inline uint32_t flow_hash_v6(const struct flow_hash *hash, const struct ip_addr *low,
                                    const struct ip_addr *high, struct flow_hash_rest rest)
{
    const uint64_t *m = hash->v6;
    uint64_t sum = m[11] + m[8] * rest.ports + m[9] * rest.tunnel_id + m[10] * rest.vlan_split;

    for (int i = 0; i < 4; i++)
        sum += m[i] * flow_hash_character(low->bytes + 4 * i) +
               m[4 + i] * flow_hash_character(high->bytes + 4 * i);
    return (uint32_t)(sum >> 32);
}

#endif
