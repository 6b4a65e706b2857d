/* Any dialogue: the input is a list of steps, each a control byte, a length and that many bytes
 * said by client or server on one of a few flows.  Some steps open flows, lose bytes or bring a
 * name look-up. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/session/sessions.h"

#define FLOWS_MAX 64

struct world {
    struct sessions *sessions;
    uint64_t flows, offset[FLOWS_MAX + 1][2];
    int64_t now_ns;
    uint64_t frame;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct endpoint host(unsigned which, uint16_t port)
{
    const uint8_t v4[4] = {10, 0, 0, (uint8_t)(which & 3)};
    struct endpoint end = {ip_addr_from_v4(v4), port};

    return end;
}

static void open_flow(struct world *w, uint8_t how, uint16_t port)
{
    static const uint16_t ports[4] = {21, 990, 2121, 5000};
    struct endpoint client = host(how >> 4, (how & 8) ? 20 : 40000);
    struct endpoint server = host(how >> 6, (how & 1) ? port : ports[(how >> 1) & 3]);

    if (w->flows == FLOWS_MAX)
        return;
    sessions_flow_start(w->sessions, ++w->flows, &client, &server, (how & 4) == 0, w->now_ns,
                        w->frame);
}

static void look_up(struct world *w, const uint8_t *data, uint8_t length)
{
    struct notice notice;

    memset(&notice, 0, sizeof notice);
    notice.kind = length & 1 ? NOTICE_DNS_ANSWER : NOTICE_DNS_QUERY;
    notice.time_ns = w->now_ns;
    notice.src = host(length >> 1, 0).addr;
    notice.dst = host(length >> 3, 0).addr;
    notice.dns_addr_count = length;
    notice.dns_addrs[0] = host(length >> 5, 0).addr;
    notice.dns_name[0] = length > 0 ? (char)data[0] : 'x';
    sessions_notice(w->sessions, &notice);
}

static void lookup_flow(void *context, uint64_t flow_id, struct flow_result *out)
{
    const struct world *w = context;

    memset(out, 0, sizeof *out);
    out->id = flow_id;
    out->role_known = flow_id & 1;
    out->start_ns = (int64_t)flow_id;
    out->end_ns = w->now_ns;
    out->handshake_rtt_ns = flow_id & 2 ? NS_UNKNOWN : 1000;
    out->server_leg_ns = flow_id & 4 ? NS_UNKNOWN : 500;
    for (int dir = C2S; dir <= S2C; dir++) {
        struct direction_result *d = &out->dir[dir];

        d->bytes = w->offset[flow_id][dir];
        d->stream_bytes = d->bytes;
        d->first_data_ns = flow_id & 8 ? NS_UNKNOWN : (int64_t)flow_id * 5;
        d->last_data_ns = d->last_ack_ns = w->now_ns;
        d->fin = (flow_id >> dir) & 1;
        d->fin_ns = w->now_ns;
    }
}

static void check(struct world *w, const uint64_t *bulk)
{
    sessions_finish(w->sessions, bulk, w->flows, lookup_flow, w);
    for (size_t i = 0; i < sessions_transfer_count(w->sessions); i++) {
        const struct transfer_result *t = sessions_transfer(w->sessions, i);

        if (t->id != i + 1 || t->duration_ns < 0 || t->phase_count > TRANSFER_PHASES_MAX ||
            (t->complete && !t->complete_known) || t->session_id > sessions_count(w->sessions))
            abort();
    }
    for (size_t i = 0; i < sessions_count(w->sessions); i++) {
        const struct session_result *s = sessions_get(w->sessions, i);

        if (s->id != i + 1 || s->think_ns < 0 || s->rtt_share_pct > 100 ||
            sessions_of_flow(w->sessions, s->control_flow_id) == 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world w = {.sessions = sessions_new(true, false)};
    uint64_t bulk[FLOWS_MAX];

    open_flow(&w, 0x40, 0);
    while (size >= 2) {
        uint8_t how = data[0], length = data[1];
        uint64_t flow = 1 + (how >> 4) % w.flows;
        enum direction dir = how & 1 ? S2C : C2S;

        data += 2;
        size -= 2;
        if (length > size)
            length = (uint8_t)size;
        w.now_ns += how & 8 ? INT64_C(3000000000) : 1000;
        w.frame++;
        if ((how & 6) == 6 && length >= 3)
            open_flow(&w, data[0], (uint16_t)(data[1] << 8 | data[2]));
        else if ((how & 6) == 4)
            look_up(&w, data, length);
        if ((how & 0xff) == 0xfe)
            w.offset[flow][dir] += 7;
        sessions_payload(w.sessions, flow, dir, w.offset[flow][dir], data, length, how & 2,
                         w.now_ns, w.frame);
        w.offset[flow][dir] += length;
        data += length;
        size -= length;
    }
    for (uint64_t i = 0; i < w.flows; i++)
        bulk[i] = i + 1;
    check(&w, bulk);
    sessions_free(w.sessions);
    return 0;
}
