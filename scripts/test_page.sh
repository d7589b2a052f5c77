#!/usr/bin/env bash
# Tests the page end to end in a headless Chromium. Needs Debian's chromium and chromium-driver and
# selenium from PyPI, which CI=true installs, and axe-core from npm if npm is installed.
#
#   scripts/test_page.sh [SCREENSHOTS] [only=TEST...]
#
# PHUTBASE: the program [default: target/release/phutbase].
#
# Exit code 0 on success, 1 on failure. If the browser or its driver cannot be installed: 77, or 1
# if PHUTBASE_REQUIRE names browser.
set -euo pipefail
cd "$(dirname "$0")/.."
phutbase=$(realpath "${PHUTBASE:-target/release/phutbase}")
unable() {
    case ,${PHUTBASE_REQUIRE:-}, in
    *,browser,*)
        echo "PHUTBASE_REQUIRE names browser, but $1" >&2
        exit 1
        ;;
    esac
    echo "SKIPPED, browser is missing: $1" >&2
    exit 77
}

if ! [ -x /usr/bin/chromium ] || ! [ -x /usr/bin/chromedriver ]; then
    [ "${CI:-}" = true ] || unable "install Debian's chromium and chromium-driver, or let this script do it with CI=true"
    echo "installing chromium from Debian" >&2
    (apt-get update -q && apt-get install -y -q chromium chromium-driver) >/dev/null 2>&1 || unable "chromium cannot be installed"
fi
if ! python3 -c "import selenium" >/dev/null 2>&1; then
    [ "${CI:-}" = true ] || unable "install selenium from PyPI, or let this script do it with CI=true"
    echo "installing selenium from PyPI" >&2
    python3 -m pip install --quiet selenium >/dev/null 2>&1 || unable "selenium cannot be installed"
fi

work=$(mktemp -d)
# axe-core checks the accessibility of the page; without it that test is skipped.
echo "installing axe-core from npm" >&2
(cd "$work" && npm install --silent axe-core@4 >/dev/null 2>&1) && export AXE=$work/node_modules/axe-core/axe.min.js
servers=()
trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$work"' EXIT
# serve NAME [OPTIONS]: starts a server and writes its address to $work/NAME
serve() {
    "$phutbase" serve --port 0 "${@:2}" >"$work/$1" 2>"$work/$1.log" &
    servers+=($!)
    for _ in $(seq 100); do
        [ -s "$work/$1" ] && break
        sleep 0.1
    done
    sed -i 's/^listening on //' "$work/$1"
}
serve address
# A second server with a single, damaged table.
mkdir "$work/tables"
"$phutbase" generate 5 --tables "$work/tables" >/dev/null 2>&1
printf 'X' | dd of="$work/tables/strip-5-dtw.phut" bs=1 seek=40 conv=notrunc 2>/dev/null
PHUTBASE_TABLES=$work/tables serve damaged
DAMAGED=$(cat "$work/damaged") python3 -B scripts/test_page.py "$(cat "$work/address")" "$@"
