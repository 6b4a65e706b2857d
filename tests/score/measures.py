"""The measures: for one data flow at one capture point, ours against the truth.

Each function returns a Cell; `ok` is True or False, or None where nothing can be said."""
from dataclasses import dataclass

import causes
import limits

@dataclass
class Cell:
    ours: str
    truth: str
    ok: object  # True, False or None


@dataclass
class Row:
    """One data flow at one point, with what the program said of it (None: it has no such flow)."""
    case: object
    point: str
    flow: object       # truth.DataFlow
    report: dict       # the flow in the report
    direction: dict    # its c2s or s2c
    verdict: dict
    mangled: bool
    capture_start_s: float = 0.0  # Unix time of the capture's first packet
    samples: object = None        # kernel.Samples of the sender, None where there are none

    @property
    def base_point(self):
        return self.point.split("-")[0]


def show(value, digits=None):
    if value is None:
        return "-"
    return str(value) if digits is None else "%.*f" % (digits, value)


def compare(ours, truth, ok, digits=None):
    return Cell(show(ours, digits), show(truth, digits), ok)


def missing(row):
    return row.mangled and "missing" in row.point


def unseen(row):
    """Whether the tap cannot know each resend: records are missing, or large packets never pass
    it and are cut smaller for the resend (which the emulator then counts as needless)."""
    return missing(row) or "dropmin" in row.case.doc["link"]


def retransmitted(row):
    ours, truth = row.direction["retransmitted_segments"], row.flow.sender["total_retrans"]
    return compare(ours, truth, None if unseen(row) else ours == truth)


def spurious(row):
    ours = row.direction["spurious_retransmissions"]
    return compare(ours, row.flow.spurious, None if unseen(row) else ours == row.flow.spurious)


def rtt_min(row):
    ours = row.direction["rtt_ms"]["min"] if row.direction["rtt_ms"] else None
    truth = row.flow.sender["rtt_ms"]["kernel_min"]
    if truth is None:
        return compare(ours, truth, None, 2)
    ok = ours is not None and abs(ours - truth) <= max(0.3, 0.01 * truth)
    return compare(ours, truth, ok, 2)


def stream_bytes(row):
    ours = row.direction["bytes"]
    if missing(row):
        ours += row.direction["gap_bytes"]
    low, high = row.flow.bytes_acked, row.flow.bytes_sent
    # the last sample of a connection that is reset is a millisecond old; the receiver had more
    high = max(high, row.flow.receiver.get("bytes_received", 0))
    text = str(low) if low == high else "%d-%d" % (low, high)
    return Cell(str(ours), text, low <= ours <= high)


def reordered(row):
    ours = row.direction["reordered_segments"]
    seen = row.base_point != row.flow.side  # the emulator reorders behind the sender's tap
    truth = row.flow.reordered if seen else 0
    # the emulator counts what it held back; the last of a burst is overtaken by nothing
    return compare(ours, truth, None if row.base_point == "m" and truth else
                   truth - max(1, truth // 10) <= ours <= truth if truth else ours == 0)


def zero_window(row):
    truth = row.flow.receiver.get("own_window", {}).get("zero_seconds")
    ours = row.direction["zero_window_s"]
    if truth is None or ours is None:
        return compare(ours, truth, None, 3)
    return compare(ours, truth, abs(ours - truth) <= max(0.02 * truth, 0.002), 3)


def window_max(row):
    ours = (row.direction["rwnd_bytes"] or {}).get("max")
    # the sender's record also holds the unscaled window of the SYN, the receiver's may be larger
    # than the field can say
    own = row.flow.receiver.get("own_window") or row.flow.sender["peer_window"]
    truth = min(own["max"], row.flow.sender["peer_window"]["max"])
    unit = 1 << row.flow.sender["wscale_peer"]
    of_the_syn = truth <= 65535 and unit > 1 and truth % unit != 0
    return compare(ours, truth, ours == truth or (of_the_syn and truth - 2 * unit < (ours or 0) <= truth))


def scale(row):
    ours, truth = row.direction["window_scale"], row.flow.sender["wscale_peer"]
    return compare(ours, truth, ours == truth)


def vantage(row):
    """Host A is the client's, but an active FTP data connection comes from the server's host."""
    ours, truth = row.report["vantage"]["position"], "middle"
    if row.base_point != "m":
        at_sender = row.base_point == row.flow.side
        by_client = row.direction is row.report["c2s"]
        truth = "client" if at_sender == by_client else "server"
    return compare(ours, truth, ours == truth)


def limits_sum(row):
    """The owners' times against the elapsed time: first data to last acknowledgment."""
    total = sum(v or 0 for v in (row.direction["limits_s"] or {}).values())
    elapsed = row.direction.get("elapsed_s")
    if elapsed is None:  # at least no more than the flow with a round trip at either end
        rtt = (row.flow.sender["rtt_ms"]["kernel_min"] or 0) / 1000
        return compare(total, row.report["duration_s"],
                       0 <= total <= row.report["duration_s"] + 2 * rtt, 3)
    return compare(total, elapsed, abs(total - elapsed) <= 2e-6 + 1e-9 * elapsed, 3)


def verdict(row):
    judged = causes.judge(row)
    ours = row.verdict["cause"] if row.verdict else "-"
    return Cell(ours, row.case.cause, {"right": True, "wrong": False}.get(judged))


def rwnd_share(row):
    """For information: the window's part of the kernel's busy time, ours and the kernel's."""
    points, times = limits.rwnd_points(row), row.flow.sender["limits_us"]
    if points is None:
        return Cell("-", "-", None)
    truth = 100 * times["rwnd"] / times["busy"]
    return compare(truth + points, truth, None, 0)


# Column title, function, whether a wrong value fails the run.
MEASURES = [
    ("retrans", retransmitted, True),
    ("spurious", spurious, True),
    ("rtt min ms", rtt_min, True),
    ("bytes", stream_bytes, True),
    ("reordered", reordered, True),
    ("zero-win s", zero_window, True),
    ("window max", window_max, True),
    ("scale", scale, True),
    ("vantage", vantage, True),
    ("limits s", limits_sum, True),
    ("cause", verdict, True),
    ("rwnd %", rwnd_share, False),
]
