#!/usr/bin/env bash
# Runs `phutbase generate` into full disks: small tmpfs mounts, so it needs root; where mounting is refused it says so and
# ends with exit code 0. Holds if a disk that another program fills while a table is written, while a checkpoint is written, and one on
# which no file can be made, end a run with exit code 1 and one line that names the file and the reason, and if after each of these
# whatever has a table's name is whole, earlier tables and checkpoints are untouched, and a rerun with room makes the table of an
# undisturbed run.
#
#   scripts/check_disk_full.sh [LENGTH]
set -euo pipefail
cd "$(dirname "$0")/.."
length=${1:-30}
cargo build --release --quiet
phutbase=${CARGO_TARGET_DIR:-target}/release/phutbase
work=$(mktemp -d)
running=
table=strip-$length-dtw.phut
checkpoint=.strip-$length-dtw.checkpoint
disk=$work/disk

clean_up() {
    [ -z "$running" ] || kill -KILL "$running" 2>/dev/null || true
    umount "$disk" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

fail() {
    echo "FAILED: $*" >&2
    df "$disk" >&2
    ls -la "$disk" >&2
    cat "$work/stderr" >&2
    exit 1
}

# Mounts an empty disk with these tmpfs options.
new_disk() {
    umount "$disk" 2>/dev/null || true
    mount -t tmpfs -o "$1" tmpfs "$disk"
}

mkdir "$disk"
if ! new_disk size=1m 2>/dev/null; then
    echo "skipped: mounting a tmpfs is refused; run this as root"
    exit 0
fi
"$phutbase" generate 12 --tables "$work/good" >/dev/null 2>&1
"$phutbase" generate "$length" --tables "$work/good" >/dev/null 2>&1

# Runs generate to its end; its exit code is left in $code.
generate() {
    code=0
    "$phutbase" generate "$@" >"$work/stdout" 2>"$work/stderr" || code=$?
}

# The run must have failed with one line that says all of these.
check_message() {
    local word errors
    [ "$code" = 1 ] || fail "exit code $code"
    errors=$(grep -c "^phutbase: " "$work/stderr") || true
    [ "$errors" = 1 ] || fail "$errors error lines"
    [ "$(grep -vc "^phutbase: \|^length \|^strips of " "$work/stderr")" = 0 ] || fail "other lines"
    for word in "$@"; do
        tail -n 1 "$work/stderr" | grep -qF -- "$word" || fail "no '$word' in the message"
    done
    tail -n 1 "$work/stderr" | sed "s|$work|DIR|g; s|^|    |"
}

# Every table of a directory must be whole, and nothing unfinished left.
check_tables() {
    local file
    while IFS= read -r file; do
        case $file in
            strip-*.phut) cmp "$1/$file" "$work/good/$file" || fail "$file is not whole" ;;
            .lock | "$checkpoint" | filler) ;;
            *) fail "a file that should not be there: $file" ;;
        esac
    done < <(ls -A "$1")
}

# Starts generate in the background and stops it in its tracks when the file or line that $1 tests for is there.
start_and_hold() {
    local ready=$1
    shift
    : >"$work/stderr"
    "$phutbase" generate "$@" >"$work/stdout" 2>"$work/stderr" &
    running=$!
    until eval "$ready"; do
        kill -0 "$running" 2>/dev/null || fail "ended before the disk could be filled"
    done
    kill -STOP "$running"
}

# Fills the disk to the last byte.
fill_disk() {
    dd if=/dev/zero of="$disk/filler" bs=64k status=none 2>/dev/null || true
    dd if=/dev/zero of="$disk/filler" bs=1 oflag=append conv=notrunc status=none 2>/dev/null || true
    [ "$(df --output=avail "$disk" | tail -n 1)" -eq 0 ] || fail "the disk is not full"
}

# Lets the held run go on, and leaves its exit code in $code.
let_go_on() {
    code=0
    kill -CONT "$running"
    wait "$running" || code=$?
    running=
}

# A rerun with room makes the table; $1 is its directory.
check_rerun() {
    rm -f "$disk/filler"
    generate "$length" --tables "$1"
    [ "$code" = 0 ] || fail "the rerun failed"
    cmp "$1/$table" "$work/good/$table"
    check_tables "$1"
}

stated='grep -q "^strips of up to $length " "$work/stderr"'

echo "1. the disk fills up before the table is written"
new_disk size=256m
cp "$work/good/strip-12-dtw.phut" "$disk"
start_and_hold "$stated" "$length" --tables "$disk"
fill_disk
let_go_on
check_message "$disk/$table" "cannot write it" "No space left"
[ ! -e "$disk/$table" ] || fail "half a table has its name"
check_tables "$disk"
check_rerun "$disk"

echo "2. the disk fills up after a checkpoint"
rm "$disk/$table"
start_and_hold "[ -e '$disk/$checkpoint' ]" "$length" --checkpoint-every 0 --tables "$disk"
fill_disk
let_go_on
check_message "$disk/$checkpoint" "cannot write it" "No space left"
[ -e "$disk/$checkpoint" ] || fail "the earlier checkpoint is lost"
check_tables "$disk"
check_rerun "$disk"
grep -q "going on at ply" "$work/stderr" || fail "the earlier checkpoint was not used"

echo "3. files may not grow past 64 KiB"
rm "$disk/$table"
(
    # Without this the signal would end the run before the write can fail.
    trap '' XFSZ
    ulimit -f 64
    generate "$length" --tables "$disk"
    check_message "$disk/$table" "cannot write it" "File too large"
)
check_tables "$disk"
check_rerun "$disk"

echo "4. no file can be made"
new_disk size=256m,nr_inodes=2
: >"$disk/.lock"
generate "$length" --tables "$disk"
check_message "cannot make a file beside it" "No space left"
check_tables "$disk"

echo "all held, with length $length"
