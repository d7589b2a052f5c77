#!/usr/bin/env bash
# Builds docs/paper/paper.pdf. Needs Debian's texlive-latex-recommended and texlive-pictures, which
# CI=true installs.
#
#   scripts/build_paper.sh [--check]        PHUTBASE: the program [default: target/release/phutbase]
#
# scripts/paper_numbers.py first computes every number with the program. --check writes nothing: it
# checks that the numbers are up to date and that the paper can be built.
#
# Exit code 0 on success, 1 on failure. Without LaTeX: 77, or 1 if PHUTBASE_REQUIRE
# names latex.
set -euo pipefail
cd "$(dirname "$0")/.."
unable() {
    case ,${PHUTBASE_REQUIRE:-}, in
    *,latex,*)
        echo "PHUTBASE_REQUIRE names latex, but $1" >&2
        exit 1
        ;;
    esac
    echo "SKIPPED, latex is missing: $1" >&2
    exit 77
}

python3 -B scripts/paper_numbers.py "$@"
if ! kpsewhich pgfplots.sty booktabs.sty >/dev/null 2>&1; then
    [ "${CI:-}" = true ] || unable "install Debian's texlive-latex-recommended and texlive-pictures, or let this script do it with CI=true"
    echo "installing texlive from Debian" >&2
    (apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends texlive-latex-recommended texlive-pictures) \
        >/dev/null 2>&1 || unable "texlive cannot be installed"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp docs/paper/*.tex "$work"
for _ in 1 2 3; do
    (cd "$work" && pdflatex -interaction=nonstopmode -halt-on-error paper.tex >output) || {
        grep -A 5 '^!' "$work/output" >&2
        exit 1
    }
done
if grep -E "undefined|Overfull" "$work/output"; then
    exit 1
fi
if [ "${1:-}" != --check ]; then
    cp "$work/paper.pdf" docs/paper/paper.pdf
fi
grep "Output written" "$work/output"
