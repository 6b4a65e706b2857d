#include "capture/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

struct input *input_new(const struct input_ops *ops, void *state, const char *name)
{
    struct input *input = xcalloc(1, sizeof *input);

    input->ops = ops;
    input->state = state;
    input->name = xstrdup(name);
    input->facts.name = input->name;
    input->title = strcmp(name, "-") == 0 ? "standard input" : input->name;
    buffer_init(&input->buffer);
    return input;
}

void input_free(struct input *input)
{
    if (input == NULL)
        return;
    input->ops->close(input);
    buffer_free(&input->buffer);
    free(input->name);
    free(input);
}

void input_add_link_type(struct input *input, int link_type)
{
    struct source_facts *facts = &input->facts;

    for (int i = 0; i < facts->link_type_count; i++)
        if (facts->link_types[i] == link_type)
            return;
    if (facts->link_type_count < SOURCE_LINK_TYPES_MAX)
        facts->link_types[facts->link_type_count++] = link_type;
}

/* Where in the file a fault stands: "after packet 783", or "before the first packet". */
static void place_of_fault(const struct input *input, char place[48])
{
    if (input->frames == 0)
        snprintf(place, 48, "before the first packet");
    else
        snprintf(place, 48, "after packet %" PRIu64, input->frames);
}

void input_note_cut(struct input *input)
{
    size_t have = buffer_unparsed(&input->buffer);
    char place[48], rest[96];

    if (have == 0 && input->need_bytes == 0)
        return;
    place_of_fault(input, place);
    if (input->need_bytes == 0 || have < input->need_header_bytes)
        snprintf(rest, sizeof rest, "%zu bytes of the next header", have);
    else
        snprintf(rest, sizeof rest, "%zu of %zu bytes of the next", have - input->need_header_bytes,
                 input->need_bytes - input->need_header_bytes);
    input->facts.truncated = true;
    snprintf(input->facts.warning, sizeof input->facts.warning,
             "%.300s: is cut %s (%s). The report covers what is there.", input->title, place, rest);
}

void input_note_damage(struct input *input)
{
    char place[48];

    place_of_fault(input, place);
    input->facts.truncated = true;
    snprintf(input->facts.warning, sizeof input->facts.warning,
             "%.280s: is damaged %s (%s). The report covers what stands before.", input->title,
             place, input->damage);
}
