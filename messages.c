#include "messages.h"

#include <stdio.h>
#include <string.h>

#include "capture/link_names.h"
#include "report/units.h"

#define LINE_MAX_BYTES 2048

/* Bytes that a terminal might take for commands; UTF-8 passes. */
static void put_line(const char *kind, const char *text)
{
    fprintf(stderr, "tcpwhy: %s", kind);
    for (; *text != '\0'; text++)
        fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, stderr);
    fputc('\n', stderr);
}

void message_error(const char *text)
{
    put_line("", text);
}

void message_warning(const char *text)
{
    put_line("warning: ", text);
}

/* What was read, for the head of a message. */
static void name_input(const struct source *source, char *name, size_t size)
{
    const char *first = source_facts(source, 0)->name;

    if (source_count(source) > 1)
        snprintf(name, size, "%d files", source_count(source));
    else
        snprintf(name, size, "%.300s", strcmp(first, "-") == 0 ? "standard input" : first);
}

/* The two most frequent kinds among the packets that are not TCP: "ARP, UDP". */
static void name_most(const struct decode_counts *counts, char text[64])
{
    struct {
        const char *name;
        uint64_t count;
    } kinds[] = {
        {"UDP", counts->udp},
        {"ICMP", counts->icmp},
        {"ARP", counts->arp},
        {"fragments", counts->skipped[SKIP_FRAGMENT]},
        {"encrypted", counts->skipped[SKIP_ENCRYPTED]},
        {"cut too short", counts->skipped[SKIP_CUT]},
        {"malformed", counts->skipped[SKIP_MALFORMED]},
        {"unsupported link type", counts->skipped[SKIP_UNSUPPORTED_LINK]},
        {"other", 0},
    };
    size_t total = sizeof kinds / sizeof kinds[0], used = 0;
    uint64_t named = 0;

    for (size_t i = 0; i + 1 < total; i++)
        named += kinds[i].count;
    kinds[total - 1].count = counts->packets > named ? counts->packets - named : 0;
    text[0] = '\0';
    for (int round = 0; round < 2; round++) {
        size_t best = 0;

        for (size_t i = 1; i < total; i++)
            if (kinds[i].count > kinds[best].count)
                best = i;
        if (kinds[best].count == 0)
            break;
        used += (size_t)snprintf(text + used, 64 - used, "%s%s", round > 0 ? ", " : "",
                                 kinds[best].name);
        kinds[best].count = 0;
    }
}

/* No packet is of a link type that can be opened. */
static void explain_link_type(const struct run *run, char *text, size_t size)
{
    int type = run->counts.first_unsupported_link;
    const char *name = link_type_name(type);
    char list[1024];

    link_type_list(list, sizeof list);
    snprintf(text, size,
             "link type %s (%d) is not supported; supported: %s. Capture on a device of one of "
             "these types.",
             name != NULL ? name : "unknown", type, list);
}

bool messages_after_reading(const struct source *source, const struct run *run, bool filtered)
{
    const struct decode_counts *counts = &run->counts;
    char text[LINE_MAX_BYTES], name[320], most[64];

    for (int i = 0; i < source_count(source); i++)
        if (source_facts(source, i)->warning[0] != '\0')
            message_warning(source_facts(source, i)->warning);
    if (counts->packets > 0 && counts->skipped[SKIP_UNSUPPORTED_LINK] == counts->packets) {
        explain_link_type(run, text, sizeof text);
        message_error(text);
        return false;
    }
    if (counts->segments > 0)
        return true;
    name_input(source, name, sizeof name);
    if (counts->packets == 0) {
        snprintf(text, sizeof text, "%s: %s no packets%s. %s", name,
                 strcmp(source_facts(source, 0)->format, "live") == 0 ? "brought" : "holds",
                 filtered ? " that match the filter" : "",
                 filtered ? "Try without the filter." : "Nothing to judge.");
    } else {
        name_most(counts, most);
        snprintf(text, sizeof text,
                 "%s: %s but none is TCP over IPv4 or IPv6 (most: %s). Capture where the "
                 "transfer passes.",
                 name, units_things(counts->packets, "packet", "packets").text, most);
    }
    message_warning(text);
    return true;
}
