"""The emulated path of a case: delays, rate, queue; our round trips and queueing against them."""
import csv
import os

UNITS = {"k": 1e3, "M": 1e6, "G": 1e9}
MID_DEFAULT = 0.5
SMALL_PACKET = 60  # a SYN or a data packet's acknowledgment, bytes
HEADERS = 52  # IPv4 and TCP with timestamps
RTT_SHARE, RTT_LEAST_MS = 0.05, 1.0
QUEUE_SHARE, QUEUE_LEAST_MS = 0.10, 1.0
QUEUE_JUDGED_MS = 5.0


def number(text):
    return float(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else float(text)


def setting(doc, direction, key):
    """A wanem option of one direction ("ab" or "ba") as a number, or None."""
    value = None
    for word in doc["link"].split():
        name, _, text = word.partition("=")
        if name in (key, "%s.%s" % (direction, key)):
            value = number(text.split(",")[0])
    return value


def way(row):
    return "ab" if row.flow.side == "a" else "ba"


def one_way_ms(doc, direction):
    return setting(doc, direction, "delay") or 0.0


def part_to(row, direction):
    """Share of a direction's delay that lies before the tap."""
    mid = setting(row.case.doc, direction, "mid") or MID_DEFAULT
    at_start = direction[0]
    return {at_start: 0.0, "m": mid if at_start == "a" else 1 - mid}.get(row.base_point, 1.0)


def to_tap_s(row):
    """Seconds of a full data segment from its sender to the tap when nothing queues."""
    direction = way(row)
    if row.base_point == row.flow.side:
        return 0.0
    rate = setting(row.case.doc, direction, "rate")
    bits = 8 * (row.flow.sender["mss"] + HEADERS)
    return one_way_ms(row.case.doc, direction) * part_to(row, direction) / 1000 + \
        (bits / rate if rate else 0.0)


def legs_ms(row):
    """(client leg, server leg) of the round trip at the tap, on an empty path, of small packets.
    A direction's rate works where its packets enter the path: the leg that has that end."""
    doc, near_a, near_b = row.case.doc, 0.0, 0.0
    for direction in ("ab", "ba"):
        delay, rate = one_way_ms(doc, direction), setting(doc, direction, "rate")
        part, at_a = part_to(row, direction), direction == "ab"
        before, after = delay * part, delay * (1 - part)
        wait = 8000 * SMALL_PACKET / rate if rate else 0.0
        if row.base_point == direction[0]:
            after += wait
        else:
            before += wait
        near_a += before if at_a else after
        near_b += after if at_a else before
    client_is_a = (row.flow.side == "a") == (row.direction is row.report["c2s"])
    return (near_a, near_b) if client_is_a else (near_b, near_a)


def near(ours, truth, share, least):
    return ours is not None and abs(ours - truth) <= max(least, share * truth)


def queue_truth_ms(case, samples, flow):
    """Median queueing delay both ways: from the emulator's queues where a lab run left them (what
    each packet found before it, times the rate), else the kernel's smoothed round trip above its
    minimum, each weighted by the packets that went with it."""
    path = os.path.join(case.folder, "queue.csv")
    if case.live and os.path.exists(path):
        found = {"ab": [], "ba": []}
        with open(path, newline="") as f:
            for row in csv.reader(f):
                if row[4] == "0":
                    found[row[1]].append(int(row[2]))
        return sum(sorted(bytes_found)[len(bytes_found) // 2] * 8000 /
                   setting(case.doc, direction, "rate")
                   for direction, bytes_found in found.items()
                   if bytes_found and setting(case.doc, direction, "rate"))
    times = flow.sender["limits_us"]
    if times["rwnd"] > 0.5 * times["busy"]:
        return None  # that round trip is the delayed ACK of a few segments, or a closed window
    least = flow.sender["rtt_ms"]["kernel_min"]
    spans = sorted((samples.rtt[i] / 1000, samples.span(i) * samples.unacked[i] / samples.rtt[i])
                   for i in range(len(samples)) if samples.unacked[i] and samples.rtt[i])
    half = sum(packets for _, packets in spans) / 2
    for rtt, packets in spans:
        half -= packets
        if half <= 0:
            return max(0.0, rtt - least)
    return None
