#!/bin/sh
# Every frame that --evidence and --events name, looked up with tshark.
# Usage: tests/evidence.sh PROGRAM.  Exit status 77: no tshark.
cd "$(dirname "$0")/.." || exit 1
exec python3 tests/evidence_frames.py "${1:?program}"
