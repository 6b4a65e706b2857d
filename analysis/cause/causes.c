#include "analysis/cause/causes.h"

#include <math.h>
#include <stddef.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_LEAD_PCT 50
#define SHARE_SECOND_PCT 25
#define SHARE_SHOWN_PCT 5

/* Every cause that can be named.  The role decides who leads, then the larger share, then the
 * place in this table. */
static const struct cause causes[] = {
    {23, ROLE_EVENT, cause_black_hole_find, cause_black_hole_explain},
    {24, ROLE_EVENT, cause_mtu_mismatch_find, cause_mtu_mismatch_explain},
    {36, ROLE_EVENT, cause_aborted_by_client_find, cause_aborted_explain},
    {37, ROLE_EVENT, cause_aborted_by_server_find, cause_aborted_explain},
    {61, ROLE_GATE, cause_capture_unfit_find, cause_capture_unfit_explain},
    {63, ROLE_GATE, cause_too_short_find, cause_too_short_explain},
    {62, ROLE_STATE, cause_healthy_find, cause_healthy_explain},
    {15, ROLE_SHARE, cause_storage_ceiling_find, cause_storage_ceiling_explain},
    {16, ROLE_SHARE, cause_cache_knee_find, cause_cache_knee_explain},
    {40, ROLE_SHARE, cause_ascii_type_find, cause_ascii_type_explain},
    {3, ROLE_SHARE, cause_scaling_stripped_find, cause_scaling_stripped_explain},
    {22, ROLE_SHARE, cause_silly_window_find, cause_silly_window_explain},
    {57, ROLE_SHARE, cause_window_shrink_find, cause_window_shrink_explain},
    {49, ROLE_SHARE, cause_autotuning_shut_off_find, cause_autotuning_shut_off_explain},
    {13, ROLE_SHARE, cause_receiver_slow_find, cause_receiver_slow_explain},
    {21, ROLE_SHARE, cause_few_segments_find, cause_few_segments_explain},
    {48, ROLE_SHARE, cause_autotuning_find, cause_autotuning_explain},
    {2, ROLE_SHARE, cause_no_window_scaling_find, cause_no_window_scaling_explain},
    {1, ROLE_SHARE, cause_receive_window_find, cause_receive_window_explain},
    {7, ROLE_SHARE, cause_random_loss_find, cause_random_loss_explain},
    {8, ROLE_SHARE, cause_congestion_loss_find, cause_congestion_loss_explain},
    {9, ROLE_SHARE, cause_policer_find, cause_policer_explain},
    {10, ROLE_SHARE, cause_rto_stalls_find, cause_rto_stalls_explain},
    {11, ROLE_SHARE, cause_no_sack_find, cause_no_sack_explain},
    {42, ROLE_SHARE, cause_ack_path_find, cause_ack_path_explain},
    {47, ROLE_SHARE, cause_shared_by_streams_find, cause_shared_by_streams_explain},
    {44, ROLE_SHARE, cause_bufferbloat_find, cause_bufferbloat_explain},
    {12, ROLE_SHARE, cause_link_rate_find, cause_link_rate_explain},
    {5, ROLE_SHARE, cause_application_window_find, cause_application_window_explain},
    {4, ROLE_SHARE, cause_send_buffer_find, cause_send_buffer_explain},
    {51, ROLE_SHARE, cause_crypto_bound_find, cause_crypto_bound_explain},
    {18, ROLE_SHARE, cause_tinygrams_find, cause_tinygrams_explain},
    {19, ROLE_SHARE, cause_write_remainder_find, cause_write_remainder_explain},
    {50, ROLE_SHARE, cause_paced_sender_find, cause_paced_sender_explain},
    {14, ROLE_SHARE, cause_sender_slow_find, cause_sender_slow_explain},
    {17, ROLE_SHARE, cause_nagle_find, cause_nagle_explain},
    {29, ROLE_SHARE, cause_think_time_find, cause_think_time_explain},
    {28, ROLE_SHARE, cause_turn_limited_find, cause_turn_limited_explain},
    {55, ROLE_SHARE, cause_host_bound_find, cause_host_bound_explain},
    {43, ROLE_SHARE, cause_stretch_acks_find, cause_stretch_acks_explain},
    {52, ROLE_SHARE, cause_split_tcp_find, cause_split_tcp_explain},
    {53, ROLE_SHARE, cause_satellite_path_find, cause_satellite_path_explain},
    {6, ROLE_SHARE, cause_cwnd_growth_find, cause_cwnd_growth_explain},
    {26, ROLE_SHARE, cause_idle_restart_find, cause_idle_restart_explain},
    {27, ROLE_SHARE, cause_cwnd_reset_find, cause_cwnd_reset_explain},
    {25, ROLE_SHARE, cause_slow_start_short_find, cause_slow_start_short_explain},
    {41, ROLE_SHARE, cause_duplex_mismatch_find, cause_duplex_mismatch_explain},
    {45, ROLE_SHARE, cause_reordering_find, cause_reordering_explain},
    {46, ROLE_SHARE, cause_spurious_find, cause_spurious_explain},
    {54, ROLE_SHARE, cause_link_layer_find, cause_link_layer_explain},
    {56, ROLE_SHARE, cause_path_change_find, cause_path_change_explain},
    {20, ROLE_SHARE, cause_small_mss_find, cause_small_mss_explain},
};

#define TURN_LIMITED 28
#define THINK_TIME 29
#define CAUSE_COUNT ((int)(sizeof causes / sizeof causes[0]))
#define NO_CAUSE (-1)

/* Stand-ins for what the caller does not have; id 0 says that there is no flow. */
static const struct flow_result no_flow;
static const struct analyzer_options no_options;

static struct case_file case_open(const struct transfer_result *transfer,
                                  const struct flow_result *flow,
                                  const struct analyzer_options *options)
{
    struct case_file c = {
        .transfer = transfer,
        .flow = flow != NULL ? flow : &no_flow,
        .options = options != NULL ? options : &no_options,
    };

    c.data = &c.flow->dir[transfer->direction == S2C ? S2C : C2S];
    for (int i = 0; i < LIMIT_COUNT; i++)
        if (c.data->elapsed_ns > 0 && c.data->limit_ns[i] > 0)
            c.share_pct[i] =
                fmin(100, 100 * ((double)c.data->limit_ns[i] / (double)c.data->elapsed_ns));
    return c;
}

/* What a finding competes with to lead. */
static double lead_pct(const struct finding *f)
{
    return f->lead_pct > 0 ? f->lead_pct : f->share_pct;
}

static bool competes_without_dialogue(int i)
{
    return causes[i].role == ROLE_SHARE && causes[i].id != TURN_LIMITED &&
           causes[i].id != THINK_TIME;
}

/* A dialogue of control turns and then the data in one message (domain: an AMS write): the verdict
 * is about the data, so what is not of the turns competes for the time without them. */
static void leave_out_dialogue(const struct case_file *c, struct finding *findings)
{
    const double dialogue_pct = case_dialogue_pct(c);

    if (!(dialogue_pct > 0))
        return;
    for (int i = 0; i < CAUSE_COUNT; i++)
        if (competes_without_dialogue(i))
            findings[i].lead_pct =
                fmin(100, 100 * lead_pct(&findings[i]) / (100 - dialogue_pct));
}

/* True when finding i goes before the best so far. */
static bool goes_first(const struct finding *findings, int i, int best)
{
    if (best == NO_CAUSE)
        return true;
    if (causes[i].role != causes[best].role)
        return causes[i].role < causes[best].role;
    return causes[i].role == ROLE_SHARE && lead_pct(&findings[i]) > lead_pct(&findings[best]);
}

static int select_lead(const struct finding *findings)
{
    int best = NO_CAUSE;

    for (int i = 0; i < CAUSE_COUNT; i++) {
        const struct finding *f = &findings[i];

        if (!f->found ||
            (causes[i].role == ROLE_SHARE && !(f->may_lead && lead_pct(f) >= SHARE_LEAD_PCT)))
            continue;
        if (goes_first(findings, i, best))
            best = i;
    }
    return best;
}

/* The largest other share of at least 25 %; none beside a verdict that does not rest on shares,
 * but for an aborted transfer, which also had its speed. */
static int select_second(const struct finding *findings, int lead)
{
    int best = NO_CAUSE;

    for (int i = 0; i < CAUSE_COUNT; i++) {
        if (findings[i].found && (causes[i].role == ROLE_GATE || causes[i].role == ROLE_STATE))
            return NO_CAUSE;
        if (i != lead && causes[i].role == ROLE_SHARE && findings[i].found &&
            findings[i].share_pct >= SHARE_SECOND_PCT && goes_first(findings, i, best))
            best = i;
    }
    return best;
}

/* The frames of the limit that took most of the time. */
static void add_longest_wait(const struct case_file *c, struct verdict *v)
{
    const struct limit_span *worst;
    int largest = 0;

    for (int i = 1; i < LIMIT_COUNT; i++)
        if (c->share_pct[i] > c->share_pct[largest])
            largest = i;
    if (!(c->share_pct[largest] > 0))
        return;
    worst = &c->data->worst[largest];
    verdict_add_evidence(v, worst->to_frame, NS_UNKNOWN, FACT_LONGEST_WAIT,
                         "longest stretch, %s: %s, up to here", phrase_limit((enum limit)largest),
                         phrase_span(worst->duration_ns).text);
}

/* No cause is named: the measured shares, and the plain figures. */
static void explain_unknown(const struct case_file *c, struct verdict *v)
{
    const double rtt_s = case_rtt_min_s(c);
    char shares[VERDICT_TEXT_MAX / 2];

    v->share_pct = -1;
    v->confidence = CONFIDENCE_LOW;
    v->cause = "unknown";
    if (!case_has_flow(c)) {
        verdict_set_headline(v, "The data connection of this transfer is not in the capture");
        return;
    }
    phrase_shares(c->share_pct, SHARE_SHOWN_PCT, shares, sizeof shares);
    if (shares[0] == '\0')
        verdict_set_headline(v, "Not known what it waited for");
    else if (c->share_pct[LIMIT_UNKNOWN] >= SHARE_LEAD_PCT)
        verdict_set_headline(v, "Not known what it mostly waited for (%s)", shares);
    else
        verdict_set_headline(v, "Mostly waiting for: %s", shares);
    verdict_append_text(v, "%s bytes in %s, %s", phrase_count(c->data->bytes).text,
                        phrase_span(case_data_span_ns(c)).text,
                        phrase_rate(case_goodput_bytes_per_s(c)).text);
    if (rtt_s > 0)
        verdict_append_text(v, ", round trip %s", phrase_seconds(rtt_s).text);
    verdict_append_text(v, ". No cause that can be named explains half of this time.");
    add_longest_wait(c, v);
}

static void explain_lead(const struct case_file *c, const struct finding *findings, int lead,
                         struct verdict *v)
{
    const int second = select_second(findings, lead);

    v->cause_id = causes[lead].id;
    v->cause = cause_slug(v->cause_id);
    v->share_pct = findings[lead].share_pct;
    v->confidence = findings[lead].confidence;
    causes[lead].explain(c, v);
    if (competes_without_dialogue(lead) && case_dialogue_pct(c) > 0)
        verdict_append_text(v, " Besides, %s went to %s turns of a dialogue, which carried next to "
                               "none of the data.",
                            phrase_span(c->data->waits.turn_ns).text,
                            phrase_count(c->data->waits.turns).text);
    if (second == NO_CAUSE)
        return;
    v->second_cause_id = causes[second].id;
    v->second_cause = cause_slug(v->second_cause_id);
    v->second_share_pct = findings[second].share_pct;
}

void causes_judge(const struct transfer_result *transfer, const struct flow_result *flow,
                  const struct analyzer_options *options, struct verdict *verdict)
{
    const struct case_file c = case_open(transfer, flow, options);
    struct finding findings[CAUSE_COUNT];
    int lead;

    *verdict = (struct verdict){0};
    for (int i = 0; i < CAUSE_COUNT; i++)
        findings[i] = causes[i].find(&c);
    leave_out_dialogue(&c, findings);
    lead = select_lead(findings);
    if (lead == NO_CAUSE)
        explain_unknown(&c, verdict);
    else
        explain_lead(&c, findings, lead, verdict);
    if (!case_has_flow(&c))
        return;
    cause_notes_fill(&c, verdict);
    const struct finding unfit = cause_capture_unfit_find(&c);
    if (unfit.found && unfit.confidence == CONFIDENCE_HIGH)
        return; /* so much is missing that forecasts from the rest are of nothing */
    cause_bounds_fill(&c, verdict);
    cause_what_if_fill(&c, verdict);
}
