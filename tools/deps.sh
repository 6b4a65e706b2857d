#!/bin/sh
# Install what a build (and with "test" the tests) needs, on Debian and Ubuntu.  Silent when
# nothing is missing.  Elsewhere, or without root and sudo, name the packages and stop.
# Usage: tools/deps.sh build [test]
# shellcheck disable=SC2086 # lists of words are meant to be split
set -eu

build="gcc libc6-dev make pkg-config libpcap-dev libjansson-dev zlib1g-dev libzstd-dev
       liblzma-dev liblz4-dev libcap-ng-dev"
tests="libcmocka-dev python3 python3-jsonschema gzip zstd xz-utils lz4"

libraries="libpcap jansson zlib libzstd liblzma liblz4 libcap-ng" # what pkg-config calls them

wanted=
for list in "$@"; do
    case $list in
        build) wanted="$wanted $build" ;;
        test) wanted="$wanted $tests" libraries="$libraries cmocka" ;;
        *) echo "deps.sh: $list: no such list. Use build or test." >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    pkg-config --exists $libraries 2>/dev/null && exit 0
    echo "Not Debian or Ubuntu: install what these Debian packages hold, then try again:" >&2
    echo $wanted >&2
    exit 1
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p')
missing=
for package in $wanted; do
    printf '%s\n' "$installed" | grep -qx "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    root=
elif command -v sudo >/dev/null; then
    root=sudo
else
    echo "These packages are missing; install them as root, then try again:" >&2
    echo "apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
echo "$root apt-get install -y --no-install-recommends$missing"
export DEBIAN_FRONTEND=noninteractive
install="$root apt-get install -y --no-install-recommends$missing"
$install </dev/null || { $root apt-get update </dev/null && $install </dev/null; }
