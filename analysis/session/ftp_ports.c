#include "analysis/session/ftp.h"

#define FTP_PORT 21
#define FTP_OTHER_PORT 2121 /* servers without the right to use 21 */
#define FTPS_PORT 990
#define TLS_HANDSHAKE 22
#define TELNET_IAC 0xff
#define FIRST_WORD_MAX 12

bool ftp_is_tls_port(uint16_t port)
{
    return port == FTPS_PORT;
}

bool ftp_owns_port(uint16_t port)
{
    return port == FTP_PORT || port == FTP_OTHER_PORT || ftp_is_tls_port(port);
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
static enum dialect_answer judge_any(const struct first_piece *piece)
{
    if (piece->flow->role_known)
        return piece->from_server && piece->data[0] == '2' ? DIALECT_READ : DIALECT_NO;
    if (!piece->from_server)
        return begins_with_verb(piece->data, piece->length) ? DIALECT_READ : DIALECT_NO;
    return piece->data[0] >= '1' && piece->data[0] <= '5' ? DIALECT_WAIT : DIALECT_NO;
}

/* On FTP's port: anything printable, Telnet or blank may be a part of it when the beginning was
 * not seen; the dialogue decides by lines. */
static enum dialect_answer judge_port(const struct first_piece *piece)
{
    uint8_t first = piece->data[0];
    bool fits;

    if (!piece->from_server && (first == TELNET_IAC || first == TLS_HANDSHAKE))
        return DIALECT_READ;
    if (!piece->flow->role_known)
        fits = first >= ' ' || first == '\r' || first == '\n' || first == '\t';
    else if (piece->from_server)
        fits = first >= '1' && first <= '5';
    else
        fits = first == ' ' || (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
    return fits ? DIALECT_READ : DIALECT_NO;
}

enum dialect_answer ftp_judge_first(const struct first_piece *piece)
{
    if (ftp_is_tls_port(piece->flow->server.port))
        return !piece->from_server && piece->data[0] == TLS_HANDSHAKE ? DIALECT_READ : DIALECT_NO;
    return piece->known_port ? judge_port(piece) : judge_any(piece);
}
