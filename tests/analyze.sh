#!/bin/bash
# Static analysis, warnings are errors: cppcheck over the tree, clang-tidy (.clang-tidy) file by
# file.  Usage: tests/analyze.sh [FILE.c...]; without files all of the program's sources.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

for tool in cppcheck clang-tidy; do
    command -v "$tool" >/dev/null && continue
    echo "analyze: $tool: not installed. Run: apt-get install -y cppcheck clang-tidy" >&2
    exit 1
done

files=("$@")
folders=(./*.c capture/*.c analysis/*.c analysis/*/*.c report/*.c tui/*.c)
[ $# -gt 0 ] || mapfile -t files < <(ls "${folders[@]}" 2>/dev/null)
[ ${#files[@]} -gt 0 ] || exit 0
jobs=${JOBS:-$(nproc)}
failed=0
mkdir -p build

echo "cppcheck: ${#files[@]} files"
cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability \
    --error-exitcode=1 --inline-suppr --suppress=missingIncludeSystem -j "$jobs" \
    -D__GNUC__=12 -I . "${files[@]}" || failed=1

echo "clang-tidy: ${#files[@]} files"
flags="-std=c11 -D_DEFAULT_SOURCE -I. $(pkg-config --cflags libpcap jansson 2>/dev/null)"
# shellcheck disable=SC2086 # words of a command line
printf '%s\n' "${files[@]}" | xargs -P "$jobs" -I {} \
    clang-tidy --quiet --warnings-as-errors='*' {} -- $flags 2>build/clang-tidy.log || failed=1
[ $failed -eq 0 ] || grep 'error:' build/clang-tidy.log >&2
exit $failed
