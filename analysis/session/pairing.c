#include "analysis/session/pairing.h"

#include <stdlib.h>

#include "analysis/moment.h"
#include "xmalloc.h"

#define FIRST_USER_PORT 1024 /* below it are services, not data connections */
#define FTP_DATA_PORT 20
#define FTPS_DATA_PORT 989

/* How well a flow fits a wish. */
enum fit {
    FIT_NONE,
    FIT_ONE_HOST,  /* the port and one host: address translation hides the other */
    FIT_ANNOUNCED, /* the announced address, from a third host: server to server (FXP) */
    FIT_EXACT,
};

struct pairing {
    struct pairing_link *wishes[PAIRING_BUCKETS];  /* by port */
    struct pairing_link *watches[PAIRING_BUCKETS]; /* by the two hosts */
    uint64_t watch_count_ever;
    struct pairing_flow strangers[PAIRING_STRANGERS]; /* ring; flow_id 0 = empty */
    unsigned next_stranger;
};

struct pairing *pairing_new(void)
{
    return xcalloc(1, sizeof(struct pairing));
}

void pairing_free(struct pairing *p)
{
    free(p);
}

static void link_add(struct pairing_link **head, struct pairing_link *link)
{
    link->next = *head;
    link->prev = head;
    if (*head)
        (*head)->prev = &link->next;
    *head = link;
}

static void link_remove(struct pairing_link *link)
{
    if (!link->prev)
        return;
    *link->prev = link->next;
    if (link->next)
        link->next->prev = link->prev;
    link->prev = NULL;
    link->next = NULL;
}

/* Links are the first member of what they link, so one pointer serves for both. */
static struct pairing_wish *wish_of(struct pairing_link *link)
{
    return (struct pairing_wish *)(void *)link;
}

static struct pairing_watch *watch_of(struct pairing_link *link)
{
    return (struct pairing_watch *)(void *)link;
}

static enum fit wish_fit(const struct pairing_wish *wish, const struct endpoint *from,
                         const struct endpoint *to)
{
    bool caller, announced, callee;

    if (to->port != wish->port)
        return FIT_NONE;
    caller = ip_addr_equal(&from->addr, &wish->caller);
    announced = wish->announced_known && ip_addr_equal(&to->addr, &wish->announced);
    callee = announced || ip_addr_equal(&to->addr, &wish->callee);
    if (caller && callee)
        return FIT_EXACT;
    if (announced)
        return FIT_ANNOUNCED;
    if (callee || (caller && wish->port >= FIRST_USER_PORT))
        return FIT_ONE_HOST;
    return FIT_NONE;
}

/* Best fit of a flow whose roles may be guessed; *swapped: its client is the announced end. */
static enum fit flow_fit(const struct pairing_wish *wish, const struct pairing_flow *flow,
                         bool *swapped)
{
    enum fit straight = wish_fit(wish, &flow->client, &flow->server);
    enum fit turned = flow->role_known ? FIT_NONE : wish_fit(wish, &flow->server, &flow->client);

    *swapped = turned > straight;
    return *swapped ? turned : straight;
}

static void wish_fulfil(struct pairing_wish *wish, const struct pairing_flow *flow, bool swapped)
{
    wish->flow_id = flow->flow_id;
    wish->flow_start_ns = flow->time_ns;
    wish->callee_is_client = swapped;
    link_remove(&wish->link);
}

/* Best and newest wish among those waiting for this port; the buckets list the newest first. */
static struct pairing_wish *best_wish(struct pairing_link *link, const struct pairing_flow *flow,
                                      const struct pairing_wish *partner, enum fit least,
                                      bool *swapped)
{
    struct pairing_wish *best = NULL;
    enum fit best_fit = (enum fit)(least - 1);

    for (int i = 0; link && i < PAIRING_SCAN_MAX; link = link->next, i++) {
        struct pairing_wish *wish = wish_of(link);
        bool turned;
        enum fit fit;

        if (partner && (partner == wish || partner->active == wish->active))
            continue;
        fit = flow_fit(wish, flow, &turned);
        if (fit > best_fit) {
            best = wish;
            best_fit = fit;
            *swapped = turned;
        }
    }
    return best;
}

/* Give the flow to who waits for one of its ports.  With FXP both control connections do: the
 * second must then have been told exactly this address. */
static bool fulfil_by_port(struct pairing *p, const struct pairing_flow *flow, uint16_t port)
{
    struct pairing_link **bucket = &p->wishes[port % PAIRING_BUCKETS];
    bool swapped;
    struct pairing_wish *first, *second;

    if (!*bucket)
        return false;
    first = best_wish(*bucket, flow, NULL, FIT_ONE_HOST, &swapped);
    if (!first)
        return false;
    wish_fulfil(first, flow, swapped);
    second = best_wish(*bucket, flow, first, FIT_ANNOUNCED, &swapped);
    if (second)
        wish_fulfil(second, flow, swapped);
    return true;
}

void pairing_open(struct pairing *p, struct pairing_wish *wish, int64_t now_ns)
{
    enum fit best_fit = FIT_NONE;
    unsigned best = 0;
    bool best_swapped = false;

    pairing_close(wish);
    for (unsigned i = 1; i <= PAIRING_STRANGERS; i++) { /* newest first */
        unsigned at = (p->next_stranger + PAIRING_STRANGERS - i) % PAIRING_STRANGERS;
        const struct pairing_flow *stranger = &p->strangers[at];
        int64_t age = span_ns(stranger->time_ns, now_ns);
        bool swapped;
        enum fit fit;

        if (stranger->flow_id == 0 || age == NS_UNKNOWN || age > PAIRING_LOOK_BACK_NS)
            continue;
        fit = flow_fit(wish, stranger, &swapped);
        if (fit > best_fit) {
            best_fit = fit;
            best = at;
            best_swapped = swapped;
        }
    }
    if (best_fit == FIT_NONE) {
        link_add(&p->wishes[wish->port % PAIRING_BUCKETS], &wish->link);
        return;
    }
    wish_fulfil(wish, &p->strangers[best], best_swapped);
    p->strangers[best].flow_id = 0;
}

void pairing_close(struct pairing_wish *wish)
{
    link_remove(&wish->link);
}

/* The same bucket for both directions. */
static struct pairing_link **watch_bucket(struct pairing *p, const struct ip_addr *a,
                                          const struct ip_addr *b)
{
    unsigned hash = 0;

    for (size_t i = 0; i < sizeof a->bytes; i++)
        hash = hash * 31 + (unsigned)(a->bytes[i] ^ b->bytes[i]);
    return &p->watches[hash % PAIRING_BUCKETS];
}

void pairing_watch_open(struct pairing *p, struct pairing_watch *watch)
{
    pairing_watch_close(watch);
    p->watch_count_ever++;
    link_add(watch_bucket(p, &watch->client, &watch->server), &watch->link);
}

void pairing_watch_close(struct pairing_watch *watch)
{
    link_remove(&watch->link);
}

/* Between the same hosts, no service, and soon after records both ways. */
static bool watch_fits(const struct pairing_watch *watch, const struct pairing_flow *flow)
{
    bool passive = ip_addr_equal(&watch->client, &flow->client.addr) &&
                   ip_addr_equal(&watch->server, &flow->server.addr);
    bool active = ip_addr_equal(&watch->server, &flow->client.addr) &&
                  ip_addr_equal(&watch->client, &flow->server.addr);
    bool from_data_port =
        flow->client.port == FTP_DATA_PORT || flow->client.port == FTPS_DATA_PORT;
    int64_t after_client = span_ns(watch->client_record_ns, flow->time_ns);
    int64_t after_server = span_ns(watch->server_record_ns, flow->time_ns);

    if (!passive && !active)
        return false;
    if (flow->server.port < FIRST_USER_PORT || flow->server.port == watch->server_port)
        return false;
    if (flow->client.port < FIRST_USER_PORT && !(active && from_data_port))
        return false;
    return after_client != NS_UNKNOWN && after_client <= PAIRING_WATCH_NS &&
           after_server != NS_UNKNOWN && after_server <= PAIRING_WATCH_NS;
}

static struct pairing_watch *find_watch(struct pairing *p, const struct pairing_flow *flow)
{
    struct pairing_link *link;
    struct pairing_watch *best = NULL;

    if (p->watch_count_ever == 0)
        return NULL;
    link = *watch_bucket(p, &flow->client.addr, &flow->server.addr);
    for (int i = 0; link && i < PAIRING_SCAN_MAX; link = link->next, i++) {
        struct pairing_watch *watch = watch_of(link);

        if (watch_fits(watch, flow) &&
            (!best || watch->server_record_ns > best->server_record_ns))
            best = watch;
    }
    return best;
}

struct pairing_watch *pairing_flow_new(struct pairing *p, const struct pairing_flow *flow)
{
    struct pairing_watch *watch;

    if (fulfil_by_port(p, flow, flow->server.port))
        return NULL;
    if (!flow->role_known && fulfil_by_port(p, flow, flow->client.port))
        return NULL;
    watch = find_watch(p, flow);
    if (watch) {
        /* The next data connection must be asked for and answered anew. */
        watch->client_record_ns = NS_UNKNOWN;
        watch->server_record_ns = NS_UNKNOWN;
        return watch;
    }
    p->strangers[p->next_stranger] = *flow;
    p->next_stranger = (p->next_stranger + 1) % PAIRING_STRANGERS;
    return NULL;
}
