#!/usr/bin/env bash
# Builds the wheel of the Python package, for every CPython from 3.10 on.
#
#   scripts/build_wheels.sh [OUT]      OUT: the output directory [default: dist]
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-dist}")
environment=target/python
[ -d "$environment" ] || python3 -m venv "$environment"
"$environment/bin/python" -m pip --quiet --disable-pip-version-check install --no-compile "maturin>=1.7,<2"
"$environment/bin/maturin" build --release --locked --manifest-path python/Cargo.toml --out "$out"
ls -l "$out"
