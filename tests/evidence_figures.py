#!/usr/bin/env python3
"""Check with tshark what `tcpwhy --evidence` says of three captures: the filter and the fields that
it gives for each frame show that frame, and every figure of the arithmetic is what they add up to.

Usage: evidence_figures.py PROGRAM.
Exit status: 0 all hold, 1 a fault (one line each), 77 no tshark."""
import json
import os
import re
import shutil
import subprocess
import sys

CAPTURES = ("pcaps/ftp-get-window.a.pcap", "pcaps/ftp-noscale.b.pcap", "pcaps/loss.m.pcap")
RATES = {"B/s": 1, "kB/s": 1e3, "MB/s": 1e6}
TIMES = {"s": 1, "ms": 1e-3}
PRINTED = 0.006  # figures are printed with three digits


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def fields(capture, display_filter, names):
    """Rows of the fields of all frames that pass the filter."""
    options = [word for name in names for word in ("-e", name)]
    text = run("tshark", "-n", "-r", capture, "-Y", display_filter, "-T", "fields", *options)
    return [line.split("\t") for line in text.splitlines()]


def number(text):
    return float(re.search(r"[0-9][0-9,]*(\.[0-9]+)?", text).group().replace(",", ""))


def near(a, b, part=PRINTED):
    return abs(a - b) <= part * max(abs(a), abs(b))


def recipe_faults(capture, transfer):
    """A filter that shows one frame, and fields that tshark knows."""
    for item in transfer["evidence"]:
        check = item["check"]
        rows = fields(capture, check["filter"], ["frame.number", *check["fields"]])
        if [row[0] for row in rows] != [str(item["frame"])]:
            yield "%s: %s shows %d frames" % (item["fact"], check["filter"], len(rows))


def figures(text):
    """{symbol: rest of its row} of the table of figures."""
    table = text[text.index("Figures, and where each is seen:"):]
    return dict(re.findall(r"^     ([A-Za-z])  (.*)$", table, re.M))


def value(row, units):
    found = re.search(r"([0-9][0-9.,]*) (%s)  " % "|".join(units), row + "  ")
    return float(found.group(1).replace(",", "")) * units[found.group(2)]


def figure_faults(capture, report, transfer, text):
    table = figures(text)
    flow = next(f for f in report["flows"] if f["id"] == transfer["flow_ids"][0])
    sender = flow["client" if transfer["direction"] == "c2s" else "server"]
    of_sender = "tcp.srcport==%d" % sender["port"]
    data = fields(capture, of_sender + " && tcp.len>0",
                  ["frame.number", "frame.time_relative", "tcp.seq", "tcp.len"])
    edge = max(int(seq) + int(size) for _, _, seq, size in data)
    if edge - 1 != value(table["B"], {"bytes": 1}):
        yield "B: the stream has %d bytes" % (edge - 1)
    first, last = re.search(r"frames ([0-9,]+) to ([0-9,]+)", table["B"]).groups()
    if (number(first), number(last)) != (int(data[0][0]), int(data[-1][0])):
        yield "B: data from frame %s to %s" % (data[0][0], data[-1][0])
    acks = fields(capture, "tcp.dstport==%d && tcp.ack>=%d" % (sender["port"], edge),
                  ["frame.time_relative"])
    elapsed = float(acks[0][0]) - float(data[0][1])
    if not near(value(table["T"], TIMES), elapsed):
        yield "T: %.3f s" % elapsed
    if not near(value(table["G"], RATES), (edge - 1) / elapsed):
        yield "G: %.0f bytes a second" % ((edge - 1) / elapsed)
    handshake = fields(capture, of_sender + " && tcp.analysis.initial_rtt",
                       ["tcp.analysis.initial_rtt"])
    if not near(value(table["H"], TIMES), float(handshake[0][0])):
        yield "H: %s s" % handshake[0][0]
    frame = re.search(r"frame ([0-9,]+): tcp.window_size", table["W"]).group(1).replace(",", "")
    window = fields(capture, "frame.number==" + frame, ["tcp.window_size"])[0][0]
    if float(window) != value(table["W"], {"bytes": 1}):
        yield "W: %s" % window
    if max(int(size) for _, _, _, size in data) != value(table["S"], {"bytes": 1}):
        yield "S: another size"


def main():
    program = os.path.abspath(sys.argv[1])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if not shutil.which("tshark"):
        print("no tshark here")
        return 77
    faults = checked = 0
    for capture in CAPTURES:
        report = json.loads(run(program, "-r", capture, "--json", "--evidence"))
        text = run(program, "-r", capture, "--evidence")
        transfer = report["transfers"][0]
        for fault in [*recipe_faults(capture, transfer),
                      *figure_faults(capture, report, transfer, text)]:
            print("%s: %s" % (capture, fault))
            faults += 1
        checked += len(transfer["evidence"]) + len(figures(text))
    print("%d recipes and figures checked, %d wrong" % (checked, faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
