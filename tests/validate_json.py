#!/usr/bin/env python3
"""Check reports of `tcpwhy --json` or `--jsonl`: the JSON Schema, and what it cannot say.

Usage: validate_json.py [--schema FILE] REPORT...   (- is standard input; default docs/tcpwhy.schema.json)
Exit status: 0 all hold, 1 a fault (one line each), 2 usage, 77 python3-jsonschema is missing (the
invariants were checked all the same).
"""
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "tcpwhy.schema.json")
DIRECTIONS = ("c2s", "s2c")
SUM_S = 1e-9  # times have nine decimals: their sum is exact to one nanosecond
LINES = {"flow": "flows", "session": "sessions", "transfer": "transfers", "event": "events"}


def numbers(value, path=""):
    """Every number below value, with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(item, path + "." + key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from numbers(item, "%s[%d]" % (path, i))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def impossible_numbers(report):
    for path, value in numbers(report):
        if value != value or value in (float("inf"), float("-inf")):
            yield "%s is %r" % (path, value)
        elif value < 0 or str(value).startswith("-"):
            yield "%s is below 0: %r" % (path, value)
        elif "_pct" in path and value > 100:
            yield "%s is above 100: %r" % (path, value)


def ordered(name, values):
    known = [v for v in values if v is not None]
    if known != sorted(known):
        yield "%s out of order: %r" % (name, values)


def direction_faults(d):
    spent = sum(d["limits_s"].values())
    if abs(spent - d["elapsed_s"]) > SUM_S + 1e-14 * spent:
        yield "limits_s sum to %.9f, elapsed_s is %.9f" % (spent, d["elapsed_s"])
    # a hole that no acknowledgment covers is in the range, and in neither of the two
    if d["bytes"] + d["gap_bytes"] > d["stream_bytes"]:
        yield "bytes %(bytes)d + gap_bytes %(gap_bytes)d above stream_bytes %(stream_bytes)d" % d
    if d["data_segments"] > d["packets"] and d["super_segments"] == 0:
        yield "%(data_segments)d data segments in %(packets)d packets" % d
    triggers = sum(d["retransmissions"].values())
    data = triggers - d["retransmissions"]["syn"]
    if not data <= d["retransmitted_segments"] <= triggers:
        yield "retransmissions sum to %d, retransmitted_segments is %d" % (
            triggers, d["retransmitted_segments"])
    if d["spurious_retransmissions"] > d["retransmitted_segments"]:
        yield "%(spurious_retransmissions)d spurious of %(retransmitted_segments)d" % d
    if d["rounds_window_full"] > d["rounds"]:
        yield "window full in %(rounds_window_full)d of %(rounds)d rounds" % d
    if d["window_scale_source"] == "unknown" and d["rwnd_bytes"]["max"] is not None:
        yield "a window in bytes without a scale"
    if (d["rtt_ms"]["samples"] == 0) != (d["rtt_ms"]["min"] is None):
        yield "rtt_ms.min %r with %d samples" % (d["rtt_ms"]["min"], d["rtt_ms"]["samples"])
    yield from ordered("rtt_ms", [d["rtt_ms"][k] for k in ("min", "p50", "p95", "max")])
    yield from ordered("rwnd_bytes", [d["rwnd_bytes"][k] for k in ("min", "mean", "max")])
    yield from ordered("flight_bytes", [d["flight_bytes"][k] for k in ("mean", "max")])
    yield from ordered("cwnd_bytes", [d["cwnd_bytes"][k] for k in ("min", "mean", "max")])
    for key in ("loaded_rtt_ms", "queue_ms"):
        yield from ordered(key, [d[key][k] for k in ("p50", "p95")])
    stalls = [s["duration_s"] for s in d["stalls"] or ()]
    yield from ordered("stalls, shortest first", stalls[::-1])
    if stalls and not len(stalls) <= d["stalls_seen"]:
        yield "%d stalls listed, %d seen" % (len(stalls), d["stalls_seen"])
    yield from oscillation_faults(d["oscillation"])
    yield from cwnd_series_faults(d.get("cwnd_series"))


def oscillation_faults(o):
    if o["cycles"] and o["falls"] != o["cycles"] + 1:
        yield "%(cycles)d cycles between %(falls)d falls" % o
    if o["falls"] is not None and o["falls_after_rtt_growth"] > o["falls"]:
        yield "%(falls_after_rtt_growth)d of %(falls)d falls after growth" % o
    if o["beta"] is not None and o["peak_bytes"]:
        if abs(o["beta"] - o["valley_bytes"] / o["peak_bytes"]) > 0.01:
            yield "beta %(beta)r of %(valley_bytes)r / %(peak_bytes)r" % o


def cwnd_series_faults(series):
    before = 0
    for t, low, estimate, high, _, _ in series["rows"] if series else ():
        yield from ordered("cwnd_series at %r" % t, [low, estimate, high])
        if t is not None and t < before:
            yield "cwnd_series: %r after %r" % (t, before)
        before = t if t is not None else before


def transfer_faults(t, flows):
    shares = [s for s in t["limits_pct"].values() if s is not None]
    if shares and abs(sum(shares) - 100) > 0.05:
        yield "limits_pct sum to %.3f" % sum(shares)
    if (t["verdict"]["cause_id"] is None) != (t["verdict"]["cause"] == "unknown"):
        yield "cause %(cause)s has id %(cause_id)r" % t["verdict"]
    if t["complete"] and t["ended_by"] is not None:
        yield "complete, and ended by the %s" % t["ended_by"]
    for flow_id in t["flow_ids"]:
        if flow_id in flows and t["id"] not in flows[flow_id]["transfer_ids"]:
            yield "flow %d does not know of it" % flow_id


def session_faults(s, transfers):
    for transfer_id in s["transfer_ids"]:
        if transfer_id in transfers and transfers[transfer_id]["session_id"] != s["id"]:
            yield "transfer %d does not know of it" % transfer_id


def faults(report):
    """Sentences on everything in a whole document that cannot be."""
    flows = {f["id"]: f for f in report["flows"]}
    transfers = {t["id"]: t for t in report["transfers"]}
    yield from impossible_numbers(report)
    for flow in report["flows"]:
        for name in DIRECTIONS:
            for text in direction_faults(flow[name]):
                yield "flow %d %s: %s" % (flow["id"], name, text)
    for transfer in report["transfers"]:
        for text in transfer_faults(transfer, flows):
            yield "transfer %d: %s" % (transfer["id"], text)
    for session in report["sessions"]:
        for text in session_faults(session, transfers):
            yield "session %d: %s" % (session["id"], text)


def load(name):
    """The document, and the objects to hold against the schema: itself, or each line of jsonl."""
    with (sys.stdin if name == "-" else open(name, encoding="utf-8")) as file:
        text = file.read()
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if document is not None and "type" not in document:
        return document, [document]
    lines = [json.loads(line) for line in text.splitlines()]
    document = {key: [] for key in LINES.values()}
    for line in lines:
        if line.get("type") in LINES:
            document[LINES[line["type"]]].append(line)
    return document, lines


def schema_faults(validator, objects):
    for value in objects:
        for error in validator.iter_errors(value):
            path = ".".join(str(p) for p in error.absolute_path)
            yield "schema: %s: %s" % (path or "top", error.message[:300])


def check(name, validator):
    try:
        document, objects = load(name)
    except (OSError, ValueError) as error:
        return ["not JSON: %s" % error]
    found = list(schema_faults(validator, objects)) if validator else []
    try:
        found += faults(document)
    except (KeyError, TypeError) as error:
        found.append("a promised key is missing: %r" % error)
    return found


def main(arguments):
    schema = SCHEMA
    if arguments[:1] == ["--schema"]:
        schema, arguments = arguments[1], arguments[2:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    validator = None
    if jsonschema is not None:
        with open(schema, encoding="utf-8") as file:
            description = json.load(file)
        jsonschema.Draft202012Validator.check_schema(description)
        validator = jsonschema.Draft202012Validator(description)
    bad = 0
    for name in arguments:
        for text in check(name, validator):
            print("%s: %s" % (name, text))
            bad += 1
    if bad:
        return 1
    return 0 if validator else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
