#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/save.h"
#include "capture/source.h"

#define ETHERNET 1
#define RAW 101
#define TIME_NS 1111111111123456789

static char folder[] = P_tmpdir "/tcpwhy-save-XXXXXX";
static char path[64];
static char error[SOURCE_ERROR_MAX];

/* 5 of 60 bytes: not a multiple of 4, and cut. */
static const uint8_t bytes[5] = {1, 2, 3, 4, 5};

static struct packet packet(int link_type, int64_t time_ns)
{
    return (struct packet){.data = bytes,
                           .time_ns = time_ns,
                           .captured_bytes = sizeof bytes,
                           .wire_bytes = 60,
                           .link_type = link_type};
}

static struct save *open_save(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    struct save *save = save_open(path, error);
    assert_non_null(save);
    return save;
}

/* Read the file again: count packets of these link types, 1 ns apart. */
static void assert_file(const char *format, const int *link_types, int count)
{
    const char *paths[] = {path};
    bool usage;
    struct packet *out;
    int total = 0, got;
    struct source *source = source_open_files(paths, 1, NULL, error, &usage);

    assert_non_null(source);
    while ((got = source_read(source, &out, 8)) >= 0)
        for (int i = 0; i < got; i++, total++) {
            assert_true(total < count);
            assert_int_equal(out[i].link_type, link_types[total]);
            assert_int_equal(out[i].time_ns, TIME_NS + total);
            assert_int_equal(out[i].captured_bytes, sizeof bytes);
            assert_int_equal(out[i].wire_bytes, 60);
            assert_memory_equal(out[i].data, bytes, sizeof bytes);
        }
    assert_int_equal(got, SOURCE_END);
    assert_int_equal(total, count);
    assert_string_equal(source_facts(source, 0)->format, format);
    assert_false(source_facts(source, 0)->truncated);
    source_close(source);
    unlink(path);
}

static void one_link_type_as_pcap(void **state)
{
    const int types[] = {RAW, RAW};
    const struct packet packets[] = {packet(RAW, TIME_NS), packet(RAW, TIME_NS + 1)};
    struct save *save = open_save("x.pcap");

    (void)state;
    assert_true(save_packets(save, packets, 2, error));
    assert_true(save_close(save, error));
    assert_file("pcap-nsec", types, 2);
}

static void several_as_pcapng(void **state)
{
    const int types[] = {RAW, ETHERNET, RAW};
    const struct packet packets[] = {packet(RAW, TIME_NS), packet(ETHERNET, TIME_NS + 1),
                                     packet(RAW, TIME_NS + 2)};
    struct save *save = open_save("x.pcapng");

    (void)state;
    assert_true(save_packets(save, packets, 2, error));
    assert_true(save_packets(save, packets + 2, 1, error));
    assert_true(save_close(save, error));
    assert_file("pcapng", types, 3);
}

/* The second type is refused once, what came before stays. */
static void several_do_not_fit_pcap(void **state)
{
    const int types[] = {RAW};
    const struct packet packets[] = {packet(RAW, TIME_NS), packet(ETHERNET, TIME_NS + 1)};
    struct save *save = open_save("x.pcap");

    (void)state;
    assert_false(save_packets(save, packets, 2, error));
    assert_non_null(strstr(error, "x.pcap: it cannot hold packets of another link type (EN10MB, 1) "
                                  "too. Give it a name that ends in .pcapng."));
    assert_false(save_packets(save, packets, 1, error));
    assert_true(save_close(save, error));
    assert_file("pcap-nsec", types, 1);
}

static void nothing_is_a_capture_file_too(void **state)
{
    (void)state;
    assert_true(save_close(open_save("x.pcap"), error));
    assert_file("pcap-nsec", NULL, 0);
    assert_true(save_close(open_save("x.pcapng"), error));
    assert_file("pcapng", NULL, 0);
    assert_true(save_close(NULL, error));
}

static void cannot_be_written(void **state)
{
    const struct packet packets[] = {packet(RAW, TIME_NS)};

    (void)state;
    snprintf(path, sizeof path, "%s/no/x.pcap", folder);
    assert_null(save_open(path, error));
    assert_non_null(strstr(error, "x.pcap: No such file or directory. Name a file that can be"));
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct save *save = save_open("/dev/full", error);
    assert_non_null(save);
    assert_true(save_packets(save, packets, 1, error)); /* still buffered */
    assert_false(save_close(save, error));
    assert_string_equal(error,
                        "/dev/full: No space left on device. What was written before is kept.");
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_link_type_as_pcap),   cmocka_unit_test(several_as_pcapng),
        cmocka_unit_test(several_do_not_fit_pcap), cmocka_unit_test(nothing_is_a_capture_file_too),
        cmocka_unit_test(cannot_be_written),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
