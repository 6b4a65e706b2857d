"""A second truth of the congestion window: bulk transfers in ns-3 (ns3/sim.cc).

Needs g++ and Debian's libns3-dev (or the like).  Only what is inferred is scored there: the counts
of the first table have their truth in the lab."""
import csv
import json
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = ("applications", "core", "internet", "network", "point-to-point", "traffic-control")
FAMILY = {"TcpLinuxReno": "reno", "TcpNewReno": "reno", "TcpCubic": "cubic"}
SLOW_PATH = ["congestion_loss", "link_rate", "cwnd_growth"]
CLASSIC = {"recovery": "TcpClassicRecovery"}
# name: cause, more that is allowed, ns-3's class, rate Mbit/s, one-way delay ms, queue in packets,
# bytes, more of sim.cc's options
CASES = {
    "ns3-satellite-reno": ("satellite_path", SLOW_PATH, "TcpLinuxReno", 1, 280, 24, 14e6, {}),
    "ns3-satellite-newreno-nots": ("satellite_path", SLOW_PATH, "TcpNewReno", 1, 280, 24, 14e6,
                                   {"timestamps": 0}),
    "ns3-satellite-cubic": ("satellite_path", SLOW_PATH, "TcpCubic", 1, 280, 30, 14e6, {}),
    "ns3-reno": ("congestion_loss", ["link_rate", "bufferbloat"], "TcpLinuxReno", 3, 40, 25,
                 10e6, {}),
    "ns3-newreno-nosack": ("congestion_loss", ["link_rate", "no_sack"], "TcpNewReno", 3, 30, 15,
                           8e6, {"sack": 0, **CLASSIC}),
    "ns3-cubic-nots": ("congestion_loss", ["link_rate", "bufferbloat"], "TcpCubic", 4, 60, 40, 14e6,
                       {"timestamps": 0}),
    "ns3-small-queue-reno": ("congestion_loss", [], "TcpLinuxReno", 4, 50, 5, 8e6, {}),
    "ns3-small-queue-cubic-nots": ("congestion_loss", [], "TcpCubic", 4, 50, 5, 8e6,
                                   {"timestamps": 0}),
    "ns3-loss-reno-nots": ("random_loss", [], "TcpLinuxReno", 20, 40, 200, 4e6,
                           {"loss": 0.01, "timestamps": 0}),
    "ns3-loss-newreno": ("random_loss", [], "TcpNewReno", 20, 60, 200, 3e6, {"loss": 0.005}),
    "ns3-mss-536": ("small_mss", ["congestion_loss", "link_rate", "bufferbloat"], "TcpLinuxReno", 2,
                    30, 40, 4e6, {"mss": 536}),
}


def why_not():
    if shutil.which("g++") is None:
        return "no g++"
    if not os.path.exists("/usr/include/ns3/internet-module.h"):
        return "no ns-3 headers (Debian: libns3-dev)"
    return None


def build(program):
    flags = ["-lns3-" + name for name in LIBRARIES]
    # the libraries name the development files of some that are not needed here
    subprocess.run(["g++", "-std=c++17", "-O1", "-o", program, os.path.join(HERE, "ns3", "sim.cc"),
                    *flags, "-Wl,--allow-shlib-undefined"], check=True)


def truth_of(name, folder):
    """A truth file with what the scorer asks of a simulated flow."""
    cause, also, cc, rate, delay, _, size, more = CASES[name]
    with open(os.path.join(folder, "a-tcp.csv"), newline="") as f:
        rows = [r for r in csv.DictReader(f) if int(r["unacked"])]
    mss = more.get("mss", 1448)
    busy = float(rows[-1]["time"]) - float(rows[0]["time"])
    sender = {"side": "a", "src": rows[0]["src"], "sport": int(rows[0]["sport"]),
              "dst": rows[0]["dst"], "dport": int(rows[0]["dport"]), "cc": FAMILY[cc], "mss": mss,
              "bytes_sent": int(size), "bytes_retrans": 0, "bytes_acked": int(size) + 1,
              "rtt_ms": {"kernel_min": 2 * delay + 8 * (mss + 52) / (rate * 1000)},
              "limits_us": {"busy": round(busy * 1e6), "rwnd": 0, "sndbuf": 0},
              "cwnd": {"series": "a-tcp.csv"}}
    key = "%s:%d>%s:%d" % (sender["src"], sender["sport"], sender["dst"], sender["dport"])
    return {"name": name, "cause": cause, "also": also, "counted": False,
            "link": "rate=%gM delay=%g" % (rate, delay), "main_flow": key, "flows": [sender],
            "captures": {p: p + ".pcap" for p in "amb"}, "emulator": {"off_ns": 0},
            "other_events": {}, "retransmits": []}


def run(folder, cases):
    """The folder with a result for each case (names or prefixes; default all)."""
    program = os.path.join(folder, "sim")
    os.makedirs(folder, exist_ok=True)
    build(program)
    for name, (_, _, cc, rate, delay, queue, size, more) in CASES.items():
        if cases and not any(name.startswith(c) for c in cases):
            continue
        out = os.path.join(folder, name)
        os.makedirs(out, exist_ok=True)
        options = {"cc": cc, "rate": "%gMbps" % rate, "delay": delay, "queue": "%dp" % queue,
                   "bytes": int(size), **more}
        subprocess.run([program] + ["--%s=%s" % pair for pair in options.items()], cwd=out,
                       check=True)
        with open(os.path.join(out, "truth.json"), "w") as f:
            json.dump(truth_of(name, out), f, indent=1)
    return [folder]
