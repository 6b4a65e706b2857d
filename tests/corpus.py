#!/usr/bin/env python3
"""Run the program on every capture of the public corpus.

  corpus.py PROGRAM [--folder DIR] [--table] [NAME...]

Checked of each: no crash, no more than 20 s, opened or refused with one line, packets as capinfos
counts them, no impossible number.  Of the groups tcp/ and ftp/: retransmitted, spurious,
reordered and duplicate segments as tests/corpus_expected.tsv says, which was decided from the
packets and explains each difference from tshark.  --table prints ours beside both."""
import argparse
import csv
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMEOUT = 20
# Formats that are recognised and refused.
REFUSED = {"formats/erf-5.erf", "formats/etherpeek-reno.gz", "formats/ntar-007.ntar"}
# tshark takes the frame's length where the IP header says more.
FRAMES_SHORTENED = {"tcp/tcptrace-6syns.dmp.gz"}
COUNTED = ["retransmitted", "spurious", "reordered", "duplicates"]


def read_table(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def run(program, path):
    """(exit status, JSON document or None, lines on stderr, fault or None)"""
    try:
        done = subprocess.run([program, "-r", path, "--json"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, None, [], "took longer than %d s" % TIMEOUT
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    if done.returncode < 0 or "Sanitizer" in "".join(lines):
        return done.returncode, None, lines, "crashed (%d)" % done.returncode
    if done.returncode != 0:
        return done.returncode, None, lines, None
    try:
        return 0, json.loads(done.stdout), lines, None
    except ValueError as error:
        return 0, None, lines, "not JSON: %s" % error


def impossible(value, key=""):
    """Sentences on numbers that can't be: negative ones, percentages outside 0..100."""
    if isinstance(value, dict):
        return [text for k, v in value.items() for text in impossible(v, k)]
    if isinstance(value, list):
        return [text for v in value for text in impossible(v, key)]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    if value != value or value in (float("inf"), float("-inf")) or value < 0:
        return ["%s is %r" % (key, value)]
    if key.endswith("_pct") and value > 100:
        return ["%s is %r" % (key, value)]
    return []


def sums(report, expected):
    """Sentences on totals that don't fit the packets."""
    out = []
    total = 0
    for flow in report["flows"]:
        for name in ("c2s", "s2c"):
            direction = flow[name]
            total += direction["bytes"]
            spent = sum(v or 0 for v in (direction.get("limits_s") or {}).values())
            elapsed = direction.get("elapsed_s")
            if elapsed is not None and abs(spent - elapsed) > 2e-6 + 1e-9 * elapsed:
                out.append("flow %d %s: limits sum to %.6f s of %.6f s" %
                           (flow["id"], name, spent, elapsed))
            if direction["spurious_retransmissions"] > direction["retransmitted_segments"]:
                out.append("flow %d %s: more spurious than retransmitted" % (flow["id"], name))
    if expected["reader_message"] or expected["file"] in FRAMES_SHORTENED:
        return out
    if total > int(expected["tcp_payload_bytes"] or 0):
        # tshark opens fewer tunnels and link types: a bound only where it saw all TCP packets
        if report["capture"]["tcp_segments"] == int(expected["tcp_packets"] or 0):
            out.append("%d distinct bytes of %s captured" % (total, expected["tcp_payload_bytes"]))
    return out


def count(report):
    """Ours for the columns of corpus_expected.tsv."""
    ours = dict.fromkeys(COUNTED, 0)
    for flow in report["flows"]:
        for direction in (flow["c2s"], flow["s2c"]):
            ours["retransmitted"] += direction["retransmitted_segments"]
            ours["spurious"] += direction["spurious_retransmissions"]
            ours["reordered"] += direction["reordered_segments"]
            ours["duplicates"] += direction["duplicate_frames"] + direction["network_duplicates"]
    return ours


def fits(value, wanted):
    """wanted: a number, a range "a-b", or "*" where the packets don't decide."""
    if wanted == "*":
        return True
    low, _, high = wanted.partition("-")
    return int(low) <= value <= int(high or low)


def check_refusal(name, expected, status, lines):
    faults = []
    if status not in (1, 2):
        faults.append("exit status %d" % status)
    if len(lines) != 1 or not lines[0].startswith("tcpwhy: "):
        faults.append("%d lines on stderr instead of one that begins with tcpwhy:" % len(lines))
    readable = int(expected["packets"] or 0) > 0 and not expected["reader_message"]
    unsupported = len(lines) == 1 and " is not supported; supported: " in lines[0]
    if readable and name not in REFUSED and not unsupported:
        faults.append("refused: " + " ".join(lines)[:120])
    return faults


def check(program, folder, expected):
    """(faults, report or None) of one file."""
    name = expected["file"]
    status, report, lines, fault = run(program, os.path.join(folder, name))
    if fault:
        return [fault], None
    if status != 0:
        return check_refusal(name, expected, status, lines), None
    faults = impossible(report["flows"]) + impossible(report["transfers"]) + sums(report, expected)
    packets = int(expected["packets"] or 0)
    if not expected["reader_message"] and report["capture"]["packets"] != packets:
        faults.append("%d packets, capinfos %d" % (report["capture"]["packets"], packets))
    if report["capture"]["truncated"] and not lines:
        faults.append("cut short and no warning")
    return faults, report


def compare(row, report):
    """Faults of the counts of one file of tcp/ or ftp/."""
    ours = count(report)
    return ["%s %d, the packets say %s" % (key, ours[key], row[key])
            for key in COUNTED if not fits(ours[key], row[key])]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", default=os.path.join(os.path.dirname(ROOT), "shared", "corpus"))
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    listing = os.path.join(options.folder, "expected.tsv")
    if not os.path.exists(listing):
        print("skipped: no captures at %s" % options.folder)
        return 77
    program = os.path.abspath(options.program)
    counts = {row["file"]: row for row in
              read_table(os.path.join(ROOT, "tests", "corpus_expected.tsv"))}
    files, bad, refused = 0, 0, 0
    for expected in read_table(listing):
        name = expected["file"]
        if options.names and not any(part in name for part in options.names):
            continue
        files += 1
        faults, report = check(program, options.folder, expected)
        refused += report is None
        if report is not None and name in counts:
            faults += compare(counts[name], report)
            if options.table:
                row, ours = counts[name], count(report)
                print("%-48s" % name, *("%s %d (%s)" % (k, ours[k], row[k]) for k in COUNTED),
                      "tshark %s+%s" % (row["tshark_retransmission"], row["tshark_out_of_order"]))
        for fault in faults:
            print("BAD %s: %s" % (name, fault))
        bad += bool(faults)
    print("%d files, %d opened, %d refused or broken, %d with faults" %
          (files, files - refused, refused, bad))
    return 1 if bad or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
