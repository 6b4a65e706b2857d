/* The lines of control connections that are kept for the user, passwords masked. */
#ifndef TCPWHY_ANALYSIS_COMMAND_LOG_H
#define TCPWHY_ANALYSIS_COMMAND_LOG_H

#include "analysis/moment.h"

/* Text kept over all sessions, and lines of one. */
#define COMMAND_LOG_BYTES_MAX (UINT64_C(16) << 20)
#define COMMAND_LOG_LINES_MAX 8192u

/* What all logs share. */
struct command_budget {
    bool keep, show_passwords;
    uint64_t bytes, dropped;
};

struct command_log {
    struct command_result *lines;
    char **texts; /* of lines, which only read them */
    size_t count, capacity;
};

/* A line of the client or the server; of one with a secret argument (what follows the verb) only
 * the verb is kept. */
void command_log_add(struct command_log *log, struct command_budget *budget, const char *line,
                     bool from_server, bool secret, const struct moment *when);
void command_log_free(struct command_log *log);

#endif
