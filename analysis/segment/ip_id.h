/* What a host's IP identification numbers tell: the order in which it sent, and how many packets
 * it sent that the tap never saw (lost upstream).  Weak ones (zero, random) carry no weight. */
#ifndef TCPWHY_ANALYSIS_IP_ID_H
#define TCPWHY_ANALYSIS_IP_ID_H

#include <stdbool.h>
#include <stdint.h>

enum ip_id_mode {
    IP_ID_LEARNING,
    IP_ID_PER_FLOW, /* one up for each packet of this flow: missing numbers are missing packets */
    IP_ID_RISING,   /* shared counter: order only */
    IP_ID_USELESS,  /* zero or random */
};

struct ip_ids {
    uint64_t first, next; /* unwrapped; next is one above the highest seen */
    uint64_t seen;        /* packets, copies excluded; super-segments count as their parts */
    uint32_t exact, rising, other;
    uint32_t unexplained; /* jumps that no loss accounts for: other connections share the counter */
    bool started;
};

/* A jump further than this is another counter, not a loss. */
#define IP_ID_JUMP_MAX 1024

/* The usual case of ip_ids_add: the number expected next, or one a little above where the counter
 * is known to be shared.  Returns false, and changes nothing, when it is another. */
static inline __attribute__((always_inline)) bool
ip_ids_add_next(struct ip_ids *ids, uint16_t id, uint32_t packets)
{
    uint32_t step = (uint16_t)(id - (uint16_t)ids->next);

    if (id == 0 || !ids->started || step >= IP_ID_JUMP_MAX ||
        (step > 0 && ids->unexplained == 0))
        return false;
    *(step == 0 ? &ids->exact : &ids->rising) += 1;
    ids->seen += packets;
    ids->next += step + packets;
    return true;
}

/* Take the IP ID of a packet that stands for `packets` packets on the wire; explained says that
 * packets before it may have been lost (a hole, a silence). */
void ip_ids_add(struct ip_ids *ids, uint16_t id, uint32_t packets, bool explained);
enum ip_id_mode ip_ids_mode(const struct ip_ids *ids);
/* Packets sent before this one and not seen: the jump of its id; 0 when none or not known. */
uint32_t ip_ids_jump(const struct ip_ids *ids, uint16_t id);
/* Whether a number lies below those seen: it was not sent after them. */
bool ip_ids_is_old(const struct ip_ids *ids, uint16_t id);
/* Order of two packets: 1 when a was sent after b, -1 before, 0 not known. */
int ip_ids_order(const struct ip_ids *ids, uint16_t a, uint16_t b);
/* Packets of this flow that were sent and never passed the tap; 0 unless the mode is per flow and
 * every jump goes with a loss. */
uint64_t ip_ids_missing(const struct ip_ids *ids);

#endif
