#include "capture/live.h"

#include <inttypes.h>
#include <net/if.h>
#include <pcap.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/device.h"
#include "capture/dlt.h"
#include "capture/privileges.h"
#include "xmalloc.h"

#define WAIT_MS 100
/* Kernel and program share blocks of packets; a block goes out when it is full or this old. */
#define BLOCK_TIMEOUT_MS 50
/* A wake-up without packets must not become a busy loop. */
#define PAUSE_MS 10
#define STATISTICS_MS 100
#define SNAPLEN_DEFAULT 128
#define BUFFER_KIB_DEFAULT (64 << 10)

/* What stands before each packet's bytes in the input's buffer. */
struct live_record {
    int64_t time_ns;
    uint32_t captured_bytes, wire_bytes;
};

struct live {
    pcap_t *pcap;
    int link_type;
    int snaplen;
    bool nanoseconds;
    int64_t statistics_due_ms;
    int64_t drained_ms;         /* after a fault: when nothing more can come; 0 = no fault */
    uint32_t kernel_drops, interface_drops; /* libpcap's counters, which wrap */
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Append one packet to the input's buffer; live_fill has made sure that it fits. */
static void store_packet(u_char *user, const struct pcap_pkthdr *header, const u_char *bytes)
{
    struct input *input = (struct input *)(void *)user;
    const struct live *live = input->state;
    struct buffer *buffer = &input->buffer;
    int64_t fraction_ns = header->ts.tv_usec * (live->nanoseconds ? 1 : 1000);
    struct live_record record = {
        .time_ns = (int64_t)header->ts.tv_sec * 1000000000 + fraction_ns,
        .captured_bytes = header->caplen,
        .wire_bytes = header->len > header->caplen ? header->len : header->caplen,
    };

    memcpy(buffer->bytes + buffer->tail, &record, sizeof record);
    memcpy(buffer->bytes + buffer->tail + sizeof record, bytes, header->caplen);
    buffer->tail += sizeof record + header->caplen;
}

/* Add what libpcap's counters grew by; they wrap at 2^32. */
static void note_statistics(struct input *input)
{
    struct live *live = input->state;
    struct source_facts *facts = &input->facts;
    struct pcap_stat stat;
    int64_t now = now_ms();

    if (now < live->statistics_due_ms || pcap_stats(live->pcap, &stat) != 0)
        return;
    live->statistics_due_ms = now + STATISTICS_MS;
    facts->drops_known = true;
    facts->dropped_kernel += stat.ps_drop - live->kernel_drops;
    facts->dropped_interface += stat.ps_ifdrop - live->interface_drops;
    live->kernel_drops = stat.ps_drop;
    live->interface_drops = stat.ps_ifdrop;
}

/* True when the device is there; "any" and devices that are no interfaces always are. */
static bool device_exists(const struct input *input)
{
    return if_nametoindex(input->name) != 0 || strcmp(input->name, "any") == 0 ||
           strchr(input->name, ':') != NULL;
}

static long note_fault(struct input *input, const char *fault)
{
    snprintf(input->facts.warning, sizeof input->facts.warning,
             "%.100s: %.200s after %" PRIu64 " packets. The report covers what came before.",
             input->title, fault, input->frames);
    return INPUT_FAILED;
}

/* After a fault the kernel still hands over its last block when the block's time is up. */
static bool drained(struct live *live)
{
    if (live->drained_ms == 0)
        live->drained_ms = now_ms() + 3 * BLOCK_TIMEOUT_MS;
    return now_ms() >= live->drained_ms;
}

/* Wait for packets by an own timer: libpcap's time-out does not end a wait on a silent device. */
static long live_fill(struct input *input)
{
    struct live *live = input->state;
    struct buffer *buffer = &input->buffer;
    struct pollfd waited = {.fd = pcap_get_selectable_fd(live->pcap), .events = POLLIN};
    size_t packet_max = sizeof(struct live_record) + (size_t)live->snaplen;
    size_t tail = buffer->tail;

    int ready = poll(&waited, 1, WAIT_MS);
    int count = pcap_dispatch(live->pcap, (int)(buffer_space(buffer) / packet_max), store_packet,
                              (u_char *)(void *)input);
    note_statistics(input);
    if (buffer->tail > tail)
        return (long)(buffer->tail - tail);
    bool failed = count < 0 && count != PCAP_ERROR_BREAK, gone = !device_exists(input);
    if ((failed || gone) && drained(live))
        return note_fault(input, gone ? "the device has disappeared" : pcap_geterr(live->pcap));
    if (ready > 0)
        poll(NULL, 0, PAUSE_MS);
    return INPUT_IDLE;
}

static int live_parse(struct input *input, struct packet *out, int max)
{
    const struct live *live = input->state;
    struct buffer *buffer = &input->buffer;
    int count = 0;

    input->need_bytes = 0;
    for (; count < max && buffer_unparsed(buffer) > 0; count++) {
        struct live_record record;

        memcpy(&record, buffer->bytes + buffer->head, sizeof record);
        out[count] = (struct packet){
            .data = buffer->bytes + buffer->head + sizeof record,
            .time_ns = record.time_ns,
            .frame = ++input->frames,
            .captured_bytes = record.captured_bytes,
            .wire_bytes = record.wire_bytes,
            .link_type = live->link_type,
            .source = input->number,
        };
        buffer->head += sizeof record + record.captured_bytes;
    }
    return count;
}

static void live_close(struct input *input)
{
    struct live *live = input->state;

    pcap_close(live->pcap);
    free(live);
}

static const struct input_ops live_ops = {live_fill, live_parse, live_close};

struct input *live_open(const char *device, const struct source_options *opt,
                        char error[SOURCE_ERROR_MAX], bool *usage_error)
{
    static const struct source_options defaults = {.link_type = -1};
    struct source_options o = opt != NULL ? *opt : defaults;

    o.snaplen_bytes = o.snaplen_bytes > 0 ? o.snaplen_bytes : SNAPLEN_DEFAULT;
    o.buffer_kib = o.buffer_kib > 0 ? o.buffer_kib : BUFFER_KIB_DEFAULT;
    pcap_t *pcap = device_open(device, &o, BLOCK_TIMEOUT_MS, error, usage_error);
    if (pcap == NULL)
        return NULL;
    if (!privileges_drop(o.drop_to_user, error, SOURCE_ERROR_MAX)) {
        pcap_close(pcap);
        return NULL;
    }
    struct live *live = xcalloc(1, sizeof *live);
    live->pcap = pcap;
    live->link_type = link_type_from_dlt(pcap_datalink(pcap));
    live->snaplen = pcap_snapshot(pcap);
    live->nanoseconds = pcap_get_tstamp_precision(pcap) == PCAP_TSTAMP_PRECISION_NANO;
    struct input *input = input_new(&live_ops, live, device);
    input->facts.format = "live";
    input->facts.snaplen_bytes = (uint32_t)live->snaplen;
    input_add_link_type(input, live->link_type);
    return input;
}
