#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A run shorter than this shows nothing. */
#define FIRST_S 1.0
#define TERMINAL_STEP_S 0.2
#define PLAIN_STEP_S 10.0

void progress_init(struct progress *p, const struct options *options)
{
    bool terminal = isatty(STDERR_FILENO) == 1;

    *p = (struct progress){
        .shown = options->device == NULL && options->progress != PROGRESS_NEVER &&
                 (terminal || options->progress == PROGRESS_ALWAYS),
        .rewritten = terminal,
        .next_s = terminal ? FIRST_S : PLAIN_STEP_S,
    };
}

/* A number in three digits with its decimal prefix: "2.1 M", "41.5 k", "812 ". */
static void format_short(double value, char text[16])
{
    static const char prefixes[] = " kMGTPE";
    size_t step = 0;

    for (; value >= 999.5 && prefixes[step + 1] != '\0'; step++)
        value /= 1000;
    if (step == 0)
        snprintf(text, 16, "%.0f ", value);
    else
        snprintf(text, 16, "%.*f %c", value < 99.95 ? 1 : 0, value, prefixes[step]);
}

void progress_line(const struct source_facts *sum, const char *name, double elapsed_s, char *line,
                   size_t size)
{
    char bytes[16], packets[16], share[16] = "", left[32] = "";
    bool known =
        sum->file_bytes > 0 && sum->file_bytes_read > 0 && sum->file_bytes_read <= sum->file_bytes;

    format_short((double)sum->file_bytes_read, bytes);
    format_short((double)sum->packets, packets);
    if (known) {
        double part = (double)sum->file_bytes_read / (double)sum->file_bytes;
        uint64_t left_s = (uint64_t)(elapsed_s / part * (1 - part) + 0.5);

        snprintf(share, sizeof share, "  %.0f %%", 100 * part);
        snprintf(left, sizeof left, "  %" PRIu64 ":%02" PRIu64 " left", left_s / 60, left_s % 60);
    }
    /* "812 packets", "2.1 M packets" */
    bool unit = packets[strlen(packets) - 1] == ' ';
    snprintf(line, size, "reading %.60s%s  %sB  %s%spackets%s", name, share, bytes, packets,
             unit ? "" : " ", left);
}

/* The name to show: the file's without its folder, or how many there are. */
static void name_of(const struct source *source, char *name, size_t size)
{
    const char *path = source_facts(source, 0)->name, *slash = strrchr(path, '/');

    if (source_count(source) > 1)
        snprintf(name, size, "%d files", source_count(source));
    else if (strcmp(path, "-") == 0)
        snprintf(name, size, "standard input");
    else
        snprintf(name, size, "%.60s", slash != NULL ? slash + 1 : path);
}

void progress_update(struct progress *p, const struct source *source, double elapsed_s)
{
    struct source_facts sum = {0};
    char name[64], line[160];
    bool sized = true;

    if (!p->shown || elapsed_s < p->next_s)
        return;
    for (int i = 0; i < source_count(source); i++) {
        const struct source_facts *facts = source_facts(source, i);

        sized = sized && facts->file_bytes > 0;
        sum.file_bytes += facts->file_bytes;
        sum.file_bytes_read += facts->file_bytes_read;
        sum.packets += facts->packets;
    }
    if (!sized)
        sum.file_bytes = 0;
    name_of(source, name, sizeof name);
    progress_line(&sum, name, elapsed_s, line, sizeof line);
    fprintf(stderr, p->rewritten ? "\r%s\033[K" : "%s\n", line);
    p->drawn = p->rewritten;
    p->next_s = elapsed_s + (p->rewritten ? TERMINAL_STEP_S : PLAIN_STEP_S);
}

void progress_end(struct progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}
