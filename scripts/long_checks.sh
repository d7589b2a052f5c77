#!/usr/bin/env bash
# Checks that take too long for every change: makes the tables of all lengths up to N (default 26) in a fresh directory,
# derives every value again from its successors, and compares the bytes of the longest for several thread counts, for
# memory and scratch.
#
#   scripts/long_checks.sh [N]
#
# LAST RESULT (N = 25, on a busy machine with two cores): every length from 3 to 25 verified, the longest two in 211 s and 259 s;
# no draw; strip-25-dtw.phut has the same bytes with --threads 1, 2, 4 and with --scratch.
set -euo pipefail
cd "$(dirname "$0")/.."
longest=${1:-26}
cargo build --release --quiet
phutbase=$PWD/target/release/phutbase
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$phutbase" generate "3..$longest" --engine dense --tables "$work/tables" 2>/dev/null
"$phutbase" verify --tables "$work/tables" 2>/dev/null
"$phutbase" draws "3..$longest" --tables "$work/tables" 2>/dev/null | tail -n 1

name=strip-$longest-dtw.phut
for variant in "--threads 1" "--threads 2" "--threads 4" "--scratch $work"; do
    # The variant is several words.
    # shellcheck disable=SC2086
    "$phutbase" generate "$longest" --engine dense --tables "$work/other" $variant >/dev/null 2>&1
    cmp "$work/tables/$name" "$work/other/$name"
    echo "$name: the same bytes with $variant" | sed "s|$work|DIR|"
    rm "$work/other/$name"
done
