#!/bin/bash
# Each header compiles alone, twice, without warnings, with gcc and with clang where installed.
# Usage: tests/check_headers.sh; it first tests itself with headers that must fail.
set -euo pipefail
cd "$(dirname "$0")/.."

flags="-std=c11 -D_DEFAULT_SOURCE -I. -Wall -Wextra -Wshadow -Wstrict-prototypes
       -Wmissing-prototypes -Wconversion -Wno-sign-conversion -Wpointer-arith -Wcast-qual -Wformat=2
       -Werror"
flags="$flags $(pkg-config --cflags libpcap jansson 2>/dev/null || true)"
compilers=
for compiler in gcc clang; do
    ! command -v $compiler >/dev/null || compilers="$compilers $compiler"
done
[ -n "$compilers" ] || compilers=${CC:-cc}

# True when the header passes with every compiler; complaints go to stderr.
header_passes()
{
    local compiler
    for compiler in $compilers; do
        # shellcheck disable=SC2086
        printf '#include "%s"\n#include "%s"\n' "$1" "$1" |
            $compiler $flags -fsyntax-only -x c - || return 1
    done
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
while IFS='|' read -r name text; do
    printf '%b\n' "$text" >"$folder/$name.h"
    if header_passes "$folder/$name.h" 2>/dev/null; then
        echo "check_headers: not caught: a header with $name"
        exit 1
    fi
done <<'FAULTS'
a missing include|#ifndef A_H\n#define A_H\nuint32_t a;\n#endif
no guard|struct a { int b; };
an old-style prototype|#ifndef A_H\n#define A_H\nint a();\n#endif
FAULTS

failed=0 count=0
for header in ./*.h capture/*.h analysis/*.h analysis/*/*.h report/*.h tui/*.h tests/*.h; do
    [ -e "$header" ] || continue
    count=$((count + 1))
    header_passes "$header" || { echo "$header does not compile alone and twice"; failed=1; }
done
echo "$count headers,$compilers"
exit $failed
