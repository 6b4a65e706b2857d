#!/bin/bash
# The include direction holds: tcpwhy.c -> tui, report, analysis, capture; report -> analysis;
# analysis -> capture/segment.h; capture -> capture.  Also: <pcap.h> in capture/ only, <curses.h>
# in one file of tui/, no output and no clock in analysis/, no .c file included.
# Usage: tests/check_layers.sh [TREE]; without TREE the repository, after a test of itself.
set -euo pipefail

# Text of a source file without comments.
code()
{
    sed -zE 's,/\*([^*]|\*+[^*/])*\*+/, ,g; s,//[^\n]*,,g' "$1"
}

# Names in "" or <> that a file includes, one a line, with their quotes.
includes()
{
    code "$1" | sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]*[>"]).*/\1/p'
}

# Print each project include of a folder's files that no pattern allows.
check_folder()
{
    local folder=$1 allowed=$2 file
    for file in "$folder"/*.[ch]; do
        [ -e "$file" ] || continue
        includes "$file" | grep '^"' | grep -vE "^\"($allowed)\"\$" |
            sed "s|^|$file: must not include |" || true
    done
}

# Print each line of a folder's code that matches a forbidden word.
check_words()
{
    local folder=$1 words=$2 why=$3 file
    for file in "$folder"/*.[ch]; do
        [ -e "$file" ] || continue
        code "$file" | grep -nE "(^|[^A-Za-z0-9_])($words)" | sed "s|^|$file: $why: |" || true
    done
}

# analysis/ has floors: a file includes its own folder, those below it, and the plain results.  Causes
# see results only; nothing but analysis/*.c, the front, sees causes.
check_analysis()
{
    local plain='capture/segment\.h|xmalloc\.h|analysis/[a-z0-9_]+\.h' below='' folder
    for folder in flow segment replay facts session connection; do
        below+=${below:+|}$folder
        check_folder analysis/$folder "$plain|analysis/($below)/[a-z0-9_]+\.h"
    done
    check_folder analysis/cause "$plain|analysis/cause/[a-z0-9_]+\.h"
    check_folder analysis "$plain|analysis/($below|cause)/[a-z0-9_]+\.h"
}

# Print everything that is wrong in the tree below the current folder.
check_tree()
{
    local file folder
    check_folder capture 'capture/[a-z0-9_]+\.h|xmalloc\.h'
    check_analysis
    check_folder report '(report|analysis|analysis/cause)/[a-z0-9_]+\.h|xmalloc\.h'
    check_folder tui '(tui|report|analysis|analysis/cause)/[a-z0-9_]+\.h|xmalloc\.h'
    check_folder . '((tui|report|analysis|analysis/cause|capture)/)?[a-z0-9_]+\.h'
    for file in ./*.[ch] analysis/*.[ch] analysis/*/*.[ch] report/*.[ch] tui/*.[ch]; do
        [ -e "$file" ] || continue
        includes "$file" | grep -E '^<pcap[./]' | sed "s|^|$file: outside capture/: |" || true
    done
    for file in ./*.[ch] capture/*.[ch] analysis/*.[ch] analysis/*/*.[ch] report/*.[ch] tui/*.[ch]; do
        [ -e "$file" ] || continue
        ! includes "$file" | grep -qE '^<n?cursesw?[./]' || echo "$file"
    done | grep -v '^tui/' | sed 's|$|: <curses.h> outside tui/|' || true
    file=$(grep -lE '^ *# *include *<n?cursesw?[./]' tui/*.[ch] 2>/dev/null | wc -l || true)
    [ "$file" -le 1 ] || echo "tui: <curses.h> in $file files, one is allowed"
    for folder in analysis analysis/*/; do
        check_silent "${folder%/}"
    done
}

# A folder that prints nothing and reads no clock.
check_silent()
{
    check_words "$1" 'v?f?printf *\(|f?puts *\(|f?putc(har)? *\(|fwrite *\(' output
    check_words "$1" 'perror *\(|stdout|stderr' output
    check_words "$1" 'f?time *\(|clock *\(|clock_gettime|gettimeofday|timespec_get' clock
}

# Each deliberate fault, alone in a small tree, must be found; the faultless tree must pass.
self_test()
{
    local tree file text
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' RETURN
    mkdir -p "$tree"/{capture,analysis/flow,analysis/replay,analysis/cause,report,tui}
    cd "$tree"
    printf '#include <stdio.h>\n#include "capture/segment.h"\n' >analysis/a.c
    printf '/* printf(time()) */\nsnprintf(rtt_time(x));\n' >>analysis/a.c
    printf '#include <pcap.h>\n#include "capture/a.h"\n' >capture/a.c
    printf '#include <curses.h>\n#include "report/a.h"\n' >tui/a.c
    printf '#include "analysis/a.h"\n#include "xmalloc.h"\n' >report/a.c
    printf '#include "options.h"\n#include "capture/source.h"\n' >tcpwhy.c
    [ -z "$(check_tree)" ] || { echo "not faultless:"; check_tree; return 1; }
    while IFS='|' read -r file text; do
        printf '%s\n' "$text" >"$file"
        [ -n "$(check_tree)" ] || { echo "check_layers: not caught: $file: $text"; return 1; }
        rm "$file"
    done <<'FAULTS'
capture/x.c|#include "analysis/analyzer.h"
capture/x.h|#include "report/report.h"
capture/x.c|#include "options.h"
analysis/x.c|#include "capture/source.h"
analysis/x.c|#include "report/report.h"
analysis/x.c|# include "segment.h"
analysis/x.c|#include "../capture/source.h"
analysis/flow/x.c|#include "analysis/replay/a.h"
analysis/replay/x.h|#include "analysis/cause/a.h"
analysis/cause/x.c|#include "analysis/flow/a.h"
analysis/cause/x.c|#include "analysis/replay/a.h"
analysis/flow/x.c|    printf("x");
report/x.c|#include "analysis/flow/a.h"
analysis/x.c|    printf("x");
analysis/x.c|    fprintf(stderr, "x");
analysis/x.c|    long now = time(NULL);
analysis/x.c|    clock_gettime(CLOCK_MONOTONIC, &now);
analysis/x.c|#include <pcap.h>
report/x.c|#include "capture/segment.h"
report/x.c|#include "tui/app.h"
report/x.c|#include <pcap/pcap.h>
report/x.c|#include <curses.h>
tui/x.c|#include "capture/source.h"
tui/x.c|#include <ncursesw/curses.h>
x.c|#include "tcpwhy.c"
x.c|#include <pcap.h>
FAULTS
}

root=$(cd "${1:-$(dirname "$0")/..}" && pwd)
[ $# -gt 0 ] || (self_test)
cd "$root"
faults=$(check_tree)
[ -z "$faults" ] || { printf '%s\n' "$faults"; exit 1; }
