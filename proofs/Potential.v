(** * A potential for half strips

    An automaton with two counters reads the squares from a goal line to the ball. Its last state
    determines the potential of the half strip, which decides directional Phutball (Directional.v).
    A family of states has unknown counters, and the automaton runs on whole families. *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules.
Open Scope Z_scope.

(** ** The automaton *)

(** Letters name the cells read, [S] a stone and [D] an empty square; the digit is the number of
    empty squares modulo 4. *)
Inductive control :=
| E0 | E1 | E2 | E3 | S0 | S2 | Y2 | SD0 | SD2 | SS0 | SS2 | SDD0 | SDS2 | SSD0 | SSS0 | SDDS0 | SDSS2 | SSDS0
| SSSD0 | SSSS0 | SDDSS0 | SDSSD2 | SSDSS0 | SSSSD0 | SDDSSS0 | SSDSSS0 | SSSSDD0 | SDDSSSS0 | SSDSSSS0 |
  SDDSSSSD0 | SSDSSSSD0.

(** [k] counts fours of empty squares, [i] the repetitions of [oo..]. *)
Record state := State { at_control : control; count_k : Z; count_i : Z }.

(** Changes of [i]. *)
Inductive index := Keep | Zero | More.

(** The transition for a cell: the next control, the increment of [k], and the change of [i]. It may
    depend on the value of [k] or [k - i], and on [i] being 0. *)
Inductive tree :=
| Go (c : control) (d : Z) (x : index)
| AtI (yes no : tree)
| AtK (m : Z) (yes no : tree)
| AtJ (m : Z) (yes no : tree).

Definition table (c : control) (s : square) : tree :=
  match c, s with
  | E0, empty => AtI (Go E1 0 Zero) (Go SD0 0 Zero)
  | E0, stone => AtI (AtK 0 (Go E0 0 Zero) (Go S0 0 Zero)) (AtJ 1 (Go SDDS0 0 Zero) (Go S0 0 Keep))
  | E1, empty => Go E2 0 Zero
  | E1, stone => AtK 0 (Go E0 0 Zero) (Go S0 0 Zero)
  | E2, empty => Go E3 0 Zero
  | E2, stone => AtK 0 (Go Y2 0 Zero) (Go S2 0 Zero)
  | E3, empty => Go E0 1 Zero
  | E3, stone => AtK 0 (Go Y2 0 Zero) (Go S2 0 Zero)
  | S0, empty => AtI (AtK 1 (Go E3 (-1) Zero) (Go SD0 0 Zero)) (Go SD0 0 Zero)
  | S0, stone => Go SS0 0 Keep
  | S2, empty => Go SD2 0 Zero
  | S2, stone => AtK 1 (Go SS0 0 Zero) (Go SS2 0 Zero)
  | Y2, empty => Go E1 0 Zero
  | Y2, stone => Go E0 0 Zero
  | SD0, empty => Go SDD0 0 Zero
  | SD0, stone => Go S2 (-1) Zero
  | SD2, empty => Go E2 0 Zero
  | SD2, stone => AtK 1 (Go SSS0 0 Zero) (Go SDS2 0 Zero)
  | SS0, empty => AtI (AtK 1 (Go E3 (-1) Zero) (Go SSD0 0 Zero)) (Go SSD0 0 Keep)
  | SS0, stone => Go SSS0 0 Keep
  | SS2, empty => Go SD0 0 Zero
  | SS2, stone => Go SDS2 0 Zero
  | SDD0, empty => Go E1 0 Zero
  | SDD0, stone => Go SDDS0 0 Zero
  | SDS2, empty => Go SD0 0 Zero
  | SDS2, stone => Go SDSS2 0 Zero
  | SSD0, empty => Go E0 0 More
  | SSD0, stone => AtI (AtK 2 (Go S0 (-1) Zero) (Go SDDS0 (-1) Zero)) (Go SSDS0 0 Keep)
  | SSS0, empty => AtI (AtK 1 (Go E3 (-1) Zero) (Go E1 (-1) Zero)) (Go SSSD0 0 Keep)
  | SSS0, stone => AtI (AtK 2 (Go SSSSDD0 (-1) Zero) (Go SSSS0 0 Zero)) (Go E0 (-1) Keep)
  | SDDS0, empty => Go SD0 0 Zero
  | SDDS0, stone => Go SDDSS0 0 Zero
  | SDSS2, empty => Go SDSSD2 0 Zero
  | SDSS2, stone => Go S2 (-1) Zero
  | SSDS0, empty => Go SD0 (-1) Zero
  | SSDS0, stone => AtJ 2 (Go SS2 (-1) Zero) (Go SSDSS0 0 Keep)
  | SSSD0, empty => Go E2 (-1) Zero
  | SSSD0, stone => AtJ 2 (Go SDDS0 (-1) Zero) (Go S0 (-1) Keep)
  | SSSS0, empty => AtK 1 (Go SSSSD0 0 Zero) (Go SD0 (-1) Zero)
  | SSSS0, stone => AtK 1 (Go Y2 (-1) Zero) (Go S0 (-1) Zero)
  | SDDSS0, empty => Go SD0 0 Zero
  | SDDSS0, stone => Go SDDSSS0 0 Zero
  | SDSSD2, empty => Go SSSS0 1 Zero
  | SDSSD2, stone => AtK 2 (Go SS0 (-1) Zero) (Go SS2 (-1) Zero)
  | SSDSS0, empty => Go SD0 (-1) Zero
  | SSDSS0, stone => Go SSDSSS0 0 Keep
  | SSSSD0, empty => Go SSSSDD0 0 Zero
  | SSSSD0, stone => Go E0 (-1) Zero
  | SDDSSS0, empty => Go SSD0 0 Zero
  | SDDSSS0, stone => Go SDDSSSS0 0 Zero
  | SSDSSS0, empty => Go SSD0 (-1) Keep
  | SSDSSS0, stone => Go SSDSSSS0 0 Keep
  | SSSSDD0, empty => Go E3 (-1) Zero
  | SSSSDD0, stone => Go S0 0 Zero
  | SDDSSSS0, empty => Go SDDSSSSD0 0 Zero
  | SDDSSSS0, stone => AtK 2 (Go S0 (-1) Zero) (Go SDDS0 (-1) Zero)
  | SSDSSSS0, empty => Go SSDSSSSD0 0 Keep
  | SSDSSSS0, stone => Go SSDS0 (-1) Keep
  | SDDSSSSD0, empty => Go E2 (-1) Zero
  | SDDSSSSD0, stone => AtK 2 (Go SS0 (-1) Zero) (Go SDDSS0 (-1) Zero)
  | SSDSSSSD0, empty => Go E2 (-2) Zero
  | SSDSSSSD0, stone => AtJ 3 (Go SS2 (-2) Zero) (Go SSDSS0 (-1) Keep)
  end.

(** The potential less [k]. *)
Inductive constant :=
| Always (d : Z)
| IfI (yes no : constant)
| IfK (m : Z) (yes no : constant).

Definition constants (c : control) : constant :=
  match c with
  | E0 => IfI (IfK 0 (Always 0) (Always 1)) (Always 0)
  | SSSS0 => IfK 1 (Always 0) (Always (-1))
  | S0 | SS0 | SS2 | SDS2 | SSS0 | SDDS0 | SDSS2 | SSSD0 | SDDSS0 | SDDSSS0 | SSSSDD0 | SDDSSSS0 | SDDSSSSD0 => Always 0
  | E1 | E2 | S2 | SD0 | SD2 | SDD0 | SSD0 | SDSSD2 | SSSSD0 | Y2 => Always 1
  | E3 => Always 2
  | SSDS0 | SSDSS0 | SSDSSS0 | SSDSSSS0 | SSDSSSSD0 => Always (-1)
  end.

Fixpoint walk (t : tree) (k i : Z) : state :=
  match t with
  | Go c d x => State c (k + d) (match x with Keep => i | Zero => 0 | More => i + 1 end)
  | AtI yes no => if i =? 0 then walk yes k i else walk no k i
  | AtK m yes no => if k =? m then walk yes k i else walk no k i
  | AtJ m yes no => if k - i =? m then walk yes k i else walk no k i
  end.

Definition step (s : state) (a : square) : state := walk (table (at_control s) a) (count_k s) (count_i s).

Definition start : state := State E0 0 0.

Definition run (w : list square) : state := fold_left step w start.

Fixpoint add_constant (t : constant) (k i : Z) : Z :=
  match t with
  | Always d => k + d
  | IfI yes no => if i =? 0 then add_constant yes k i else add_constant no k i
  | IfK m yes no => if k =? m then add_constant yes k i else add_constant no k i
  end.

Definition height (s : state) : Z := add_constant (constants (at_control s)) (count_k s) (count_i s).

(** The potential of a half strip, read from the goal line to the ball. *)
Definition potential (w : list square) : Z := height (run w).

Lemma run_app w v : run (w ++ v) = fold_left step v (run w).
Proof. apply fold_left_app. Qed.

Lemma run_snoc w a : run (w ++ [a]) = step (run w) a.
Proof. now rewrite run_app. Qed.

(** ** Families of states *)

(** A linear form in three unknown natural numbers. *)
Record form := Form { fixed : Z; of_x : Z; of_y : Z; of_z : Z }.

Record unknowns := Unknowns { x : Z; y : Z; z : Z }.

Definition natural (v : unknowns) : Prop := 0 <= x v /\ 0 <= y v /\ 0 <= z v.

Definition value_of (f : form) (v : unknowns) : Z := fixed f + of_x f * x v + of_y f * y v + of_z f * z v.

Definition exactly (m : Z) : form := Form m 0 0 0.
Definition plus (f g : form) : form := Form (fixed f + fixed g) (of_x f + of_x g) (of_y f + of_y g) (of_z f + of_z g).
Definition times (m : Z) (f : form) : form := Form (m * fixed f) (m * of_x f) (m * of_y f) (m * of_z f).
Definition minus (f g : form) : form := plus f (times (-1) g).
Definition known (f : form) : bool := (of_x f =? 0) && (of_y f =? 0) && (of_z f =? 0).
Definition rising (f : form) : bool := (0 <=? of_x f) && (0 <=? of_y f) && (0 <=? of_z f).
Definition same_form (f g : form) : bool :=
  (fixed f =? fixed g) && (of_x f =? of_x g) && (of_y f =? of_y g) && (of_z f =? of_z g).

Ltac forms := unfold value_of, plus, minus, times, exactly, known, rising, natural in *; cbn [fixed of_x of_y of_z x y z] in *.

Lemma value_exactly m v : value_of (exactly m) v = m.
Proof. forms. lia. Qed.

Lemma value_plus f g v : value_of (plus f g) v = value_of f v + value_of g v.
Proof. forms. lia. Qed.

Lemma value_times m f v : value_of (times m f) v = m * value_of f v.
Proof. forms. lia. Qed.

Lemma value_minus f g v : value_of (minus f g) v = value_of f v - value_of g v.
Proof. unfold minus. rewrite value_plus, value_times. lia. Qed.

Lemma value_known f v : known f = true -> value_of f v = fixed f.
Proof. forms. rewrite !andb_true_iff, !Z.eqb_eq. intros [[-> ->] ->]. lia. Qed.

Lemma value_rising f v : rising f = true -> natural v -> fixed f <= value_of f v.
Proof. forms. rewrite !andb_true_iff, !Z.leb_le. intros [[X Y] Z] (X' & Y' & Z'). nia. Qed.

Lemma same_form_equal f g : same_form f g = true -> f = g.
Proof.
  destruct f, g. unfold same_form. cbn. rewrite !andb_true_iff, !Z.eqb_eq. intros [[[-> ->] ->] ->]. reflexivity.
Qed.

(** Compares a form with a value, if the answer is the same for all unknowns. *)
Definition decide (f : form) (m : Z) : option bool :=
  if known f then Some (fixed f =? m) else if rising f && (m <? fixed f) then Some false else None.

Lemma decide_sound f m a v : decide f m = Some a -> natural v -> (value_of f v =? m) = a.
Proof.
  unfold decide. destruct (known f) eqn:K.
  - intros [= <-] _. now rewrite (value_known f v K).
  - destruct (rising f) eqn:R; [| discriminate]. simpl. destruct (m <? fixed f) eqn:L; [| discriminate].
    intros [= <-] V. apply Z.ltb_lt in L. apply Z.eqb_neq. pose proof (value_rising f v R V). lia.
Qed.

Record family := Family { of_control : control; of_k : form; of_i : form }.

Definition member (f : family) (v : unknowns) : state := State (of_control f) (value_of (of_k f) v) (value_of (of_i f) v).

Definition branch {A} (o : option bool) (yes no : option A) : option A :=
  match o with Some true => yes | Some false => no | None => None end.

Fixpoint walk_all (t : tree) (k i : form) : option family :=
  match t with
  | Go c d x => Some (Family c (plus k (exactly d)) (match x with Keep => i | Zero => exactly 0 | More => plus i (exactly 1) end))
  | AtI yes no => branch (decide i 0) (walk_all yes k i) (walk_all no k i)
  | AtK m yes no => branch (decide k m) (walk_all yes k i) (walk_all no k i)
  | AtJ m yes no => branch (decide (minus k i) m) (walk_all yes k i) (walk_all no k i)
  end.

Definition step_all (f : family) (a : square) : option family := walk_all (table (of_control f) a) (of_k f) (of_i f).

Lemma branch_cases {A} o (yes no : option A) f : branch o yes no = Some f ->
  (o = Some true /\ yes = Some f) \/ (o = Some false /\ no = Some f).
Proof. destruct o as [[|] |]; simpl; auto. discriminate. Qed.

Lemma step_all_sound f a g v : step_all f a = Some g -> natural v -> step (member f v) a = member g v.
Proof.
  unfold step_all, step. cbn [member at_control count_k count_i]. generalize (table (of_control f) a) as t.
  intros t. induction t as [c d j | yes IHy no IHn | m yes IHy no IHn | m yes IHy no IHn]; simpl; intros H V.
  - injection H as <-. unfold member. cbn [of_control of_k of_i]. rewrite value_plus, value_exactly. f_equal.
    destruct j; rewrite ?value_plus, ?value_exactly; reflexivity.
  - apply branch_cases in H as [[D H] | [D H]]; apply (decide_sound _ _ _ v) in D; try assumption; rewrite D; auto.
  - apply branch_cases in H as [[D H] | [D H]]; apply (decide_sound _ _ _ v) in D; try assumption; rewrite D; auto.
  - apply branch_cases in H as [[D H] | [D H]]; apply (decide_sound _ _ _ v) in D; try assumption; rewrite value_minus in D; rewrite D; auto.
Qed.

Fixpoint add_constant_all (t : constant) (k i : form) : option form :=
  match t with
  | Always d => Some (plus k (exactly d))
  | IfI yes no => branch (decide i 0) (add_constant_all yes k i) (add_constant_all no k i)
  | IfK m yes no => branch (decide k m) (add_constant_all yes k i) (add_constant_all no k i)
  end.

Definition height_all (f : family) : option form := add_constant_all (constants (of_control f)) (of_k f) (of_i f).

Lemma height_all_sound f h v : height_all f = Some h -> natural v -> height (member f v) = value_of h v.
Proof.
  unfold height_all, height. cbn [member at_control count_k count_i]. generalize (constants (of_control f)) as t.
  intros t. induction t as [d | yes IHy no IHn | m yes IHy no IHn]; simpl; intros H V.
  - injection H as <-. now rewrite value_plus, value_exactly.
  - apply branch_cases in H as [[D H] | [D H]]; apply (decide_sound _ _ _ v) in D; try assumption; rewrite D; auto.
  - apply branch_cases in H as [[D H] | [D H]]; apply (decide_sound _ _ _ v) in D; try assumption; rewrite D; auto.
Qed.
