#include "tests/fake_analysis.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cause/note_codes.h"
#include "tests/fake_flows.h"

#define S INT64_C(1000000000)
#define MS INT64_C(1000000)

/* A file name as a hostile server may send it: escape sequence, right-to-left override (U+202E),
 * a byte that is no UTF-8, and a backslash that looks like our own escape. */
#define HOSTILE_NAME "a\033[2Jb\xe2\x80\xae" "gpj\xff\\x41.exe"

static const char *const captured_links[] = {"EN10MB"};

/* The get from KEK to CERN: 24,820 bytes each 280.6 ms are 88.5 kB/s at most. */
static void fill_get(struct analyzer *a)
{
    struct transfer_result *t = &a->transfers[0];
    struct verdict *v = &t->verdict;

    *t = (struct transfer_result){
        .id = 1, .protocol = "ftp", .verb = "RETR", .name = "run0412.db", .direction = S2C,
        .passive = true, .flow_id = FAKE_GET, .control_flow_id = FAKE_CONTROL, .session_id = 1,
        .bytes = 26214400, .expected_bytes = 26214400, .complete = true, .complete_known = true,
        .final_reply = 226, .final_reply_frame = 41000, .start_ns = FAKE_START_NS,
        .duration_ns = 303200 * MS, .goodput_bytes_per_s = 87702,
        .bulk_start_ns = FAKE_START_NS + 2 * S, .bulk_ns = 298900 * MS, .phase_count = 4,
        .phases = {{PHASE_CONNECT, FAKE_START_NS, 281 * MS},
                   {PHASE_LOGIN, FAKE_START_NS + 281 * MS, 1200 * MS},
                   {PHASE_SLOW_START, FAKE_START_NS + 2 * S, 1500 * MS},
                   {PHASE_BULK, FAKE_START_NS + 4 * S, 298400 * MS}},
    };
    *v = (struct verdict){
        .cause_id = 1, .cause = "receive_window", .share_pct = 98.2, .confidence = CONFIDENCE_HIGH,
        .headline = "the client's receive window",
        .text = "It allows 24,820 bytes (17 x MSS 1460) in flight; with 281 ms round trip that is "
                "88.5 kB/s at most. Measured 87.7 kB/s.",
        .ruled_out_count = 2, .ruled_out = {NOTE_LOSS, NOTE_SENDER},
        .unknown_count = 2, .unknown = {NOTE_LINK_RATE, NOTE_ONE_WAY_DELAY},
        .evidence_count = 3,
        .evidence = {{2, FAKE_START_NS + 281 * MS, FACT_NO_WINDOW_SCALE,
                      "the SYN-ACK has no window scale option"},
                     {60, NS_UNKNOWN, FACT_LARGEST_WINDOW, "the largest window: 24,820 bytes"},
                     {70, FAKE_START_NS + 5 * S, FACT_WINDOW_FULL,
                      "window full in 1,061 of 1,066 rounds"}},
        .advice_count = 1,
        .advice = {{ACTOR_CLIENT, ADVICE_RECEIVE_BUFFER, 262144, 934000, 31.2}},
        .bound_count = 2,
        .bounds = {{"window_over_rtt", 88453, true}, {"ceiling:disk", 18e6, false}},
        .what_if_count = 1, .what_ifs = {{"larger_window", 934000, 31.2, "slow_start"}},
        /* R x rate: 0.2806 s x 20 Mbit/s = 701,500 bytes */
        .efficiency_count = 1, .efficiencies = {{2.5e6, 24820 / 701500.0, 701500}},
    };
}

/* A put that the client resets at two thirds; its name is hostile. */
static void fill_reset(struct analyzer *a)
{
    struct transfer_result *t = &a->transfers[1];

    *t = (struct transfer_result){
        .id = 2, .protocol = "ftp", .verb = "STOR", .name = HOSTILE_NAME, .direction = C2S,
        .flow_id = FAKE_RESET, .control_flow_id = FAKE_CONTROL, .session_id = 1,
        .bytes = 10000000, .expected_bytes = 15000000, .complete_known = true,
        .ended_by = ENDED_BY_CLIENT, .final_reply = 426, .start_ns = FAKE_START_NS + 310 * S,
        .duration_ns = 20 * S, .goodput_bytes_per_s = 500000,
    };
    t->verdict = (struct verdict){
        .cause_id = 36, .cause = "aborted_by_client", .share_pct = -1,
        .confidence = CONFIDENCE_MEDIUM,
        .headline = "the client stopped the transfer before its end",
        .text = "10,000,000 bytes had been delivered of 15,000,000, 20.0 s after the start.",
        .second_cause_id = 1, .second_cause = "receive_window", .second_share_pct = 31,
        .advice_count = 1,
        .advice = {{ACTOR_CLIENT, ADVICE_CLIENT_LOG, BYTES_UNKNOWN, -1, -1}},
    };
}

/* A bulk transfer of which nothing but its bytes is known: no cause, no time, no flow. */
static void fill_unknown(struct analyzer *a)
{
    a->transfers[2] = (struct transfer_result){
        .id = 3, .protocol = "bulk", .direction = C2S, .flow_id = FAKE_UNKNOWN, .bytes = 5000,
        .expected_bytes = BYTES_UNKNOWN, .start_ns = NS_UNKNOWN, .duration_ns = NS_UNKNOWN,
        .goodput_bytes_per_s = -1,
        .verdict = {.cause = "unknown", .share_pct = -1,
                    .headline = "Not known what it waited for"},
    };
}

static void fill_session(struct analyzer *a)
{
    static const uint64_t flow_ids[] = {FAKE_GET, FAKE_RESET}, transfer_ids[] = {1, 2};
    static const struct command_result commands[] = {
        {FAKE_START_NS + S, 10, false, "USER alice"},
        {FAKE_START_NS + 2 * S, 11, true, "331 Password for alice"},
    };

    a->sessions[0] = (struct session_result){
        .id = 1, .protocol = "ftp", .client = a->flows[0].client, .server = a->flows[0].server,
        .control_flow_id = FAKE_CONTROL, .user = "alice", .turns = 12, .turns_per_s = 0.5,
        .turn_bytes_mean = 31, .rtt_share_pct = -1, .think_ns = 40 * MS,
        .start_ns = FAKE_START_NS, .end_ns = FAKE_START_NS + 330 * S, .flow_count = 2,
        .transfer_count = 2, .command_count = 2, .flow_ids = flow_ids,
        .transfer_ids = transfer_ids, .commands = commands, .phase_count = 1,
        .phases = {{PHASE_LOGIN, FAKE_START_NS, 1200 * MS}},
    };
    a->session_count = 1;
}

void fake_open(struct fake *fake)
{
    struct analyzer *a = &fake->analysis;

    memset(fake, 0, sizeof *fake);
    fake_flows_fill(a->flows);
    a->flow_kinds = a->flow_count = FAKE_SHORT;
    fill_get(a);
    fill_reset(a);
    fill_unknown(a);
    a->transfer_kinds = a->transfer_count = 3;
    fill_session(a);
    a->events[0] = (struct event_result){FAKE_START_NS + 3 * S, 99, FAKE_RESET, EVENT_ZERO_WINDOW,
                                         C2S, 0};
    a->event_count = 1;
    a->counts = (struct analysis_counts){.segments = 41000, .flows = 5, .transfers = 3,
                                         .sessions = 1, .data_bytes = 36219400,
                                         .first_ns = FAKE_START_NS,
                                         .last_ns = FAKE_START_NS + 330 * S};
    fake->files[0] = (struct capture_file){.name = "ftp.pcapng", .format = "pcapng",
                                           .link_types = {captured_links[0]},
                                           .link_type_count = 1, .snaplen_bytes = 128,
                                           .packets = 41022};
    fake->capture = (struct capture_info){
        .files = fake->files, .file_count = 1, .tool_version = "0.1.0", .packets = 41022,
        .tcp_segments = 41000, .captured_bytes = 3000000, .wire_bytes = 28000000,
        .drops_known = true, .skips = {{"not_ip", 20}, {"not_tcp", 2}, {"cut", 0}},
        .skip_count = 3, .first_ns = FAKE_START_NS, .last_ns = FAKE_START_NS + 330 * S};
    fake->input = (struct report_input){a, &fake->capture, &fake->options};
}

void fake_keep_transfers(struct fake *fake, size_t count)
{
    fake->analysis.transfer_count = count;
    fake->analysis.session_count = 0;
}

char *fake_report(const struct fake *fake, const char *format)
{
    const struct report_format *f = report_format_find(format);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int result;

    assert(f != NULL && out != NULL);
    result = f->write(&fake->input, out);
    fclose(out);
    assert(result == 0);
    (void)result;
    return text;
}

struct analyzer *analyzer_new(const struct analyzer_options *options)
{
    (void)options;
    return calloc(1, sizeof(struct analyzer));
}

void analyzer_feed(struct analyzer *a, const struct segment *segments, size_t count)
{
    (void)segments;
    a->counts.segments += count;
}

void analyzer_notice(struct analyzer *a, const struct notice *notice)
{
    (void)a;
    (void)notice;
}

void analyzer_set_drops(struct analyzer *a, uint64_t drops)
{
    (void)a;
    (void)drops;
}

void analyzer_finish(struct analyzer *a)
{
    (void)a;
}

const struct analysis_counts *analyzer_counts(const struct analyzer *a)
{
    return &a->counts;
}

uint64_t analyzer_flow_count(const struct analyzer *a)
{
    return a->flow_count;
}

bool analyzer_flow(const struct analyzer *a, uint64_t id, struct flow_result *out)
{
    *out = a->flows[(id - 1) % a->flow_kinds];
    out->id = id;
    return true;
}

size_t analyzer_transfer_count(const struct analyzer *a)
{
    return a->transfer_count;
}

const struct transfer_result *analyzer_transfer(const struct analyzer *a, size_t index)
{
    return &a->transfers[index % a->transfer_kinds];
}

size_t analyzer_session_count(const struct analyzer *a)
{
    return a->session_count;
}

const struct session_result *analyzer_session(const struct analyzer *a, size_t index)
{
    return &a->sessions[index];
}

size_t analyzer_event_count(const struct analyzer *a)
{
    return a->event_count;
}

const struct event_result *analyzer_event(const struct analyzer *a, size_t index)
{
    return &a->events[index];
}

void analyzer_free(struct analyzer *a)
{
    free(a);
}
