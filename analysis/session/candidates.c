#include "analysis/session/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/session/ftp_parse.h"
#include "xmalloc.h"

#define FTP_PORT 21
#define FTP_OTHER_PORT 2121 /* servers without the right to use 21 */
#define FTPS_PORT 990
#define TLS_HANDSHAKE 22
#define TELNET_IAC 0xff
#define FIRST_WORD_MAX 12

struct candidate {
    struct pairing_flow flow; /* flow_id 0 = empty */
    uint8_t chances;
};

struct candidates {
    struct candidate *any, *ftp; /* CANDIDATES_MAX and CANDIDATES_FTP_MAX, NULL until needed */
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
    free(c->ftp);
    free(c);
}

static bool is_ftp_port(uint16_t port)
{
    return port == FTP_PORT || port == FTP_OTHER_PORT;
}

void candidates_add(struct candidates *c, const struct pairing_flow *flow)
{
    bool ftp = is_ftp_port(flow->server.port) || flow->server.port == FTPS_PORT;
    struct candidate **row = ftp ? &c->ftp : &c->any;
    unsigned max = ftp ? CANDIDATES_FTP_MAX : CANDIDATES_MAX;

    if (!*row)
        *row = xcalloc(max, sizeof **row);
    (*row)[flow->flow_id % max] = (struct candidate){*flow, CANDIDATE_CHANCES};
}

static struct candidate *find(const struct candidates *c, uint64_t flow_id)
{
    if (c->ftp && c->ftp[flow_id % CANDIDATES_FTP_MAX].flow.flow_id == flow_id)
        return &c->ftp[flow_id % CANDIDATES_FTP_MAX];
    if (c->any && c->any[flow_id % CANDIDATES_MAX].flow.flow_id == flow_id)
        return &c->any[flow_id % CANDIDATES_MAX];
    return NULL;
}

/* Does the piece begin with a command that only FTP has? */
static bool begins_with_verb(const uint8_t *data, uint32_t length)
{
    char word[FIRST_WORD_MAX + 1];
    struct ftp_command command;
    uint32_t i = 0;

    for (; i < length && i < FIRST_WORD_MAX && data[i] != '\r' && data[i] != '\n'; i++)
        word[i] = data[i] == '\0' ? ' ' : (char)data[i];
    word[i] = '\0';
    return ftp_parse_command(word, &command) && (command.verb->traits & FTP_ALONE) != 0;
}

/* On any port: a greeting comes first (SMTP has it too, its client's first word tells them
 * apart); of a dialogue under way the client's words must be FTP's. */
static enum candidate_answer judge_any(struct candidate *candidate, bool from_server,
                                       const uint8_t *data, uint32_t length)
{
    if (candidate->flow.role_known)
        return from_server && data[0] == '2' ? CANDIDATE_READ : CANDIDATE_NO;
    if (!from_server)
        return begins_with_verb(data, length) ? CANDIDATE_READ : CANDIDATE_NO;
    if (data[0] < '1' || data[0] > '5' || candidate->chances-- == 0)
        return CANDIDATE_NO;
    return CANDIDATE_WAIT;
}

/* On FTP's port: anything printable, Telnet or blank may be a part of it when the beginning was
 * not seen; the dialogue decides by lines. */
static enum candidate_answer judge_ftp(const struct candidate *candidate, bool from_server,
                                       const uint8_t *data)
{
    uint8_t first = data[0];

    if (!from_server && (first == TELNET_IAC || first == TLS_HANDSHAKE))
        return CANDIDATE_READ;
    if (!candidate->flow.role_known)
        return first >= ' ' || first == '\r' || first == '\n' || first == '\t'
                   ? CANDIDATE_READ
                   : CANDIDATE_NO;
    if (from_server)
        return first >= '1' && first <= '5' ? CANDIDATE_READ : CANDIDATE_NO;
    return first == ' ' || (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z')
               ? CANDIDATE_READ
               : CANDIDATE_NO;
}

enum candidate_answer candidates_judge(struct candidates *c, uint64_t flow_id, bool from_server,
                                       const uint8_t *data, uint32_t length,
                                       struct pairing_flow *flow, bool *known_port)
{
    struct candidate *candidate = flow_id != 0 ? find(c, flow_id) : NULL;
    enum candidate_answer answer;

    if (!candidate)
        return CANDIDATE_NO;
    if (length == 0)
        return CANDIDATE_WAIT;
    *flow = candidate->flow;
    *known_port = is_ftp_port(flow->server.port);
    if (flow->server.port == FTPS_PORT)
        answer = !from_server && data[0] == TLS_HANDSHAKE ? CANDIDATE_TLS : CANDIDATE_NO;
    else if (*known_port)
        answer = judge_ftp(candidate, from_server, data);
    else
        answer = judge_any(candidate, from_server, data, length);
    if (answer != CANDIDATE_WAIT)
        candidate->flow.flow_id = 0;
    return answer;
}
