#!/usr/bin/env bash
# Tests pitches solved by several MPI processes on this machine: the tables equal those of one
# process, also after kills, faults and interrupts.
#
#   scripts/test_mpi.sh [PLAIN]      PLAIN: phutbase
#                                    [default: phutbase-cluster, run without a launcher]
#
# Exit code 0 on success, 1 on failure. Without MPI (scripts/setup_mpi.sh installs it): 77, or 1 if
# PHUTBASE_REQUIRE names mpi.
set -euo pipefail
cd "$(dirname "$0")/.."
unable() {
    case ,${PHUTBASE_REQUIRE:-}, in
    *,mpi,*)
        echo "PHUTBASE_REQUIRE names mpi, but $1" >&2
        exit 1
        ;;
    esac
    echo "SKIPPED, mpi is missing: $1" >&2
    exit 77
}
command -v mpirun >/dev/null && command -v mpicc >/dev/null || unable "mpirun and mpicc are needed"

# Little optimization: building takes most of the time.
crate=profile.dev.package.phutbase-cluster
cargo build --quiet -p phutbase-cluster --features mpi --config $crate.opt-level=1 --config $crate.debug-assertions=false --config $crate.overflow-checks=false
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait || true; rm -rf "$work"' EXIT
cluster=$work/phutbase-cluster
cp "${CARGO_TARGET_DIR:-target}/debug/phutbase-cluster" "$cluster"
plain=${1:-$cluster}
options=()
if mpirun --version 2>/dev/null | grep -q "Open MPI"; then
    # Containers run as root, and there are more processes than cores.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    options=(--oversubscribe)
fi
# A session directory for each launch: two concurrent launches race to create the default one.
launch() { OMPI_MCA_orte_tmpdir_base=$(mktemp -d "$work/launch.XXX") timeout 120 mpirun ${options[@]+"${options[@]}"} "$@"; }

# fail WHAT [STDERR]
fail() {
    echo "FAILED: $1" >&2
    cat "${2:-$work/stderr}" >&2 2>/dev/null || true
    exit 1
}

# Waits for all background jobs. They run together because launches are mostly idle.
together() {
    local job
    for job in $(jobs -p); do wait "$job" || exit 1; done
}

# The directory holds only the table, and it equals that of the plain program.
same() {
    cmp "$work/plain/pitch-$1-dtw.phut" "$2/pitch-$1-dtw.phut" || fail "$1: the tables differ"
    [ "$(ls -A "$2" | paste -sd ' ')" = ".lock pitch-$1-dtw.phut" ] || fail "$1: leftover files: $(ls -A "$2")"
}

# 6x3 and 7x3 have chunks for every rank; 5x3 and pitches of one or two columns have very few.
made() {
    local tables=$work/$1-$2
    launch -n "$2" "$cluster" generate "$1" --tables "$tables" --threads 1 >/dev/null 2>"$tables.stderr" || fail "$1, $2 ranks" "$tables.stderr"
    same "$1" "$tables"
}
for pitch in 5x3 6x3 7x3 6x4 9x2 14x1; do
    "$plain" generate "$pitch" --tables "$work/plain" >/dev/null 2>&1
    for ranks in 1 2 3 4; do made "$pitch" "$ranks" & done
    together
done
echo "5x3, 6x3, 7x3, 6x4, 9x2 and 14x1 on 1 to 4 ranks: the same tables as from one process"

# Answers from an existing table, and errors for a damaged one, are those of one process.
cp -r "$work/plain" "$work/damaged"
printf '\377\376\375' | dd of="$work/damaged/pitch-7x3-dtw.phut" bs=1 seek=20000 conv=notrunc status=none
# said FILE PROGRAM...: stores output, errors and exit code, without times.
said() {
    local into=$1 code=0
    shift
    "$@" >"$into.out" 2>"$into.err" || code=$?
    { grep -h "^phutbase: " "$into.err" || true; cat "$into.out"; echo "$code"; } | sed 's/([0-9.]* s)//' >"$into"
}
asked() {
    local tables=$work/$1 into=$work/asked-$1 ranks
    shift
    said "$into-0" "$plain" verify 7x3 --tables "$tables"
    for ranks in "$@"; do
        said "$into-$ranks" launch -n "$ranks" "$cluster" verify 7x3 --tables "$tables" --threads 1
        cmp "$into-0" "$into-$ranks" || fail "verify, $tables, $ranks ranks" "$into-$ranks.err"
    done
}
asked plain 1 2 3 4 &
asked damaged 3 &
together
grep -q "7x3" "$work/asked-plain-0" && grep -q "^3$" "$work/asked-damaged-0" || fail "unexpected answers"
echo "verify of a table on 1 to 4 ranks: the output of one process; of a damaged one too"

mkdir "$work/scratch"
launch -n 3 "$cluster" generate 7x3 --tables "$work/disk" --threads 2 --scratch "$work/scratch" >/dev/null 2>"$work/stderr" || fail "scratch"
same 7x3 "$work/disk"
[ -z "$(ls -A "$work/scratch")" ] || fail "leftover files in the scratch directory"
alone=$("$plain" generate 8x2 --count-only --json --tables "$work/plain" 2>/dev/null)
launch -n 3 "$cluster" generate 7x3 --count-only --json --tables "$work/count" --threads 1 >"$work/counts" 2>"$work/stderr" || fail "counting"
launch -n 3 "$cluster" generate 8x2 --count-only --json --tables "$work/count" --threads 1 >>"$work/counts" 2>"$work/stderr" || fail "counting"
python3 - "$alone" "$work/counts" <<'END'
import json, sys
drawn, third = [json.loads(line) for line in open(sys.argv[2])]
alone = json.loads(sys.argv[1])
assert drawn["draws"] == 32, drawn["draws"]
assert all(third[key] == alone[key] for key in alone if key != "seconds"), third
END
echo "threads, scratch directory, counting: the same results"

# Kill a random rank at a random moment; then resume with as many, fewer or more ranks.
killed() {
    local tables=$work/killed-$1 err=$work/killed-$1.stderr job ranks code=0
    launch -n 3 "$cluster" generate 6x4 --tables "$tables" --threads 1 --checkpoint-every 0s >/dev/null 2>"$err" &
    job=$!
    while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
    sleep "0.$((RANDOM % 6))"
    ranks=($(pgrep -f "^$cluster generate 6x4 --tables $tables " || true))
    [ "${#ranks[@]}" = 0 ] || kill -KILL "${ranks[RANDOM % ${#ranks[@]}]}" 2>/dev/null || true
    wait "$job" || code=$?
    if [ "$code" != 0 ]; then
        grep -q "killed\|Killed\|signal 9\|non-zero" "$err" || fail "the launcher does not report the killed rank" "$err"
    fi
    launch -n "$1" "$cluster" generate 6x4 --tables "$tables" --threads 1 >/dev/null 2>"$err" || fail "resuming" "$err"
    same 6x4 "$tables"
}
for ranks in 1 2 3 4; do killed "$ranks" & done
together
resumed=$(cat "$work"/killed-*.stderr | grep -c "resuming after ply" || true)
[ "$resumed" -gt 0 ] || fail "no run resumed from a checkpoint"
echo "a rank was killed 4 times; $resumed of the next runs, on 1 to 4 ranks, resumed from a checkpoint: the same tables"

# one_line CODE STDERR START: the exit code is 3, and the program printed one line, beginning with
# START.
one_line() {
    [ "$1" = 3 ] && [ "$(grep -c "^phutbase: " "$2")" = 1 ] && grep -q "^phutbase: $3" "$2" || fail "expected one line 'phutbase: $3' and exit code 3; the exit code is $1" "$2"
}

# The table cannot be renamed: all ranks end, with one line.
tables=$work/blocked
launch -n 3 "$cluster" generate 6x4 --tables "$tables" --threads 1 --checkpoint-every 0s >/dev/null 2>"$work/stderr" &
job=$!
while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
mkdir -p "$tables/pitch-6x4-dtw.phut/full" || fail "the table existed too early"
code=0
wait "$job" || code=$?
one_line "$code" "$work/stderr" ".*$tables/pitch-6x4-dtw.phut"
echo "a table that cannot be written ends all ranks with one line"

# SIGTERM: all ranks stop after the ply and save. A damaged part is named by the next run.
tables=$work/stopped
launch -n 3 "$cluster" generate 6x4 --tables "$tables" --threads 1 --checkpoint-every 0s >/dev/null 2>"$work/stderr" &
job=$!
while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
kill -TERM $(pgrep -f "^$cluster generate 6x4")
code=0
wait "$job" || code=$?
[ "$code" = 130 ] || fail "SIGTERM: exit code $code"
[ "$(grep -c "^phutbase: interrupted after ply .* to resume$" "$work/stderr")" = 1 ] || fail "the message does not say how to resume"
# refused NAME COMMAND...: after COMMAND has damaged a part, the run ends with one line that names
# the part.
refused() {
    local tables=$work/stopped-$1 err=$work/stopped-$1.stderr code=0
    cp -r "$work/stopped" "$tables"
    part=$(ls "$tables"/.pitch-6x4-dtw.checkpoint-ply*-rank1)
    shift
    "$@"
    launch -n 2 "$cluster" generate 6x4 --tables "$tables" --threads 1 >/dev/null 2>"$err" || code=$?
    one_line "$code" "$err" ".*$part"
}
damage() { printf '\377\376\375' | dd of="$part" bs=1 seek=4000 conv=notrunc status=none; }
shorten() { truncate -s 20000 "$part"; }
delete() { rm "$part"; }
for what in damage shorten delete; do refused "$what" "$what" & done
# lacking NAME LINE OPTIONS...: the second rank fails because of OPTIONS, and all end with LINE.
lacking() {
    local out=$work/lacking-$1 line=$2 code=0
    local command=("$cluster" generate 6x4 --count-only --tables "$work/small-$1" --threads 1)
    shift 2
    launch -n 1 "${command[@]}" : -n 1 "${command[@]}" "$@" >"$out" 2>"$out.err" || code=$?
    [ ! -s "$out" ] || fail "unexpected output" "$out.err"
    one_line "$code" "$out.err" "rank 1: $line"
}
lacking memory "pitch 6x4 needs .* of memory and 1.0 MiB may be used" --memory 1MiB &
lacking disk ".*scratch directory '$work/none'" --scratch "$work/none" &
together
echo "SIGTERM stops all ranks; damaged, short and missing parts are named; a rank without memory or disk stops all with one line"

# Four hosts: network namespaces on a bridge, with 1 Gbit/s each, and 1 ms if the kernel has netem.
net=phutbase-$$
hosts=(10.77.0.1 10.77.0.2 10.77.0.3 10.77.0.4)
if [ "${#options[@]}" = 0 ] || [ "$(id -u)" != 0 ] || ! tc -V >/dev/null 2>&1 || ! ip netns add "$net" 2>/dev/null; then
    echo "SKIPPED, a network between hosts: Open MPI, root, tc and network namespaces are needed" >&2
    exit 0
fi
forget_hosts() {
    for host in "${hosts[@]/#/-}" ""; do
        ip netns pids "$net$host" 2>/dev/null | xargs -r kill -KILL || true
        ip netns del "$net$host" 2>/dev/null || true
    done
}
trap 'kill $(jobs -p) 2>/dev/null || true; wait || true; forget_hosts; rm -rf "$work"' EXIT
ip -n "$net" link add switch type bridge
ip -n "$net" link set switch up
delay="1 ms"
for host in "${hosts[@]}"; do
    ip netns add "$net-$host"
    ip -n "$net" link add "to$host" type veth peer name eth0 netns "$net-$host"
    ip -n "$net" link set "to$host" master switch up
    ip -n "$net-$host" addr add "$host/24" dev eth0
    for link in lo eth0; do ip -n "$net-$host" link set "$link" up; done
    tc -n "$net-$host" qdisc add dev eth0 root netem delay 1ms rate 1gbit 2>/dev/null || {
        delay="no delay (the kernel has no netem)"
        tc -n "$net-$host" qdisc add dev eth0 root tbf rate 1gbit burst 128kb latency 50ms
    }
done
printf '#!/bin/sh\nhost=$1; shift; exec ip netns exec "%s-$host" unshare --uts sh -c "hostname $host; $*"\n' "$net" >"$work/agent"
chmod +x "$work/agent"
# Runs the program on each host. Keepalives detect within seconds that a host is gone.
across() {
    OMPI_MCA_orte_tmpdir_base=$(mktemp -d "$work/launch.XXX") timeout 300 "$work/agent" "${hosts[0]}" mpirun "${options[@]}" \
        --mca plm_rsh_agent "$work/agent" --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 \
        --mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 \
        --host "$(IFS=,; echo "${hosts[*]}")" "$cluster" "$@" --threads 1
}
# Prints the bytes that all hosts have sent.
sent() { for host in "${hosts[@]}"; do ip netns exec "$net-$host" cat /sys/class/net/eth0/statistics/tx_bytes; done | awk '{ sum += $1 } END { print sum }'; }
seconds() { grep -o '"seconds":[0-9.]*' "$1" | cut -d: -f2; }
for pitch in 7x3 6x4; do
    across generate "$pitch" --tables "$work/across" >/dev/null 2>"$work/stderr" || fail "$pitch across a network"
    cmp "$work/plain/pitch-$pitch-dtw.phut" "$work/across/pitch-$pitch-dtw.phut" || fail "$pitch: the bytes differ"
    before=$(sent)
    across generate "$pitch" --count-only --json --tables "$work/counted" >"$work/far" 2>"$work/stderr" || fail "$pitch: counting across a network"
    after=$(sent)
    launch -n 4 "$cluster" generate "$pitch" --count-only --json --tables "$work/counted" --threads 1 >"$work/near" 2>"$work/stderr" || fail "$pitch: counting"
    echo "counting $pitch on four hosts: $(((after - before) / 1000)) kB, $(seconds "$work/far") s; on one host $(seconds "$work/near") s"
done
echo "7x3 and 6x4 on four hosts, 1 Gbit/s, $delay: the same bytes"

tables=$work/vanished
across generate 6x4 --tables "$tables" --checkpoint-every 0s >/dev/null 2>"$work/stderr" &
job=$!
while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
ip -n "$net" link set "to${hosts[2]}" down
code=0
wait "$job" || code=$?
[ "$code" != 0 ] && grep -q "lost communication with a remote daemon" "$work/stderr" || fail "exit code $code, and no message about the lost host"
ip -n "$net" link set "to${hosts[2]}" up
# The hosts may need a moment to find each other again; until then the launcher starts nothing.
for try in 1 2 3; do
    across generate 6x4 --tables "$tables" >/dev/null 2>"$work/stderr" && break
    [ "$try" != 3 ] && grep -q "unable to reliably start" "$work/stderr" || fail "resuming after a lost host" "$work/stderr"
    sleep 3
done
grep -q "resuming after ply" "$work/stderr" || fail "resuming: not from the checkpoint"
same 6x4 "$tables"
echo "a lost host ends the job with a message, and the same command resumes"
