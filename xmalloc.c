#include "xmalloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void)
{
    fputs("tcpwhy: memory: none left. Use a filter or a lower --max-flows.\n", stderr);
    exit(1);
}

void *xmalloc(size_t size)
{
    void *memory = size == 0 ? NULL : malloc(size);

    if (memory == NULL)
        out_of_memory();
    return memory;
}

void *xcalloc(size_t count, size_t size)
{
    void *memory = count == 0 || size == 0 ? NULL : calloc(count, size);

    if (memory == NULL)
        out_of_memory();
    return memory;
}

void *xreallocarray(void *old, size_t count, size_t size)
{
    void *memory = NULL;

    if (count != 0 && size != 0 && count <= SIZE_MAX / size)
        memory = realloc(old, count * size);
    if (memory == NULL)
        out_of_memory();
    return memory;
}

char *xstrdup(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(xmalloc(size), text, size);
}

char *xasprintf(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    if (stream == NULL)
        out_of_memory();
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    if (fclose(stream) != 0 || text == NULL)
        out_of_memory();
    return text;
}
