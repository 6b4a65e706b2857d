"""What kernel, emulator and programs knew of each captured transfer (../shared/lab/README.md)."""
import functools
import json
import os
from dataclasses import dataclass, field

import live

# Capture points: the client's host, mid path, the server's host.
POINTS = ("a", "m", "b")


@dataclass
class DataFlow:
    """One direction with data: the sending socket, and the receiving one where it was seen."""
    key: tuple              # (sender address, port, receiver address, port)
    side: str               # host of the sender: "a" or "b"
    sender: dict
    receiver: dict
    needed: int = 0         # retransmissions that followed a loss
    spurious: int = 0
    reordered: int = 0      # packets that the emulator let later ones overtake

    @property
    def bytes_sent(self):
        """Distinct bytes that left the sender, without SYN and FIN."""
        return self.sender["bytes_sent"] - self.sender["bytes_retrans"]

    @property
    def bytes_acked(self):
        """Distinct bytes acknowledged: the kernel counts the SYN, and the FIN once acknowledged."""
        return min(self.sender["bytes_acked"] - 1, self.bytes_sent)


@dataclass
class Case:
    name: str
    cause: str
    captures: dict          # point -> path of the capture
    flows: list = field(default_factory=list)
    mangled: dict = field(default_factory=dict)  # file name -> what was done to it
    folder: str = ""
    live: bool = False      # a lab run's own folder, with all that it left
    doc: dict = field(default_factory=dict)      # the truth file
    also: list = field(default_factory=list)     # more causes that a case of our own allows

    @property
    def main_flow(self):
        return next((f for f in self.flows if "%s:%s>%s:%s" % f.key == self.doc["main_flow"]), None)

    @property
    def clock_offset_s(self):
        """From the kernel trace's clock to the captures'."""
        return self.doc["emulator"]["off_ns"] / 1e9

    def series_path(self, flow):
        """The file with the kernel's samples of the flow's sender, or None."""
        name = flow.sender["cwnd"]["series"]
        return os.path.join(self.folder, name) if name else None


def key_of(flow):
    return (flow["src"], flow["sport"], flow["dst"], flow["dport"])


def data_flows(doc):
    """The directions that carried data, with their retransmissions counted by the emulator."""
    sockets = {key_of(flow): flow for flow in doc["flows"]}
    reordered = doc["other_events"].get("reorder", 0)
    out = []
    for key, sender in sockets.items():
        if sender["bytes_sent"] == 0:
            continue
        receiver = sockets.get((key[2], key[3], key[0], key[1]), {})
        flow = DataFlow(key, sender["side"], sender, receiver)
        for _, _, kind, sport, dport, _, _ in doc["retransmits"]:
            if (sport, dport) == (key[1], key[3]):
                if kind == "spurious":
                    flow.spurious += 1
                else:
                    flow.needed += 1
        if "%s:%s>%s:%s" % key == doc["main_flow"]:
            flow.reordered = reordered
        out.append(flow)
    return out


@functools.cache
def own_causes():
    """What a case of our own (cases/*.toml) allows besides its cause, by the case's name."""
    return {name: case.get("also", []) for name, case in live.own_cases().items()}


def load_case(path):
    """A case from its truth file; captures are looked for beside it."""
    with open(path) as f:
        doc = json.load(f)
    folder = os.path.dirname(path)
    name = doc["name"].removeprefix("dev-")
    captures = {}
    for point, file in doc.get("captures", {}).items():
        captures[point] = os.path.join(folder, file)
    if not captures:
        captures = {p: os.path.join(folder, p + ".pcap") for p in POINTS}
    captures = {p: f for p, f in captures.items() if os.path.exists(f)}
    also = doc.get("also") or own_causes().get(name, [])
    return Case(name, doc["cause"], captures, data_flows(doc), doc.get("mangled", {}), folder,
                os.path.basename(path) == "truth.json", doc, also)


def load_folder(folder):
    """Every case with a truth file in the folder or one level below it."""
    paths = []
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        if entry.endswith(".truth.json"):
            paths.append(path)
        elif os.path.isfile(os.path.join(path, "truth.json")):
            paths.append(os.path.join(path, "truth.json"))
    return [load_case(path) for path in paths]
