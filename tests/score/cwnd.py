"""Our congestion window against the kernel's, at the kernel's sampled times.

The kernel's window is compared while it is the limit: outside recovery (open or disordered), as
much outstanding as it allows (2 segments more or less), the receiver's window further away, and
data waiting to be sent.  Ours is direction["cwnd_series"] of --series: rows {t_s, low, estimate, high};
between two rows a rise is read linearly (a window grows with every acknowledgment, a row stands
for a round trip), a fall happens at its row.

Time: rows are at the replay's clock, which is the time at which data would pass the tap on an
empty path.  So the path from the sender to the tap, empty, is subtracted; the truth's link says
how long it is (paths.to_tap_s)."""
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

import kernel
import paths

# The probe looks every millisecond and a timestamp's tick is one: the kernel's value is a range.
SLACK_S = 0.002
# What the probe read may be that much younger than the clock it read before.
PROBE_S = 0.001
NEAR_SEGMENTS = 2
MOST_POINTS = 4000
LEAST_POINTS = 20
POOLED = 400  # errors that a flow gives to the figure over all flows
LOSS_BASED = ("reno", "cubic")


@dataclass
class Error:
    """Distribution of |ours - kernel's| of one flow at one point."""
    points: int = 0
    silent: int = 0          # points for which we have no estimate
    median: float = None     # segments
    p95: float = None
    median_pct: float = None # of the kernel's window
    p95_pct: float = None
    inside_pct: float = None # of points with the truth in our interval; None without intervals
    bias: float = None       # median of ours - kernel's, segments
    pooled: list = field(default_factory=list)      # some of the errors, segments
    pooled_pct: list = field(default_factory=list)


def limited(samples, i):
    """Whether at sample i the congestion window is what holds the sender."""
    cwnd, unacked = samples.snd_cwnd[i], samples.unacked[i]
    if samples.ca_state[i] > kernel.DISORDER or unacked == 0 or abs(unacked - cwnd) > NEAR_SEGMENTS:
        return False
    room = samples.snd_wnd[i] - unacked * samples.mss
    return room >= 2 * samples.mss and samples.unsent(i) >= samples.mss


def rows_of(direction):
    """Our series as (t_s, low, estimate, high), bytes or None."""
    series = direction.get("cwnd_series")
    if series:
        at = [series["columns"].index(c)
              for c in ("t_s", "low_bytes", "estimate_bytes", "high_bytes")]
        return [tuple(row[k] for k in at) for row in series["rows"]]
    series = direction.get("series")
    if not series:
        return []
    t, w = series["columns"].index("t_s"), series["columns"].index("cwnd_bytes")
    half = series["bucket_s"] / 2
    return [(row[t] + half, None, row[w], None) for row in series["rows"]]


def between(a, b, x):
    """A rise from a to b read at x in 0..1; a fall, or one unknown value, is a step."""
    if a is None or b is None or b < a:
        return a
    return a + (b - a) * x


def at_time(rows, times, t):
    """(low, estimate, high) at a time, or None before the first row."""
    i = bisect_right(times, t) - 1
    if i < 0:
        return None
    if i + 1 == len(rows):
        return rows[i][1:]
    x = (t - times[i]) / (times[i + 1] - times[i]) if times[i + 1] > times[i] else 0
    return tuple(between(rows[i][k], rows[i + 1][k], x) for k in (1, 2, 3))


def quantile(ordered, share):
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def apart(value, least, most):
    """How far a value lies outside a range."""
    return max(least - value, value - most, 0)


def compare(row, samples):
    """The Error of a row (measures.Row)."""
    chosen = [i for i in range(len(samples)) if limited(samples, i)]
    chosen = chosen[::max(1, len(chosen) // MOST_POINTS)]
    out = Error(points=len(chosen))
    ours = rows_of(row.direction)
    shift = row.capture_start_s - paths.to_tap_s(row)
    times = [r[0] + shift for r in ours]
    mss = row.direction["smss"] or samples.mss
    errors, relative, signed, inside, intervals = [], [], [], 0, 0
    for i in chosen:
        t = samples.time[i]
        found = at_time(ours, times, t)
        if found is None or found[1] is None:
            out.silent += 1
            continue
        from_i = min(bisect_left(samples.time, t - SLACK_S), i)
        near = samples.snd_cwnd[from_i:bisect_right(samples.time, t + SLACK_S)]
        least, most = min(near), max(near)
        found = min(found, at_time(ours, times, t + PROBE_S),
                    key=lambda f: apart(f[1] / mss, least, most) if f[1] is not None else 1e9)
        miss = apart(found[1] / mss, least, most)
        errors.append(miss)
        relative.append(100 * miss / samples.snd_cwnd[i])
        signed.append(found[1] / mss - samples.snd_cwnd[i])
        if found[0] is not None and found[2] is not None:
            intervals += 1
            inside += found[0] <= most * mss and found[2] >= least * mss
    step = max(1, len(errors) // POOLED)
    out.pooled, out.pooled_pct = errors[::step], relative[::step]
    errors.sort()
    relative.sort()
    signed.sort()
    out.median, out.p95 = quantile(errors, 0.5), quantile(errors, 0.95)
    out.median_pct, out.p95_pct = quantile(relative, 0.5), quantile(relative, 0.95)
    out.bias = quantile(signed, 0.5)
    out.inside_pct = 100 * inside / intervals if intervals else None
    return out


def good(error, timestamps):
    """Whether the goal of the work order is met; None with too few points to say."""
    if error is None or error.points < LEAST_POINTS:
        return None
    if error.median is None or error.silent > error.points / 2:
        return False
    if timestamps:
        return error.median <= 1 and error.p95 <= 2
    return (error.median <= 1 or error.median_pct <= 5) and error.p95_pct <= 15


def initial_window(samples):
    """Segments of the first window where the first flight filled it, or None."""
    first = samples.initial_cwnd
    for i in range(len(samples)):
        if samples.unacked[i] >= first:
            return first
        if samples.snd_cwnd[i] != first or samples.ca_state[i] > kernel.DISORDER:
            return None
    return None


def idle_falls(samples):
    """Falls of the window outside recovery with nothing outstanding before: restarts after idle."""
    return sum(samples.snd_cwnd[i] < samples.snd_cwnd[i - 1] and samples.unacked[i - 1] == 0 and
               max(samples.ca_state[i - 1:i + 1]) <= kernel.DISORDER
               for i in range(1, len(samples)))


def decreases(samples):
    """How often the window fell: by loss (recovery), time-out, and congestion mark; a probe that
    found the tail lost enters CWR too, but without a mark: it is a loss."""
    out = {"loss": 0, "timeout": 0, "ecn": 0}
    for _, state, _ in samples.entries:
        out[{kernel.LOSS: "timeout", kernel.CWR: "ecn"}.get(state, "loss")] += 1
    return out
