#include "capture/foreign.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "capture/bytes.h"

/* How a file of a kind becomes one that is read. */
enum remedy {
    REMEDY_PCAP,   /* editcap -F pcap: one link type */
    REMEDY_PCAPNG, /* editcap -F pcapng: may hold several */
    REMEDY_UNPACK, /* a packed file: unpack it first */
    REMEDY_NONE,
};

struct kind {
    const char *name;
    enum remedy remedy;
    uint8_t bytes;
    const char *magic;
};

/* First bytes as wiretap (Wireshark's file library) tests them. */
static const struct kind kinds[] = {
    {"an AIX iptrace 1.0 capture", REMEDY_PCAPNG, 11, "iptrace 1.0"},
    {"an AIX iptrace 2.0 capture", REMEDY_PCAPNG, 11, "iptrace 2.0"},
    {"a NetMon 1 capture", REMEDY_PCAP, 4, "RTSS"},
    {"a NetMon 2 capture", REMEDY_PCAP, 4, "GMBU"},
    {"a Sniffer (DOS) capture", REMEDY_PCAP, 17, "TRSNIFF data    \x1a"},
    {"a Sniffer (Windows) capture", REMEDY_PCAP, 4, "XCP\0"},
    {"a NetXRay capture", REMEDY_PCAP, 4, "VL\0\0"},
    {"a Shomiti Surveyor capture", REMEDY_PCAP, 8, "snoop\0\0\0"},
    {"an EtherPeek or OmniPeek capture", REMEDY_PCAP, 4, "\177ver"},
    {"a RADCOM capture", REMEDY_PCAP, 8, "\x42\xd2\x00\x34\x12\x66\x22\x88"},
    {"an HP-UX nettl trace", REMEDY_PCAPNG, 5, "\x54\x52\x00\x64\x00"},
    {"an HP-UX 9 nettl trace", REMEDY_PCAPNG, 12, "\0\0\0\x01\0\0\0\0\0\x07\xd0\0"},
    {"an Observer capture", REMEDY_PCAPNG, 25, "ObserverPktBufferVersion="},
    {"a K12 capture", REMEDY_PCAPNG, 8, "\0\0\x02\0\x12\x05\0\x10"},
    {"a K12 text capture", REMEDY_PCAPNG, 38, "+---------+---------------+----------+"},
    {"a 5Views capture", REMEDY_PCAP, 4, "\xaa\xaa\xaa\xaa"},
    {"a Visual Networks capture", REMEDY_PCAP, 4, "\x05VNF"},
    {"an EyeSDN capture", REMEDY_PCAPNG, 6, "EyeSDN"},
    {"a Bluetooth HCI log", REMEDY_NONE, 8, "btsnoop\0"},
    {"a TLS key log, not a capture", REMEDY_NONE, 14, "CLIENT_RANDOM "},
    {"a TLS key log, not a capture", REMEDY_NONE, 15, "# SSL/TLS secre"},
    {"packed with bzip2", REMEDY_UNPACK, 3, "BZh"},
    {"packed with compress", REMEDY_UNPACK, 2, "\x1f\x9d"},
    {"a ZIP archive", REMEDY_UNPACK, 4, "PK\x03\x04"},
    {"a 7z archive", REMEDY_UNPACK, 6, "7z\xbc\xaf\x27\x1c"},
    {"packed with an old form of lz4", REMEDY_UNPACK, 4, "\x02\x21\x4c\x18"},
};

static bool contains(const uint8_t *first, size_t count, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = 0; i + length <= count && i < 2048; i++)
        if (memcmp(first + i, word, length) == 0)
            return true;
    return false;
}

/* EtherPeek of versions 5 to 7 has no magic: the version, a status of 0, the length of the file
 * and the number of packets, and 28 reserved bytes of 0. */
static bool is_peek_classic(const uint8_t *first, size_t count)
{
    static const uint8_t zeros[24];

    return count >= 50 && first[0] >= 5 && first[0] <= 7 && first[1] == 0 &&
           bytes_load32_big(first + 2) > bytes_load32_big(first + 6) &&
           bytes_load32_big(first + 6) > 0 && memcmp(first + 22, zeros, sizeof zeros) == 0;
}

/* ERF has no magic either: a chain of records with a known type, a length that fits, and second
 * counts that stay close to each other. */
static bool is_erf(const uint8_t *first, size_t count)
{
    uint32_t second_before = 0;
    size_t at = 0;
    int records = 0;

    for (; count - at >= 16 && records < 16; records++) {
        uint32_t second = (uint32_t)first[at + 7] << 24 | (uint32_t)first[at + 6] << 16 |
                          (uint32_t)first[at + 5] << 8 | first[at + 4];
        uint8_t type = first[at + 8] & 0x7f;
        size_t record_bytes = (size_t)first[at + 10] << 8 | first[at + 11];

        if (type < 1 || type > 48 || record_bytes < 16 || second < 0x20000000 ||
            (records > 0 && second - second_before + 3600 > 7200))
            return false;
        second_before = second;
        if (record_bytes > count - at)
            return records > 1;
        at += record_bytes;
    }
    return records > 1;
}

/* "COMMUNICATIONS TRACE" in EBCDIC, as an IBM i spool file that was not translated has it. */
static const char iseries_ebcdic[] = "\xc3\xd6\xd4\xd4\xe4\xd5\xc9\xc3\xc1\xe3\xc9\xd6\xd5\xe2\x40"
                                     "\xe3\xd9\xc1\xc3\xc5";

/* What the file is, or NULL. */
static const struct kind *find_kind(const uint8_t *first, size_t count)
{
    static const struct kind peek = {"an EtherPeek or AiroPeek capture", REMEDY_PCAP, 0, ""};
    static const struct kind erf = {"an ERF capture", REMEDY_PCAPNG, 0, ""};
    static const struct kind iseries = {"an IBM i communications trace in text form", REMEDY_PCAP,
                                        0, ""};
    static const struct kind vms = {"a VMS TCPIPtrace", REMEDY_PCAP, 0, ""};
    static const struct kind netscaler = {"a NetScaler trace", REMEDY_PCAPNG, 0, ""};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (count >= kinds[i].bytes && memcmp(first, kinds[i].magic, kinds[i].bytes) == 0)
            return &kinds[i];
    if (contains(first, count, "COMMUNICATIONS TRACE") || contains(first, count, iseries_ebcdic))
        return &iseries;
    if (contains(first, count, "TCPIPtrace"))
        return &vms;
    if (contains(first, count, "NetScaler Performance Data"))
        return &netscaler;
    if (is_peek_classic(first, count))
        return &peek;
    return is_erf(first, count) ? &erf : NULL;
}

/* Quote a path for a shell: as it is when that is safe, else in single quotes; cut to size. */
static void quote_path(const char *path, char *out, size_t size)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "._-/+=:,@%";
    bool plain = path[0] != '-' && path[strspn(path, safe)] == '\0';
    size_t used;

    if (plain) {
        snprintf(out, size, "%.120s", path);
        return;
    }
    used = (size_t)snprintf(out, size, "'%s", path[0] == '-' ? "./" : "");
    for (; *path != '\0' && used + 8 < size; path++) {
        char itself[] = {*path, '\0'};

        used += (size_t)snprintf(out + used, size - used, "%s", *path == '\'' ? "'\\''" : itself);
    }
    snprintf(out + used, size - used, "'");
}

/* The path without compression and format endings, to name the converted file after. */
static void stem_of(const char *path, char *stem, size_t size)
{
    static const char *const packed[] = {".gz", ".zst", ".xz", ".lz4"};

    snprintf(stem, size, "%.100s", path);
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        size_t length = strlen(stem), ending = strlen(packed[i]);

        if (length > ending && strcmp(stem + length - ending, packed[i]) == 0)
            stem[length - ending] = '\0';
    }
    char *slash = strrchr(stem, '/'), *dot = strrchr(stem, '.');
    if (dot != NULL && dot != stem && (slash == NULL || dot > slash + 1))
        *dot = '\0';
}

/* The path as messages name it. */
static const char *title_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static void explain_convertible(const char *path, const struct kind *kind, char *error,
                                size_t error_size)
{
    const char *format = kind->remedy == REMEDY_PCAP ? "pcap" : "pcapng";
    char stem[128], made[160], from[176], to[176];
    bool standard = strcmp(path, "-") == 0;

    stem_of(standard ? "capture" : path, stem, sizeof stem);
    snprintf(made, sizeof made, "%s.%s", stem, format);
    if (!standard && strcmp(made, path) == 0)
        snprintf(made, sizeof made, "%s-converted.%s", stem, format);
    quote_path(standard ? "FILE" : path, from, sizeof from);
    quote_path(made, to, sizeof to);
    snprintf(error, error_size,
             "%.120s: is %s, which is not read here. Convert it: editcap -F %s %s %s",
             title_of(path), kind->name, format, from, to);
}

void foreign_explain(const char *path, const uint8_t *first, size_t count, char *error,
                     size_t error_size)
{
    const struct kind *kind = find_kind(first, count);
    char hex[3 * 4 + 1] = "";

    if (kind != NULL && kind->remedy <= REMEDY_PCAPNG) {
        explain_convertible(path, kind, error, error_size);
        return;
    }
    if (kind != NULL) {
        snprintf(error, error_size, "%.300s: is %s. %s.", title_of(path), kind->name,
                 kind->remedy == REMEDY_UNPACK ? "Unpack it first (gzip, zstd, xz and lz4 are read)"
                                               : "Name a capture file");
        return;
    }
    for (size_t i = 0; i < count && i < 4; i++)
        snprintf(hex + 3 * i, 4, " %02x", first[i]);
    snprintf(
        error, error_size,
        "%.250s: is not a capture file (first bytes%s). pcap, pcapng, snoop and gzip, zstd, xz "
        "or lz4 of these are read.",
        title_of(path), hex);
}
