"""The verdict against the limit that is built into a case: right, silent or wrong.

`unknown` and no verdict are silent.  A case of our own names a slug of the catalogue as its cause
and may allow more ("also"); the shared lab's words are translated here, by case where a word
covers several causes.  A slug outside is wrong."""
import paths

ALLOWED = {
    "receiver-window": {"receive_window", "no_window_scaling", "window_scaling_stripped"},
    "receiver-application": {"receiver_slow"},
    "sender-application": {"sender_slow", "paced_sender"},
    "send-buffer": {"send_buffer"},
    "slow-start": {"slow_start_short"},
    "short-transfer": {"slow_start_short", "healthy"},
    "bottleneck-queue": {"congestion_loss", "link_rate", "bufferbloat"},
    "bottleneck-rate": {"link_rate", "bufferbloat"},
    "request-response": {"turn_limited"},
    "idle-restart": {"idle_restart", "sender_slow"},  # the program's silence is most of the time
    "idle": {"sender_slow"},
    "loss": {"random_loss"},
    "policer": {"policer"},
    "reordering": {"reordering", "spurious_retransmits"},
    "client-abort": {"aborted_by_client"},
    "connection-setup": {"too_short"},
}
BY_CASE = {
    "outage": {"rto_stalls"},
    "outage-rto": {"rto_stalls"},
    "tail-loss": {"rto_stalls"},
    "burst-loss": {"random_loss", "rto_stalls"},  # bad spells: which of the two is the timer's luck
    # one loss on a path of 560 ms: the slow growth after it is what costs
    "satellite-single-loss": {"random_loss", "cwnd_growth", "satellite_path"},
}
TOO_SHORT_SEGMENTS = 50
TOO_SHORT_ROUNDS = 5
SILENT = {"unknown", None}
# The kernel counted so much of its busy time as rwnd-limited: the window is a cause in fact, though
# the case was built for another (a varied path has a larger delay-bandwidth product).
RWND_IN_FACT = 0.5
# Row 62 of the catalogue: at 90 % of the link no other cause matters.
LINK_REACHED = 0.9


def is_short(row):
    """Below what names a cause (CONTRACT.md section 4)."""
    segments = row.flow.bytes_sent / max(row.flow.sender["mss"], 1)
    rtt = row.flow.sender["rtt_ms"]["kernel_min"]
    rounds = row.flow.sender["limits_us"]["busy"] / 1000 / rtt if rtt else 0
    return segments < TOO_SHORT_SEGMENTS or rounds < TOO_SHORT_ROUNDS


def allowed(row):
    name, cause = row.case.name, row.case.cause
    out = set(BY_CASE.get(name) or ALLOWED.get(cause) or {cause}) | set(row.case.also)
    if is_short(row):
        out |= {"too_short", "slow_start_short"}
    if "ftp" in name or "abort" in cause:
        out |= {"aborted_by_client", "aborted_by_server"}
    if row.mangled:
        out.add("capture_unfit")
    times = row.flow.sender["limits_us"]
    if times["busy"] and times["rwnd"] >= RWND_IN_FACT * times["busy"] and \
            cause != "receiver-application":
        out |= ALLOWED["receiver-window"]
    if link_share(row) >= LINK_REACHED:
        out |= {"healthy", "link_rate"}
    return out


def link_share(row):
    """The flow's rate on the wire, while the kernel had data, as part of the link's; 0 unknown."""
    rate = paths.setting(row.case.doc, paths.way(row), "rate")
    busy, mss = row.flow.sender["limits_us"]["busy"], row.flow.sender["mss"]
    if not rate or not busy:
        return 0
    wire_bits = 8 * row.flow.sender["bytes_sent"] * (mss + paths.HEADERS) / mss
    return wire_bits / (busy / 1e6) / rate


def judge(row):
    """"right", "silent" or "wrong"; None where no transfer is judged."""
    if row.verdict is None:
        return None
    cause = row.verdict["cause"]
    if cause in SILENT:
        return "silent"
    return "right" if cause in allowed(row) else "wrong"
