#include "info.h"

#include "capture/link_names.h"
#include "version.h"
#include "xmalloc.h"

static void fill_file(struct capture_file *file, const struct source_facts *facts)
{
    *file = (struct capture_file){
        .name = facts->name,
        .format = facts->format,
        .compression = facts->compression,
        .snaplen_bytes = facts->snaplen_bytes,
        .packets = facts->packets,
        .truncated = facts->truncated,
        .warning = facts->warning[0] != '\0' ? facts->warning : NULL,
    };
    for (int i = 0; i < facts->link_type_count && i < CAPTURE_LINK_TYPES_MAX; i++) {
        const char *name = link_type_name(facts->link_types[i]);

        file->link_types[file->link_type_count++] = name != NULL ? name : "unknown";
    }
}

/* Add what one file or device contributes to the sums. */
static void add_facts(struct capture_info *info, const struct source_facts *facts)
{
    info->drops_known = info->drops_known || facts->drops_known;
    info->dropped_kernel += facts->dropped_kernel;
    info->dropped_interface += facts->dropped_interface;
    info->clock_backward_repaired += facts->backward_repaired;
    info->clock_backward_steps += facts->backward_steps;
    if (facts->backward_max_ns > info->clock_backward_max_ns)
        info->clock_backward_max_ns = facts->backward_max_ns;
    info->without_time += facts->without_time;
}

static void add_counts(struct capture_info *info, const struct decode_counts *counts)
{
    info->packets = counts->packets;
    info->tcp_segments = counts->segments;
    info->captured_bytes = counts->captured_bytes;
    info->wire_bytes = counts->wire_bytes;
    info->cut_headers = counts->cut_headers;
    info->checksum_bad = counts->checksum_bad;
    info->tcp_fragments = counts->tcp_fragments;
    info->length_from_frame = counts->length_from_frame;
    info->udp = counts->udp;
    info->icmp = counts->icmp;
    info->arp = counts->arp;
    for (int i = 0; i < SKIP_REASONS && i < CAPTURE_SKIP_MAX; i++) {
        info->skips[i].name = skip_reason_name((enum skip_reason)i);
        info->skips[i].count = counts->skipped[i];
        info->skip_count = i + 1;
    }
}

struct capture_file *info_fill(struct capture_info *info, const struct source *source,
                               const struct run *run)
{
    int count = source_count(source);
    struct capture_file *files = xcalloc((size_t)count, sizeof *files);

    *info = (struct capture_info){
        .files = files,
        .file_count = count,
        .tool_version = TCPWHY_VERSION,
        .first_ns = run->first_ns,
        .last_ns = run->last_ns,
    };
    for (int i = 0; i < count; i++) {
        fill_file(&files[i], source_facts(source, i));
        add_facts(info, source_facts(source, i));
    }
    add_counts(info, &run->counts);
    return files;
}
