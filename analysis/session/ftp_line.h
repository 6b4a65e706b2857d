/* Lines of an FTP control connection (RFC 959 section 4.1.3) out of pieces of any size: Telnet
 * commands are taken out, CRLF and a bare LF both end a line, NUL bytes vanish. */
#ifndef TCPWHY_ANALYSIS_FTP_LINE_H
#define TCPWHY_ANALYSIS_FTP_LINE_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a line that are kept: a verb and the longest name (TRANSFER_NAME_MAX). */
#define FTP_LINE_MAX 1056

enum ftp_telnet { FTP_TELNET_TEXT, FTP_TELNET_IAC, FTP_TELNET_OPTION };

/* One direction.  All zero is the state at the start of a stream. */
struct ftp_line_reader {
    char text[FTP_LINE_MAX + 1]; /* the line once ftp_line_read says so: ends with NUL */
    uint32_t length;
    enum ftp_telnet telnet;
    bool done;         /* text holds a whole line that has been handed out */
    bool unsure;       /* bytes before this line were not seen: it may be the end of another */
    bool cut;          /* the line was longer than FTP_LINE_MAX: only its head is here */
    uint64_t cut_lines;
};

/* Read from *data, moving it and *length on.  True when a line is complete: it is in text until
 * the next call.  False when all is read. */
bool ftp_line_read(struct ftp_line_reader *reader, const uint8_t **data, uint32_t *length);

/* Bytes are missing here, or the stream began before the capture: forget the unfinished line. */
void ftp_line_lost(struct ftp_line_reader *reader);

/* True when the next byte begins a line. */
bool ftp_line_at_start(const struct ftp_line_reader *reader);

#endif
