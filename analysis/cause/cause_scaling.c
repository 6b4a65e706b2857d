/* Cause 3: a box on the path took the window scale option out of one SYN, or changed it.  One end
 * then shifts its windows and the other does not know. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/case_window.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define SHARE_SECOND_PCT 25
#define SHARE_LEAD_PCT 50
#define SHARE_OVERWHELMING_PCT 80
#define LOST_SHIFT_LEAST 2     /* a factor of two may be a buffer that is shared out */
#define SHIFT_TOLERANCE 0.15   /* the first data opens a window by a few segments */
#define ROUNDS_ENOUGH 20

/* The shift that the windows seem to lack: the one in the receiver's SYN is never scaled (RFC 7323
 * section 2.2), the first one after it is 2^n smaller.  0 = none. */
static int lost_shift(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    const uint64_t first = d->moves.growth.from_bytes;
    double times, shift;

    if (d->window_scale != 0 || d->window_scale_source != SCALE_OPTION || first == 0 ||
        d->rwnd_syn_bytes == BYTES_UNKNOWN)
        return 0;
    times = (double)d->rwnd_syn_bytes / (double)first;
    shift = round(log2(times));
    return shift >= LOST_SHIFT_LEAST && fabs(times / exp2(shift) - 1) <= SHIFT_TOLERANCE
               ? (int)shift
               : 0;
}

/* True when one SYN has the option and the other, as captured, has not. */
static bool one_syn_lacks_it(const struct case_file *c)
{
    const struct direction_result *dir = c->flow->dir;

    return case_both_syns_seen(c) && dir[C2S].syn_has_wind_shift != dir[S2C].syn_has_wind_shift;
}

/* The windows arrive unshifted at a sender that shifts nothing: tiny, and all of the limit. */
static bool windows_look_too_small(const struct case_file *c)
{
    return one_syn_lacks_it(c) && lost_shift(c) > 0;
}

/* Both SYNs have the option here, yet the sender keeps to the bare field, as if it had not come
 * through to it.  A flight near 64 KB may as well be a send buffer of that size. */
static bool sender_ignores_scale(const struct case_file *c)
{
    const struct direction_result *d = c->data;
    const uint64_t flight = d->flight_max_bytes;
    uint64_t field;

    if (d->window_scale_source != SCALE_OPTION || d->window_scale < LOST_SHIFT_LEAST ||
        case_window_bytes(c) == 0 || flight == BYTES_UNKNOWN || d->rounds < ROUNDS_ENOUGH)
        return false;
    if (d->loss_events > 0 || d->flight_mean_bytes == BYTES_UNKNOWN ||
        d->flight_mean_bytes * 10 < flight * 8) /* it should stand there, not pass by */
        return false;
    field = case_window_bytes(c) >> d->window_scale;
    return flight <= field && flight + d->smss > field && field >= 2 * (uint64_t)d->smss &&
           field < UNSCALED_WINDOW_MAX - 2 * (uint64_t)d->smss;
}

struct finding cause_scaling_stripped_find(const struct case_file *c)
{
    const double held_pct = case_window_held_pct(c);
    const double ignored_pct = c->share_pct[LIMIT_SEND_BUFFER] + c->share_pct[LIMIT_CWND];
    struct finding f = {.share_pct = held_pct};

    if (windows_look_too_small(c) && held_pct >= SHARE_SECOND_PCT) {
        f.found = f.may_lead = true;
        f.confidence = case_confidence(c, 2 + (held_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    } else if (sender_ignores_scale(c) && ignored_pct >= SHARE_LEAD_PCT) {
        f.share_pct = ignored_pct;
        f.found = f.may_lead = true;
        f.confidence = case_confidence(c, 1 + (ignored_pct >= SHARE_OVERWHELMING_PCT), FAULT_ANY);
    }
    return f;
}

/* Lost in the SYN that lacks it; who offered is the other end. */
static void explain_too_small(const struct case_file *c, struct verdict *v)
{
    const int shift = lost_shift(c);
    const uint64_t first = c->data->moves.growth.from_bytes;

    verdict_set_headline(v, "window scaling lost on the way: the %s's windows look %s times too "
                            "small",
                         case_actor_word(case_receiver(c)),
                         phrase_count((uint64_t)1 << shift).text);
    verdict_append_text(v, "Its SYN offers %s bytes, its next segment %s: as if shifted by %d, "
                           "though one SYN lacks the option here. The sender takes the bare number",
                        phrase_count(c->data->rwnd_syn_bytes).text, phrase_count(first).text, shift);
    if (case_rtt_min_s(c) > 0)
        verdict_append_text(v, ": %s bytes in %s are %s at most",
                            phrase_count(case_window_bytes(c)).text,
                            phrase_seconds(case_rtt_min_s(c)).text,
                            phrase_rate((double)case_window_bytes(c) / case_rtt_min_s(c)).text);
    verdict_append_text(v, ". Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
}

static void explain_ignored(const struct case_file *c, struct verdict *v)
{
    const uint64_t window = case_window_bytes(c);

    verdict_set_headline(v, "window scaling lost on the way to the %s: it keeps to the bare window "
                            "field",
                         case_actor_word(case_sender(c)));
    verdict_append_text(v, "Both SYNs offer scaling here and the window is %s bytes, but never more "
                           "than %s are in flight: the field is %s, unshifted. Measured %s.",
                        phrase_count(window).text, phrase_count(c->data->flight_max_bytes).text,
                        phrase_count(window >> c->data->window_scale).text,
                        phrase_rate(case_goodput_bytes_per_s(c)).text);
}

void cause_scaling_stripped_explain(const struct case_file *c, struct verdict *v)
{
    const int shift = lost_shift(c);
    const uint64_t window = windows_look_too_small(c) ? case_window_bytes(c) << shift
                                                      : case_window_bytes(c);
    const struct forecast f = case_forecast(c, window);

    if (windows_look_too_small(c))
        explain_too_small(c, v);
    else
        explain_ignored(c, v);
    case_window_add_syns(c, v);
    case_window_add_evidence(c, v);
    verdict_add_advice(v, ACTOR_NETWORK, ADVICE_MIDDLEBOX_SCALING, window, f.bytes_per_s,
                       f.seconds);
}
