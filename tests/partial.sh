#!/bin/sh
# Captures that lack a part, of pcaps/ and of ../shared/lab-pcaps when present.
# Usage: tests/partial.sh PROGRAM
cd "$(dirname "$0")/.." || exit 1
if [ -d ../shared/lab-pcaps ]; then
    exec python3 tests/partial.py "${1:?program}" --folder pcaps --folder ../shared/lab-pcaps
fi
echo "without ../shared/lab-pcaps: pcaps/ only"
exec python3 tests/partial.py "${1:?program}"
