#!/bin/bash
# Write expected outputs anew; read the difference before it is accepted.
# Usage: tests/regold.sh NAME... | --all [PROGRAM in TCPWHY, default ./tcpwhy]
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
program=$(realpath "${TCPWHY:-$(dirname "$0")/../tcpwhy}")
[ "$1" != --all ] || shift
REGOLD=1 exec "$(dirname "$0")/golden.sh" "$program" "$@"
