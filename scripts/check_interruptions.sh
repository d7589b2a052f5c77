#!/usr/bin/env bash
# Interrupts `phutbase generate` at random moments and lets it go on, again and again: first with SIGKILL, then with SIGINT.
# Holds if, after every interruption,
#   * whatever has a table's name is a whole table, byte for byte the one of an undisturbed run;
#   * nothing else is there but the lock, a checkpoint, and unfinished files under unfinished names;
#   * after SIGINT the exit code is 1 and the message says to run the command again;
# and if the runs together make the undisturbed run's table, some of them going on from a checkpoint.
#
#   scripts/check_interruptions.sh [LENGTH [INTERRUPTIONS]]
#
# A checkpoint is saved after every ply, so that lengths of a second have some.
#
set -euo pipefail
cd "$(dirname "$0")/.."
length=${1:-26}
interruptions=${2:-20}
cargo build --release --quiet
phutbase=${CARGO_TARGET_DIR:-target}/release/phutbase
work=$(mktemp -d)
running=
trap '[ -z "$running" ] || kill -KILL "$running" 2>/dev/null; rm -rf "$work"' EXIT
table=strip-$length-dtw.phut

fail() {
    echo "FAILED: $*" >&2
    ls -la "$work/tables" >&2
    cat "$work/stderr" >&2
    exit 1
}

# What an undisturbed run makes, with an earlier table beside it, and the milliseconds it takes.
"$phutbase" generate 12 --tables "$work/good" >/dev/null 2>&1
begun=${EPOCHREALTIME/[.,]/}
"$phutbase" generate "$length" --checkpoint-every 0 --tables "$work/good" >/dev/null 2>&1
undisturbed=$(((${EPOCHREALTIME/[.,]/} - begun) / 1000))

# A directory with nothing but the earlier table.
begin_anew() {
    rm -rf "$work/tables"
    mkdir "$work/tables"
    cp "$work/good/strip-12-dtw.phut" "$work/tables"
}

# Starts a run in the background; it is under way when it has stated what it needs, or has ended.
start() {
    "$phutbase" generate "$length" --checkpoint-every 0 --tables "$work/tables" \
        >/dev/null 2>"$work/stderr" &
    running=$!
    while ! [ -s "$work/stderr" ] && kill -0 "$running" 2>/dev/null; do sleep 0.001; done
}

# Waits for some part of a third of the time of an undisturbed run.
pause() {
    sleep "$(awk "BEGIN { print $((RANDOM % (undisturbed / 3 + 1))) / 1000 }")"
}

# Sends a signal to the run, waits for its end, and leaves its exit code in $code.
interrupt() {
    kill "-$1" "$running" 2>/dev/null || true
    code=0
    # The shell's own message about a killed job is no news.
    { wait "$running"; } 2>/dev/null || code=$?
    running=
}

# Checks every file in the directory.
check_directory() {
    local file
    while IFS= read -r file; do
        case $file in
            .lock | ".strip-$length-dtw.checkpoint") ;;
            .*.partial) unfinished=$((unfinished + 1)) ;;
            strip-*.phut) cmp "$work/tables/$file" "$work/good/$file" || fail "$file is not whole" ;;
            *) fail "a file that should not be there: $file" ;;
        esac
    done < <(ls -A "$work/tables")
    cmp -s "$work/tables/strip-12-dtw.phut" "$work/good/strip-12-dtw.phut" || fail "the earlier table is gone"
    "$phutbase" stats --tables "$work/tables" >/dev/null || fail "stats refuses a table"
}

count_resumption() {
    if grep -q "going on at ply" "$work/stderr"; then resumed=$((resumed + 1)); fi
}

# Runs to the end and compares.
finish() {
    "$phutbase" generate "$length" --tables "$work/tables" >/dev/null 2>"$work/stderr" ||
        fail "a rerun does not end"
    count_resumption
    check_directory
    cmp "$work/tables/$table" "$work/good/$table"
    [ "$(ls -A "$work/tables" | sort | paste -sd ' ')" = ".lock strip-12-dtw.phut $table" ] || fail "files stay"
}

# One more round for each signal that hits a run at work; a run that ends before is checked and begun anew.
rounds() {
    local signal=$1 hits=0 ends=0 stopped_after=
    resumed=0
    unfinished=0
    begin_anew
    while [ "$hits" -lt "$interruptions" ]; do
        start
        pause
        interrupt "$signal"
        check_directory
        count_resumption
        if [ -n "$stopped_after" ]; then
            grep -q "going on at ply $stopped_after$" "$work/stderr" || fail "not gone on after $stopped_after"
            stopped_after=
        fi
        if [ "$code" = 0 ]; then
            [ -e "$work/tables/$table" ] || fail "exit code 0 without a table"
            ends=$((ends + 1))
            begin_anew
            continue
        fi
        hits=$((hits + 1))
        case $signal in
            KILL) [ "$code" = 137 ] || fail "exit code $code" ;;
            INT)
                [ "$code" = 1 ] || fail "exit code $code"
                tail -n 1 "$work/stderr" | grep -q "^phutbase: interrupted .* run the same command again" ||
                    fail "no word of how to go on"
                stopped_after=$(sed -n 's/.*interrupted after ply \([1-9][0-9]*\) .* from there$/\1/p' "$work/stderr")
                ;;
        esac
    done
    finish
    [ "$resumed" -gt 0 ] || fail "no run went on from a checkpoint"
    echo "SIG$signal, length $length: $hits interruptions, $resumed runs went on from a checkpoint," \
        "$unfinished unfinished files seen, $((ends + 1)) tables made, all byte for byte the undisturbed one"
}

rounds KILL
rounds INT
