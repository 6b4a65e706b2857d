#include "analysis/connection/routing.h"

#include "analysis/connection/connection.h"
#include "analysis/connection/handshake.h"

/* Index in addr[] of the client, as far as a first segment tells. */
static uint8_t client_of(const struct flow_key *key, const struct segment *seg, bool *known)
{
    uint8_t source = key->swapped;

    *known = (seg->flags & TCP_SYN) != 0;
    if (*known)
        return (seg->flags & TCP_ACK) != 0 ? !source : source;
    if (key->port[0] == key->port[1])
        return source;
    return key->port[1] > key->port[0];
}

/* Ports that FTP control connections are on by custom: 21, 990 (TLS from the start), 2121. */
static bool ftp_port(uint16_t port)
{
    return port == 21 || port == 990 || port == 2121;
}

static struct flow *begin(struct tracker *t, const struct flow_key *key,
                          const struct segment *seg)
{
    struct flow *flow = flow_table_insert(t->flows, key);
    bool known;

    flow->marks = client_of(key, seg, &known) != 0 ? FLOW_CLIENT_HIGH : 0;
    flow->marks |= known ? FLOW_ROLE_KNOWN : 0;
    flow->start_ns = flow->last_ns = seg->time_ns;
    flow->first_frame = seg->frame;
    flow->source = seg->source;
    struct endpoint client = flow_endpoint(flow, C2S), server = flow_endpoint(flow, S2C);
    if (sessions_flow_start(t->sessions, flow->id, &client, &server, known, seg->time_ns,
                            seg->frame))
        flow->marks |= FLOW_CONTROL;
    if (ftp_port(client.port) || ftp_port(server.port))
        flow->marks |= FLOW_CONTROL_PORT;
    tracker_event(t, EVENT_FLOW_START, flow, C2S, seg, 0);
    return flow;
}

/* The same five-tuple on another VLAN is another connection only where it must be: in the same
 * direction, with numbers that do not fit.  A tag in one direction only, or another tag each way,
 * is the mark of an asymmetric mirror. */
static bool on_other_vlan(const struct flow *flow, enum direction dir, const struct segment *seg)
{
    const struct half *half = &flow->half[dir];

    if ((flow->marks & FLOW_VLAN_SIBLING) != 0 && flow->half[C2S].vlan != seg->vlan &&
        flow->half[S2C].vlan != seg->vlan)
        return true;
    if (half->packets == 0 || half->vlan == seg->vlan)
        return false;
    return !connection_fits(flow, dir, seg);
}

struct flow *routing_flow(struct tracker *t, struct flow_key *key, const struct segment *seg,
                          enum direction *dir, struct flow **replaced)
{
    struct flow *flow = flow_table_find(t->flows, key);

    *replaced = NULL;
    if (flow != NULL && (seg->vlan != 0 || (flow->marks & FLOW_TAGGED) != 0) &&
        on_other_vlan(flow, flow_direction(flow, key->swapped), seg)) {
        flow->marks |= FLOW_VLAN_SIBLING;
        flow_key_split(t->flows, seg->vlan, key);
        flow = flow_table_find(t->flows, key);
    }
    if (flow != NULL && (seg->flags & TCP_SYN) != 0 &&
        handshake_is_new(flow, flow_direction(flow, key->swapped), seg)) {
        flow->marks |= FLOW_REPLACED;
        *replaced = flow;
        flow = NULL;
    }
    if (flow == NULL)
        flow = begin(t, key, seg);
    *dir = flow_direction(flow, key->swapped);
    routing_note_first(flow, *dir, seg);
    return flow;
}
