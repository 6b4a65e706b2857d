#!/usr/bin/env python3
"""CPU time of tcpwhy against a bare libpcap loop and other tools, on generated captures.

Usage: bench.py TOOL-FOLDER PROGRAM   (by `make bench`)
The captures go to $TMPDIR (or /tmp) and are removed unless KEEP=1; QUICK=1 takes a tenth of
the packets and flows.  Every command runs once per round, in turn, so that a ratio compares
runs made side by side; figures are medians over the rounds, of CPU seconds (user + system).
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

TOOLS, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
QUICK = os.environ.get("QUICK", "") not in ("", "0")
KEEP = os.environ.get("KEEP", "") not in ("", "0")
DIVISOR = 10 if QUICK else 1
ROUNDS = 3 if QUICK else 5

# Name: what it is, generator options (counts are divided when QUICK), limit of the ratio
# tcpwhy / bare loop, other tools that can read it in reasonable time and memory.
WORKLOADS = {
    "A": ("bulk, 8 flows, snaplen 96",
          dict(n=4_000_000, f=8, c=8, d=340_000, s=96), 1.6, ("capinfos", "tcptrace")),
    "B": ("bulk, 8 flows, full frames",
          dict(n=1_000_000, f=8, c=8, d=85_000), 1.5, ("capinfos", "tcptrace")),
    "C": ("short flows, 1000 open at once, all finished",
          dict(f=1_000_000, c=1000, d="2,5", s=96), 2.5, ("capinfos",)),
    "D": ("flows interleaved",
          dict(n=10_000_000, c=100_000, d="20,60", s=96), 2.5, ("capinfos", "tcptrace")),
    "F-few": ("as D, few open at once",
              dict(n=10_000_000, c=1000, d="20,60", s=96), None, ()),
    "F-many": ("as D, many open at once",
                 dict(n=10_000_000, c=1_000_000, d="20,60", s=96), None, ()),
    "T": ("bulk as A, small enough for tshark",
          dict(n=400_000, f=8, c=8, d=34_000, s=96), None, ("tcptrace", "tshark")),
}
DIVIDED = {"A": "nd", "B": "nd", "C": "f", "D": "nc", "F-few": "n", "F-many": "nc", "T": "nd"}
MAX_SCALING, MAX_FLOW_BYTES, MAX_FEW_FLOWS_MIB = 2.5, 600, 16
SLOW_TOOLS = {"tcptrace": 1, "tshark": 1}  # rounds


def commands(path, others):
    """Name -> command line for one capture."""
    lines = {
        "libpcap loop": [f"{TOOLS}/loop", path],
        "tcpwhy -T csv": [PROGRAM, "-r", path, "-T", "csv", "-o", "/dev/null"],
        "tcpwhy": [PROGRAM, "-r", path, "-o", "/dev/null"],
    }
    if "capinfos" in others and shutil.which("capinfos"):
        lines["capinfos -csu"] = ["capinfos", "-csu", path]
    if "tcptrace" in others and shutil.which("tcptrace"):
        lines["tcptrace -n"] = ["tcptrace", "-n", path]
    if "tshark" in others and shutil.which("tshark"):
        lines["tshark -z conv,tcp"] = ["tshark", "-n", "-q", "-r", path, "-z", "conv,tcp"]
    return lines


def measure(command, folder):
    """CPU seconds and peak resident MiB of one run; raises when the command fails."""
    result = os.path.join(folder, "result")
    with open(os.path.join(folder, "stderr"), "w+") as errors:
        subprocess.run([f"{TOOLS}/measure", result, *command], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        with open(result) as lines:
            seconds, kib, status = lines.read().split()
        if status != "0":
            errors.seek(0)
            raise RuntimeError(f"{' '.join(command)}: exit status {status}: {errors.read()[-500:]}")
    return float(seconds), int(kib) / 1024


def generate(name, path):
    """Write the capture of a workload; returns the number of packets."""
    options = dict(WORKLOADS[name][1])
    for letter in DIVIDED[name]:
        options[letter] //= DIVISOR
    words = [word for letter, value in options.items() for word in (f"-{letter}", str(value))]
    made = subprocess.run([f"{TOOLS}/gen_pcap", "-o", path, *words], check=True,
                          capture_output=True, text=True)
    return int(made.stdout), options


def run_workload(name, folder):
    """Generate, run all commands in turn, print the table; returns {command: (ns, MiB)}."""
    what, _, limit, others = WORKLOADS[name]
    path = os.path.join(folder, f"{name}.pcap")
    packets, options = generate(name, path)
    size = os.path.getsize(path) / 1e6
    print(f"\n{name}: {what}: {packets:,} packets, {size:,.0f} MB"
          f" (gen_pcap {' '.join(f'-{k} {v}' for k, v in options.items())})")
    lines = commands(path, others)
    with open(path, "rb") as capture:  # bring it into the page cache
        while capture.read(1 << 22):
            pass
    runs = {command: [] for command in lines}
    for turn in range(ROUNDS):
        for command, line in lines.items():
            if turn < SLOW_TOOLS.get(command.split()[0], ROUNDS):
                runs[command].append(measure(line, folder))
    if name == "C":
        rows = count_rows(path)
        verdict("flows that the CSV lacks", options["f"] - rows, 0, "8d")
    if not KEEP:
        os.unlink(path)
    print(f"  {'command':<20}{'CPU s':>9}{'ns/packet':>11}{'ratio':>8}{'peak MiB':>10}{'runs':>6}")
    figures = {}
    for command, results in runs.items():
        seconds = statistics.median(cpu for cpu, _ in results)
        ratio = statistics.median(cpu / loop for (cpu, _), (loop, _)
                                  in zip(results, runs["libpcap loop"]))
        peak = max(mib for _, mib in results)
        note = ""
        if limit and command.startswith("tcpwhy"):
            note = f"  limit {limit}: {'met' if ratio <= limit else 'NOT MET'}"
        print(f"  {command:<20}{seconds:>9.3f}{seconds / packets * 1e9:>11.1f}{ratio:>8.2f}"
              f"{peak:>10.1f}{len(results):>6}{note}", flush=True)
        figures[command] = (seconds / packets * 1e9, peak, ratio)
    return figures


def count_rows(path):
    """Rows of the CSV (one a flow) without its header line."""
    with subprocess.Popen([PROGRAM, "-r", path, "-T", "csv"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE) as process:
        return sum(1 for _ in process.stdout) - 1


def verdict(text, value, limit, form):
    print(f"  {text:<58}{value:{form}}  limit {limit}: {'met' if value <= limit else 'NOT MET'}")


def main():
    if not shutil.which("tcptrace") or not shutil.which("tshark"):
        print("tcptrace or tshark is not installed: no figures for it")
    if QUICK:
        print("QUICK: a tenth of the packets and flows; ratios of such short runs are rough")
    base = os.environ.get("TMPDIR", "/tmp")
    folder = tempfile.mkdtemp(prefix="tcpwhy-bench-", dir=base)
    free = shutil.disk_usage(folder).free
    if free < 3e9 / DIVISOR * (7 if KEEP else 1):
        sys.exit(f"bench: {base}: only {free / 1e9:.1f} GB free. Set TMPDIR to another disk.")
    try:
        figures = {name: run_workload(name, folder) for name in WORKLOADS}
    finally:
        if KEEP:
            print(f"\nkept: {folder}")
        else:
            shutil.rmtree(folder)
    print("\nScaling and memory (tcpwhy -T csv)")
    csv = {name: figures[name]["tcpwhy -T csv"] for name in figures}
    flows = 1_000_000 // DIVISOR
    verdict(f"ns per packet, {flows:,} flows open / 1000 open",
            csv["F-many"][0] / csv["F-few"][0], MAX_SCALING, "8.2f")
    verdict(f"bytes a flow, {flows:,} open: (peak F-many - peak A) / flows",
            (csv["F-many"][1] - csv["A"][1]) * 2**20 / flows, MAX_FLOW_BYTES, "8.0f")
    verdict(f"bytes a flow, {flows:,} finished: (peak C - peak A) / flows",
            (csv["C"][1] - csv["A"][1]) * 2**20 / flows, MAX_FLOW_BYTES, "8.0f")
    verdict("peak MiB with 8 flows (A, B)", max(csv["A"][1], csv["B"][1]),
            MAX_FEW_FLOWS_MIB, "8.1f")
    print("tshark reads the small file T only: it takes about 10 microseconds a packet.")


if __name__ == "__main__":
    main()
