(** * The rule of Rule.v says who wins *)

From Coq Require Import ZArith List Bool Lia.
From Phutball Require Import Rules Play Proper LawN Conditions Zones Cells Automaton Classes ClassesSolved Rule
  Simulation.
Open Scope Z_scope.

(** [wins_by] of the automaton is the inequality with its exceptions. *)
Definition decides (l : Z) (t u : type) : bool := (waiting u <=? 8 * l + moving t) || exception l t u.

Definition same_decision (l : Z) (t u : nat) : bool :=
  Bool.eqb (wins_by l t u) (decides (l + raised t - raised u) (type_from t) (type_from u)).

Lemma near_decisions : forallb (fun l => forallb (fun t => forallb (same_decision l t) types) types) [-3; -2; -1; 0;
  1; 2; 3] = true.
Proof. vm_compute. reflexivity. Qed.

Lemma raised_small t : 0 <= raised t <= 1.
Proof. unfold raised. repeat (destruct t as [| t]; [lia |]). lia. Qed.

Lemma decides_by l t u : In t types -> In u types ->
  wins_by l t u = decides (l + raised t - raised u) (type_from t) (type_from u).
Proof.
  intros T U. destruct (Z_le_gt_dec l 3) as [L | L]; [destruct (Z_le_gt_dec (-3) l) as [L' | L'] |].
  - pose proof near_decisions as H. rewrite forallb_forall in H. specialize (H l ltac:(simpl; lia)).
    rewrite forallb_forall in H. specialize (H t T). rewrite forallb_forall in H. specialize (H u U).
      now apply Bool.eqb_prop.
  - pose proof (raised_small t). pose proof (raised_small u). unfold wins_by, decides.
    rewrite (proj2 (Z.eqb_neq l 0)), (proj2 (Z.eqb_neq l (-1))), (proj2 (Z.ltb_ge 0 l)) by lia.
    symmetry. apply orb_false_iff. split.
    + apply Z.leb_gt. destruct (type_from t), (type_from u); cbn [moving waiting]; lia.
    + unfold exception. destruct (type_from t), (type_from u); try reflexivity; apply Z.eqb_neq; lia.
  - pose proof (raised_small t). pose proof (raised_small u). rewrite wins_by_positive by lia. unfold decides.
    symmetry. apply orb_true_iff. left. apply Z.leb_le. destruct (type_from t), (type_from u); cbn [moving waiting];
      lia.
Qed.

Theorem wins_rule_right g h : wins_rule g h = wins_board g h.
Proof.
  unfold wins_rule, wins_board, beats. rewrite !value_right_for_all, decides_by by apply type_small. unfold decides.
  set (t := Classes.type (Classes.run g)). set (u := Classes.type (Classes.run h)). f_equal; [| f_equal; lia].
  apply eq_true_iff_eq. rewrite !Z.leb_le. lia.
Qed.

(** Who wins. *)
Theorem phutball_rule b : playing b ->
  (wins Left Left b <-> wins_rule (before b) (rev (beyond b)) = true)
  /\ (wins Right Left b <-> wins_rule (before b) (rev (beyond b)) = false)
  /\ (wins Left Right b <-> wins_rule (rev (beyond b)) (before b) = false)
  /\ (wins Right Right b <-> wins_rule (rev (beyond b)) (before b) = true).
Proof. rewrite !wins_rule_right. exact (phutball_solved b). Qed.

Theorem rule_no_draw q b : playing b -> wins Left q b \/ wins Right q b.
Proof. exact (no_draw q b). Qed.
