#include "tests/image.h"

#include "capture/foreign.h"

/* The refusal of a file that begins with these bytes. */
static const char *explain(const char *path, const void *first, size_t count)
{
    static char error[SOURCE_ERROR_MAX];

    foreign_explain(path, first, count, error, sizeof error);
    return error;
}

static void kinds_and_commands(void **state)
{
    static const struct {
        const char *path, *first;
        size_t count;
        const char *expected;
    } cases[] = {
        {"x.trc", "GMBU\0\2", 6,
         "x.trc: is a NetMon 2 capture, which is not read here. Convert it: editcap -F pcap x.trc "
         "x.pcap"},
        {"a/b.cap", "RTSS\1\1", 6,
         "a/b.cap: is a NetMon 1 capture, which is not read here. Convert it: editcap -F pcap "
         "a/b.cap a/b.pcap"},
        {"trace", "iptrace 2.0", 11,
         "trace: is an AIX iptrace 2.0 capture, which is not read here. Convert it: editcap -F "
         "pcapng trace trace.pcapng"},
        {"s.pcap", "XCP\0", 4,
         "s.pcap: is a Sniffer (Windows) capture, which is not read here. Convert it: editcap -F "
         "pcap s.pcap s-converted.pcap"},
        {"sniff.enc.gz", "TRSNIFF data    \x1a", 17,
         "sniff.enc.gz: is a Sniffer (DOS) capture, which is not read here. Convert it: editcap -F "
         "pcap sniff.enc.gz sniff.pcap"},
        {"-", "\177ver", 4,
         "standard input: is an EtherPeek or OmniPeek capture, which is not read here. Convert it: "
         "editcap -F pcap FILE capture.pcap"},
        {"it's mine.cap", "snoop\0\0\0\0\0\0\4", 12,
         "it's mine.cap: is a Shomiti Surveyor capture, which is not read here. Convert it: "
         "editcap "
         "-F pcap 'it'\\''s mine.cap' 'it'\\''s mine.pcap'"},
        {"x.bfr", "ObserverPktBufferVersion=09.00", 30,
         "x.bfr: is an Observer capture, which is not read here. Convert it: editcap -F pcapng "
         "x.bfr x.pcapng"},
        {"c.zip", "PK\3\4", 4,
         "c.zip: is a ZIP archive. Unpack it first (gzip, zstd, xz and lz4 are read)."},
        {"keys.log", "CLIENT_RANDOM 52340c", 20,
         "keys.log: is a TLS key log, not a capture. Name a capture file."},
        {"notes.txt", "hello", 5,
         "notes.txt: is not a capture file (first bytes 68 65 6c 6c). pcap, pcapng, snoop and "
         "gzip, "
         "zstd, xz or lz4 of these are read."},
        {"one", "\1", 1,
         "one: is not a capture file (first bytes 01). pcap, pcapng, snoop and gzip, zstd, xz or "
         "lz4 of these are read."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(explain(cases[i].path, cases[i].first, cases[i].count),
                            cases[i].expected);
}

/* IBM i PRTCMNTRC spool text, translated and as EBCDIC. */
static void iseries_text(void **state)
{
    static const char ascii[] = " COMMUNICATIONS TRACE       Title: FTP";
    static const char ebcdic[] = "\x40\xc3\xd6\xd4\xd4\xe4\xd5\xc9\xc3\xc1\xe3\xc9\xd6\xd5\xe2\x40"
                                 "\xe3\xd9\xc1\xc3\xc5\x40";

    (void)state;
    assert_non_null(strstr(explain("t.txt", ascii, sizeof ascii - 1),
                           "is an IBM i communications trace in text form"));
    assert_non_null(strstr(explain("t.txt", ebcdic, sizeof ebcdic - 1), "editcap -F pcap t.txt"));
}

/* Two ERF records of 24 bytes, type 2 (Ethernet), a second apart. */
static void erf_by_its_records(void **state)
{
    struct image image = {.big = true};

    (void)state;
    for (int i = 0; i < 2; i++) {
        image_u32(&image, 0);
        image_bytes(&image, i == 0 ? "\x81\xd7\x48\x41" : "\x82\xd7\x48\x41", 4);
        image_bytes(&image, "\2\5", 2);
        image_u16(&image, 24);
        image_fill(&image, 0, 12);
    }
    assert_non_null(strstr(explain("x.erf", image.bytes, image.count), "is an ERF capture"));
    image.bytes[24 + 8] = 99; /* no such type */
    assert_non_null(strstr(explain("x.erf", image.bytes, image.count), "is not a capture file"));
    image_free(&image);
}

static void empty_missing_and_folder(void **state)
{
    struct image image = {.big = false};
    const char *missing[] = {"no/such/file.pcap"}, *folder[] = {"/"};

    (void)state;
    image_fill(&image, 0, 1);
    image.count = 0;
    struct reading reading = read_image(&image);
    assert_false(reading.opened);
    assert_non_null(strstr(reading.error, ": is empty (0 bytes). "));

    reading = read_paths(missing, 1, NULL);
    assert_string_equal(reading.error,
                        "no/such/file.pcap: No such file or directory. Check the path.");
    reading = read_paths(folder, 1, NULL);
    assert_string_equal(reading.error, "/: is a directory. Name the capture files in it.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_commands),
        cmocka_unit_test(iseries_text),
        cmocka_unit_test(erf_by_its_records),
        cmocka_unit_test(empty_missing_and_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
