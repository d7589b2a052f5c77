#!/usr/bin/env bash
# Every parser under libFuzzer, which is steered by the code that an input reaches: no panic, no input that takes 10 s or a gigabyte, and what is
# read is printed as something that is read as the same. Needs a C++ compiler; LLVM's coverage pass is in every stable rustc.
#
#   scripts/fuzz.sh [RUNS [PARSER...]]      10,000,000 inputs to each of: strip pitch obstruction oddish boards position certificate ugi http
#
# What is found is left in fuzz/found. Last results, on one of four crowded cores: strip 44 s, pitch 78 s, obstruction 69 s, oddish and boards about
# a minute each, position 92 s, certificate 104 s, ugi 194 s, at most 32 MiB; http 9,174,195 inputs in 19 minutes, then 1,000,000 in 25 s, 73 MiB.
# Nothing was found in these. Before, after 822,936 inputs: sums of Obstruction that are printed longer than a position may be.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-10000000}
shift || true
[ $# -gt 0 ] || set -- strip pitch obstruction oddish boards position certificate ugi http
target=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1" \
    cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target "$target"
mkdir -p fuzz/found
# What is good text, to begin with.
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
number=0
while IFS= read -r line; do
    number=$((number + 1))
    printf '%b' "$line" >"$seeds/$number"
done <fuzz/seeds.txt
for parser in "$@"; do
    mkdir -p "fuzz/corpus/$parser"
    echo "== $parser"
    begun=$SECONDS
    PHUTBASE_PARSER=$parser "fuzz/target/$target/release/phutbase-fuzz" -runs="$runs" -timeout=10 -rss_limit_mb=1024 -max_len=1024 \
        -verbosity=0 -print_final_stats=1 -artifact_prefix=fuzz/found/ "fuzz/corpus/$parser" "$seeds" 2>&1 |
        grep -E "stat::(number_of_executed_units|average_exec|peak_rss)|ERROR|panicked" || true
    [ -z "$(ls fuzz/found)" ] || { echo "found: fuzz/found/$(ls fuzz/found | head -n 1)"; exit 1; }
    echo "$((SECONDS - begun)) s"
done
