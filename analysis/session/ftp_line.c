#include "analysis/session/ftp_line.h"

#include <string.h>

/* Telnet codes (RFC 854): IAC, and the range of commands that may follow it. */
#define TELNET_IAC 0xff
#define TELNET_FIRST_COMMAND 0xf0
#define TELNET_FIRST_OPTION 0xfb /* WILL, WONT, DO, DONT: one more byte follows */

static void ftp_line_add(struct ftp_line_reader *reader, uint8_t byte)
{
    if (byte == 0)
        return;
    if (reader->length == FTP_LINE_MAX) {
        if (!reader->cut)
            reader->cut_lines++;
        reader->cut = true;
        return;
    }
    reader->text[reader->length++] = (char)byte;
}

/* The byte after IAC: a doubled IAC is the byte itself, a command vanishes (the Synch before ABOR
 * is IAC IP IAC DM), and an IAC that nobody escaped is part of a name. */
static void ftp_line_after_iac(struct ftp_line_reader *reader, uint8_t byte)
{
    reader->telnet = FTP_TELNET_TEXT;
    if (byte == TELNET_IAC) {
        ftp_line_add(reader, byte);
    } else if (byte >= TELNET_FIRST_OPTION) {
        reader->telnet = FTP_TELNET_OPTION;
    } else if (byte < TELNET_FIRST_COMMAND) {
        ftp_line_add(reader, TELNET_IAC);
        ftp_line_add(reader, byte);
    }
}

static void ftp_line_begin(struct ftp_line_reader *reader)
{
    reader->length = 0;
    reader->cut = false;
    reader->done = false;
}

static void ftp_line_end(struct ftp_line_reader *reader)
{
    if (reader->length > 0 && reader->text[reader->length - 1] == '\r')
        reader->length--;
    reader->text[reader->length] = '\0';
    reader->telnet = FTP_TELNET_TEXT;
    reader->done = true;
}

bool ftp_line_read(struct ftp_line_reader *reader, const uint8_t **data, uint32_t *length)
{
    if (reader->done) {
        reader->unsure = false;
        ftp_line_begin(reader);
    }
    while (*length > 0) {
        uint8_t byte = **data;

        (*data)++;
        (*length)--;
        if (byte == '\n') {
            ftp_line_end(reader);
            return true;
        }
        if (reader->telnet == FTP_TELNET_IAC)
            ftp_line_after_iac(reader, byte);
        else if (reader->telnet == FTP_TELNET_OPTION)
            reader->telnet = FTP_TELNET_TEXT;
        else if (byte == TELNET_IAC)
            reader->telnet = FTP_TELNET_IAC;
        else
            ftp_line_add(reader, byte);
    }
    return false;
}

void ftp_line_lost(struct ftp_line_reader *reader)
{
    ftp_line_begin(reader);
    reader->telnet = FTP_TELNET_TEXT;
    reader->unsure = true;
}

bool ftp_line_at_start(const struct ftp_line_reader *reader)
{
    return reader->done || (reader->length == 0 && reader->telnet == FTP_TELNET_TEXT);
}
