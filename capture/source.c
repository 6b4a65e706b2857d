#include "capture/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/file_input.h"
#include "capture/filter.h"
#include "capture/inorder.h"
#include "capture/live.h"
#include "capture/merge.h"
#include "xmalloc.h"

#define LINK_ETHERNET 1

struct source {
    struct inorder **inputs;
    int count;
    struct merge *merge; /* NULL with one input */
    struct filter *filter;
    uint64_t packets_left; /* UINT64_MAX = no limit */
    struct packet merged[SOURCE_READ_MAX];
};

static struct source *source_new(int capacity, const struct source_options *opt)
{
    struct source *source = xcalloc(1, sizeof *source);

    source->inputs = xcalloc((size_t)capacity, sizeof(struct inorder *));
    source->packets_left = opt != NULL && opt->max_packets > 0 ? opt->max_packets : UINT64_MAX;
    return source;
}

static void source_add(struct source *source, struct input *input)
{
    input->number = (uint16_t)source->count;
    source->inputs[source->count++] = inorder_new(input, source->filter);
}

/* Compile the filter for every link type known so far.  False, with one line in error, when none
 * accepts it: then it is the expression that is wrong. */
static bool check_filter(struct source *source, const char *expression, char *error)
{
    char reason[SOURCE_ERROR_MAX] = "", last[SOURCE_ERROR_MAX] = "";
    bool accepted = false;
    int tried = 0;

    for (int i = 0; i < source->count; i++) {
        const struct source_facts *facts = source_facts(source, i);

        for (int j = 0; j < facts->link_type_count; j++, tried++)
            if (filter_compile(source->filter, facts->link_types[j], last, sizeof last))
                accepted = true;
            else if (reason[0] == '\0')
                snprintf(reason, sizeof reason, "%s", last);
    }
    if (tried == 0)
        accepted = filter_compile(source->filter, LINK_ETHERNET, reason, sizeof reason);
    if (!accepted)
        filter_explain(expression, reason, error, SOURCE_ERROR_MAX);
    return accepted;
}

/* False, with one line in error, for a list of files that cannot be read together. */
static bool check_paths(const char *const *paths, int count, char *error)
{
    int standard = 0;

    if (count < 1 || count > UINT16_MAX) {
        snprintf(error, SOURCE_ERROR_MAX, "files: %d are named. Name 1 to 65535.", count);
        return false;
    }
    for (int i = 0; i < count; i++)
        standard += strcmp(paths[i], "-") == 0;
    if (standard > 1)
        snprintf(error, SOURCE_ERROR_MAX, "standard input: is named %d times. It can be read once.",
                 standard);
    return standard <= 1;
}

struct source *source_open_files(const char *const *paths, int count,
                                 const struct source_options *opt, char error[SOURCE_ERROR_MAX],
                                 bool *usage_error)
{
    const char *expression = opt != NULL ? opt->filter : NULL;
    bool follow = opt != NULL && opt->follow;

    *usage_error = false;
    if (!check_paths(paths, count, error)) {
        *usage_error = true;
        return NULL;
    }
    struct source *source = source_new(count, opt);
    if (expression != NULL)
        source->filter = filter_new(expression);
    for (int i = 0; i < count; i++) {
        struct input *input = file_input_open(paths[i], follow, error);

        if (input == NULL) {
            source_close(source);
            return NULL;
        }
        source_add(source, input);
    }
    if (expression != NULL && !check_filter(source, expression, error)) {
        *usage_error = true;
        source_close(source);
        return NULL;
    }
    if (count > 1)
        source->merge = merge_new(source->inputs, count, follow);
    return source;
}

struct source *source_open_device(const char *device, const struct source_options *opt,
                                  char error[SOURCE_ERROR_MAX], bool *usage_error)
{
    *usage_error = false;
    struct input *input = live_open(device, opt, error, usage_error);
    if (input == NULL)
        return NULL;
    struct source *source = source_new(1, opt);
    source_add(source, input);
    return source;
}

int source_read(struct source *source, struct packet **out, int max)
{
    int count;

    if (source->packets_left == 0)
        return SOURCE_END;
    if ((uint64_t)max > source->packets_left)
        max = (int)source->packets_left;
    if (source->merge != NULL) {
        *out = source->merged;
        count = merge_read(source->merge, source->merged, max);
    } else {
        count = inorder_read(source->inputs[0], out, max, true);
    }
    if (count > 0)
        source->packets_left -= (uint64_t)count;
    return count;
}

int source_count(const struct source *source)
{
    return source->count;
}

const struct source_facts *source_facts(const struct source *source, int i)
{
    return &inorder_input(source->inputs[i])->facts;
}

void source_close(struct source *source)
{
    if (source == NULL)
        return;
    merge_free(source->merge);
    for (int i = 0; i < source->count; i++)
        inorder_free(source->inputs[i]);
    filter_free(source->filter);
    free(source->inputs);
    free(source);
}
