/* What a server's line does to the dialogue. */
#include <string.h>

#include "analysis/session/ftp_live.h"

#define REPLY_CLOSING 421

static void pending_remove_first(struct ftp_live *live)
{
    live->first_pending = (live->first_pending + 1) % FTP_PENDING_MAX;
    live->pending_count--;
}

/* Time from command to reply, for the server's thinking time.  A pipelined command waits for the
 * reply before it and for no round trip of its own. */
static void count_reply_time(struct ftp_dialogue *d, struct ftp_pending *pending,
                             const struct moment *when)
{
    const struct moment *from = pending->queued ? &d->last_reply : &pending->sent;
    int64_t span = span_ns(moment_ns(from), when->time_ns);

    if (pending->answered || span == NS_UNKNOWN)
        return;
    if (!__builtin_add_overflow(d->reply_ns, span, &d->reply_ns))
        d->reply_round_trips += !pending->queued;
    else
        d->reply_ns = INT64_MAX;
}

static bool fits(const struct ftp_verb *verb, int code)
{
    if (code < 200)
        return code != 125 && code != 150 ? true : (verb->traits & FTP_MOVES_DATA) != 0;
    return ftp_reply_fits(verb, code);
}

/* The command that a reply answers: the oldest, or, when that cannot have such a reply, the first
 * that lists it; those before it went unanswered (a capture gap, or one reply for a transfer and
 * its ABOR).  NULL: the reply answers nothing that was seen. */
static struct ftp_pending *find_command(struct ftp_live *live, int code)
{
    if (live->pending_count == 0)
        return NULL;
    if (fits(ftp_pending_at(live, 0)->verb, code))
        return ftp_pending_at(live, 0);
    for (unsigned i = 1; i < live->pending_count; i++) {
        const struct ftp_verb *verb = ftp_pending_at(live, i)->verb;

        if ((code < 200 || verb->codes[0] != 0) && fits(verb, code)) {
            while (i-- > 0)
                pending_remove_first(live);
            return ftp_pending_at(live, 0);
        }
    }
    /* A second end of a transfer is no answer to what followed; other odd codes are. */
    if (code < 200 || code == 225 || code == 226)
        return NULL;
    return ftp_pending_at(live, 0);
}

static void take_passive(struct ftp_dialogue *d, struct ftp_transfer *transfer,
                         const struct moment *when)
{
    const struct ftp_reply_lines *reply = &d->live->reply;

    if (!reply->address_seen)
        return;
    transfer->wish.caller = d->base.client.addr;
    transfer->wish.callee = d->base.server.addr;
    transfer->wish.announced = reply->address.addr;
    transfer->wish.announced_known = reply->address.addr_known;
    transfer->wish.port = reply->address.port;
    pairing_open(d->base.shared->pairing, &transfer->wish, when->time_ns);
}

/* The address command was refused: its transfer, if it comes, has no address. */
static void refuse_address(struct ftp_dialogue *d, struct ftp_transfer *transfer)
{
    pairing_close(&transfer->wish);
    transfer->addressed = false;
    if (transfer == d->live->opening)
        ftp_opening_drop(d);
}

static void end_transfer(struct ftp_transfer *transfer, int code, const struct moment *when)
{
    transfer->final = *when;
    transfer->final_code = code;
    pairing_close(&transfer->wish);
}

static void remember_size(struct ftp_live *live, uint64_t name_hash, const char *text)
{
    uint64_t bytes;

    if (!ftp_parse_number(text, &bytes))
        return;
    live->sizes[live->next_size] = (struct ftp_size){name_hash, bytes};
    live->next_size = (live->next_size + 1) % FTP_SIZES_MAX;
}

void ftp_sizes_forget(struct ftp_live *live)
{
    memset(live->sizes, 0, sizeof live->sizes);
}

/* The final reply to one command. */
static void finish_command(struct ftp_dialogue *d, const struct ftp_pending *done,
                           const struct ftp_reply *reply, const struct moment *when)
{
    struct ftp_live *live = d->live;
    bool refused = reply->code >= 400;

    if (done->transfer && (done->verb->traits & FTP_MOVES_DATA) != 0)
        end_transfer(done->transfer, reply->code, when);
    else if (done->transfer && refused)
        refuse_address(d, done->transfer);
    else if (done->transfer && (done->verb->traits & FTP_PASSIVE) != 0)
        take_passive(d, done->transfer, when);
    switch (done->verb->id) {
    case FTP_USER:
    case FTP_PASS:
    case FTP_ACCT:
        if (reply->code < 300 && d->login_to.frame == 0)
            d->login_to = *when;
        break;
    case FTP_AUTH:
        if (reply->code == 234)
            ftp_go_dark(d);
        break;
    case FTP_TYPE:
        if (refused)
            live->ascii = live->ascii_before;
        break;
    case FTP_REST:
        if (refused)
            live->rest = 0;
        break;
    case FTP_SIZE:
        if (reply->code == 213)
            remember_size(live, done->name_hash, reply->text);
        break;
    case FTP_CWD:
        if (!refused)
            ftp_sizes_forget(live); /* the same name is another file now */
        break;
    case FTP_QUIT:
        live->over = !refused && live->pending_count == 0;
        break;
    default: break;
    }
}

static void take_mark(struct ftp_live *live, struct ftp_pending *pending,
                      const struct moment *when)
{
    struct ftp_transfer *transfer = pending->transfer;

    pending->answered = true;
    if (!transfer || (pending->verb->traits & FTP_MOVES_DATA) == 0)
        return;
    if (transfer->mark.frame == 0)
        transfer->mark = *when;
    if (live->reply.bytes_seen) {
        transfer->announced_bytes = live->reply.bytes;
        transfer->announced_slack = live->reply.slack;
    }
}

/* 421 ends the connection whatever was asked (RFC 959 section 4.2). */
static void take_closing(struct ftp_live *live, const struct moment *when)
{
    while (live->pending_count > 0) {
        struct ftp_pending *pending = ftp_pending_at(live, 0);

        if (pending->transfer && (pending->verb->traits & FTP_MOVES_DATA) != 0)
            end_transfer(pending->transfer, REPLY_CLOSING, when);
        pending_remove_first(live);
    }
}

/* The first reply is the greeting unless the capture lacks it: 120, 220, or a refusal. */
static bool is_greeting(const struct ftp_live *live, int code)
{
    return code < 200 || code == 220 || (code >= 400 && live->pending_count == 0);
}

/* A whole reply: all its lines are in live->reply. */
static void take_reply(struct ftp_dialogue *d, const struct ftp_reply *reply,
                       const struct moment *when)
{
    struct ftp_live *live = d->live;
    struct ftp_pending *pending, done;

    if (live->greeting_due && is_greeting(live, reply->code)) {
        if (reply->code == 220)
            d->greeting = *when;
        live->greeting_due = reply->code < 200;
    } else if (reply->code == REPLY_CLOSING) {
        take_closing(live, when);
    } else if ((pending = find_command(live, reply->code)) != NULL) {
        count_reply_time(d, pending, when);
        if (reply->code < 200) {
            take_mark(live, pending, when);
        } else {
            done = *pending;
            pending_remove_first(live);
            finish_command(d, &done, reply, when);
        }
    }
    live->greeting_due = live->greeting_due && reply->code < 200;
    d->last_reply = *when;
}

/* Facts can stand in any line of a reply: pure-ftpd gives the size in the second. */
static void scan_line(struct ftp_reply_lines *lines, int code, const char *text)
{
    if (code >= 227 && code <= 229 && !lines->address_seen)
        lines->address_seen = ftp_parse_passive(code, text, &lines->address);
    if ((code == 125 || code == 150) && !lines->bytes_seen)
        lines->bytes_seen = ftp_parse_byte_count(text, &lines->bytes, &lines->slack);
}

/* Is it FTP?  On its own port any reply will do, elsewhere the greeting must be 220. */
static void judge_server(struct ftp_dialogue *d, bool parsed, const struct ftp_reply *reply)
{
    if (parsed && d->base.known_port)
        d->base.verdict = DIALOGUE_YES;
    else if (d->base.known_port)
        d->live->strange_lines++;
    else if (d->live->greeting_due && (!parsed || reply->code != 220) && d->live->reply.code == 0)
        d->base.verdict = DIALOGUE_NO;
}

void ftp_server_line(struct ftp_dialogue *d, const struct ftp_line_reader *line,
                     const struct moment *when)
{
    struct ftp_reply_lines *lines = &d->live->reply;
    struct ftp_reply reply;
    bool parsed = ftp_parse_reply(line->text, &reply);

    if (d->base.verdict == DIALOGUE_MAYBE)
        judge_server(d, parsed, &reply);
    if (d->base.verdict == DIALOGUE_NO)
        return;
    command_log_add(&d->log, &d->base.shared->commands, line->text, true, false, when);
    if (line->unsure)
        lines->code = 0;
    if (lines->code != 0 && (!parsed || reply.more || reply.code != lines->code)) {
        scan_line(lines, lines->code, line->text); /* inner lines may begin with digits */
        return;
    }
    if (!parsed)
        return;
    if (lines->code == 0)
        *lines = (struct ftp_reply_lines){0};
    scan_line(lines, reply.code, reply.text);
    lines->code = reply.more ? reply.code : 0;
    if (!reply.more)
        take_reply(d, &reply, when);
}
