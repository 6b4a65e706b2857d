#include "analysis/session/sessions.h"

#include <stdlib.h>

#include "analysis/session/candidates.h"
#include "analysis/session/dialogue.h"
#include "analysis/session/lookups.h"
#include "analysis/session/pairing.h"
#include "analysis/session/session_list.h"
#include "xmalloc.h"

/* Sessions kept, and of them those still being read: past it the quietest is closed. */
#define SESSIONS_MAX 65536u
#define SESSIONS_LIVE_MAX 4096u
#define FLOW_BUCKETS 4096u

/* One control connection. */
struct control {
    struct dialogue *dialogue;
    struct control *next_in_bucket;
    struct control *newer, *older; /* by last payload, among the live */
    bool in_ages;
};

struct sessions {
    struct candidates *candidates;
    struct pairing *pairing;
    struct lookups *lookups;
    struct session_shared shared;
    struct control *buckets[FLOW_BUCKETS]; /* by flow id */
    struct control *newest, *oldest;
    size_t live_count, count;
    uint64_t dropped;
    struct dialogue **dialogues; /* after the end: in order of flow */
    struct session_list list;
};

struct sessions *sessions_new(bool keep_commands, bool show_passwords)
{
    struct sessions *s = xcalloc(1, sizeof *s);

    s->candidates = candidates_new();
    s->pairing = pairing_new();
    s->lookups = lookups_new();
    s->shared.pairing = s->pairing;
    s->shared.commands.keep = keep_commands;
    s->shared.commands.show_passwords = show_passwords;
    return s;
}

static void ages_remove(struct sessions *s, struct control *control)
{
    if (!control->in_ages)
        return;
    *(control->newer ? &control->newer->older : &s->newest) = control->older;
    *(control->older ? &control->older->newer : &s->oldest) = control->newer;
    control->in_ages = false;
    s->live_count--;
}

static void ages_add_newest(struct sessions *s, struct control *control)
{
    control->newer = NULL;
    control->older = s->newest;
    *(s->newest ? &s->newest->newer : &s->oldest) = control;
    s->newest = control;
    control->in_ages = true;
    s->live_count++;
}

static struct control **control_slot(struct sessions *s, uint64_t flow_id)
{
    struct control **slot = &s->buckets[flow_id % FLOW_BUCKETS];

    while (*slot && (*slot)->dialogue->flow_id != flow_id)
        slot = &(*slot)->next_in_bucket;
    return slot;
}

static void control_remove(struct sessions *s, struct control **slot)
{
    struct control *control = *slot;

    if (!control)
        return;
    *slot = control->next_in_bucket;
    ages_remove(s, control);
    control->dialogue->dialect->release(control->dialogue);
    free(control);
    s->count--;
}

/* The quietest live dialogue makes room: what it has told so far is kept if it was recognised. */
static void close_quietest(struct sessions *s)
{
    struct control *control = s->oldest;

    s->dropped++;
    if (control->dialogue->verdict == DIALOGUE_MAYBE) {
        control_remove(s, control_slot(s, control->dialogue->flow_id));
        return;
    }
    ages_remove(s, control);
    control->dialogue->dialect->close(control->dialogue);
}

static struct control *control_add(struct sessions *s, const struct dialect *dialect,
                                   const struct pairing_flow *flow, bool known_port)
{
    struct control *control;

    if (s->live_count >= SESSIONS_LIVE_MAX)
        close_quietest(s);
    if (s->count >= SESSIONS_MAX) {
        s->dropped++;
        return NULL;
    }
    control = xcalloc(1, sizeof *control);
    control->dialogue = dialect->begin(&s->shared, flow, known_port);
    lookups_find(s->lookups, &flow->client.addr, &flow->server.addr, flow->time_ns,
                 &control->dialogue->lookup);
    *control_slot(s, flow->flow_id) = control;
    s->count++;
    return control;
}

static void add_hidden(struct dialogue *d, const struct pairing_flow *flow)
{
    d->dialect->add_hidden(d, flow);
}

bool sessions_flow_start(struct sessions *s, uint64_t flow_id, const struct endpoint *client,
                         const struct endpoint *server, bool role_known, int64_t time_ns,
                         uint64_t frame)
{
    const struct pairing_flow flow = {flow_id, *client, *server, role_known, time_ns};
    struct pairing_watch *watch;

    (void)frame;
    watch = pairing_flow_new(s->pairing, &flow);
    if (watch)
        add_hidden(watch->owner, &flow);
    candidates_add(s->candidates, &flow);
    return true;
}

bool sessions_payload(struct sessions *s, uint64_t flow_id, enum direction dir, uint64_t offset,
                      const uint8_t *data, uint32_t length, bool urgent, int64_t time_ns,
                      uint64_t frame)
{
    const struct dialogue_piece piece = {dir == S2C, offset, data, length, {time_ns, frame}};
    struct control **slot = control_slot(s, flow_id), *control = *slot;
    struct pairing_flow flow;
    const struct dialect *dialect;
    bool known_port;

    (void)urgent; /* the Telnet codes of a Synch say all that is needed */
    if (!control) {
        enum dialect_answer answer = candidates_judge(s->candidates, flow_id, dir == S2C, data,
                                                      length, &dialect, &flow, &known_port);
        if (answer != DIALECT_READ)
            return answer == DIALECT_WAIT;
        control = control_add(s, dialect, &flow, known_port);
        if (!control)
            return false;
        slot = control_slot(s, flow_id);
    }
    control->dialogue->dialect->read(control->dialogue, &piece);
    if (control->dialogue->verdict == DIALOGUE_NO) {
        control_remove(s, slot);
        return false;
    }
    ages_remove(s, control);
    if (control->dialogue->open)
        ages_add_newest(s, control);
    return true;
}

void sessions_notice(struct sessions *s, const struct notice *notice)
{
    lookups_notice(s->lookups, notice);
}

static int compare_dialogues(const void *a, const void *b)
{
    const struct dialogue *x = *(struct dialogue *const *)a;
    const struct dialogue *y = *(struct dialogue *const *)b;

    return (x->flow_id > y->flow_id) - (x->flow_id < y->flow_id);
}

/* Close all dialogues and list those that were recognised, in order of flow.  Returns how many. */
static size_t gather_dialogues(struct sessions *s)
{
    size_t count = 0;

    s->dialogues = xcalloc(s->count + 1, sizeof(struct dialogue *));
    for (size_t i = 0; i < FLOW_BUCKETS; i++) {
        for (struct control *control = s->buckets[i]; control; control = control->next_in_bucket) {
            control->dialogue->dialect->close(control->dialogue);
            if (control->dialogue->verdict == DIALOGUE_YES)
                s->dialogues[count++] = control->dialogue;
        }
    }
    if (count > 0)
        qsort(s->dialogues, count, sizeof(struct dialogue *), compare_dialogues);
    return count;
}

void sessions_finish(struct sessions *s, const uint64_t *bulk_flow_ids, size_t bulk_count,
                     sessions_flow_lookup *lookup, void *context)
{
    const struct flow_source flows = {lookup, context};
    size_t count = gather_dialogues(s);

    session_list_build(&s->list, s->dialogues, count, &flows);
    session_list_finish(&s->list, bulk_flow_ids, bulk_count, &flows);
}

size_t sessions_transfer_count(const struct sessions *s)
{
    return s->list.transfer_count;
}

struct transfer_result *sessions_transfer(struct sessions *s, size_t index)
{
    return s->list.transfers[index];
}

size_t sessions_count(const struct sessions *s)
{
    return s->list.session_count;
}

const struct session_result *sessions_get(const struct sessions *s, size_t index)
{
    return &s->list.sessions[index];
}

uint64_t sessions_of_flow(const struct sessions *s, uint64_t flow_id)
{
    return session_list_owner(&s->list, flow_id);
}

uint64_t sessions_dropped(const struct sessions *s)
{
    return s->dropped + s->shared.dropped + s->shared.commands.dropped + s->list.dropped;
}

void sessions_free(struct sessions *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < FLOW_BUCKETS; i++) {
        while (s->buckets[i])
            control_remove(s, &s->buckets[i]);
    }
    session_list_free(&s->list);
    free(s->dialogues);
    candidates_free(s->candidates);
    lookups_free(s->lookups);
    pairing_free(s->pairing);
    free(s);
}
