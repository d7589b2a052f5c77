#!/usr/bin/env bash
# Builds proofs/, checks which axioms are used, compares the automata with tests/data/automata.tsv,
# has Coq's kernel prove that 3 to 32 squares have no draw, extracts the checker, and runs it on the
# shipped table, for 96 squares, and on faulty texts.
# One accepted text settles every shorter length (Stone.v). Needs Debian's coq (with OCaml), which
# CI=true installs.
#
#   scripts/check_proofs.sh [--far]         PHUTBASE: the program [default: target/release/phutbase]
#
# --far also has the kernel prove 64 squares, and checks 144 (3 GB of memory).
#
# Exit code 0 on success, 1 on failure. Without Coq: 77, or 1 if PHUTBASE_REQUIRE
# names coq.
set -euo pipefail
cd "$(dirname "$0")/.."
rule=crates/solution/tests/data/coq_rule.tsv
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
scripts/proof_data.py check
cp proofs/*.v proofs/*.ml proofs/_CoqProject "$work"
cd "$work"

TIMEFORMAT='    %U s'
[ "$(grep -c '\.v$' _CoqProject)" = "$(ls ./*.v | wc -l)" ] || { echo "_CoqProject does not name all files of proofs/" >&2; exit 1; }
coq_makefile -f _CoqProject -o Makefile
# The warning names proofs of the standard library in the extracted code.
time make -j"$(nproc)" --no-print-directory COQEXTRAFLAGS="-w -extraction-opaque-accessed" >output
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

# The automata of the potential and of the forward value, which tests compare with the program's: for
# each state after at most 40 squares, in the order of their numbers, the places of the states after
# an empty square and after a stone, and the value. The first place is 0.
cat >Automata.v <<'END'
From Coq Require Import ZArith List FMapPositive.
From Phutball Require Import Rules Potential Families ForwardValue.
Open Scope Z_scope.

Section Rows.
Variables (S : Type) (next : S -> square -> S) (counters : S -> list Z) (value : S -> Z).

Definition number (s : S) : positive := Z.to_pos (fold_left (fun all c => 64 * all + c) (counters s) 1).

Definition add (s : S) (m : PositiveMap.t S) := PositiveMap.add (number s) s m.

Definition longer (m : PositiveMap.t S) :=
  PositiveMap.fold (fun _ s m => add (next s empty) (add (next s stone) m)) m m.

Definition rows (start : S) : list (list Z) :=
  let states := map snd (PositiveMap.elements (Nat.iter 40 longer (add start (PositiveMap.empty S)))) in
  let put '(m, place) s := (PositiveMap.add (number s) place m, place + 1) in
  let (places, count) := fold_left put states (PositiveMap.empty Z, 0) in
  let place s := match PositiveMap.find (number s) places with Some place => place | None => count end in
  map (fun s => [place (next s empty); place (next s stone); value s]) states.
End Rows.

Eval vm_compute in rows state step (fun s => [Families.number (at_control s); count_k s; count_i s]) height start.
Eval vm_compute in rows fstate fstep (fun s => [f_e s; f_run s; f_t s; f_m s; f_cls s; f_j s]) fval fstart.
END
coqc -q -Q . Phutball Automata.v | tr -d ' \n' |
    sed 's/=\[\[//g; s/\];\[/\n/g; s/\]\]:list(listZ)/\n\n/g; s/;/\t/g' | sed '$d' >automata.tsv
cmp automata.tsv "$OLDPWD/tests/data/automata.tsv"
echo "tests/data/automata.tsv has the automata of the proofs"

# The rule, which tests compare with the program's: name, potential and type of all words of 12
# squares, and of the longer ones of the file.
{
    cat <<'END'
From Coq Require Import ZArith List Ascii String DecimalString.
From Phutball Require Import Rules Rule.
Import ListNotations.
Open Scope string_scope.

Fixpoint word_of (text : string) : list square :=
  match text with
  | String c text => (if Ascii.eqb c "."%char then empty else stone) :: word_of text
  | EmptyString => []
  end.

Fixpoint all (n : nat) : list string :=
  match n with O => [""] | S n => map (String "."%char) (all n) ++ map (String "o"%char) (all n) end.

Definition written (n : Z) : string := NilZero.string_of_int (Z.to_int n).

(** A chain has its length in place of j. *)
Definition write_head (s : name) : string * Z :=
  match head_of s with
  | hA => ("A", j_of s) | hG => ("G", j_of s) | hT => ("T", j_of s) | hO => ("O", j_of s) | hZ => ("Z", j_of s)
  | hI => ("I", j_of s) | hU => ("U", j_of s) | hE => ("E", j_of s) | hQ => ("Q", j_of s) | hL => ("L", j_of s)
  | hM => ("K", j_of s) | hY c => ("Y", Z.of_nat c)
  end.

Definition write_tail (t : tail) : string :=
  match t with
  | none => "-" | o => "o" | oo => "oo" | oo_ => "oo." | ooo => "ooo" | oooo => "oooo"
  | o_ => "o." | o_o => "o.o" | o_oo => "o.oo" | o_oo_ => "o.oo."
  end.

Definition write_type (t : type) : string :=
  match t with
  | Tz => "z" | Ty => "y" | Ta => "a" | Tb => "b" | Tf => "f" | Th => "h" | Tj => "j"
  | Tc => "c" | Td => "d" | Te => "e" | Tg => "g" | Ti => "i" | Tk => "k" | Tl => "l"
  end.

Definition row (text : string) : string :=
  let s := name_of (word_of text) in
  let (head, j) := write_head s in
  let (P, t) := value_of s in
  text ++ "/" ++ head ++ " " ++ written (i_of s) ++ " " ++ written j ++ " " ++ written (n_of s)
  ++ " " ++ (if mark_of s then "-1" else "0") ++ " " ++ write_tail (tail_of s) ++ " " ++ written (K_of s)
  ++ "/" ++ written P ++ "/" ++ write_type t.

Definition longer : list string := [
END
    awk -F'\t' '!/^#/ && length($1) > 12 { printf "%s\"%s\"", (more++ ? ";\n" : ""), $1 } END { print "]." }' "$OLDPWD/$rule"
    echo 'Eval vm_compute in map row (all 12%nat ++ longer)%list.'
} >PrintRule.v
coqc -q -Q . Phutball PrintRule.v | grep -o '"[^"]*"' | tr -d '"' | tr / '\t' >rule.tsv
cmp rule.tsv <(grep -v '^#' "$OLDPWD/$rule")
echo "$rule has the names and values of the proofs"

export_proof() {
    (cd - >/dev/null && "$phutbase" export "$1" --format proof --tables tables) >"$1.txt"
}

# 'No draw' as a theorem, proved by evaluation in the kernel, which is slow for longer strips. The
# text is a list of bytes, which Coq reads faster than its strings, and split because Coq's stack
# depth grows with the length of a literal.
theorem() {
    export_proof "$1"
    {
        cat <<'END'
From Coq Require Import String List.
From Phutball Require Import Rules Stone Proper LawN Checker.
Import ListNotations.
Inductive bytes := Bytes (l : list Coq.Init.Byte.byte).
Definition list_of (b : bytes) := let (l) := b in l.
Declare Scope bytes_scope.
Bind Scope bytes_scope with bytes.
String Notation bytes Bytes list_of : bytes_scope.
Open Scope bytes_scope.
Definition parts : list bytes := [
END
        awk 'NR % 100 == 1 { printf "%s\"", (NR > 1 ? "\";\n" : "") } { print } END { print "\"]." }' "$1.txt"
        cat <<END
Definition text : string := String.concat EmptyString (map (fun part => string_of_list_byte (list_of part)) parts).
Lemma accepted : check $1 text = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem decided_all n : 3 <= n <= $1 -> decided n.
Proof. intros [_ H]. exact (decided_shorter $1 n (check_sound $1 text accepted) H). Qed.
Theorem law_N_all n : 3 <= n <= $1 -> law_N n.
Proof. intros [_ H]. exact (law_N_shorter $1 n (check_law_N $1 text accepted) H). Qed.
Print Assumptions decided_all.
Print Assumptions law_N_all.
END
    } >Closed.v
    time coqc -q -Q . Phutball Closed.v >output
    [ "$(grep -c "Closed under the global context" output)" = 2 ]
    echo "'no draw on 3 to $1 squares' is a theorem, and so is Law N for them"
}
theorem 32
[ "${1:-}" != --far ] || theorem 64

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
for line in $(seq 3 $((nodes + 2))); do
    for child in 1 2 3; do
        awk -v line="$line" -v child="$child" 'NR == line { was = $child; $child = 0; same = was == 0 } { print } END { exit same }' \
            12.txt >faulty.txt || continue
        refused 12 "child $child of line $line accepts nothing" "$equation|this node repeats another"
    done
done
# Exchange the children of a node: the sets contain wrong boards.
for line in $(seq 3 7 $((nodes + 2))); do
    awk -v line="$line" 'NR == line { same = $1 == $2; swap = $1; $1 = $2; $2 = swap } { print } END { exit same }' \
        12.txt >faulty.txt || continue
    refused 12 "the children of line $line are exchanged" "$equation|this node repeats another"
done
# Exchange the sets, or use one of them twice.
for roots in 'Left \2 Right \1' 'Left \1 Right \1' 'Left \2 Right \2'; do
    sed -E "s/^Left ([0-9]+) Right ([0-9]+)$/$roots/" 12.txt >faulty.txt
    refused 12 "its sets are $roots" "$equation"
done
# Malformed texts.
cp 12.txt faulty.txt
refused 13 "it is for 12 squares" "this is a proof for another number of squares"
sed 's/^squares 12$/squares 13/' 12.txt >faulty.txt
refused 12 "it says 13 squares" "this is a proof for another number of squares"
sed '4s/.*/0 0 200/' 12.txt >faulty.txt
refused 12 "a child comes after its parent" "a child does not come before its node"
sed '5s/.*/&  1/' 12.txt >faulty.txt
refused 12 "a node has four children" "more or fewer numbers than this line has"
sed '6s/.*/1 0 99999999999999999999/' 12.txt >faulty.txt
refused 12 "a number is too large" "number too large"
sed '7s/.*/1 0 -1/' 12.txt >faulty.txt
refused 12 "a number is negative" "unexpected character"
sed '$s/.*/Left 2 Right 99999/' 12.txt >faulty.txt
refused 12 "a set does not exist" "this node does not exist"
sed '1a levels 1' 12.txt >faulty.txt
refused 12 "it has levels" "a text with levels, from before version 0\.4: export the proof again"
sed '$p' 12.txt >faulty.txt
refused 12 "it has two pairs of sets" "text behind the end"
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

# Sets of which Left stays in all boards, but not by proper turns: every turn of Right leads from the
# second set into the first or wins for Left, and the first has one board from which only a stone
# behind the ball, or only a jump turn of two squares, leads into the second. They are too small to
# settle a length, so each equation is evaluated by itself.
cat >Improper.v <<'END'
From Coq Require Import Ascii String.
From Phutball Require Import Rules Reading Store TrieStore Checker.
Import InKernel.
Open Scope string_scope.

Fixpoint board_of (text : string) : list cell :=
  match text with
  | EmptyString => []
  | String c text => (if Ascii.eqb c "@" then Ball else Square (if Ascii.eqb c "o" then stone else empty)) :: board_of text
  end.

Definition after (c : cell) (l : list (list cell)) : list (list cell) :=
  flat_map (fun w =>
    match c, w with
    | Ball, Ball :: w | Square empty, Square empty :: w | Square stone, Square stone :: w => [w]
    | _, _ => []
    end) l.

(** The set of some boards. *)
Fixpoint set_of (n : nat) (l : list (list cell)) (t : TrieStore.store) : TrieStore.store * TrieStore.node :=
  match l, n with
  | [], _ => (t, TrieStore.bottom)
  | _, 0 => (t, TrieStore.top)
  | _, S n =>
      let (t, e) := set_of n (after (Square empty) l) t in
      let (t, s) := set_of n (after (Square stone) l) t in
      let (t, b) := set_of n (after Ball l) t in
      TrieStore.make t e s b
  end.

Definition words_in (text : string) : list string :=
  let fix words (text word : string) :=
    match text with
    | EmptyString => [word]
    | String c text => if Ascii.eqb c " " then word :: words text "" else words text (word ++ String c "")
    end in
  words text "".

(** The two equations: the turns of Right, and those of Left. *)
Definition equations (n : nat) (a r : string) : bool * bool :=
  let (t, a) := set_of n (map board_of (words_in a)) (TrieStore.fresh tt) in
  let (t, r) := set_of n (map board_of (words_in r)) t in
  (snd (every_turn n r a t), snd (proper_turn n a r t)).

(* From ....@. only the stone on the first square is in the set. *)
Definition a6 := "o...@o o..o@. o.@..o o.@ooo o.o.@. o.oo@o oo..@. oo.o@o oo@o.o ooo.@o".
Definition r6 := "o...@. o..o@o o.@o.o o.o.@o oo..@o".
Example kept : equations 6 a6 r6 = (true, true).
Proof. vm_compute. reflexivity. Qed.
Example stone_behind : equations 6 ("....@. " ++ a6) r6 = (true, false).
Proof. vm_compute. reflexivity. Qed.

(* From ...@o.. only the jump over one stone is in the set. *)
Definition a7 := ".....@o ....o@. ...@..o ...@ooo ...o.@. ...oo@o ..o..@. ..o.o@o ..o@.oo ..oo.@o .@..ooo .@ooooo .o...@. .o..o@o .o.@.oo .o.o.@o .oo..@o .oo@ooo o....@. o...o@o o..@.oo o..o.@o o.o..@o o.o@ooo o@o.ooo oo...@o oo.@ooo".
Definition r7 := ".....@. ....o@o ...@.oo ...o.@o ..o..@o ..o@ooo .@o.ooo .o...@o .o.@ooo o....@o o..@ooo".
Example kept_too : equations 7 a7 r7 = (true, true).
Proof. vm_compute. reflexivity. Qed.
Example jump_of_two : equations 7 ("...@o.. " ++ a7) r7 = (true, false).
Proof. vm_compute. reflexivity. Qed.
END
coqc -q -Q . Phutball Improper.v
echo "sets that need a stone behind the ball, or a jump turn of two squares, are refused"

# Coq rejects the soundness proof of a checker that takes other turns of Left's for proper.
cp Equations.v equations.saved
for state in StoneBefore RightSoon LeftFirst; do
    sed "s/preimage_starts n proper_starts r t bottom/preimage_starts n ($state :: proper_starts) r t bottom/;
        s/preimage_starts_returns n proper_starts r/preimage_starts_returns n ($state :: proper_starts) r/" equations.saved >Equations.v
    if cmp -s equations.saved Equations.v || coqc -q -Q . Phutball Equations.v >output 2>&1 || ! grep -q "^Error" output; then
        echo "Coq accepted the proof of a checker that takes the turns from $state for proper" >&2
        exit 1
    fi
done
echo "Coq rejects the proof of a checker that takes other turns for proper"
