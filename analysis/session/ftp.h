/* The dialogue on one FTP control connection (RFC 959): commands matched to replies in order,
 * and the transfers that come of them, with their data connections.
 *
 * What is kept for the report (struct ftp_dialogue, its transfers and lines) outlives the state
 * needed while reading (struct ftp_live, about 6 KiB), which goes at QUIT or when too many
 * dialogues are open. */
#ifndef TCPWHY_ANALYSIS_FTP_H
#define TCPWHY_ANALYSIS_FTP_H

#include "analysis/session/command_log.h"
#include "analysis/session/ftp_parse.h"
#include "analysis/moment.h"
#include "analysis/session/pairing.h"

/* Commands that wait for their reply; past it the oldest is given up. */
#define FTP_PENDING_MAX 64u
/* Answers to SIZE remembered, newest replace oldest. */
#define FTP_SIZES_MAX 16u
/* Transfers kept over all dialogues. */
#define FTP_TRANSFERS_MAX 20000u
#define FTP_USER_MAX 256

/* One transfer as the control connection tells it. */
struct ftp_transfer {
    const struct ftp_verb *verb; /* NULL = a data connection without a readable command */
    char *name;                  /* NULL = "" */
    bool addressed;              /* PASV, PORT or the like came before it */
    bool passive, ascii;
    bool bytes_compare;          /* the wire carries the file's bytes: MODE S */
    uint64_t rest;               /* offset of REST */
    uint64_t announced_bytes, announced_slack; /* of the 150 reply; BYTES_UNKNOWN */
    uint64_t size_bytes;         /* by SIZE or ALLO; BYTES_UNKNOWN */
    struct moment address, command, mark, final, abort; /* mark: 125 or 150; abort: ABOR */
    int final_code;              /* 0 = none seen */
    struct pairing_wish wish;
};

/* What all dialogues of an analysis share. */
struct ftp_shared {
    struct pairing *pairing;
    struct command_budget commands;
    size_t transfers;
    uint64_t dropped; /* transfers and pending commands given up at a bound */
};

enum ftp_verdict {
    FTP_MAYBE,
    FTP_YES,
    FTP_NO, /* not a control connection: nobody needs it any more */
};

struct ftp_live;

struct ftp_dialogue {
    struct ftp_shared *shared;
    uint64_t flow_id;
    struct endpoint client, server;
    enum ftp_verdict verdict;
    bool known_port;  /* its port is FTP's own */
    bool ftps;        /* was behind TLS, at least for a time */
    char *user;       /* NULL = none seen */
    struct moment greeting, login_from, login_to, first_command, last_reply;
    struct phase lookup; /* of the server's name; duration_ns NS_UNKNOWN = none seen */
    uint64_t turns, turn_bytes;
    enum direction last_turn;
    /* sum of the times from command to first reply, and how many of them contain a round trip */
    int64_t reply_ns;
    uint64_t reply_round_trips;
    struct ftp_transfer **transfers;
    size_t transfer_count, transfer_capacity;
    struct command_log log;
    struct ftp_live *live; /* NULL = closed */
};

/* A piece of the control connection's payload. */
struct ftp_piece {
    bool from_server;
    uint64_t offset; /* in its stream; a jump means missing bytes */
    const uint8_t *data;
    uint32_t length;
    struct moment when;
};

/* flow says who; tls_first: implicit FTPS (RFC 4217 appendix A), nothing is readable. */
struct ftp_dialogue *ftp_dialogue_new(struct ftp_shared *shared, const struct pairing_flow *flow,
                                      bool known_port, bool tls_first);
void ftp_dialogue_free(struct ftp_dialogue *d);

/* Read on; d->verdict says whether it is FTP so far. */
void ftp_dialogue_read(struct ftp_dialogue *d, const struct ftp_piece *piece);
/* A connection that the dialogue's watch has recognised as its data connection. */
void ftp_dialogue_add_hidden(struct ftp_dialogue *d, const struct pairing_flow *flow);
/* No more will come: release what only reading needs. */
void ftp_dialogue_close(struct ftp_dialogue *d);

#endif
