#!/usr/bin/env python3
"""Check with tshark what `tcpwhy --evidence` says of three captures: every frame that it names,
every figure of its arithmetic.

Usage: evidence.py PROGRAM.  Exit status: 0 all hold, 1 a fault (one line each), 77 no tshark."""
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


def fact_faults(item, shown):
    """What the fields of its frame show, by the word of the fact."""
    fact = item["fact"]
    if fact == "window_scale" and shown["tcp.options.wscale.shift"] == "":
        yield "no scale in it"
    if fact == "no_window_scale" and shown["tcp.options.wscale.shift"] != "":
        yield "a scale in it"
    if fact == "largest_window" and int(shown["tcp.window_size"]) != number(item["text"]):
        yield "window is %s" % shown["tcp.window_size"]
    if fact in ("first_data", "last_data") and int(shown["tcp.len"]) == 0:
        yield "no data in it"
    if fact in ("fin", "rst") and shown[item["check"]["fields"][0]] not in ("1", "True"):
        yield "flag not set"


def evidence_faults(capture, transfer, round_trip_s):
    for item in transfer["evidence"]:
        names = list(dict.fromkeys(["frame.time_relative", *item["check"]["fields"]]))
        rows = fields(capture, item["check"]["filter"], names)
        where = "frame %s, %s" % (item["frame"], item["fact"])
        if len(rows) != 1:
            yield "%s: %d frames" % (where, len(rows))
            continue
        # times are the sender's: at most a round trip from the frame's
        if item["time_s"] is not None and abs(item["time_s"] - float(rows[0][0])) > round_trip_s:
            yield "%s: at %s s, the frame at %s s" % (where, item["time_s"], rows[0][0])
        for text in fact_faults(item, dict(zip(names, rows[0]))):
            yield "%s: %s" % (where, text)


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
        flow = next(f for f in report["flows"] if f["id"] == transfer["flow_ids"][0])
        round_trip_s = flow["handshake_rtt_ms"] / 1e3
        for fault in [*evidence_faults(capture, transfer, round_trip_s),
                      *figure_faults(capture, report, transfer, text)]:
            print("%s: %s" % (capture, fault))
            faults += 1
        checked += len(transfer["evidence"]) + len(figures(text))
    print("%d frames and figures checked, %d wrong" % (checked, faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
