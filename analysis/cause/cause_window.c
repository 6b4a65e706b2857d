/* Causes 1 and 2: the receiver's window is smaller than the path needs, and why it cannot be
 * larger.  Both rest on the same arithmetic: W bytes in flight each round trip R is W/R at most. */
#include "analysis/cause/case_window.h"

#include "analysis/cause/cause.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
#define SHARE_OVERWHELMING_PCT 80
#define ZERO_WINDOW_SMALL_PCT 5
#define MEAN_WINDOW_STEADY 0.7
#define ROUNDS_ENOUGH 20

/* A window that moves far below its maximum tells of a slow reader, or of autotuning. */
static bool window_is_steady(const struct case_file *c)
{
    return c->data->rwnd_mean_bytes != BYTES_UNKNOWN &&
           (double)c->data->rwnd_mean_bytes >=
               MEAN_WINDOW_STEADY * (double)case_window_bytes(c);
}

/* Another cause explains the same time better: what lies unread, a buffer that shrank or grew, a
 * window that is not what it seems. */
static bool is_told_by_another(const struct case_file *c)
{
    return case_window_is_unread(c) || case_window_is_exceeded(c) ||
           cause_few_segments_find(c).may_lead || cause_autotuning_find(c).may_lead ||
           cause_autotuning_shut_off_find(c).may_lead || cause_window_shrink_find(c).may_lead ||
           cause_scaling_stripped_find(c).may_lead;
}

static struct finding window_find(const struct case_file *c)
{
    const double share_pct = c->share_pct[LIMIT_RWND];
    const bool overwhelming = share_pct >= SHARE_OVERWHELMING_PCT;
    struct finding f = {.share_pct = share_pct};
    bool agrees;
    int signs;

    if (share_pct < SHARE_SECOND_PCT || c->share_pct[LIMIT_ZERO_WINDOW] > ZERO_WINDOW_SMALL_PCT ||
        !case_window_arithmetic_holds(c))
        return f;
    agrees = case_window_rate_agrees(c);
    signs = overwhelming + (agrees && c->data->window_scale_source != SCALE_AT_LEAST) +
            case_both_syns_seen(c) + (c->data->rounds >= ROUNDS_ENOUGH);
    f.found = true;
    f.may_lead = agrees || (overwhelming && window_is_steady(c));
    f.confidence = case_confidence(c, signs, FAULT_ANY);
    return f;
}

struct finding cause_receive_window_find(const struct case_file *c)
{
    if ((case_window_scaling_is_refused(c) && case_window_is_at_16_bits(c)) ||
        is_told_by_another(c))
        return (struct finding){.share_pct = -1};
    return window_find(c);
}

struct finding cause_no_window_scaling_find(const struct case_file *c)
{
    if (!case_window_scaling_is_refused(c) || !case_window_is_at_16_bits(c) ||
        case_window_is_unread(c) || case_window_is_exceeded(c))
        return (struct finding){.share_pct = -1};
    return window_find(c);
}

void cause_receive_window_explain(const struct case_file *c, struct verdict *v)
{
    verdict_set_headline(v, "the %s's receive window", case_actor_word(case_receiver(c)));
    case_window_append_arithmetic(c, v);
    case_window_add_evidence(c, v);
    case_window_add_syns(c, v);
    case_window_advise(c, false, v);
}

void cause_no_window_scaling_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *dir = c->flow->dir;
    const bool client_lacks = !dir[C2S].syn_has_wind_shift;
    const bool server_lacks = !dir[S2C].syn_has_wind_shift;
    const char *receiver = case_actor_word(case_receiver(c));

    if (client_lacks && server_lacks)
        verdict_set_headline(v, "the %s's receive window, held to 64 KB: neither end offers window "
                                "scaling", receiver);
    else
        verdict_set_headline(v, "the %s's receive window, held to 64 KB: the %s does not offer "
                                "window scaling", receiver,
                             case_actor_word(case_end(c, client_lacks ? C2S : S2C)));
    case_window_append_arithmetic(c, v);
    verdict_append_text(v, " Above 65,535 bytes a window needs the scale option in both SYNs.");
    if (client_lacks && server_lacks)
        verdict_append_text(v, " The server may offer it only when the client's SYN does.");
    case_window_add_syns(c, v);
    case_window_add_evidence(c, v);
    case_window_advise(c, true, v);
}
