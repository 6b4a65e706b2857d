"""The window's sawtooth: ours against the kernel's.

Falls are the kernel's entries into CWR, recovery or loss from the open or disordered state.  The
fall that ended the first slow start (no ssthresh before) is left out.  Then: a cycle runs from one
fall to the next, so n falls make n - 1 cycles; the period is the mean time between them; peak is
the mean window at entry, valley the mean ssthresh that the entry set, beta = valley / peak."""
from dataclasses import dataclass

import kernel

LEAST_CYCLES = 2      # below that there is nothing periodic to judge
PERIOD_SHARE = 0.05
BETA_WITHIN = 0.05


@dataclass
class Sawtooth:
    cycles: int
    period_s: float
    peak: float    # segments
    valley: float
    beta: float


def of_kernel(samples):
    falls = [f for f in kernel.falls(samples) if not f.slow_start]
    if not falls:
        return Sawtooth(0, None, None, None, None)
    peak = sum(f.peak for f in falls) / len(falls)
    valley = sum(f.ssthresh for f in falls) / len(falls)
    period = (falls[-1].time - falls[0].time) / (len(falls) - 1) if len(falls) > 1 else None
    return Sawtooth(len(falls) - 1, period, peak, valley, valley / peak)


def judge(row, samples):
    """{"cycles", "period", "beta"} -> (ours, truth, ok); ok None with nothing to judge."""
    truth = of_kernel(samples)
    ours = row.direction.get("oscillation") or {}
    judged = truth.cycles >= LEAST_CYCLES and row.flow.sender["cc"] in ("reno", "cubic")

    def one(key, value, within):
        mine = ours.get(key)
        if not judged:
            return mine, value, None
        return mine, value, mine is not None and abs(mine - value) <= within
    return {"cycles": one("cycles", truth.cycles, 0),
            "period": one("period_s", truth.period_s, PERIOD_SHARE * (truth.period_s or 0)),
            "beta": one("beta", truth.beta, BETA_WITHIN)}
