#!/usr/bin/env bash
# Pitches solved by several processes under MPI, all on this machine: the same bytes as in one process, whatever happens to them.
#
#   scripts/test_mpi.sh [PLAIN]      PLAIN is the program built without MPI [default: that with MPI, without a launcher]
#
# Exit code 0 when all holds, 1 when something does not. Where there is no MPI (scripts/setup_mpi.sh installs one), 77, or 1 if
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
    echo "SKIPPED for want of mpi: $1" >&2
    exit 77
}
command -v mpirun >/dev/null && command -v mpicc >/dev/null || unable "there is no mpirun, or no mpicc"

# The server has no part in this, and little is computed: most of the time is for building.
crate=profile.dev.package.phutbase
cargo build --quiet --no-default-features --features mpi --config $crate.opt-level=1 --config $crate.debug-assertions=false --config $crate.overflow-checks=false
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait || true; rm -rf "$work"' EXIT
phutbase=$work/phutbase
cp "${CARGO_TARGET_DIR:-target}/debug/phutbase" "$phutbase"
plain=${1:-$phutbase}
options=()
if mpirun --version 2>/dev/null | grep -q "Open MPI"; then
    # In a container everybody is root, and here are more processes than cores.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    options=(--oversubscribe)
fi
# Each has a directory of its own for what Open MPI keeps: two that begin at the same time would both make the common one.
launch() { OMPI_MCA_orte_tmpdir_base=$(mktemp -d "$work/launch.XXX") timeout 120 mpirun ${options[@]+"${options[@]}"} "$@"; }

# fail WHAT [STDERR]
fail() {
    echo "FAILED: $1" >&2
    cat "${2:-$work/stderr}" >&2 2>/dev/null || true
    exit 1
}

# Waits for all that goes on at the same time: most of what a launch takes is waiting.
together() {
    local job
    for job in $(jobs -p); do wait "$job" || exit 1; done
}

# What is left in a directory: a table like that of the plain program, and nothing else.
same() {
    cmp "$work/plain/pitch-$1-dtw.phut" "$2/pitch-$1-dtw.phut" || fail "$1: other bytes"
    [ "$(ls -A "$2" | paste -sd ' ')" = ".lock pitch-$1-dtw.phut" ] || fail "$1: files stay: $(ls -A "$2")"
}

# 6x3 and 7x3 have chunks for all, a pitch of two columns or one and 5x3 hardly any.
made() {
    local tables=$work/$1-$2
    launch -n "$2" "$phutbase" generate "$1" --tables "$tables" --threads 1 >/dev/null 2>"$tables.stderr" || fail "$1, $2 ranks" "$tables.stderr"
    same "$1" "$tables"
}
for pitch in 5x3 6x3 7x3 6x4 9x2 14x1; do
    "$plain" generate "$pitch" --tables "$work/plain" >/dev/null 2>&1
    for ranks in 1 2 3 4; do made "$pitch" "$ranks" & done
    together
done
echo "5x3, 6x3, 7x3, 6x4, 9x2 and 14x1 on 1 to 4 ranks: the bytes of one process"

# The same words for what is looked up in a table that is there, and for one that is damaged.
cp -r "$work/plain" "$work/damaged"
printf '\377\376\375' | dd of="$work/damaged/pitch-7x3-dtw.phut" bs=1 seek=20000 conv=notrunc status=none
# said FILE PROGRAM...: what it says, but for how long it took and where the table is.
said() {
    local into=$1 code=0
    shift
    "$@" >"$into.out" 2>"$into.err" || code=$?
    { grep -h "^phutbase: " "$into.err" || true; cat "$into.out"; echo "$code"; } | sed 's/([0-9.]* s)//' >"$into"
}
asked() {
    local tables=$work/$1 verb=$2 into=$work/asked-$1-$2 ranks
    shift 2
    said "$into-0" "$plain" "$verb" 7x3 --tables "$tables"
    for ranks in "$@"; do
        said "$into-$ranks" launch -n "$ranks" "$phutbase" "$verb" 7x3 --tables "$tables" --threads 1
        cmp "$into-0" "$into-$ranks" || fail "$verb, $tables, $ranks ranks" "$into-$ranks.err"
    done
}
for verb in stats verify draws; do
    asked plain "$verb" 1 2 3 4 &
    asked damaged "$verb" 3 &
done
together
grep -q "7x3" "$work/asked-plain-verify-0" && grep -q "^1$" "$work/asked-damaged-verify-0" || fail "nothing was asked"
echo "stats, verify and draws of a table on 1 to 4 ranks: the words of one process, of a damaged one too"

mkdir "$work/scratch"
launch -n 3 "$phutbase" generate 7x3 --tables "$work/disk" --threads 2 --scratch "$work/scratch" >/dev/null 2>"$work/stderr" || fail "scratch"
same 7x3 "$work/disk"
[ -z "$(ls -A "$work/scratch")" ] || fail "files stay on the scratch directory"
alone=$("$plain" draws 8x2 --count-only --json --tables "$work/plain" 2>/dev/null)
launch -n 3 "$phutbase" draws 7x3 --count-only --json --tables "$work/count" --threads 1 >"$work/counts" 2>"$work/stderr" || fail "counting"
launch -n 3 "$phutbase" draws 8x2 --count-only --json --tables "$work/count" --threads 1 >>"$work/counts" 2>"$work/stderr" || fail "counting"
python3 - "$alone" "$work/counts" <<'END'
import json, sys
drawn, third = [json.loads(line) for line in open(sys.argv[2])]
alone = json.loads(sys.argv[1])
assert drawn["draws"] == 32, drawn["draws"]
assert all(third[key] == alone[key] for key in alone if key != "seconds"), third
traffic = drawn["traffic"]
# Draws apart, the last ply that decides something is the longest win, and one more finds nothing.
assert len(traffic) == 3 * (drawn["longest"] + 1), len(traffic)
assert all(entry["bytes"] <= 1.2 * entry["planned"] for entry in traffic)
assert sum(entry["messages"] for entry in traffic) > 0
END
echo "threads, scratch, counting: the same"

# Some rank is killed at some moment; then as many or fewer or more go on.
killed() {
    local tables=$work/killed-$1 err=$work/killed-$1.stderr job ranks code=0
    launch -n 3 "$phutbase" generate 6x4 --tables "$tables" --threads 1 --checkpoint-every 0 >/dev/null 2>"$err" &
    job=$!
    while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
    sleep "0.$((RANDOM % 6))"
    ranks=($(pgrep -f "^$phutbase generate 6x4 --tables $tables " || true))
    [ "${#ranks[@]}" = 0 ] || kill -KILL "${ranks[RANDOM % ${#ranks[@]}]}" 2>/dev/null || true
    wait "$job" || code=$?
    if [ "$code" != 0 ]; then
        grep -q "killed\|Killed\|signal 9\|non-zero" "$err" || fail "no word of what ended the job" "$err"
    fi
    launch -n "$1" "$phutbase" generate 6x4 --tables "$tables" --threads 1 >/dev/null 2>"$err" || fail "going on" "$err"
    same 6x4 "$tables"
}
for ranks in 1 2 3 4; do killed "$ranks" & done
together
resumed=$(cat "$work"/killed-*.stderr | grep -c "going on after ply" || true)
[ "$resumed" -gt 0 ] || fail "no run went on from a checkpoint"
echo "4 times a rank was killed; $resumed times the next run, on 1 to 4 ranks, went on from a checkpoint: the same bytes"

# one_line CODE STDERR START: the run ended so, with one line of the program, which begins so.
one_line() {
    [ "$1" = 1 ] && [ "$(grep -c "^phutbase: " "$2")" = 1 ] && grep -q "^phutbase: $3" "$2" || fail "not one line, 'phutbase: $3', and exit code 1, but $1" "$2"
}

# When the table is to be given its name there is something in the way: all end with the line of the first.
tables=$work/blocked
launch -n 3 "$phutbase" generate 6x4 --tables "$tables" --threads 1 --checkpoint-every 0 >/dev/null 2>"$work/stderr" &
job=$!
while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
mkdir -p "$tables/pitch-6x4-dtw.phut/full" || fail "the table was there too soon"
code=0
wait "$job" || code=$?
one_line "$code" "$work/stderr" ".*$tables/pitch-6x4-dtw.phut"
echo "a table that cannot be written ends all with one line"

# Told to stop, all stop after the ply and save; a part that is damaged then is named.
tables=$work/stopped
launch -n 3 "$phutbase" generate 6x4 --tables "$tables" --threads 1 --checkpoint-every 0 >/dev/null 2>"$work/stderr" &
job=$!
while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
kill -TERM $(pgrep -f "^$phutbase generate 6x4")
code=0
wait "$job" || code=$?
[ "$code" = 1 ] || fail "told to stop: exit code $code"
[ "$(grep -c "^phutbase: interrupted after ply .* to go on from there$" "$work/stderr")" = 1 ] || fail "no word of how to go on"
# refused WHAT COMMAND...: the run is refused with one line that names the part which the command damages.
refused() {
    local tables=$work/stopped-$1 err=$work/stopped-$1.stderr code=0
    cp -r "$work/stopped" "$tables"
    part=$(ls "$tables"/.pitch-6x4-dtw.checkpoint-ply*-rank1)
    shift
    "$@"
    launch -n 2 "$phutbase" generate 6x4 --tables "$tables" --threads 1 >/dev/null 2>"$err" || code=$?
    one_line "$code" "$err" ".*$part"
}
damage() { printf '\377\376\375' | dd of="$part" bs=1 seek=4000 conv=notrunc status=none; }
shorten() { truncate -s 20000 "$part"; }
delete() { rm "$part"; }
for what in damage shorten delete; do refused "$what" "$what" & done
# lacking WHAT LINE OPTIONS...: the second rank lacks something that it is told to do with.
lacking() {
    local out=$work/lacking-$1 line=$2 code=0
    local command=("$phutbase" draws 6x4 --count-only --tables "$work/small-$1" --threads 1)
    shift 2
    launch -n 1 "${command[@]}" : -n 1 "${command[@]}" "$@" >"$out" 2>"$out.err" || code=$?
    [ ! -s "$out" ] || fail "an answer" "$out.err"
    one_line "$code" "$out.err" "rank 1: $line"
}
lacking memory "pitch 6x4 needs .* of memory and 1.0 MiB may be used" --memory 0.001 &
lacking disk ".*scratch directory '$work/none'" --scratch "$work/none" &
together
echo "told to stop, all stop; damaged, short and missing parts are named; a rank without memory, or without a disk, stops all with one line"
