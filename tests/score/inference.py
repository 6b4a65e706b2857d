"""Everything inferred of one bulk flow at one point, against the truth.

A row of this table is a flow of at least 50 segments whose sender the kernel recorded."""
from dataclasses import dataclass

import causes
import cwnd
import kernel
import limits
import oscillation
import paths

FAMILY_LEAST_S = 10
FAMILY_LEAST_FALLS = 3
SILENT_FAMILIES = {"unknown", "loss_based", None}


@dataclass
class Inference:
    row: object
    window: cwnd.Error
    window_ok: object          # True, False or None: nothing to judge
    initial: tuple             # (ours, truth, ok); ours and truth in segments
    ssthresh: tuple
    decreases: tuple           # texts "loss+timeout+ecn"
    sawtooth: dict             # oscillation.judge
    family: str                # "right", "silent" or "wrong"
    family_named: str
    family_due: bool           # a run long enough to be named
    rwnd_points: float
    construction: tuple        # limits.construction
    legs: tuple                # ((client, server), truth, ok) in ms
    queue: tuple               # (ours, truth, ok) in ms
    verdict: str               # causes.judge


def near_segment(ours_bytes, truth, mss):
    """(ours, truth, ok) in segments; None for ours is silent and not ok where there is a truth."""
    ours = ours_bytes / mss if ours_bytes is not None and mss else None
    if truth is None:
        return ours, truth, None
    return ours, truth, ours is not None and abs(ours - truth) <= 1


def judge_ssthresh(ours_bytes, samples, mss):
    """Where the kernel's is infinite, at the end, any number of ours is wrong."""
    last = samples.snd_ssthresh[-1]
    if last < kernel.INFINITE_SSTHRESH:
        return near_segment(ours_bytes, last, mss)
    return (ours_bytes / mss, "none", False) if ours_bytes is not None else (None, None, None)


def compare_decreases(row, samples):
    truth = cwnd.decreases(samples)
    ours = row.direction.get("decreases")
    want = "+".join(str(truth[k]) for k in ("loss", "timeout", "ecn"))
    if row.flow.sender["cc"] not in cwnd.LOSS_BASED:
        return None, want, None
    if not ours:
        return None, want, False if sum(truth.values()) else None
    mine = {k: ours.get(k) or 0 for k in truth}
    got = "+".join(str(mine[k]) for k in ("loss", "timeout", "ecn"))
    return got, want, sum(mine.values()) == sum(truth.values())


def judge_family(row, samples):
    """(right, silent or wrong; the name given; whether the run was long enough to be named)"""
    named = (row.direction.get("congestion_control") or {}).get("family")
    truth = row.flow.sender["cc"]
    due = samples.time[-1] - samples.time[0] >= FAMILY_LEAST_S and \
        (truth == "bbr" or len(kernel.falls(samples)) >= FAMILY_LEAST_FALLS)
    if named in SILENT_FAMILIES:
        return "silent", named, due
    return ("right" if named == truth else "wrong"), named, due


def judge_legs(row):
    at = row.report["vantage"]
    ours, truth = (at["client_leg_ms"], at["server_leg_ms"]), paths.legs_ms(row)
    least = row.flow.sender["rtt_ms"]["kernel_min"]
    if not paths.near(least, sum(truth), paths.RTT_SHARE, paths.RTT_LEAST_MS):
        return ours, truth, None  # the path was never empty while this flow was there
    ok = all(paths.near(o, t, paths.RTT_SHARE, paths.RTT_LEAST_MS) for o, t in zip(ours, truth))
    return ours, truth, ok


def judge_queue(row, truth):
    ours = row.direction["queue_ms"]["p50"]
    if truth is None or truth < paths.QUEUE_JUDGED_MS:
        return ours, truth, None
    return ours, truth, paths.near(ours, truth, paths.QUEUE_SHARE, paths.QUEUE_LEAST_MS)


def of_row(row):
    """The Inference of a row (measures.Row), or None where nothing is to be inferred."""
    samples = row.samples
    if samples is None or row.flow.bytes_sent < causes.TOO_SHORT_SEGMENTS * samples.mss:
        return None
    loss_based = row.flow.sender["cc"] in cwnd.LOSS_BASED
    error = cwnd.compare(row, samples) if loss_based else None
    timestamps = bool(row.direction["timestamps"])
    window = row.direction["cwnd_bytes"] or {}
    mss = row.direction["smss"]
    family, named, due = judge_family(row, samples)
    return Inference(
        row=row, window=error, window_ok=cwnd.good(error, timestamps),
        initial=near_segment(window.get("initial"), cwnd.initial_window(samples), mss),
        ssthresh=judge_ssthresh(window.get("ssthresh"), samples, mss) if loss_based else
        (None, None, None),
        decreases=compare_decreases(row, samples),
        sawtooth=oscillation.judge(row, samples),
        family=family, family_named=named, family_due=due,
        rwnd_points=limits.rwnd_points(row),
        construction=limits.construction(row, samples),
        legs=judge_legs(row), queue=judge_queue(row, samples.queue_ms),
        verdict=causes.judge(row))


def says_wrong(r):
    """Whether something stated of the row is not so; what is silent is not wrong."""
    stated = [r.initial, r.ssthresh, r.decreases, r.queue, *r.sawtooth.values()]
    return r.family == "wrong" or r.verdict == "wrong" or \
        (r.window_ok is False and r.window.median is not None) or \
        any(ok is False and ours is not None for ours, _, ok in stated)


def listed(inferred, most):
    """Lines of the table; of a longer run only those with something wrong."""
    if len(inferred) > most:
        inferred = [r for r in inferred if says_wrong(r)]
    return [HEAD] + [columns(r) for r in inferred]


def text(value, digits):
    return "-" if value is None else "%.*f" % (digits, value)


def pair(cell, digits):
    """"ours (truth) mark" of a (ours, truth, ok)."""
    ours, truth, ok = cell
    mark = {True: " OK", False: " BAD", None: ""}[ok]
    mine, want = (v if isinstance(v, str) else text(v, digits) for v in (ours, truth))
    return mine + mark if mine == want else "%s (%s)%s" % (mine, want, mark)


HEAD = ["case", "at", "cc", "ts", "cwnd error MSS", "%", "in interval %", "points", "IW",
        "ssthresh", "decreases", "cycles", "period s", "beta", "family", "rwnd points",
        "by construction", "queue ms", "cause"]


def columns(r):
    """A line of the table: titles are HEAD."""
    w = r.window
    mark = {True: " OK", False: " BAD", None: ""}[r.window_ok]
    error = "-" if w is None or w.median is None else "%.2f / %.2f%s" % (w.median, w.p95, mark)
    share = "-" if w is None or w.median is None else "%.1f / %.1f" % (w.median_pct, w.p95_pct)
    built = "-"
    if r.construction:
        built = "%s %.2f (%.2f)" % r.construction[:3]
    timestamps = "yes" if r.row.direction["timestamps"] else "no"
    return [r.row.case.name, r.row.point, r.row.flow.sender["cc"], timestamps,
            error, share, text(w and w.inside_pct, 0), str(w.points) if w else "-",
            pair(r.initial, 0), pair(r.ssthresh, 1), pair(r.decreases, 0),
            pair(r.sawtooth["cycles"], 0), pair(r.sawtooth["period"], 2),
            pair(r.sawtooth["beta"], 2), r.family_named or "-", text(r.rwnd_points, 1), built,
            pair(r.queue, 1), "%s %s" % (r.row.verdict["cause"], r.verdict) if r.verdict else "-"]
