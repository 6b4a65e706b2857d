/* The dialogue on one FTP control connection (RFC 959): commands matched to replies in order,
 * and the transfers that come of them, with their data connections.
 *
 * What is kept for the report (struct ftp_dialogue, its transfers and lines) outlives the state
 * needed while reading (struct ftp_live, about 6 KiB), which goes at QUIT or when too many
 * dialogues are open. */
#ifndef TCPWHY_ANALYSIS_FTP_H
#define TCPWHY_ANALYSIS_FTP_H

#include "analysis/session/dialogue.h"
#include "analysis/session/ftp_parse.h"

/* Commands that wait for their reply; past it the oldest is given up. */
#define FTP_PENDING_MAX 64u
/* Answers to SIZE remembered, newest replace oldest. */
#define FTP_SIZES_MAX 16u
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

struct ftp_live;

struct ftp_dialogue {
    struct dialogue base; /* first */
    bool ftps;        /* was behind TLS, at least for a time */
    char *user;       /* NULL = none seen */
    struct moment greeting, login_from, login_to, first_command, last_reply;
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

/* Listed in dialects.c. */
extern const struct dialect ftp_dialect;

/* ftp_ports.c: is a connection FTP's, by its port and its first payload? */
bool ftp_owns_port(uint16_t port);
/* Implicit FTPS (RFC 4217 appendix A): nothing is readable. */
bool ftp_is_tls_port(uint16_t port);
enum dialect_answer ftp_judge_first(const struct first_piece *piece);

/* ftp_transfer.c: a transfer of an FTP session; flow is its data connection, NULL = none seen.
 * ended_by is in the roles of the control connection: in active mode its client is the data
 * flow's server.  id and session_id are left 0, the verdict zeroed. */
void ftp_transfer_result(const struct ftp_dialogue *d, const struct ftp_transfer *ftp,
                         const struct flow_result *flow, struct transfer_result *out);
/* ftp_session.c */
void ftp_list(const struct dialogue *d, struct session_list *list,
              const struct flow_source *flows);

#endif
