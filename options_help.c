#include "options_table.h"

#include <string.h>

#define COLUMN 30
#define WIDTH 98

static const char use[] =
    "tcpwhy: why was this transfer slow?\n"
    "\n"
    "  tcpwhy -r FILE [options] [filter]   report every transfer, and why it was slow\n"
    "  tcpwhy -i IF   [options] [filter]   the same for a device; Ctrl-C ends the capture\n"
    "  tcpwhy FILE...                      the same as -r FILE\n"
    "  tcpwhy -D | -L | --version | -h\n"
    "\n"
    "The filter is a pcap filter (pcap-filter(7)): host 192.0.2.10 and port 21\n";

static const char rates[] =
    "\n"
    "Rates: 2M, 100Mbit and 64kbit/s are bits per second, 18MB/s and 11520KB are bytes per "
    "second;\n"
    "a bare number is bits per second. K, M, G, T are powers of 1000 (Ki, Mi, Gi of 1024), also "
    "in\n"
    "--ceiling; only the K of a bonnie table is 1024: write 11520KiB for it.\n"
    "\n"
    "Exit status: 0 done; 1 could not (permission, file, memory, write); 2 usage (option, "
    "filter);\n"
    "3 with --check: a transfer is limited by what was asked about; 4 with --check: not enough\n"
    "evidence.\n"
    "\n"
    "Settings: $XDG_CONFIG_HOME/tcpwhy/options, one long option a line. See tcpwhy(1).\n";

static const char *const group_titles[GROUP_COUNT] = {
    [GROUP_INPUT] = "Input",         [GROUP_DEVICE] = "Device",
    [GROUP_OUTPUT] = "Report",       [GROUP_KNOWN] = "What you know about the path and the hosts",
    [GROUP_SCRIPTS] = "For scripts", [GROUP_SCREEN] = "Mode and screen",
    [GROUP_OTHER] = "Other",
};

/* Left column: "  -r, --read-file FILE". */
static int print_names(const struct option_row *row, FILE *out)
{
    int width = row->letter != 0 ? fprintf(out, "  -%c", row->letter) : fprintf(out, "    ");

    if (row->name != NULL)
        width += fprintf(out, "%s--%s", row->letter != 0 ? ", " : "  ", row->name);
    if (row->argument != NULL)
        width += fprintf(out, " %s", row->argument);
    return width;
}

/* Words of a text from COLUMN on, broken at WIDTH; column is where the cursor stands. */
static void print_wrapped(const char *text, int column, FILE *out)
{
    if (column >= COLUMN - 1) {
        fputc('\n', out);
        column = 0;
    }
    column += fprintf(out, "%*s", COLUMN - column, "");
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");

        if (column > COLUMN && column + 1 + length > WIDTH)
            column = fprintf(out, "\n%*s", COLUMN, "") - 1;
        column += fprintf(out, "%s%.*s", column > COLUMN ? " " : "", length, text);
        text += length;
        text += *text == ' ';
    }
    fputc('\n', out);
}

void options_print_help(FILE *out)
{
    const struct option_row *row;

    fputs(use, out);
    for (int group = 0; group < GROUP_COUNT; group++) {
        fprintf(out, "\n%s\n", group_titles[group]);
        for (int i = 0; (row = option_at(i)) != NULL; i++)
            if ((int)row->group == group)
                print_wrapped(row->help, print_names(row, out), out);
    }
    fputs(rates, out);
}
