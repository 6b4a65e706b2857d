#include "analysis/session/ftp.h"

#include "analysis/session/phases.h"
#include "analysis/session/session_list.h"

/* Round trip of the control connection; NS_UNKNOWN when nothing shows it. */
static int64_t round_trip(const struct flow_result *control)
{
    if (control->handshake_rtt_ns != NS_UNKNOWN)
        return control->handshake_rtt_ns;
    return control->dir[C2S].rtt.samples > 0 ? control->dir[C2S].rtt.min_ns : NS_UNKNOWN;
}

/* What the server took to answer: at the capture a reply comes one round trip to the server and
 * the server's time after the command. */
static int64_t think_ns(const struct ftp_dialogue *d, const struct flow_result *control)
{
    int64_t leg = control->server_leg_ns != NS_UNKNOWN ? control->server_leg_ns
                                                       : round_trip(control);
    double trips = leg > 0 ? (double)leg * (double)d->reply_round_trips : 0;

    return (double)d->reply_ns > trips ? d->reply_ns - (int64_t)trips : 0;
}

static void fill_turns(const struct ftp_dialogue *d, const struct flow_result *control,
                       struct session_result *out)
{
    int64_t span = span_ns(out->start_ns, out->end_ns), rtt = round_trip(control);
    double share;

    out->turns = d->turns;
    out->turns_per_s = -1;
    out->rtt_share_pct = -1;
    out->turn_bytes_mean = d->turns > 0 ? (double)d->turn_bytes / (double)d->turns : -1;
    if (span == NS_UNKNOWN || span == 0)
        return;
    out->turns_per_s = (double)d->turns * 1e9 / (double)span;
    if (rtt == NS_UNKNOWN || rtt < 0)
        return;
    share = (double)d->turns / 2 * (double)rtt / (double)span * 100;
    out->rtt_share_pct = share < 100 ? share : 100;
}

/* connect, greeting, login, and the rest of the dialogue. */
static void fill_phases(const struct ftp_dialogue *d, const struct flow_result *control,
                        struct session_result *out)
{
    struct phase_list list = {out->phases, 0, control->start_ns};

    if (d->base.lookup.duration_ns != NS_UNKNOWN)
        out->phases[list.count++] = d->base.lookup;
    if (control->role_known) {
        phase_until(&list, PHASE_CONNECT, later_ns(control->start_ns, control->handshake_rtt_ns));
        phase_until(&list, PHASE_GREETING, moment_ns(&d->greeting));
    }
    if (d->login_to.frame != 0) {
        if (d->first_command.frame != d->login_from.frame) /* FEAT, AUTH and the like */
            phase_until(&list, PHASE_COMMAND, moment_ns(&d->login_from));
        phase_until(&list, PHASE_LOGIN, moment_ns(&d->login_to));
    }
    phase_until(&list, PHASE_COMMAND, moment_ns(&d->last_reply));
    out->phase_count = list.count;
}

static void fill_session(const struct ftp_dialogue *d, const struct flow_result *control,
                         struct session_result *out)
{
    *out = (struct session_result){
        .id = out->id,
        .protocol = d->ftps ? "ftps" : "ftp",
        .client = d->base.client,
        .server = d->base.server,
        .control_flow_id = d->base.flow_id,
        .user = d->user,
        .think_ns = think_ns(d, control),
        .start_ns = control->start_ns,
        .end_ns = control->end_ns,
        .command_count = d->log.count,
        .commands = d->log.lines,
    };
    fill_turns(d, control, out);
    fill_phases(d, control, out);
}

/* A data connection without a command counts as a transfer only when it carried something. */
static bool is_transfer(const struct ftp_transfer *ftp, const struct flow_result *flow)
{
    return ftp->verb || (flow && flow->dir[C2S].bytes + flow->dir[S2C].bytes > 0);
}

static void list_transfer(const struct ftp_dialogue *d, const struct ftp_transfer *ftp,
                          uint64_t session_id, struct session_list *list,
                          const struct flow_source *flows)
{
    struct flow_result flow;
    bool seen = ftp->wish.flow_id != 0;

    if (seen) {
        flows->lookup(flows->context, ftp->wish.flow_id, &flow);
        session_list_own(list, ftp->wish.flow_id, session_id);
    }
    if (!is_transfer(ftp, seen ? &flow : NULL))
        return;
    struct transfer_result *transfer = session_list_add_transfer(list);
    ftp_transfer_result(d, ftp, seen ? &flow : NULL, transfer);
    transfer->session_id = session_id;
}

void ftp_list(const struct dialogue *base, struct session_list *list,
              const struct flow_source *flows)
{
    const struct ftp_dialogue *d = (const struct ftp_dialogue *)base;
    struct flow_result control;

    flows->lookup(flows->context, base->flow_id, &control);
    struct session_result *session = session_list_add_session(list, base->flow_id);
    uint64_t id = session->id;
    fill_session(d, &control, session);
    for (size_t i = 0; i < d->transfer_count; i++)
        list_transfer(d, d->transfers[i], id, list, flows);
}
