/* Allocation that cannot fail quietly.  Running out of memory is the one error that ends
 * the program at once: there are no half-built objects to unwind anywhere else. */
#ifndef TCPWHY_XMALLOC_H
#define TCPWHY_XMALLOC_H

#include <stddef.h>

/* Each returns memory that the caller owns and releases with free(); size 0 is a bug and ends
 * the program, as does exhaustion (one line on stderr, exit status 1). */
void *xmalloc(size_t size);
/* Zeroed array of count elements of size bytes; the product is checked for overflow. */
void *xcalloc(size_t count, size_t size);
/* Resize an array to count elements of size bytes; the product is checked for overflow. */
void *xreallocarray(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
/* Formatted string of any length. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
