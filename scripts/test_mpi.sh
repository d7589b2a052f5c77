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

cargo build --quiet --features mpi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
phutbase=$work/phutbase
cp "${CARGO_TARGET_DIR:-target}/debug/phutbase" "$phutbase"
plain=${1:-$phutbase}
options=()
if mpirun --version 2>/dev/null | grep -q "Open MPI"; then
    # In a container everybody is root, and here are more processes than cores.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    options=(--oversubscribe)
fi
launch() { timeout 120 mpirun ${options[@]+"${options[@]}"} "$@"; }

fail() {
    echo "FAILED: $*" >&2
    cat "$work/stderr" >&2
    exit 1
}

# What is left in a directory: a table like that of the plain program, and nothing else.
same() {
    cmp "$work/plain/pitch-$1-dtw.phut" "$2/pitch-$1-dtw.phut" || fail "$1: other bytes"
    [ "$(ls -A "$2" | paste -sd ' ')" = ".lock pitch-$1-dtw.phut" ] || fail "$1: files stay: $(ls -A "$2")"
}

# 6x3 and 7x3 have chunks for all, a pitch of two columns or one and 5x3 hardly any.
for pitch in 5x3 6x3 7x3 6x4 9x2 14x1; do
    "$plain" generate "$pitch" --tables "$work/plain" >/dev/null 2>&1
    for ranks in 1 2 3 4; do
        tables=$work/$pitch-$ranks
        launch -n "$ranks" "$phutbase" generate "$pitch" --tables "$tables" --threads 1 >/dev/null 2>"$work/stderr" || fail "$pitch, $ranks ranks"
        same "$pitch" "$tables"
    done
done
echo "5x3, 6x3, 7x3, 6x4, 9x2 and 14x1 on 1 to 4 ranks: the bytes of one process"

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
resumed=0
for round in 1 2 3 4 5 6; do
    tables=$work/killed-$round
    launch -n 3 "$phutbase" generate 6x4 --tables "$tables" --threads 1 --checkpoint-every 0 >/dev/null 2>"$work/stderr" &
    job=$!
    while ! ls "$tables"/.pitch-6x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
    sleep "0.$((RANDOM % 6))"
    ranks=($(pgrep -f "^$phutbase generate 6x4" || true))
    [ "${#ranks[@]}" = 0 ] || kill -KILL "${ranks[RANDOM % ${#ranks[@]}]}" 2>/dev/null || true
    code=0
    wait "$job" || code=$?
    if [ "$code" != 0 ]; then
        grep -q "killed\|Killed\|signal 9\|non-zero" "$work/stderr" || fail "no word of what ended the job"
    fi
    launch -n "$((1 + round % 4))" "$phutbase" generate 6x4 --tables "$tables" --threads 1 >/dev/null 2>"$work/stderr" || fail "going on"
    if grep -q "going on after ply" "$work/stderr"; then resumed=$((resumed + 1)); fi
    same 6x4 "$tables"
done
[ "$resumed" -gt 0 ] || fail "no run went on from a checkpoint"
echo "6 times a rank was killed; $resumed times the next run, on other numbers of ranks, went on from a checkpoint: the same bytes"

# Told to stop, all stop after the ply and save; a part that is damaged then is named.
tables=$work/stopped
launch -n 3 "$phutbase" generate 7x4 --tables "$tables" --threads 1 --checkpoint-every 0 >/dev/null 2>"$work/stderr" &
job=$!
while ! ls "$tables"/.pitch-7x4-dtw.checkpoint >/dev/null 2>&1 && kill -0 "$job" 2>/dev/null; do sleep 0.01; done
kill -TERM $(pgrep -f "^$phutbase generate 7x4")
code=0
wait "$job" || code=$?
[ "$code" = 1 ] || fail "told to stop: exit code $code"
[ "$(grep -c "^phutbase: interrupted after ply .* to go on from there$" "$work/stderr")" = 1 ] || fail "no word of how to go on"
part=$(ls "$tables"/.pitch-7x4-dtw.checkpoint-ply*-rank1)
cp "$part" "$work/part"
# refused FILE WHAT: the run is refused with one line that names the file.
refused() {
    code=0
    launch -n 2 "$phutbase" generate 7x4 --tables "$tables" --threads 1 >/dev/null 2>"$work/stderr" || code=$?
    [ "$code" = 1 ] && [ "$(grep -c "^phutbase: " "$work/stderr")" = 1 ] || fail "$2: exit code $code"
    grep "^phutbase: " "$work/stderr" | grep -qF "$1" || fail "$2: the file is not named"
}
printf '\377\376\375' | dd of="$part" bs=1 seek=4000 conv=notrunc status=none
refused "$part" "a damaged part"
head -c 20000 "$work/part" >"$part"
refused "$part" "a part cut short"
rm "$part"
refused "$part" "a missing part"
echo "told to stop, all stop; damaged, short and missing parts are named"

code=0
launch -n 1 "$phutbase" draws 6x4 --count-only --tables "$work/small" --threads 1 : \
    -n 1 "$phutbase" draws 6x4 --count-only --tables "$work/small" --threads 1 --memory 0.001 >"$work/out" 2>"$work/stderr" || code=$?
[ "$code" = 1 ] && [ ! -s "$work/out" ] || fail "a rank without memory: exit code $code"
[ "$(grep "^phutbase: " "$work/stderr")" = "$(grep "^phutbase: rank 1: pitch 6x4 needs .* of memory and 1.0 MiB may be used" "$work/stderr")" ] || fail "not one clear line"
code=0
launch -n 1 "$phutbase" draws 6x4 --count-only --tables "$work/small" --threads 1 : \
    -n 1 "$phutbase" draws 6x4 --count-only --tables "$work/small" --threads 1 --scratch "$work/none" >"$work/out" 2>"$work/stderr" || code=$?
[ "$code" = 1 ] && grep -q "^phutbase: rank 1: .*scratch directory '$work/none'" "$work/stderr" || fail "a rank without a disk: exit code $code"
echo "a rank without memory, or without a disk, stops all with one line"
