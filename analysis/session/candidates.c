#include "analysis/session/candidates.h"

#include <stdlib.h>

#include "xmalloc.h"

struct candidate {
    struct pairing_flow flow; /* flow_id 0 = empty */
    uint8_t chances;
};

struct candidates {
    struct candidate *any, *port; /* CANDIDATES_MAX and CANDIDATES_PORT_MAX, NULL until needed */
};

struct candidates *candidates_new(void)
{
    return xcalloc(1, sizeof(struct candidates));
}

void candidates_free(struct candidates *c)
{
    if (!c)
        return;
    free(c->any);
    free(c->port);
    free(c);
}

/* NULL = no protocol's own port. */
static const struct dialect *port_owner(uint16_t port)
{
    for (const struct dialect *const *dialect = dialects; *dialect; dialect++)
        if ((*dialect)->owns_port(port))
            return *dialect;
    return NULL;
}

void candidates_add(struct candidates *c, const struct pairing_flow *flow)
{
    bool owned = port_owner(flow->server.port) != NULL;
    struct candidate **row = owned ? &c->port : &c->any;
    unsigned max = owned ? CANDIDATES_PORT_MAX : CANDIDATES_MAX;

    if (!*row)
        *row = xcalloc(max, sizeof **row);
    (*row)[flow->flow_id % max] = (struct candidate){*flow, CANDIDATE_CHANCES};
}

static struct candidate *find(const struct candidates *c, uint64_t flow_id)
{
    if (c->port && c->port[flow_id % CANDIDATES_PORT_MAX].flow.flow_id == flow_id)
        return &c->port[flow_id % CANDIDATES_PORT_MAX];
    if (c->any && c->any[flow_id % CANDIDATES_MAX].flow.flow_id == flow_id)
        return &c->any[flow_id % CANDIDATES_MAX];
    return NULL;
}

/* The first protocol that takes the piece for its own; who owns the port is asked alone. */
static enum dialect_answer ask(const struct first_piece *piece, const struct dialect *owner,
                               const struct dialect **dialect)
{
    enum dialect_answer answer = DIALECT_NO;

    *dialect = owner;
    if (owner)
        return owner->judge(piece);
    for (const struct dialect *const *d = dialects; *d; d++) {
        enum dialect_answer one = (*d)->judge(piece);
        if (one == DIALECT_READ) {
            *dialect = *d;
            return DIALECT_READ;
        }
        if (one == DIALECT_WAIT)
            answer = DIALECT_WAIT;
    }
    return answer;
}

enum dialect_answer candidates_judge(struct candidates *c, uint64_t flow_id, bool from_server,
                                     const uint8_t *data, uint32_t length,
                                     const struct dialect **dialect, struct pairing_flow *flow,
                                     bool *known_port)
{
    struct candidate *candidate = flow_id != 0 ? find(c, flow_id) : NULL;

    if (!candidate)
        return DIALECT_NO;
    if (length == 0)
        return DIALECT_WAIT;
    *flow = candidate->flow;
    const struct dialect *owner = port_owner(flow->server.port);
    *known_port = owner != NULL;
    const struct first_piece piece = {flow, *known_port, from_server, data, length};
    enum dialect_answer answer = ask(&piece, owner, dialect);
    if (answer == DIALECT_WAIT && candidate->chances-- == 0)
        answer = DIALECT_NO;
    if (answer != DIALECT_WAIT)
        candidate->flow.flow_id = 0;
    return answer;
}
