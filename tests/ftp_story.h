/* FTP dialogues told as stories: who says what, which connections open, what they carry.  Each
 * step takes 10 ms; frames count up from 1; flow ids count up from 1 and the control connection
 * is the first. */
#ifndef TCPWHY_TESTS_FTP_STORY_H
#define TCPWHY_TESTS_FTP_STORY_H

#include "analysis/session/sessions.h"

#define STORY_CLIENT "192.0.2.1"
#define STORY_SERVER "198.51.100.7"
#define STORY_STEP_NS INT64_C(10000000)
#define STORY_FLOWS_MAX 32

struct story {
    struct sessions *sessions;
    int64_t now_ns;
    uint64_t frame;
    uint64_t flow_count;
    struct flow_result flows[STORY_FLOWS_MAX + 1]; /* by flow id */
    bool wanted[STORY_FLOWS_MAX + 1];
    uint64_t offset[STORY_FLOWS_MAX + 1][2];
    uint64_t control; /* flow that client and server speak on */
    uint64_t bulk[STORY_FLOWS_MAX];
    size_t bulk_count;
};

/* A control connection from STORY_CLIENT to port 21 of STORY_SERVER; commands are kept. */
struct story *story_new(void);
/* No connection yet. */
struct story *story_empty(bool keep_commands, bool show_passwords);
void story_free(struct story *st);

/* A flow whose SYN is seen; returns its id. */
uint64_t story_syn(struct story *st, const char *from, uint16_t from_port, const char *to,
                   uint16_t to_port);
/* A flow that was under way when the capture began. */
uint64_t story_midway(struct story *st, const char *client, uint16_t client_port,
                      const char *server, uint16_t server_port);
/* Whole lines, CRLF is added. */
void story_client(struct story *st, const char *line);
void story_server(struct story *st, const char *line);
/* Any bytes on any flow. */
void story_bytes(struct story *st, uint64_t flow, enum direction dir, const void *data,
                 size_t length);
/* Bytes that the capture lacks. */
void story_gap(struct story *st, uint64_t flow, enum direction dir, size_t length);
void story_wait_ms(struct story *st, int64_t ms);

/* What the connection layer will say of a data connection. */
void story_data(struct story *st, uint64_t flow, enum direction dir, uint64_t bytes);
void story_fin(struct story *st, uint64_t flow, enum direction dir);
void story_rst(struct story *st, uint64_t flow, enum direction dir);
void story_bulk(struct story *st, uint64_t flow);

/* USER, PASS and their replies. */
void story_login(struct story *st);
/* PASV and its 227 with this port. */
void story_pasv(struct story *st, uint16_t port);
/* A passive connection from the client. */
uint64_t story_connect(struct story *st, uint16_t port);

void story_finish(struct story *st);
struct ip_addr story_addr(const char *text);

#endif
