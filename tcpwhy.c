#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/link.h"
#include "capture/link_names.h"
#include "check.h"
#include "info.h"
#include "messages.h"
#include "options.h"
#include "report/report.h"
#include "run.h"
#include "stop.h"
#include "version.h"
#include "xmalloc.h"

/* What a run holds open. */
struct session {
    struct source *source;
    struct save *save;
    FILE *out;
};

/* Print a list that a function made, or its error. */
static int print_list(char *text, const char *error)
{
    if (text == NULL) {
        message_error(error);
        return EXIT_COULD_NOT;
    }
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

static int list_link_types(const struct options *options)
{
    char error[SOURCE_ERROR_MAX] = "";

    if (options->device != NULL)
        return print_list(source_list_link_types(options->device, error), error);
    for (int i = 0; i < link_type_count(); i++)
        if (link_type_supported(i))
            puts(link_type_name(i));
    return EXIT_DONE;
}

static int list_devices(void)
{
    char error[SOURCE_ERROR_MAX] = "";

    return print_list(source_list_devices(error), error);
}

static FILE *open_output(const char *path)
{
    FILE *out = path == NULL || strcmp(path, "-") == 0 ? stdout : fopen(path, "w");

    if (out == NULL) {
        char *text =
            xasprintf("%.300s: %s. Name a file that can be written.", path, strerror(errno));

        message_error(text);
        free(text);
    }
    return out;
}

/* Everything that can fail is opened before the first packet is read.  Returns an exit status. */
static int session_open(struct session *session, const struct options *o)
{
    char error[SOURCE_ERROR_MAX] = "";
    bool usage = false;

    session->source = o->device != NULL
                          ? source_open_device(o->device, &o->source, error, &usage)
                          : source_open_files(o->files, o->file_count, &o->source, error, &usage);
    if (session->source == NULL) {
        message_error(error);
        return usage ? EXIT_USAGE : EXIT_COULD_NOT;
    }
    if (o->save_path != NULL) {
        session->save = save_open(o->save_path, error);
        if (session->save == NULL) {
            message_error(error);
            return EXIT_COULD_NOT;
        }
    }
    session->out = open_output(o->output_path);
    return session->out != NULL ? EXIT_DONE : EXIT_COULD_NOT;
}

static void session_close(struct session *session)
{
    char error[SOURCE_ERROR_MAX];

    save_close(session->save, error);
    if (session->out != NULL && session->out != stdout)
        fclose(session->out);
    source_close(session->source);
}

/* Write the report; a reader that has gone away is no news to anybody. */
static int write_report(const struct report_input *input, const struct options *o, FILE *out)
{
    const struct report_format *format = report_format_find(o->format);

    errno = 0;
    if (format->write(input, out) == 0 && fflush(out) == 0)
        return EXIT_DONE;
    if (errno != EPIPE) {
        char *text =
            xasprintf("%.300s: the report could not be written: %s. Free space or use -o.",
                      o->output_path != NULL ? o->output_path : "standard output", strerror(errno));

        message_error(text);
        free(text);
    }
    return EXIT_COULD_NOT;
}

/* The first fault decides; without one, what --check found. */
static int exit_status(const struct session *session, const struct run *run,
                       const struct analyzer *analysis, const struct options *o)
{
    bool truncated = false;

    for (int i = 0; i < source_count(session->source); i++)
        truncated = truncated || source_facts(session->source, i)->truncated;
    if (run->failed || run->save_error[0] != '\0' || (o->strict && truncated))
        return EXIT_COULD_NOT;
    return o->check ? check_exit_status(analysis, o->check_cause, o->report.only_flow) : EXIT_DONE;
}

/* On a terminal say that packets are awaited. */
static void announce(const struct session *session, const struct options *o)
{
    const struct source_facts *facts = source_facts(session->source, 0);

    if (o->device == NULL || o->report.quiet || o->progress == PROGRESS_NEVER ||
        isatty(STDERR_FILENO) != 1)
        return;
    fprintf(stderr,
            "tcpwhy: capturing on %s, %u bytes of each packet. Ctrl-C ends it with the "
            "report.\n",
            facts->name, facts->snaplen_bytes);
}

/* What is asked for and the chosen form of the report does not show. */
static void warn_unshown(const struct options *o)
{
    const bool json = strncmp(o->format, "json", 4) == 0;

    if (o->report.series && !json)
        message_warning("--series: the course over time is shown in JSON alone. Add --json.");
    if (strcmp(o->format, "csv") == 0 && (o->report.evidence || o->report.events))
        message_warning("-T csv: a row a connection has no evidence and no events. Use --json.");
}

/* Read, analyse, report. */
static int session_run(struct session *session, const struct options *o)
{
    struct analyzer *analysis = analyzer_new(&o->analyzer);
    struct run run;
    struct capture_info info;
    char error[SOURCE_ERROR_MAX] = "";
    int status = EXIT_COULD_NOT;

    stop_install();
    warn_unshown(o);
    announce(session, o);
    run_read(session->source, analysis, session->save, o, &run);
    if (!save_close(session->save, error))
        snprintf(run.save_error, sizeof run.save_error, "%s", error);
    session->save = NULL;
    if (run.save_error[0] != '\0')
        message_error(run.save_error);
    analyzer_finish(analysis);
    if (messages_after_reading(session->source, &run, o->source.filter != NULL)) {
        struct capture_file *files = info_fill(&info, session->source, &run);

        status = write_report(&(struct report_input){analysis, &info, &o->report}, o, session->out);
        free(files);
        if (status == EXIT_DONE)
            status = exit_status(session, &run, analysis, o);
    }
    analyzer_free(analysis);
    return status;
}

static int report(const struct options *options)
{
    struct session session = {NULL, NULL, NULL};
    int status = session_open(&session, options);

    if (status == EXIT_DONE)
        status = session_run(&session, options);
    session_close(&session);
    stop_reraise();
    return status;
}

static int act(const struct options *options)
{
    switch (options->action) {
    case ACTION_HELP: options_print_help(stdout); return EXIT_DONE;
    case ACTION_VERSION: puts("tcpwhy " TCPWHY_VERSION); return EXIT_DONE;
    case ACTION_LIST_DEVICES: return list_devices();
    case ACTION_LIST_LINK_TYPES: return list_link_types(options);
    case ACTION_REPORT: break;
    }
    return report(options);
}

int main(int argc, char **argv)
{
    struct options options;
    char error[OPTIONS_ERROR_MAX] = "";
    int status = EXIT_USAGE;

    if (options_parse(argc, argv, &options, error))
        status = act(&options);
    else
        message_error(error);
    options_free(&options);
    return status;
}
