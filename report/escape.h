/* Bytes that came off the wire, or from the name of a file, made safe to show. */
#ifndef TCPWHY_REPORT_ESCAPE_H
#define TCPWHY_REPORT_ESCAPE_H

/* For a terminal or a text file: control bytes, invalid UTF-8, and characters that are invisible
 * or turn the direction of writing become \xNN, byte by byte; so does a backslash that would read
 * as such an escape, which keeps the result unambiguous.  The caller frees it. */
char *escape_text(const char *raw);

/* For JSON: valid UTF-8, where only bytes that are not become \xNN (and a backslash that would
 * read as such an escape); control characters are left to the JSON writer.  The caller frees it. */
char *escape_json(const char *raw);

#endif
