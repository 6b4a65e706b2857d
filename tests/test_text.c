/* needs: tests/fake_analysis.c tests/fake_flows.c */
/* The text report: the answer comes first, lines keep to 80 columns, no hostile byte passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/cause/note_codes.h"
#include "report/advice.h"
#include "report/text_out.h"
#include "tests/fake_analysis.h"
#include "tests/fake_flows.h"

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

static void check_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static void check_lacks(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("\"%s\" in:\n%s", part, text);
}

/* All lines but those of a table whose ends stand behind it. */
static void check_width(char *text)
{
    char *line;

    while ((line = strsep(&text, "\n")) != NULL)
        if (text_columns(line) > TEXT_WIDTH && strstr(line, " > ") == NULL)
            fail_msg("%d columns: %s", text_columns(line), line);
}

static void one_transfer_is_answered_in_the_first_lines(void **state)
{
    static const char expected[] =
        "ftp.pcapng: 41,022 packets, 330.0 s, 1 transfer, 0 dropped, capture usable\n"
        "1  FTP get run0412.db  198.51.100.20 > 192.0.2.10   26,214,400 bytes in 303.2 s\n"
        "   86.5 kB/s (0.692 Mbit/s)                                      confidence high\n"
        "   Why: the client's receive window (98.2 % of the time). It allows 24,820 bytes\n"
        "   (17 x MSS 1460) in flight; with 281 ms round trip that is 88.5 kB/s at most.\n"
        "   Measured 87.7 kB/s.\n"
        "   Try: on the client, a receive buffer of at least 262,144 bytes: at best\n"
        "   31.2 s at 934 kB/s.\n"
        "   Time: bulk 98.4 %, slow start 0.5 %, login 0.4 %, connect 0.1 %.\n"
        "   Bulk waited for: # receive window 98.2 %, = loss recovery 1.1 %, - slow start\n"
        "   0.5 %, + nothing to send 0.2 %.\n"
        "   [########################################################################=-+]\n"
        "   Measured, and possible at most:\n"
        "     measured                     87.7 kB/s  ######\n"
        "     window each round trip       88.5 kB/s  ######  it held\n"
        "     ceiling:disk                 18.0 MB/s  #######################>\n"
        "   What if, at best:\n"
        "     a larger window       934 kB/s     31.2 s  then slow start all the way\n"
        "   Not the cause: packet loss, the sending program, its disk or buffer.\n"
        "   Not known: the rate of the path (give it with --link), which way the delay\n"
        "   is.\n"
        "   Evidence: frame 2: the SYN-ACK has no window scale option; frame 60: the\n"
        "   largest window: 24,820 bytes.\n"
        "   More: -v; every packet behind it: --evidence.\n";
    struct fake *fake = *state;
    char *text;

    fake_keep_transfers(fake, 1);
    text = fake_report(fake, "text");
    assert_memory_equal(text, expected, strlen(expected));
    check_lacks(text, "Settings:");
    check_lacks(text, "Phases of");
    check_width(text);
    free(text);
}

static void more_is_asked_for(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->options.only_flow = FAKE_GET;
    text = fake_report(fake, "text");
    check_contains(text, "   Phases of 303.2 s:\n");
    check_contains(text, "One capture measures round trips");
    check_lacks(text, "More: -v");
    check_width(text);
    free(text);
    fake->options.only_flow = 0;
    fake->options.verbose = true;
    text = fake_report(fake, "text");
    check_contains(text, "Phases of");
    check_width(text);
    free(text);
}

static void the_window_and_its_path_are_described(void **state)
{
    struct fake *fake = *state;
    struct direction_result *d = &fake->analysis.flows[FAKE_GET - 1].dir[S2C];
    char *text;

    fake_sawtooth(d);
    fake_keep_transfers(fake, 1);
    text = fake_report(fake, "text"); /* held by the receiver's window alone */
    check_lacks(text, "Congestion window:");
    free(text);
    d->limit_ns[LIMIT_CWND] = d->elapsed_ns / 2;
    text = fake_report(fake, "text");
    check_contains(text,
                   "   Congestion window: sawtooth: 23 cycles of 2.20 s (15 round trips), 48 ->\n"
                   "   24 segments, beta 0.50; a queue before all 24 falls: Reno.\n"
                   "   Path: round trip 100 ms empty, 190 ms under load: a queue of 90.0 ms, which\n"
                   "   this transfer filled itself; bottleneck 1.50 MB/s, used to 94.0 %.\n");
    check_width(text);
    free(text);
    fake->options.verbose = true;
    text = fake_report(fake, "text");
    check_contains(text, "(estimate by the flight at departure): 14,600 at first,\n");
    check_contains(text, "25 falls by loss, 1 taken back.");
    check_contains(text, "one fall in 719 segments.");
    check_width(text);
    free(text);
    d->cwnd.oscillation.cycles = 1; /* no sawtooth yet */
    d->cwnd.family = CWND_LOSS_BASED;
    text = fake_report(fake, "text");
    check_contains(text, "Congestion window: 10 segments at first, 66 segments at most; 25 falls");
    free(text);
    d->cwnd.paced = true;
    d->cwnd.pacing_bytes_per_s = 1500000;
    d->cwnd.family = CWND_BBR;
    text = fake_report(fake, "text");
    check_contains(text, "packets leave at a rate of their own, 1.50 MB/s: BBR.\n");
    free(text);
}

static void silences_are_listed(void **state)
{
    struct fake *fake = *state;
    struct wait_facts *w = &fake->analysis.flows[FAKE_GET - 1].dir[S2C].waits;
    char *text;

    w->stalls_seen = 12;
    w->stall_count = 4;
    w->stalls[0] = (struct stall){FAKE_START_NS, INT64_C(1200000000), 500, 501, LIMIT_RTO, 0};
    w->stalls[1] = (struct stall){FAKE_START_NS, INT64_C(900000000), 600, 601, LIMIT_APP, 0};
    w->stalls[2] = w->stalls[3] = w->stalls[1];
    fake_keep_transfers(fake, 1);
    text = fake_report(fake, "text");
    check_contains(text, "   Silences of more than two round trips: 12; longest 1.20 s (retransmission\n"
                         "   time-out, to frame 501), 900 ms (nothing to send, to frame 601), 900 ms\n"
                         "   (nothing to send, to frame 601).\n");
    check_width(text);
    free(text);
}

/* A share too small for a column has one all the same, and one limit alone needs no bar. */
static void the_bar_shows_each_share(void **state)
{
    struct fake *fake = *state;
    struct direction_result *d = &fake->analysis.flows[FAKE_GET - 1].dir[S2C];
    char *text;

    memset(d->limit_ns, 0, sizeof d->limit_ns);
    d->limit_ns[LIMIT_APP] = d->elapsed_ns;
    fake_keep_transfers(fake, 1);
    text = fake_report(fake, "text");
    check_contains(text, "Bulk waited for: nothing to send 100 %.\n   Measured");
    free(text);
    d->limit_ns[LIMIT_APP] = d->elapsed_ns - d->elapsed_ns / 1000;
    d->limit_ns[LIMIT_NAGLE] = d->elapsed_ns / 1000;
    text = fake_report(fake, "text");
    check_contains(text, "##########=]\n");
    free(text);
}

static void evidence_lists_frames_and_settings(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake_keep_transfers(fake, 1);
    fake->options.evidence = true;
    text = fake_report(fake, "text");
    check_contains(text, "     frame 2, at 281 ms: the SYN-ACK has no window scale option\n"
                         "       -Y frame.number==2  tcp.flags.syn tcp.options.wscale.shift\n");
    check_contains(text, "     frame 60: the largest window: 24,820 bytes\n");
    check_contains(text, "   Figures, and where each is seen:\n"
                         "     W  receiver's largest window     24,820 bytes  tcp.window_size\n");
    check_contains(text, "     G  measured: B / T                  87.7 kB/s\n");
    check_contains(text, "     =  W / R                            88.5 kB/s\n");
    check_contains(text, "     20.0 Mbit/s          3.5 %           701,500 bytes\n");
    check_contains(text, "net.ipv4.tcp_rmem");
    check_width(text);
    free(text);
}

static void many_transfers_are_a_table_and_the_worst(void **state)
{
    char *text = fake_report(*state, "text");

    check_contains(text, "3 transfers");
    check_contains(text, "id  transfer ");
    check_contains(text, "receive_window     98.2 %  198.51.100.20 > 192.0.2.10\n");
    check_contains(text, "10,000,000 of 15,000,000 bytes in 20.0 s\n");
    check_contains(text, "not complete: stopped by the client\n");
    check_contains(text, "   Also: the receiver's window (receive_window, 31.0 % of the time).\n");
    check_contains(text, "rate not known");
    check_contains(text, "1 other connection with little data\n");
    check_lacks(text, "-0");
    check_lacks(text, "9223372036854775808");
    check_width(text);
    free(text);
}

static void hostile_names_do_not_reach_the_terminal(void **state)
{
    char *text = fake_report(*state, "text");

    check_contains(text, "FTP put a\\x1b[2Jb\\xe2\\x80\\xaegpj\\xff\\x5cx41.exe");
    for (const char *c = text; *c != '\0'; c++)
        assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
    free(text);
}

static void same_ends_are_said_once(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->analysis.transfers[1] = fake->analysis.transfers[0];
    fake->analysis.transfers[1].id = 2;
    fake_keep_transfers(fake, 2);
    text = fake_report(fake, "text");
    check_contains(text, "All from 198.51.100.20 > 192.0.2.10:\n");
    check_lacks(text, "from > to");
    check_width(text);
    free(text);
}

static void long_lists_are_cut_unless_verbose(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->analysis.transfer_count = 1284;
    text = fake_report(fake, "text");
    check_contains(text, "... and 1,234 more (use -v or -T csv)\n");
    free(text);
    fake->options.verbose = true;
    text = fake_report(fake, "text");
    check_lacks(text, "more (use -v");
    free(text);
}

static void the_worst_are_not_the_healthy(void **state)
{
    struct fake *fake = *state;
    struct transfer_result *t = fake->analysis.transfers;
    char *text, *first;

    t[0].verdict.cause = "healthy"; /* the longest */
    text = fake_report(fake, "text");
    first = strstr(text, "\n\n");
    assert_non_null(first);
    assert_int_equal(first[2], '2');
    free(text);
}

static void no_transfer_lists_the_connections(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake_keep_transfers(fake, 0);
    text = fake_report(fake, "text");
    check_contains(text, "No transfer: no connection carried bulk data.\n");
    check_contains(text, "5 other connections with little data:\n");
    check_contains(text, "192.0.2.10:40001 > [2001:db8::1]:443  syn_only");
    check_width(text);
    free(text);
}

static void nothing_at_all_is_no_fault(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->analysis.flow_count = 0;
    fake->capture.file_count = 0;
    fake->capture.first_ns = fake->capture.last_ns = NS_UNKNOWN;
    fake_keep_transfers(fake, 0);
    text = fake_report(fake, "text");
    check_contains(text, "0 transfers");
    check_contains(text, "No transfer");
    free(text);
}

static void one_flow_is_shown_alone(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->options.only_flow = FAKE_SHORT;
    text = fake_report(fake, "text");
    check_contains(text, "[2001:db8::1]:443");
    check_contains(text, "Data of the client:");
    check_lacks(text, "run0412");
    free(text);
    fake->options.only_flow = 17;
    text = fake_report(fake, "text");
    check_contains(text, "There is no connection 17: they are numbered 1 to 5.");
    free(text);
}

static void a_match_restricts_the_report(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->options.match = "run0412 window";
    text = fake_report(fake, "text");
    check_contains(text, "1  FTP get run0412.db");
    check_lacks(text, "FTP put");
    free(text);
    fake->options.match = "nobody";
    text = fake_report(fake, "text");
    check_contains(text, "No transfer matches.");
    free(text);
}

static void capture_faults_stand_at_the_end(void **state)
{
    struct fake *fake = *state;
    char *text, *last;

    fake->capture.dropped_kernel = 312;
    text = fake_report(fake, "text");
    check_contains(text, "312 dropped, capture degraded\n");
    last = strstr(text, "Capture: 312 packets were dropped while capturing: confidence lowered.");
    assert_non_null(last);
    assert_int_equal(text_columns(strrchr(last, '\n')), 1);
    free(text);
    fake->capture.drops_known = false; /* most files do not say */
    text = fake_report(fake, "text");
    check_lacks(text, "dropped");
    free(text);
}

static void a_mask_hides_all(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->options.mask = fake->options.evidence = fake->options.verbose = true;
    text = fake_report(fake, "text");
    check_lacks(text, "192.0.2.10");
    check_lacks(text, "198.51.100");
    check_lacks(text, "alice");
    check_lacks(text, "run0412");
    check_contains(text, "FTP get file-1  host-");
    check_contains(text, "user user-1");
    free(text);
}

static void rates_may_be_in_bits(void **state)
{
    struct fake *fake = *state;
    char *text;

    fake->options.bits = true;
    fake_keep_transfers(fake, 1);
    text = fake_report(fake, "text");
    check_contains(text, "   0.692 Mbit/s (86.5 kB/s)");
    free(text);
}

static void advice_without_figures_stays_whole(void **state)
{
    const struct advice buffer = {ACTOR_SERVER, ADVICE_RECEIVE_BUFFER, BYTES_UNKNOWN, -1, -1};
    const struct advice strange = {ACTOR_NETWORK, "new_word", BYTES_UNKNOWN, -1, 5};
    char *text = advice_sentence(&buffer, true, false);

    (void)state;
    assert_string_equal(text, "on the server, a larger receive buffer");
    free(text);
    text = advice_sentence(&strange, true, false);
    assert_string_equal(text, "network: new_word: at best 5.00 s");
    free(text);
    assert_null(advice_settings(&strange));
}

static void check_wrapped(const char *given, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    text_paragraph(out, 2, 4, "%s", given);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void paragraphs_hang_and_keep_units_with_numbers(void **state)
{
    (void)state;
    check_wrapped("", "  \n");
    check_wrapped("one  two", "  one  two\n");
    /* 78 columns are left of 80: "98.2 %" does not fit whole */
    check_wrapped("123456789 123456789 123456789 123456789 123456789 123456789 123456789 a "
                  "98.2 %, end",
                  "  123456789 123456789 123456789 123456789 123456789 123456789 123456789 a\n"
                  "    98.2 %, end\n");
    /* a word wider than the line stands alone */
    check_wrapped("a /abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi b",
                  "  a\n"
                  "    /abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi/abcdefghi\n"
                  "    b\n");
}

#define FAKE_TEST(f) cmocka_unit_test_setup_teardown(f, open_fake, close_fake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(one_transfer_is_answered_in_the_first_lines),
        FAKE_TEST(more_is_asked_for),
        FAKE_TEST(the_window_and_its_path_are_described),
        FAKE_TEST(silences_are_listed),
        FAKE_TEST(the_bar_shows_each_share),
        FAKE_TEST(evidence_lists_frames_and_settings),
        FAKE_TEST(many_transfers_are_a_table_and_the_worst),
        FAKE_TEST(hostile_names_do_not_reach_the_terminal),
        FAKE_TEST(same_ends_are_said_once),
        FAKE_TEST(long_lists_are_cut_unless_verbose),
        FAKE_TEST(the_worst_are_not_the_healthy),
        FAKE_TEST(no_transfer_lists_the_connections),
        FAKE_TEST(nothing_at_all_is_no_fault),
        FAKE_TEST(one_flow_is_shown_alone),
        FAKE_TEST(a_match_restricts_the_report),
        FAKE_TEST(capture_faults_stand_at_the_end),
        FAKE_TEST(a_mask_hides_all),
        FAKE_TEST(rates_may_be_in_bits),
        cmocka_unit_test(advice_without_figures_stays_whole),
        cmocka_unit_test(paragraphs_hang_and_keep_units_with_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
