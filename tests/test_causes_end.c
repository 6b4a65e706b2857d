/* Causes 36, 37 and 61: who stopped a transfer, and captures that tell nothing; with look-alikes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases.h"

enum { UNKNOWN = 0, RECEIVE_WINDOW = 1, ABORTED_BY_CLIENT = 36, ABORTED_BY_SERVER = 37,
       CAPTURE_UNFIT = 61 };

static void aborted_by_client_or_server(void **state)
{
    struct given client = given_abort(), server = given_abort(), brief = given_abort();
    struct given whole = given_abort(), no_one = given_abort(), unknown = given_abort();

    (void)state;
    assert_int_equal(given_cause(&client), ABORTED_BY_CLIENT);
    assert_string_equal(client.verdict.headline, "the client stopped the transfer before its end");
    assert_non_null(strstr(client.verdict.text, "10,000,000,000 bytes had been delivered of "
                                                "25,580,260,992"));
    assert_non_null(strstr(client.verdict.text, "The first sign is an ABOR command, frame 7000."));
    assert_int_equal(client.verdict.confidence, CONFIDENCE_HIGH);
    assert_true(client.verdict.share_pct < 0);

    server.transfer.ended_by = ENDED_BY_SERVER;
    server.transfer.final_reply = 451;
    server.transfer.final_reply_frame = 7005;
    server.flow.dir[S2C].rst = true;
    server.flow.dir[S2C].rst_frame = 7004;
    given_data(&server)->zero_window_ns = 40000 * MS;
    assert_int_equal(given_cause(&server), ABORTED_BY_SERVER);
    assert_non_null(strstr(server.verdict.text, "a reset (RST), frame 7004"));
    assert_non_null(strstr(server.verdict.text, "reply was 451"));
    assert_non_null(strstr(server.verdict.text, "window was closed for 40.0 s"));
    assert_string_equal(server.verdict.advice[0].change, "server_log");

    brief.transfer.bytes = given_data(&brief)->bytes = 5000; /* leads even when short */
    assert_int_equal(given_cause(&brief), ABORTED_BY_CLIENT);
    whole.transfer.bytes = whole.transfer.expected_bytes; /* all of it came: not stopped short */
    assert_int_equal(given_cause(&whole), UNKNOWN);
    no_one.transfer.ended_by = ENDED_UNKNOWN;
    assert_int_equal(given_cause(&no_one), UNKNOWN);
    unknown.transfer.complete_known = false; /* the capture ends before the transfer */
    assert_int_equal(given_cause(&unknown), UNKNOWN);
}

/* The control connection alone shows the abort. */
static void aborted_without_a_data_connection(void **state)
{
    struct given g = given_abort();

    (void)state;
    causes_judge(&g.transfer, NULL, NULL, &g.verdict);
    assert_int_equal(g.verdict.cause_id, ABORTED_BY_CLIENT);
    g.transfer.ended_by = ENDED_UNKNOWN;
    causes_judge(&g.transfer, NULL, NULL, &g.verdict);
    assert_int_equal(g.verdict.cause_id, UNKNOWN);
    assert_string_equal(g.verdict.headline,
                        "The data connection of this transfer is not in the capture");
}

static void capture_unfit_and_real_loss(void **state)
{
    struct given one_way = given_small_window(), gaps = given_small_window();
    struct given few_gaps = given_small_window(), unclear = given_transfer(26214400, 298900, 280);
    struct given unfollowed = given_small_window(), loss = given_transfer(26214400, 298900, 280);

    (void)state;
    one_way.flow.one_way = true;
    assert_int_equal(given_cause(&one_way), CAPTURE_UNFIT);
    assert_string_equal(one_way.verdict.advice[0].change, "recapture");
    assert_int_equal(one_way.verdict.bound_count, 0);
    given_data(&gaps)->gap_bytes = 1500000; /* 5.4 % */
    assert_int_equal(given_cause(&gaps), CAPTURE_UNFIT);
    assert_int_equal(gaps.verdict.bound_count, 0);
    assert_int_equal(gaps.verdict.what_if_count, 0);
    given_data(&few_gaps)->gap_bytes = 100000; /* 0.4 %, and the window explains the rest */
    assert_int_equal(given_cause(&few_gaps), RECEIVE_WINDOW);
    given_data(&unclear)->gap_bytes = 100000; /* 0.4 %, and nothing is clear */
    given_share(&unclear, LIMIT_CWND, 40);
    assert_int_equal(given_cause(&unclear), CAPTURE_UNFIT);
    assert_true(unclear.verdict.bound_count > 0); /* 0.4 % changes no bound */
    given_data(&unfollowed)->limits_followed = false;
    assert_int_equal(given_cause(&unfollowed), CAPTURE_UNFIT);

    /* lost by the network: retransmitted, so there is no gap */
    given_data(&loss)->retransmitted_segments = 900;
    given_data(&loss)->loss_events = 400;
    given_share(&loss, LIMIT_RECOVERY, 45);
    given_share(&loss, LIMIT_CWND, 45);
    assert_int_equal(given_cause(&loss), UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aborted_by_client_or_server),
        cmocka_unit_test(aborted_without_a_data_connection),
        cmocka_unit_test(capture_unfit_and_real_loss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
