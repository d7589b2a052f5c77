#!/usr/bin/env bash
# Measures `generate` for some lengths: wall time, peak memory, file size; the median of three runs each.
#
#   scripts/measure.sh [LENGTH …]      (default 20 24 26 28 30)
#
# docs/BENCHMARKS.md quotes its output.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 20 24 26 28 30
echo "cores: $(nproc)"
for length in "$@"; do
    for _ in 1 2 3; do
        rm -rf "$work/tables"
        target/release/phutbase generate "$length" --engine dense --tables "$work/tables" --json 2>/dev/null >"$work/line" &
        pid=$!
        peak=0
        # The kernel keeps the peak; the last reading before the end counts.
        while kill -0 "$pid" 2>/dev/null; do
            now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
            peak=${now:-$peak}
            sleep 0.01
        done
        wait "$pid"
        sed "s/\$/ $peak/" "$work/line"
    done | python3 -c '
import json, sys
rows = [line.rsplit(" ", 1) for line in sys.stdin]
runs = sorted((json.loads(row)["seconds"], int(peak)) for row, peak in rows)
row = json.loads(rows[0][0])
seconds, peak = runs[1][0], max(peak for _, peak in runs)
print("n = {}: {:.2f} s, {:.0f} MiB, {} bytes, {:.2e} positions/s".format(
    row["length"], seconds, peak / 1024, row["bytes"], row["positions"] / seconds))'
done
