#include "report/notes.h"

#include <stddef.h>
#include <string.h>

#include "analysis/note_codes.h"
#include "report/units.h"
#include "xmalloc.h"

struct note_words {
    const char *code, *words;
};

static const struct note_words ruled_out[] = {
    {NOTE_LOSS, "packet loss"},
    {NOTE_RECEIVE_WINDOW, "the receiver's window"},
    {NOTE_SENDER, "the sending program, its disk or buffer"},
    {NOTE_RECEIVER_APPLICATION, "the receiver's program, disk or CPU"},
    {NOTE_CONGESTION_WINDOW, "the congestion window"},
    {NOTE_LINK, "the rate of the link"},
};

static const struct note_words unknown[] = {
    {NOTE_ONE_WAY_DELAY,
     "One capture measures round trips: it cannot tell which way the delay is."},
    {NOTE_ROUND_TRIP_TIME,
     "The round-trip time could not be measured: answers or the handshake are missing."},
    {NOTE_WINDOW_SCALE, "The opening packets (SYN) are missing, so the receiver's window is only "
                        "known to be at least what is given here."},
    {NOTE_RECEIVER_CPU_OR_DISK, "A slow program, a busy CPU and a slow disk at the receiver look "
                                "alike: the window closes."},
    {NOTE_SENDER_BUFFER, "A small send buffer at the sender looks like a congestion window."},
    {NOTE_COMPETING_TRAFFIC, "Other traffic on the same path is not in this view."},
    {NOTE_SENDER_SIDE_LOSS,
     "Where on the path packets were lost is not known: where the capture was taken is unclear."},
    {NOTE_LINK_RATE, "The rate of the path is not known: predictions are upper bounds. Give it "
                     "with --link."},
};

static const char *find_words(const struct note_words *list, size_t count, const char *code)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].code, code) == 0)
            return list[i].words;
    return NULL;
}

const char *notes_ruled_out(const char *code)
{
    const char *words = find_words(ruled_out, sizeof ruled_out / sizeof ruled_out[0], code);

    return words != NULL ? words : code;
}

bool notes_knows_ruled_out(const char *code)
{
    return notes_ruled_out(code) != code;
}

const char *notes_unknown(const char *code)
{
    return find_words(unknown, sizeof unknown / sizeof unknown[0], code);
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
    for (size_t i = 0; i < sizeof health / sizeof health[0]; i++)
        if (strcmp(health[i].id, id) == 0)
            return xasprintf("%s %s",
                             units_things(count, health[i].one, health[i].many).text,
                             health[i].rest);
    return xasprintf("%s: %s", id, units_count(count).text);
}
