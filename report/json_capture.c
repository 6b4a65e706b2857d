/* capture and health. */
#include "report/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/capture_health.h"
#include "report/json_value.h"
#include "report/notes.h"

/* ISO 8601 in UTC with nanoseconds; every int64_t of nanoseconds has a year of four digits. */
static void put_time(json_t *out, const char *key, int64_t time_ns)
{
    const int64_t rest_ns = time_ns % 1000000000; /* below 0 before 1970 */
    const time_t seconds = (time_t)(time_ns / 1000000000 - (rest_ns < 0));
    char day[32], text[64];
    struct tm utc;

    if (time_ns == NS_UNKNOWN || gmtime_r(&seconds, &utc) == NULL ||
        strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &utc) == 0) {
        json_put_null(out, key);
        return;
    }
    snprintf(text, sizeof text, "%s.%09dZ", day,
             (int)(rest_ns < 0 ? rest_ns + 1000000000 : rest_ns));
    json_put_word(out, key, text);
}

static void append_link_types(json_t *types, const struct capture_file *file)
{
    for (int i = 0; i < file->link_type_count && i < CAPTURE_LINK_TYPES_MAX; i++) {
        size_t seen = 0;

        while (seen < json_array_size(types) &&
               strcmp(json_string_value(json_array_get(types, seen)), file->link_types[i]) != 0)
            seen++;
        if (seen == json_array_size(types))
            json_array_append_new(types, json_text(file->link_types[i]));
    }
}

static json_t *file_object(const struct capture_file *file)
{
    json_t *out = json_object(), *types = json_array();

    append_link_types(types, file);
    json_put_text(out, "source", file->name);
    json_put_word(out, "format", file->format);
    json_put_word(out, "compression", file->compression);
    json_put(out, "link_types", types);
    json_put_id(out, "snaplen_bytes", file->snaplen_bytes);
    json_put_count(out, "packets", file->packets);
    json_put_bool(out, "truncated", file->truncated);
    json_put_text(out, "warning", file->warning);
    return out;
}

static bool is_same_word(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* What the files have in common; "mixed" where they differ. */
static void put_common(json_t *out, const struct capture_info *c)
{
    const char *format = c->file_count > 0 ? c->files[0].format : NULL;
    const char *compression = c->file_count > 0 ? c->files[0].compression : NULL;
    json_t *types = json_array();
    uint32_t snaplen_bytes = 0;

    for (int i = 0; i < c->file_count; i++) {
        if (!is_same_word(format, c->files[i].format))
            format = "mixed";
        if (!is_same_word(compression, c->files[i].compression))
            compression = "mixed";
        if (c->files[i].snaplen_bytes > snaplen_bytes)
            snaplen_bytes = c->files[i].snaplen_bytes;
        append_link_types(types, &c->files[i]);
    }
    json_put_word(out, "format", format);
    json_put_word(out, "compression", compression);
    json_put(out, "link_types", types);
    json_put_id(out, "snaplen_bytes", snaplen_bytes);
}

json_t *json_capture(const struct view *view)
{
    const struct capture_info *c = view->capture;
    char *source = capture_source(c);
    json_t *out = json_object(), *files = json_array();

    json_put_text(out, "source", source);
    put_common(out, c);
    json_put_count(out, "packets", c->packets);
    json_put_count(out, "tcp_segments", c->tcp_segments);
    json_put_count(out, "captured_bytes", c->captured_bytes);
    json_put_count(out, "wire_bytes", c->wire_bytes);
    put_time(out, "first", c->first_ns);
    json_put_seconds(out, "duration_s", capture_duration_ns(c));
    json_put_bool(out, "truncated", capture_is_truncated(c));
    /* a filter names hosts: with --mask it is not shown */
    json_put_text(out, "filter", view->mask != NULL ? NULL : view->options->filter);
    for (int i = 0; i < c->file_count; i++)
        json_array_append_new(files, file_object(&c->files[i]));
    json_put(out, "files", files);
    free(source);
    return out;
}

static json_t *problem_list(const struct health_result *health)
{
    json_t *out = json_array();

    for (int i = 0; i < health->problem_count; i++) {
        const struct health_problem *p = &health->problems[i];
        char *text = notes_health(p->id, p->count);
        json_t *problem = json_object();

        json_put_word(problem, "id", p->id);
        json_put_count(problem, "count", p->count);
        json_put_text(problem, "text", text);
        json_array_append_new(out, problem);
        free(text);
    }
    return out;
}

static json_t *skipped(const struct capture_info *c)
{
    static const char *const promised[] = {"not_ip", "not_tcp", "fragment", "malformed",
                                           "unsupported_link"};
    json_t *out = json_object();

    for (size_t i = 0; i < sizeof promised / sizeof promised[0]; i++)
        json_put_count(out, promised[i], capture_skipped(c, promised[i]));
    for (int i = 0; i < c->skip_count && i < CAPTURE_SKIP_MAX; i++)
        json_put_count(out, c->skips[i].name, c->skips[i].count);
    return out;
}

static void put_packet_counts(json_t *out, const struct capture_info *c)
{
    json_put_count(out, "clock_backward_repaired", c->clock_backward_repaired);
    json_put_ms(out, "clock_backward_max_ms", c->clock_backward_max_ns);
    json_put_count(out, "without_time", c->without_time);
    json_put_count(out, "checksum_bad", c->checksum_bad);
    json_put_count(out, "tcp_fragments", c->tcp_fragments);
    json_put_count(out, "length_from_frame", c->length_from_frame);
    json_put_count(out, "udp", c->udp);
    json_put_count(out, "icmp", c->icmp);
    json_put_count(out, "arp", c->arp);
}

static void put_analysis_counts(json_t *out, const struct analysis_counts *n)
{
    json_put_count(out, "duplicates_mirror", n->duplicate_mirror);
    json_put_count(out, "duplicates_routed", n->duplicate_routed);
    json_put_count(out, "duplicates_vlan", n->duplicate_vlan);
    json_put_count(out, "duplicates_interface", n->duplicate_interface);
    json_put_count(out, "data_bytes", n->data_bytes);
    json_put_count(out, "evicted_flows", n->evicted_flows);
    json_put_count(out, "unfollowed_flows", n->unfollowed_flows);
    json_put_count(out, "transfers_not_listed", n->transfers_not_listed);
    json_put_count(out, "rst_ignored", n->rst_ignored);
    json_put_count(out, "implausible_segments", n->implausible_segments);
    json_put_count(out, "late_segments", n->late_segments);
    json_put_count(out, "icmp_fragmentation_needed", n->icmp_fragmentation_needed);
    json_put_count(out, "icmp_unreachable", n->icmp_unreachable);
    json_put_count(out, "icmp_other", n->icmp_other);
    json_put_count(out, "dns_queries", n->dns_queries);
    json_put_count(out, "dns_answers", n->dns_answers);
    json_put_count(out, "events_dropped", n->events_dropped);
    json_put_count(out, "commands_dropped", n->commands_dropped);
}

json_t *json_health(const struct view *view)
{
    const struct capture_info *c = view->capture;
    const struct analysis_counts *n = analyzer_counts(view->analysis);
    const struct health_result health = capture_health(view);
    json_t *out = json_object();

    json_put_word(out, "verdict", health_verdict_name(health.verdict));
    json_put(out, "problems", problem_list(&health));
    json_put_bytes(out, "dropped_kernel", c->drops_known ? c->dropped_kernel : BYTES_UNKNOWN);
    json_put_bytes(out, "dropped_interface", c->drops_known ? c->dropped_interface : BYTES_UNKNOWN);
    json_put_count(out, "duplicate_frames", n->duplicate_frames);
    json_put_count(out, "clock_backward_steps", c->clock_backward_steps);
    json_put_count(out, "cut_headers", c->cut_headers);
    json_put_count(out, "super_segments", n->super_segments);
    json_put_count(out, "one_way_flows", n->one_way_flows);
    json_put_count(out, "syn_missing_flows", n->syn_missing_flows);
    json_put_count(out, "gap_bytes", n->gap_bytes);
    json_put(out, "skipped", skipped(c));
    put_packet_counts(out, c);
    put_analysis_counts(out, n);
    return out;
}
