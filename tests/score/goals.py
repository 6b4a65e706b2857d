"""The goals of the work order, each with our figure: met, not met, or nothing to judge.

Rows of mangled captures are left out."""
from dataclasses import dataclass

import cwnd
import limits
from truth import POINTS


@dataclass
class Goal:
    name: str
    figure: str
    goal: str
    met: object  # True, False or None: nothing to judge


def counted(name, marks, least_pct, goal=None):
    """marks: True, False, or None for not judged."""
    right, judged = marks.count(True), len(marks) - marks.count(None)
    figure = "%d of %d" % (right, judged) if judged else "-"
    return Goal(name, figure, goal or ("all" if least_pct == 100 else ">= %g %%" % least_pct),
                100 * right >= least_pct * judged if judged else None)


def spoken(name, cells, goal):
    """Cells of (ours, truth, ok): right, silent (no value of ours) and wrong."""
    judged = [c for c in cells if c[2] is not None]
    silent = sum(c[0] is None for c in judged)
    right = sum(c[2] is True for c in judged)
    if not judged:
        return Goal(name, "-", goal, None)
    wrong = len(judged) - right - silent
    return Goal(name, "%d right, %d silent, %d wrong" % (right, silent, wrong), goal,
                right == len(judged))


def window_goal(rows, point, timestamps):
    rows = [r for r in rows if r.row.base_point == point and r.window_ok is not None and
            bool(r.row.direction["timestamps"]) == timestamps]
    name = "cwnd %s timestamps, at %s" % ("with" if timestamps else "without", point)
    goal = "median <= 1 MSS, p95 <= 2 MSS" if timestamps else "median <= 1 MSS or 5 %, p95 <= 15 %"
    if not rows:
        return Goal(name, "-", goal, None)
    spoke = [r for r in rows if r.window.median is not None]
    errors = sorted(e for r in spoke for e in r.window.pooled)
    relative = sorted(e for r in spoke for e in r.window.pooled_pct)
    silent = sum(r.window.silent for r in rows) / sum(r.window.points for r in rows)
    figure = "%d of %d flows; " % (sum(r.window_ok for r in rows), len(rows))
    if not errors:
        return Goal(name, figure + "no estimate", goal, False)
    median, p95 = cwnd.quantile(errors, 0.5), cwnd.quantile(errors, 0.95)
    median_pct, p95_pct = cwnd.quantile(relative, 0.5), cwnd.quantile(relative, 0.95)
    figure += "median %.2f MSS (%.1f %%), p95 %.2f MSS (%.1f %%), silent %.0f %%" % \
        (median, median_pct, p95, p95_pct, 100 * silent)
    met = (median <= 1 and p95 <= 2) if timestamps else \
        ((median <= 1 or median_pct <= 5) and p95_pct <= 15)
    return Goal(name, figure, goal, met and silent < 0.05)


def mangled_windows(inferred):
    """For information: the window from captures that are above offload or lack records."""
    rows = [r for r in inferred if r.row.mangled and r.window_ok is not None]
    errors = sorted(e for r in rows for e in r.window.pooled)
    figure = "-"
    if errors:
        figure = "%d of %d flows; median %.2f MSS, p95 %.2f MSS" % (
            sum(r.window_ok for r in rows), len(rows), cwnd.quantile(errors, 0.5),
            cwnd.quantile(errors, 0.95))
    return Goal("cwnd, mangled captures", figure, "for information", None)


def interval_goal(rows, timestamps):
    inside = [(r.window.inside_pct, r.window.points - r.window.silent) for r in rows
              if r.window_ok is not None and r.window.inside_pct is not None and
              bool(r.row.direction["timestamps"]) == timestamps]
    name = "cwnd interval %s timestamps" % ("with" if timestamps else "without")
    points = sum(n for _, n in inside)
    if not points:
        return Goal(name, "-", "holds the truth 95 %", None)
    share = sum(p * n for p, n in inside) / points
    return Goal(name, "%.1f %% of points, worst flow %.0f %%" % (share, min(p for p, _ in inside)),
                "holds the truth 95 %", share >= 95)


def family_goals(rows):
    judged = [r.family for r in rows if r.family]
    named = len(judged) - judged.count("silent")
    long_runs = [r.family for r in rows if r.family and r.family_due]
    due = sum(f != "silent" for f in long_runs)
    wrong = judged.count("wrong")
    return [Goal("family wrong", "%d of %d named" % (wrong, named) if judged else "-",
                 "0", wrong == 0 if judged else None),
            Goal("family named, 10 s and 3 falls",
                 "%d of %d" % (due, len(long_runs)) if long_runs else "-", ">= 90 %",
                 due >= 0.9 * len(long_runs) if long_runs else None)]


def verdict_goals(rows, same):
    judged = [r.verdict for r in rows if r.verdict]
    right, silent, wrong = (judged.count(k) for k in ("right", "silent", "wrong"))
    figure = "%d right, %d silent, %d wrong" % (right, silent, wrong)
    some = bool(judged)
    return [Goal("verdict right", figure if some else "-", ">= 95 %",
                 right >= 0.95 * len(judged) if some else None),
            Goal("verdict wrong", "%.1f %%" % (100 * wrong / len(judged)) if some else "-", "< 1 %",
                 wrong < 0.01 * len(judged) if some else None),
            Goal("same verdict at every point", "%d of %d transfers" % same if same[1] else "-",
                 "all", same[0] == same[1] if same[1] else None)]


def constructed(rows, name):
    found = [r.construction for r in rows if r.construction and r.construction[0] == name and
             r.construction[3] is not None]
    if not found:
        return Goal("limits: %s" % name, "-", ">= 95 % of its time", None)
    good = sum(c[3] >= limits.RIGHT_SHARE for c in found)
    return Goal("limits: %s" % name, "%d of %d flows; worst %.0f %%" %
                (good, len(found), min(c[3] for c in found)), ">= 95 % of its time",
                good == len(found))


def all_goals(inferences, same):
    rows = [r for r in inferences if not r.row.mangled]
    out = [window_goal(rows, p, ts) for ts in (True, False) for p in POINTS]
    out += [mangled_windows(inferences)] + [interval_goal(rows, ts) for ts in (True, False)]
    out.append(spoken("initial window", [r.initial for r in rows], "within 1 MSS"))
    out.append(spoken("last ssthresh", [r.ssthresh for r in rows], "within 1 MSS"))
    out.append(spoken("number of decreases", [r.decreases for r in rows], "equal"))
    for key, goal in (("cycles", "equal"), ("period", "within 5 %"), ("beta", "within 0.05")):
        out.append(spoken("oscillation: " + key, [r.sawtooth[key] for r in rows], goal))
    out += family_goals(rows)
    out.append(counted("limits: rwnd", [None if r.rwnd_points is None else
                                        abs(r.rwnd_points) <= limits.RWND_POINTS for r in rows],
                       100, "within 3 points"))
    out += [constructed(rows, "app"), constructed(rows, "send_buffer")]
    out += verdict_goals(rows, same)
    out.append(counted("RTT of both legs", [r.legs[2] for r in rows], 99,
                       "within 5 % or 1 ms at 99 %"))
    out.append(spoken("queue delay", [r.queue for r in rows], "within 10 % or 1 ms"))
    return out


def met_text(goal):
    return {True: "met", False: "NOT MET", None: "not judged"}[goal.met]


def print_text(goals, out):
    width = max(len(g.name) for g in goals)
    figure = max(len(g.figure) for g in goals)
    for g in goals:
        out.write("%s  %s  %s (goal: %s)\n" %
                  (g.name.ljust(width), g.figure.ljust(figure), met_text(g), g.goal))


def markdown(goals):
    return ["| goal | figure | wanted | |", "|---|---|---|---|"] + \
        ["| %s | %s | %s | %s |" % (g.name, g.figure, g.goal, met_text(g)) for g in goals]
