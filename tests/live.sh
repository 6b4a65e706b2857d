#!/bin/bash
# Capture from a device, between two network namespaces of its own.  Needs root; nothing leaves
# the namespaces.  Usage: tests/live.sh PROGRAM
set -uo pipefail
program=$(realpath "${1:?program}")
here=tcpwhy-a-$$ there=tcpwhy-b-$$
passed=0 failed=0 server=

if [ "$(id -u)" -ne 0 ] || ! command -v ip >/dev/null || ! command -v python3 >/dev/null; then
    echo 'needs root, ip and python3'
    exit 77
fi
if ! ip netns add "$here" 2>/dev/null || ! ip netns add "$there"; then
    ip netns delete "$here" 2>/dev/null
    echo 'network namespaces cannot be made here'
    exit 77
fi
folder=$(mktemp -d)
cleanup()
{
    [ -z "$server" ] || kill "$server" 2>/dev/null
    ip netns delete "$here" 2>/dev/null
    ip netns delete "$there" 2>/dev/null
    rm -rf "$folder"
}
trap cleanup EXIT
chmod 777 "$folder"
export XDG_CONFIG_HOME=$folder LC_ALL=C
unset SUDO_UID SUDO_GID
# a copy that any user can start, wherever the program stands
cp "$program" "$folder/tcpwhy"
chmod 755 "$folder/tcpwhy"
program=$folder/tcpwhy

verdict()
{
    if [ "$2" = 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n  %s\n' "$1" "$3"
        head -n 5 "$folder/err" | sed 's/^/  stderr: /'
        head -n 5 "$folder/out" | sed 's/^/  stdout: /'
    fi
}

expect_that()
{
    local title=$1 good=0
    shift
    "$@" && good=1
    verdict "$title" $good "not true: $*"
}

expect_line()
{
    local good=0
    [ "$(cat "$folder/err")" = "$2" ] && good=1
    verdict "$1" $good "want on stderr: $2"
}

# Make a fresh pair of devices, up, with addresses.
make_devices()
{
    ip -n "$here" link delete dev0 2>/dev/null
    ip -n "$here" link add dev0 type veth peer name dev1 netns "$there"
    ip netns exec "$here" sysctl -qw net.ipv6.conf.dev0.disable_ipv6=1 2>/dev/null
    ip netns exec "$there" sysctl -qw net.ipv6.conf.dev1.disable_ipv6=1 2>/dev/null
    ip -n "$here" addr add 192.0.2.1/24 dev dev0
    ip -n "$there" addr add 192.0.2.2/24 dev dev1
    ip -n "$here" link set dev0 up
    ip -n "$there" link set dev1 up
}

# A server that sends 300,000 bytes to who connects.
start_server()
{
    ip netns exec "$there" python3 -c '
import socket
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("0.0.0.0", 7000))
s.listen(8)
while True:
    c, _ = s.accept()
    c.sendall(bytes(300000))
    c.close()' &
    server=$!
}

fetch()
{
    ip netns exec "$here" python3 -c '
import socket, sys, time
for _ in range(50):
    try:
        c = socket.create_connection(("192.0.2.2", 7000), 5)
        break
    except OSError:
        time.sleep(0.1)
n = 0
while True:
    d = c.recv(65536)
    if not d:
        break
    n += len(d)
sys.exit(n != 300000)'
}

# Start a capture in the background; $pid is the program itself.
start()
{
    ip netns exec "$here" "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null &
    pid=$!
    # it listens once it has given up its rights
    for _ in $(seq 100); do
        grep -qs '^NoNewPrivs:[[:space:]]*1' "/proc/$pid/status" && break
        kill -0 $pid 2>/dev/null || break
        sleep 0.05
    done
}

# Wait for it; fails when it takes longer than that many tenths of a second.
finish()
{
    local tenths=0
    while kill -0 $pid 2>/dev/null && [ $tenths -lt "$1" ]; do
        sleep 0.1
        tenths=$((tenths + 1))
    done
    in_time=1
    if kill -0 $pid 2>/dev/null; then
        in_time=0
        kill -KILL $pid
    fi
    wait $pid 2>/dev/null
    status=$?
}

# Bytes of the first flow's server in a JSON report on standard output.
server_bytes()
{
    python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
print(report["flows"][0]["s2c"]["bytes"], report["capture"]["tcp_segments"])' "$folder/out" 2>&1
}

test_transfer()
{
    start -i dev0 --json -w "$folder/live.pcap" tcp port 7000
    fetch
    expect_that 'the transfer went through' [ $? -eq 0 ]
    kill -INT $pid
    finish 30
    expect_that 'SIGINT ends it in time' [ $in_time -eq 1 ]
    expect_that 'SIGINT: exit status 0' [ $status -eq 0 ]
    expect_that 'all bytes were captured' [ "$(server_bytes | cut -d ' ' -f 1)" = 300000 ]
    cp "$folder/out" "$folder/first"
    "$program" -r "$folder/live.pcap" --json >"$folder/out" 2>"$folder/err"
    expect_that 'what -w kept is the same' \
        [ "$(server_bytes)" = "$(cp "$folder/first" "$folder/out" && server_bytes)" ]
}

test_limits()
{
    start -i dev0 -c 5 --json tcp
    fetch
    finish 30
    expect_that '-c ends it' [ $in_time -eq 1 ]
    expect_that '-c counts' [ "$(server_bytes | cut -d ' ' -f 2)" = 5 ]
    start -i dev0 --duration 1
    finish 30
    expect_that 'a silent device ends in time' [ $in_time -eq 1 ]
    expect_that 'a silent device: exit status 0' [ $status -eq 0 ]
    expect_line 'a silent device says so' 'tcpwhy: warning: dev0: brought no packets. Nothing to judge.'
    start -i dev0
    kill -TERM $pid
    finish 30
    expect_that 'SIGTERM ends it by the signal' [ $status -eq 143 ]
    expect_that 'SIGTERM: a report all the same' [ -s "$folder/out" ]
    start -i any --duration 1 --json tcp
    fetch
    finish 30
    expect_that 'any device' [ "$(server_bytes | cut -d ' ' -f 1)" = 300000 ]
    start -i dev0 -Q in --duration 1 --json tcp
    fetch
    finish 30
    expect_that '-Q in: the server only' python3 -c 'import json, sys
flow = json.load(open(sys.argv[1]))["flows"][0]
sys.exit(flow["s2c"]["bytes"] != 300000 or flow["c2s"]["packets"] != 0)' "$folder/out"
}

test_errors()
{
    start -i nowhere
    finish 30
    expect_that 'no such interface: exit status 1' [ $status -eq 1 ]
    expect_that 'no such interface' grep -q '^tcpwhy: no interface "nowhere". There are: .*dev0' "$folder/err"
    start -i dev0 tcp prot 21
    finish 30
    expect_that 'bad filter: exit status 2' [ $status -eq 2 ]
    expect_line 'bad filter' 'tcpwhy: filter: "tcp prot 21" is not accepted: syntax error. See pcap-filter(7) for the syntax.'
    start -i dev0 -y RAW
    finish 30
    expect_that 'link type not offered: exit status 2' [ $status -eq 2 ]
    start -i dev0 -Z no-such-user
    finish 30
    expect_that 'unknown user: exit status 1' [ $status -eq 1 ]
    ip -n "$here" link set dev0 down
    start -i dev0
    finish 30
    expect_that 'interface down: exit status 1' [ $status -eq 1 ]
    expect_line 'interface down' 'tcpwhy: dev0 is down; nothing can be captured until it is up.'
    ip -n "$here" link set dev0 up
    if command -v setpriv >/dev/null; then
        ip netns exec "$here" setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
            "$program" -i dev0 >"$folder/out" 2>"$folder/err" </dev/null
        status=$?
        expect_that 'not root: exit status 1' [ $status -eq 1 ]
        expect_line 'not root' "tcpwhy: dev0: no permission to capture. Run with sudo, or once: sudo setcap cap_net_raw+ep $program"
    fi
}

# A line of /proc/PID/status without its name, blanks squeezed.
status_of()
{
    sed -n "s/^$1:[[:space:]]*//p" "/proc/$pid/status" | tr -s '[:space:]' ' ' | sed 's/ $//'
}

test_privileges()
{
    SUDO_UID=65534 SUDO_GID=65534 start -i dev0 -w "$folder/owned.pcap"
    expect_that 'the user is who called sudo' [ "$(status_of Uid)" = '65534 65534 65534 65534' ]
    expect_that 'and the group' [ "$(status_of Gid)" = '65534 65534 65534 65534' ]
    expect_that 'root is in no group left' [ "$(status_of Groups)" = 65534 ]
    expect_that 'no capability is effective' [ "$(status_of CapEff)" = 0000000000000000 ]
    expect_that 'no capability is permitted' [ "$(status_of CapPrm)" = 0000000000000000 ]
    expect_that 'none can be gained' [ "$(status_of NoNewPrivs)" = 1 ]
    fetch
    kill -INT $pid
    finish 30
    expect_that 'the file belongs to the user' [ "$(stat -c %u "$folder/owned.pcap")" = 65534 ]
    start -i dev0 -Z nobody
    expect_that '-Z' [ "$(status_of Uid | cut -d ' ' -f 1)" = "$(id -u nobody)" ]
    kill -INT $pid
    finish 30
    start -i dev0
    expect_that 'root alone stays root' [ "$(status_of Uid)" = '0 0 0 0' ]
    expect_that 'without capabilities' [ "$(status_of CapEff)" = 0000000000000000 ]
    kill -INT $pid
    finish 30
}

test_vanished()
{
    start -i dev0 --json tcp
    fetch
    ip -n "$here" link delete dev0
    finish 50
    expect_that 'a vanished device ends it' [ $in_time -eq 1 ]
    expect_that 'a vanished device: exit status 1' [ $status -eq 1 ]
    expect_that 'a vanished device is named' \
        grep -qE '^tcpwhy: warning: dev0: .* after [0-9]+ packets\. The report covers what came before\.$' "$folder/err"
    expect_that 'what came before is reported' [ "$(server_bytes | cut -d ' ' -f 1)" = 300000 ]
}

make_devices
start_server
fetch # waits until the server is there
test_transfer
test_limits
test_errors
test_privileges
test_vanished
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
