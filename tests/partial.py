#!/usr/bin/env python3
"""Captures that lack a part must not be answered wrongly.

  partial.py PROGRAM [--folder DIR ...] [--kind KIND ...] [-v]

Each whole capture (default: pcaps/; --folder: every classic .pcap below) is cut in the ways of KINDS
and read again.  The largest transfer's verdict must be the whole one's, a sibling of it (SIBLINGS), or
silent; where the second half is left, what that half shows is the whole one's too.  No number may be
impossible, times add up, and what is missing is said in health."""
import argparse
import collections
import glob
import os
import struct
import sys
import tempfile

import corpus

ROOT = corpus.ROOT
MICROSECONDS, NANOSECONDS = b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1"  # the first four bytes
# Causes that a part of the packets may not tell apart: who held the transfer is the same.
SIBLINGS = [
    {"receive_window", "no_window_scaling", "window_scaling_stripped", "autotuning", "few_segments_per_window"},
    {"receiver_slow", "silly_window", "storage_ceiling", "cache_knee", "autotuning_shut_off"},
    {"sender_slow", "paced_sender", "idle_restart", "cwnd_reset_per_transaction", "server_think_time",
     "write_remainder", "tinygrams"},
    {"random_loss", "rto_stalls", "no_sack", "policer", "congestion_loss", "reordering",
     "spurious_retransmits"},
    {"link_rate", "bufferbloat", "healthy", "congestion_loss", "shared_by_streams"},
    {"turn_limited", "server_think_time"},
    {"slow_start_short", "too_short", "cwnd_growth", "satellite_path"},
]
SILENT = {"unknown", "too_short", "capture_unfit", None}
# What the end of a connection says does not depend on the rest; without it nobody is blamed.
ENDS = {"aborted_by_client", "aborted_by_server"}


def read_pcap(path):
    """(header, [(seconds, fraction, original length, bytes)]); None for another format."""
    with open(path, "rb") as f:
        data = f.read()
    if len(data) < 24 or data[:4] not in (MICROSECONDS, NANOSECONDS):
        return None
    packets, at = [], 24
    while at + 16 <= len(data):
        seconds, fraction, kept, length = struct.unpack_from("<IIII", data, at)
        packets.append((seconds, fraction, length, data[at + 16:at + 16 + kept]))
        at += 16 + kept
    return data[:24], packets


def write_pcap(path, header, packets):
    with open(path, "wb") as f:
        f.write(header)
        for seconds, fraction, length, data in packets:
            f.write(struct.pack("<IIII", seconds, fraction, len(data), length) + data)


def ip_offset(header):
    link = struct.unpack_from("<I", header, 20)[0]
    return {1: 14, 101: 0, 228: 0, 229: 0}.get(link)


def source(header, packet):
    """Bytes of the sender's address, for one direction only."""
    at, data = ip_offset(header), packet[3]
    if at is None or len(data) < at + 40:
        return b""
    return data[at + 12:at + 16] if data[at] >> 4 == 4 else data[at + 8:at + 24]


def busiest(header, packets):
    volume = collections.Counter()
    for packet in packets:
        volume[source(header, packet)] += packet[2]
    return volume.most_common(1)[0][0]


def one_way(header, packets, data):
    sender = busiest(header, packets)
    return [packet for packet in packets if (source(header, packet) == sender) == data]


def thinned(packets, every):
    # a fixed walk: no two runs differ
    state, kept = 12345, []
    for packet in packets:
        state = (state * 1103515245 + 12345) & 0x7fffffff
        if (state >> 8) % every:
            kept.append(packet)
    return kept


def shuffled(packets):
    """Each third packet before the one in front of it, with its time: as two queues merge."""
    out = list(packets)
    for i in range(2, len(out), 3):
        out[i - 1], out[i] = out[i], out[i - 1]
    return out


def shuffled_in_time(header, packets, span_us=5000):
    """Records written late by up to span_us, each with its own time: as a capture card's queues do."""
    per_us = 1000 if header[:4] == NANOSECONDS else 1
    state, keyed = 12345, []
    for i, packet in enumerate(packets):
        state = (state * 1103515245 + 12345) & 0x7fffffff
        keyed.append((packet[0] * 1000000 + packet[1] // per_us + (state >> 8) % span_us, i, packet))
    return [packet for _, _, packet in sorted(keyed)]


def coarse(header, packets):
    """Times in whole milliseconds."""
    unit = 1000000 if header[:4] == NANOSECONDS else 1000
    return [(s, f - f % unit, n, d) for s, f, n, d in packets]


def merged(header, packets):
    """As mergecap joins two taps 0.3 ms apart: each packet again, later, with a hop less to live."""
    unit, out = (1 if header[:4] == NANOSECONDS else 1000), []
    for i, (s, f, n, d) in enumerate(packets):
        ns = s * 1000000000 + f * unit
        out += [(ns, i, (s, f, n, d))]
        ns += 300000
        out += [(ns, i, (ns // 1000000000, ns % 1000000000 // unit, n, fewer_hops(header, d)))]
    return [packet for _, _, packet in sorted(out)]


def fewer_hops(header, data):
    at = ip_offset(header)
    if len(data) < at + 20 or data[at] >> 4 != 4 or data[at + 8] < 2:
        return data
    out = bytearray(data)
    out[at + 8] -= 1
    # RFC 1141: one less to live in the upper byte is 0x100 more in the checksum
    total = struct.unpack_from(">H", out, at + 10)[0] + 0x100
    struct.pack_into(">H", out, at + 10, (total + (total >> 16)) & 0xffff)
    return bytes(out)


KINDS = {
    "no-handshake": lambda h, p: p[3:],
    "cut-tenth": lambda h, p: p[len(p) // 10:],
    "second-half": lambda h, p: p[len(p) // 2:],
    "first-half": lambda h, p: p[:len(p) // 2],
    "data-only": lambda h, p: one_way(h, p, True),
    "acks-only": lambda h, p: one_way(h, p, False),
    "lacks-1-percent": lambda h, p: thinned(p, 100),
    "lacks-10-percent": lambda h, p: thinned(p, 10),
    "snap-68": lambda h, p: [(s, f, n, d[:68]) for s, f, n, d in p],
    "snap-54": lambda h, p: [(s, f, n, d[:54]) for s, f, n, d in p],
    "twice": lambda h, p: [q for packet in p for q in (packet, packet)],
    "merged": merged,
    "disordered": lambda h, p: shuffled(p),
    "disordered-5-ms": lambda h, p: shuffled_in_time(h, p),
    "coarse": coarse,
}
# What health must say, by the kind of the cut; of no use where the capture was so before.
SAID = {"twice": "duplicate_frames", "data-only": "one_way_flows", "acks-only": "one_way_flows",
        "no-handshake": "syn_missing_flows", "cut-tenth": "syn_missing_flows",
        "lacks-10-percent": "gap_bytes", "merged": "duplicate_frames"}


def main_transfer(report):
    return max(report["transfers"], key=lambda t: t["bytes"] or 0, default=None)


def ends_of(report, transfer):
    """Both ends of its data connection, whoever was taken for the client."""
    flows = {flow["id"]: flow for flow in report["flows"]}
    return [{(flows[i][end]["addr"], flows[i][end]["port"]) for end in ("client", "server")}
            for i in transfer["flow_ids"] if i in flows]


def cause_of(report, ends):
    """The verdict on the transfer over a connection between these ends; None when there is none."""
    for transfer in report["transfers"]:
        if ends in ends_of(report, transfer):
            return transfer["verdict"]["cause"]
    return None


def judge_verdict(kind, whole, part):
    """"same", "silent", "sibling" or "wrong"."""
    if part == whole:
        return "same"
    if part in SILENT:
        return "silent"
    if any(part in group and whole in group for group in SIBLINGS):
        return "sibling"
    if whole in SILENT or whole in ENDS or kind in ("first-half", "second-half"):
        return "other"  # the part may show what the whole could not, or another time of it
    return "wrong"


def faults_of(kind, report, whole):
    out = corpus.impossible(report)
    for flow in report["flows"]:
        for name in ("c2s", "s2c"):
            d = flow[name]
            spent, elapsed = sum(v or 0 for v in (d.get("limits_s") or {}).values()), d.get("elapsed_s")
            if elapsed is not None and abs(spent - elapsed) > 2e-6 + 1e-9 * elapsed:
                out.append("flow %d %s: limits sum to %.6f s of %.6f s" % (flow["id"], name, spent, elapsed))
            if d["stream_bytes"] and d["bytes"] > d["stream_bytes"]:
                out.append("flow %d %s: more bytes than the stream has" % (flow["id"], name))
    if kind in ("data-only", "acks-only") and whole["health"]["data_bytes"] and \
            report["health"]["verdict"] != "unfit":
        out.append("one direction alone is called %s" % report["health"]["verdict"])
    said = SAID.get(kind)
    if said and not report["health"][said] and not whole["health"][said] and report["flows"]:
        out.append("health does not say %s" % said)
    return out


def check(program, path, kinds, counts, verbose):
    read = read_pcap(path)
    if read is None or ip_offset(read[0]) is None:
        return []
    header, packets = read
    _, whole, _, fault = corpus.run(program, path)
    if fault or whole is None or main_transfer(whole) is None:
        return ["%s: %s" % (path, fault)] if fault else []
    ends = next(iter(ends_of(whole, main_transfer(whole))), None)
    if ends is None:
        return []
    out = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            part_path = os.path.join(folder, kind + ".pcap")
            write_pcap(part_path, header, KINDS[kind](header, packets))
            _, part, lines, fault = corpus.run(program, part_path)
            if part is None:
                out.append("%s %s: %s" % (path, kind, fault or lines))
                continue
            answer = judge_verdict(kind, cause_of(whole, ends), cause_of(part, ends))
            counts[kind][answer] += 1
            faults = faults_of(kind, part, whole)
            if answer == "wrong" or (verbose and answer == "other"):
                text = "%s, whole %s" % (cause_of(part, ends), cause_of(whole, ends))
                (faults.append(text) if answer == "wrong" else print("  ", path, kind, text))
            out += ["%s %s: %s" % (path, kind, text) for text in faults]
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--folder", action="append")
    parser.add_argument("--kind", action="append", choices=sorted(KINDS))
    parser.add_argument("-v", dest="verbose", action="store_true")
    args = parser.parse_args()
    folders = args.folder or [os.path.join(ROOT, "pcaps")]
    paths = sorted(p for f in folders for p in glob.glob(os.path.join(f, "**", "*.pcap"), recursive=True))
    kinds, counts = args.kind or list(KINDS), collections.defaultdict(collections.Counter)
    faults = [text for path in paths
              for text in check(args.program, path, kinds, counts, args.verbose)]
    print("%-18s %6s %6s %8s %6s %6s" % ("kind", "same", "silent", "sibling", "other", "wrong"))
    for kind in kinds:
        c = counts[kind]
        print("%-18s %6d %6d %8d %6d %6d" %
              (kind, c["same"], c["silent"], c["sibling"], c["other"], c["wrong"]))
    for text in faults:
        print("  " + os.path.relpath(text, ROOT) if text.startswith("/") else "  " + text)
    print("%d captures, %d faults" % (len(paths), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
