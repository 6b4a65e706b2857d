/* Which new connection is the data connection that an FTP dialogue has announced.
 *
 * A wish is an announced address that waits for its connection; the newest one that fits best
 * wins, and it waits until its owner closes it, not for a fixed time.  A watch is a dialogue that
 * cannot be read (TLS): connections between its two hosts are judged by when they start.  Wishes
 * and watches live inside their owners; this module only links them. */
#ifndef TCPWHY_ANALYSIS_PAIRING_H
#define TCPWHY_ANALYSIS_PAIRING_H

#include "analysis/result.h"

/* Connections remembered that nobody has asked for yet: a SYN can stand before the reply that
 * announces it. */
#define PAIRING_STRANGERS 64
#define PAIRING_LOOK_BACK_NS (2 * INT64_C(1000000000))
/* Longest time from TLS records on the control connection to a data connection. */
#define PAIRING_WATCH_NS (2 * INT64_C(1000000000))
/* Wishes or watches of one bucket that are looked at: bounds the work per connection. */
#define PAIRING_SCAN_MAX 256
#define PAIRING_BUCKETS 1024

struct pairing_link {
    struct pairing_link *next, **prev; /* prev NULL = not linked */
};

struct pairing_wish {
    struct pairing_link link; /* first: see pairing.c */
    struct ip_addr caller, callee; /* hosts of the control connection that should connect */
    struct ip_addr announced;      /* address in the reply or command */
    bool announced_known;
    bool active;                   /* the callee is the FTP client */
    uint16_t port;
    /* what came */
    uint64_t flow_id;       /* 0 = nothing yet */
    int64_t flow_start_ns;
    bool callee_is_client;  /* no SYN seen, and the flow's client is the end that was announced */
};

struct pairing_watch {
    struct pairing_link link; /* first: see pairing.c */
    struct ip_addr client, server;
    uint16_t server_port;                    /* of the control connection */
    int64_t client_record_ns, server_record_ns; /* newest; NS_UNKNOWN = none since the last match */
    void *owner;
};

struct pairing_flow {
    uint64_t flow_id;
    struct endpoint client, server;
    bool role_known;
    int64_t time_ns;
};

struct pairing;

struct pairing *pairing_new(void);
void pairing_free(struct pairing *p);

/* Wait for the connection that wish describes, newest first; one seen up to 2 s ago counts. */
void pairing_open(struct pairing *p, struct pairing_wish *wish, int64_t now_ns);
/* Stop waiting; harmless when it does not. */
void pairing_close(struct pairing_wish *wish);

void pairing_watch_open(struct pairing *p, struct pairing_watch *watch);
void pairing_watch_close(struct pairing_watch *watch);

/* A new flow: gives it to the wishes that it fulfils (two when a server connects to a server).
 * When none does and it looks like the data connection of a watch, that watch; else NULL. */
struct pairing_watch *pairing_flow_new(struct pairing *p, const struct pairing_flow *flow);

#endif
