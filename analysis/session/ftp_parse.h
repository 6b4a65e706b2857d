/* The words of FTP: commands, replies, addresses and byte counts as servers write them
 * (RFC 959, 1639, 2428, 3659, and what is seen in the wild).  Pure functions over one line. */
#ifndef TCPWHY_ANALYSIS_FTP_PARSE_H
#define TCPWHY_ANALYSIS_FTP_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/segment.h"

enum ftp_verb_id {
    FTP_UNKNOWN, /* a word that is no FTP command */
    FTP_OTHER,   /* known, without meaning here */
    FTP_USER, FTP_PASS, FTP_ACCT, FTP_AUTH, FTP_ADAT, FTP_TYPE, FTP_MODE, FTP_REST, FTP_SIZE,
    FTP_ALLO, FTP_CWD, FTP_PASV, FTP_EPSV, FTP_LPSV, FTP_PORT, FTP_EPRT, FTP_LPRT, FTP_RETR,
    FTP_STOR, FTP_APPE, FTP_STOU, FTP_LIST, FTP_ABOR, FTP_QUIT
};

enum ftp_verb_trait {
    FTP_SENDS = 0x01,    /* the server sends data */
    FTP_RECEIVES = 0x02, /* the client sends data */
    FTP_PASSIVE = 0x04,  /* asks for an address to connect to */
    FTP_ACTIVE = 0x08,   /* announces an address */
    FTP_SECRET = 0x10,   /* the argument is a password */
    FTP_ALONE = 0x20,    /* no other protocol has this word: enough to recognise FTP */
    FTP_SHARED = 0x40,   /* SMTP has it too: not enough even after 220 */
};

#define FTP_MOVES_DATA (FTP_SENDS | FTP_RECEIVES)

#define FTP_CODES_MAX 5
struct ftp_verb {
    const char *name; /* as reported: "LIST" for NLST and MLSD too */
    const char *word; /* on the wire, upper case */
    enum ftp_verb_id id;
    unsigned traits;
    uint16_t codes[FTP_CODES_MAX]; /* positive final replies that fit; none listed = any */
};

struct ftp_command {
    const struct ftp_verb *verb; /* never NULL */
    const char *argument;        /* inside the line, "" when there is none */
};

/* False when the line cannot be a command. */
bool ftp_parse_command(const char *line, struct ftp_command *command);

struct ftp_reply {
    int code;         /* 100..699 */
    bool more;        /* "ddd-": opens a reply of several lines */
    const char *text; /* after the code, inside the line */
};

bool ftp_parse_reply(const char *line, struct ftp_reply *reply);
/* True when a final reply with this code is an answer to this command; errors fit all. */
bool ftp_reply_fits(const struct ftp_verb *verb, int code);

/* Where a data connection is to go. */
struct ftp_address {
    struct ip_addr addr;
    bool addr_known; /* false: 229, or 0.0.0.0 */
    uint16_t port;   /* never 0 */
};

/* Text of a 227, 228 or 229 reply; the argument of PORT, LPRT or EPRT.  False: no address there. */
bool ftp_parse_passive(int code, const char *text, struct ftp_address *address);
bool ftp_parse_active(enum ftp_verb_id verb, const char *argument, struct ftp_address *address);

/* "(209715200 bytes)", or pure-ftpd's "6516.9 kbytes": the true count is at most *slack away. */
bool ftp_parse_byte_count(const char *text, uint64_t *bytes, uint64_t *slack);
/* A decimal number that ends the word.  False on anything else, or beyond 63 bits. */
bool ftp_parse_number(const char *text, uint64_t *number);

#endif
