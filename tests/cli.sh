#!/bin/bash
# The command line of the built program: what it says, where, and its exit status.
# Usage: tests/cli.sh PROGRAM
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
program=$(realpath "${1:?program}")
folder=$(mktemp -d)
trap 'chmod -R u+rwx "$folder"; rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder LC_ALL=C
passed=0 failed=0

# A capture with a truth, from the repository or beside it.
capture()
{
    local place
    for place in pcaps ../shared/lab-pcaps; do
        [ ! -e "$place/$1" ] || { echo "$place/$1"; return; }
    done
}

# Run the program; standard output, standard error and status are kept.
run()
{
    "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
}

# Record one comparison.  Usage: verdict TITLE GOOD(0 or 1) DETAIL
verdict()
{
    if [ "$2" = 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n  %s\n' "$1" "$3"
        sed 's/^/  stderr: /' "$folder/err" | head -n 5
    fi
}

# After run: the status is this, and standard error is exactly this line ('' = nothing).
expect()
{
    local good=0
    [ "$status" -eq "$2" ] && [ "$(cat "$folder/err")" = "$3" ] && good=1
    verdict "$1" $good "want exit $2 and: $3 -- got exit $status"
}

# After run: the status is this, and standard error holds this text (grep's basic pattern).
expect_like()
{
    local good=0
    [ "$status" -eq "$2" ] && grep -q -- "$3" "$folder/err" && good=1
    verdict "$1" $good "want exit $2 and something like: $3 -- got exit $status"
}

# After run: a condition holds.  Usage: expect_that TITLE COMMAND...
expect_that()
{
    local title=$1 good=0
    shift
    "$@" && good=1
    verdict "$title" $good "exit $status; not true: $*"
}

# A capture file with a header and nothing else; then one with an ARP request; both little-endian.
header='\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00'
printf %b "$header\x01\x00\x00\x00" >"$folder/none.pcap"
arp='\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x06\x00\x01\x08\x00\x06\x04\x00\x01'
arp="$arp\x02\x00\x00\x00\x00\x01\xc0\x00\x02\x01\x00\x00\x00\x00\x00\x00\xc0\x00\x02\x02"
record="\x00\x00\x00\x50\x00\x00\x00\x00\x2a\x00\x00\x00\x2a\x00\x00\x00$arp"
printf %b "$header\x01\x00\x00\x00$record$record" >"$folder/arp.pcap"
# link type 250, RTAC_SERIAL
printf %b "$header\xfa\x00\x00\x00$record" >"$folder/rtac.pcap"

test_usage()
{
    run
    expect 'no input' 2 'tcpwhy: input: there is none. Name a file (-r FILE) or a device (-i IF); tcpwhy -h has all.'
    run --nonsense
    expect 'unknown option' 2 'tcpwhy: --nonsense: there is no such option, or several begin so. tcpwhy -h lists them.'
    run -r
    expect 'missing argument' 2 'tcpwhy: -r: its argument is missing. Give FILE.'
    run --tui
    expect 'later option' 2 'tcpwhy: --tui: is not part of this version. Use the report: tcpwhy -r FILE.'
    run -r "$folder/arp.pcap" --check=nothing
    expect_like 'unknown cause' 2 'is no cause'
    run -r "$folder/arp.pcap" tcp prot 21
    expect 'bad filter' 2 'tcpwhy: filter: "tcp prot 21" is not accepted: syntax error. See pcap-filter(7) for the syntax.'
    run -r "$folder/arp.pcap" -F "$folder/missing"
    expect 'missing filter file' 2 "tcpwhy: $folder/missing: No such file or directory. Check the path."
    mkdir -p "$folder/tcpwhy"
    echo 'speed' >"$folder/tcpwhy/options"
    run -r "$folder/arp.pcap"
    expect 'bad settings file' 2 "tcpwhy: $folder/tcpwhy/options line 1: speed: there is no such option. tcpwhy -h lists them."
    run -r "$folder/none.pcap" --no-config
    expect_that '--no-config' [ $status -eq 0 ]
    rm -r "$folder/tcpwhy"
}

test_information()
{
    local long
    run --version
    expect '--version' 0 ''
    expect_that '--version names the program' grep -qE '^tcpwhy [0-9]+\.[0-9]+\.[0-9]+$' "$folder/out"
    run -h
    expect '-h' 0 ''
    cp "$folder/out" "$folder/help"
    for long in $(sed -n 's/^\.It Fl \(. .*, Fl \)\?-\([a-z-]*\).*/\2/p' docs/tcpwhy.1); do
        expect_that "help has --$long" grep -qE -- "--$long( |$)" "$folder/help"
    done
    run -D
    expect '-D' 0 ''
    expect_that '-D lists the loopback device' grep -qE '^lo ' "$folder/out"
    run -L
    expect_that '-L lists link types' grep -qx EN10MB "$folder/out"
}

test_files()
{
    run -r "$folder/missing.pcap"
    expect 'missing file' 1 "tcpwhy: $folder/missing.pcap: No such file or directory. Check the path."
    run "$folder/missing.pcap"
    expect 'missing file as a word' 1 "tcpwhy: $folder/missing.pcap: No such file or directory. Check the path."
    run -r "$folder"
    expect 'directory' 1 "tcpwhy: $folder: is a directory. Name the capture files in it."
    : >"$folder/empty.pcap"
    run -r "$folder/empty.pcap"
    expect_like 'empty file' 1 'empty.pcap: is empty (0 bytes)'
    echo 'hello, this is text' >"$folder/notes.txt"
    run -r "$folder/notes.txt"
    expect_like 'text file' 1 'notes.txt.*68 65 6c 6c'
    run -r "$folder/none.pcap"
    expect 'no packets' 0 "tcpwhy: warning: $folder/none.pcap: holds no packets. Nothing to judge."
    run -r "$folder/none.pcap" --check
    expect_that 'no packets with --check' [ $status -eq 4 ]
    run -r "$folder/arp.pcap"
    expect 'no TCP' 0 "tcpwhy: warning: $folder/arp.pcap: 2 packets but none is TCP over IPv4 or IPv6 (most: ARP). Capture where the transfer passes."
    run -r "$folder/arp.pcap" tcp
    expect 'no packets that match' 0 "tcpwhy: warning: $folder/arp.pcap: holds no packets that match the filter. Try without the filter."
    run -r "$folder/rtac.pcap"
    expect_like 'unsupported link type' 1 '^tcpwhy: link type RTAC_SERIAL (250) is not supported; supported: .*EN10MB'
    cp "$folder/none.pcap" "$folder/$(printf 'esc\033[2Jape.pcap')"
    run -r "$folder/$(printf 'esc\033[2Jape.pcap')"
    expect_that 'control bytes of a name' [ "$(grep -c "$(printf '\033')" "$folder/err")" -eq 0 ]
    if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
        cp "$folder/none.pcap" "$folder/locked.pcap"
        chmod 0 "$folder/locked.pcap"
        chmod 755 "$folder"
        setpriv --reuid=65534 --clear-groups --inh-caps=-all "$program" -r "$folder/locked.pcap" \
            >"$folder/out" 2>"$folder/err" </dev/null
        status=$?
        # the program itself may stand where another user cannot start it
        [ $status -eq 127 ] || [ $status -eq 126 ] ||
            expect 'unreadable file' 1 "tcpwhy: $folder/locked.pcap: Permission denied. Read it as a user who may."
    fi
}

test_output()
{
    run -r "$folder/none.pcap" -o "$folder/no/such/report"
    expect 'unwritable -o' 1 "tcpwhy: $folder/no/such/report: No such file or directory. Name a file that can be written."
    run -r "$folder/none.pcap" -w "$folder/no/such/copy"
    expect 'unwritable -w' 1 "tcpwhy: $folder/no/such/copy: No such file or directory. Name a file that can be written."
    run -r "$folder/none.pcap" -o "$folder/report"
    expect_that '-o writes there' [ ! -s "$folder/out" ]
    run -r "$folder/none.pcap" --json
    expect_that 'JSON without packets' python3 -m json.tool "$folder/out" /dev/null
    run -r "$folder/none.pcap" --series
    expect_like '--series without JSON' 0 'warning: --series: the course over time is shown in JSON alone. Add --json.'
    run -r "$folder/none.pcap" --series --jsonl
    expect_that '--series with JSON lines' [ "$(grep -c series "$folder/err")" -eq 0 ]
    run -r "$folder/none.pcap" -T csv --evidence
    expect_like '--evidence with CSV' 0 'warning: -T csv: a row a connection has no evidence and no events. Use --json.'
    run -r "$folder/none.pcap" --ascii
    expect_that '--ascii is the report itself' [ $status -eq 0 ]
    run -r "$folder/arp.pcap" -w "$folder/copy.pcap" -c 1
    run -r "$folder/copy.pcap"
    expect_like 'what -w wrote is read' 0 'copy.pcap: 1 packet but none is TCP'
    run -r "$folder/arp.pcap" -w "$folder/copy.pcapng"
    run -r "$folder/copy.pcapng"
    expect_like 'the same as pcapng' 0 'copy.pcapng: 2 packets but none is TCP'
    if [ -e /dev/full ]; then
        run -r "$folder/none.pcap" -o /dev/full
        expect_like 'full disk' 1 'No space left on device'
        run -r "$folder/arp.pcap" -w /dev/full
        expect_like 'full disk with -w' 1 'No space left on device'
    fi
    # 1 quietly, or 0 when the report went out before the reader was gone
    { "$program" -r "$folder/arp.pcap" 2>"$folder/err"; echo $? >"$folder/status"; } | true
    status=$(cat "$folder/status")
    expect_that 'closed pipe is quiet' [ "$(grep -vc 'none is TCP' "$folder/err")" -eq 0 ]
    expect_that 'closed pipe' [ "$status" -le 1 ]
}

test_capture()
{
    local file get window
    file=$(capture loss.a.pcap) get=$(capture ftp-get-window.a.pcap)
    if [ -z "$file" ] || [ -z "$get" ]; then
        echo 'the captures loss.a.pcap and ftp-get-window.a.pcap are not here: left out'
        return
    fi
    run -r "$file"
    expect 'a capture' 0 ''
    cp "$folder/out" "$folder/one"
    run "$file"
    expect_that 'FILE alone' cmp -s "$folder/one" "$folder/out"
    "$program" -r - <"$file" >"$folder/out" 2>"$folder/err"
    status=$?
    expect 'standard input' 0 ''
    cat "$file" | "$program" -r - >"$folder/out" 2>"$folder/err"
    status=$?
    expect 'a pipe' 0 ''
    run -r "$file" -r "$get" --json
    expect 'two files' 0 ''
    expect_that 'both are named' grep -q "$(basename "$file")" "$folder/out"
    expect_that 'both are named' grep -q "$(basename "$get")" "$folder/out"
    head -c 60000 "$file" >"$folder/cut.pcap"
    run -r "$folder/cut.pcap"
    expect_like 'a cut file' 0 '^tcpwhy: warning: .*cut.pcap: is cut after packet [0-9]* ('
    run -r "$folder/cut.pcap" --strict
    expect_like 'a cut file with --strict' 1 '^tcpwhy: warning: .*cut.pcap: is cut after packet'
    expect_that 'and still a report' [ -s "$folder/out" ]
    run -r "$get" -o "$folder/report" -w "$folder/copy.pcap" port 20 or port 21
    expect_that 'a filter with -w' [ $status -eq 0 ]
    run -r "$file" --progress
    expect 'progress of a short run' 0 ''
    run -r "$get" --check
    expect_that '--check: something limits it' [ $status -eq 3 ]
    run -r "$get" --check no_window_scaling
    window=$status
    run -r "$get" --check=receive_window
    expect_that '--check: the window limits it' [ $((window == 3 || status == 3)) -eq 1 ]
    run -r "$get" --check disk_full
    expect_that '--check: not the disk' [ $status -eq 0 ]
    head -c 3000 "$get" >"$folder/short.pcap"
    run -r "$folder/short.pcap" --check
    expect_that '--check: not enough evidence' [ $status -eq 4 ]
}

test_usage
test_information
test_files
test_output
test_capture
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
