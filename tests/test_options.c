#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "options.h"
#include "options_table.h"

#define WORDS_MAX 32

static struct options options;
static char error[OPTIONS_ERROR_MAX];
static char words_copy[512];
static char folder[] = P_tmpdir "/tcpwhy-options-XXXXXX";
static char settings[64];

/* Parse a command line given as words with blanks between them. */
static bool parse(const char *words)
{
    char *argv[WORDS_MAX + 1] = {"tcpwhy"};
    int argc = 1;

    options_free(&options);
    error[0] = '\0';
    snprintf(words_copy, sizeof words_copy, "%s", words);
    for (char *word = strtok(words_copy, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(argc < WORDS_MAX);
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return options_parse(argc, argv, &options, error);
}

static void assert_good(const char *words)
{
    if (!parse(words))
        fail_msg("%s: refused: %s", words, error);
}

static void assert_refused(const char *words, const char *reason)
{
    if (parse(words))
        fail_msg("%s: not refused", words);
    assert_string_equal(error, reason);
}

static void inputs(void **state)
{
    (void)state;
    assert_good("-r a.pcap -r - host 192.0.2.1 and port 21");
    assert_int_equal(options.file_count, 2);
    assert_string_equal(options.files[0], "a.pcap");
    assert_string_equal(options.files[1], "-");
    assert_string_equal(options.source.filter, "host 192.0.2.1 and port 21");
    assert_string_equal(options.report.filter, "host 192.0.2.1 and port 21");
    assert_null(options.device);
    assert_string_equal(options.format, "text");
    assert_int_equal(options.source.link_type, -1);

    assert_good(
        "-i eth0 -s 0 -B 1024 -p -Q out -y EN10MB -j adapter -Z nobody -c 5 --duration 1.5");
    assert_string_equal(options.device, "eth0");
    assert_int_equal(options.source.snaplen_bytes, 262144);
    assert_int_equal(options.source.buffer_kib, 1024);
    assert_true(options.source.no_promiscuous);
    assert_int_equal(options.source.direction, 2);
    assert_int_equal(options.source.link_type, 1);
    assert_string_equal(options.source.timestamp_type, "adapter");
    assert_string_equal(options.source.drop_to_user, "nobody");
    assert_int_equal(options.source.max_packets, 5);
    assert_float_equal(options.duration_s, 1.5, 0);
    assert_good("-i eth0 -Q in");
    assert_int_equal(options.source.direction, 1);
    assert_good("-i eth0 -Q inout -s 96");
    assert_int_equal(options.source.direction, 0);
    assert_int_equal(options.source.snaplen_bytes, 96);
}

/* Words without -r: files while they exist; a single word always. */
static void words_as_files(void **state)
{
    (void)state;
    assert_good("Makefile LICENSE port 21");
    assert_int_equal(options.file_count, 2);
    assert_string_equal(options.source.filter, "port 21");
    assert_good("no-such-file.pcap");
    assert_int_equal(options.file_count, 1);
    assert_null(options.source.filter);
    assert_good("-r a.pcap Makefile");
    assert_int_equal(options.file_count, 1);
    assert_string_equal(options.source.filter, "Makefile");
    assert_refused("port 21", "input: there is none. Name a file (-r FILE) or a device (-i IF); "
                              "tcpwhy -h has all.");
}

static void outputs(void **state)
{
    (void)state;
    assert_good("-r a --json -o x.json --series --events --evidence --mask --show-pass --units bits"
                " --flow 7 --match run.db -v -q");
    assert_string_equal(options.format, "json");
    assert_string_equal(options.output_path, "x.json");
    assert_true(options.report.series && options.analyzer.series);
    assert_true(options.report.events && options.analyzer.events);
    assert_true(options.report.evidence && options.analyzer.commands);
    assert_true(options.report.show_passwords && options.analyzer.show_passwords);
    assert_true(options.report.mask && options.report.bits);
    assert_true(options.report.verbose && options.report.quiet);
    assert_int_equal(options.report.only_flow, 7);
    assert_string_equal(options.report.match, "run.db");
    assert_good("-r a -T jsonl");
    assert_string_equal(options.format, "jsonl");
    assert_false(options.report.series || options.analyzer.series || options.report.bits);
    assert_good("-r a --csv");
    assert_string_equal(options.format, "csv");
}

static void known_rates(void **state)
{
    (void)state;
    assert_good("-r a --link 2M --ceiling disk=11520KB/write --ceiling net=100Mbit --max-flows 10");
    assert_float_equal(options.analyzer.link_bytes_per_s, 250000, 0);
    assert_int_equal(options.analyzer.ceiling_count, 2);
    assert_string_equal(options.analyzer.ceilings[0].label, "disk/write");
    assert_float_equal(options.analyzer.ceilings[1].bytes_per_s, 12500000, 0);
    assert_int_equal(options.analyzer.max_flows, 10);
}

/* The cause may stand in the same word, in the next one, or nowhere. */
static void check_causes(void **state)
{
    (void)state;
    assert_good("-r a");
    assert_false(options.check);
    assert_good("-r a --check");
    assert_true(options.check);
    assert_int_equal(options.check_cause, 0);
    assert_good("-r a --check=no_window_scaling");
    assert_int_equal(options.check_cause, 2);
    assert_good("--check receive_window -r a --strict");
    assert_int_equal(options.check_cause, 1);
    assert_true(options.strict);
    assert_int_equal(options.file_count, 1);
    assert_good("-r a --check 25");
    assert_int_equal(options.check_cause, 25);
    assert_good("-r a --check port 21"); /* no cause: a filter */
    assert_int_equal(options.check_cause, 0);
    assert_string_equal(options.source.filter, "port 21");
    assert_refused("-r a --check=slow", "--check: \"slow\" is no cause. Give a name such as "
                                        "receive_window or its number, 1 to 63.");
    assert_refused("-r a --check=64", "--check: \"64\" is no cause. Give a name such as "
                                      "receive_window or its number, 1 to 63.");
}

static void usage_errors(void **state)
{
    (void)state;
    assert_refused("--frobnicate", "--frobnicate: there is no such option, or several begin so. "
                                   "tcpwhy -h lists them.");
    assert_refused("-x", "-x: there is no such option. tcpwhy -h lists them.");
    assert_refused("-r", "-r: its argument is missing. Give FILE.");
    assert_refused("-r a --link", "--link: its argument is missing. Give RATE.");
    assert_refused("-r a --json=x", "--json=x: it takes no argument. Leave it out.");
    assert_refused("-r a -c none", "-c: \"none\" is not a number that fits. Give 1 to "
                                   "9223372036854775807.");
    assert_refused("-r a -c 0",
                   "-c: \"0\" is not a number that fits. Give 1 to 9223372036854775807.");
    assert_refused(
        "-r a --duration soon",
        "--duration: \"soon\" is not a time. Give seconds above 0 and up to 1000000000.");
    assert_refused("-r a --link fast", "--link: \"fast\" is not a rate. Write 2M or 100Mbit "
                                       "(bits), 18MB/s or 11520KB (bytes).");
    assert_refused("-r a -T pdf", "-T: \"pdf\" is not known. Give one of "
                                  "text|json|jsonl|csv|html|svg.");
    assert_refused("-i e -Q up", "-Q: \"up\" is not known. Give one of in|out|inout.");
    assert_refused("-i e -y NONE",
                   "-y: \"NONE\" is no link type that can be read. tcpwhy -L lists them.");
    assert_refused("-i e -r a", "-i and -r: they exclude each other. Use one of them.");
    assert_refused("-r a -f tcp port 21",
                   "filter: it is given twice. Use one of -f, -F and trailing words.");
    assert_refused("-i e --follow", "--follow: it is for files. Leave it out with -i.");
    assert_refused("-r a -w -", "-w -: standard output is the report's already. Send the report to "
                                "a file with -o.");
    assert_good("-r a -w - -o x");
}

/* One honest line for what comes later. */
static void later_options(void **state)
{
    static const char *const later[] = {"--tui", "--compare", "--html", "--resolve", "--no-mouse"};

    (void)state;
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        char line[128];

        snprintf(line, sizeof line,
                 "%s: is not part of this version. Use the report: tcpwhy -r FILE.", later[i]);
        assert_refused(later[i], line);
    }
    assert_refused("-T svg", "-T: svg is not part of this version. Use text, json, jsonl or csv.");
}

static void actions(void **state)
{
    (void)state;
    assert_good("-D");
    assert_int_equal(options.action, ACTION_LIST_DEVICES);
    assert_good("-L -i eth0");
    assert_int_equal(options.action, ACTION_LIST_LINK_TYPES);
    assert_string_equal(options.device, "eth0");
    assert_good("--version");
    assert_int_equal(options.action, ACTION_VERSION);
    assert_good("--help");
    assert_int_equal(options.action, ACTION_HELP);
    assert_good("-r a -n --report --color=never --no-progress");
    assert_int_equal(options.action, ACTION_REPORT);
    assert_int_equal(options.progress, PROGRESS_NEVER);
}

/* The settings file of a folder made for this. */
static void write_settings(const char *text)
{
    FILE *file = fopen(settings, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void settings_file(void **state)
{
    (void)state;
    write_settings("# mine\n\nunits bits\n--link = 2M\nstrict\nceiling=disk=8\n");
    assert_good("-r a --link 4M");
    assert_true(options.report.bits && options.strict);
    assert_float_equal(options.analyzer.link_bytes_per_s, 500000, 0); /* the command line wins */
    assert_string_equal(options.analyzer.ceilings[0].label, "disk");
    assert_good("-r a --no-config");
    assert_false(options.report.bits || options.strict);

    write_settings("strict\nspeed 3\n");
    assert_false(parse("-r a"));
    assert_non_null(strstr(error, "line 2: speed: there is no such option"));
    write_settings("strict yes\n");
    assert_false(parse("-r a"));
    assert_non_null(strstr(error, "line 1: --strict: it takes no argument"));
    write_settings("link\n");
    assert_false(parse("-r a"));
    assert_non_null(strstr(error, "line 1: --link: its argument is missing"));
    write_settings("");
    assert_good("-r a");
}

/* Text of a stream or file; the caller frees it. */
static char *slurp(FILE *file)
{
    char *text = calloc(1, 65536);

    assert_non_null(file);
    assert_non_null(text);
    rewind(file);
    assert_true(fread(text, 1, 65535, file) > 0);
    fclose(file);
    return text;
}

/* True when text holds the option: the mark is not the beginning of a longer name. */
static bool holds_option(const char *text, const char *mark)
{
    size_t length = strlen(mark);

    for (const char *at = text; (at = strstr(at, mark)) != NULL; at += length)
        if (!isalnum((unsigned char)at[length]) && at[length] != '-')
            return true;
    return false;
}

static void every_option_is_in_help_and_manual(void **state)
{
    const struct option_row *row;
    FILE *file = tmpfile();
    char mark[64];

    (void)state;
    assert_non_null(file);
    options_print_help(file);
    char *help = slurp(file), *manual = slurp(fopen("docs/tcpwhy.1", "r"));
    for (int i = 0; (row = option_at(i)) != NULL; i++) {
        bool in_help = true, in_manual = true;

        if (row->letter != 0) {
            snprintf(mark, sizeof mark, "\n  -%c", row->letter);
            in_help = holds_option(help, mark);
            snprintf(mark, sizeof mark, "Fl %c", row->letter);
            in_manual = holds_option(manual, mark);
        }
        if (row->name != NULL) {
            snprintf(mark, sizeof mark, " --%s", row->name);
            in_help = in_help && holds_option(help, mark);
            snprintf(mark, sizeof mark, "Fl -%s", row->name);
            in_manual = in_manual && holds_option(manual, mark);
        }
        if (!in_help || !in_manual)
            fail_msg("-%c --%s is not in %s", row->letter != 0 ? row->letter : '?',
                     row->name != NULL ? row->name : "", in_help ? "the manual" : "the help");
    }
    free(help);
    free(manual);
}

/* getopt_long takes the first of two equal names without a word. */
static void names_are_unique_and_lines_fit(void **state)
{
    const struct option_row *a, *b;
    FILE *file = tmpfile();

    (void)state;
    for (int i = 0; (a = option_at(i)) != NULL; i++)
        for (int j = i + 1; (b = option_at(j)) != NULL; j++) {
            assert_false(a->letter != 0 && a->letter == b->letter);
            assert_false(a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0);
        }
    options_print_help(file);
    char *help = slurp(file);
    for (char *line = strtok(help, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strlen(line) > 98)
            fail_msg("too long: %s", line);
    free(help);
}

static int setup(void **state)
{
    char inner[64];

    (void)state;
    if (mkdtemp(folder) == NULL || setenv("XDG_CONFIG_HOME", folder, 1) != 0)
        return -1;
    snprintf(inner, sizeof inner, "%s/tcpwhy", folder);
    snprintf(settings, sizeof settings, "%s/tcpwhy/options", folder);
    return mkdir(inner, 0700);
}

static int teardown(void **state)
{
    char inner[64];

    (void)state;
    options_free(&options);
    unlink(settings);
    snprintf(inner, sizeof inner, "%s/tcpwhy", folder);
    rmdir(inner);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs),
        cmocka_unit_test(words_as_files),
        cmocka_unit_test(outputs),
        cmocka_unit_test(known_rates),
        cmocka_unit_test(check_causes),
        cmocka_unit_test(usage_errors),
        cmocka_unit_test(later_options),
        cmocka_unit_test(actions),
        cmocka_unit_test(settings_file),
        cmocka_unit_test(every_option_is_in_help_and_manual),
        cmocka_unit_test(names_are_unique_and_lines_fit),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
