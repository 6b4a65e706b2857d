/* The words of verdict.ruled_out and verdict.unknown (analysis/cause/note_codes.h), and of the problems
 * of a capture (analysis/health.h). */
#ifndef TCPWHY_REPORT_NOTES_H
#define TCPWHY_REPORT_NOTES_H

#include <stdbool.h>
#include <stdint.h>

/* "the sending program, ..."; a code without words stands for itself. */
const char *notes_ruled_out(const char *code);
bool notes_knows_ruled_out(const char *code);
/* "One capture cannot tell ..." as a whole sentence; NULL when the code has none. */
const char *notes_unknown(const char *code);
/* The same in a few words: "which way the delay is"; a code without words stands for itself. */
const char *notes_unknown_short(const char *code);
/* One sentence for count > 0 of a health problem; the caller frees it. */
char *notes_health(const char *id, uint64_t count);

#endif
