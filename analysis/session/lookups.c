#include "analysis/session/lookups.h"

#include <stdlib.h>
#include <strings.h>

#include "xmalloc.h"

struct question {
    int64_t time_ns;
    struct ip_addr client;
    uint16_t type;                  /* A and AAAA are asked side by side */
    char name[NOTICE_NAME_MAX + 1]; /* "" = empty slot */
};

struct answer {
    int64_t question_ns, time_ns; /* question_ns NS_UNKNOWN = not seen, slot empty */
    struct ip_addr client;
    uint8_t count;
    struct ip_addr addrs[NOTICE_ADDRS_MAX];
};

struct lookups {
    struct question questions[LOOKUPS_KEPT];
    struct answer answers[LOOKUPS_KEPT];
    unsigned next_question, next_answer;
};

struct lookups *lookups_new(void)
{
    return xcalloc(1, sizeof(struct lookups));
}

void lookups_free(struct lookups *l)
{
    free(l);
}

static bool asks_for(const struct question *q, const struct notice *answer)
{
    return q->name[0] != '\0' && q->type == answer->dns_type &&
           ip_addr_equal(&q->client, &answer->dst) && strcasecmp(q->name, answer->dns_name) == 0;
}

/* Time of the first question that this answers: what was repeated had gone unanswered. */
static int64_t first_question_ns(const struct lookups *l, const struct notice *answer)
{
    int64_t first = NS_UNKNOWN;

    for (unsigned i = 0; i < LOOKUPS_KEPT; i++) {
        const struct question *q = &l->questions[i];
        int64_t age = span_ns(q->time_ns, answer->time_ns);

        if (!asks_for(q, answer) || age == NS_UNKNOWN || age > LOOKUPS_QUESTION_NS)
            continue;
        if (first == NS_UNKNOWN || q->time_ns < first)
            first = q->time_ns;
    }
    return first;
}

/* Questions that have been answered begin no later look-up for the same name. */
static void forget_questions(struct lookups *l, const struct notice *answer)
{
    for (unsigned i = 0; i < LOOKUPS_KEPT; i++) {
        if (asks_for(&l->questions[i], answer))
            l->questions[i].name[0] = '\0';
    }
}

static void add_answer(struct lookups *l, const struct notice *notice)
{
    struct answer *answer = &l->answers[l->next_answer];

    if (notice->dns_addr_count == 0)
        return;
    answer->question_ns = first_question_ns(l, notice);
    if (answer->question_ns == NS_UNKNOWN) {
        answer->count = 0;
        return;
    }
    answer->time_ns = notice->time_ns;
    answer->client = notice->dst;
    answer->count = notice->dns_addr_count < NOTICE_ADDRS_MAX ? notice->dns_addr_count
                                                             : NOTICE_ADDRS_MAX;
    memcpy(answer->addrs, notice->dns_addrs, sizeof answer->addrs);
    l->next_answer = (l->next_answer + 1) % LOOKUPS_KEPT;
    forget_questions(l, notice);
}

void lookups_notice(struct lookups *l, const struct notice *notice)
{
    if (notice->kind == NOTICE_DNS_ANSWER) {
        add_answer(l, notice);
    } else if (notice->kind == NOTICE_DNS_QUERY) {
        struct question *q = &l->questions[l->next_question];

        q->time_ns = notice->time_ns;
        q->client = notice->src;
        q->type = notice->dns_type;
        memcpy(q->name, notice->dns_name, sizeof q->name);
        q->name[NOTICE_NAME_MAX] = '\0';
        l->next_question = (l->next_question + 1) % LOOKUPS_KEPT;
    }
}

static bool answer_names(const struct answer *answer, const struct ip_addr *addr)
{
    for (unsigned i = 0; i < answer->count; i++) {
        if (ip_addr_equal(&answer->addrs[i], addr))
            return true;
    }
    return false;
}

bool lookups_find(const struct lookups *l, const struct ip_addr *client,
                  const struct ip_addr *server, int64_t before_ns, struct phase *phase)
{
    const struct answer *best = NULL;

    for (unsigned i = 0; i < LOOKUPS_KEPT; i++) {
        const struct answer *answer = &l->answers[i];
        int64_t age = span_ns(answer->time_ns, before_ns);

        if (answer->count == 0 || age == NS_UNKNOWN || age > LOOKUPS_ANSWER_NS)
            continue;
        if (ip_addr_equal(&answer->client, client) && answer_names(answer, server) &&
            (!best || answer->time_ns > best->time_ns))
            best = answer;
    }
    if (!best)
        return false;
    phase->kind = PHASE_NAME_LOOKUP;
    phase->start_ns = best->question_ns;
    phase->duration_ns = best->time_ns - best->question_ns;
    return true;
}
