#include "analysis/session/session.h"

#include "analysis/session/phases.h"

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

    if (d->lookup.duration_ns != NS_UNKNOWN)
        out->phases[list.count++] = d->lookup;
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

void session_from_ftp(const struct ftp_dialogue *d, const struct flow_result *control,
                      struct session_result *out)
{
    *out = (struct session_result){
        .protocol = d->ftps ? "ftps" : "ftp",
        .client = d->client,
        .server = d->server,
        .control_flow_id = d->flow_id,
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
