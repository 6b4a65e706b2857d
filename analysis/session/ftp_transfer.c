#include "analysis/session/ftp.h"

#include <stdio.h>

#include "analysis/session/phases.h"
#include "analysis/session/transfer.h"

static enum direction other(enum direction dir)
{
    return dir == C2S ? S2C : C2S;
}

/* Bytes that the data connection should carry.  A count in the 150 reply is the whole file with
 * some servers and the rest after REST with others: SIZE decides, else what was delivered. */
static uint64_t expected_bytes(const struct ftp_transfer *ftp, uint64_t delivered)
{
    uint64_t count = ftp->announced_bytes, size = ftp->size_bytes;
    bool rounded = ftp->announced_slack > 0;

    if (!ftp->bytes_compare || ftp->ascii)
        return BYTES_UNKNOWN; /* the wire count differs from the file's */
    if (size != BYTES_UNKNOWN && size >= ftp->rest && (count == BYTES_UNKNOWN || rounded))
        return size - ftp->rest;
    if (count == BYTES_UNKNOWN || ftp->rest == 0 || count < ftp->rest)
        return count;
    if ((size != BYTES_UNKNOWN && count + ftp->rest == size) || delivered == count)
        return count;
    return count - ftp->rest;
}

/* Whether all that was to be sent was sent, as far as bytes, replies and endings tell. */
static void judge_complete(const struct ftp_transfer *ftp, const struct flow_result *flow,
                           struct transfer_result *out)
{
    bool positive = ftp->final_code >= 200 && ftp->final_code < 300;
    bool refused = ftp->final_code >= 400;
    const struct direction_result *data = flow ? &flow->dir[out->direction] : NULL;
    bool measured = data && out->expected_bytes != BYTES_UNKNOWN;
    uint64_t slack = ftp->size_bytes == BYTES_UNKNOWN ? ftp->announced_slack : 0;
    bool all_came = measured && data->stream_bytes + slack >= out->expected_bytes;
    bool stopped = ftp->abort.frame != 0 || (data && transfer_was_cut_off(flow, out->direction));
    bool closed = measured && data->fin;

    if (refused || all_came || stopped) {
        out->complete = !refused && all_came;
        out->complete_known = true;
    } else if (closed || (positive && !measured)) {
        /* What closed short of its size needs a reply that approves; 225 moved nothing. */
        out->complete = positive && ftp->final_code != 225;
        out->complete_known = true;
    }
}

/* Who stopped a transfer that is not complete, in the roles of the control connection. */
static enum ender find_ender(const struct ftp_transfer *ftp, const struct flow_result *flow,
                             enum direction from_server)
{
    bool refused = ftp->final_code >= 400;
    enum direction end;

    if (ftp->abort.frame != 0)
        return ENDED_BY_CLIENT;
    if (flow && flow->dir[C2S].bytes + flow->dir[S2C].bytes > 0 && transfer_first_stop(flow, &end)) {
        /* All was sent and the server would not have it (552, 451): the FIN stopped nothing. */
        if (refused && ftp->final_code != 426 && !transfer_was_cut_off(flow, end))
            return ENDED_BY_SERVER;
        return end == from_server ? ENDED_BY_SERVER : ENDED_BY_CLIENT;
    }
    return refused && ftp->final_code != 425 ? ENDED_BY_SERVER : ENDED_UNKNOWN;
}

static void fill_phases(const struct ftp_transfer *ftp, const struct flow_result *flow,
                        struct transfer_result *out)
{
    struct phase_list list = {out->phases, 0, out->start_ns};
    const struct direction_result *data = flow ? &flow->dir[out->direction] : NULL;
    int64_t abort = moment_ns(&ftp->abort), final = moment_ns(&ftp->final), end = transfer_bulk_end(out);

    if (flow) {
        phase_until(&list, PHASE_COMMAND, flow->role_known ? flow->start_ns : NS_UNKNOWN);
        phase_until(&list, PHASE_DATA_CONNECT, transfer_handshake_end(flow));
    }
    phase_until(&list, PHASE_COMMAND, ftp->mark.frame != 0 || data ? moment_ns(&ftp->mark) : final);
    if (data && out->bulk_start_ns != NS_UNKNOWN) {
        phase_until(&list, PHASE_OPEN, out->bulk_start_ns);
        phase_until(&list, PHASE_BULK,
                    abort != NS_UNKNOWN && (end == NS_UNKNOWN || abort < end) ? abort : end);
    }
    if (abort != NS_UNKNOWN) {
        phase_until(&list, PHASE_ABORT, final == NS_UNKNOWN || final < end ? end : final);
    } else {
        phase_until(&list, PHASE_TAIL, data && data->fin ? data->fin_ns : NS_UNKNOWN);
        phase_until(&list, PHASE_CLOSE, final);
    }
    out->phase_count = list.count;
}

/* Direction of the data: the verb's, unless all payload went the other way. */
static enum direction data_direction(const struct ftp_transfer *ftp, const struct flow_result *flow,
                                     enum direction from_server)
{
    enum direction dir = from_server;

    if (ftp->verb && (ftp->verb->traits & FTP_RECEIVES) != 0)
        dir = other(from_server);
    if (!flow)
        return dir;
    if (!ftp->verb)
        return flow->dir[other(dir)].bytes > flow->dir[dir].bytes ? other(dir) : dir;
    if (flow->dir[dir].bytes == 0 && flow->dir[other(dir)].bytes > 0)
        return other(dir);
    return dir;
}

void ftp_transfer_result(const struct ftp_dialogue *d, const struct ftp_transfer *ftp,
                       const struct flow_result *flow, struct transfer_result *out)
{
    bool active = ftp->wish.active || (ftp->addressed && !ftp->passive);
    enum direction from_server = active != ftp->wish.callee_is_client ? C2S : S2C;
    int64_t end;

    transfer_clear(out);
    out->protocol = d->ftps ? "ftps" : "ftp";
    out->verb = ftp->verb ? ftp->verb->name : NULL;
    snprintf(out->name, sizeof out->name, "%s", ftp->name ? ftp->name : "");
    out->passive = ftp->passive;
    out->ascii_type = ftp->ascii;
    out->control_flow_id = d->base.flow_id;
    out->direction = data_direction(ftp, flow, from_server);
    if (flow)
        transfer_fill_data(out, flow);
    out->expected_bytes = expected_bytes(ftp, out->bytes);
    out->final_reply = ftp->final_code;
    out->final_reply_frame = ftp->final.frame;
    out->abort_frame = ftp->abort.frame;
    judge_complete(ftp, flow, out);
    if (out->complete_known && !out->complete)
        out->ended_by = find_ender(ftp, flow, from_server);
    out->start_ns = moment_ns(ftp->address.frame != 0 ? &ftp->address : &ftp->command);
    if (out->start_ns == NS_UNKNOWN)
        out->start_ns = flow ? flow->start_ns : 0;
    end = transfer_bulk_end(out);
    transfer_fill_duration(out, end != NS_UNKNOWN ? end : moment_ns(&ftp->final));
    fill_phases(ftp, flow, out);
}
