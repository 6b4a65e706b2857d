/* Causes behind a slow host: a disk of known rate, a cache that fills, ASCII type; each with a case
 * that is it and with its look-alikes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cases_window.h"

enum { UNKNOWN = 0, RECEIVER_SLOW = 13, STORAGE_CEILING = 15, CACHE_KNEE = 16, ASCII_TYPE = 40 };

static void add_ceiling(struct given *g, const char *label, double bytes_per_s)
{
    struct ceiling *ceiling = &g->options.ceilings[g->options.ceiling_count++];

    strcpy(ceiling->label, label);
    ceiling->bytes_per_s = bytes_per_s;
}

static bool is_ruled_out(const struct verdict *v, const char *note)
{
    for (int i = 0; i < v->ruled_out_count; i++)
        if (strcmp(v->ruled_out[i], note) == 0)
            return true;
    return false;
}

/* 131 kB/s where the disk writes 135: within -10 and +5 %. */
static void storage_ceiling_of_the_receiver(void **state)
{
    struct given g = given_slow_reader(), sender = given_slow_sender();

    (void)state;
    add_ceiling(&g, "fast/write", 11.8e6);
    add_ceiling(&g, "diag/write", 135e3);
    add_ceiling(&g, "eckd/write", 500e3);
    assert_int_equal(given_cause(&g), STORAGE_CEILING);
    assert_string_equal(g.verdict.headline, "the server's disk: the rate is 97 % of the ceiling "
                                            "given for it");
    assert_non_null(strstr(g.verdict.text, "The next ceiling given is 500 kB/s."));
    assert_int_equal(g.verdict.advice[0].who, ACTOR_SERVER);
    assert_true(g.verdict.advice[0].predicted_s > 3 && g.verdict.advice[0].predicted_s < 3.2);
    assert_int_equal(g.verdict.second_cause_id, 0);
    assert_false(is_ruled_out(&g.verdict, "storage_ceilings"));

    add_ceiling(&sender, "disk/read", 130e3);
    assert_int_equal(given_cause(&sender), STORAGE_CEILING);
    assert_int_equal(sender.verdict.advice[0].who, ACTOR_CLIENT);
}

static void storage_ceiling_has_look_alikes(void **state)
{
    struct given above = given_slow_reader(), below = given_slow_reader();
    struct given other_end = given_slow_reader(), network = given_small_window();

    (void)state;
    add_ceiling(&above, "diag/write", 120e3); /* 109 %: it cannot be the limit */
    assert_int_equal(given_cause(&above), RECEIVER_SLOW);
    assert_true(is_ruled_out(&above.verdict, "storage_ceilings"));
    add_ceiling(&below, "eckd/write", 150e3); /* 87 %: not reached */
    assert_int_equal(given_cause(&below), RECEIVER_SLOW);
    assert_true(is_ruled_out(&below.verdict, "storage_ceilings"));
    add_ceiling(&other_end, "disk/read", 131e3); /* the sender's, but the receiver is slow */
    assert_int_equal(given_cause(&other_end), RECEIVER_SLOW);
    add_ceiling(&network, "disk", 87.7e3); /* the same rate by chance: the window explains it */
    assert_int_equal(given_cause(&network), 1);
}

/* Linux on z/VM, a put of 209,715,200 bytes from a PC in 34.3 s: the server's window is below its
 * 65,535 for most of the time.  Of the disks measured there, DIAG on ECKD writes less than the
 * transfer took, ECKD more: neither is its ceiling. */
static void put_to_a_guest_of_zvm(void **state)
{
    struct given g = given_transfer(209715200, 34300, 1);
    struct direction_result *d = given_data(&g);

    (void)state;
    given_window(&g, 65535);
    d->rtt.min_ns = d->rtt.p50_ns = 400000;
    d->zero_window_episodes = 300;
    d->rwnd_min_bytes = 0;
    d->moves.sink = (struct moves_sink){300, 280, 30000 * MS, 20000 * MS, 300 * MS, 500, 501};
    given_share(&g, LIMIT_ZERO_WINDOW, 60);
    given_share(&g, LIMIT_RWND, 25);
    add_ceiling(&g, "diag/write", 3592 * 1024.0);
    add_ceiling(&g, "eckd/write", 11521 * 1024.0);
    assert_int_equal(given_cause(&g), RECEIVER_SLOW);
    assert_true(is_ruled_out(&g.verdict, "storage_ceilings"));
    assert_non_null(strstr(g.verdict.text, "Measured 6.11 MB/s; kept open, the window allows 164 "
                                           "MB/s."));
}

/* 1 GB at 80 MB/s into a page cache, the rest at 30 MB/s with the window shut. */
static struct given given_knee(bool receiver)
{
    struct given g = given_transfer(3000000000, 79500, 40);
    struct direction_result *d = given_data(&g);

    given_window(&g, 4 << 20);
    d->moves.knee = (struct moves_knee){
        .before_bytes = 1000000000, .at_ns = 12500 * MS, .before_bytes_per_s = 80e6,
        .after_bytes_per_s = 29.9e6, .before_spread = 0.05, .after_spread = 0.08,
        .before_closed = receiver ? 0.02 : 0, .after_closed = receiver ? 0.95 : 0,
        .before_app = receiver ? 0 : 0.05, .after_app = receiver ? 0 : 0.9, .frame = 800000,
    };
    if (receiver) {
        d->moves.sink = (struct moves_sink){.sunk_ns = 66000 * MS, .episodes = 50,
                                            .late_openings = 50};
        given_share(&g, LIMIT_ZERO_WINDOW, 80);
    } else {
        given_share(&g, LIMIT_APP, 78);
    }
    return g;
}

static void cache_knee_at_either_end(void **state)
{
    struct given receiver = given_knee(true), sender = given_knee(false);

    (void)state;
    assert_int_equal(given_cause(&receiver), CACHE_KNEE);
    assert_string_equal(receiver.verdict.headline, "the server's disk: fast while a cache took the "
                                                   "data, slow after that");
    assert_non_null(strstr(receiver.verdict.text, "The first 1,000,000,000 bytes went at 80.0 MB/s, "
                                                  "in 12.5 s; the rest at 29.9 MB/s."));
    assert_int_equal(receiver.verdict.evidence[0].frame, 800000);
    assert_int_equal(receiver.verdict.second_cause_id, 0);
    assert_int_equal(given_cause(&sender), CACHE_KNEE);
    assert_non_null(strstr(sender.verdict.headline, "the client's disk"));
    assert_int_equal(sender.verdict.advice[0].who, ACTOR_CLIENT);
}

static void cache_knee_has_look_alikes(void **state)
{
    struct given policer = given_knee(true), buffer = given_knee(true), slight = given_knee(true);
    struct given always = given_knee(true), ragged = given_knee(true);

    (void)state;
    given_data(&policer)->moves.knee.after_repair = 0.3; /* losses since the knee */
    assert_int_equal(given_cause(&policer), RECEIVER_SLOW);
    given_data(&buffer)->moves.knee.before_bytes = 6 << 20; /* the socket buffer took that */
    assert_int_equal(given_cause(&buffer), RECEIVER_SLOW);
    given_data(&slight)->moves.knee.after_bytes_per_s = 60e6;
    assert_int_equal(given_cause(&slight), RECEIVER_SLOW);
    given_data(&always)->moves.knee.before_closed = 0.9; /* it was as shut before */
    assert_int_equal(given_cause(&always), RECEIVER_SLOW);
    given_data(&ragged)->moves.knee.after_spread = 0.8;
    assert_int_equal(given_cause(&ragged), RECEIVER_SLOW);
}

/* A put in TYPE A: 1,536,000 bytes on the wire for a file of 1,500,000, the server reading slowly. */
static void ascii_type_and_look_alikes(void **state)
{
    struct given g = given_slow_reader(), binary, same, list, network = given_small_window();

    (void)state;
    g.transfer.ascii_type = true;
    g.transfer.expected_bytes = 1500000;
    binary = same = list = g;
    assert_int_equal(given_cause(&g), ASCII_TYPE);
    assert_string_equal(g.verdict.headline, "the work of FTP's ASCII type on the server");
    assert_non_null(strstr(g.verdict.text, "1,536,000 bytes passed for a file of 1,500,000"));
    assert_string_equal(g.verdict.advice[0].change, "binary_type");
    assert_int_equal(g.verdict.second_cause_id, RECEIVER_SLOW);

    binary.transfer.ascii_type = false;
    assert_int_equal(given_cause(&binary), RECEIVER_SLOW);
    same.transfer.expected_bytes = same.transfer.bytes; /* nothing was converted: only beside it */
    assert_int_equal(given_cause(&same), RECEIVER_SLOW);
    assert_int_equal(same.verdict.second_cause_id, ASCII_TYPE);
    list.transfer.verb = "LIST"; /* always ASCII (RFC 959 section 4.1.3) */
    assert_int_equal(given_cause(&list), RECEIVER_SLOW);
    network.transfer.ascii_type = true; /* the hosts are not the limit */
    network.transfer.expected_bytes = 26000000;
    assert_int_equal(given_cause(&network), 1);
    assert_int_equal(network.verdict.second_cause_id, UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storage_ceiling_of_the_receiver),
        cmocka_unit_test(storage_ceiling_has_look_alikes),
        cmocka_unit_test(put_to_a_guest_of_zvm),
        cmocka_unit_test(cache_knee_at_either_end),
        cmocka_unit_test(cache_knee_has_look_alikes),
        cmocka_unit_test(ascii_type_and_look_alikes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
