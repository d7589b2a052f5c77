#!/usr/bin/env bash
# Runs every parser under libFuzzer with coverage feedback, each for at most 20 minutes. Fails on a
# panic, on an input that takes 10 s or 1 GiB, and on a value that is printed and parsed as another
# value. Needs a C++ compiler; the coverage pass is part of stable rustc.
#
#   scripts/fuzz.sh [RUNS [PARSER...]]      RUNS: inputs per parser [default: 10000000]
#
# PARSER: strip pitch obstruction oddish boards position certificate ugi http table [default: all].
# Failing inputs are kept in fuzz/found. The last run took 1 to 3 minutes per parser and at most 32
# MiB, for http 20 minutes and 73 MiB, and found nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-10000000}
shift || true
[ $# -gt 0 ] || set -- strip pitch obstruction oddish boards position certificate ugi http table
target=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1" \
    cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target "$target"
mkdir -p fuzz/found
# Valid inputs to start with.
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
number=0
while IFS= read -r line; do
    number=$((number + 1))
    printf '%b' "$line" >"$seeds/$number"
done <fuzz/seeds.txt
# Small tables, which the other parsers refuse at once.
made=$seeds/made
for length in 3 6 12; do
    for metric in dtw wdl; do
        cargo run --quiet --release -- --quiet --tables "$made" generate "$length" --metric "$metric" >/dev/null
        mv "$made"/*.phut "$seeds"
    done
done
rm -r "$made"
find tables -name '*.phut' -size -5 -exec cp {} "$seeds" \;
for parser in "$@"; do
    mkdir -p "fuzz/corpus/$parser"
    echo "== $parser"
    begun=$SECONDS
    PHUTBASE_PARSER=$parser "fuzz/target/$target/release/phutbase-fuzz" -runs="$runs" -max_total_time=1200 -timeout=10 -rss_limit_mb=1024 -max_len=4096 \
        -verbosity=0 -print_final_stats=1 -artifact_prefix=fuzz/found/ "fuzz/corpus/$parser" "$seeds" 2>&1 |
        grep -E "stat::(number_of_executed_units|average_exec|peak_rss)|ERROR|panicked" || true
    [ -z "$(ls fuzz/found)" ] || { echo "found: fuzz/found/$(ls fuzz/found | head -n 1)"; exit 1; }
    echo "$((SECONDS - begun)) s"
done
