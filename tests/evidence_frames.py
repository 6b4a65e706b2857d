#!/usr/bin/env python3
"""Look every evidence frame up in another program: does tshark see what the report says of it?

  evidence_frames.py PROGRAM [CAPTURE...]

For each fact: the frame is of that transfer's connection, its time is the time stated (or the wait
that ended there began at the time stated), and what the fact names is in it: the SYN's option, the
window's size, data, a FIN, a reset, a retransmission, a command, a reply.  Events (--events) too.
Exit status: 0 all so; 1 one is not; 77 no tshark."""
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CAPTURES = ["ftp-noscale.b", "ftp-session.a", "receiver-slow.b", "outage.b", "loss.m"]
FIELDS = ["frame.number", "frame.time_relative", "ip.src", "tcp.srcport", "ip.dst", "tcp.dstport",
          "tcp.flags.syn", "tcp.flags.fin", "tcp.flags.reset", "tcp.seq", "tcp.len", "tcp.ack",
          "tcp.window_size", "tcp.options.wscale.shift", "ftp.request.command",
          "ftp.response.code"]
SPAN_UNITS = {"ms": 1e-3, "s": 1.0, "min": 60.0}
TIME_WITHIN_S = 2e-6


class Frame:
    def __init__(self, line):
        v = dict(zip(FIELDS, line.split("\t")))
        self.number, self.time = int(v["frame.number"]), float(v["frame.time_relative"])
        self.source = (v["ip.src"], int(v["tcp.srcport"] or 0))
        self.target = (v["ip.dst"], int(v["tcp.dstport"] or 0))
        self.syn, self.fin, self.rst = (v["tcp.flags." + f] in ("1", "True")
                                        for f in ("syn", "fin", "reset"))
        self.seq, self.len, self.ack = (int(v["tcp." + f] or 0) for f in ("seq", "len", "ack"))
        self.window = int(v["tcp.window_size"] or -1)
        self.wscale = v["tcp.options.wscale.shift"] != ""
        self.command, self.reply = v["ftp.request.command"], v["ftp.response.code"]
        self.again = False  # starts below what its sender had sent before


def read_frames(capture):
    command = ["tshark", "-r", capture, "-n", "-Y", "tcp", "-T", "fields"]
    for field in FIELDS:
        command += ["-e", field]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           text=True).stdout.splitlines()
    frames, highest = {}, {}
    for frame in map(Frame, lines):
        key = (frame.source, frame.target)
        frame.again = frame.len > 0 and not frame.syn and frame.seq < highest.get(key, 0)
        if frame.len:
            highest[key] = max(highest.get(key, 0), frame.seq + frame.len)
        frames[frame.number] = frame
    return frames


def number_in(text, unit):
    found = re.search(r"([\d,]+) " + unit, text)
    return int(found[1].replace(",", "")) if found else None


def span_in(text):
    """(seconds, half of the last digit printed) of the wait in a text, or None."""
    found = re.search(r"([\d.,]+) (ms|s|min)\b", text)
    if not found:
        return None
    digits = found[1].replace(",", "")
    places = len(digits.partition(".")[2])
    return float(digits) * SPAN_UNITS[found[2]], 0.5 * 10 ** -places * SPAN_UNITS[found[2]]


def wrong_time(item, frame, leg_s):
    """A wait is one of the sender's: at the tap its ends may lie up to a leg apart from it."""
    if item["time_s"] is None or abs(item["time_s"] - frame.time) <= TIME_WITHIN_S:
        return None
    span = span_in(item["text"])
    if "up to here" in item["text"] and span and \
            abs(item["time_s"] + span[0] - frame.time) <= span[1] + leg_s + TIME_WITHIN_S:
        return None
    return "time %.6f, tshark %.6f" % (item["time_s"], frame.time)


def wrong_data(item, frame, frames, leg_s):
    """Data after a reset is late: the connection had ended."""
    resets = [f.number for f in frames.values() if f.rst and
              {f.source, f.target} == {frame.source, frame.target}]
    stream = [f for f in frames.values() if (f.source, f.target) == (frame.source, frame.target) and
              f.len and not (resets and f.number > resets[0])]
    first = item["fact"] == "first_data"
    end = stream[0] if first else stream[-1]
    if not frame.len:
        return "no data in it"
    if end.number != frame.number:
        return "tshark: %s data in frame %d" % ("first" if first else "last", end.number)
    if not first or "before the first acknowledgment" not in item["text"]:
        return None
    # an acknowledgment is at the sender, and what it releases here, most of a leg later
    until = min((f.time for f in frames.values() if f.ack > frame.seq and
                 (f.source, f.target) == (frame.target, frame.source)), default=1e99) + 0.9 * leg_s
    sent = sum(f.len for f in stream if f.time < until)
    said = number_in(item["text"], "bytes")
    return None if said == sent else "%d bytes before the first acknowledgment" % sent


def wrong_fact(item, frame, frames, leg_s):
    """What tshark sees otherwise, or None.  Facts not known here are judged by their time only."""
    fact, text = item["fact"], item["text"]
    if fact in ("no_window_scale", "window_scale"):
        if not frame.syn:
            return "not a SYN"
        return None if frame.wscale == (fact == "window_scale") else "option 3: %s" % frame.wscale
    if fact == "largest_window":
        return None if frame.window == number_in(text, "bytes") else "window %d" % frame.window
    if fact in ("first_data", "last_data"):
        return wrong_data(item, frame, frames, leg_s)
    if fact == "abort_command":
        return None if frame.command == "ABOR" or frame.len else "no ABOR"
    if fact == "reply":
        return None if frame.reply else "no reply in it"
    checks = {"fin": frame.fin, "rst": frame.rst, "retransmission": frame.again,
              "timeout": frame.again, "zero_window": frame.window == 0,
              "window_open": frame.window > 0, "flow_start": frame.syn, "reset": frame.rst}
    return None if checks.get(fact, True) else "tshark sees no %s there" % fact


def flow_names(report):
    return {f["id"]: {(f["client"]["addr"], f["client"]["port"]),
                      (f["server"]["addr"], f["server"]["port"])} for f in report["flows"]}


def items_of(report):
    """Evidence and events as (flow ids, seconds of the round trip between tap and sender, item)."""
    at = {f["id"]: f["vantage"] for f in report["flows"]}
    for transfer in report["transfers"]:
        side = "client_leg_ms" if transfer["direction"] == "c2s" else "server_leg_ms"
        leg = max([at[f][side] or 0 for f in transfer["flow_ids"]], default=0) / 1000
        flows = list(transfer["flow_ids"]) + [transfer["control_flow_id"]]
        for item in transfer["evidence"]:
            yield flows, leg, item
    for event in report["events"]:
        if event["frame"]:
            yield [event["flow_id"]], 0.0, dict(event, fact=event["kind"])


def check(program, capture):
    """(number of facts, list of complaints)"""
    run = subprocess.run([program, "-r", capture, "--json", "--evidence", "--events"], check=True,
                         stdout=subprocess.PIPE, text=True)
    report, frames = json.loads(run.stdout), read_frames(capture)
    names, count, bad = flow_names(report), 0, []
    for flows, leg_s, item in items_of(report):
        count += 1
        frame = frames.get(item["frame"])
        if frame is None:
            said = "tshark has no such TCP frame"
        elif {frame.source, frame.target} not in [names.get(f) for f in flows]:
            said = "of another connection"
        else:
            said = wrong_time(item, frame, leg_s) or wrong_fact(item, frame, frames, leg_s)
        if said:
            bad.append("%s frame %d, %s \"%s\": %s" % (os.path.basename(capture), item["frame"],
                                                       item["fact"], item["text"], said))
    return count, bad


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if shutil.which("tshark") is None:
        print("skipped: no tshark")
        return 77
    captures = sys.argv[2:] or [os.path.join(ROOT, "pcaps", c + ".pcap") for c in CAPTURES]
    total, complaints = 0, []
    for capture in captures:
        count, bad = check(sys.argv[1], capture)
        total += count
        complaints += bad
    for line in complaints:
        print("BAD " + line)
    print("%d facts in %d captures looked up, %d not as stated" %
          (total, len(captures), len(complaints)))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
