"""The kernel's own record of a sending socket: tcp_info over time, congestion-state entries.

Two forms: NAME.cwnd.csv beside a shared case (main flow only, a row per change or 0.1 s), and
a-tcp.csv / b-tcp.csv of a lab run (every socket, a row per millisecond)."""
import csv
import os
import re
from dataclasses import dataclass, field

OPEN, DISORDER, CWR, RECOVERY, LOSS = range(5)
INFINITE_SSTHRESH = 0x7fffffff
FIELDS = ("snd_cwnd", "snd_ssthresh", "unacked", "snd_wnd", "rtt", "ca_state", "total_retrans",
          "wqueue")
# An established connection of a lab run in any state but SYN-SENT and SYN-RECEIVED (tcp_states.h).
BEFORE_ESTABLISHED = {"2", "3"}


@dataclass
class Samples:
    """Parallel lists, in order of time (Unix seconds); windows of the kernel in segments."""
    mss: int
    time: list = field(default_factory=list)
    snd_cwnd: list = field(default_factory=list)
    snd_ssthresh: list = field(default_factory=list)
    unacked: list = field(default_factory=list)
    snd_wnd: list = field(default_factory=list)
    rtt: list = field(default_factory=list)          # srtt, us
    ca_state: list = field(default_factory=list)
    total_retrans: list = field(default_factory=list)
    wqueue: list = field(default_factory=list)       # bytes not yet acknowledged, sent or not
    entries: list = field(default_factory=list)      # see entries_of
    initial_cwnd: int = 0
    queue_ms: float = None                           # paths.queue_truth_ms

    def __len__(self):
        return len(self.time)

    def unsent(self, i):
        """Bytes that the program has written and the sender has not sent."""
        return max(0, self.wqueue[i] - self.unacked[i] * self.mss)

    def span(self, i):
        """Seconds that sample i stands for."""
        return self.time[i + 1] - self.time[i] if i + 1 < len(self.time) else 0.0


def load(case, flow):
    """The samples of a flow's sender, or None where the case has none of it."""
    path = case.series_path(flow)
    if path is None or not os.path.exists(path):
        return None
    samples = Samples(flow.sender["mss"])
    with open(path, newline="") as f:
        rows = csv.reader(f)
        head = next(rows)
        at = [head.index(name) for name in FIELDS]
        of_flow = None
        if "sport" in head:
            of_flow = [head.index(n) for n in ("src", "sport", "dst", "dport", "state")]
        want = [str(k) for k in flow.key]
        rtt_at, cwnd_at = head.index("rtt"), head.index("snd_cwnd")
        for row in rows:
            if len(row) < len(head):
                continue  # the last line, cut short
            if of_flow is not None:
                if [row[k] for k in of_flow[:4]] != want or row[of_flow[4]] in BEFORE_ESTABLISHED:
                    continue
            samples.initial_cwnd = samples.initial_cwnd or int(row[cwnd_at])
            if of_flow is None and row[rtt_at] == "0":
                continue
            samples.time.append(float(row[0]))
            for name, k in zip(FIELDS, at):
                getattr(samples, name).append(int(row[k]))
    if not samples.time:
        return None
    samples.entries = traced_entries(case, flow) or sampled_entries(samples)
    return samples


def traced_entries(case, flow):
    """Entries into CWR, recovery and loss as the kernel's tracepoint reported them; a state set
    again (a repeated time-out) is one entry.  Empty where there is no trace."""
    path = os.path.join(case.folder, "kernel-trace.txt")
    if not case.live or not os.path.exists(path):
        return []
    family = "v6" if ":" in flow.key[0] else ""
    want = re.compile(r"\s(\d+\.\d+): tcp_cong_state_set: .*sport=%d dport=%d .*saddr%s=%s "
                      r".*daddr%s=%s.* cong_state=(\d)" %
                      (flow.key[1], flow.key[3], family, re.escape(flow.key[0]), family,
                       re.escape(flow.key[2])))
    states = []
    with open(path) as f:
        for line in f:
            found = want.search(line)
            if found:
                states.append((float(found[1]) + case.clock_offset_s, int(found[2])))
    return entries_of(states)


def sampled_entries(samples):
    return entries_of(zip(samples.time, samples.ca_state))


def entries_of(states):
    """(time, state, whether it began from the open or disordered state) of each entry."""
    out, was = [], OPEN
    for when, now in states:
        if now >= CWR and now != was:
            out.append((when, now, was < CWR))
        was = now
    return out


@dataclass
class Fall:
    """One fall of the window; recovery that turned into a time-out is one fall."""
    time: float
    state: int       # CWR, RECOVERY or LOSS
    peak: int        # snd_cwnd at entry
    ssthresh: int    # that the entry set
    slow_start: bool # no ssthresh had been set before


def falls(samples):
    out, i = [], 0
    for when, state, fresh in samples.entries:
        if not fresh:
            continue
        while i + 1 < len(samples) and samples.time[i + 1] < when:
            i += 1
        was = i  # the probe's clock reading may lie a little before what it then read
        while was > 0 and samples.ca_state[was] >= CWR and when - samples.time[was] < 0.003:
            was -= 1
        if samples.ca_state[was] < CWR:
            i = was
        peak = samples.snd_cwnd[i]
        if samples.ca_state[i] >= CWR:  # the probe missed the short time between two recoveries
            peak = max(peak, samples.snd_ssthresh[i])
        after = min(i + 1, len(samples) - 1)
        while after + 1 < len(samples) and samples.ca_state[after] < CWR and \
                samples.time[after + 1] - when < 0.003:
            after += 1
        while after + 1 < len(samples) and samples.time[after + 1] == samples.time[after]:
            after += 1  # a simulator writes a row for each value that changes
        out.append(Fall(when, state, peak, samples.snd_ssthresh[after],
                        samples.snd_ssthresh[i] >= INFINITE_SSTHRESH))
    return out
