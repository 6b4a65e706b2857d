/* needs: tests/fake_analysis.c tests/fake_flows.c */
/* CSV: every row has the header's columns, exact figures, empty fields for unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/fake_analysis.h"

#define ROWS_MAX 8
#define COLUMNS_MAX 80
#define COLUMNS 65

struct sheet {
    char *text; /* cut into fields in place */
    char *fields[ROWS_MAX][COLUMNS_MAX];
    int rows, columns[ROWS_MAX];
};

static void read_sheet(struct sheet *sheet, const struct fake *fake)
{
    char *rest, *line;

    memset(sheet, 0, sizeof *sheet);
    sheet->text = rest = fake_report(fake, "csv");
    while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
        const size_t length = strlen(line);
        char *field;
        int n = 0;

        assert_int_equal(line[length - 1], '\r'); /* RFC 4180 section 2.1 */
        line[length - 1] = '\0';
        assert_true(sheet->rows < ROWS_MAX);
        while ((field = strsep(&line, ",")) != NULL && n < COLUMNS_MAX)
            sheet->fields[sheet->rows][n++] = field;
        sheet->columns[sheet->rows++] = n;
    }
}

static const char *field(const struct sheet *sheet, int row, const char *column)
{
    for (int i = 0; i < sheet->columns[0]; i++)
        if (strcmp(sheet->fields[0][i], column) == 0)
            return sheet->fields[row][i];
    fail_msg("no column %s", column);
    return NULL;
}

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

static void every_row_has_every_column(void **state)
{
    struct sheet sheet;

    read_sheet(&sheet, *state);
    assert_int_equal(sheet.rows, 6);
    assert_int_equal(sheet.columns[0], COLUMNS);
    for (int i = 1; i < sheet.rows; i++)
        assert_int_equal(sheet.columns[i], sheet.columns[0]);
    free(sheet.text);
}

static void figures_are_exact(void **state)
{
    struct sheet sheet;

    read_sheet(&sheet, *state);
    assert_string_equal(field(&sheet, FAKE_GET, "client_addr"), "192.0.2.10");
    assert_string_equal(field(&sheet, FAKE_GET, "server_port"), "50000");
    assert_string_equal(field(&sheet, FAKE_GET, "protocol"), "ftp");
    assert_string_equal(field(&sheet, FAKE_GET, "cause"), "receive_window");
    assert_string_equal(field(&sheet, FAKE_GET, "handshake_rtt_ms"), "280.6");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_bytes"), "26214400");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_elapsed_s"), "298.9");
    /* 26,214,400 / 298.9 = 87,702.9 */
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_goodput_bytes_per_s"), "87703");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_window_scale"), "0");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_rwnd_max_bytes"), "24820");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_largest_limit"), "rwnd");
    assert_string_equal(field(&sheet, FAKE_GET, "cause_share_pct"), "98.2");
    assert_string_equal(field(&sheet, FAKE_GET, "confidence"), "high");
    assert_string_equal(field(&sheet, FAKE_RESET, "second_cause"), "receive_window");
    assert_string_equal(field(&sheet, FAKE_RESET, "cause_share_pct"), "");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_largest_limit_pct"), "98.2");
    assert_string_equal(field(&sheet, FAKE_RESET, "state"), "reset");
    assert_string_equal(field(&sheet, FAKE_RESET, "c2s_rtt_min_ms"), "0.43");
    assert_string_equal(field(&sheet, FAKE_SHORT, "server_addr"), "2001:db8::1");
    free(sheet.text);
}

static void unknown_is_empty(void **state)
{
    static const char *const columns[] = {
        "handshake_rtt_ms", "c2s_goodput_bytes_per_s", "c2s_smss_bytes", "c2s_window_scale",
        "c2s_rtt_min_ms", "c2s_rwnd_max_bytes", "c2s_flight_max_bytes", "c2s_largest_limit",
        "c2s_largest_limit_pct", "c2s_cwnd_mean_bytes", "c2s_cwnd_max_bytes", "c2s_cwnd_cycles",
        "c2s_congestion_control", "c2s_queue_p50_ms", "c2s_capacity_bytes_per_s",
        "cause_share_pct", "second_cause",
    };
    struct sheet sheet;

    read_sheet(&sheet, *state);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        assert_string_equal(field(&sheet, FAKE_UNKNOWN, columns[i]), "");
    assert_string_equal(field(&sheet, FAKE_UNKNOWN, "cause"), "unknown");
    assert_string_equal(field(&sheet, FAKE_SHORT, "cause"), "");
    free(sheet.text);
}

/* The longest that every field can be still fits a row. */
static void largest_values_fit(void **state)
{
    struct fake *fake = *state;
    struct sheet sheet;

    for (int i = 0; i < 2; i++) {
        struct direction_result *d = &fake->analysis.flows[0].dir[i];

        d->packets = d->data_segments = d->bytes = d->gap_bytes = UINT64_MAX;
        d->elapsed_ns = d->zero_window_ns = d->limit_ns[0] = INT64_MAX;
        d->retransmitted_segments = d->loss_events = d->reordered_segments = UINT64_MAX;
        d->rtt.samples = 1;
        d->rtt.min_ns = d->rtt.p50_ns = INT64_MAX;
        d->flight_max_bytes = UINT64_MAX - 1;
        fake_sawtooth(d);
        d->cwnd.mean_bytes = d->cwnd.max_bytes = UINT64_MAX - 1;
        d->cwnd.oscillation.cycles = UINT32_MAX;
        d->path.queue_p50_ns = INT64_MAX;
        d->path.capacity_bytes_per_s = 9.9e17;
    }
    fake->analysis.flow_count = 1;
    read_sheet(&sheet, fake);
    assert_int_equal(sheet.columns[1], COLUMNS);
    assert_string_equal(field(&sheet, 1, "s2c_bytes"), "18446744073709551615");
    assert_string_equal(field(&sheet, 1, "s2c_elapsed_s"), "9223372036.854775807");
    assert_string_equal(field(&sheet, 1, "s2c_largest_limit_pct"), "100");
    free(sheet.text);
}

static void only_what_is_asked_for_and_masked(void **state)
{
    struct fake *fake = *state;
    struct sheet sheet;

    fake->options.only_flow = FAKE_GET;
    fake->options.mask = true;
    read_sheet(&sheet, fake);
    assert_int_equal(sheet.rows, 2);
    assert_string_equal(field(&sheet, 1, "id"), "2");
    assert_string_equal(field(&sheet, 1, "client_addr"), "host-1");
    free(sheet.text);
}

/* More rows than the buffer of 64 KiB holds: none is lost or cut. */
static void rows_survive_the_end_of_the_buffer(void **state)
{
    struct fake *fake = *state;
    size_t lines = 0, columns = 0;
    char *text;

    fake->analysis.flow_count = 5000;
    text = fake_report(fake, "csv");
    for (const char *c = text; *c != '\0'; c++) {
        lines += *c == '\n';
        columns += *c == ',';
    }
    assert_int_equal(lines, 5001);
    assert_int_equal(columns, 5001 * (COLUMNS - 1));
    free(text);
}

static void the_table_of_formats_finds_each(void **state)
{
    (void)state;
    assert_string_equal(report_format_find("csv")->name, "csv");
    assert_null(report_format_find("xml"));
    assert_null(report_format_at(-1));
    assert_string_equal(report_format_at(0)->name, "text");
    assert_null(report_format_at(4));
}

static void a_full_disk_is_an_error(void **state)
{
    struct fake *fake = *state;
    FILE *full = fopen("/dev/full", "w");

    if (full == NULL)
        skip();
    for (int i = 0; report_format_at(i) != NULL; i++)
        assert_int_equal(report_format_at(i)->write(&fake->input, full), -1);
    fclose(full);
}

static void the_window_and_its_path_have_columns(void **state)
{
    struct fake *fake = *state;
    struct sheet sheet;

    fake_sawtooth(&fake->analysis.flows[FAKE_GET - 1].dir[S2C]);
    read_sheet(&sheet, fake);
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_cwnd_mean_bytes"), "52560");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_cwnd_max_bytes"), "96360");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_cwnd_cycles"), "23");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_congestion_control"), "reno");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_queue_p50_ms"), "90");
    assert_string_equal(field(&sheet, FAKE_GET, "s2c_capacity_bytes_per_s"), "1500000");
    free(sheet.text);
}

#define FAKE_TEST(f) cmocka_unit_test_setup_teardown(f, open_fake, close_fake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(every_row_has_every_column),
        FAKE_TEST(the_window_and_its_path_have_columns),
        FAKE_TEST(figures_are_exact),
        FAKE_TEST(unknown_is_empty),
        FAKE_TEST(largest_values_fit),
        FAKE_TEST(only_what_is_asked_for_and_masked),
        FAKE_TEST(rows_survive_the_end_of_the_buffer),
        cmocka_unit_test(the_table_of_formats_finds_each),
        FAKE_TEST(a_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
