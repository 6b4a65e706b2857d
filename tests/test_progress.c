#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "progress.h"

static void assert_line(uint64_t read, uint64_t size, uint64_t packets, double elapsed_s,
                        const char *expected)
{
    struct source_facts sum = {.file_bytes = size, .file_bytes_read = read, .packets = packets};
    char line[160];

    progress_line(&sum, "ftp.pcapng", elapsed_s, line, sizeof line);
    assert_string_equal(line, expected);
}

/* Left: elapsed times unread over read, 5 s x 59 / 41 = 7.2 s. */
static void known_size(void **state)
{
    (void)state;
    assert_line(1230000000, 3000000000, 2100000, 5,
                "reading ftp.pcapng  41 %  1.2 GB  2.1 M packets  0:07 left");
    assert_line(10, 1000, 1, 1, "reading ftp.pcapng  1 %  10 B  1 packets  1:39 left");
    assert_line(1000, 1000, 999, 1, "reading ftp.pcapng  100 %  1.0 kB  999 packets  0:00 left");
    assert_line(123456, 246912, 41022, 600,
                "reading ftp.pcapng  50 %  123 kB  41.0 k packets  10:00 left");
}

/* A pipe, and a file that has grown beyond its size: neither share nor time left. */
static void unknown_size(void **state)
{
    (void)state;
    assert_line(999500, 0, 0, 3, "reading ftp.pcapng  1.0 MB  0 packets");
    assert_line(2000, 1000, 5, 3, "reading ftp.pcapng  2.0 kB  5 packets");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_size),
        cmocka_unit_test(unknown_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
