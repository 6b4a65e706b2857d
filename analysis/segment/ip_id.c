#include "analysis/segment/ip_id.h"

#define JUMP_MAX IP_ID_JUMP_MAX
#define LEARN_MIN 8u

void ip_ids_add(struct ip_ids *ids, uint16_t id, uint32_t packets, bool explained)
{
    if (!ids->started) {
        ids->started = true;
        ids->first = (uint64_t)0x10000 + id;
        ids->next = ids->first + packets;
        ids->seen = packets;
        return;
    }
    int16_t step = (int16_t)(uint16_t)(id - (uint16_t)ids->next);
    if (id != 0 && step == 0)
        ids->exact++;
    else if (id != 0 && step > -JUMP_MAX && step < JUMP_MAX)
        ids->rising++;
    else
        ids->other++;
    if (step <= -JUMP_MAX || step >= JUMP_MAX) {
        ids->unexplained++; /* another counter, or a long gap: what follows counts from here */
        ids->next += (uint64_t)(int64_t)step + packets;
        ids->first = ids->next - packets;
        ids->seen = packets;
        return;
    }
    ids->seen += packets;
    ids->unexplained += step > 0 && !explained;
    uint64_t end = ids->next + (uint64_t)(int64_t)step + packets;
    if (end > ids->next)
        ids->next = end;
}

enum ip_id_mode ip_ids_mode(const struct ip_ids *ids)
{
    uint32_t steps = ids->exact + ids->rising + ids->other;

    if (steps < LEARN_MIN)
        return IP_ID_LEARNING;
    if (ids->other * 10 > steps)
        return IP_ID_USELESS;
    return ids->exact * 10 >= steps * 7 ? IP_ID_PER_FLOW : IP_ID_RISING;
}

uint32_t ip_ids_jump(const struct ip_ids *ids, uint16_t id)
{
    int16_t step = (int16_t)(uint16_t)(id - (uint16_t)ids->next);

    if (ip_ids_mode(ids) != IP_ID_PER_FLOW || ids->unexplained > 0 || step <= 0 || step >= JUMP_MAX)
        return 0;
    return (uint32_t)step;
}

bool ip_ids_is_old(const struct ip_ids *ids, uint16_t id)
{
    int16_t step = (int16_t)(uint16_t)(id - (uint16_t)ids->next);
    enum ip_id_mode mode = ip_ids_mode(ids);

    if (mode == IP_ID_LEARNING) /* few numbers, but in order so far, and this one lies among them */
        return ids->other == 0 && step < 0 && ids->next - ids->first >= (uint64_t)-step;
    return (mode == IP_ID_PER_FLOW || mode == IP_ID_RISING) && step < 0 && step > -JUMP_MAX;
}

int ip_ids_order(const struct ip_ids *ids, uint16_t a, uint16_t b)
{
    enum ip_id_mode mode = ip_ids_mode(ids);
    int16_t step = (int16_t)(uint16_t)(a - b);

    if ((mode != IP_ID_PER_FLOW && mode != IP_ID_RISING) || step == 0)
        return 0;
    return step > 0 ? 1 : -1;
}

uint64_t ip_ids_missing(const struct ip_ids *ids)
{
    if (ip_ids_mode(ids) != IP_ID_PER_FLOW || ids->unexplained > 0 || ids->next - ids->first < ids->seen)
        return 0;
    return ids->next - ids->first - ids->seen;
}
