#!/usr/bin/env bash
# The proof by Coq: builds proofs/, checks that no axiom is used, has Coq's kernel prove that 3 to 32 squares have no draw, extracts the checker
# and runs it on the shipped table of 48 squares and on faulty texts. One accepted text settles every shorter length (Stone.v).
# Installs Debian's coq, which brings OCaml, if it is missing.
#
#   scripts/check_proofs.sh [--far]         PHUTBASE=path/to/phutbase takes another program than target/release/phutbase
#
# --far checks 72 squares as well.
#
# Exit code 0 when all holds, 1 when something does not. When Coq cannot be installed, 77, or 1 if PHUTBASE_REQUIRE names coq.
#
# LAST RESULT (Coq 8.16.1, OCaml 4.13.1; seconds of processor time on a busy machine): the theorems 52,
# 25 of them for the potential of directional Phutball; the kernel's evaluation for 3 to 32 squares 10; the checker for 48 squares 9, for 72
# squares 305 in 1.0 GB of memory.
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
    echo "SKIPPED for want of coq: $1" >&2
    exit 77
}

if ! command -v coqc >/dev/null || ! command -v ocamlopt >/dev/null; then
    (apt-get update -q && apt-get install -y -q --no-install-recommends coq) >/dev/null 2>&1 || unable "coq cannot be installed"
fi

# Built apart from the sources; nothing is left beside them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp proofs/*.v proofs/*.ml "$work"
cd "$work"

# Processor time: the machine may be busy.
TIMEFORMAT='    %U s'
modules=$(coqdep -sort -Q . Phutball ./*.v)
time for module in $modules; do
    # That the extraction looks into proofs of the standard library is what it always says.
    coqc -q -Q . Phutball -w -extraction-opaque-accessed "$module" >>output
done
# Every `Print Assumptions` prints what a theorem rests on.
if grep -q "Axioms:" output || [ "$(grep -c "Closed under the global context" output)" != "$(cat ./*.v | grep -c "^Print Assumptions")" ]; then
    cat output >&2
    exit 1
fi
if grep -nE "^ *(Axiom|Parameter|Admitted|Conjecture|admit)" ./*.v; then
    echo "something is taken for granted" >&2
    exit 1
fi
echo "the theorems are proved, without axioms"

export_proof() {
    (cd - >/dev/null && "$phutbase" export "$1" --proof --tables tables) >"$1.txt"
}

# 'No draw' as a theorem, for as many squares as the kernel's own evaluation settles quickly. The text is cut into pieces, because Coq reads a
# string to a depth of its length.
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

# The extracted checker, on the shipped tables.
ocamlopt -w -a checker.mli checker.ml driver.ml -o checker
checked() {
    export_proof "$1"
    time ./checker "$1" "$1.txt" >output
    echo "no draw on 3 to $1 squares"
}
checked 48
[ "${1:-}" != --far ] || checked 72

# Short proofs are accepted before faults are planted in them.
for length in 12 22; do
    export_proof "$length"
    ./checker "$length" "$length.txt" >output
done

# Faulty texts are refused.
refused() {
    if ./checker "$1" faulty.txt >/dev/null; then
        echo "a proof of $1 squares is accepted although $2" >&2
        exit 1
    fi
}
# Any child of any node at 12 squares made to accept nothing: the sets lose boards.
faults=0
while read -r line; do
    for child in 1 2 3; do
        awk -v line="$line" -v child="$child" 'NR == line { was = $child; $child = 0; same = was == 0 } { print } END { exit same }' \
            12.txt >faulty.txt || continue
        faults=$((faults + 1))
        refused 12 "child $child of line $line accepts nothing"
    done
done < <(seq 4 "$(wc -l <12.txt)")
# Some made to accept what their neighbour does: there are boards that do not belong.
for line in $(seq 4 7 "$(wc -l <12.txt)"); do
    awk -v line="$line" 'NR == line { same = $1 == $2; swap = $1; $1 = $2; $2 = swap } { print } END { exit same }' \
        12.txt >faulty.txt || continue
    faults=$((faults + 1))
    refused 12 "the children of line $line are exchanged"
done
# A level left out. The last alone would do if every turn of Left's counted as forward.
sed -e 's/^levels 2$/levels 1/' -e 4d 22.txt >faulty.txt
refused 22 "the last level is missing"
sed -e 's/^levels 2$/levels 1/' -e 3d 22.txt >faulty.txt
refused 22 "the first level is missing"
# The wrong length, with and without its number; half a text; none.
cp 12.txt faulty.txt
refused 13 "it is of 12 squares"
sed 's/^squares 12$/squares 13/' 12.txt >faulty.txt
refused 13 "it is of 12 squares"
head -c 1000 12.txt >faulty.txt
refused 12 "it is cut short"
: >faulty.txt
refused 12 "it is empty"
echo "$((faults + 6)) faulty texts are refused"

# A checker that takes every turn of Left's for a forward one is refused too: by Coq.
sed -i 's/map (pair r) forward_starts ++/map (pair r) (forward_starts ++ other_starts) ++/' Check.v
if coqc -q -Q . Phutball Check.v >output 2>&1 || ! grep -q "^Error" output; then
    echo "a checker without the forward restriction is proved correct" >&2
    exit 1
fi
echo "a checker without the forward restriction cannot be proved correct"
