#!/usr/bin/env python3
"""Score the program against captures whose truth is known.

  score.py PROGRAM [--folder DIR] [--case NAME] [--smoke] [--write FILE]
  score.py PROGRAM --simulate [--cases PREFIX,...] [--keep DIR]
  score.py PROGRAM --live [--cases PREFIX,...] [--seeds 1,2,3] [--vary] [--jobs N] [--keep DIR]

Exit status: 0 all measures that must hold do; 1 one does not; 77 there is nothing to score here.
"""
import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import tempfile

import goals
import inference
import kernel
import live
import measures
import paths
import simulate
import table
import truth

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(os.path.dirname(ROOT), "shared")
SMOKE = ["ftp-get-window", "receiver-slow", "loss"]
LEAST_SEGMENTS = 50  # of a flow whose window is looked at


def analyse(program, capture):
    """The program's report on a capture; raises RuntimeError with one line when there is none."""
    run = subprocess.run([program, "-r", capture, "--json", "--series"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=120)
    if run.returncode != 0:
        raise RuntimeError("%s: exit status %d: %s" % (capture, run.returncode, run.stderr.strip()))
    return json.loads(run.stdout)


def find_direction(report, key):
    """The reported flow and its direction for sender and receiver of a key, or (None, None)."""
    sender, receiver = key[:2], key[2:]
    for flow in report["flows"]:
        client = (flow["client"]["addr"], flow["client"]["port"])
        server = (flow["server"]["addr"], flow["server"]["port"])
        if (sender, receiver) == (client, server):
            return flow, flow["c2s"]
        if (sender, receiver) == (server, client):
            return flow, flow["s2c"]
    return None, None


def find_verdict(report, flow, direction):
    name = "c2s" if direction is flow["c2s"] else "s2c"
    for transfer in report["transfers"]:
        if flow["id"] in transfer["flow_ids"] and transfer["direction"] == name:
            return transfer["verdict"]
    return None


def samples_of(case):
    """The kernel's samples of every flow of the case that has them, by key."""
    out = {}
    for flow in case.flows:
        samples = None
        if flow.bytes_sent >= LEAST_SEGMENTS * flow.sender["mss"]:
            samples = kernel.load(case, flow)
        if samples:
            samples.queue_ms = paths.queue_truth_ms(case, samples, flow)
        out[flow.key] = samples
    return out


def start_of(report):
    """Unix time of the capture's first packet."""
    text = report["capture"]["first"].rstrip("Z")
    whole, _, part = text.partition(".")
    at = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return at.timestamp() + float("0." + (part or "0"))


def rows_of(program, case, problems):
    samples = samples_of(case)
    for point, capture in case.captures.items():
        try:
            report = analyse(program, capture)
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
            problems.append(str(error))
            continue
        for flow in case.flows:
            found, direction = find_direction(report, flow.key)
            if found is None:
                problems.append("%s at %s: no flow %s:%d > %s:%d" % (case.name, point, *flow.key))
                continue
            mangled = os.path.basename(capture) in case.mangled
            yield measures.Row(case, point, flow, found, direction,
                               find_verdict(report, found, direction), mangled,
                               start_of(report), samples[flow.key])


def same_verdicts(scored, problems):
    """Number of transfers with one cause at all their points, and of transfers; mangled captures
    are left out."""
    causes = {}
    for row, _ in scored:
        if row.verdict and not row.mangled:
            causes.setdefault((row.case.name, row.flow.key), {})[row.point] = row.verdict["cause"]
    for (name, key), by_point in causes.items():
        if len(set(by_point.values())) > 1:
            problems.append("%s %s:%d: cause differs: %s" %
                            (name, key[0], key[1],
                             ", ".join("%s at %s" % (c, p) for p, c in by_point.items())))
    return sum(len(set(c.values())) == 1 for c in causes.values()), len(causes)


def score(program, folders, options):
    scored, inferred, problems = [], [], []
    for folder in folders:
        for case in truth.load_folder(folder):
            if options.case and case.name not in options.case:
                continue
            for row in rows_of(program, case, problems):
                if case.doc.get("counted", True):
                    scored.append((row, [measure(row) for _, measure, _ in measures.MEASURES]))
                inferred.append(inference.of_row(row))
                row.direction.pop("series", None)  # large in a long capture
                row.direction.pop("cwnd_series", None)
    inferred = [found for found in inferred if found]
    same = same_verdicts(scored, problems)
    reached = goals.all_goals(inferred, same)
    goals.print_text(reached, sys.stdout)
    print()
    table.print_aligned(inference.listed(inferred, table.LISTED_MOST), sys.stdout)
    print()
    table.print_aligned(table.listed(scored), sys.stdout)
    print()
    table.print_totals(scored, sys.stdout)
    for problem in problems:
        print("BAD " + problem)
    if options.write:
        with open(options.write, "w") as f:
            f.write(table.markdown(scored, inferred, reached, problems,
                                   options.live or bool(options.folder)))
    wrong = any(must and bad for _, _, bad, _, must in table.totals(scored))
    return 1 if wrong or problems or not (scored or inferred) else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--folder", action="append",
                        help="captures with their truth; may be repeated")
    parser.add_argument("--case", action="append", help="only this case; may be repeated")
    parser.add_argument("--smoke", action="store_true", help="three cases only")
    parser.add_argument("--write", metavar="FILE", help="the table as Markdown")
    parser.add_argument("--live", action="store_true", help="make the captures now")
    parser.add_argument("--simulate", action="store_true", help="make captures with ns-3 now")
    parser.add_argument("--cases", default="",
                        help="with --live or --simulate: prefixes of names; default all")
    parser.add_argument("--seeds", default="1", help="with --live: one run for each")
    parser.add_argument("--vary", action="store_true", help="with --live: other delays and rates")
    parser.add_argument("--jobs", type=int, default=2, help="with --live")
    parser.add_argument("--keep", metavar="DIR", help="keep the captures made, and their truth")
    return parser.parse_args()


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # into head
    options = arguments()
    if options.smoke:
        options.case = SMOKE
    cases = [c for c in options.cases.split(",") if c]
    lab = os.path.join(SHARED, "lab")
    reason = live.why_not(lab) if options.live else simulate.why_not() if options.simulate else None
    if reason:
        print("skipped: " + reason)
        return 77
    if options.live or options.simulate:
        with tempfile.TemporaryDirectory(prefix="tcpwhy-score-") as folder:
            folder = options.keep or folder
            if options.simulate:
                return score(options.program, simulate.run(folder, cases), options)
            seeds = [int(s) for s in options.seeds.split(",")]
            folders = live.run(lab, folder, cases, seeds, options.vary, options.jobs)
            return score(options.program, folders, options)
    folders = options.folder or [os.path.join(SHARED, "lab-pcaps")]
    for folder in folders:
        if not os.path.isdir(folder):
            print("skipped: no captures with their truth at %s" % folder)
            return 77
    return score(options.program, folders, options)


if __name__ == "__main__":
    sys.exit(main())
