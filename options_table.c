#include "options_table.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "options_set.h"

#define FIELD(member) offsetof(struct options, member)
#define COUNT_MAX INT64_MAX

/* In the order of the help, by group. */
static const struct option_row rows[] = {
    {'r', "read-file", "FILE", GROUP_INPUT,
     "read packets from FILE (- is standard input); several are merged by time", option_set_file, 0,
     0, 0, NULL},
    {'i', "interface", "IF", GROUP_INPUT, "capture from this device (any = all of them)",
     option_set_text, FIELD(device), 0, 0, NULL},
    {'f', NULL, "EXPR", GROUP_INPUT,
     "only packets that match this pcap filter; trailing words are one too", option_set_text,
     FIELD(filter_text), 0, 0, NULL},
    {'F', NULL, "FILE", GROUP_INPUT, "read the filter from FILE", option_set_text,
     FIELD(filter_file), 0, 0, NULL},
    {'c', NULL, "N", GROUP_INPUT, "stop after N packets that match", option_set_count,
     FIELD(source.max_packets), 1, COUNT_MAX, NULL},
    {0, "duration", "S", GROUP_INPUT, "stop after S seconds", option_set_seconds, FIELD(duration_s),
     0, 1000000000, NULL},
    {0, "follow", NULL, GROUP_INPUT, "at the end of FILE wait for more, until Ctrl-C",
     option_set_flag, FIELD(source.follow), 0, 0, NULL},
    {'w', NULL, "FILE", GROUP_INPUT,
     "also write the packets to FILE: pcap with nanoseconds, pcapng if it ends in .pcapng",
     option_set_text, FIELD(save_path), 0, 0, NULL},
    {0, "max-flows", "N", GROUP_INPUT, "keep at most N connections at once (default 1000000)",
     option_set_count, FIELD(analyzer.max_flows), 1, 1000000000, NULL},

    {'D', "list-interfaces", NULL, GROUP_DEVICE, "list the devices", option_set_value,
     FIELD(action), ACTION_LIST_DEVICES, 0, NULL},
    {'L', "list-data-link-types", NULL, GROUP_DEVICE,
     "list the link types of -i IF, or without it all that can be read", option_set_value,
     FIELD(action), ACTION_LIST_LINK_TYPES, 0, NULL},
    {'s', "snapshot-length", "LEN", GROUP_DEVICE,
     "keep LEN bytes of each packet (default 128; 0 = all)", option_set_snaplen,
     FIELD(source.snaplen_bytes), 0, 262144, NULL},
    {'B', "buffer-size", "KIB", GROUP_DEVICE, "size of the kernel's buffer in KiB (default 65536)",
     option_set_int, FIELD(source.buffer_kib), 1, INT_MAX / 1024, NULL},
    {'p', "no-promiscuous-mode", NULL, GROUP_DEVICE, "do not put the device into promiscuous mode",
     option_set_flag, FIELD(source.no_promiscuous), 0, 0, NULL},
    {'Q', "direction", "in|out|inout", GROUP_DEVICE,
     "only packets that come in, or go out (default inout)", option_set_direction, 0, 0, 0, NULL},
    {'y', "linktype", "TYPE", GROUP_DEVICE, "link type to capture with, see -L",
     option_set_link_type, 0, 0, 0, NULL},
    {'j', "time-stamp-type", "TYPE", GROUP_DEVICE, "who stamps the packets, see pcap-tstamp(7)",
     option_set_text, FIELD(source.timestamp_type), 0, 0, NULL},
    {'Z', "relinquish-privileges", "USER", GROUP_DEVICE,
     "run as USER once the device is open (default: who called sudo)", option_set_text,
     FIELD(source.drop_to_user), 0, 0, NULL},

    {'T', NULL, "text|json|jsonl|csv|html|svg", GROUP_OUTPUT,
     "form of the report (default text; html and svg not in this version)", option_set_format, 0, 0,
     0, NULL},
    {0, "json", NULL, GROUP_OUTPUT, "the same as -T json", option_set_word, FIELD(format), 0, 0,
     "json"},
    {0, "jsonl", NULL, GROUP_OUTPUT, "the same as -T jsonl", option_set_word, FIELD(format), 0, 0,
     "jsonl"},
    {0, "csv", NULL, GROUP_OUTPUT, "the same as -T csv", option_set_word, FIELD(format), 0, 0,
     "csv"},
    {0, "html", NULL, GROUP_OUTPUT, "the same as -T html (not in this version)", option_set_later,
     0, 0, 0, NULL},
    {'o', NULL, "FILE", GROUP_OUTPUT, "write the report to FILE (default -, standard output)",
     option_set_text, FIELD(output_path), 0, 0, NULL},
    {0, "flow", "N", GROUP_OUTPUT, "only this connection", option_set_count,
     FIELD(report.only_flow), 1, COUNT_MAX, NULL},
    {0, "match", "WORDS", GROUP_OUTPUT, "only transfers and connections that match",
     option_set_text, FIELD(report.match), 0, 0, NULL},
    {0, "series", NULL, GROUP_OUTPUT, "JSON with the course over time of bulk data and its window",
     option_set_flag, FIELD(report.series), 0, 0, NULL},
    {0, "evidence", NULL, GROUP_OUTPUT,
     "every packet and figure behind the answer, and how to check them with tshark",
     option_set_flag, FIELD(report.evidence), 0, 0, NULL},
    {0, "events", NULL, GROUP_OUTPUT, "with single events: resends, time-outs, closed windows",
     option_set_flag, FIELD(report.events), 0, 0, NULL},
    {0, "mask", NULL, GROUP_OUTPUT, "hide user names and file names", option_set_flag,
     FIELD(report.mask), 0, 0, NULL},
    {0, "show-pass", NULL, GROUP_OUTPUT, "show passwords of control dialogues", option_set_flag,
     FIELD(report.show_passwords), 0, 0, NULL},
    {0, "units", "bytes|bits", GROUP_OUTPUT, "unit of rates in the text report (default bytes)",
     option_set_units, 0, 0, 0, NULL},
    {0, "resolve", NULL, GROUP_OUTPUT, "names instead of addresses (not in this version)",
     option_set_later, 0, 0, 0, NULL},
    {'n', NULL, NULL, GROUP_OUTPUT, "addresses, not names: always so", option_set_flag,
     FIELD(accepted), 0, 0, NULL},
    {'v', NULL, NULL, GROUP_OUTPUT, "more: phases, table of the time, all facts", option_set_flag,
     FIELD(report.verbose), 0, 0, NULL},
    {'q', NULL, NULL, GROUP_OUTPUT, "less: what, why and what to try", option_set_flag,
     FIELD(report.quiet), 0, 0, NULL},

    {0, "link", "RATE", GROUP_KNOWN, "gross rate of the slowest link", option_set_rate,
     FIELD(analyzer.link_bytes_per_s), 0, 0, NULL},
    {0, "ceiling", "LABEL=RATE[/read|/write]", GROUP_KNOWN,
     "a rate that a disk or host is known to reach; up to 16", option_set_ceiling, 0, 0, 0, NULL},
    {0, "ceilings", "FILE", GROUP_KNOWN,
     "ceilings from a file or a bonnie table (not in this version)", option_set_later, 0, 0, 0,
     NULL},
    {0, "ams-port", "P", GROUP_KNOWN, "port of an AMS server (not in this version)",
     option_set_later, 0, 0, 0, NULL},

    {0, "check", "[CAUSE]", GROUP_SCRIPTS,
     "exit status 3 if CAUSE (default: any) limits a transfer, 4 if nothing can be said",
     option_set_check, 0, 0, 0, NULL},
    {0, "strict", NULL, GROUP_SCRIPTS, "a file that is cut or damaged is an error", option_set_flag,
     FIELD(strict), 0, 0, NULL},

    {0, "report", NULL, GROUP_SCREEN, "report at the end: always so in this version",
     option_set_flag, FIELD(accepted), 0, 0, NULL},
    {0, "progress", NULL, GROUP_SCREEN,
     "show the progress of reading also when stderr is no terminal", option_set_value,
     FIELD(progress), PROGRESS_ALWAYS, 0, NULL},
    {0, "no-progress", NULL, GROUP_SCREEN, "never show it", option_set_value, FIELD(progress),
     PROGRESS_NEVER, 0, NULL},
    {0, "color", "auto|always|never", GROUP_SCREEN,
     "colours; the report has none (always: not in this version)", option_set_color, 0, 0, 0, NULL},
    {0, "tui", NULL, GROUP_SCREEN, "browse on the screen (not in this version)", option_set_later,
     0, 0, 0, NULL},
    {0, "no-summary", NULL, GROUP_SCREEN, "no report after the screen (not in this version)",
     option_set_later, 0, 0, 0, NULL},
    {0, "ascii", NULL, GROUP_SCREEN, "plain characters only: the report always has them",
     option_set_flag, FIELD(accepted), 0, 0, NULL},
    {0, "glyphs", "blocks|braille|ascii", GROUP_SCREEN,
     "characters of graphs (not in this version)", option_set_later, 0, 0, 0, NULL},
    {0, "refresh", "HZ", GROUP_SCREEN, "pictures a second (not in this version)", option_set_later,
     0, 0, 0, NULL},
    {0, "no-mouse", NULL, GROUP_SCREEN, "leave the mouse alone (not in this version)",
     option_set_later, 0, 0, 0, NULL},

    {0, "compare", NULL, GROUP_OTHER,
     "what differs between captures, and why (not in this version)", option_set_later, 0, 0, 0,
     NULL},
    {0, "no-config", NULL, GROUP_OTHER, "leave the settings file unread", option_set_flag,
     FIELD(accepted), 0, 0, NULL},
    {0, "version", NULL, GROUP_OTHER, "print the version", option_set_value, FIELD(action),
     ACTION_VERSION, 0, NULL},
    {'h', "help", NULL, GROUP_OTHER, "print this help", option_set_value, FIELD(action),
     ACTION_HELP, 0, NULL},
};

const struct option_row *option_at(int i)
{
    return i >= 0 && (size_t)i < sizeof rows / sizeof rows[0] ? &rows[i] : NULL;
}

const struct option_row *option_find(const char *name)
{
    const struct option_row *row;

    for (int i = 0; (row = option_at(i)) != NULL; i++)
        if (row->name != NULL && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

void option_title(const struct option_row *row, char *title, size_t size)
{
    if (row->letter != 0)
        snprintf(title, size, "-%c", row->letter);
    else
        snprintf(title, size, "--%s", row->name);
}

bool option_needs_argument(const struct option_row *row)
{
    return row->argument != NULL && row->argument[0] != '[';
}

bool option_takes_argument(const struct option_row *row)
{
    return row->argument != NULL;
}
