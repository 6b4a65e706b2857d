/* needs: tests/fake_analysis.c tests/fake_flows.c */
/* The JSON document and its lines: every promised key, null for unknown, exact sums. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <jansson.h>

#include "tests/fake_analysis.h"
#include "tests/fake_flows.h"

/* A fixture holds the fake and the document made of it. */
static int open_fake(void **state)
{
    struct fake *fake = malloc(sizeof *fake);

    fake_open(fake);
    *state = fake;
    return 0;
}

static int close_fake(void **state)
{
    free(*state);
    return 0;
}

static json_t *document(const struct fake *fake)
{
    char *text = fake_report(fake, "json");
    json_error_t error;
    json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &error);

    if (doc == NULL)
        fail_msg("%s at line %d", error.text, error.line);
    free(text);
    return doc;
}

/* Value below doc by keys joined by dots; a number is an index. */
static json_t *at(json_t *doc, const char *path)
{
    char copy[128], *rest = copy;
    json_t *value = doc;

    strncpy(copy, path, sizeof copy - 1);
    copy[sizeof copy - 1] = '\0';
    for (char *key = strsep(&rest, "."); key != NULL; key = strsep(&rest, "."))
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key))
                                     : json_object_get(value, key);
    if (value == NULL)
        fail_msg("no %s", path);
    return value;
}

/* Object's keys in their order are exactly these, separated by blanks. */
static void check_keys(json_t *object, const char *keys)
{
    char all[2048] = "";
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        strncat(all, all[0] != '\0' ? " " : "", sizeof all - strlen(all) - 1);
        strncat(all, key, sizeof all - strlen(all) - 1);
    }
    assert_string_equal(all, keys);
}

#define LIMIT_KEYS                                                                                 \
    "handshake turn think app send_buffer slow_start cwnd link recovery rto rwnd zero_window "     \
    "nagle unknown"

static void keys_stand_in_the_promised_order(void **state)
{
    json_t *doc = document(*state);

    check_keys(doc, "schema schema_version tool_version capture health flows sessions transfers "
                    "events");
    check_keys(at(doc, "capture"),
               "source format compression link_types snaplen_bytes packets tcp_segments "
               "captured_bytes wire_bytes first duration_s truncated filter files");
    check_keys(at(doc, "flows.1.s2c.limits_s"), LIMIT_KEYS);
    check_keys(at(doc, "transfers.0.limits_pct"), LIMIT_KEYS);
    check_keys(at(doc, "transfers.0.verdict"),
               "cause cause_id share_pct confidence headline text second_cause second_share_pct "
               "ruled_out unknown");
    check_keys(at(doc, "sessions.0"),
               "id protocol client server flow_ids control_flow_id user start_s duration_s turns "
               "think_s phases transfer_ids page_bytes");
    json_decref(doc);
}

static void the_capture_is_described(void **state)
{
    json_t *doc = document(*state);

    assert_string_equal(json_string_value(at(doc, "capture.source")), "ftp.pcapng");
    /* FAKE_START_NS */
    assert_string_equal(json_string_value(at(doc, "capture.first")),
                        "2023-11-14T22:13:20.123456789Z");
    assert_true(json_real_value(at(doc, "capture.duration_s")) == 330.0);
    assert_true(json_is_null(at(doc, "capture.compression")));
    assert_int_equal(json_integer_value(at(doc, "health.skipped.not_ip")), 20);
    assert_int_equal(json_integer_value(at(doc, "health.skipped.unsupported_link")), 0);
    assert_string_equal(json_string_value(at(doc, "health.verdict")), "good");
    json_decref(doc);
}

static void several_files_are_joined(void **state)
{
    struct fake *fake = *state;
    json_t *doc;

    fake->files[1] = fake->files[0];
    fake->files[1].name = "b.pcap";
    fake->files[1].format = "pcap";
    fake->files[1].truncated = true;
    fake->capture.file_count = 2;
    fake->capture.drops_known = false;
    doc = document(fake);
    assert_string_equal(json_string_value(at(doc, "capture.source")), "ftp.pcapng, b.pcap");
    assert_string_equal(json_string_value(at(doc, "capture.format")), "mixed");
    assert_int_equal(json_array_size(at(doc, "capture.link_types")), 1);
    assert_int_equal(json_array_size(at(doc, "capture.files")), 2);
    assert_true(json_is_true(at(doc, "capture.truncated")));
    assert_true(json_is_null(at(doc, "health.dropped_kernel")));
    assert_string_equal(json_string_value(at(doc, "health.verdict")), "degraded");
    assert_string_equal(json_string_value(at(doc, "health.problems.0.id")), "truncated");
    json_decref(doc);
}

static void limits_sum_to_the_elapsed_time(void **state)
{
    struct fake *fake = *state;
    struct direction_result *d = &fake->analysis.flows[FAKE_GET - 1].dir[S2C];
    const char *key;
    json_t *doc, *value;
    double sum = 0;

    /* eleven days less one nanosecond: 15 digits */
    d->limit_ns[LIMIT_RWND] += INT64_C(949999999999999) - d->elapsed_ns;
    d->elapsed_ns = INT64_C(949999999999999);
    doc = document(fake);
    json_object_foreach(at(doc, "flows.1.s2c.limits_s"), key, value)
        sum += json_real_value(value);
    assert_true(fabs(sum - json_real_value(at(doc, "flows.1.s2c.elapsed_s"))) < 1e-9);
    assert_true(json_real_value(at(doc, "flows.1.s2c.elapsed_s")) == 949999.999999999);
    json_decref(doc);
}

static void shares_of_the_transfer_sum_to_100(void **state)
{
    json_t *doc = document(*state), *value;
    const char *key;
    double sum = 0;

    json_object_foreach(at(doc, "transfers.0.limits_pct"), key, value)
        sum += json_real_value(value);
    assert_true(fabs(sum - 100) < 0.01);
    assert_true(json_real_value(at(doc, "transfers.0.limits_pct.rwnd")) == 98.201);
    json_decref(doc);
}

static void changes_are_foreseen(void **state)
{
    json_t *doc = document(*state);

    assert_string_equal(json_string_value(at(doc, "transfers.0.what_if.0.change")), "larger_window");
    assert_true(json_real_value(at(doc, "transfers.0.what_if.0.predicted_s")) == 31.2);
    assert_string_equal(json_string_value(at(doc, "transfers.0.what_if.0.next_bound")),
                        "slow_start");
    json_decref(doc);
}

static void a_window_is_held_against_links(void **state)
{
    json_t *doc = document(*state);

    assert_true(json_real_value(at(doc, "transfers.0.window_efficiency.0.link_bytes_per_s")) ==
                2.5e6);
    assert_true(json_real_value(at(doc, "transfers.0.window_efficiency.0.share_pct")) == 3.538);
    assert_true(json_real_value(at(doc, "transfers.0.window_efficiency.0.needed_window_bytes")) ==
                701500);
    assert_int_equal(json_array_size(at(doc, "transfers.2.window_efficiency")), 0);
    json_decref(doc);
}

static void unknown_is_null(void **state)
{
    static const char *const paths[] = {
        "flows.3.handshake_rtt_ms",     "flows.3.vantage.client_leg_ms",
        "flows.3.c2s.rtt_ms.min",       "flows.3.c2s.rwnd_bytes.max",
        "flows.3.c2s.window_scale",     "flows.3.c2s.mss_option",
        "flows.3.c2s.flight_bytes.max", "flows.3.c2s.cwnd_bytes.max",
        "flows.3.c2s.oscillation.beta", "flows.3.c2s.congestion_control.confidence",
        "flows.3.c2s.oscillation.cycles", "flows.3.c2s.oscillation.falls",
        "flows.3.c2s.cwnd_bytes.source", "flows.3.c2s.congestion_control.paced",
        "flows.3.c2s.decreases.loss",   "flows.3.c2s.decreases.undone",
        "flows.3.c2s.idle_rtt_ms",      "flows.3.c2s.loaded_rtt_ms.p50",
        "flows.3.c2s.queue_ms.p95",     "flows.3.c2s.capacity_bytes_per_s",
        "flows.3.c2s.utilisation_pct",  "flows.3.c2s.congestion",
        "flows.3.session_id",           "transfers.2.start_s",
        "transfers.2.duration_s",       "transfers.2.goodput_bytes_per_s",
        "transfers.2.expected_bytes",   "transfers.2.complete",
        "transfers.2.ended_by",         "transfers.2.verb",
        "transfers.2.name",             "transfers.2.verdict.cause_id",
        "transfers.2.verdict.share_pct", "transfers.2.limits_pct.rwnd",
        "transfers.0.evidence.1.time_s", "transfers.1.advice.0.value_bytes",
        "transfers.1.advice.0.predicted_s", "sessions.0.turns.rtt_share_pct",
    };
    json_t *doc = document(*state);

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (!json_is_null(at(doc, paths[i])))
            fail_msg("%s is not null", paths[i]);
    assert_string_equal(json_string_value(at(doc, "transfers.2.verdict.cause")), "unknown");
    json_decref(doc);
}

/* A window field without a scale is not a number of bytes, whatever the analysis left there. */
static void no_window_in_bytes_without_its_scale(void **state)
{
    struct fake *fake = *state;
    json_t *doc;

    fake->analysis.flows[FAKE_GET - 1].dir[S2C].window_scale_source = SCALE_UNKNOWN;
    doc = document(fake);
    assert_true(json_is_null(at(doc, "flows.1.s2c.rwnd_bytes.max")));
    json_decref(doc);
}

static void hostile_names_are_escaped(void **state)
{
    json_t *doc = document(*state);
    char *text = fake_report(*state, "json");

    /* the byte that is not UTF-8 and the forged escape; what is valid stays a character */
    assert_string_equal(json_string_value(at(doc, "transfers.1.name")),
                        "a\033[2Jb\xe2\x80\xae" "gpj\\xff\\x5cx41.exe");
    assert_null(strchr(text, '\033'));
    assert_null(strstr(text, "\xe2\x80\xae"));
    assert_non_null(strstr(text, "a\\u001B[2Jb\\u202Egpj\\\\xff"));
    free(text);
    json_decref(doc);
}

static void a_mask_hides_names_and_addresses(void **state)
{
    struct fake *fake = *state;
    char *text;
    json_t *doc;

    fake->options.mask = fake->options.evidence = true;
    fake->options.filter = "host 192.0.2.10";
    text = fake_report(fake, "json");
    doc = document(fake);
    assert_null(strstr(text, "192.0.2.10"));
    assert_null(strstr(text, "198.51.100.20"));
    assert_null(strstr(text, "alice"));
    assert_null(strstr(text, "run0412"));
    assert_string_equal(json_string_value(at(doc, "flows.0.client.addr")), "host-1");
    assert_string_equal(json_string_value(at(doc, "flows.1.client.addr")), "host-1");
    assert_string_equal(json_string_value(at(doc, "flows.4.server.addr")), "host-3");
    assert_string_equal(json_string_value(at(doc, "sessions.0.user")), "user-1");
    assert_string_equal(json_string_value(at(doc, "sessions.0.commands.0.text")), "USER ****");
    assert_string_equal(json_string_value(at(doc, "sessions.0.commands.1.text")), "331 ****");
    assert_string_equal(json_string_value(at(doc, "transfers.0.name")), "file-1");
    json_decref(doc);
    free(text);
}

static void numbers_that_are_none_do_not_appear(void **state)
{
    struct fake *fake = *state;
    struct transfer_result *t = &fake->analysis.transfers[0];
    json_t *doc;

    t->goodput_bytes_per_s = NAN;
    t->verdict.share_pct = 250;
    t->verdict.bounds[0].bytes_per_s = INFINITY;
    t->verdict.advice[0].predicted_s = -0.0;
    doc = document(fake);
    assert_true(json_is_null(at(doc, "transfers.0.goodput_bytes_per_s")));
    assert_true(json_real_value(at(doc, "transfers.0.verdict.share_pct")) == 100);
    assert_true(json_is_null(at(doc, "transfers.0.bounds.0.bytes_per_s")));
    assert_false(signbit(json_real_value(at(doc, "transfers.0.advice.0.predicted_s"))));
    json_decref(doc);
}

static void only_what_is_asked_for_is_listed(void **state)
{
    struct fake *fake = *state;
    json_t *doc;

    fake->options.only_flow = FAKE_GET;
    doc = document(fake);
    assert_int_equal(json_array_size(at(doc, "flows")), 1);
    assert_int_equal(json_array_size(at(doc, "transfers")), 1);
    assert_int_equal(json_integer_value(at(doc, "transfers.0.id")), 1);
    json_decref(doc);

    fake->options.only_flow = 0;
    fake->options.match = "ABORTED 192.0.2.10";
    doc = document(fake);
    assert_int_equal(json_array_size(at(doc, "flows")), 1);
    assert_int_equal(json_integer_value(at(doc, "transfers.0.id")), 2);
    json_decref(doc);

    fake->options.match = "ftp nobody";
    doc = document(fake);
    assert_int_equal(json_array_size(at(doc, "flows")), 0);
    assert_int_equal(json_array_size(at(doc, "transfers")), 0);
    assert_int_equal(json_array_size(at(doc, "sessions")), 0);
    json_decref(doc);

    fake->options.match = NULL;
    fake->options.only_flow = 1000;
    doc = document(fake);
    assert_int_equal(json_array_size(at(doc, "flows")), 0);
    json_decref(doc);
}

static void series_and_events_appear_on_demand(void **state)
{
    static const struct series_bucket buckets[] = {
        {.bytes = 1460, .flight_min_bytes = UINT32_MAX, .rwnd_min_bytes = 24820,
         .rtt_min_us = UINT32_MAX, .limit_us = {[LIMIT_RWND] = 900, [LIMIT_APP] = 100}},
        {.flight_min_bytes = 0, .flight_max_bytes = 1460, .rwnd_min_bytes = UINT32_MAX,
         .rtt_min_us = 280600, .rtt_max_us = 281000, .cwnd_bytes = 14600},
    };
    struct fake *fake = *state;
    json_t *doc;

    fake->options.series = fake->options.events = true;
    fake->analysis.flows[FAKE_GET - 1].series[S2C] = (struct series_result){
        .start_ns = FAKE_START_NS + 2000000000, .bucket_ns = 100000000, .count = 2,
        .buckets = buckets};
    doc = document(fake);
    assert_true(json_real_value(at(doc, "flows.1.s2c.series.bucket_s")) == 0.1);
    assert_true(json_real_value(at(doc, "flows.1.s2c.series.rows.1.0")) == 2.1);
    assert_true(json_is_null(at(doc, "flows.1.s2c.series.rows.0.2")));
    assert_true(json_is_null(at(doc, "flows.1.s2c.series.rows.0.3")));
    assert_string_equal(json_string_value(at(doc, "flows.1.s2c.series.rows.0.9")), "rwnd");
    assert_true(json_is_null(at(doc, "flows.1.s2c.series.rows.1.9")));
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.series.rows.1.2")), 0);
    assert_true(json_is_null(at(doc, "flows.0.s2c.series")));
    assert_string_equal(json_string_value(at(doc, "events.0.kind")), "zero_window");
    assert_string_equal(json_string_value(at(doc, "events.0.text")),
                        "the receiver's window closes (server)");
    json_decref(doc);
}

static void the_window_and_its_path_are_described(void **state)
{
    static const struct cwnd_row rows[] = {
        {FAKE_START_NS + 2000000000, 14600, 14600, 14600, BYTES_UNKNOWN, CWND_SLOW_START},
        {FAKE_START_NS + 3000000000, 33580, 35040, 36500, 35040, CWND_RECOVERY},
    };
    struct fake *fake = *state;
    struct flow_result *f = &fake->analysis.flows[FAKE_GET - 1];
    json_t *doc;

    fake_sawtooth(&f->dir[S2C]);
    f->cwnd_series[S2C] = (struct cwnd_series){2, rows};
    fake->options.series = true;
    doc = document(fake);
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.cwnd_bytes.ssthresh")), 35040);
    assert_string_equal(json_string_value(at(doc, "flows.1.s2c.cwnd_bytes.source")), "flight");
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.oscillation.cycles")), 23);
    assert_true(json_real_value(at(doc, "flows.1.s2c.oscillation.period_s")) == 2.2);
    assert_true(json_real_value(at(doc, "flows.1.s2c.oscillation.beta")) == 0.5);
    assert_true(json_real_value(at(doc, "flows.1.s2c.oscillation.loss_rate")) == 0.00139);
    assert_string_equal(json_string_value(at(doc, "flows.1.s2c.congestion_control.family")),
                        "reno");
    assert_string_equal(json_string_value(at(doc, "flows.1.s2c.congestion_control.confidence")),
                        "high");
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.decreases.loss")), 25);
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.decreases.timeout")), 0);
    assert_true(json_real_value(at(doc, "flows.1.s2c.queue_ms.p50")) == 90);
    assert_true(json_real_value(at(doc, "flows.1.s2c.utilisation_pct")) == 94);
    assert_string_equal(json_string_value(at(doc, "flows.1.s2c.congestion")), "self");
    assert_true(json_real_value(at(doc, "flows.1.s2c.path_changes.steps.0.to_ms")) == 120);
    assert_true(json_is_null(at(doc, "flows.1.s2c.cwnd_series.rows.0.4")));
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.cwnd_series.rows.1.2")), 35040);
    assert_string_equal(json_string_value(at(doc, "flows.1.s2c.cwnd_series.rows.1.5")),
                        "recovery");
    assert_true(json_is_null(at(doc, "flows.1.c2s.cwnd_series")));
    json_decref(doc);
}

static void stalls_are_listed(void **state)
{
    struct fake *fake = *state;
    struct direction_result *d = &fake->analysis.flows[FAKE_GET - 1].dir[S2C];
    json_t *doc;

    d->limits_followed = true;
    d->waits.stalls_seen = 12;
    d->waits.stall_count = 1;
    d->waits.stalls[0] = (struct stall){FAKE_START_NS + 7 * INT64_C(1000000000),
                                        INT64_C(1200000000), 500, 501, LIMIT_RTO, 0};
    doc = document(fake);
    assert_true(json_real_value(at(doc, "flows.1.s2c.stalls.0.start_s")) == 7);
    assert_true(json_real_value(at(doc, "flows.1.s2c.stalls.0.duration_s")) == 1.2);
    assert_string_equal(json_string_value(at(doc, "flows.1.s2c.stalls.0.limit")), "rto");
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.stalls.0.to_frame")), 501);
    assert_int_equal(json_integer_value(at(doc, "flows.1.s2c.stalls_seen")), 12);
    assert_true(json_is_null(at(doc, "flows.1.c2s.stalls")));
    assert_true(json_is_null(at(doc, "flows.1.c2s.stalls_seen")));
    json_decref(doc);
}

static void each_line_says_its_type_first(void **state)
{
    static const char *const types[] = {"capture",  "health",   "flow",     "flow",
                                        "flow",     "flow",     "flow",     "session",
                                        "transfer", "transfer", "transfer", "event"};
    struct fake *fake = *state;
    char *text, *rest, *line;
    size_t count = 0;

    fake->options.events = true;
    text = rest = fake_report(fake, "jsonl");
    while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
        json_t *object = json_loads(line, 0, NULL);
        char start[40];

        assert_non_null(object);
        assert_true(count < sizeof types / sizeof types[0]);
        snprintf(start, sizeof start, "{\"type\":\"%s\",", types[count++]);
        assert_memory_equal(line, start, strlen(start));
        json_decref(object);
    }
    assert_int_equal(count, sizeof types / sizeof types[0]);
    free(text);
}

static void an_empty_analysis_is_a_document(void **state)
{
    struct fake *fake = *state;
    json_t *doc;

    fake->analysis.flow_count = 0;
    fake->analysis.counts = (struct analysis_counts){.first_ns = NS_UNKNOWN, .last_ns = NS_UNKNOWN};
    fake->capture = (struct capture_info){.tool_version = "0.1.0", .first_ns = NS_UNKNOWN,
                                          .last_ns = NS_UNKNOWN};
    fake->analysis.event_count = 0;
    fake_keep_transfers(fake, 0);
    doc = document(fake);
    assert_int_equal(json_array_size(at(doc, "flows")), 0);
    assert_true(json_is_null(at(doc, "capture.first")));
    assert_true(json_is_null(at(doc, "capture.duration_s")));
    json_decref(doc);
}

#define FAKE_TEST(f) cmocka_unit_test_setup_teardown(f, open_fake, close_fake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(keys_stand_in_the_promised_order),
        FAKE_TEST(the_capture_is_described),
        FAKE_TEST(several_files_are_joined),
        FAKE_TEST(limits_sum_to_the_elapsed_time),
        FAKE_TEST(shares_of_the_transfer_sum_to_100),
        FAKE_TEST(changes_are_foreseen),
        FAKE_TEST(a_window_is_held_against_links),
        FAKE_TEST(unknown_is_null),
        FAKE_TEST(no_window_in_bytes_without_its_scale),
        FAKE_TEST(hostile_names_are_escaped),
        FAKE_TEST(a_mask_hides_names_and_addresses),
        FAKE_TEST(numbers_that_are_none_do_not_appear),
        FAKE_TEST(only_what_is_asked_for_is_listed),
        FAKE_TEST(series_and_events_appear_on_demand),
        FAKE_TEST(the_window_and_its_path_are_described),
        FAKE_TEST(stalls_are_listed),
        FAKE_TEST(each_line_says_its_type_first),
        FAKE_TEST(an_empty_analysis_is_a_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
