/* What a client's line does to the dialogue. */
#include <stdlib.h>
#include <strings.h>

#include "analysis/session/ftp_live.h"
#include "xmalloc.h"

/* FNV-1a; never 0. */
uint64_t ftp_name_hash(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    return hash | 1;
}

static struct ftp_pending *pending_add(struct ftp_dialogue *d, const struct ftp_verb *verb,
                                       const struct moment *when)
{
    struct ftp_live *live = d->live;
    struct ftp_pending *pending;

    if (live->pending_count == FTP_PENDING_MAX) {
        pending = ftp_pending_at(live, 0);
        if (pending->transfer && (pending->verb->traits & FTP_MOVES_DATA) != 0)
            pairing_close(&pending->transfer->wish);
        live->first_pending = (live->first_pending + 1) % FTP_PENDING_MAX;
        live->pending_count--;
        d->base.shared->dropped++;
    }
    pending = ftp_pending_at(live, live->pending_count);
    *pending = (struct ftp_pending){.verb = verb, .sent = *when};
    pending->queued = live->pending_count > 0;
    live->pending_count++;
    return pending;
}

static void take_user(struct ftp_dialogue *d, const char *argument, const struct moment *when)
{
    if (d->login_from.frame == 0)
        d->login_from = *when;
    free(d->user);
    d->user = xasprintf("%.*s", FTP_USER_MAX, argument);
}

/* PASV, PORT and their kin: a data connection is about to be announced, or is by this line. */
static void take_address(struct ftp_dialogue *d, const struct ftp_command *command,
                         struct ftp_pending *pending)
{
    struct ftp_transfer *transfer;
    struct ftp_address address;

    ftp_opening_drop(d);
    transfer = ftp_transfer_new();
    transfer->addressed = true;
    transfer->passive = (command->verb->traits & FTP_PASSIVE) != 0;
    transfer->address = pending->sent;
    d->live->opening = transfer;
    pending->transfer = transfer;
    if (transfer->passive || !ftp_parse_active(command->verb->id, command->argument, &address))
        return;
    transfer->wish.active = true;
    transfer->wish.caller = d->base.server.addr;
    transfer->wish.callee = d->base.client.addr;
    transfer->wish.announced = address.addr;
    transfer->wish.announced_known = address.addr_known;
    transfer->wish.port = address.port;
    pairing_open(d->base.shared->pairing, &transfer->wish, pending->sent.time_ns);
}

static uint64_t known_size(const struct ftp_live *live, const char *name)
{
    uint64_t hash = ftp_name_hash(name);

    for (unsigned i = 0; i < FTP_SIZES_MAX; i++) {
        if (live->sizes[i].name_hash == hash)
            return live->sizes[i].bytes;
    }
    return BYTES_UNKNOWN;
}

static void take_transfer(struct ftp_dialogue *d, const struct ftp_command *command,
                          struct ftp_pending *pending)
{
    struct ftp_live *live = d->live;
    struct ftp_transfer *transfer = live->opening ? live->opening : ftp_transfer_new();
    bool sized = command->verb->id == FTP_RETR;

    live->opening = NULL;
    transfer->verb = command->verb;
    transfer->name = xasprintf("%.*s", TRANSFER_NAME_MAX, command->argument);
    transfer->command = pending->sent;
    transfer->ascii = live->ascii;
    transfer->bytes_compare = live->stream_mode;
    transfer->rest = live->rest;
    transfer->size_bytes = sized ? known_size(live, command->argument) : live->allo;
    live->rest = 0;
    live->allo = BYTES_UNKNOWN;
    if (ftp_transfer_list(d, transfer))
        pending->transfer = transfer;
}

/* ABOR stops the oldest transfer that has no final reply. */
static void take_abort(struct ftp_live *live, const struct moment *when)
{
    for (unsigned i = 0; i < live->pending_count; i++) {
        struct ftp_pending *pending = ftp_pending_at(live, i);

        if (pending->transfer && (pending->verb->traits & FTP_MOVES_DATA) != 0 &&
            pending->transfer->abort.frame == 0) {
            pending->transfer->abort = *when;
            return;
        }
    }
}

/* Commands that set what holds for later ones. */
static void take_setting(struct ftp_live *live, const struct ftp_command *command,
                         struct ftp_pending *pending)
{
    uint64_t number;
    bool is_number = ftp_parse_number(command->argument, &number);

    switch (command->verb->id) {
    case FTP_TYPE:
        live->ascii_before = live->ascii;
        live->ascii = command->argument[0] == 'A' || command->argument[0] == 'a';
        ftp_sizes_forget(live); /* SIZE depends on the type (RFC 3659 section 4) */
        break;
    case FTP_MODE: live->stream_mode = strcasecmp(command->argument, "S") == 0; break;
    case FTP_REST: live->rest = is_number ? number : 0; break;
    case FTP_ALLO: live->allo = is_number ? number : BYTES_UNKNOWN; break;
    case FTP_SIZE: pending->name_hash = ftp_name_hash(command->argument); break;
    default: break;
    }
}

static void take_command(struct ftp_dialogue *d, const struct ftp_command *command,
                         const struct moment *when)
{
    struct ftp_pending *pending = pending_add(d, command->verb, when);
    unsigned traits = command->verb->traits;

    if (d->first_command.frame == 0)
        d->first_command = *when;
    if (command->verb->id == FTP_USER)
        take_user(d, command->argument, when);
    else if (command->verb->id == FTP_ABOR)
        take_abort(d->live, when);
    else if ((traits & FTP_MOVES_DATA) != 0)
        take_transfer(d, command, pending);
    else if ((traits & (FTP_PASSIVE | FTP_ACTIVE)) != 0 &&
             strcasecmp(command->argument, "ALL") != 0) /* EPSV ALL opens nothing */
        take_address(d, command, pending);
    else
        take_setting(d->live, command, pending);
}

/* Is it FTP?  After 220 any verb will do that SMTP lacks; on another port without a greeting only
 * one that no other protocol has. */
static void judge_client(struct ftp_dialogue *d, const struct ftp_verb *verb)
{
    bool greeted = d->greeting.frame != 0 && (verb->traits & FTP_SHARED) == 0;
    bool alone = (verb->traits & FTP_ALONE) != 0 && !d->live->greeting_due;

    if (alone || (verb->id != FTP_UNKNOWN && (d->base.known_port || greeted)))
        d->base.verdict = DIALOGUE_YES;
    else if (!d->base.known_port)
        d->base.verdict = DIALOGUE_NO;
    else
        d->live->strange_lines++;
}

/* What follows the verb may be a password; a verb that nobody knows may be a misspelt PASS. */
static bool is_secret(const struct ftp_verb *verb)
{
    return (verb->traits & FTP_SECRET) != 0 || verb->id == FTP_UNKNOWN;
}

void ftp_client_line(struct ftp_dialogue *d, const struct ftp_line_reader *line,
                     const struct moment *when)
{
    static const struct ftp_verb none = {"", "", FTP_UNKNOWN, 0, {0}};
    struct ftp_command command = {&none, ""};
    bool parsed = ftp_parse_command(line->text, &command);

    if (d->base.verdict == DIALOGUE_MAYBE)
        judge_client(d, command.verb);
    /* The end of a line whose head was not seen may be a password. */
    if (!parsed || d->base.verdict == DIALOGUE_NO || (line->unsure && command.verb->id == FTP_UNKNOWN))
        return;
    command_log_add(&d->log, &d->base.shared->commands, line->text, false,
                    is_secret(command.verb), when);
    take_command(d, &command, when);
}
