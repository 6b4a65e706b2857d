#include "analysis/session/ftp.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/session/ftp_live.h"
#include "xmalloc.h"

/* Lines on FTP's own port that may be anything before the flow is dismissed: a capture can begin
 * inside a long greeting. */
#define STRANGE_LINES_MAX 16
/* TLS record (RFC 8446 section 5.1): handshake, version 3.x. */
#define TLS_HANDSHAKE 22
#define TLS_MAJOR_VERSION 3

struct ftp_pending *ftp_pending_at(struct ftp_live *live, unsigned i)
{
    return &live->pending[(live->first_pending + i) % FTP_PENDING_MAX];
}

struct ftp_transfer *ftp_transfer_new(void)
{
    struct ftp_transfer *transfer = xcalloc(1, sizeof *transfer);

    transfer->announced_bytes = BYTES_UNKNOWN;
    transfer->size_bytes = BYTES_UNKNOWN;
    return transfer;
}

void ftp_transfer_free(struct ftp_transfer *transfer)
{
    if (!transfer)
        return;
    pairing_close(&transfer->wish);
    free(transfer->name);
    free(transfer);
}

/* Commands that wait for a reply must not point to a transfer that is gone. */
static void forget_transfer(struct ftp_live *live, const struct ftp_transfer *transfer)
{
    for (unsigned i = 0; i < live->pending_count; i++) {
        struct ftp_pending *pending = ftp_pending_at(live, i);

        if (pending->transfer == transfer)
            pending->transfer = NULL;
    }
}

bool ftp_transfer_list(struct ftp_dialogue *d, struct ftp_transfer *transfer)
{
    if (d->base.shared->transfers >= DIALOGUE_TRANSFERS_MAX) {
        d->base.shared->dropped++;
        forget_transfer(d->live, transfer);
        ftp_transfer_free(transfer);
        return false;
    }
    d->base.shared->transfers++;
    if (d->transfer_count == d->transfer_capacity) {
        d->transfer_capacity = d->transfer_capacity ? d->transfer_capacity * 2 : 4;
        d->transfers =
            xreallocarray(d->transfers, d->transfer_capacity, sizeof(struct ftp_transfer *));
    }
    d->transfers[d->transfer_count++] = transfer;
    return true;
}

void ftp_opening_drop(struct ftp_dialogue *d)
{
    struct ftp_transfer *transfer = d->live->opening;

    if (!transfer)
        return;
    d->live->opening = NULL;
    pairing_close(&transfer->wish);
    forget_transfer(d->live, transfer);
    if (transfer->wish.flow_id != 0)
        ftp_transfer_list(d, transfer);
    else
        ftp_transfer_free(transfer);
}

static struct ftp_dialogue *of(struct dialogue *base)
{
    return (struct ftp_dialogue *)base;
}

static struct dialogue *begin(struct session_shared *shared, const struct pairing_flow *flow,
                              bool known_port)
{
    struct ftp_dialogue *d = xcalloc(1, sizeof *d);
    struct ftp_live *live = xcalloc(1, sizeof *live);

    dialogue_init(&d->base, &ftp_dialect, shared, flow, known_port);
    d->live = live;
    live->greeting_due = flow->role_known;
    live->ascii = flow->role_known; /* the default type (RFC 959 section 5.1) */
    live->ascii_before = live->ascii;
    live->stream_mode = true;
    live->allo = BYTES_UNKNOWN;
    for (int dir = C2S; dir <= S2C; dir++) {
        live->reader[dir].unsure = !flow->role_known;
        live->started[dir] = flow->role_known;
    }
    live->watch = (struct pairing_watch){
        .client = flow->client.addr,
        .server = flow->server.addr,
        .server_port = flow->server.port,
        .client_record_ns = NS_UNKNOWN,
        .server_record_ns = NS_UNKNOWN,
        .owner = &d->base,
    };
    if (ftp_is_tls_port(flow->server.port)) {
        d->base.verdict = DIALOGUE_YES;
        ftp_go_dark(d);
    }
    return &d->base;
}

static void close_dialogue(struct dialogue *base)
{
    struct ftp_dialogue *d = of(base);

    base->open = false;
    if (!d->live)
        return;
    for (size_t i = 0; i < d->transfer_count; i++)
        pairing_close(&d->transfers[i]->wish);
    ftp_opening_drop(d);
    pairing_watch_close(&d->live->watch);
    free(d->live);
    d->live = NULL;
}

static void release(struct dialogue *base)
{
    struct ftp_dialogue *d = of(base);

    close_dialogue(base);
    for (size_t i = 0; i < d->transfer_count; i++)
        ftp_transfer_free(d->transfers[i]);
    d->base.shared->transfers -= d->transfer_count;
    free(d->transfers);
    free(d->user);
    command_log_free(&d->log);
    free(d);
}

void ftp_go_dark(struct ftp_dialogue *d)
{
    struct ftp_live *live = d->live;

    d->ftps = true;
    live->dark = true;
    live->greeting_due = false;
    live->pending_count = 0;
    ftp_opening_drop(d);
    pairing_watch_open(d->base.shared->pairing, &live->watch);
}

static bool begins_tls(const struct dialogue_piece *piece)
{
    return !piece->from_server && piece->length >= 2 && piece->data[0] == TLS_HANDSHAKE &&
           piece->data[1] == TLS_MAJOR_VERSION;
}

/* True when the dialogue is readable again: after CCC (RFC 4217 section 12.3) the client sends a
 * plain command that fills its segment. */
static bool is_plain_command(const struct dialogue_piece *piece)
{
    char line[FTP_LINE_MAX + 1];
    struct ftp_command command;
    uint32_t length = piece->length;

    if (piece->from_server || length < 5 || length > FTP_LINE_MAX ||
        piece->data[length - 1] != '\n')
        return false;
    memcpy(line, piece->data, length);
    line[length - 1 - (piece->data[length - 2] == '\r')] = '\0';
    return ftp_parse_command(line, &command) && command.verb->id != FTP_UNKNOWN;
}

/* Behind TLS only the times of records count.  Returns true when the piece is plain after all. */
static bool read_dark(struct ftp_dialogue *d, const struct dialogue_piece *piece)
{
    struct ftp_live *live = d->live;

    if (is_plain_command(piece)) {
        live->dark = false;
        pairing_watch_close(&live->watch);
        ftp_line_lost(&live->reader[C2S]);
        ftp_line_lost(&live->reader[S2C]);
        live->reply.code = 0;
        return true;
    }
    if (piece->from_server)
        live->watch.server_record_ns = piece->when.time_ns;
    else
        live->watch.client_record_ns = piece->when.time_ns;
    return false;
}

static void add_hidden(struct dialogue *base, const struct pairing_flow *flow)
{
    struct ftp_dialogue *d = of(base);
    struct ftp_transfer *transfer;

    if (!d->live)
        return;
    transfer = ftp_transfer_new();
    transfer->passive = ip_addr_equal(&flow->client.addr, &d->base.client.addr);
    transfer->wish.active = !transfer->passive;
    transfer->wish.flow_id = flow->flow_id;
    transfer->wish.flow_start_ns = flow->time_ns;
    ftp_transfer_list(d, transfer);
}

/* One turn is a run of payload in one direction. */
static void count_turn(struct ftp_dialogue *d, const struct dialogue_piece *piece)
{
    enum direction dir = piece->from_server ? S2C : C2S;

    if (d->turns == 0 || d->last_turn != dir)
        d->turns++;
    d->last_turn = dir;
    d->turn_bytes += piece->length;
}

static void read_lines(struct ftp_dialogue *d, const struct dialogue_piece *piece)
{
    struct ftp_live *live = d->live;
    struct ftp_line_reader *reader = &live->reader[piece->from_server ? S2C : C2S];
    const uint8_t *data = piece->data;
    uint32_t length = piece->length;

    while (!live->dark && ftp_line_read(reader, &data, &length)) {
        if (piece->from_server)
            ftp_server_line(d, reader, &piece->when);
        else
            ftp_client_line(d, reader, &piece->when);
        if (d->base.verdict == DIALOGUE_NO)
            return;
    }
    if (d->base.verdict == DIALOGUE_MAYBE &&
        (live->strange_lines > STRANGE_LINES_MAX || (reader->cut && !reader->done)))
        d->base.verdict = DIALOGUE_NO;
}

static void read_piece(struct dialogue *base, const struct dialogue_piece *piece)
{
    struct ftp_dialogue *d = of(base);
    struct ftp_live *live = d->live;
    enum direction dir = piece->from_server ? S2C : C2S;

    if (piece->length == 0)
        return;
    count_turn(d, piece);
    if (!live)
        return;
    if (live->started[dir] && live->next_offset[dir] != piece->offset) {
        ftp_line_lost(&live->reader[dir]);
        if (piece->from_server)
            live->reply.code = 0;
    }
    live->started[dir] = true;
    live->next_offset[dir] = piece->offset + piece->length;
    if (!live->dark && ftp_line_at_start(&live->reader[dir]) && begins_tls(piece))
        ftp_go_dark(d);
    if (!live->dark || read_dark(d, piece))
        read_lines(d, piece);
    if (live->over)
        close_dialogue(base);
}

const struct dialect ftp_dialect = {
    .name = "ftp",
    .owns_port = ftp_owns_port,
    .judge = ftp_judge_first,
    .begin = begin,
    .read = read_piece,
    .add_hidden = add_hidden,
    .close = close_dialogue,
    .release = release,
    .list = ftp_list,
};
