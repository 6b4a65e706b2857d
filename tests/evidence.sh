#!/bin/sh
# What --evidence and --events name, looked up with tshark: every frame, and every figure.
# Usage: tests/evidence.sh PROGRAM.  Exit status 77: no tshark.
cd "$(dirname "$0")/.." || exit 1
command -v tshark >/dev/null || { echo "no tshark here"; exit 77; }
python3 tests/evidence_frames.py "${1:?program}" && python3 tests/evidence_figures.py "$1"
