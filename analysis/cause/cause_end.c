/* Causes 36 and 37: the transfer was stopped before it was complete, and by whom. */
#include "analysis/cause/cause.h"
#include "analysis/cause/note_codes.h"
#include "analysis/cause/phrase.h"
#include "analysis/cause/verdict.h"

#define REPLY_IS_ERROR(code) ((code) >= 400 && (code) <= 599) /* RFC 959 section 4.2 */
#define ZERO_WINDOW_SHOWN_NS 1000000000 /* shorter stalls do not make anyone give up */

/* One packet by which an end stopped; frame 0 = none. */
struct stop {
    uint64_t frame;
    int64_t time_ns;
    const char *fact, *words;
};

/* The ways in which one end stops: its reset and FIN on the data connection, and its word on the
 * control connection. */
struct stops {
    struct stop by_word, by_rst, by_fin;
};

static struct stops stops_of(const struct case_file *c, enum ender who)
{
    const struct transfer_result *t = c->transfer;
    const bool server = (who == ENDED_BY_SERVER) != case_roles_swapped(t);
    const struct direction_result *d = &c->flow->dir[server ? S2C : C2S];
    struct stops s = {{0, NS_UNKNOWN, FACT_ABORT_COMMAND, "an ABOR command"},
                      {d->rst ? d->rst_frame : 0, d->rst_ns, FACT_RST, "a reset (RST)"},
                      {d->fin ? d->fin_frame : 0, d->fin_ns, FACT_FIN, "closing (FIN)"}};

    if (who == ENDED_BY_CLIENT) {
        s.by_word.frame = t->abort_frame;
    } else if (REPLY_IS_ERROR(t->final_reply)) {
        s.by_word.frame = t->final_reply_frame;
        s.by_word.fact = FACT_REPLY;
        s.by_word.words = "an error reply";
    }
    return s;
}

/* The earliest of two stops, frame 0 being none. */
static const struct stop *earlier(const struct stop *a, const struct stop *b)
{
    if (a->frame == 0)
        return b;
    return b->frame != 0 && b->frame < a->frame ? b : a;
}

static const struct stop *first_stop(const struct stops *s)
{
    return earlier(earlier(&s->by_word, &s->by_rst), &s->by_fin);
}

static bool size_fell_short(const struct transfer_result *t)
{
    return t->expected_bytes != BYTES_UNKNOWN && t->bytes < t->expected_bytes;
}

static struct finding aborted_find(const struct case_file *c, enum ender who)
{
    const struct transfer_result *t = c->transfer;
    const struct stops s = stops_of(c, who);
    struct finding f = {.share_pct = -1};

    if (t->ended_by != who || !t->complete_known || t->complete ||
        (t->expected_bytes != BYTES_UNKNOWN && !size_fell_short(t)))
        return f;
    f.found = true;
    /* A word or a reset is never part of a normal end; with the size short it is two signs, and
     * both a word and a packet of the data connection make three. */
    f.confidence = case_confidence(c,
                                   (s.by_word.frame != 0) + (s.by_rst.frame != 0) +
                                       (s.by_fin.frame != 0) + size_fell_short(t),
                                   FAULT_HIDING);
    return f;
}

struct finding cause_aborted_by_client_find(const struct case_file *c)
{
    return aborted_find(c, ENDED_BY_CLIENT);
}

struct finding cause_aborted_by_server_find(const struct case_file *c)
{
    return aborted_find(c, ENDED_BY_SERVER);
}

static void append_progress(const struct transfer_result *t, struct verdict *v)
{
    verdict_append_text(v, "%s bytes had been delivered", phrase_count(t->bytes).text);
    if (size_fell_short(t))
        verdict_append_text(v, " of %s", phrase_count(t->expected_bytes).text);
    if (t->duration_ns > 0)
        verdict_append_text(v, ", %s after the start", phrase_span(t->duration_ns).text);
    verdict_append_text(v, ".");
}

void cause_aborted_explain(const struct case_file *c, struct verdict *v)
{
    const struct transfer_result *t = c->transfer;
    const bool by_server = t->ended_by == ENDED_BY_SERVER;
    const struct stops s = stops_of(c, t->ended_by);
    const struct stop *first = first_stop(&s);
    const struct stop *all[] = {&s.by_word, &s.by_rst, &s.by_fin};

    verdict_set_headline(v, "the %s stopped the transfer before its end",
                         by_server ? "server" : "client");
    append_progress(t, v);
    if (first->frame != 0)
        verdict_append_text(v, " The first sign is %s, frame %llu.", first->words,
                            (unsigned long long)first->frame);
    if (REPLY_IS_ERROR(t->final_reply))
        verdict_append_text(v, " The server's last reply was %d.", t->final_reply);
    if (c->data->zero_window_ns >= ZERO_WINDOW_SHOWN_NS)
        verdict_append_text(v, " Before, the receiver's window was closed for %s in all.",
                            phrase_span(c->data->zero_window_ns).text);
    if (c->data->longest_silence_ns >= ZERO_WINDOW_SHOWN_NS)
        verdict_append_text(v, " The longest silence of the sender was %s.",
                            phrase_span(c->data->longest_silence_ns).text);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        verdict_add_evidence(v, all[i]->frame, all[i]->time_ns, all[i]->fact, "the %s stops by %s",
                             by_server ? "server" : "client", all[i]->words);
    verdict_add_evidence(v, c->data->last_data_frame, c->data->last_data_ns, FACT_LAST_DATA,
                         "last data");
    verdict_add_advice(v, by_server ? ACTOR_SERVER : ACTOR_CLIENT,
                       by_server ? ADVICE_SERVER_LOG : ADVICE_CLIENT_LOG, BYTES_UNKNOWN, -1, -1);
}
