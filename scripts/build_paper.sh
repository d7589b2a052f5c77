#!/usr/bin/env bash
# docs/paper/paper.pdf from its sources. Installs what is missing of Debian's texlive-latex-recommended and texlive-pictures.
#
#   scripts/build_paper.sh [--check]        PHUTBASE=path/to/phutbase takes another program than target/release/phutbase
#
# First every number is taken from the program anew (scripts/paper_numbers.py). --check writes nothing: it looks that the numbers
# are those of the program, and that the paper can be built.
#
# Exit code 0 when all is well, 1 when something is not. When LaTeX cannot be installed, 77, or 1 if PHUTBASE_REQUIRE names latex.
set -euo pipefail
cd "$(dirname "$0")/.."
unable() {
    case ,${PHUTBASE_REQUIRE:-}, in
    *,latex,*)
        echo "PHUTBASE_REQUIRE names latex, but $1" >&2
        exit 1
        ;;
    esac
    echo "SKIPPED for want of latex: $1" >&2
    exit 77
}

python3 -B scripts/paper_numbers.py "$@"
if ! kpsewhich pgfplots.sty booktabs.sty >/dev/null 2>&1; then
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
