(** * Words with a landing, and words before empty squares *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Cleared Conditions Zones Cells Automaton Classes Notes LeastPotentials.
Open Scope Z_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** ** The squares that a jump turn clears *)

Lemma cleared_length b u : cleared b u -> 1 <= len u.
Proof. induction 1; rewrite ?app_length; simpl; lia. Qed.

Lemma jumped_cleared u m : jumped u m -> cleared true u /\ m = length u.
Proof. intros (a & R & -> & ->). split; [exact (cleared_runs a R false [empty] cleared_landing) | reflexivity]. Qed.

(** The number of squares is counted as 1, 2, and modulo 4 from 3 on. *)
Definition class (n : Z) : Z := if n <=? 2 then n else 3 + (n - 3) mod 4.
Definition more (r : Z) : Z := if r =? 6 then 3 else r + 1.
Definition full (r : Z) : Z := if r =? 4 then 1 else 0.

Lemma class_more n : 1 <= n -> class (n + 1) = more (class n) /\ (n + 1) / 4 = n / 4 + full (class (n + 1)).
Proof.
  intros N. unfold more, full, class. destruct (Z.leb_spec n 2), (Z.leb_spec (n + 1) 2); try lia.
  - assert (n = 1) as -> by lia. split; reflexivity.
  - assert (n = 2) as -> by lia. split; reflexivity.
  - destruct (Z.eqb_spec (3 + (n - 3) mod 4) 6); destruct (Z.eqb_spec (3 + (n + 1 - 3) mod 4) 4); lia.
Qed.

Lemma class_three n : 3 <= class n -> 3 <= n.
Proof. unfold class. destruct (Z.leb_spec n 2); lia. Qed.

(** ** Tables *)

Definition bound_of (c : cell) (z : zone) : Z := Z.min 4 (diff z (1%nat, constant c) (0%nat, 0)).

Lemma bound_of_sound z v s : sat z v -> at_place v first_place s -> bound_of (cell_at (cell_of s)) z < 4 ->
  potential s <= bound_of (cell_at (cell_of s)) z.
Proof.
  intros S P L. unfold bound_of in *. set (c := cell_at (cell_of s)) in *.
  assert (I : diff z (1%nat, constant c) (0%nat, 0) < inf) by (unfold inf; lia).
  pose proof (diff_sound z v _ _ S I) as D. pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. unfold value in *.
  simpl in *.
  unfold potential. fold c. lia.
Qed.

Definition least_of (c : cell) (z : zone) : Z := let d :=
  diff z (0%nat, 0) (1%nat, constant c) in if d <? inf then Z.min 4 (- d) else 0.

Lemma least_of_sound z v s : sat z v -> at_place v first_place s -> 0 <= potential s ->
  least_of (cell_at (cell_of s)) z <= potential s.
Proof.
  intros S P L. unfold least_of. set (c := cell_at (cell_of s)) in *.
  destruct (Z.ltb_spec (diff z (0%nat, 0) (1%nat, constant c)) inf) as [I | I]; [| assumption].
  pose proof (diff_sound z v _ _ S I) as D. pose proof (P 0%nat) as P0. pose proof (P 1%nat) as P1. unfold value in *.
  simpl in *.
  unfold potential in *. fold c in L |- *. lia.
Qed.

(** Chains: whether the last square has a stone, the class of the number of squares since the landing,
    the type there, and the potential there less one for every four squares and less [k]; the
    latter is only an upper bound if the last note is 1. *)
Definition chain (c : cell) (z : zone) (b : list Z) (a : square) (dk : Z) : list (list Z) :=
  match b with
  | [] => [] :: match a with empty => [[0; 1; Z.of_nat (kind c); constant c - dk; 0]] | stone => [] end
  | [last; r; t; v; low] =>
      if match a with empty => last =? 0 | stone => false end then []
      else
        let r := more r in let v := v - dk - full r in
        [(match a with empty => 0 | stone => 1 end) :: r :: t :: if v <? -12 then [-12; 1] else [v; low]]
  | _ => []
  end.

(** Dots: the class of their number, the type before them, the potential before them plus one for every
    four and less [k]; and an upper bound of that potential, if it is less than 4, and a lower bound. *)
Definition dotted (c : cell) (z : zone) (b : list Z) (a : square) (dk : Z) : list (list Z) :=
  match a, b with
  | _, [] => [] :: match a with empty => [[1; Z.of_nat (kind c); constant c - dk; bound_of c z; least_of c z]]
    | stone => [] end
  | empty, [r; t; v; most; least] => let r := more r in [[r; t; v - dk + full r; most; least]]
  | _, _ => []
  end.

(** What is known of the jump turns and of the dots, without the states. *)
Definition chain_fact (key : list Z) (z : zone) : option (list Z) :=
  match key with
  | [c; last; r; t; v; low] =>
      let c := cell_number c in if last =? 1 then Some [r; t; v - constant c; low; Z.of_nat (kind c); bound_of c z]
        else None
  | _ => None
  end.

Definition dots_fact (key : list Z) (z : zone) : option (list Z) :=
  match key with
  | [c; r; t; v; most; least] => let c := cell_number c in Some [r; t; constant c - v; Z.of_nat (kind c); most; least]
  | _ => None
  end.

Definition facts (f : list Z -> zone -> option (list Z)) (m : table) : Map.t (list Z) :=
  fold_left (fun s '(_, (key, z)) => match f key z with Some t => Map.add (code t) t s
    | None => s end) (Map.elements m) (Map.empty _).

Definition in_facts (s : Map.t (list Z)) (t : list Z) : bool :=
  match Map.find (code t) s with Some t' => same_key t t' | None => false end.

Definition facts_hold (f : list Z -> zone -> option (list Z)) (s : Map.t (list Z)) (key : list Z) (z : zone) : bool :=
  match f key z with Some t => in_facts s t | None => true end.

(** ** Empty squares next to the ball *)

Definition dots_table : table := find_table (single_next dotted) 12 [([Zpos (cell_of start)], first_zone)].
Definition dots_facts : Map.t (list Z) := facts dots_fact dots_table.

Definition dots_check : bool :=
  let m := dots_table in
  closed (single_next dotted) (facts_hold dots_fact (facts dots_fact m)) m
  && covered m ([Zpos (cell_of start)], first_zone).

Lemma dots_checked : dots_check = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Section Sound.

Variable m : table.
Variable d : Map.t (list Z).
Hypothesis m_closed : closed (single_next dotted) (facts_hold dots_fact d) m = true.
Hypothesis m_first : covered m ([Zpos (cell_of start)], first_zone) = true.

Lemma dots_noted w k : exists most least,
  noted m (w ++ dots (S k)) [class (Z.of_nat (S k)); Z.of_nat (type (run w));
    potential (run w) + Z.of_nat (S k) / 4 - count_k (run (w ++ dots (S k))); most; least]
  /\ (most < 4 -> potential (run w) <= most) /\ least <= potential (run w).
Proof.
  induction k as [| k (most & least & N & L)].
  - destruct (noted_step _ _ _ m_closed _ _ (always_noted _ _ _ m_closed m_first (fun _ _ a _ => match a
      with empty => or_introl eq_refl | stone => or_introl eq_refl end) w)) as (z & v & S & P & _ & M). destruct
      (M empty) as (mv & _ & R & M').
    exists (bound_of (cell_at (cell_of (run w))) z), (least_of (cell_at (cell_of (run w))) z).
    split; [| split; [intros L; now apply bound_of_sound with v | apply least_of_sound with v; try assumption;
      apply potential_natural]].
    apply M'. right. left. change (dots 1) with [empty]. rewrite R. cbn [moved count_k]. unfold potential.
    change (Z.of_nat 1) with 1. change (1 / 4) with 0. change (class 1) with 1.
    do 3 f_equal. lia.
  - destruct (noted_step _ _ _ m_closed _ _ N) as (z & v & _ & _ & _ & M). destruct (M empty) as (mv & _ & R & M').
    exists most, least. split; [| assumption].
    assert (E : dots (S (S k)) = dots (S k) ++ [empty]) by (unfold dots; now rewrite snoc_repeat).
    rewrite E, app_assoc, R. apply M'. left. cbn [moved count_k].
    destruct (class_more (Z.of_nat (S k)) ltac:(lia)) as [C Q].
    replace (Z.of_nat (S (S k))) with (Z.of_nat (S k) + 1) by lia. rewrite Q, C. do 3 f_equal. lia.
Qed.

Lemma dots_known_in w n : (0 < n)%nat -> exists t e tm mn ln p,
  In (p, [class (Z.of_nat n); t; e; tm; mn; ln]) (Map.elements d)
  /\ t = Z.of_nat (type (run w)) /\ tm = Z.of_nat (type (run (w ++ dots n))) /\ (mn < 4 -> potential (run w) <= mn)
    /\ ln <= potential (run w)
  /\ potential (run (w ++ dots n)) - potential (run w) - Z.of_nat n / 4 = e.
Proof.
  destruct n as [| n]; [lia |]. intros _. destruct (dots_noted w n) as (most & least & N & L & L').
  destruct (noted_step _ _ _ m_closed _ _ N) as (z & vv & _ & _ & G & _). unfold facts_hold, dots_fact in G.
  change (cell_number _) with (cell_at (cell_of (run (w ++ dots (S n))))) in G.
  set (k := cell_at (cell_of (run (w ++ dots (S n))))) in *.
  unfold in_facts in G. destruct (Map.find _ d) as [t' |] eqn:F; [| discriminate]. apply same_key_equal in G as <-.
  do 6 eexists. split; [apply Map.elements_correct, F |]. split; [reflexivity |]. split; [reflexivity |].
  split; [assumption |]. split; [assumption |].
  unfold potential at 1. fold k. lia.
Qed.

End Sound.

Lemma dots_known w n : (0 < n)%nat ->
  exists t e tm mn ln p, In (p, [class (Z.of_nat n); t; e; tm; mn; ln]) (Map.elements dots_facts)
  /\ t = Z.of_nat (type (run w)) /\ tm = Z.of_nat (type (run (w ++ dots n)))
  /\ (mn < 4 -> potential (run w) <= mn) /\ ln <= potential (run w)
  /\ potential (run (w ++ dots n)) - potential (run w) - Z.of_nat n / 4 = e.
Proof.
  pose proof dots_checked as H. revert H. unfold dots_check, dots_facts. generalize dots_table. cbv zeta. intros m H.
  apply andb_true_iff in H as [H F]. now apply (dots_known_in m).
Qed.

(** Types are noted as integers. *)
Definition kind_of (t : Z) : nat := Z.to_nat t.

Lemma kind_of_nat n : kind_of (Z.of_nat n) = n.
Proof. apply Nat2Z.id. Qed.
