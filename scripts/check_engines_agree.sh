#!/usr/bin/env bash
# Both engines, every position: the dense engine's enumerated values written as diagrams are compared, byte by byte, with the
# symbolic engine's tables, depths and win/loss, for every length up to N (default 30). A table is one function in one
# form, so equal bytes mean equal values.
#
#   scripts/check_engines_agree.sh [N]
#
# LAST RESULT (N = 30, some ten minutes on a busy machine with two cores): all lengths from 3 to 30, dtw and wdl, the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
longest=${1:-30}
cargo build --release --quiet
phutbase=$PWD/target/release/phutbase
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for metric in dtw wdl; do
    "$phutbase" generate "3..$longest" --metric "$metric" --engine symbolic --tables "$work/symbolic" >/dev/null 2>&1
    "$phutbase" generate "3..$longest" --metric "$metric" --engine dense --layout diagram --tables "$work/dense" >/dev/null 2>&1
    for length in $(seq 3 "$longest"); do
        cmp "$work/symbolic/strip-$length-$metric.phut" "$work/dense/strip-$length-$metric.phut"
    done
    echo "$metric: lengths 3 to $longest have the same bytes from both engines"
done
