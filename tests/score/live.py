"""Make more cases with the lab, live: copy it to a folder, build it, run it."""
import os
import shutil
import subprocess
import sys

NEEDED = ["vsftpd", "curl", "lftp", "ip", "gcc", "make"]


def why_not(lab):
    """The reason why the lab can't run here, or None."""
    if not os.path.isdir(lab):
        return "no lab at %s" % lab
    if os.geteuid() != 0:
        return "the lab needs root"
    if not os.path.exists("/dev/net/tun"):
        return "no /dev/net/tun"
    gone = [tool for tool in NEEDED if shutil.which(tool) is None]
    return "not installed: " + " ".join(gone) if gone else None


def run(lab, folder, cases, seeds, vary, jobs):
    """Folders of results, one a seed; cases are names or prefixes of the lab's cases."""
    work = os.path.join(folder, "lab")
    shutil.copytree(lab, work)
    subprocess.run(["make", "-s"], cwd=work, check=True)
    listing = subprocess.run([sys.executable, "run.py", "list"], cwd=work, check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    names = [line.split()[0] for line in listing.splitlines() if line.strip()]
    chosen = [n for n in names if not n.startswith("dev-") and
              (not cases or any(n.startswith(c) for c in cases))]
    out = []
    for seed in seeds:
        target = os.path.join(folder, "seed%d" % seed)
        command = [sys.executable, "run.py", "run", *chosen, "-o", target, "-j", str(jobs),
                   "--seed", str(seed)] + (["--vary"] if vary else [])
        subprocess.run(command, cwd=work, check=False, stdout=subprocess.DEVNULL)
        if os.path.isdir(target):
            out.append(target)
    return out
