/* Causes 4, 5, 14, 17, 51 and 55: the sending host or its program. */
#include <math.h>

#include "analysis/cause/bounds.h"
#include "analysis/cause/case_window.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"
#include "analysis/moment.h"

#define SHARE_SECOND_PCT 25
#define SHARE_LEAD_PCT 50
#define SHARE_OVERWHELMING_PCT 80
#define ROUNDS_ENOUGH 20
#define RATE_MOST 1.15       /* of a full plateau each round trip */
#define GROWTH_WITHOUT_LINK 10
#define DELAYED_PART 0.5     /* of the waits: the receiver held its acknowledgment back */
#define EVEN_CV 0.05         /* segments a second that hardly vary */
#define UNEVEN_FACTOR 3.0

/* Ports of protocols that keep a window of their own (domain, row 5). */
static const struct {
    uint16_t port;
    const char *name;
} windowed[] = {{22, "SSH"}, {445, "SMB"}, {139, "SMB"}, {2049, "NFS"}};

/* Name of the protocol with a window of its own that runs here; NULL = none known. */
static const char *windowed_protocol(const struct case_file *c)
{
    for (size_t i = 0; i < sizeof windowed / sizeof windowed[0]; i++)
        if (c->flow->server.port == windowed[i].port)
            return windowed[i].name;
    return c->flow->dir[C2S].pattern.first_bytes == FIRST_BYTES_SSH ||
                   c->flow->dir[S2C].pattern.first_bytes == FIRST_BYTES_SSH
               ? "SSH"
               : NULL;
}

/* The usual sizes of such windows that the plateau shows, within two segments or its framing of
 * 1/64; 0 = none. */
static uint64_t windowed_bytes(const struct case_file *c)
{
    const uint64_t plateau = c->data->waits.plateau_bytes;
    const uint64_t slack = 2 * (uint64_t)c->data->smss;

    for (uint64_t size = 32768; size <= (4u << 20); size *= 2)
        if (plateau + slack >= size && plateau <= size + slack + size / 64)
            return size;
    return 0;
}

/* The peer must give the window back: it sends data of its own meanwhile. */
static bool peer_adjusts(const struct case_file *c)
{
    const struct direction_result *back = &c->flow->dir[c->transfer->direction == S2C ? C2S : S2C];

    return windowed_bytes(c) > 0 &&
           (double)back->data_segments * (double)windowed_bytes(c) >= (double)c->data->bytes;
}

static bool is_application_window(const struct case_file *c)
{
    return windowed_protocol(c) != NULL && windowed_bytes(c) > 0 && peer_adjusts(c);
}

static struct finding plateau_find(const struct case_file *c)
{
    const double share_pct = c->share_pct[LIMIT_SEND_BUFFER];
    const struct wait_facts *waits = &c->data->waits;
    struct finding f = {.share_pct = share_pct};
    const double rtt_s = case_rtt_min_s(c);

    if (share_pct < SHARE_SECOND_PCT || waits->plateau_bytes == 0 || rtt_s <= 0 ||
        case_goodput_bytes_per_s(c) > RATE_MOST * (double)waits->plateau_bytes / rtt_s)
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   (share_pct >= SHARE_OVERWHELMING_PCT) +
                                       (c->data->rounds >= ROUNDS_ENOUGH) +
                                       (c->data->loss_events == 0) +
                                       (waits->plateau_bytes - waits->plateau_low_bytes <=
                                        c->data->smss),
                                   FAULT_ANY);
    return f;
}

struct finding cause_send_buffer_find(const struct case_file *c)
{
    if (is_application_window(c))
        return (struct finding){.share_pct = -1};
    return plateau_find(c);
}

struct finding cause_application_window_find(const struct case_file *c)
{
    if (!is_application_window(c))
        return (struct finding){.share_pct = -1};
    return plateau_find(c);
}

static void append_plateau(const struct case_file *c, struct verdict *v)
{
    const struct wait_facts *waits = &c->data->waits;
    const double rtt_s = case_rtt_min_s(c);

    verdict_append_text(v, "Never more than %s bytes (%s) in flight, for %s, while the receiver's "
                           "window had room for %s and each acknowledgment let data go at once; with "
                           "%s round trip that is %s at most. Measured %s.",
                        phrase_count(waits->plateau_bytes).text,
                        phrase_window(waits->plateau_bytes, c->data->smss).text,
                        phrase_span(waits->plateau_ns).text, phrase_count(case_window_bytes(c)).text,
                        phrase_seconds(rtt_s).text,
                        phrase_rate((double)waits->plateau_bytes / rtt_s).text,
                        phrase_rate(case_goodput_bytes_per_s(c)).text);
}

static void add_plateau_evidence(const struct case_file *c, struct verdict *v)
{
    const struct limit_span *worst = &c->data->worst[LIMIT_SEND_BUFFER];

    verdict_add_evidence(v, worst->from_frame, worst->start_ns, FACT_PLATEAU,
                         "the flight stands at one size from here on");
    verdict_add_evidence(v, worst->to_frame, later_ns(worst->start_ns, worst->duration_ns), FACT_PLATEAU,
                         "%s at one size, up to here", phrase_span(worst->duration_ns).text);
}

/* The buffer to ask for: what fills the link or the receiver's window, whichever is less; without
 * either ten times this one. */
static uint64_t wanted_buffer_bytes(const struct case_file *c)
{
    const double link = bounds_needed_window_bytes(c->options->link_bytes_per_s, case_rtt_min_s(c));
    double wanted = (double)case_window_bytes(c);

    if (!(wanted > 0))
        wanted = GROWTH_WITHOUT_LINK * (double)c->data->waits.plateau_bytes;
    if (bound_is_known(link) && link < wanted)
        wanted = link;
    return wanted > (double)c->data->waits.plateau_bytes ? (uint64_t)wanted : BYTES_UNKNOWN;
}

static void advise_buffer(const struct case_file *c, const char *change, struct verdict *v)
{
    const uint64_t wanted = wanted_buffer_bytes(c);
    struct forecast f = {BOUND_UNKNOWN, BOUND_UNKNOWN};

    if (wanted != BYTES_UNKNOWN)
        f = case_forecast(c, wanted);
    verdict_add_advice(v, case_sender(c), change, wanted, f.bytes_per_s, f.seconds);
}

void cause_send_buffer_explain(const struct case_file *c, struct verdict *v)
{
    verdict_set_headline(v, "the %s's send buffer", case_actor_word(case_sender(c)));
    append_plateau(c, v);
    add_plateau_evidence(c, v);
    advise_buffer(c, ADVICE_SEND_BUFFER, v);
}

void cause_application_window_explain(const struct case_file *c, struct verdict *v)
{
    const char *name = windowed_protocol(c);

    verdict_set_headline(v, "the window that %s keeps above TCP: %s bytes", name,
                         phrase_count(windowed_bytes(c)).text);
    append_plateau(c, v);
    add_plateau_evidence(c, v);
    advise_buffer(c, ADVICE_APPLICATION_WINDOW, v);
}

/* Most of the idle time lies between the peer's request and this sender's answer: a turn's. */
static bool answers_requests(const struct case_file *c)
{
    const double app_ns = (double)c->data->limit_ns[LIMIT_APP];

    return (double)c->data->waits.answer_ns * 2 >= app_ns;
}

/* How the program writes is the better name of the same time. */
static bool writes_explain(const struct case_file *c)
{
    const struct finding small = cause_tinygrams_find(c), rest = cause_write_remainder_find(c);

    return (small.found && small.may_lead && small.share_pct >= SHARE_LEAD_PCT) ||
           (rest.found && rest.may_lead && rest.share_pct >= SHARE_LEAD_PCT);
}

struct finding cause_sender_slow_find(const struct case_file *c)
{
    const double share_pct = c->share_pct[LIMIT_APP];
    struct finding f = {.share_pct = share_pct};

    /* a pause of a program that reads looks the same where its windows cannot be read */
    if (share_pct < SHARE_SECOND_PCT || answers_requests(c) || writes_explain(c) ||
        !case_window_leaves_room(c))
        return f;
    f.found = true;
    f.may_lead = true;
    f.confidence = case_confidence(c,
                                   (share_pct >= SHARE_OVERWHELMING_PCT) +
                                       (c->share_pct[LIMIT_RWND] + c->share_pct[LIMIT_ZERO_WINDOW] < 5) +
                                       (c->data->waits.stalls_seen >= 3),
                                   FAULT_ANY);
    return f;
}

void cause_sender_slow_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const double busy_s = ((double)d->elapsed_ns - (double)d->limit_ns[LIMIT_APP]) / 1e9;
    const struct limit_span *worst = &d->worst[LIMIT_APP];

    verdict_set_headline(v, "the sending program on the %s: it had nothing to send",
                         case_actor_word(case_sender(c)));
    verdict_append_text(v, "For %s of %s nothing was left to send, or data came when it came and "
                           "not upon acknowledgments; the longest silence %s.",
                        phrase_span(d->limit_ns[LIMIT_APP]).text, phrase_span(d->elapsed_ns).text,
                        phrase_span(d->longest_silence_ns).text);
    if (d->pattern.bursts > 1 && d->pattern.burst_median_bytes > 0)
        verdict_append_text(v, " It comes in pieces of about %s bytes.",
                            phrase_count(d->pattern.burst_median_bytes).text);
    verdict_append_text(v, " Measured %s.", phrase_rate(case_goodput_bytes_per_s(c)).text);
    verdict_add_evidence(v, worst->from_frame, worst->start_ns, FACT_SENDER_IDLE,
                         "the longest stretch of this begins");
    verdict_add_evidence(v, worst->to_frame, later_ns(worst->start_ns, worst->duration_ns), FACT_SENDER_IDLE,
                         "%s of it, up to here", phrase_span(worst->duration_ns).text);
    verdict_add_advice(v, case_sender(c), ADVICE_SENDING_PROGRAM, BYTES_UNKNOWN,
                       busy_s > 0 ? (double)d->bytes / busy_s : BOUND_UNKNOWN,
                       busy_s > 0 ? busy_s : BOUND_UNKNOWN);
}

struct finding cause_nagle_find(const struct case_file *c)
{
    const double share_pct = c->share_pct[LIMIT_NAGLE];
    const struct wait_facts *waits = &c->data->waits;
    struct finding f = {.share_pct = share_pct};

    if (share_pct < SHARE_SECOND_PCT || waits->nagle_waits < 3)
        return f;
    f.found = f.may_lead = true;
    f.confidence = case_confidence(c,
                                   (share_pct >= SHARE_OVERWHELMING_PCT) +
                                       ((double)waits->nagle_delayed >=
                                        DELAYED_PART * (double)waits->nagle_waits) +
                                       (waits->nagle_waits >= ROUNDS_ENOUGH),
                                   FAULT_ANY);
    return f;
}

void cause_nagle_explain(const struct case_file *c, struct verdict *v)
{
    const struct direction_result *d = c->data;
    const struct wait_facts *waits = &d->waits;
    const double busy_s = ((double)d->elapsed_ns - (double)d->limit_ns[LIMIT_NAGLE]) / 1e9;

    verdict_set_headline(v, "small pieces that wait for the acknowledgment of the piece before "
                            "(Nagle's algorithm)%s",
                         waits->nagle_delayed * 2 >= waits->nagle_waits
                             ? ", and a receiver that holds it back"
                             : "");
    verdict_append_text(v, "%s times a segment below %s bytes left only when everything before it was "
                           "acknowledged; %s of these waits were longer than a round trip by a "
                           "delayed ACK; together %s, the longest %s. Measured %s.",
                        phrase_count(waits->nagle_waits).text, phrase_count(d->smss).text,
                        phrase_count(waits->nagle_delayed).text,
                        phrase_span(d->limit_ns[LIMIT_NAGLE]).text,
                        phrase_span(waits->nagle_longest_ns).text,
                        phrase_rate(case_goodput_bytes_per_s(c)).text);
    verdict_add_evidence(v, waits->nagle_frame, NS_UNKNOWN, FACT_NAGLE_WAIT,
                         "a partial segment that had waited %s for the acknowledgment",
                         phrase_span(waits->nagle_longest_ns).text);
    verdict_add_advice(v, case_sender(c), ADVICE_NODELAY, BYTES_UNKNOWN,
                       busy_s > 0 ? (double)d->bytes / busy_s : BOUND_UNKNOWN,
                       busy_s > 0 ? busy_s : BOUND_UNKNOWN);
    if (waits->nagle_delayed > 0)
        verdict_add_advice(v, case_receiver(c), ADVICE_DELAYED_ACK, BYTES_UNKNOWN, -1, -1);
}

/* An encrypting program whose pace hardly varies, with nothing else that could set it. */
struct finding cause_crypto_bound_find(const struct case_file *c)
{
    const struct pattern_facts *pattern = &c->data->pattern;
    struct finding f = {.share_pct = c->share_pct[LIMIT_APP]};

    if (f.share_pct < SHARE_SECOND_PCT || pattern->first_bytes == FIRST_BYTES_UNKNOWN ||
        answers_requests(c) || pattern->pace.slices < ROUNDS_ENOUGH ||
        pattern->pace.bytes_per_s_cv < 0 || pattern->pace.bytes_per_s_cv > EVEN_CV)
        return f;
    f.found = f.may_lead = true;
    f.confidence = CONFIDENCE_LOW; /* a limit set in the program looks the same */
    return f;
}

void cause_crypto_bound_explain(const struct case_file *c, struct verdict *v)
{
    const struct pattern_facts *pattern = &c->data->pattern;

    verdict_set_headline(v, "the encrypting program on the %s: it makes data at one even pace",
                         case_actor_word(case_sender(c)));
    verdict_append_text(v, "%s that varies by %s only, in an encrypted stream (%s), with the window "
                           "open and nothing to wait for. Measured %s.",
                        phrase_rate(case_goodput_bytes_per_s(c)).text,
                        phrase_pct(100 * pattern->pace.bytes_per_s_cv).text,
                        pattern->first_bytes == FIRST_BYTES_SSH ? "SSH" : "TLS",
                        phrase_rate(case_goodput_bytes_per_s(c)).text);
    verdict_add_evidence(v, pattern->first_bytes_frame, NS_UNKNOWN, FACT_ENCRYPTED,
                         "the first bytes say that the stream is encrypted");
    verdict_add_advice(v, case_sender(c), ADVICE_CIPHER, BYTES_UNKNOWN, -1, -1);
}

/* The same segments a second whatever their size: what counts packets, a host or its adapter, is
 * the limit.  Never the first word: a bottleneck that counts packets looks the same. */
struct finding cause_host_bound_find(const struct case_file *c)
{
    const struct pace_facts *pace = &c->data->pattern.pace;
    struct finding f = {
        .share_pct = fmin(100, c->share_pct[LIMIT_APP] + c->share_pct[LIMIT_LINK])};

    if (f.share_pct < SHARE_LEAD_PCT || pace->slices < ROUNDS_ENOUGH ||
        pace->segments_per_s_cv < 0 || pace->segments_per_s_cv > EVEN_CV ||
        pace->segment_bytes_cv < UNEVEN_FACTOR * EVEN_CV ||
        pace->bytes_per_s_cv < UNEVEN_FACTOR * pace->segments_per_s_cv)
        return f;
    f.found = true;
    f.confidence = CONFIDENCE_LOW;
    return f;
}

void cause_host_bound_explain(const struct case_file *c, struct verdict *v)
{
    const struct pace_facts *pace = &c->data->pattern.pace;

    verdict_set_headline(v, "a host or adapter that handles a fixed number of packets a second");
    verdict_append_text(v, "%s segments a second, varying by %s, while their size varies by %s. "
                           "Measured %s.",
                        phrase_count((uint64_t)pace->segments_per_s_mean).text,
                        phrase_pct(100 * pace->segments_per_s_cv).text,
                        phrase_pct(100 * pace->segment_bytes_cv).text,
                        phrase_rate(case_goodput_bytes_per_s(c)).text);
    verdict_add_advice(v, case_sender(c), ADVICE_OFFLOAD, BYTES_UNKNOWN, -1, -1);
}
