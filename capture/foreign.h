/* Files that are not read here: what they are, and the command that converts them. */
#ifndef TCPWHY_CAPTURE_FOREIGN_H
#define TCPWHY_CAPTURE_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

/* Write the refusal of a file with these first bytes: its kind and how to convert it when the
 * kind is known, otherwise the bytes and what is read. */
void foreign_explain(const char *path, const uint8_t *first, size_t count, char *error,
                     size_t error_size);

#endif
