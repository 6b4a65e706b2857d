"""Where the time went: ours against the kernel's counters and the case's construction."""
import kernel

RWND_POINTS = 3.0
RIGHT_SHARE = 95.0
# Cases built so that the sender's program, or its socket buffer, is the limit.
APP_CAUSES = {"sender-application", "sender_slow", "paced_sender"}
SEND_BUFFER_CAUSES = {"send-buffer", "send_buffer"}


def seconds(row, *names):
    limits = row.direction["limits_s"] or {}
    return sum(limits.get(name) or 0 for name in names)


def rwnd_points(row):
    """Ours minus the kernel's rwnd-limited time, in percent of the kernel's busy time; None where
    it was not busy."""
    times = row.flow.sender["limits_us"]
    if not times["busy"]:
        return None
    return 100 * (seconds(row, "rwnd", "zero_window") * 1e6 - times["rwnd"]) / times["busy"]


def sending(samples):
    """Indices from the first sample with data outstanding to the last one with data unsent or
    with a write to come: the time from first to last departure."""
    first = next((i for i in range(len(samples)) if samples.unacked[i]), None)
    last = next((i for i in range(len(samples) - 1, 0, -1)
                 if samples.wqueue[i] > samples.wqueue[i - 1]), None)
    return range(first, last) if first is not None and last is not None else range(0)


def idle_s(samples):
    """Seconds, between the first departure and the last write, without a full segment waiting to
    be sent: the program had written no more (a rest that Nagle's rule holds back is no more)."""
    return sum(samples.span(i) for i in sending(samples)
               if samples.unsent(i) < samples.mss and samples.ca_state[i] <= kernel.DISORDER)


def buffer_full_s(samples):
    """Seconds, between the first departure and the last write, with all or nearly all of the
    written data sent and both windows further away.  The program of such a case never pauses, so
    it is its socket's buffer that has no room for more."""
    total = 0.0
    for i in sending(samples):
        sent = samples.unacked[i] * samples.mss
        if samples.unsent(i) <= samples.mss and 0 < samples.unacked[i] < samples.snd_cwnd[i] and \
                sent + samples.mss <= samples.snd_wnd[i]:
            total += samples.span(i)
    return total


def agreement(ours, truth):
    """Percent of the true time that ours gives right; what is over counts as much as what lacks."""
    return max(0.0, 100 * (1 - abs(ours - truth) / truth)) if truth else None


def construction(row, samples):
    """(name, ours s, truth s, percent right) where the case says who was to hold the sender."""
    if row.case.cause in APP_CAUSES:
        ours, truth = seconds(row, "app", "nagle"), idle_s(samples)
        return "app", ours, truth, agreement(ours, truth)
    if row.case.cause in SEND_BUFFER_CAUSES:
        ours, truth = seconds(row, "send_buffer"), buffer_full_s(samples)
        return "send_buffer", ours, truth, agreement(ours, truth)
    return None
