#include "tests/ftp_story.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "xmalloc.h"

#define HANDSHAKE_NS INT64_C(4000000)

struct ip_addr story_addr(const char *text)
{
    struct ip_addr addr;
    uint8_t v4[4];

    if (inet_pton(AF_INET, text, v4) == 1)
        return ip_addr_from_v4(v4);
    assert_int_equal(inet_pton(AF_INET6, text, addr.bytes), 1);
    return addr;
}

static void step(struct story *st)
{
    st->now_ns += STORY_STEP_NS;
    st->frame++;
}

struct story *story_empty(bool keep_commands, bool show_passwords)
{
    struct story *st = xcalloc(1, sizeof *st);

    st->sessions = sessions_new(keep_commands, show_passwords);
    st->now_ns = INT64_C(1000000000) * 1000000;
    return st;
}

struct story *story_new(void)
{
    struct story *st = story_empty(true, false);

    st->control = story_syn(st, STORY_CLIENT, 40000, STORY_SERVER, 21);
    return st;
}

void story_free(struct story *st)
{
    sessions_free(st->sessions);
    free(st);
}

static void clear_direction(struct direction_result *dir)
{
    dir->first_data_ns = dir->last_data_ns = dir->last_ack_ns = NS_UNKNOWN;
    dir->fin_ns = dir->rst_ns = NS_UNKNOWN;
}

static uint64_t open_flow(struct story *st, const char *from, uint16_t from_port, const char *to,
                          uint16_t to_port, bool syn)
{
    uint64_t id = ++st->flow_count;
    struct flow_result *flow = &st->flows[id];

    assert_true(id <= STORY_FLOWS_MAX);
    step(st);
    flow->id = id;
    flow->client = (struct endpoint){story_addr(from), from_port};
    flow->server = (struct endpoint){story_addr(to), to_port};
    flow->role_known = syn;
    flow->start_ns = st->now_ns;
    flow->end_ns = st->now_ns;
    flow->first_frame = st->frame;
    flow->handshake_rtt_ns = syn ? HANDSHAKE_NS : NS_UNKNOWN;
    flow->client_leg_ns = syn ? 0 : NS_UNKNOWN;
    flow->server_leg_ns = syn ? HANDSHAKE_NS : NS_UNKNOWN;
    clear_direction(&flow->dir[C2S]);
    clear_direction(&flow->dir[S2C]);
    st->wanted[id] = sessions_flow_start(st->sessions, id, &flow->client, &flow->server, syn,
                                         st->now_ns, st->frame);
    return id;
}

uint64_t story_syn(struct story *st, const char *from, uint16_t from_port, const char *to,
                   uint16_t to_port)
{
    return open_flow(st, from, from_port, to, to_port, true);
}

uint64_t story_midway(struct story *st, const char *client, uint16_t client_port,
                      const char *server, uint16_t server_port)
{
    return open_flow(st, client, client_port, server, server_port, false);
}

void story_bytes(struct story *st, uint64_t flow, enum direction dir, const void *data,
                 size_t length)
{
    step(st);
    st->flows[flow].end_ns = st->now_ns;
    if (st->wanted[flow])
        st->wanted[flow] =
            sessions_payload(st->sessions, flow, dir, st->offset[flow][dir], data,
                             (uint32_t)length, false, st->now_ns, st->frame);
    st->offset[flow][dir] += length;
}

void story_gap(struct story *st, uint64_t flow, enum direction dir, size_t length)
{
    st->offset[flow][dir] += length;
}

static void say(struct story *st, enum direction dir, const char *line)
{
    char *text = xasprintf("%s\r\n", line);

    story_bytes(st, st->control, dir, text, strlen(text));
    free(text);
}

void story_client(struct story *st, const char *line)
{
    say(st, C2S, line);
}

void story_server(struct story *st, const char *line)
{
    say(st, S2C, line);
}

void story_wait_ms(struct story *st, int64_t ms)
{
    st->now_ns += ms * 1000000;
}

void story_data(struct story *st, uint64_t flow, enum direction dir, uint64_t bytes)
{
    struct direction_result *d = &st->flows[flow].dir[dir];

    step(st);
    if (d->bytes == 0)
        d->first_data_ns = st->now_ns;
    step(st);
    d->bytes += bytes;
    d->stream_bytes += bytes;
    d->last_data_ns = st->now_ns;
    d->last_ack_ns = st->now_ns + HANDSHAKE_NS;
    st->flows[flow].end_ns = st->now_ns;
}

void story_fin(struct story *st, uint64_t flow, enum direction dir)
{
    step(st);
    st->flows[flow].dir[dir].fin = true;
    st->flows[flow].dir[dir].fin_ns = st->now_ns;
    st->flows[flow].dir[dir].fin_frame = st->frame;
}

void story_rst(struct story *st, uint64_t flow, enum direction dir)
{
    step(st);
    st->flows[flow].dir[dir].rst = true;
    st->flows[flow].dir[dir].rst_ns = st->now_ns;
    st->flows[flow].dir[dir].rst_frame = st->frame;
}

void story_bulk(struct story *st, uint64_t flow)
{
    st->bulk[st->bulk_count++] = flow;
}

void story_login(struct story *st)
{
    story_server(st, "220 ready");
    story_client(st, "USER anna");
    story_server(st, "331 Please specify the password.");
    story_client(st, "PASS sesame");
    story_server(st, "230 Login successful.");
    story_client(st, "TYPE I");
    story_server(st, "200 Switching to Binary mode.");
}

void story_pasv(struct story *st, uint16_t port)
{
    char line[80];

    story_client(st, "PASV");
    snprintf(line, sizeof line, "227 Entering Passive Mode (198,51,100,7,%d,%d).", port >> 8,
             port & 255);
    story_server(st, line);
}

uint64_t story_connect(struct story *st, uint16_t port)
{
    return story_syn(st, STORY_CLIENT, (uint16_t)(41000 + st->flow_count), STORY_SERVER, port);
}

static void lookup(void *context, uint64_t flow_id, struct flow_result *out)
{
    const struct story *st = context;

    assert_true(flow_id >= 1 && flow_id <= st->flow_count);
    *out = st->flows[flow_id];
}

void story_finish(struct story *st)
{
    sessions_finish(st->sessions, st->bulk, st->bulk_count, lookup, st);
}
