#!/bin/bash
# Run every fuzzer for FUZZ_SECONDS with seeds from tests/fuzz/seeds/<x>/ and pcaps/.
# Usage: tests/fuzz/run.sh BUILD-FOLDER.  A finding fails and stays in BUILD-FOLDER/findings.
# FUZZ_ONLY="a b" picks fuzzers; JOBS (default: all cores) run at a time.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

# Usage: one BUILD-FOLDER FUZZER
one()
{
    local folder=$1 name=$2 corpus=$1/corpus/$2 log=$1/$2.log status
    mkdir -p "$corpus" "$folder/findings"
    [ ! -d "tests/fuzz/seeds/$name" ] || cp -n "tests/fuzz/seeds/$name"/* "$corpus"/
    find pcaps -name '*.pcap*' -size -300k -exec cp -n {} "$corpus"/ \; 2>/dev/null
    "$folder/tests/fuzz/fuzz_$name" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 \
        -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$folder/findings/$name-" "$corpus" >"$log" 2>&1 </dev/null
    status=$?
    echo $status >"$folder/$name.status"
    if [ $status -eq 0 ]; then
        printf '  ok      %-12s %s runs, %s inputs kept\n' "$name" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
            "$(find "$corpus" -type f | wc -l)"
    else
        echo "  FAILED  $name (exit $status), reproducer in $folder/findings:"
        tail -n 40 "$log"
    fi
}

if [ "${1:-}" = --one ]; then
    shift
    one "$@"
    exit 0
fi

folder=${1:?build folder}
rm -f "$folder"/*.status
for source in tests/fuzz/fuzz_*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    case " ${FUZZ_ONLY:-${name#fuzz_}} " in
        *" ${name#fuzz_} "*) echo "${name#fuzz_}" ;;
    esac
done | xargs -r -P "${JOBS:-$(nproc)}" -n 1 "$0" --one "$folder"

for status in "$folder"/*.status; do
    [ ! -e "$status" ] || [ "$(cat "$status")" -eq 0 ] || exit 1
done
