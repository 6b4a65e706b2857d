#!/bin/sh
# Every public capture of ../shared/corpus: opened or refused, and what is said of it possible.
# Usage: tests/corpus.sh PROGRAM.  Exit status 77: the captures are not here.
cd "$(dirname "$0")/.." || exit 1
exec python3 tests/corpus.py "${1:?program}"
