/* How far reading has come, on stderr: one rewritten line on a terminal, a plain line every 10 s
 * elsewhere when asked for. */
#ifndef TCPWHY_PROGRESS_H
#define TCPWHY_PROGRESS_H

#include "capture/source.h"
#include "options.h"

struct progress {
    bool shown, rewritten;
    bool drawn;          /* a line stands on the terminal */
    double next_s;       /* time of the next line, from the start of reading */
};

void progress_init(struct progress *p, const struct options *options);
/* Show where reading stands elapsed_s seconds after its start, when a line is due. */
void progress_update(struct progress *p, const struct source *source, double elapsed_s);
/* Remove the line from the terminal. */
void progress_end(struct progress *p);

/* The line itself: "reading ftp.pcapng  41 %  1.2 GB  2.1 M packets  0:07 left". */
void progress_line(const struct source_facts *sum, const char *name, double elapsed_s, char *line,
                   size_t size);

#endif
