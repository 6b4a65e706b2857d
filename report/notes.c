#include "report/notes.h"

#include <stddef.h>
#include <string.h>

#include "analysis/cause/note_codes.h"
#include "report/units.h"
#include "xmalloc.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

struct note_words {
    const char *code, *words, *short_words; /* short_words: of what is left open */
};

static const struct note_words ruled_out[] = {
    {NOTE_LOSS, "packet loss", NULL},
    {NOTE_RECEIVE_WINDOW, "the receiver's window", NULL},
    {NOTE_SENDER, "the sending program, its disk or buffer", NULL},
    {NOTE_RECEIVER_APPLICATION, "the receiver's program, disk or CPU", NULL},
    {NOTE_CONGESTION_WINDOW, "the congestion window", NULL},
    {NOTE_FULL_QUEUE, "a queue that this transfer fills", NULL},
    {NOTE_LINK, "the rate of the link", NULL},
    {NOTE_STORAGE_CEILINGS, "the rates given with --ceiling", NULL},
};

static const struct note_words unknown[] = {
    {NOTE_ONE_WAY_DELAY,
     "One capture measures round trips: it cannot tell which way the delay is.",
     "which way the delay is"},
    {NOTE_ROUND_TRIP_TIME,
     "The round-trip time could not be measured: answers or the handshake are missing.",
     "the round-trip time"},
    {NOTE_WINDOW_SCALE, "The opening packets (SYN) are missing, so the receiver's window is only "
                        "known to be at least what is given here.",
     "the receiver's window in bytes (no SYN)"},
    {NOTE_WINDOW_EXCEEDED, "More was in flight than the receiver's window allows: its scale was changed "
                           "on the way, or answers are missing.",
     "the receiver's real window (more was in flight)"},
    {NOTE_RECEIVER_CPU_OR_DISK, "A slow program, a busy CPU and a slow disk at the receiver look "
                                "alike: the window closes.",
     "which of the receiver's program, CPU and disk was slow"},
    {NOTE_SENDER_BUFFER, "A small send buffer at the sender looks like a congestion window.",
     "whether the sender's buffer or its congestion window held it"},
    {NOTE_COMPETING_TRAFFIC, "Other traffic on the same path is not in this view.",
     "other traffic on the path"},
    {NOTE_SENDER_SIDE_LOSS,
     "Where on the path packets were lost is not known: where the capture was taken is unclear.",
     "where packets were lost"},
    {NOTE_LINK_RATE, "The rate of the path is not known: predictions are upper bounds. Give it "
                     "with --link.",
     "the rate of the path (give it with --link)"},
};

static const struct note_words *find_note(const struct note_words *list, size_t count,
                                          const char *code)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].code, code) == 0)
            return &list[i];
    return NULL;
}

const char *notes_ruled_out(const char *code)
{
    const struct note_words *note = find_note(ruled_out, COUNT_OF(ruled_out), code);

    return note != NULL ? note->words : code;
}

bool notes_knows_ruled_out(const char *code)
{
    return notes_ruled_out(code) != code;
}

const char *notes_unknown(const char *code)
{
    const struct note_words *note = find_note(unknown, COUNT_OF(unknown), code);

    return note != NULL ? note->words : NULL;
}

const char *notes_unknown_short(const char *code)
{
    const struct note_words *note = find_note(unknown, COUNT_OF(unknown), code);

    return note != NULL ? note->short_words : code;
}

/* what follows the count, for one and for many */
static const struct health_words {
    const char *id, *one, *many, *rest;
} health[] = {
    {"only_one_direction", "connection", "connections",
     "and of each only one direction is in the capture: nothing can be judged. Capture where both "
     "directions pass."},
    {"gaps", "byte", "bytes", "arrived at their receiver but are not in the capture"},
    {"dropped", "packet was", "packets were",
     "dropped while capturing: confidence lowered. Try -B 65536, -s 128 or a narrower filter."},
    {"truncated", "file", "files",
     "cut or damaged before the end: the report covers what is there"},
    {"clock_backward", "step", "steps",
     "of the capture's clock backwards: times are unreliable there"},
    {"without_time", "packet", "packets", "without a time stamp"},
    {"cut_headers", "packet", "packets",
     "with TCP headers cut by the snapshot length: options are missing. Capture with -s 128."},
    {"syn_missing", "connection", "connections",
     "began before the capture: window scale and segment size are derived or unknown"},
    {"unsupported_link", "packet", "packets", "of a link type that is not supported: not analysed"},
    {"duplicates", "frame", "frames", "captured more than once: recognised and left out"},
    {"super_segments", "packet", "packets",
     "larger than the network carries (offload at the capturing host): split for the analysis"},
    {"evicted_flows", "connection", "connections",
     "closed early to bound memory (--max-flows)"},
    {"unfollowed_flows", "connection", "connections",
     "not followed in detail: too many were open at once"},
};

char *notes_health(const char *id, uint64_t count)
{
    for (size_t i = 0; i < COUNT_OF(health); i++)
        if (strcmp(health[i].id, id) == 0)
            return xasprintf("%s %s",
                             units_things(count, health[i].one, health[i].many).text,
                             health[i].rest);
    return xasprintf("%s: %s", id, units_count(count).text);
}
