#include "analysis/session/ftp_parse.h"

#include <string.h>
#include <strings.h>

#define WORD_MAX 10

#define ROW(word, id, ...) {word, word, id, __VA_ARGS__}
static const struct ftp_verb verbs[] = {
    ROW("USER", FTP_USER, 0, {230, 331, 332, 232}),
    ROW("PASS", FTP_PASS, FTP_SECRET, {230, 202, 332, 232}),
    ROW("ACCT", FTP_ACCT, FTP_SECRET, {230, 202}),
    ROW("AUTH", FTP_AUTH, 0, {234, 334, 235}),
    ROW("ADAT", FTP_ADAT, FTP_SECRET, {235, 335}),
    ROW("TYPE", FTP_TYPE, FTP_ALONE, {200}),
    ROW("MODE", FTP_MODE, 0, {200}),
    ROW("REST", FTP_REST, 0, {350}),
    ROW("SIZE", FTP_SIZE, FTP_ALONE, {213}),
    ROW("ALLO", FTP_ALLO, FTP_ALONE, {200, 202}),
    ROW("CWD", FTP_CWD, FTP_ALONE, {250, 200}),
    ROW("CDUP", FTP_CWD, FTP_ALONE, {250, 200}),
    ROW("XCWD", FTP_CWD, 0, {250, 200}),
    ROW("XCUP", FTP_CWD, 0, {250, 200}),
    ROW("PASV", FTP_PASV, FTP_PASSIVE | FTP_ALONE, {227}),
    ROW("EPSV", FTP_EPSV, FTP_PASSIVE | FTP_ALONE, {229, 200}),
    ROW("LPSV", FTP_LPSV, FTP_PASSIVE | FTP_ALONE, {228}),
    ROW("PORT", FTP_PORT, FTP_ACTIVE | FTP_ALONE, {200}),
    ROW("EPRT", FTP_EPRT, FTP_ACTIVE | FTP_ALONE, {200}),
    ROW("LPRT", FTP_LPRT, FTP_ACTIVE | FTP_ALONE, {200}),
    ROW("RETR", FTP_RETR, FTP_SENDS, {226, 250, 225}),
    ROW("STOR", FTP_STOR, FTP_RECEIVES | FTP_ALONE, {226, 250, 225}),
    ROW("APPE", FTP_APPE, FTP_RECEIVES | FTP_ALONE, {226, 250, 225}),
    ROW("STOU", FTP_STOU, FTP_RECEIVES | FTP_ALONE, {226, 250, 225}),
    ROW("LIST", FTP_LIST, FTP_SENDS, {226, 250, 225}),
    {"LIST", "NLST", FTP_LIST, FTP_SENDS | FTP_ALONE, {226, 250, 225}},
    {"LIST", "MLSD", FTP_LIST, FTP_SENDS | FTP_ALONE, {226, 250, 225}},
    ROW("ABOR", FTP_ABOR, FTP_ALONE, {225, 226, 250}),
    ROW("QUIT", FTP_QUIT, FTP_SHARED, {221}),
    ROW("SYST", FTP_OTHER, FTP_ALONE, {215}),
    ROW("FEAT", FTP_OTHER, FTP_ALONE, {211}),
    ROW("MDTM", FTP_OTHER, FTP_ALONE, {213, 253}),
    ROW("PBSZ", FTP_OTHER, FTP_ALONE, {200}),
    ROW("PROT", FTP_OTHER, FTP_ALONE, {200}),
    ROW("PWD", FTP_OTHER, FTP_ALONE, {257}),
    ROW("XPWD", FTP_OTHER, FTP_ALONE, {257}),
    ROW("RNFR", FTP_OTHER, FTP_ALONE, {350}),
    ROW("RNTO", FTP_OTHER, FTP_ALONE, {250}),
    ROW("MLST", FTP_OTHER, FTP_ALONE, {250}),
    ROW("STRU", FTP_OTHER, FTP_ALONE, {200}),
    ROW("NOOP", FTP_OTHER, FTP_SHARED, {0}),
    ROW("HELP", FTP_OTHER, FTP_SHARED, {0}),
    ROW("CCC", FTP_OTHER, 0, {0}),
    ROW("CONF", FTP_OTHER, 0, {0}),
    ROW("ENC", FTP_OTHER, 0, {0}),
    ROW("MIC", FTP_OTHER, 0, {0}),
    ROW("SITE", FTP_OTHER, FTP_ALONE, {0}),
    ROW("OPTS", FTP_OTHER, 0, {0}),
    ROW("HOST", FTP_OTHER, 0, {0}),
    ROW("CLNT", FTP_OTHER, 0, {0}),
    ROW("CSID", FTP_OTHER, 0, {0}),
    ROW("LANG", FTP_OTHER, 0, {0}),
    ROW("STAT", FTP_OTHER, 0, {0}),
    ROW("SMNT", FTP_OTHER, 0, {0}),
    ROW("REIN", FTP_OTHER, 0, {0}),
    ROW("DELE", FTP_OTHER, 0, {0}),
    ROW("MKD", FTP_OTHER, FTP_ALONE, {257, 250}),
    ROW("XMKD", FTP_OTHER, 0, {257, 250}),
    ROW("RMD", FTP_OTHER, FTP_ALONE, {250}),
    ROW("XRMD", FTP_OTHER, 0, {250}),
    ROW("MFMT", FTP_OTHER, FTP_ALONE, {213}),
    ROW("HASH", FTP_OTHER, 0, {213}),
    ROW("XCRC", FTP_OTHER, 0, {0}),
    ROW("XMD5", FTP_OTHER, 0, {0}),
};

static const struct ftp_verb unknown_verb = {"", "", FTP_UNKNOWN, 0, {0}};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static const struct ftp_verb *ftp_verb_find(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strlen(verbs[i].word) == length && strncasecmp(verbs[i].word, word, length) == 0)
            return &verbs[i];
    }
    return &unknown_verb;
}

bool ftp_parse_command(const char *line, struct ftp_command *command)
{
    size_t length = 0;

    while (*line == ' ')
        line++;
    if (!is_letter(*line))
        return false;
    while (is_letter(line[length]) || is_digit(line[length]))
        length++;
    if (length < 3 || length > WORD_MAX || (line[length] != ' ' && line[length] != '\0'))
        return false;
    command->verb = ftp_verb_find(line, length);
    command->argument = line + length + (line[length] == ' ');
    return true;
}

bool ftp_parse_reply(const char *line, struct ftp_reply *reply)
{
    if (line[0] < '1' || line[0] > '6' || !is_digit(line[1]) || !is_digit(line[2]))
        return false;
    if (line[3] != ' ' && line[3] != '-' && line[3] != '\0')
        return false;
    reply->code = (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0');
    reply->more = line[3] == '-';
    reply->text = line + 3 + (line[3] != '\0');
    return true;
}

bool ftp_reply_fits(const struct ftp_verb *verb, int code)
{
    if (code >= 400 || verb->codes[0] == 0)
        return true;
    for (int i = 0; i < FTP_CODES_MAX && verb->codes[i] != 0; i++) {
        if (verb->codes[i] == code)
            return true;
    }
    return false;
}

bool ftp_parse_number(const char *text, uint64_t *number)
{
    uint64_t value = 0;

    while (*text == ' ')
        text++;
    if (!is_digit(*text))
        return false;
    for (; is_digit(*text); text++) {
        if (value > (INT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    *number = value;
    return *text == '\0' || *text == ' ';
}

/* The digits in front of end, with "1.5" in tenths: *scale is 10 then, else 1. */
static bool number_before(const char *start, const char *end, uint64_t *value, uint64_t *scale)
{
    const char *from = end;

    while (from > start && (is_digit(from[-1]) || from[-1] == '.'))
        from--;
    *value = 0;
    *scale = 1;
    for (; from < end && *from != '.'; from++) {
        if (!is_digit(*from) || *value > INT64_MAX / 100)
            return false;
        *value = *value * 10 + (uint64_t)(*from - '0');
    }
    if (end - from == 2 && is_digit(from[1])) {
        *value = *value * 10 + (uint64_t)(from[1] - '0');
        *scale = 10;
        return true;
    }
    return from == end && from > start && is_digit(from[-1]);
}

bool ftp_parse_byte_count(const char *text, uint64_t *bytes, uint64_t *slack)
{
    static const struct {
        const char *unit;
        uint64_t factor;
    } units[] = {{" kbytes", 1024}, {" Mbytes", 1 << 20}, {" Gbytes", 1 << 30}};
    uint64_t value, scale;

    for (const char *at = strstr(text, " byte"); at; at = strstr(at + 1, " byte")) {
        const char *open = at;

        while (open > text && is_digit(open[-1]))
            open--;
        if (open > text && open[-1] == '(' && number_before(open, at, &value, &scale)) {
            *bytes = value;
            *slack = 0;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const char *at = strstr(text, units[i].unit);

        if (!at || !number_before(text, at, &value, &scale))
            continue;
        if (value > INT64_MAX / units[i].factor)
            return false;
        *bytes = value * units[i].factor / scale;
        *slack = units[i].factor / scale; /* rounded to the last digit printed */
        return true;
    }
    return false;
}
