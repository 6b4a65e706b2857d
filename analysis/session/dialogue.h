/* A dialogue that the session layer reads, of whatever protocol, and what it asks of a protocol.
 *
 * A protocol is one const struct dialect in a file of its own, listed in dialects.c: it says from
 * the first bytes whether a connection is its, reads the payload in stream order, and in the end
 * lists a session and its transfers. */
#ifndef TCPWHY_ANALYSIS_DIALOGUE_H
#define TCPWHY_ANALYSIS_DIALOGUE_H

#include "analysis/moment.h"
#include "analysis/session/command_log.h"
#include "analysis/session/pairing.h"

/* Transfers kept over all dialogues. */
#define DIALOGUE_TRANSFERS_MAX 20000u

/* What all dialogues of an analysis share. */
struct session_shared {
    struct pairing *pairing;
    struct command_budget commands;
    size_t transfers;
    uint64_t dropped; /* transfers and pending commands given up at a bound */
};

enum dialogue_verdict {
    DIALOGUE_MAYBE,
    DIALOGUE_YES,
    DIALOGUE_NO, /* not of this protocol: nobody needs it any more */
};

struct dialect;

/* First member of each protocol's own struct. */
struct dialogue {
    const struct dialect *dialect;
    struct session_shared *shared;
    uint64_t flow_id;
    struct endpoint client, server;
    bool role_known;
    bool known_port;     /* the server's port is the protocol's own */
    bool open;           /* wants more payload */
    enum dialogue_verdict verdict;
    struct phase lookup; /* of the server's name; duration_ns NS_UNKNOWN = none seen */
};

/* A piece of the connection's payload. */
struct dialogue_piece {
    bool from_server;
    uint64_t offset; /* in its stream; a jump means missing bytes */
    const uint8_t *data;
    uint32_t length;
    struct moment when;
};

enum dialect_answer {
    DIALECT_NO,   /* another protocol, or unknown */
    DIALECT_WAIT, /* cannot tell yet */
    DIALECT_READ, /* begin a dialogue with this piece */
};

/* The first payload of a connection whose protocol is not known yet; length is at least 1. */
struct first_piece {
    const struct pairing_flow *flow;
    bool known_port;
    bool from_server;
    const uint8_t *data;
    uint32_t length;
};

struct session_list;
struct flow_source;

/* NULL where a protocol has no use for it, unless said otherwise. */
struct dialect {
    const char *name;
    bool (*owns_port)(uint16_t port);                                  /* never NULL */
    enum dialect_answer (*judge)(const struct first_piece *piece);     /* never NULL */
    /* A dialogue of this flow, its base set by dialogue_init. */
    struct dialogue *(*begin)(struct session_shared *shared, const struct pairing_flow *flow,
                              bool known_port);                        /* never NULL */
    void (*read)(struct dialogue *d, const struct dialogue_piece *piece); /* never NULL */
    /* A connection that the dialogue's watch (pairing.h) has recognised as its own. */
    void (*add_hidden)(struct dialogue *d, const struct pairing_flow *flow);
    /* No more payload will come: release what only reading needs.  May be called again. */
    void (*close)(struct dialogue *d);                                 /* never NULL */
    void (*release)(struct dialogue *d);                               /* never NULL */
    /* Its session and transfers; verdict is DIALOGUE_YES and it is closed. */
    void (*list)(const struct dialogue *d, struct session_list *list,
                 const struct flow_source *flows);                     /* never NULL */
};

static inline void dialogue_init(struct dialogue *d, const struct dialect *dialect,
                                 struct session_shared *shared, const struct pairing_flow *flow,
                                 bool known_port)
{
    d->dialect = dialect;
    d->shared = shared;
    d->flow_id = flow->flow_id;
    d->client = flow->client;
    d->server = flow->server;
    d->role_known = flow->role_known;
    d->known_port = known_port;
    d->open = true;
    d->verdict = DIALOGUE_MAYBE;
    d->lookup.duration_ns = NS_UNKNOWN;
}

/* All protocols, in the order in which they are asked; NULL ends the row. */
extern const struct dialect *const dialects[];

#endif
