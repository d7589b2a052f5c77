#!/usr/bin/env bash
# Builds proofs/, checks that no axiom is used, has Coq's kernel prove that 3 to 32 squares have no
# draw, extracts the checker, and runs it on the shipped table of 48 squares and on faulty texts.
# One accepted text settles every shorter length (Stone.v). Installs Debian's coq (with OCaml) if
# missing.
#
#   scripts/check_proofs.sh [--far]         PHUTBASE: the program [default: target/release/phutbase]
#
# --far also checks 72 squares.
#
# Exit code 0 on success, 1 on failure. If Coq cannot be installed: 77, or 1 if PHUTBASE_REQUIRE
# names coq.
#
# Processor time with Coq 8.16.1 and OCaml 4.13.1: theorems 52 s, 25 of them for the potential;
# evaluation by the kernel for 3 to 32 squares 10 s; checker 9 s for 48 squares, 305 s and 1.0 GB of
# memory for 72.
set -euo pipefail
cd "$(dirname "$0")/.."
phutbase=$(realpath "${PHUTBASE:-target/release/phutbase}")
unable() {
    case ,${PHUTBASE_REQUIRE:-}, in
    *,coq,*)
        echo "PHUTBASE_REQUIRE names coq, but $1" >&2
        exit 1
        ;;
    esac
    echo "SKIPPED, coq is missing: $1" >&2
    exit 77
}

if ! command -v coqc >/dev/null || ! command -v ocamlopt >/dev/null; then
    echo "installing coq from Debian" >&2
    (apt-get update -q && apt-get install -y -q --no-install-recommends coq) >/dev/null 2>&1 || unable "coq cannot be installed"
fi

# Build in a temporary directory.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp proofs/*.v proofs/*.ml "$work"
cd "$work"

TIMEFORMAT='    %U s'
modules=$(coqdep -sort -Q . Phutball ./*.v)
time for module in $modules; do
    # The warning names proofs of the standard library in the extracted code.
    coqc -q -Q . Phutball -w -extraction-opaque-accessed "$module" >>output
done
# Every `Print Assumptions` must report that no axiom is used.
if grep -q "Axioms:" output || [ "$(grep -c "Closed under the global context" output)" != "$(cat ./*.v | grep -c "^Print Assumptions")" ]; then
    cat output >&2
    exit 1
fi
if grep -nE "^ *(Axiom|Parameter|Admitted|Conjecture|admit)" ./*.v; then
    echo "the lines above assume a statement without proof" >&2
    exit 1
fi
echo "the theorems are proved, without axioms"

export_proof() {
    (cd - >/dev/null && "$phutbase" export "$1" --proof --tables tables) >"$1.txt"
}

# 'No draw' as a theorem, proved by evaluation in the kernel, which is slow for longer strips. The
# text is split because Coq's stack depth grows with the length of a string.
export_proof 32
{
    echo "From Coq Require Import String List. From Phutball Require Import Rules Stone Checker. Import ListNotations. Open Scope string_scope."
    echo "Definition text_32 : string := String.concat \"\" ["
    awk 'NR % 500 == 1 { printf "%s\"", (NR > 1 ? "\";\n" : "") } { print } END { print "\"]." }' 32.txt
    echo "Theorem decided_32 : decided 32. Proof. apply (check_sound 32 text_32). vm_compute. reflexivity. Qed."
    echo "Theorem decided_3_to_32 n : 3 <= n <= 32 -> decided n. Proof. intros [_ H]. exact (decided_shorter 32 n decided_32 H). Qed."
    echo "Print Assumptions decided_3_to_32."
} >Closed.v
time {
    coqc -q -Q . Phutball Closed.v >output
    grep -q "Closed under the global context" output
    echo "'no draw on 3 to 32 squares' is a theorem"
}

# Run the extracted checker on the shipped tables.
ocamlopt -w -a checker.mli checker.ml driver.ml -o checker
checked() {
    export_proof "$1"
    time ./checker "$1" "$1.txt" >output
    echo "no draw on 3 to $1 squares"
}
checked 48
[ "${1:-}" != --far ] || checked 72

# These proofs are correct; faults are then injected into them.
for length in 12 22; do
    export_proof "$length"
    ./checker "$length" "$length.txt" >output
done

refused() {
    if ./checker "$1" faulty.txt >/dev/null; then
        echo "the checker accepted a proof for $1 squares although $2" >&2
        exit 1
    fi
}
# Make a child of a node accept nothing: the sets lose boards.
faults=0
while read -r line; do
    for child in 1 2 3; do
        awk -v line="$line" -v child="$child" 'NR == line { was = $child; $child = 0; same = was == 0 } { print } END { exit same }' \
            12.txt >faulty.txt || continue
        faults=$((faults + 1))
        refused 12 "child $child of line $line accepts nothing"
    done
done < <(seq 4 "$(wc -l <12.txt)")
# Exchange the children of a node: the sets contain wrong boards.
for line in $(seq 4 7 "$(wc -l <12.txt)"); do
    awk -v line="$line" 'NR == line { same = $1 == $2; swap = $1; $1 = $2; $2 = swap } { print } END { exit same }' \
        12.txt >faulty.txt || continue
    faults=$((faults + 1))
    refused 12 "the children of line $line are exchanged"
done
# Remove a level. The last alone would be accepted if every turn of Left counted as forward.
sed -e 's/^levels 2$/levels 1/' -e 4d 22.txt >faulty.txt
refused 22 "the last level is missing"
sed -e 's/^levels 2$/levels 1/' -e 3d 22.txt >faulty.txt
refused 22 "the first level is missing"
# A wrong length, a truncated text, an empty text.
cp 12.txt faulty.txt
refused 13 "it is for 12 squares"
sed 's/^squares 12$/squares 13/' 12.txt >faulty.txt
refused 13 "it is for 12 squares"
head -c 1000 12.txt >faulty.txt
refused 12 "it is truncated"
: >faulty.txt
refused 12 "it is empty"
echo "$((faults + 6)) faulty texts are refused"

# Coq rejects the soundness proof of a checker that takes every turn of Left for a forward turn.
sed -i 's/map (pair r) forward_starts ++/map (pair r) (forward_starts ++ other_starts) ++/' Check.v
if coqc -q -Q . Phutball Check.v >output 2>&1 || ! grep -q "^Error" output; then
    echo "Coq accepted the proof of a checker without the forward restriction" >&2
    exit 1
fi
echo "Coq rejects the proof of a checker without the forward restriction"
