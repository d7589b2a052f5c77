#!/usr/bin/env bash
# Builds proofs/, checks which axioms are used, has Coq's kernel prove that 3 to 32 squares have no
# draw, extracts the checker, and runs it on the shipped table, for 96 squares, and on faulty texts.
# One accepted text settles every shorter length (Stone.v). Needs Debian's coq (with OCaml), which
# CI=true installs.
#
#   scripts/check_proofs.sh [--far]         PHUTBASE: the program [default: target/release/phutbase]
#
# --far also has the kernel prove 48 squares, and checks 144 (5 GB of memory).
#
# Exit code 0 on success, 1 on failure. Without Coq: 77, or 1 if PHUTBASE_REQUIRE
# names coq.
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
    [ "${CI:-}" = true ] || unable "install Debian's coq, or let this script do it with CI=true"
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
# Every `Print Assumptions` must report that no axiom is used, but for the checker with arrays: it
# may use what Coq's library assumes of primitive integers and arrays.
axioms=$(grep -oE "^[A-Za-z0-9_.]+( |$)" output | grep -v "^Closed" | grep -vE "^(Uint63|PrimInt63|PArray)\." || true)
closed=$(grep -c "^Closed under the global context" output)
stated=$(cat ./*.v | grep -c "^Print Assumptions")
if [ -n "$axioms" ] || [ "$(grep -c "^Axioms:" output)" != 1 ] || [ "$((closed + 1))" != "$stated" ]; then
    cat output >&2
    exit 1
fi
# The axioms and parameters of Store.v are requirements, which two modules meet.
if grep -nE "^ *(Axiom|Parameter|Admitted|Conjecture|admit)" $(ls ./*.v | grep -v /Store.v); then
    echo "the lines above assume a statement without proof" >&2
    exit 1
fi
echo "the theorems are proved, $closed without axioms, one with those of primitive integers and arrays"

export_proof() {
    (cd - >/dev/null && "$phutbase" export "$1" --proof --tables tables) >"$1.txt"
}

# 'No draw' as a theorem, proved by evaluation in the kernel, which is slow for longer strips. The
# text is split because Coq's stack depth grows with the length of a string.
theorem() {
    export_proof "$1"
    {
        echo "From Coq Require Import String List. From Phutball Require Import Rules Stone Checker. Import ListNotations. Open Scope string_scope."
        echo "Definition text : string := String.concat \"\" ["
        awk 'NR % 500 == 1 { printf "%s\"", (NR > 1 ? "\";\n" : "") } { print } END { print "\"]." }' "$1.txt"
        echo "Theorem decided_last : decided $1. Proof. apply (check_sound $1 text). vm_compute. reflexivity. Qed."
        echo "Theorem decided_all n : 3 <= n <= $1 -> decided n. Proof. intros [_ H]. exact (decided_shorter $1 n decided_last H). Qed."
        echo "Print Assumptions decided_all."
    } >Closed.v
    time coqc -q -Q . Phutball Closed.v >output
    grep -q "Closed under the global context" output
    echo "'no draw on 3 to $1 squares' is a theorem"
}
theorem 32
[ "${1:-}" != --far ] || theorem 48

# Run the extracted checker on the shipped table.
ocamlopt -inline 200 -c arrays.ml
# Extracted code has unused variables.
ocamlopt -inline 200 -w -a -open Arrays -c checker.mli checker.ml
ocamlopt -inline 200 -open Arrays arrays.cmx checker.cmx driver.ml -o checker
checked() {
    export_proof "$1"
    time ./checker "$1" "$1.txt"
}
checked 96
[ "${1:-}" != --far ] || checked 144

# These proofs are correct; faults are then injected into them.
for length in 12 22; do
    export_proof "$length"
    ./checker "$length" "$length.txt" >output
done

# refused N WHAT LINES: the text faulty.txt is refused, for one of the reasons in LINES.
refused() {
    local status=0
    ./checker "$1" faulty.txt >output 2>&1 || status=$?
    if [ $status != 1 ] || ! grep -qE "WRONG: line [0-9]+: ($3)" output; then
        echo "the checker did not refuse a proof for $1 squares although $2" >&2
        cat output >&2
        exit 1
    fi
    faults=$((faults + 1))
}
faults=0
equation="the sets break an equation, or they leave boards undecided"
nodes=$(awk '/^nodes/ { print $2 }' 12.txt)
# Make a child of a node accept nothing: the sets lose boards, or two nodes become equal.
for line in $(seq 4 $((nodes + 3))); do
    for child in 1 2 3; do
        awk -v line="$line" -v child="$child" 'NR == line { was = $child; $child = 0; same = was == 0 } { print } END { exit same }' \
            12.txt >faulty.txt || continue
        refused 12 "child $child of line $line accepts nothing" "$equation|this node repeats another"
    done
done
# Exchange the children of a node: the sets contain wrong boards.
for line in $(seq 4 7 $((nodes + 3))); do
    awk -v line="$line" 'NR == line { same = $1 == $2; swap = $1; $1 = $2; $2 = swap } { print } END { exit same }' \
        12.txt >faulty.txt || continue
    refused 12 "the children of line $line are exchanged" "$equation|this node repeats another"
done
# Remove a level. The last alone would be accepted if every turn of Left counted as forward.
sed -e 's/^levels 2$/levels 1/' -e '$d' 22.txt >faulty.txt
refused 22 "the last level is missing" "$equation"
sed -e 's/^levels 2$/levels 1/' 22.txt | awk '/^Left/ && !removed { removed = 1; next } { print }' >faulty.txt
refused 22 "the first level is missing" "$equation"
# Malformed texts.
cp 12.txt faulty.txt
refused 13 "it is for 12 squares" "this is a proof for another number of squares"
sed 's/^squares 12$/squares 13/' 12.txt >faulty.txt
refused 12 "it says 13 squares" "this is a proof for another number of squares"
sed '5s/.*/0 0 200/' 12.txt >faulty.txt
refused 12 "a child comes after its parent" "a child does not come before its node"
sed '6s/.*/&  1/' 12.txt >faulty.txt
refused 12 "a node has four children" "more or fewer numbers than this line has"
sed '7s/.*/1 0 99999999999999999999/' 12.txt >faulty.txt
refused 12 "a number is too large" "number too large"
sed '8s/.*/1 0 -1/' 12.txt >faulty.txt
refused 12 "a number is negative" "unexpected character"
sed '$s/.*/Left 2 Right 99999/' 12.txt >faulty.txt
refused 12 "a set does not exist" "this node does not exist"
for bytes in 0 1 12 1000 $(($(wc -c <12.txt) - 1)); do
    head -c "$bytes" 12.txt >faulty.txt
    refused 12 "only $bytes bytes of it are there" "the text is truncated"
done
(cat 12.txt && echo "1 0 0") >faulty.txt
refused 12 "a line follows the end" "text behind the end"
(cat 12.txt && head -c 1 /dev/zero) >faulty.txt
refused 12 "a zero byte follows the end" "text behind the end"
head -c 1000000 /dev/urandom >faulty.txt
refused 12 "it is random" "unexpected character|number too large|more or fewer numbers than this line has"
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "1 " }' >faulty.txt
refused 12 "its first line has 300000 numbers" "more or fewer numbers than this line has"
# The nodes do not fit, or those of the text fit and those of the check do not.
for room in "12 64" "22 1024"; do
    if ./checker "${room% *}" "${room% *}.txt" "${room#* }" 4096 >output 2>&1 || ! grep -q "too many nodes" output; then
        echo "the checker did not refuse more nodes than it has room for: $room" >&2
        cat output >&2
        exit 1
    fi
done
for arguments in "" "12" "12 missing.txt" "x 12.txt" "12 ." "12 12.txt 64" "257 12.txt" "12 12.txt 33554433 64"; do
    status=0
    ./checker $arguments >output 2>&1 || status=$?
    [ $status = 2 ] || { echo "checker $arguments: exit code $status" >&2; exit 1; }
done
# Few results: slow, and still right.
./checker 12 12.txt 1024 0 >output
echo "$faults faulty texts are refused"

# Coq rejects the soundness proof of a checker that takes every turn of Left for a forward turn.
sed -i 's/\[(RightSoon, r); (StoneBeyond, r)\]/[(RightSoon, r); (StoneBeyond, r); (LeftFirst, r)]/' Equations.v
if coqc -q -Q . Phutball Equations.v >output 2>&1 || ! grep -q "^Error" output; then
    echo "Coq accepted the proof of a checker without the forward restriction" >&2
    exit 1
fi
echo "Coq rejects the proof of a checker without the forward restriction"
