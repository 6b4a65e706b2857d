"""Make more cases with the lab, live: copy it to a folder, add our own cases, build it, run it."""
import json
import os
import shutil
import subprocess
import sys
import tomllib

OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
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


def own_cases():
    """Our own cases by name, as their files have them."""
    out = {}
    for name in sorted(os.listdir(OWN)):
        if name.endswith(".toml"):
            with open(os.path.join(OWN, name), "rb") as f:
                out.update(tomllib.load(f))
    return out


def copy_lab(lab, work):
    """The lab with our cases beside its own, built."""
    shutil.copytree(lab, work, dirs_exist_ok=True)
    cases = os.path.join(work, "cases")
    os.chmod(cases, 0o755)
    for name in os.listdir(OWN):
        if name.endswith(".toml"):
            shutil.copyfile(os.path.join(OWN, name), os.path.join(cases, "own-" + name))
    subprocess.run(["make", "-s"], cwd=work, check=True)


def mangle(work, target):
    """Beside the captures of a case with "mangle", those that a bad capture would have been."""
    for name, case in own_cases().items():
        for folder in (os.path.join(target, d) for d in os.listdir(target)
                       if d == name or d.startswith(name + ".s")):
            path = os.path.join(folder, "truth.json")
            if "mangle" not in case or not os.path.exists(path):
                continue
            with open(path) as f:
                doc = json.load(f)
            for point, what, tag in case["mangle"]:
                file = "%s-%s.pcap" % (point, tag)
                said = subprocess.run([sys.executable, "mangle.py", what,
                                       os.path.join(folder, point + ".pcap"),
                                       os.path.join(folder, file)], cwd=work, check=True,
                                      stdout=subprocess.PIPE, text=True).stdout
                doc["captures"]["%s-%s" % (point, tag)] = file
                doc.setdefault("mangled", {})[file] = json.loads(said)
            with open(path, "w") as f:
                json.dump(doc, f, indent=1)


def run(lab, folder, cases, seeds, vary, jobs):
    """Folders of results, one a seed; cases are names or prefixes of the lab's cases and ours."""
    work = os.path.join(folder, "lab")
    copy_lab(lab, work)
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
            mangle(work, target)
            out.append(target)
    return out
