#!/bin/bash
# Run the program on captures and compare what it prints with what is expected (golden.list); each
# JSON report must also hold against docs/tcpwhy.schema.json.  A capture that is not there is skipped.
# Usage: tests/golden.sh PROGRAM [NAME...]; REGOLD=1 writes the expected files instead.
set -uo pipefail
program=$(realpath "${1:?program}") || exit 2
shift
cd "$(dirname "$0")/.." || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 TZ=UTC XDG_CONFIG_HOME="$work"
passed=0 failed=0 skipped=0

# Standard output with the version and what follows an error's exit status; both are in the file.
# Usage: run CAPTURE OPTIONS OUTPUT
run()
{
    local version status
    version=$("$program" --version | sed -n '1s/^[^0-9]*\([0-9][0-9.]*\).*/\1/p')
    # shellcheck disable=SC2086 # options are words
    "$program" -r "$1" $2 >"$3" 2>"$3.err"
    status=$?
    [ -z "$version" ] || sed -i "s/\"tool_version\":\"${version//./\\.}\"/\"tool_version\":\"VERSION\"/" "$3"
    [ $status -eq 0 ] || { cat "$3.err"; echo "exit status $status"; } >>"$3"
}

# True when a report is JSON (one document or lines) that the schema and the invariants allow.
# Usage: valid FILE
valid()
{
    local status
    [ "$(head -c 1 "$1")" = "{" ] || return 0
    command -v python3 >/dev/null || return 0
    python3 tests/validate_json.py "$1"
    status=$?
    [ $status -eq 0 ] || [ $status -eq 77 ] # 77: no python3-jsonschema
}

# One line of the list.  Usage: one NAME CAPTURE OPTIONS EXPECTED
one()
{
    local name=$1 capture=$2 options=$3 expected=tests/golden/$4 output=$work/out

    if [ ! -e "$capture" ]; then
        echo "$name: skipped, $capture is not there"
        skipped=$((skipped + 1))
        return
    fi
    run "$capture" "$options" "$output"
    if [ -n "${REGOLD:-}" ]; then
        valid "$output" || { failed=$((failed + 1)); return; }
        cp "$output" "$expected"
        echo "$name: $expected written"
    elif [ ! -e "$expected" ]; then
        echo "$name: $expected is missing. Run tests/regold.sh $name, and read what it wrote."
        failed=$((failed + 1))
        return
    elif ! diff -u --label "$expected" --label "$name: printed now" "$expected" "$output" ||
            ! valid "$output"; then
        echo "$name: FAILED: -r $capture $options"
        failed=$((failed + 1))
        return
    fi
    passed=$((passed + 1))
}

trim()
{
    sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$1"
}

while IFS='|' read -r name capture options expected; do
    name=$(trim "$name")
    case $name in
        '' | '#'*) continue ;;
    esac
    [ $# -eq 0 ] || [[ " $* " = *" $name "* ]] || continue
    one "$name" "$(trim "$capture")" "$(trim "$options")" "$(trim "$expected")"
done <tests/golden.list

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || { echo "nothing to compare: no expected outputs yet"; exit 77; }
