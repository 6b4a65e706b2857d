#!/bin/bash
# Run the tests and count them.  Usage: tests/run.sh OBJECT-FOLDER PROGRAM
# Each test's output goes to build/check/NAME.log and is shown only when the test fails; exit
# status 77 means skipped, the log's last line says why.  JOBS (default: all cores) at a time.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

# Run one test; writes NAME.log and NAME.status.  Usage: one LOG-FOLDER NAME COMMAND...
one()
{
    local folder=$1 name=$2 start=$SECONDS status
    shift 2
    timeout --kill-after=5 "${TEST_SECONDS:-280}" "$@" >"$folder/$name.log" 2>&1 </dev/null
    status=$?
    [ $status -ne 124 ] || echo "took longer than ${TEST_SECONDS:-280} s" >>"$folder/$name.log"
    echo $status >"$folder/$name.status"
    case $status in
        0) echo "  ok      $name ($((SECONDS - start)) s)" ;;
        77) echo "  skipped $name: $(tail -n 1 "$folder/$name.log")" ;;
        *) echo "  FAILED  $name (exit $status)" ;;
    esac
}

if [ "${1:-}" = --one ]; then
    shift
    one "$@"
    exit 0
fi

out=${1:?object folder} program=${2:?program}
folder=build/check
[ "$(basename "$out")" = release ] || folder=build/check-$(basename "$out")
rm -rf "$folder"
mkdir -p "$folder"

export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

# One line per test: NAME COMMAND...  The long ones come first so that no core waits at the end.
list_tests()
{
    local script binary name
    for script in corpus golden cli; do
        [ ! -e "tests/$script.sh" ] || echo "$script tests/$script.sh $program"
    done
    for binary in "$out"/tests/test_*; do
        name=$(basename "$binary")
        # the folder also holds objects, and binaries of tests that are gone
        [ ! -x "$binary" ] || [ ! -e "tests/$name.c" ] || echo "$name $binary"
    done
    case $out in
        *asan) return ;; # the rest does not depend on the build, or on time too much
    esac
    [ ! -e tests/evidence.sh ] || echo "evidence tests/evidence.sh $program"
    [ ! -e tests/partial.sh ] || echo "partial tests/partial.sh $program"
    [ ! -e tests/live.sh ] || echo "live tests/live.sh $program"
    [ ! -e tests/score/score.py ] || echo "score python3 tests/score/score.py $program --smoke"
    for script in check_headers check_layers; do
        [ ! -e "tests/$script.sh" ] || echo "$script tests/$script.sh"
    done
}

list_tests | xargs -r -P "${JOBS:-$(nproc)}" -L 1 "$0" --one "$folder"

passed=0 failed=0 skipped=0 failures=
for status in "$folder"/*.status; do
    [ -e "$status" ] || continue
    case $(cat "$status") in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) failures="$failures $(basename "$status" .status)" ;;
    esac
done
for name in $failures; do
    echo "---- $name: last lines of $folder/$name.log"
    tail -n "${LOG_LINES:-60}" "$folder/$name.log"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
