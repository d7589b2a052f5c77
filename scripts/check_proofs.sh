#!/usr/bin/env bash
# Builds proofs/ and checks that its generated files are up to date, that its theorems use no axioms,
# that tests/data/automata.tsv and coq_rule.tsv of crates/solution have what Coq prints, and that wrong
# data break the proofs. Needs Debian's coq, which CI=true installs.
#
#   scripts/check_proofs.sh
#
# Exit code 0 on success, 1 on failure. Without Coq: 77, or 1 if PHUTBASE_REQUIRE
# names coq.
set -euo pipefail
cd "$(dirname "$0")/.."
rule=crates/solution/tests/data/coq_rule.tsv
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

if ! command -v coqc >/dev/null; then
    [ "${CI:-}" = true ] || unable "install Debian's coq, or let this script do it with CI=true"
    echo "installing coq from Debian" >&2
    (apt-get update -q && apt-get install -y -q --no-install-recommends coq) >/dev/null 2>&1 || unable "coq cannot be installed"
fi

# Build in a temporary directory.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/proof_data.py check
scripts/proof_theorems.py check "$work/Assumptions.v"
cp proofs/*.v proofs/stones.txt proofs/_CoqProject "$work"
cd "$work"

TIMEFORMAT='    %U s'
[ "$(grep -c '\.v$' _CoqProject)" = "$(ls ./*.v | grep -cv Assumptions.v)" ] || {
    echo "_CoqProject does not name all files of proofs/" >&2
    exit 1
}
coq_makefile -f _CoqProject -o Makefile
time make -j"$(nproc)" --no-print-directory >output
if grep -nE "^ *(Axiom|Parameter|Admitted|Conjecture|admit)" ./*.v; then
    echo "the lines above assume a statement without proof" >&2
    exit 1
fi
coqc -q -Q . Phutball Assumptions.v >output
stated=$(grep -c "^Print Assumptions" Assumptions.v)
if [ "$(grep -c "^Closed under the global context" output)" != "$stated" ] || [ "$(wc -l <output)" != "$stated" ]; then
    cat output >&2
    exit 1
fi
echo "the $stated theorems of proofs/theorems.txt are proved without axioms"

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

time python3 -B "$OLDPWD/scripts/test_proof_mutations.py" "$work"
