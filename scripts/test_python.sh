#!/usr/bin/env bash
# Tests the Python package: builds the wheel, installs it in a virtual environment, and runs its
# tests, its doctests and the notebook.
#
#   scripts/test_python.sh [OUT]      OUT: write the executed notebook here
#
# Exit code 0 on success, 1 on failure. If its dependencies cannot be installed: 77, or 1 if
# PHUTBASE_REQUIRE names wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
unable() {
    case ,${PHUTBASE_REQUIRE:-}, in
    *,wheel,*)
        echo "PHUTBASE_REQUIRE names wheel, but $1" >&2
        exit 1
        ;;
    esac
    echo "SKIPPED, wheel is missing: $1" >&2
    exit 77
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1 || unable "Python 3.10 or newer is needed"
environment=target/python
[ -d "$environment" ] || python3 -m venv "$environment" || unable "python3 -m venv failed"
pip() { "$environment/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
echo "installing maturin, numpy and what the tests need from PyPI into $environment" >&2
pip install --no-compile "maturin>=1.7,<2" numpy pandas matplotlib nbclient nbformat ipykernel pytest mypy >/dev/null 2>&1 \
    || unable "maturin, numpy, pandas, matplotlib, nbclient, pytest or mypy cannot be installed"
if ! refusal=$(cargo fetch --quiet --manifest-path python/Cargo.toml --locked 2>&1); then
    case $refusal in
    *--locked*)
        echo "$refusal: cargo update --workspace --manifest-path python/Cargo.toml" >&2
        exit 1
        ;;
    esac
    unable "its crates cannot be downloaded"
fi

cargo fmt --check --manifest-path python/Cargo.toml
cargo clippy --release --quiet --manifest-path python/Cargo.toml -- -D warnings
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
"$environment/bin/maturin" build --release --quiet --locked --manifest-path python/Cargo.toml --out "$wheels"
size=$(cat "$wheels"/*.whl | wc -c)
[ "$size" -lt 4000000 ] || { echo "the wheel has $size bytes" >&2; exit 1; }
pip install --force-reinstall --no-deps "$wheels"/*.whl
"$environment/bin/mypy" --strict --cache-dir /dev/null python/package/phutbase
# The tests use the installed package and its tables; the notebook uses those of the project.
"$environment/bin/python" -m pytest -q -p no:cacheprovider python/tests
for page in python/README.md docs/guide.md; do
    "$environment/bin/python" -m doctest "$page"
done
"$environment/bin/python" -c '
import doctest, phutbase, phutbase.boards, sys
modules = phutbase, phutbase.boards, phutbase.solution
sys.exit(sum(doctest.testmod(module).failed for module in modules))'
"$environment/bin/python" python/tests/run_notebook.py examples/phutball.ipynb "$@"
