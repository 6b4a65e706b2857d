/* The whole way from a file's bytes to packets: recognition, decompression, readers, filter, merge.
 * The last byte, which stays part of the file, chooses a filter and a merge with itself. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/source.h"
#include "tests/fuzz/memory_input.h"

/* A small compressed input can unpack to gigabytes: enough has been seen after this many. */
#define PACKETS_ENOUGH 20000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], error[SOURCE_ERROR_MAX];
    const char *paths[] = {path, path};
    struct source_options options = {.max_packets = PACKETS_ENOUGH};
    struct packet *packets;
    bool usage_error;
    int count;

    if (size < 1)
        return 0;
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    options.filter = data[size - 1] & 1 ? "tcp port 21 or vlan" : NULL;
    struct source *source =
        source_open_files(paths, data[size - 1] & 2 ? 2 : 1, &options, error, &usage_error);
    if (source != NULL) {
        while ((count = source_read(source, &packets, 32)) >= 0)
            check_packets(packets, count);
        source_close(source);
    }
    close(fd);
    return 0;
}
