/* State of a dialogue while it is read; for ftp.c, ftp_client.c, ftp_server.c only. */
#ifndef TCPWHY_ANALYSIS_FTP_LIVE_H
#define TCPWHY_ANALYSIS_FTP_LIVE_H

#include "analysis/session/ftp.h"
#include "analysis/session/ftp_line.h"

/* A command that waits for its final reply. */
struct ftp_pending {
    const struct ftp_verb *verb;
    struct ftp_transfer *transfer; /* NULL = none belongs to it */
    struct moment sent;
    bool queued;   /* sent while an earlier one was unanswered: pipelined */
    bool answered; /* a preliminary reply came */
    uint64_t name_hash; /* of SIZE */
};

struct ftp_size {
    uint64_t name_hash; /* 0 = empty */
    uint64_t bytes;
};

/* A reply as its lines come in. */
struct ftp_reply_lines {
    int code; /* of an unfinished reply of several lines; 0 = none */
    bool address_seen, bytes_seen;
    struct ftp_address address;
    uint64_t bytes, slack;
};

struct ftp_live {
    struct ftp_line_reader reader[2]; /* by enum direction */
    uint64_t next_offset[2];
    struct ftp_pending pending[FTP_PENDING_MAX]; /* ring */
    unsigned first_pending, pending_count;
    struct ftp_reply_lines reply;
    struct ftp_size sizes[FTP_SIZES_MAX];
    unsigned next_size;
    struct ftp_transfer *opening; /* has an address, waits for its command; owned here */
    struct pairing_watch watch;
    bool greeting_due;  /* the first reply answers no command */
    bool dark;          /* behind TLS */
    bool over;          /* QUIT was answered */
    bool started[2];    /* next_offset is known */
    bool ascii, ascii_before; /* TYPE in force, and before the last TYPE command */
    bool stream_mode;
    uint64_t rest, allo; /* for the next transfer; allo BYTES_UNKNOWN = none */
    unsigned strange_lines; /* before the verdict */
};

/* The i-th oldest command without a final reply. */
struct ftp_pending *ftp_pending_at(struct ftp_live *live, unsigned i);

/* New transfer, not yet listed; ftp_transfer_list moves it to the dialogue's list. */
struct ftp_transfer *ftp_transfer_new(void);
void ftp_transfer_free(struct ftp_transfer *transfer);
/* Returns false, and frees it, when the bound is reached. */
bool ftp_transfer_list(struct ftp_dialogue *d, struct ftp_transfer *transfer);
/* Give up an announced address that no command has used; a connection that came stays listed. */
void ftp_opening_drop(struct ftp_dialogue *d);

/* Answers to SIZE no longer hold. */
void ftp_sizes_forget(struct ftp_live *live);
uint64_t ftp_name_hash(const char *name);

void ftp_client_line(struct ftp_dialogue *d, const struct ftp_line_reader *line,
                     const struct moment *when);
void ftp_server_line(struct ftp_dialogue *d, const struct ftp_line_reader *line,
                     const struct moment *when);
/* From here on TLS: nothing can be read. */
void ftp_go_dark(struct ftp_dialogue *d);

#endif
