#include "capture/filter.h"

#include <pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/dlt.h"
#include "xmalloc.h"

#define SNAPLEN 262144

/* A capture has few link types and the registry fewer than this; a made-up file may name 65,536,
 * and those beyond are not matched. */
#define PROGRAMS_MAX 512

/* The expression compiled for one link type. */
struct program {
    int link_type;
    bool usable;
    struct bpf_program bpf;
    char reason[160];
};

struct filter {
    char *expression;
    struct program *programs;
    size_t count;
};

struct filter *filter_new(const char *expression)
{
    struct filter *filter = xcalloc(1, sizeof *filter);

    filter->expression = xstrdup(expression);
    return filter;
}

void filter_free(struct filter *filter)
{
    if (filter == NULL)
        return;
    for (size_t i = 0; i < filter->count; i++)
        if (filter->programs[i].usable)
            pcap_freecode(&filter->programs[i].bpf);
    free(filter->programs);
    free(filter->expression);
    free(filter);
}

/* Compile into a program; reason is set when it is not usable. */
static void program_compile(struct program *program, const char *expression)
{
    pcap_t *dead = pcap_open_dead(dlt_from_link_type(program->link_type), SNAPLEN);

    program->usable = false;
    if (dead == NULL) {
        snprintf(program->reason, sizeof program->reason, "no memory left");
        return;
    }
    program->usable = pcap_compile(dead, &program->bpf, expression, 1, PCAP_NETMASK_UNKNOWN) == 0;
    if (!program->usable)
        snprintf(program->reason, sizeof program->reason, "%.150s", pcap_geterr(dead));
    pcap_close(dead);
}

/* The program for a link type, compiled at its first use, or NULL when there are too many.  Valid
 * until the next call. */
static struct program *find_program(struct filter *filter, int link_type)
{
    for (size_t i = 0; i < filter->count; i++)
        if (filter->programs[i].link_type == link_type)
            return &filter->programs[i];
    if (filter->count == PROGRAMS_MAX)
        return NULL;
    filter->programs = xreallocarray(filter->programs, filter->count + 1, sizeof *filter->programs);
    struct program *program = &filter->programs[filter->count++];
    *program = (struct program){.link_type = link_type};
    program_compile(program, filter->expression);
    return program;
}

bool filter_compile(struct filter *filter, int link_type, char *error, size_t size)
{
    const struct program *program = find_program(filter, link_type);

    if (program != NULL && program->usable)
        return true;
    snprintf(error, size, "%s", program != NULL ? program->reason : "too many link types");
    return false;
}

int filter_apply(struct filter *filter, struct packet *packets, int count, int *refused)
{
    const struct program *program = NULL;
    int kept = 0;

    for (int i = 0; i < count; i++) {
        const struct packet *packet = &packets[i];

        if (program == NULL || program->link_type != packet->link_type)
            program = find_program(filter, packet->link_type);
        if (program == NULL || !program->usable)
            *refused = packet->link_type;
        else if (bpf_filter(program->bpf.bf_insns, packet->data, packet->wire_bytes,
                            packet->captured_bytes) != 0)
            packets[kept++] = *packet;
    }
    return kept;
}

void filter_explain(const char *expression, const char *reason, char *error, size_t size)
{
    static const char preface[] = "can't parse filter expression: ";

    if (strncmp(reason, preface, sizeof preface - 1) == 0)
        reason += sizeof preface - 1;
    snprintf(error, size,
             "filter: \"%.160s\" is not accepted: %.160s. See pcap-filter(7) for the syntax.",
             expression, reason);
}
